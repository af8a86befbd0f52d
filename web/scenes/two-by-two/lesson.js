/** Two by two: its question, its tour and its challenge. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 40, of: 'run', right: ({ held, moved }) => (held ? (moved ? 0 : 1) : null) },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 50 }] },
    { area: 'locks' },
    { area: 'grid', actions: [{ unlock: [1] }, { train: 50 }] },
    { area: 'inspector', actions: [{ select: 2 }] },
  ],
  challenge: {
    id: 'three-cells',
    most: 2000,
    start: ['locks', 'optimizer'],
    later: ['optimizer'],
    goals: [
      { of: 'unlocked', atMost: 3 },
      { of: 'loss', atMost: 0.3 },
    ],
    score: 'step',
  },
};
