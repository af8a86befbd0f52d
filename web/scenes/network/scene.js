/** Weights: a small network, of which each weight can be locked or pruned. */

import { network } from '../shared/layered.js';

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'network',
  order: 7,
  ...network,
  pulls: true,
  guess: {
    after: 300,
    of: 'run',
    right: ({ reading }) => (reading('testScore') > 0.8 ? 2 : reading('testScore') > 0.6 ? 1 : 0),
  },
  tour: [
    { area: 'grid' },
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
