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
    { area: 'run', actions: [{ train: 150 }] },
    { area: 'locks' },
    { area: 'grid', actions: [{ state: { beside: 'pressure' } }] },
    { area: 'grid', actions: [{ state: { beside: 'none' } }, { unlock: [2] }, { train: 50 }] },
  ],
};
