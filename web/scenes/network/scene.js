/** Weights: a small network, one weight of which is locked when it opens: the others go round it. */

import { network } from '../shared/layered.js';

/** The weight that is locked at first: from unit 7 of layer 2 to the output, where it is easily seen. */
const LOCKED = 102;

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'network',
  order: 7,
  ...network,
  folded: ['w1', 'w2', 'w3'],
  opensWith: () => new Uint8Array(105).fill(1, LOCKED, LOCKED + 1),
  pulls: true,
  guess: {
    after: 300,
    of: 'run',
    right: ({ held, reading }) => (held === 1 ? Number(reading('testScore') > 0.9) : null),
  },
  tour: [
    { area: 'net' },
    { area: 'run', actions: [{ train: 300 }] },
    { area: 'locks', actions: [{ prune: 0.5 }] },
    { area: 'run', actions: [{ train: 300 }] },
    { area: 'settings', actions: [{ state: { choices: { data: 'spiral' } } }] },
  ],
  challenge: {
    id: 'few-weights',
    most: 20_000,
    start: ['locks', 'optimizer', 'prune', 'unprune'],
    later: ['locks', 'optimizer', 'prune', 'unprune'],
    goals: [{ of: 'score', atLeast: 0.95 }],
    score: 'free',
  },
};
