/* Parity of linear algebra and losses. */
import { FEW, operand, given, ordinary, special, row, text } from './cases.js';

/** @typedef {import('./cases.js').Row} Row */

/** @type {[string, Row][]} */
export const LINEAR = [
  row('matMul', {
    tolerance: 'sum',
    gradients: [true, true],
    theirs: (tf, [a, b], [{ transposeA = false, transposeB = false } = {}]) =>
      tf.matMul(a, b, transposeA, transposeB),
    cases: [
      ordinary('[2,3] [3,4]', [operand([2, 3]), operand([3, 4])]),
      ordinary('first transposed', [operand([3, 2]), operand([3, 4])], [{ transposeA: true }]),
      ordinary('second transposed', [operand([2, 3]), operand([4, 3])], [{ transposeB: true }]),
      ordinary(
        'both',
        [operand([3, 2]), operand([4, 3])],
        [{ transposeA: true, transposeB: true }],
      ),
      ordinary('[17,9] [9,5]', [operand([17, 9]), operand([9, 5])]),
      ordinary('batches', [operand([3, 2, 4]), operand([3, 4, 2])]),
      ordinary('a batch that broadcasts', [operand([1, 2, 4]), operand([3, 4, 2])]),
      ordinary('two axes of batches', [operand([2, 3, 2, 2]), operand([2, 1, 2, 3])]),
      ordinary('sums of nothing', [operand([2, 0]), operand([0, 3])]),
      ordinary('no rows', [operand([0, 2]), operand([2, 3])]),
      special('special numbers', [
        given(FEW.slice(0, 4), [2, 2]),
        given([1, Number.POSITIVE_INFINITY, Number.NaN, 0], [2, 2]),
      ]),
    ],
  }),
  row('dot', {
    tolerance: 'sum',
    gradients: [true, true],
    cases: [
      ordinary('[5] [5]', [operand([5]), operand([5])]),
      ordinary('[2,3] [3]', [operand([2, 3]), operand([3])]),
      ordinary('[2,3] [3,2]', [operand([2, 3]), operand([3, 2])]),
      ordinary('[3] [3,2]', [operand([3]), operand([3, 2])]),
    ],
  }),
  row('outerProduct', {
    gradients: [true, true],
    cases: [
      ordinary('[3] [4]', [operand([3]), operand([4])]),
      ordinary('[1] [1]', [operand([1]), operand([1])]),
    ],
  }),
  row('einsum', {
    tolerance: 'sum',
    gradients: [true, true],
    ours: (g, x, [equation]) => g.einsum(equation, ...x),
    theirs: (tf, x, [equation]) => tf.einsum(equation, ...x),
    cases: [
      ordinary('a product of matrices', [operand([2, 3]), operand([3, 4])], ['ij,jk->ik']),
      ordinary('batches', [operand([2, 3, 4]), operand([2, 4, 2])], ['bij,bjk->bik']),
      ordinary('over two axes', [operand([2, 3, 4]), operand([3, 4, 5])], ['ijk,jkl->il']),
      ordinary('the outer product', [operand([3]), operand([4])], ['i,j->ij']),
      ordinary('the dot product', [operand([5]), operand([5])], ['i,i->']),
    ],
  }),
];

/**
 * A loss of the truth and a prediction; what TensorFlow.js calls mean over all is Keras's mean of means.
 * @param {string} name
 * @param {(tf: any, truth: any, prediction: any) => any} theirs
 * @param {{ truth?: import('./cases.js').Draw, shares?: boolean, options?: any, gradients?: boolean[] }} [rest]
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
export const LOSSES = [
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
