/** New words: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 60, of: 'rival', right: ({ moved }) => (moved ? 1 : 0) },
  tour: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 100 }] },
    { area: 'words', acts: [{ train: 100 }] },
    { area: 'settings', acts: [{ rule: 'adam' }, { train: 20 }] },
    { area: 'grid', acts: [{ unlock: [0, 1, 2, 3, 4, 5, 6, 7] }, { train: 100 }] },
  ],
};
