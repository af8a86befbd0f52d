/** Weights: a small network, one weight of which is locked when it opens: the others go round it. */

import { network } from '../shared/layered.js';

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'network',
  order: 7,
  ...network,
  folded: ['w1', 'w2', 'w3'],
  // From a middle unit to the output, where it is easily seen; free, it would change its sign.
  opensWith(setup) {
    const at = -1 - setup.cols / 2;
    return new Uint8Array(network.start(setup).length).fill(1, at, at + 1);
  },
  pulls: true,
  guess: {
    ...{ held: 1, after: 300, of: 'run' },
    right: ({ reading }) => (reading('testScore') > 0.9 ? 1 : null),
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
