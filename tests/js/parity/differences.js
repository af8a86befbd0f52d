/* Where gradlock and TensorFlow.js differ, and why. docs/differences.md says the same to users; a
 * test holds it to this list. An entry that stands for no difference fails the run. */

/**
 * @typedef {object} Difference
 * @property {string} op
 * @property {'value' | 'gradient'} part
 * @property {RegExp} about Which cases of rows.js.
 * @property {(...operands: number[]) => boolean} [where] At which elements, by the operands there;
 *   all others agree. Left out: the case as a whole, because TensorFlow.js throws, or gives another
 *   shape.
 * @property {string} why
 */

/** @param {number} x */
const isZero = (x) => x === 0;

/**
 * Cases in which an operand is repeated.
 * @type {(ops: string[], why: string) => Difference[]}
 */
const unbroadcast = (ops, why) =>
  ops.map((op) => ({ op, part: 'gradient', about: /\[.*\] \[|broadcast/, why }));

/** @type {readonly Difference[]} */
export const DIFFERENCES = [
  {
    op: 'matMul',
    part: 'gradient',
    about: /batch/,
    why: 'TensorFlow.js does not sum the gradient of a matrix that meets several of a batch, and throws; TensorFlow sums it',
  },
  ...['value', 'gradient'].map((part) => ({
    op: 'matMul',
    part: /** @type {'value' | 'gradient'} */ (part),
    about: /two axes of batches/,
    where: () => true,
    why: 'with several axes of batches, of which one broadcasts, TensorFlow.js multiplies matrices that do not belong together; TensorFlow pairs them as broadcasting says',
  })),
  ...['gatherNd', 'scatterNd', 'tensorScatterNdUpdate', 'stridedSlice', 'topK', 'einsum'].map(
    (op) => ({
      op,
      part: /** @type {const} */ ('gradient'),
      about: /./,
      why: 'TensorFlow.js has no gradient of it; TensorFlow has',
    }),
  ),
  ...unbroadcast(
    ['maximum', 'minimum', 'squaredDifference'],
    'TensorFlow.js does not sum the gradient of a repeated operand, and throws; TensorFlow sums it',
  ),
  ...['add', 'sub', 'mul', 'div', 'mod', 'pow', 'atan2'].map((op) => ({
    op,
    part: /** @type {const} */ ('gradient'),
    about: /^\[0\] \[1\]$/,
    why: 'TensorFlow.js throws where an operand of size 1 meets one of size 0; the gradient of a sum of nothing is 0',
  })),
  {
    op: 'div',
    part: 'gradient',
    about: /special/,
    where: (_, b) => b * b < 2 ** -126 || Math.abs(b) > 2 ** 64,
    why: 'TensorFlow.js divides by b squared, which leaves the range of f32 before the quotient does; TensorFlow divides twice',
  },
  {
    op: 'abs',
    part: 'gradient',
    about: /special/,
    where: isZero,
    why: 'the gradient at 0 is -1 in TensorFlow.js, 0 in TensorFlow',
  },
  {
    op: 'relu',
    part: 'gradient',
    about: /special/,
    where: Number.isNaN,
    why: 'NaN passes NaN in TensorFlow.js and nothing in TensorFlow, where the gradient goes only to what is above 0',
  },
  ...['maximum', 'minimum'].map((op) => ({
    op,
    part: /** @type {const} */ ('gradient'),
    about: /special/,
    where: (/** @type {number} */ a, /** @type {number} */ b) => Number.isNaN(a) || Number.isNaN(b),
    why: 'with NaN in either operand nobody gets the gradient in TensorFlow.js; in TensorFlow it goes to the second one',
  })),
  {
    op: 'rsqrt',
    part: 'gradient',
    about: /special/,
    where: (x) => x === Number.NEGATIVE_INFINITY,
    why: 'the value at -Infinity is NaN, yet its gradient 0 in TensorFlow.js; in TensorFlow it is NaN as well',
  },
  {
    op: 'sign',
    part: 'value',
    about: /special/,
    where: Number.isNaN,
    why: 'the sign of NaN is 0 in TensorFlow.js, NaN in TensorFlow',
  },
  {
    op: 'mod',
    part: 'value',
    about: /special/,
    where: () => true,
    why: 'TensorFlow.js adds the divisor before it takes the remainder again, which rounds small numbers to 0 and makes NaN of infinite divisors; TensorFlow adds the divisor once, where the signs differ',
  },
  ...['value', 'gradient'].map((part) => ({
    op: 'pow',
    part: /** @type {'value' | 'gradient'} */ (part),
    about: /special/,
    where: (/** @type {number} */ a, /** @type {number} */ b) => a === 1 && !Number.isFinite(b),
    why: 'JavaScript makes 1 to the power of NaN or an infinity NaN; C, IEEE 754 and TensorFlow make it 1',
  })),
  {
    op: 'elu',
    part: 'value',
    about: /special/,
    where: (x) => x < 0 && x > -1e-6,
    why: 'TensorFlow.js and TensorFlow subtract 1 from the exponential, which loses small numbers; gradlock computes expm1',
  },
  {
    op: 'elu',
    part: 'gradient',
    about: /special/,
    where: Number.isNaN,
    why: 'the gradient at NaN is NaN in TensorFlow.js; in TensorFlow only a negative value changes the gradient',
  },
  {
    op: 'mean',
    part: 'value',
    about: /no elements/,
    where: () => true,
    why: 'the mean of nothing is 0 in TensorFlow.js, NaN in TensorFlow',
  },
  ...['max', 'min'].map((op) => ({
    op,
    part: /** @type {const} */ ('gradient'),
    about: /special/,
    where: (/** @type {number} */ x) => x === 1 || Number.isNaN(x),
    why: 'all that tie get the whole gradient in TensorFlow.js, in TensorFlow equal shares; beside NaN 0, in TensorFlow NaN',
  })),
  {
    op: 'prod',
    part: 'gradient',
    about: /-1/,
    why: 'TensorFlow.js throws where an axis is counted from the end',
  },
  ...['value', 'gradient'].map((part) => ({
    op: 'cumsum',
    part: /** @type {'value' | 'gradient'} */ (part),
    about: part === 'value' ? /exclusive, reverse/ : /exclusive|reverse|no elements/,
    why: 'TensorFlow.js turns the axis to the end and not back in gradients, and takes no axis counted from the end',
  })),
  {
    op: 'all',
    part: 'value',
    about: /no elements/,
    where: () => true,
    why: 'false of nothing in TensorFlow.js, true in TensorFlow',
  },
  {
    op: 'logSumExp',
    part: 'value',
    about: /no elements/,
    why: 'of nothing TensorFlow and TensorFlow.js give -Infinity; gradlock refuses it, as it does max and min of nothing',
  },
  ...['value', 'gradient'].map((part) => ({
    op: 'logSumExp',
    part: /** @type {'value' | 'gradient'} */ (part),
    about: /special/,
    where: () => true,
    why: 'TensorFlow.js subtracts the largest even if it is infinite, and gets NaN; TensorFlow then subtracts 0',
  })),
  {
    op: 'variance',
    part: 'value',
    about: /no elements/,
    where: () => true,
    why: 'the variance of nothing is 0 in TensorFlow.js, NaN in TensorFlow',
  },
  {
    op: 'variance',
    part: 'gradient',
    about: /no elements/,
    why: 'TensorFlow.js throws; the gradient has no elements',
  },
  ...['value', 'gradient'].map((part) => ({
    op: 'l2Norm',
    part: /** @type {'value' | 'gradient'} */ (part),
    about: /over \[(\d,\d,\d)?\]/,
    why: "TensorFlow.js's euclideanNorm takes one axis or two; TensorFlow's reduce_euclidean_norm any",
  })),
  {
    op: 'l2Norm',
    part: 'gradient',
    about: /special numbers/,
    where: (x) => Number.isFinite(x) && Math.abs(x) > 2e19,
    why: 'the norm overflows: TensorFlow.js gives NaN, TensorFlow 0',
  },
  {
    op: 'conv2d',
    part: 'gradient',
    about: /dilations/,
    why: 'TensorFlow.js has no gradient with dilations, and throws, as TensorFlow does on a CPU',
  },
  {
    op: 'avgPool',
    part: 'gradient',
    about: /same/,
    where: () => true,
    why: 'TensorFlow.js shares among all of a window, also what lies in the padding, and so does not differentiate its own value; TensorFlow shares among what is inside',
  },
  {
    op: 'mirrorPad',
    part: 'gradient',
    about: /./,
    where: () => true,
    why: 'TensorFlow.js leaves out what the mirror images feel; TensorFlow adds it',
  },
];

/**
 * Rows that TensorFlow.js has nothing to compare with, and why. @type {Readonly<Record<string,
 * string>>}
 */
export const LACKING = {
  exp2: 'there is none',
  layerNorm: 'its layers have one, its core has not',
  cosineSimilarity: 'its cosineDistance is of vectors that have length 1 already, and of their sum',
  sparseCategoricalCrossentropy: 'its layers have one, its core has not',
  gelu: 'its layers have one, its core has not',
  silu: 'there is none; mul(x, sigmoid(x)) is',
  roll: 'there is none',
  sort: 'there is none but topk',
  argSort: 'there is none but topk',
  tensorScatterNdAdd: 'there is none',
  tensorScatterNdSub: 'there is none',
  tensorScatterNdMin: 'there is none',
  tensorScatterNdMax: 'there is none',
  ...Object.fromEntries(
    [
      'randomUniform',
      'randomNormal',
      'truncatedNormal',
      'randomBernoulli',
      'randomPermutation',
      'dropout',
    ].map((name) => [name, 'another generator: the numbers cannot agree']),
  ),
};
