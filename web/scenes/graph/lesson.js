/** Pinned graph: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 100, of: 'run', right: ({ held, moved }) => (held ? (moved ? 0 : 1) : null) },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 120 }] },
    { area: 'grid' },
    { area: 'grid', actions: [{ lock: [10, 11] }] },
    { area: 'grid', actions: [{ state: { choices: { graph: 'club' } } }, { train: 200 }] },
  ],
};
