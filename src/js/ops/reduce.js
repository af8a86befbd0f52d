// Reductions over axes. Each row of the public op table has one method. C defines what a row
// computes, and its gradient.
import { readInteger } from '../base/check.js';
import { apply } from '../tensors/apply.js';
import { reduction, running } from './attributes.js';
import { ElementwiseOps } from './elementwise.js';
import { IDS, INSTANCE } from './table.js';

/** @import { TensorLike } from '../tensors/tensor.js' */
/** @import { Axes } from './table.js' */

/**
 * Reductions over axes. An axis out of range or named twice throws IndexError. An empty list means
 * no axes: then nothing is reduced, as in TensorFlow, and the sum of x over [] is x.
 */
export class ReduceOps extends ElementwiseOps {
  /**
   * Sum over axes, pairwise in a fixed order; of nothing 0.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] True to keep reduced axes, with size 1. Default: false.
   * @example
   * g.sum([[1, 2], [3, 4]]).item(); // 10
   * g.sum([[1, 2], [3, 4]], 1).array(); // [3, 7]
   * g.sum([[1, 2], [3, 4]], 0, true).shape; // [1, 2]
   */
  sum(x, axis, keepDims) {
    return apply(this[INSTANCE], this[IDS].sum, 1, reduction('sum', axis, keepDims), x);
  }

  /**
   * Mean over axes; of nothing NaN.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] True to keep reduced axes, with size 1. Default: false.
   * @example
   * g.mean([[1, 2], [3, 4]]).item(); // 2.5
   * g.mean([[1, 2], [3, 4]], 1).array(); // [1.5, 3.5]
   */
  mean(x, axis, keepDims) {
    return apply(this[INSTANCE], this[IDS].mean, 1, reduction('mean', axis, keepDims), x);
  }

  /**
   * Product over axes; of nothing 1. Its gradient is right at zeros too.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] True to keep reduced axes, with size 1. Default: false.
   * @example
   * g.prod([[1, 2], [3, 4]]).item(); // 24
   * g.prod([[1, 2], [3, 4]], 1).array(); // [2, 12]
   */
  prod(x, axis, keepDims) {
    return apply(this[INSTANCE], this[IDS].prod, 1, reduction('prod', axis, keepDims), x);
  }

  /**
   * Largest over axes; NaN if any is. What ties for it shares the gradient in equal parts, as in
   * TensorFlow (in TensorFlow.js each gets all of it). Throws ShapeError where there is nothing to
   * choose from.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] True to keep reduced axes, with size 1. Default: false.
   * @example
   * g.max([[1, 2], [3, 4]]).item(); // 4
   * g.max([[1, 2], [3, 4]], 1).array(); // [2, 4]
   */
  max(x, axis, keepDims) {
    return apply(this[INSTANCE], this[IDS].max, 1, reduction('max', axis, keepDims), x);
  }

  /**
   * Smallest over axes; NaN if any is. What ties for it shares the gradient in equal parts, as in
   * TensorFlow (in TensorFlow.js each gets all of it). Throws ShapeError where there is nothing to
   * choose from.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] True to keep reduced axes, with size 1. Default: false.
   * @example
   * g.min([[1, 2], [3, 4]]).item(); // 1
   * g.min([[1, 2], [3, 4]], 1).array(); // [1, 3]
   */
  min(x, axis, keepDims) {
    return apply(this[INSTANCE], this[IDS].min, 1, reduction('min', axis, keepDims), x);
  }

  /**
   * log(Σ eˣ) over axes, without overflow. Throws ShapeError where there is nothing to sum.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] True to keep reduced axes, with size 1. Default: false.
   * @example
   * g.logSumExp([[1, 2], [3, 4]]).item(); // 4.44019
   * g.logSumExp([[1, 2], [3, 4]], 1).array(); // [2.3132617, 4.3132615]
   */
  logSumExp(x, axis, keepDims) {
    return apply(this[INSTANCE], this[IDS].logSumExp, 1, reduction('logSumExp', axis, keepDims), x);
  }

