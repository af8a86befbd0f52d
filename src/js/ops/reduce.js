// Reductions over axes. One method a row of the public op table; what a row computes, and its gradient, is C's business.
import { apply } from '../apply.js';
import { reduction } from '../attributes.js';
import { ElementwiseOps } from './elementwise.js';
import { IDS, INSTANCE } from './table.js';

/** @typedef {import('../tensor.js').TensorLike} TensorLike */
/** @typedef {import('./table.js').Axes} Axes */

/** Reductions over axes. */
export class ReduceOps extends ElementwiseOps {
  /**
   * Sum over axes.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  sum(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].sum, 1, reduction(axis, keepDims), x);
  }

  /**
   * Mean over axes.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  mean(x, axis, keepDims = false) {
    return apply(this[INSTANCE], this[IDS].mean, 1, reduction(axis, keepDims), x);
  }
}
