/**
 * Digits: softmax regression classifies handwriting by ten images of weights, one for each digit. A
 * picture's score for a digit is the sum of its pixels times that digit's weights. Each image is a
 * variable whose cells can be locked: lock the border at 0, or a whole digit. The pad shows what a
 * drawn digit is taken for.
 */

import { features, readOf } from '../shared/features.js';
import { pad as sheet } from '../shared/pad.js';
import { digitsFrom, loadDigits, samplesFrom, test, train } from '../shared/samples.js';

const PIXELS = 64;
/** The image that is locked at first, and asked about: that of the digit on the pad. */
const LOCKED = 6;

const digits = [...'0123456789'];

/** Returns the score of each digit for each picture, a row of pixels. @type {NonNullable<import('../scene.js').Scene['model']>} */
function scores(g, weights, pixels) {
  const rows = g.reshape(g.stack(Object.values(weights)), [10, 64]);
  return g.matMul(pixels, rows, { transposeB: true });
}

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'digits',
  order: 9,
  group: 'networks',
  sizes: [[8, 8]],
  choices: {},
  reach: 1.5,
  // Adam moves every pixel alike, so that rare ones become noise.
  optimizer: { rule: 'sgd', learningRate: 1, momentum: 0.9, weightDecay: 0.004 },
  speed: 30,
  prunes: true,
  load: loadDigits,
  shapes: () => Object.fromEntries(digits.map((digit) => [`w${digit}`, [8, 8]])),
  start: () => new Float32Array(10 * PIXELS),
  locks: () => new Uint8Array(10 * PIXELS),
  opensWith: () => new Uint8Array(10 * PIXELS).fill(1, LOCKED * PIXELS, (LOCKED + 1) * PIXELS),
  data: () => ({ labels: train().labels, pixels: train().rows }),
  model: scores,
  loss: (g, weights, { labels, pixels }, scores) =>
    g.losses.sparseCategoricalCrossentropy(labels, scores(g, weights, pixels), {
      fromLogits: true,
    }),
  inputs: () => ({ pad: [8, 8] }),
  readings(g, weights) {
    const { rows, labels } = test();
    const { pad, ...images } = weights;
    const sixes = digitsFrom(600, 900, (label) => label === LOCKED).rows;
    return {
      pad: g.reshape(pad, [64]),
      answers: g.reshape(scores(g, images, g.reshape(pad, [1, 64])), [10]),
      score: g.mean(g.equal(g.argMax(scores(g, images, rows), 1), labels)),
      sixes: g.mean(g.equal(g.argMax(scores(g, images, sixes), 1), LOCKED)),
    };
  },
  figures: [
    sheet(({ locks }) =>
      Number(digits.findLast((digit) => locks[`w${digit}`].every(Boolean)) ?? LOCKED),
    ),
    {
      ...features,
      ...{ isOnce: true, isChart: true },
      headline(words, model) {
        const { readings, step, values } = model;
        const blank = digits.filter((digit) => !values[`w${digit}`].some(Boolean));
        const sixes = blank.length > 1 ? '' : words.sixes(Math.round(30 * readings.sixes[0]));
        return step ? `${readOf(words, model)}\n${sixes}` : '';
      },
    },
  ],
  shown: () => ({ samples: samplesFrom(LOCKED) }),
  guess: {
    ...{ held: PIXELS, after: 50, of: 'run' },
    right: ({ reading }) => (reading('sixes') > 0.5 ? 1 : null),
    next: [{ lock: Array.from({ length: PIXELS }, (_, i) => 9 * PIXELS + i) }, { reset: true }],
  },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 50 }] },
    { area: 'locks', actions: [{ prune: 0.5 }] },
    { area: 'features', actions: [{ train: 50 }] },
    { area: 'grid' },
  ],
};
