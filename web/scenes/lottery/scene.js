/**
 * Lottery ticket: the network of Weights is trained, its smallest weights are removed, and the rest
 * is reset to its first values and trained again. Does it learn as well as all, or a random rest?
 */

import { STEPS, lottery as curve, tickets } from './figure.js';
import { net } from '../shared/net.js';
import { plane } from '../shared/plane.js';
import { squares } from '../layout.js';
import { network } from '../shared/layered.js';
import { part } from '../shared/part.js';

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'lottery',
  order: 8,
  ...network,
  sizes: squares(14, 10, 8),
  choices: { data: ['spiral', 'circle', 'xor'] },
  speed: 600,
  rewinds: true,
  figures: [tickets, net, plane, curve],
  recorded: async () => (await part(import('./runs.txt?raw'))).default,
  guess: {
    ...{ held: [0, 211], after: STEPS, of: 'run' },
    opens: ({ at }) => at === 100,
    right: ({ held, reading }) => (held === 211 ? Number(reading('testScore') > 0.9) : null),
  },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 1500 }] },
    { area: 'grid', actions: [{ pruneAnew: 0.67 }] },
    { area: 'tickets', actions: [{ train: 1500 }] },
    { area: 'lottery' },
  ],
};
