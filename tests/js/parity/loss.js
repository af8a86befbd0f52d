/* Parity of losses. */
import { operand, ordinary, row, text } from './cases.js';

/** @typedef {import('./cases.js').Row} Row */

/**
 * A loss of the truth and a prediction; what TensorFlow.js calls mean over all is Keras's mean of
 * means.
 * @param {string} name
 * @param {(tf: any, truth: any, prediction: any) => any} theirs
 * @param {{ truth?: import('./cases.js').Draw, shares?: boolean, options?: any,
 *   gradients?: boolean[] }} [rest]
 * @returns {[string, Row]}
 */
const loss = (
  name,
  theirs,
  { truth = 'any', options = {}, gradients = [false, true], shares = false } = {},
) =>
  row(name, {
    tolerance: 'array',
    gradients,
    ours: (g, [a, b]) => g.losses[name](a, b, options),
    theirs: (tf, [a, b]) => theirs(tf, a, b),
    cases: [[3], [4, 3], [2, 3, 5], [1, 1]].map((shape) =>
      ordinary(text(shape), [shares ? sharesOf(shape) : operand(shape, truth), operand(shape)]),
    ),
  });

/**
 * Shares that add up to 1 along the last axis, as TensorFlow's gradient takes for granted.
 * @param {number[]} shape
 */
const sharesOf = (shape) => {
  const { values } = operand(shape, 'positive');
  const n = shape[shape.length - 1];
  const sum = (/** @type {number} */ i) =>
    values.subarray(i - (i % n), i - (i % n) + n).reduce((a, b) => a + b, 0);
  return { shape, values: values.map((value, i) => value / sum(i)) };
};

/** @type {[string, Row][]} */
export const ROWS = [
  loss('meanSquaredError', (tf, a, b) => tf.losses.meanSquaredError(a, b), {
    gradients: [true, true],
  }),
  loss('meanAbsoluteError', (tf, a, b) => tf.losses.absoluteDifference(a, b), {
    gradients: [true, true],
  }),
  loss('huber', (tf, a, b) => tf.losses.huberLoss(a, b, undefined, 0.75), {
    options: { delta: 0.75 },
  }),
  loss('hinge', (tf, a, b) => tf.losses.hingeLoss(a, b), { truth: 'truth' }),
  loss('binaryCrossentropy', (tf, a, b) => tf.losses.sigmoidCrossEntropy(a, b), {
    truth: 'truth',
    options: { fromLogits: true },
  }),
  loss('categoricalCrossentropy', (tf, a, b) => tf.losses.softmaxCrossEntropy(a, b), {
    options: { fromLogits: true },
    shares: true,
  }),
];
