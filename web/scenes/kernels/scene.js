/**
 * Kernels: a convolutional network reads handwriting by eight 3×3 kernels. Each is a grid whose
 * cells lock. Type a known filter such as Sobel's and lock it, and the others learn around it. Or
 * lock all eight random kernels and their biases, and only the head learns.
 */

import { kernels, map } from './figure.js';
import { percent } from '../shared/figure.js';
import { features, readOf } from '../shared/features.js';
import { pad } from '../shared/pad.js';
import { noise } from '../shared/noise.js';
import { loadDigits, samplesFrom, test, train } from '../shared/samples.js';

const KERNELS = kernels.length;
/** The inputs of the head: the largest value in each quarter of each kernel's map. */
const READ = 4 * KERNELS;
const DIGITS = 10;

/** The last axis of the kernels' variable, [3, 3, 1, 8], is the kernel. @type {[number, number]} */
const STRIDES = [3 * KERNELS, KERNELS];

/** What was read, by the number of kernels that are locked. @type {Map<number, string>} */
const seen = new Map();

/** Sobel's filters for vertical and for horizontal edges (Sobel & Feldman 1968), times ½. */
const SOBEL = [
  [-0.5, 0, 0.5, -1, 0, 1, -0.5, 0, 0.5],
  [-0.5, -1, -0.5, 0, 0, 0, 0.5, 1, 0.5],
];

/** @type {NonNullable<import('../scene.js').Scene['shapes']>} */
const shapes = () => ({
  ...Object.fromEntries(kernels.map((name) => [name, /** @type {[number, number]} */ ([3, 3])])),
  biases: [1, KERNELS],
  head: [DIGITS, READ],
  offsets: [DIGITS, 1],
});

/** @param {import('../scene.js').Setup} setup */
function start({ seed, choices }) {
  // As in Keras: Glorot & Bengio 2010, uniform.
  const drawn = noise(9 * KERNELS, seed, Math.sqrt(6 / (9 + 9 * KERNELS)));
  if (choices.kernels === 'sobel') drawn.set(SOBEL.flat());
  const head = noise(READ * DIGITS, seed + 1, Math.sqrt(6 / (READ + DIGITS)));
  const zeros = (/** @type {number} */ count) => new Float32Array(count);
  return Float32Array.from([...drawn, ...zeros(KERNELS), ...head, ...zeros(DIGITS)]);
}

/** @param {import('../scene.js').Setup} setup */
function locks({ choices }) {
  const held = { sobel: 9 * SOBEL.length, locked: (9 + 1) * KERNELS }[choices.kernels] ?? 0;
  return new Uint8Array((9 + 1) * KERNELS + (READ + 1) * DIGITS).fill(1, 0, held);
}

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'kernels',
  order: 10,
  group: 'networks',
  sizes: [[3, 3]],
  choices: { kernels: ['sobel', 'random', 'locked'] },
  reach: 1,
  optimizer: { rule: 'adam', learningRate: 0.01, momentum: 0.9, weightDecay: 0.004 },
  speed: 30,
  prunes: true,
  load: loadDigits,
  shapes,
  views: () => ({
    ...Object.fromEntries(
      kernels.map((name, k) => [name, { of: 'conv/kernel', first: k, strides: STRIDES }]),
    ),
    biases: { of: 'conv/bias', strides: [KERNELS, 1] },
    // One row per digit.
    head: { of: 'head/kernel', strides: [1, DIGITS] },
    offsets: { of: 'head/bias', strides: [1, DIGITS] },
  }),
  rowNames: () => ({ offsets: [...'0123456789'] }),
  colNames: () => ({ biases: [...'12345678'] }),
  cellSizes: () => ({ biases: 2.25, head: 0.875, offsets: 0.875 }),
  start,
  locks,
  folded: ['biases', 'head', 'offsets'],
  data: () => ({ pixels: train().rows, labels: train().labels }),
  network: (nn) =>
    nn.sequential([
      nn.conv2d({
        name: 'conv',
        inputShape: [8, 8, 1],
        filters: 8,
        kernelSize: 3,
        padding: 'same',
        activation: 'relu',
      }),
      nn.maxPooling2d({ poolSize: 4 }),
      nn.flatten(),
      nn.dense({ name: 'head', units: 10 }),
    ]),
  loss: (g, _, { pixels, labels }, net) =>
    g.losses.sparseCategoricalCrossentropy(labels, net.apply(g.reshape(pixels, [-1, 8, 8, 1])), {
      fromLogits: true,
    }),
  inputs: () => ({ pad: [8, 8] }),
  readings(g, weights, _, net) {
    const { rows, labels } = test();
    const guesses = g.argMax(net.apply(g.reshape(rows, [-1, 8, 8, 1])), 1);
    const votes = g.reshape(net.apply(g.reshape(weights.pad, [1, 8, 8, 1])), [DIGITS]);
    return {
      pad: g.reshape(weights.pad, [64]),
      // Only their differences count.
      answers: g.sub(votes, g.mean(votes)),
      score: g.mean(g.equal(guesses, labels)),
    };
  },
  figures: [
    pad(),
    {
      ...features,
      aspect: (width) => width / (width < 360 ? 90 : 175),
      headline(words, model) {
        const held = kernels.filter((name) => model.locks[name].every(Boolean)).length;
        if (!model.step) seen.delete(held);
        else seen.set(held, percent(model.readings.score));
        const told = [...seen].map(([count, score]) => words.held(count, score));
        return told.length ? `${readOf(words, model)} ${words.fresh(told.join(', '))}` : '';
      },
    },
    map,
  ],
  shown: () => ({ samples: samplesFrom(0) }),
  guess: {
    ...{ held: 9 * SOBEL.length, after: 100, of: 'run' },
    right: ({ reading }) => Number(reading('score') > 0.8),
    next: [{ state: { choices: { kernels: 'locked' } } }],
  },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 200 }] },
    { area: 'grid' },
    { area: 'run', actions: [{ state: { choices: { kernels: 'locked' } } }, { train: 200 }] },
    { area: 'grid' },
  ],
};
