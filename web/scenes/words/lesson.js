/** New words: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: {
    after: 60,
    of: 'rival',
    opening: { held: 72, moved: 72, farthest: 0.36104699969291687 },
  },
  tour: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 100 }] },
    { area: 'words', acts: [{ train: 100 }] },
    { area: 'settings', acts: [{ rule: 'adam' }, { train: 20 }] },
    { area: 'grid', acts: [{ unlock: [0, 1, 2, 3, 4, 5, 6, 7] }, { train: 100 }] },
  ],
};
