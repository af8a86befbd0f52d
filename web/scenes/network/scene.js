/** Weights: a small network, whose last weights are locked when it opens: the others work around them. */

import { percent } from '../shared/figure.js';
import { network } from '../shared/layered.js';
import { net } from '../shared/net.js';
import { plane } from '../shared/plane.js';

/** Its lines into layer 1 and layer 2; between them are biases. */
const LINES = Array.from({ length: 88 }, (_, i) => i).filter((i) => i < 16 || i > 23);

/** What was right with so many locked, of the last two numbers. @type {Map<number, string>} */
const seen = new Map();

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'network',
  order: 7,
  ...network,
  figures: [
    {
      ...net,
      headline(words, { locks, readings: { score }, step, isPast }) {
        const locked = Object.values(locks).flatMap((mask) => [...mask].filter(Boolean)).length;
        if (step && !isPast) seen.set(locked, percent(score));
        return [...seen]
          .slice(-2)
          .map(([count, right]) => words.right(count, right))
          .join('\n');
      },
    },
    { ...plane, headline: () => '' },
  ],
  // All that lead to the output, but its bias: each answer goes through them.
  opensWith: (setup) => new Uint8Array(network.start(setup).length).fill(1, -1 - setup.cols, -1),
  pulls: true,
  guess: {
    ...{ held: 8, after: 150, of: 'run' },
    right: ({ reading }) => (reading('testScore') > 0.9 ? 1 : null),
    next: [{ state: { rows: 8, cols: 8 } }, { lock: LINES }, { reset: true }],
  },
  tour: [
    { area: 'net' },
    { area: 'run', actions: [{ train: 300 }] },
    { area: 'prune', actions: [{ prune: 0.5 }] },
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
