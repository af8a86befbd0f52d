/** Peaks: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: {
    after: 120,
    of: 'run',
    right: ({ held, first, loss }) => (held < 4 ? null : loss < first / 10 ? 2 : 0),
  },
  tour: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 150 }] },
    { area: 'locks' },
    { area: 'grid', acts: [{ state: { beside: 'pressure' } }] },
    { area: 'grid', acts: [{ state: { beside: 'none' } }, { unlock: [2] }, { train: 50 }] },
  ],
};
