// Linear algebra and what normalizes along axes. One method a row of the public op table, but for einsum, which is made
// of several; what a row computes, and its gradient, is C's business.
import { formatShape, readInteger, readNumber, readOptions, sameShape } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { apply, prepare, rankOf } from '../tensors/apply.js';
import { tidy } from '../tensors/tidy.js';
import { axes, transposes } from './attributes.js';
import { einsum } from './einsum.js';
import { IndexOps } from './index.js';
import { IDS, INSTANCE, NONE } from './table.js';

/** @typedef {import('../tensors/tensor.js').TensorLike} TensorLike */
/** @typedef {import('./table.js').Axes} Axes */
/** @typedef {{ transposeA?: boolean, transposeB?: boolean }} MatMulOptions */
/**
 * @typedef {object} LayerNormOptions
 * @property {TensorLike} [gamma] What the normalized values are multiplied by; its axes are those normalized along.
 * @property {TensorLike} [beta] What is added to them then.
 * @property {Axes} [axis] Along which axes. Default: -1.
 * @property {number} [epsilon] Added to the variance. Default: 0.001, as in Keras.
 */

/** Linear algebra. */
export class LinearOps extends IndexOps {
  /**
   * Products of matrices, the last two axes: [m, k] and [k, n] give [m, n]. Axes before them are batches and broadcast:
   * [8, 1, m, k] and [5, k, n] give [8, 5, m, n].
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @param {MatMulOptions} [options] Whether a or b is given as [k, m] or [n, k].
   */
  matMul(a, b, options) {
    return apply(this[INSTANCE], this[IDS].matMul, 2, transposes(options), a, b);
  }

  /**
   * Sum of products over the last axis of a and the first of b, each a vector or a matrix.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  dot(a, b) {
    return apply(this[INSTANCE], this[IDS].dot, 2, NONE, a, b);
  }

  /**
   * Every element of a vector by every element of another: [m] and [n] give [m, n].
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  outerProduct(a, b) {
    return apply(this[INSTANCE], this[IDS].outerProduct, 2, NONE, a, b);
  }

  /**
   * `outerProduct` by its name in Keras and NumPy.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  outer(a, b) {
    return this.outerProduct(a, b);
  }

  /**
   * Einstein's sum of one or two operands. A letter names an axis; letters that the result lacks are summed over. Without
   * `->` the result has the letters that occur once, in alphabetical order.
   *
   * `'ab,bc->ac'` is a matrix product, `'nij,njk->nik'` a batch of them, `'ij->ji'` a transpose, `'ij->i'` a sum. Strings
   * that make no sense, a letter twice in one operand, and ellipses throw GradlockError; ranks and sizes that do not fit
   * throw ShapeError.
   * @param {string} equation
   * @param {...TensorLike} operands
   */
  einsum(equation, ...operands) {
    return einsum(this[INSTANCE], this, equation, operands);
  }

  /**
   * eˣ / Σ eˣ along an axis, without overflow. A row that holds ∞, or nothing but −∞, is NaN.
   * @param {TensorLike} x Of rank 1 or above.
   * @param {number} [axis] Default: the last.
   */
  softmax(x, axis = -1) {
    return apply(this[INSTANCE], this[IDS].softmax, 1, [readInteger(axis, 'softmax: axis')], x);
  }

  /**
   * log(softmax(x)) along an axis, exact where softmax would round to 0.
   * @param {TensorLike} x Of rank 1 or above.
   * @param {number} [axis] Default: the last.
   */
  logSoftmax(x, axis = -1) {
    return apply(
      this[INSTANCE],
      this[IDS].logSoftmax,
      1,
      [readInteger(axis, 'logSoftmax: axis')],
      x,
    );
  }

  /**
   * (x − mean) / √(variance + epsilon) · gamma + beta, mean and variance being those along axes.
   * Source: Ba, Kiros & Hinton 2016, arXiv:1607.06450; names and defaults are Keras's.
   * @param {TensorLike} x Of rank 1 or above.
   * @param {LayerNormOptions} [options]
   */
  layerNorm(x, options = {}) {
    return layerNorm(this, x, options);
  }
}

const LAYER_NORM = ['gamma', 'beta', 'axis', 'epsilon'];

/**
 * @param {LinearOps} ops
 * @param {TensorLike} x
 * @param {unknown} options
 */
const layerNorm = (ops, x, options) => {
  const instance = ops[INSTANCE];
  const {
    gamma,
    beta,
    axis = -1,
    epsilon = 1e-3,
  } = readOptions(options, LAYER_NORM, 'layerNorm options');
  const added = readNumber(epsilon, 'layerNorm: epsilon');
  const normalized = axes('layerNorm', axis ?? -1);
  const operand = prepare(instance, x, 'layerNorm: the first operand');
  const rank = rankOf(operand);
  const shape = typeof operand === 'number' ? [] : operand.shape;
  const along = new Set(normalized.map((a) => (a < 0 ? a + rank : a)));
  // The shape under which gain and bias meet x: its own along the axes, 1 elsewhere.
  const meeting = shape.map((size, a) => (along.has(a) ? size : 1));
  const expected = shape.filter((_, a) => along.has(a));
  const gain = gamma === undefined ? undefined : prepare(instance, gamma, 'layerNorm: gamma');
  const bias = beta === undefined ? undefined : prepare(instance, beta, 'layerNorm: beta');
  /**
   * @param {NonNullable<typeof gain>} values
   * @param {string} what
   */
  const aligned = (values, what) => {
    const found = typeof values === 'number' ? [] : values.shape;
    if (!sameShape(found, expected)) {
      throw new ShapeError(
        `layerNorm: ${what} has shape ${formatShape(found)}, expected ${formatShape(expected)} beside x ${formatShape(shape)}`,
      );
    }
    return ops.reshape(/** @type {any} */ (values), meeting);
  };
  return tidy(instance, () => {
    let y = apply(instance, ops[IDS].layerNorm, 1, [added, ...normalized], operand);
    if (gain !== undefined) y = ops.mul(y, aligned(gain, 'gamma'));
    if (bias !== undefined) y = ops.add(y, aligned(bias, 'beta'));
    return y;
  });
};
