/** New words: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 60, of: 'rival', right: ({ moved }) => (moved ? 1 : 0) },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 100 }] },
    { area: 'words', actions: [{ train: 100 }] },
    { area: 'settings', actions: [{ rule: 'adam' }, { train: 20 }] },
    { area: 'grid', actions: [{ unlock: [0, 1, 2, 3, 4, 5, 6, 7] }, { train: 100 }] },
  ],
};
