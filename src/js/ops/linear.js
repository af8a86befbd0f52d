// Linear algebra. One method a row of the public op table; what a row computes, and its gradient, is C's business.
import { apply } from '../apply.js';
import { transposes } from '../attributes.js';
import { IndexOps } from './index.js';
import { IDS, INSTANCE } from './table.js';

/** @typedef {import('../tensor.js').TensorLike} TensorLike */
/** @typedef {{ transposeA?: boolean, transposeB?: boolean }} MatMulOptions */

/** Linear algebra. */
export class LinearOps extends IndexOps {
  /**
   * Matrix product of [m, k] and [k, n].
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @param {MatMulOptions} [options] Whether a or b is given as [k, m] or [n, k].
   */
  matMul(a, b, options = {}) {
    return apply(this[INSTANCE], this[IDS].matMul, 2, transposes(options), a, b);
  }
}
