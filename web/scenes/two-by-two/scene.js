/**
 * Two by two: everyone's first question. Train x[0,0] and x[1,1], hold the others.
 *
 * Each cell's target is its own negative, so free cells change colour and locked cells do not.
 * Copy this scene to write your own: it has all that a scene needs.
 */

const START = [-1, -0.5, -0.75, -0.25];
const LOCKED = [0, 1, 1, 0];

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'two-by-two',
  order: 2,
  group: 'start',
  sizes: [[2, 2]],
  choices: {},
  reach: 1,
  pulls: true,
  optimizer: { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
  speed: 30,
  start: () => Float32Array.from(START),
  locks: () => Uint8Array.from(LOCKED),
  target: () => Float32Array.from(START, (value) => -value),
  loss: (g, { x }, { targets }) => g.sum(g.square(g.sub(x, targets.x))),
  guess: { held: 2, after: 150, of: 'run', right: ({ loss }) => Number(loss > 0.1) },
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
