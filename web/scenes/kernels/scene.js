/**
 * Kernels: a convolutional network reads handwriting by eight 3×3 kernels. Each is a grid whose
 * cells lock. With twenty examples, to lock known strokes costs nothing, to lock random ones much.
 */

import { kernels, map, results } from './figure.js';
import { pad } from '../shared/pad.js';
import { noise } from '../shared/noise.js';
import { digitsFrom, loadDigits, samplesFrom, test } from '../shared/samples.js';

const KERNELS = kernels.length;
/** The inputs of the head: the largest value in each quarter of each kernel's map. */
const READ = 4 * KERNELS;
const DIGITS = 10;

/** The last axis of the kernels' variable, [3, 3, 1, 8], is the kernel. @type {[number, number]} */
const STRIDES = [3 * KERNELS, KERNELS];

/** Sobel's filters for vertical and for horizontal edges (Sobel & Feldman 1968), times ½. */
const SOBEL = [
  [-0.5, 0, 0.5, -1, 0, 1, -0.5, 0, 0.5],
  [-0.5, -1, -0.5, 0, 0, 0, 0.5, 1, 0.5],
];

/** Filters for lines (Gonzalez & Woods, Digital Image Processing, chapter 10), times ¼. */
const LINES = ['147', '345', '246', '048'].map((cells) =>
  [...'012345678'].map((cell) => (cells.includes(cell) ? 0.5 : -0.25)),
);
const STROKES = [...LINES, ...SOBEL, ...SOBEL.map((edge) => edge.map((weight) => 0 - weight))];

/**
 * The kernels at first, after which all are random; the locks; and the training digits. Old links
 * have the last three.
 * @type {Record<string, { known: number[][], held: number, examples: number }>}
 */
const KINDS = {
  strokes: { known: STROKES, held: 9 * KERNELS, examples: 20 },
  free: { known: [], held: 0, examples: 20 },
  fixed: { known: [], held: 9 * KERNELS, examples: 20 },
  sobel: { known: SOBEL, held: 9 * SOBEL.length, examples: 600 },
  random: { known: [], held: 0, examples: 600 },
  locked: { known: [], held: (9 + 1) * KERNELS, examples: 600 },
};

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
  drawn.set(KINDS[choices.kernels].known.flat());
  const head = noise(READ * DIGITS, seed + 1, Math.sqrt(6 / (READ + DIGITS)));
  const zeros = (/** @type {number} */ count) => new Float32Array(count);
  return Float32Array.from([...drawn, ...zeros(KERNELS), ...head, ...zeros(DIGITS)]);
}

/** @param {import('../scene.js').Setup} setup */
function locks({ choices }) {
  const all = new Uint8Array((9 + 1) * KERNELS + (READ + 1) * DIGITS);
  return all.fill(1, 0, KINDS[choices.kernels].held);
}

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'kernels',
  order: 10,
  group: 'networks',
  sizes: [[3, 3]],
  choices: { kernels: Object.keys(KINDS) },
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
  folded: [...kernels.slice(4), 'biases', 'head', 'offsets'],
  data({ choices }) {
    const { rows, labels } = digitsFrom(0, KINDS[choices.kernels].examples);
    return { pixels: rows, labels };
  },
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
    return {
      pad: g.reshape(weights.pad, [64]),
      answers: g.reshape(net.apply(g.reshape(weights.pad, [1, 8, 8, 1])), [DIGITS]),
      score: g.mean(g.equal(guesses, labels)),
    };
  },
  figures: [pad(), map, results],
  shown({ choices, seed }) {
    const { known, examples } = KINDS[choices.kernels];
    const kind = known.length ? 'known' : 'random';
    // This 2 is read as most are: right by known kernels, and by random ones if they learn.
    return { kind, examples, seed, samples: samplesFrom(2, 2) };
  },
  guess: {
    ...{ held: 9 * KERNELS, after: 100, of: 'run', choices: { kernels: 'strokes' } },
    right: ({ reading }) => Number(reading('score') > 0.5),
    next: [
      { state: { choices: { kernels: 'fixed' }, locks: null } },
      ...Array(10).fill({ train: 10 }),
      { state: { choices: { kernels: 'free' }, locks: null } },
      ...Array(10).fill({ train: 10 }),
    ],
  },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 100 }] },
    { area: 'grid' },
    { area: 'run', actions: [{ state: { choices: { kernels: 'free' } } }, { train: 100 }] },
    { area: 'settings', actions: [{ state: { choices: { kernels: 'fixed' } } }, { train: 100 }] },
  ],
};
