/** Pinned graph: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 100, of: 'run', right: ({ held, moved }) => (held ? (moved ? 0 : 1) : null) },
  tour: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 120 }] },
    { area: 'grid' },
    { area: 'grid', acts: [{ lock: [10, 11] }] },
    { area: 'grid', acts: [{ state: { choices: { graph: 'club' } } }, { train: 200 }] },
  ],
};
