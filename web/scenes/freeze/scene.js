/**
 * Freeze the base: a small convolutional network knows the digits 0 to 4. Its base and its first
 * five answers are locked; the other five learn 5 to 9 from twenty examples each. With nothing
 * locked, the network forgets the old digits while it learns the new ones.
 *
 * Each answer is a separate yes or no, so that old ones need no new training. The weights are from
 * Keras (tests/golden/base.py), trained on 0 to 4 alone.
 */

import { accuracy, read } from './figure.js';
import { part } from '../shared/part.js';
import { digitsFrom, loadDigits } from '../shared/samples.js';

/** The number of known digits, and of all. */
const [OLD, DIGITS] = [5, 10];
/** The examples of each new digit, and of each old one if they are shown again. */
const [NEW_EXAMPLES, OLD_EXAMPLES] = [20, 5];

/** The first line of the test digits (the base was trained on those before it), and their end. */
const [KNOWN, ALL] = [900, 1797];

/** Weights by name, as Keras has them. @type {Record<string, number[]>} */
let base = {};

/** @type {Record<string, [rows: number, cols: number]>} */
const SHAPES = {
  head: [16, DIGITS],
  conv1: [8, 9],
  bias: [1, DIGITS],
  bias1: [1, 8],
  conv2: [4, 72],
  bias2: [1, 4],
};

/** The last axis of a convolution's weight is the filter. @type {Record<string, import('../scene.js').View>} */
const VIEWS = {
  conv1: { of: 'conv1/kernel', strides: [1, 8] },
  bias1: { of: 'conv1/bias', strides: [8, 1] },
  conv2: { of: 'conv2/kernel', strides: [1, 4] },
  bias2: { of: 'conv2/bias', strides: [4, 1] },
  head: { of: 'head/kernel', strides: [DIGITS, 1] },
  bias: { of: 'head/bias', strides: [DIGITS, 1] },
};

/** Locks the base and its answers. */
const locks = () =>
  Uint8Array.from(
    Object.values(SHAPES).flatMap(([rows, cols]) =>
      Array.from({ length: rows * cols }, (_, i) => (cols === DIGITS && i % cols >= OLD ? 0 : 1)),
    ),
  );

const start = () =>
  Float32Array.from(
    Object.entries(SHAPES).flatMap(([name, [rows, cols]]) => {
      const { of, strides } = VIEWS[name];
      return Array.from({ length: rows * cols }, (_, i) => {
        const [row, col] = [Math.floor(i / cols), i % cols];
        if (cols !== DIGITS) return base[of][row * strides[0] + col * strides[1]];
        // The new answers start at 0.
        return col < OLD ? base[of][row * OLD + col] : 0;
      });
    }),
  );

/** Tests the network on unseen digits: shares of the old, the new, and each. @param {import('../scene.js').Gradlock} g @param {any} net */
function tested(g, net) {
  const [old, fresh] = [true, false].map((isOld) => {
    const { rows, labels } = digitsFrom(KNOWN, ALL, (label) => label < OLD === isOld);
    const right = g.equal(g.argMax(net.apply(g.reshape(rows, [-1, 8, 8, 1])), 1), labels);
    const hot = g.oneHot(labels, DIGITS);
    const sums = g.matMul(g.reshape(right, [1, -1]), hot);
    return { share: g.mean(right), each: g.div(sums, g.maximum(g.sum(hot, 0), 1)) };
  });
  return { old: old.share, fresh: fresh.share, digits: g.add(old.each, fresh.each) };
}

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'freeze',
  order: 6,
  group: 'leaks',
  sizes: [[16, DIGITS]],
  choices: { examples: ['new', 'both'] },
  reach: 1.5,
  optimizer: { rule: 'adamW', learningRate: 0.01, momentum: 0.9, weightDecay: 0.1 },
  speed: 30,
  async load() {
    await loadDigits();
    const lines = (await part(import('./base.txt?raw'))).default.trim().split('\n');
    const pairs = lines.map((line) => line.split(' '));
    base = Object.fromEntries(pairs.map(([name, numbers]) => [name, JSON.parse(numbers)]));
  },
  shapes: () => SHAPES,
  views: () => VIEWS,
  rowNames: () => ({ conv1: [...'12345678'], conv2: [...'1234'], bias: ['bias'] }),
  colNames: () => ({ head: [...'0123456789'], bias: [...'0123456789'] }),
  start,
  locks,
  folded: Object.keys(SHAPES).filter((name) => name !== 'head'),
  cellSizes: () =>
    Object.fromEntries(Object.keys(SHAPES).map((name) => [name, name === 'conv2' ? 0.4375 : 1.5])),
  data({ choices }) {
    const old = choices.examples === 'both' ? OLD_EXAMPLES : 0;
    const most = (/** @type {number} */ label) => (label < OLD ? old : NEW_EXAMPLES);
    const { rows, labels } = digitsFrom(0, KNOWN, (label, nth) => nth < most(label));
    return { pixels: rows, labels };
  },
  network: (nn) =>
    nn.sequential([
      nn.conv2d({
        name: 'conv1',
        inputShape: [8, 8, 1],
        filters: 8,
        kernelSize: 3,
        padding: 'same',
        activation: 'relu',
      }),
      nn.maxPooling2d({ poolSize: 2 }),
      nn.conv2d({ name: 'conv2', filters: 4, kernelSize: 3, activation: 'relu' }),
      nn.flatten(),
      nn.dense({ name: 'head', units: 10 }),
    ]),
  loss(g, _, { pixels, labels }, net) {
    const answers = net.apply(g.reshape(pixels, [-1, 8, 8, 1]));
    return g.losses.binaryCrossentropy(g.oneHot(labels, 10), answers, { fromLogits: true });
  },
  readings: (g, _, __, net) => tested(g, net),
  recorded: async () => (await part(import('./runs.txt?raw'))).default,
  figures: [read, accuracy],
  shown: ({ choices }) => ({
    ...{ examples: choices.examples, start: start() },
    base: [...locks().entries()].flatMap(([cell, bit]) => (bit ? [cell] : [])),
  }),
  guess: {
    ...{ after: 100, of: 'run' },
    right: ({ held, reading }) => (held < 457 || reading('old') < 0.5 ? null : 1),
    next: [{ free: true }],
  },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 200 }] },
    { area: 'grid', actions: [{ state: { beside: 'mask' } }] },
    {
      area: 'accuracy',
      actions: [{ state: { beside: 'none' } }, { free: true }, { reset: true }, { train: 200 }],
    },
    { area: 'accuracy', actions: [{ state: { choices: { examples: 'both' } } }, { train: 200 }] },
  ],
  challenge: {
    ...{ id: 'old-digits', most: 400, start: ['locks'], later: [] },
    goals: [
      { of: 'step', atLeast: 400 },
      { of: 'old', atLeast: 0.9 },
      { of: 'fresh', atLeast: 0.4 },
    ],
    score: 'locked',
  },
};
