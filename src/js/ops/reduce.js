// Reductions over axes. One method a row of the public op table; what a row computes, and its gradient, is C's business.
import { readInteger } from '../base/check.js';
import { apply } from '../tensors/apply.js';
import { reduction, running } from './attributes.js';
import { ElementwiseOps } from './elementwise.js';
import { IDS, INSTANCE } from './table.js';

/** @typedef {import('../tensors/tensor.js').TensorLike} TensorLike */
/** @typedef {import('./table.js').Axes} Axes */

/**
 * Reductions over axes. An axis out of range or named twice throws IndexError. An empty list means no axes: then nothing is
 * reduced, as in TensorFlow, and the sum of x over [] is x.
 */
export class ReduceOps extends ElementwiseOps {
  /**
   * Sum over axes, pairwise in a fixed order; of nothing 0.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  sum(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].sum, 1, reduction('sum', axis, keepDims), x);
  }

  /**
   * Mean over axes; of nothing NaN.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  mean(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].mean, 1, reduction('mean', axis, keepDims), x);
  }

  /**
   * Product over axes; of nothing 1. Its gradient is right at zeros too.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  prod(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].prod, 1, reduction('prod', axis, keepDims), x);
  }

  /**
   * Largest over axes; NaN if any is. What ties for it shares the gradient in equal parts, as in TensorFlow (in
   * TensorFlow.js each gets all of it). Throws ShapeError where there is nothing to choose from.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  max(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].max, 1, reduction('max', axis, keepDims), x);
  }

  /**
   * Smallest over axes; NaN if any is. What ties for it shares the gradient in equal parts, as in TensorFlow (in
   * TensorFlow.js each gets all of it). Throws ShapeError where there is nothing to choose from.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  min(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].min, 1, reduction('min', axis, keepDims), x);
  }

  /**
   * log(Σ eˣ) over axes, without overflow. Throws ShapeError where there is nothing to sum.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  logSumExp(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].logSumExp, 1, reduction('logSumExp', axis, keepDims), x);
  }

  /**
   * Variance over axes, divided by n, in two passes; of nothing NaN.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  variance(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].variance, 1, reduction('variance', axis, keepDims), x);
  }

  /**
   * √Σx² over axes, TensorFlow's `reduce_euclidean_norm`; of nothing 0. The gradient at 0 is NaN, as there.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  l2Norm(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].l2Norm, 1, reduction('l2Norm', axis, keepDims), x);
  }

  /**
   * 1 where nothing is 0 over axes, else 0; of nothing 1. NaN is not 0. No gradient.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  all(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].all, 1, reduction('all', axis, keepDims), x);
  }

  /**
   * 1 where something is not 0 over axes, else 0; of nothing 0. NaN is not 0. No gradient.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  any(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].any, 1, reduction('any', axis, keepDims), x);
  }

  /**
   * Index of the first largest along an axis, which goes; NaN counts only where there is nothing else. No gradient.
   * Throws ShapeError for an axis of size 0.
   * @param {TensorLike} x
   * @param {number} [axis] Default: 0.
   */
  argMax(x, axis = 0) {
    return apply(this[INSTANCE], this[IDS].argMax, 1, [readInteger(axis, 'argMax: axis')], x);
  }

  /**
   * Index of the first smallest along an axis, which goes; NaN counts only where there is nothing else. No gradient.
   * Throws ShapeError for an axis of size 0.
   * @param {TensorLike} x
   * @param {number} [axis] Default: 0.
   */
  argMin(x, axis = 0) {
    return apply(this[INSTANCE], this[IDS].argMin, 1, [readInteger(axis, 'argMin: axis')], x);
  }

  /**
   * Running sums along an axis, in order.
   * @param {TensorLike} x
   * @param {number} [axis] Default: 0.
   * @param {boolean} [exclusive] Whether a sum leaves out its own element, so that it begins at 0. Default: false.
   * @param {boolean} [reverse] Whether it runs from the end. Default: false.
   */
  cumsum(x, axis = 0, exclusive = false, reverse = false) {
    return apply(this[INSTANCE], this[IDS].cumsum, 1, running(axis, exclusive, reverse), x);
  }
}
