/** Pinned graph: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 100, of: 'run', opening: { held: 8, moved: 0, farthest: 0 } },
  tour: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 120 }] },
    { area: 'grid' },
    { area: 'grid', acts: [{ lock: [10, 11] }] },
    { area: 'grid', acts: [{ state: { choices: { graph: 'club' } } }, { train: 200 }] },
  ],
};
