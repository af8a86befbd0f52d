/**
 * Peaks: a spectrum is the sum of four bells, each with a height, a place and a width. The widths are known, from the
 * instrument, and locked; heights and places are found. Free a width, and the fit has one more way to go wrong.
 *
 * Each row is a peak; its columns are height, place (−1..1) and width (tenths).
 */

import { exp } from './maths.js';
import { noise } from './noise.js';

const SAMPLES = 160;
const TRUE = [
  [0.8, -0.62, 1],
  [0.45, -0.18, 0.7],
  [0.95, 0.2, 1.3],
  [0.6, 0.66, 0.8],
];
const START = [
  [0.4, -0.8, 1],
  [0.4, -0.3, 0.7],
  [0.4, 0.35, 1.3],
  [0.4, 0.8, 0.8],
];
const NAMES = ['A', 'B', 'C', 'D'];

const axis = Array.from({ length: SAMPLES }, (_, i) => ((i + 0.5) / SAMPLES) * 2 - 1);

/** What the instrument measured: the true peaks, and noise. @param {import('./scene.js').Setup} setup */
function spectrum({ seed, choices }) {
  const draws = noise(SAMPLES, seed, choices.noise === 'clean' ? 0 : 0.06);
  return axis.map((at, i) =>
    TRUE.reduce((sum, [height, place, width]) => {
      const off = (at - place) / (width / 10);
      return sum + height * exp(-off * off);
    }, draws[i]),
  );
}

/** The bells at every sample, one row a peak. @param {import('./scene.js').Gradlock} g @param {import('./scene.js').Variable} x */
function bells(g, x) {
  const column = (/** @type {number} */ at) => g.slice(x, [0, at], [TRUE.length, 1]);
  const off = g.div(g.sub(g.tensor([axis]), column(1)), g.div(column(2), 10));
  return g.mul(column(0), g.exp(g.neg(g.square(off))));
}

/** @type {import('./scene.js').Scene} */
export const peaks = {
  id: 'peaks',
  sizes: [[TRUE.length, 3]],
  choices: { noise: ['noisy', 'clean'] },
  reach: 1.5,
  optimizer: { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
  speed: 30,
  rowNames: () => NAMES,
  start: () => Float32Array.from(START.flat()),
  locks: () => Uint8Array.from({ length: TRUE.length * 3 }, (_, i) => (i % 3 === 2 ? 1 : 0)),
  loss: (g, { x }, _targets, setup) =>
    g.sum(g.square(g.sub(g.sum(bells(g, x), 0), spectrum(setup)))),
  readings: (g, { x }, setup) => {
    const each = bells(g, x);
    const all = g.sum(each, 0);
    const isNear = g.less(g.abs(g.sub(all, spectrum(setup))), 0.1);
    return { each, all, score: g.mean(isNear) };
  },
  figure: (setup) => ({ kind: 'curves', measured: spectrum(setup), names: NAMES }),
  code: (setup) => `(() => {
  const axis = g.tensor([${JSON.stringify(axis)}]);
  const column = (at) => g.slice(x, [0, at], [${TRUE.length}, 1]);
  const off = g.div(g.sub(axis, column(1)), g.div(column(2), 10));
  const bells = g.mul(column(0), g.exp(g.neg(g.square(off))));
  return g.sum(g.square(g.sub(g.sum(bells, 0), ${JSON.stringify(spectrum(setup))})));
})()`,
};
