/** Digits: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: {
    after: 50,
    of: 'run',
    right: ({ reading }) => (reading('score') > 0.7 ? 2 : reading('score') > 0.3 ? 1 : 0),
  },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 50 }] },
    { area: 'locks', actions: [{ prune: 0.5 }] },
    { area: 'run', actions: [{ train: 50 }] },
    { area: 'grid' },
  ],
};
