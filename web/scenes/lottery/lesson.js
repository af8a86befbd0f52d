/** Lottery ticket: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: {
    after: 1500,
    of: 'run',
    right: ({ held, reading }) =>
      held < 200 ? null : reading('testScore') > 0.9 ? 1 : reading('testScore') > 0.6 ? 0 : 2,
  },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 1500 }] },
    { area: 'grid', actions: [{ pruneAnew: 0.67 }] },
    { area: 'lottery', actions: [{ train: 1500 }] },
    { area: 'lottery' },
  ],
};
