/**
 * Digits: handwriting is told apart by ten images of weights, one for each digit. A picture's score for a digit is the
 * sum of its pixels times that digit's weights: softmax regression, nothing hidden. Each image is a variable whose
 * cells can be locked: lock the rim at 0, or a whole digit.
 *
 * Data: UCI's 8×8 set (Alpaydin & Kaynak 1998, Optical Recognition of Handwritten Digits, CC BY 4.0).
 */

import { images } from '../figures/images.js';

const PIXELS = 64;
const TRAINED = 600;
const TESTED = 300;
const SHOWN = 20;

/** @typedef {{ images: Float32Array[], labels: number[] }} Samples */

/** @type {{ train: Samples, test: Samples } | null} */
let data = null;

/** A line a sample: 64 brightnesses of 0-9 and a-g, then the digit. @param {string} text */
function read(text) {
  const lines = text.trim().split('\n');
  const samples = (/** @type {number} */ from, /** @type {number} */ to) => ({
    images: lines
      .slice(from, to)
      .map((line) => Float32Array.from(line.slice(0, PIXELS), (c) => Number.parseInt(c, 17) / 16)),
    labels: lines.slice(from, to).map((line) => Number(line[PIXELS])),
  });
  return { train: samples(0, TRAINED), test: samples(TRAINED, TRAINED + TESTED) };
}

const digits = Array.from({ length: 10 }, (_, digit) => `w${digit}`);

/** @returns {Record<string, [rows: number, cols: number]>} */
const shapes = () => Object.fromEntries(digits.map((name) => [name, [8, 8]]));

/** Of each picture, a row of pixels, the score for each digit. @type {NonNullable<import('./scene.js').Scene['model']>} */
function scores(g, weights, pixels) {
  const rows = g.reshape(g.stack(Object.values(weights)), [10, 64]);
  return g.matMul(pixels, rows, { transposeB: true });
}

/** @param {Samples} samples */
const rowsOf = ({ images }) => images.map((image) => [...image]);

const loaded = () => /** @type {{ train: Samples, test: Samples }} */ (data);

/** @type {import('./scene.js').Scene} */
export const handwriting = {
  id: 'digits',
  sizes: [[8, 8]],
  choices: {},
  reach: 1.5,
  optimizer: { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
  speed: 30,
  isPrunable: true,
  async load() {
    data ??= read((await import('./digits.txt?raw')).default);
  },
  shapes,
  start: () => new Float32Array(10 * PIXELS),
  locks: () => new Uint8Array(10 * PIXELS),
  data: () => ({ labels: loaded().train.labels, pixels: rowsOf(loaded().train) }),
  model: scores,
  loss: (g, weights, { labels, pixels }, scores) =>
    g.losses.sparseCategoricalCrossentropy(labels, scores(g, weights, pixels), {
      fromLogits: true,
    }),
  readings(g, weights) {
    const { test } = loaded();
    const guesses = g.argMax(scores(g, weights, rowsOf(test)), 1);
    return { guesses, score: g.mean(g.equal(guesses, test.labels)) };
  },
  figures: [images],
  shown() {
    const { images, labels } = loaded().test;
    return { cols: 8, images: images.slice(0, SHOWN), labels: labels.slice(0, SHOWN) };
  },
};
