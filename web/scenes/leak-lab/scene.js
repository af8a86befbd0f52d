/**
 * Leak lab: the same problem twice. One side has locks, the other the usual mask on the
 * gradient. After a few free steps the same cells are held on both sides. Cells that move on the
 * other side are moved by the optimizer's momentum or decay, which no mask on the gradient reaches.
 */

import { noise } from '../shared/noise.js';
import { draw } from '../shared/pictures.js';

const PADLOCK = [
  '....##....',
  '...#..#...',
  '...#..#...',
  '..######..',
  '..######..',
  '..##..##..',
  '..######..',
].join(''); // without the rows above and below it

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'leak-lab',
  order: 4,
  group: 'leaks',
  sizes: [[10, 10]],
  choices: {},
  reach: 1,
  optimizer: { rule: 'adam', learningRate: 0.05, momentum: 0.9, weightDecay: 0.2 },
  speed: 30,
  beside: 'mask',
  warm: 8,
  start: ({ seed }) => noise(100, seed, 0.5).map((value) => value + 0.3),
  locks: () => Uint8Array.from({ length: 100 }, (_, i) => (PADLOCK[i - 10] === '#' ? 1 : 0)),
  target: () => draw('heart', 10, 10).map((value) => -value),
  loss: (g, { x }, { targets }) => g.sum(g.square(g.sub(x, targets.x))),
  guess: {
    after: 40,
    of: 'rival',
    right: ({ held, moved }) => (moved ? (moved < held ? 1 : 2) : 0),
  },
  tour: [
    { area: 'grid' },
    { area: 'grid', actions: [{ rule: 'adam' }, { train: 60 }] },
    { area: 'settings', actions: [{ rule: 'sgd' }, { train: 60 }] },
    { area: 'settings', actions: [{ rule: 'momentum' }, { train: 60 }] },
    { area: 'settings', actions: [{ rule: 'adamW' }, { train: 120 }] },
  ],
};
