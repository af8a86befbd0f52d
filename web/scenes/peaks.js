/**
 * Peaks: a spectrum is the sum of four bells. The widths are known from the instrument and locked;
 * heights and places are fitted. An unlocked width makes the fit less certain. Each row is a peak;
 * its columns are height, place (−1..1) and width (tenths).
 */

import { curves } from '../figures/curves.js';
import { exp } from './maths.js';
import { noise } from './noise.js';

const SAMPLES = 160;
/** The instrument's noise is uniform in ±NOISE. */
const NOISE = 0.06;
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

/** @param {import('./scene.js').Setup['choices']} choices */
const reachOfNoise = ({ noise }) => (noise === 'clean' ? 0 : NOISE);

/** Returns the measurement: the true peaks, and noise. @param {import('./scene.js').Setup} setup */
function spectrum({ seed, choices }) {
  const draws = noise(SAMPLES, seed, reachOfNoise(choices));
  return axis.map((at, i) =>
    TRUE.reduce((sum, [height, place, width]) => {
      const off = (at - place) / (width / 10);
      return sum + height * exp(-off * off);
    }, draws[i]),
  );
}

/** Returns the bells at every place of the axis, one row per peak. @type {NonNullable<import('./scene.js').Scene['model']>} */
function bells(g, { x }, axis) {
  const [height, place, width] = [0, 1, 2].map((at) => g.slice(x, [0, at], [x.shape[0], 1]));
  const off = g.div(g.sub(axis, place), g.div(width, 10));
  return g.mul(height, g.exp(g.neg(g.square(off))));
}

/** @type {import('./scene.js').Scene} */
export const peaks = {
  id: 'peaks',
  sizes: [[TRUE.length, 3]],
  choices: { noise: ['noisy', 'clean'] },
  reach: 1.5,
  optimizer: { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
  speed: 30,
  rowNames: () => ({ x: NAMES }),
  colNames: () => ({ x: ['height', 'place', 'width'] }),
  start: () => Float32Array.from(START.flat()),
  locks: () => Uint8Array.from({ length: TRUE.length * 3 }, (_, i) => (i % 3 === 2 ? 1 : 0)),
  data: (setup) => ({ axis: [axis], measured: spectrum(setup) }),
  model: bells,
  loss: (g, variables, { axis, measured }, bells) =>
    g.sum(g.square(g.sub(g.sum(bells(g, variables, axis), 0), measured))),
  readings: (g, variables, setup) => {
    const each = bells(g, variables, [axis]);
    const all = g.sum(each, 0);
    return { each, all, squares: g.sum(g.square(g.sub(all, spectrum(setup)))) };
  },
  figures: [curves],
  shown: (setup) => ({
    measured: spectrum(setup),
    from: -1,
    to: 1,
    names: NAMES,
    // The standard deviation of a uniform distribution.
    noise: reachOfNoise(setup.choices) / Math.sqrt(3),
  }),
};
