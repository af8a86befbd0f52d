/** Weights: a small network, whose last weights are locked when it opens: the others work around them. */

import { percent, say } from '../shared/figure.js';
import { network } from '../shared/layered.js';
import { net } from '../shared/net.js';
import { plane } from '../shared/plane.js';

/** Its lines into layer 1 and layer 2; between them are biases. */
const LINES = Array.from({ length: 88 }, (_, i) => i).filter((i) => i < 16 || i > 23);

/** What is right of the blue points with so many locked, of the last two numbers. @type {import('../shared/figure.js').Built} */
const shares = {
  id: 'shares',
  ...{ isOnce: true, isChart: true },
  build(host, { words, h }) {
    const headline = h('p', { class: 'figure-headline' });
    host.append(headline);
    const rights = /** @type {Map<number, string>} */ (new Map());
    return {
      draw({ locks, shown: { points }, readings: { right }, step, isPast }) {
        const blue = right.filter((_, i) => points[i][2] > 0);
        const locked = Object.values(locks).flatMap((mask) => [...mask].filter(Boolean)).length;
        if (![...rights.keys()].slice(-2).includes(locked)) rights.delete(locked);
        if (step && !isPast)
          rights.set(locked, percent([blue.reduce((sum, one) => sum + one, 0) / blue.length]));
        const told = [...rights].slice(-2).map((one) => words.right(...one));
        say(headline, told.join('\n'));
      },
    };
  },
};

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'network',
  order: 7,
  ...network,
  figures: [shares, net, plane],
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
