// Linear algebra. Each row of the public op table has one method; einsum combines several. C
// defines what a row computes, and its gradient.
import { apply } from '../tensors/apply.js';
import { transposes } from './attributes.js';
import { einsum } from './einsum.js';
import { IndexingOps } from './indexing.js';
import { IDS, INSTANCE, NONE } from './table.js';

/** @import { TensorLike } from '../tensors/tensor.js' */
/** @typedef {{ transposeA?: boolean, transposeB?: boolean }} MatMulOptions */

/** Linear algebra. */
export class LinearOps extends IndexingOps {
  /**
   * Products of matrices, the last two axes: [m, k] and [k, n] give [m, n]. Axes before them are
   * batches and broadcast: [8, 1, m, k] and [5, k, n] give [8, 5, m, n].
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @param {MatMulOptions} [options] Set `transposeA` if a is [k, m], and `transposeB` if b is [n,
   *   k].
   * @example
   * g.matMul([[1, 2], [3, 4]], [[5], [6]]).array(); // [[17], [39]]
   * g.matMul([[1, 2], [3, 4]], [[1, 0], [0, 2]], { transposeA: true }).array(); // [[1, 6], [2, 8]]
   */
  matMul(a, b, options) {
    return apply(this[INSTANCE], this[IDS].matMul, 2, transposes(options), a, b);
  }

  /**
   * Sum of products over the last axis of a and the first of b, each a vector or a matrix.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.dot([1, 2, 3], [4, 5, 6]).item(); // 32
   * g.dot([[1, 2], [3, 4]], [5, 6]).array(); // [17, 39]
   */
  dot(a, b) {
    return apply(this[INSTANCE], this[IDS].dot, 2, NONE, a, b);
  }

  /**
   * Every element of a vector by every element of another: [m] and [n] give [m, n].
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.outerProduct([1, 2], [3, 4, 5]).array(); // [[3, 4, 5], [6, 8, 10]]
   */
  outerProduct(a, b) {
    return apply(this[INSTANCE], this[IDS].outerProduct, 2, NONE, a, b);
  }

  /**
   * `outerProduct` by its name in Keras and NumPy.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.outer([1, 2], [3, 4, 5]).array(); // [[3, 4, 5], [6, 8, 10]]
   */
  outer(a, b) {
    return this.outerProduct(a, b);
  }

  /**
   * Einstein's sum of one or two operands. A letter names an axis; letters that the result lacks
   * are summed over. Without `->` the result has the letters that occur once, in alphabetical
   * order.
   *
   * `'ab,bc->ac'` is a matrix product, `'nij,njk->nik'` a batch of them, `'ij->ji'` a transpose,
   * `'ij->i'` a sum. Strings that make no sense, a letter twice in one operand, and ellipses throw
   * GradlockError; ranks and sizes that do not fit throw ShapeError.
   * @param {string} equation
   * @param {...TensorLike} operands
   * @example
   * g.einsum('ij,j->i', [[1, 2], [3, 4]], [5, 6]).array(); // [17, 39]
   * g.einsum('i,j->ij', [1, 2], [3, 4]).array(); // [[3, 4], [6, 8]]
   */
  einsum(equation, ...operands) {
    return einsum(this[INSTANCE], this, equation, operands);
  }
}
