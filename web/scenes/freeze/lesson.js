/** Freeze the base: its question, its tour and its challenge. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 200, of: 'run', right: ({ held }) => (held < 457 ? null : 1) },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 200 }] },
    { area: 'grid', actions: [{ state: { beside: 'mask' } }] },
    {
      area: 'accuracy',
      actions: [{ state: { beside: 'none' } }, { free: true }, { reset: true }, { train: 200 }],
    },
    { area: 'accuracy', actions: [{ state: { choices: { examples: 'both' } } }, { train: 200 }] },
  ],
  challenge: {
    id: 'old-digits',
    most: 400,
    start: ['locks'],
    later: [],
    goals: [
      { of: 'step', atLeast: 400 },
      { of: 'old', atLeast: 0.9 },
      { of: 'fresh', atLeast: 0.4 },
    ],
    score: 'locked',
  },
};