  /**
   * Variance over axes, divided by n, in two passes; of nothing NaN.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] True to keep reduced axes, with size 1. Default: false.
   * @example
   * g.variance([[1, 2], [3, 6]]).item(); // 3.5
   * g.variance([[1, 2], [3, 6]], 1).array(); // [0.25, 2.25]
   */
  variance(x, axis, keepDims) {
    return apply(this[INSTANCE], this[IDS].variance, 1, reduction('variance', axis, keepDims), x);
  }

  /**
   * √Σx² over axes, TensorFlow's `reduce_euclidean_norm`; of nothing 0. The gradient at 0 is NaN,
   * as there.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] True to keep reduced axes, with size 1. Default: false.
   * @example
   * g.l2Norm([[3, 4], [5, 12]]).item(); // 13.928389
   * g.l2Norm([[3, 4], [5, 12]], 1).array(); // [5, 13]
   */
  l2Norm(x, axis, keepDims) {
    return apply(this[INSTANCE], this[IDS].l2Norm, 1, reduction('l2Norm', axis, keepDims), x);
  }

  /**
   * 1 where nothing is 0 over axes, else 0; of nothing 1. NaN is not 0. No gradient.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] True to keep reduced axes, with size 1. Default: false.
   * @example
   * g.all([[1, 0], [2, 3]]).item(); // 0
   * g.all([[1, 0], [2, 3]], 1).array(); // [0, 1]
   */
  all(x, axis, keepDims) {
    return apply(this[INSTANCE], this[IDS].all, 1, reduction('all', axis, keepDims), x);
  }

  /**
   * 1 where something is not 0 over axes, else 0; of nothing 0. NaN is not 0. No gradient.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] True to keep reduced axes, with size 1. Default: false.
   * @example
   * g.any([[1, 0], [0, 0]]).item(); // 1
   * g.any([[1, 0], [0, 0]], 1).array(); // [1, 0]
   */
  any(x, axis, keepDims) {
    return apply(this[INSTANCE], this[IDS].any, 1, reduction('any', axis, keepDims), x);
  }

  /**
   * Index of the first largest along an axis, which goes; NaN counts only where there is nothing
   * else. No gradient. Throws ShapeError for an axis of size 0.
   * @param {TensorLike} x
   * @param {number} [axis] Default: 0.
   * @example
   * g.argMax([[1, 5, 2], [7, 0, 7]], 1).array(); // [1, 0]
   */
  argMax(x, axis) {
    return apply(this[INSTANCE], this[IDS].argMax, 1, [readInteger(axis, 'argMax: axis', 0)], x);
  }

  /**
   * Index of the first smallest along an axis, which goes; NaN counts only where there is nothing
   * else. No gradient. Throws ShapeError for an axis of size 0.
   * @param {TensorLike} x
   * @param {number} [axis] Default: 0.
   * @example
   * g.argMin([[1, 5, 2], [7, 0, 7]], 1).array(); // [0, 1]
   */
  argMin(x, axis) {
    return apply(this[INSTANCE], this[IDS].argMin, 1, [readInteger(axis, 'argMin: axis', 0)], x);
  }

  /**
   * Running sums along an axis, in order.
   * @param {TensorLike} x
   * @param {number} [axis] Default: 0.
   * @param {boolean} [exclusive] True to leave out each element from its own sum, so that sums
   *   begin at 0. Default: false.
   * @param {boolean} [reverse] True to sum from the end. Default: false.
   * @example
   * g.cumsum([1, 2, 3]).array(); // [1, 3, 6]
   * g.cumsum([1, 2, 3], 0, true).array(); // [0, 1, 3]
   * g.cumsum([1, 2, 3], 0, false, true).array(); // [6, 5, 3]
   */
  cumsum(x, axis, exclusive, reverse) {
    return apply(this[INSTANCE], this[IDS].cumsum, 1, running(axis, exclusive, reverse), x);
  }
}
