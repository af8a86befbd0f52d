// Ops that normalize along axes. Each row of the public op table has one method. C defines what a
// row computes, and its gradient.
import { formatShape, readInteger, readNumber, readOptions, sameShape } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { apply, prepare, rankOf } from '../tensors/apply.js';
import { tidy } from '../tensors/tidy.js';
import { axes } from './attributes.js';
import { LinearOps } from './linear.js';
import { IDS, INSTANCE } from './table.js';

/** @import { TensorLike } from '../tensors/tensor.js' */
/** @import { Axes } from './table.js' */
/**
 * @typedef {object} LayerNormOptions
 * @property {TensorLike} [gamma] Multiplies the normalized values; its axes are those normalized.
 * @property {TensorLike} [beta] What is added to them then.
 * @property {Axes} [axis] Along which axes. Default: -1.
 * @property {number} [epsilon] Added to the variance. Default: 0.001, as in Keras.
 */

/** Ops that normalize along axes. */
export class NormalizeOps extends LinearOps {
  /**
   * eˣ / Σ eˣ along an axis, without overflow. A row that holds ∞, or nothing but −∞, is NaN.
   * @param {TensorLike} x A tensor of rank 1 or above.
   * @param {number} [axis] Default: the last.
   * @example
   * g.softmax([1, 2, 3]).array(); // [0.090030566, 0.24472848, 0.6652409]
   * g.softmax([[1, 2], [1, 4]], 0).array(); // [[0.5, 0.11920292], [0.5, 0.880797]]
   */
  softmax(x, axis) {
    return apply(this[INSTANCE], this[IDS].softmax, 1, [readInteger(axis, 'softmax: axis', -1)], x);
  }

  /**
   * log(softmax(x)) along an axis, exact where softmax would round to 0.
   * @param {TensorLike} x A tensor of rank 1 or above.
   * @param {number} [axis] Default: the last.
   * @example
   * g.logSoftmax([1, 2, 3]).array(); // [-2.4076061, -1.407606, -0.40760604]
   */
  logSoftmax(x, axis) {
    return apply(
      this[INSTANCE],
      this[IDS].logSoftmax,
      1,
      [readInteger(axis, 'logSoftmax: axis', -1)],
      x,
    );
  }

  /**
   * (x − mean) / √(variance + epsilon) · gamma + beta, mean and variance being those along axes.
   * Source: Ba, Kiros & Hinton 2016, arXiv:1607.06450; names and defaults are Keras's.
   * @param {TensorLike} x A tensor of rank 1 or above.
   * @param {LayerNormOptions} [options]
   * @example
   * g.layerNorm([[1, 2, 3], [2, 2, 5]]).array();
   * // [[-1.2238274, 0, 1.2238274], [-0.7069301, -0.7069301, 1.4138602]]
   * g.layerNorm([1, 2, 3], { gamma: [1, 1, 2], beta: [0, 1, 0] }).array();
   * // [-1.2238274, 1, 2.4476547]
   */
  layerNorm(x, options) {
    return layerNorm(this, x, options);
  }
}

const LAYER_NORM = ['gamma', 'beta', 'axis', 'epsilon'];

/** @param {NormalizeOps} ops @param {TensorLike} x @param {unknown} options */
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
  // The shape in which gain and bias broadcast to x: the size of x along the axes, 1 elsewhere.
  const meeting = shape.map((size, a) => (along.has(a) ? size : 1));
  const expected = shape.filter((_, a) => along.has(a));
  const gain = gamma === undefined ? undefined : prepare(instance, gamma, 'layerNorm: gamma');
  const bias = beta === undefined ? undefined : prepare(instance, beta, 'layerNorm: beta');
  /** @param {NonNullable<typeof gain>} values @param {string} what */
  const aligned = (values, what) => {
    const found = typeof values === 'number' ? [] : values.shape;
    if (!sameShape(found, expected)) {
      throw new ShapeError(
        `layerNorm: ${what} has shape ${formatShape(found)}, expected ${formatShape(expected)} for x of shape ${formatShape(shape)}`,
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
