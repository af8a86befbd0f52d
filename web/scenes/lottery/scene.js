/**
 * Lottery ticket: the network of Weights, pruned and rewound. After training, its smallest weights
 * are removed, and the rest gets its first values back and is trained again. Does it learn as well
 * as the whole network? As well as the same number of random weights?
 */

import { lottery as curve } from './figure.js';
import { net } from '../shared/net.js';
import { plane } from '../shared/plane.js';
import { layoutOf, squares } from '../layout.js';
import { network, scores } from '../shared/layered.js';
import { noise } from '../shared/noise.js';
import { part } from '../shared/part.js';
import { lesson } from './lesson.js';

/** The share of each matrix that is left, in per cent: each pruning takes a fifth of the rest. */
const KEPT = [100, 80, 64, 51, 41, 33, 26, 21, 17, 13, 11];
/** The end of the figure's axis. */
const LEAST = 9;
/** The steps of each run. */
const STEPS = 1500;
/** The number of random masks beside each ticket. */
const MASKS = 3;

/** @typedef {import('../scene.js').Setup} Setup */

/** Returns each matrix's smallest cells by absolute value, the earlier of equals, like pruning. @param {Setup} setup @param {Float32Array} sizes @param {number} kept in per cent */
function smallest(setup, sizes, kept) {
  const zeros = new Uint8Array(sizes.length);
  for (const { rows, cols, offset } of layoutOf(scene, setup)) {
    const count = rows * cols;
    const order = Array.from({ length: count }, (_, i) => offset + i);
    order.sort((a, b) => Math.abs(sizes[a]) - Math.abs(sizes[b]) || a - b);
    const gone = order.slice(0, Math.floor((1 - kept / 100) * count + 0.5));
    for (const i of gone) zeros[i] = 1;
  }
  return zeros;
}

/** @param {Setup} setup @returns {Generator<import('../scene.js').StudyRun, void, import('../scene.js').Ended>} */
function* runs(setup) {
  /** @type {Float32Array | null} the last ticket's values at its end */
  let values = null;
  for (const [i, kept] of KEPT.entries()) {
    const run = { at: kept, steps: STEPS };
    /** @type {Uint8Array} */
    const zeros = values ? smallest(setup, values, kept) : scene.locks(setup);
    /** @type {import('../scene.js').Ended} */
    const ended = yield { key: 'ticket', ...run, zeros, locks: zeros };
    for (let mask = 0; values && mask < MASKS; mask++) {
      const draws = noise(zeros.length, (setup.seed + 1000 * i + 100 * mask) >>> 0, 1);
      const lot = smallest(setup, draws, kept);
      yield { key: 'random', ...run, zeros: lot, locks: lot };
    }
    values = ended.values;
  }
}

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'lottery',
  order: 8,
  ...network,
  ...lesson,
  sizes: squares(14, 10, 8),
  choices: { data: ['spiral', 'circle', 'xor'] },
  speed: 240,
  prunes: 'last',
  figures: [net, plane, curve],
  shown: (setup) => ({
    .../** @type {object} */ (network.shown?.(setup)),
    ...{ hidesCut: true, kept: KEPT, least: LEAST },
  }),
  study: {
    count: KEPT.length + MASKS * (KEPT.length - 1),
    isAsked: true,
    runs,
    readings: scores,
    kept: async () => (await part(import('./runs.txt?raw'))).default,
  },
};
