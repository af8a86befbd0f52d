/** Kernels: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: {
    after: 200,
    of: 'run',
    right: ({ reading }) => (reading('score') > 0.7 ? 2 : reading('score') > 0.3 ? 1 : 0),
  },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 200 }] },
    { area: 'grid' },
    { area: 'run', actions: [{ state: { choices: { kernels: 'locked' } } }, { train: 200 }] },
    { area: 'grid' },
  ],
};
