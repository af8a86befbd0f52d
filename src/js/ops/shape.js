// Ops that move elements, or give them another shape. One method a row of the public op table; what a row computes, and its gradient, is C's business.
import { apply, prepare, rankOf } from '../apply.js';
import { box } from '../attributes.js';
import { readIntegers, readShape } from '../check.js';
import { ReduceOps } from './reduce.js';
import { IDS, INSTANCE, NONE } from './table.js';

/** @typedef {import('../tensor.js').TensorLike} TensorLike */
/** @typedef {import('./table.js').Axes} Axes */

/** Ops that move elements, or give them another shape. */
export class ShapeOps extends ReduceOps {
  /**
   * The same values in another shape of as many elements.
   * @param {TensorLike} x
   * @param {readonly number[]} shape One size may be -1: what remains.
   */
  reshape(x, shape) {
    const dims = readShape(shape, this[INSTANCE].bridge.maxRank, -1);
    return apply(this[INSTANCE], this[IDS].reshape, 1, dims, x);
  }

  /**
   * Permute the axes.
   * @param {TensorLike} x
   * @param {readonly number[]} [perm] Which axis of x becomes axis 0, 1, …. Default: reversed.
   */
  transpose(x, perm) {
    const order = perm === undefined ? NONE : readIntegers(perm, 'perm');
    return apply(this[INSTANCE], this[IDS].transpose, 1, order, x);
  }

  /**
   * The box that begins at an index and has a size.
   * @param {TensorLike} x
   * @param {Axes} begin One index per axis; 0 for axes that are left out.
   * @param {Axes} [size] One size per axis; -1, also for axes that are left out, reaches to the end.
   */
  slice(x, begin, size = []) {
    const operand = prepare(this[INSTANCE], x, 'the first operand');
    const attributes = box(rankOf(operand), begin, size);
    return apply(this[INSTANCE], this[IDS].slice, 1, attributes, operand);
  }

  /**
   * x as a constant: the same values, no gradient.
   * @param {TensorLike} x
   */
  stopGradient(x) {
    return apply(this[INSTANCE], this[IDS].stopGradient, 1, NONE, x);
  }
}
