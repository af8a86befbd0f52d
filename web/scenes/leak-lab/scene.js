/**
 * Leak lab: the same problem twice. After a few free steps one side locks cells, the other masks
 * their gradient, which does not reach the optimizer's momentum or decay: these still move them.
 */

import { noise } from '../shared/noise.js';
import { draw } from '../shared/pictures.js';

/** Returns locks. @param {number[]} rows their bits, from the second row */
const shape = (rows) =>
  Uint8Array.from({ length: 100 }, (_, i) => (rows[Math.floor(i / 10) - 1] >> (i % 10)) & 1);

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
  // A padlock, as in links without locks; it opens with a heart.
  locks: () => shape([0x30, 0x48, 0x48, 0xfc, 0xfc, 0xcc, 0xfc]),
  opensWith: () => shape([0xcc, 0x1fe, 0x1fe, 0x1fe, 0xfc, 0x78, 0x30]),
  target: () => draw('heart', 10, 10).map((value) => -value),
  loss: (g, { x }, { targets }) => g.sum(g.square(g.sub(x, targets.x))),
  guess: {
    after: 40,
    of: 'rival',
    right: ({ held, moved }) => (moved ? (moved < held ? 1 : 2) : 0),
    next: [{ reset: true }, { rule: 'sgd' }],
  },
  tour: [
    { area: 'grid' },
    { area: 'grid', actions: [{ rule: 'adam' }, { train: 60 }] },
    { area: 'settings', actions: [{ rule: 'sgd' }, { train: 60 }] },
    { area: 'settings', actions: [{ rule: 'momentum' }, { train: 60 }] },
    { area: 'settings', actions: [{ rule: 'adamW' }, { train: 120 }] },
  ],
};
