// Elementwise ops and comparisons. One method a row of the public op table; what a row computes, and its gradient, is C's business.
import { apply } from '../apply.js';
import { IDS, INSTANCE, NONE, OpTable } from './table.js';

/** @typedef {import('../tensor.js').TensorLike} TensorLike */

/** Elementwise ops and comparisons. */
export class ElementwiseOps extends OpTable {
  /**
   * a + b.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  add(a, b) {
    return apply(this[INSTANCE], this[IDS].add, 2, NONE, a, b);
  }

  /**
   * a − b.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  sub(a, b) {
    return apply(this[INSTANCE], this[IDS].sub, 2, NONE, a, b);
  }

  /**
   * a · b, element by element.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  mul(a, b) {
    return apply(this[INSTANCE], this[IDS].mul, 2, NONE, a, b);
  }

  /**
   * a / b, as IEEE 754 has it: x/0 is ±∞ or NaN.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  div(a, b) {
    return apply(this[INSTANCE], this[IDS].div, 2, NONE, a, b);
  }

  /**
   * The larger of a and b; NaN if either is. The gradient goes to the larger one.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  maximum(a, b) {
    return apply(this[INSTANCE], this[IDS].maximum, 2, NONE, a, b);
  }

  /**
   * The smaller of a and b; NaN if either is. The gradient goes to the smaller one.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  minimum(a, b) {
    return apply(this[INSTANCE], this[IDS].minimum, 2, NONE, a, b);
  }

  /**
   * −x.
   * @param {TensorLike} x
   */
  neg(x) {
    return apply(this[INSTANCE], this[IDS].neg, 1, NONE, x);
  }

  /**
   * x².
   * @param {TensorLike} x
   */
  square(x) {
    return apply(this[INSTANCE], this[IDS].square, 1, NONE, x);
  }

  /**
   * √x; NaN below 0.
   * @param {TensorLike} x
   */
  sqrt(x) {
    return apply(this[INSTANCE], this[IDS].sqrt, 1, NONE, x);
  }

  /**
   * |x|, with gradient 0 at 0.
   * @param {TensorLike} x
   */
  abs(x) {
    return apply(this[INSTANCE], this[IDS].abs, 1, NONE, x);
  }

  /**
   * eˣ.
   * @param {TensorLike} x
   */
  exp(x) {
    return apply(this[INSTANCE], this[IDS].exp, 1, NONE, x);
  }

  /**
   * Natural logarithm; −∞ at 0, NaN below.
   * @param {TensorLike} x
   */
  log(x) {
    return apply(this[INSTANCE], this[IDS].log, 1, NONE, x);
  }

  /**
   * Hyperbolic tangent.
   * @param {TensorLike} x
   */
  tanh(x) {
    return apply(this[INSTANCE], this[IDS].tanh, 1, NONE, x);
  }

  /**
   * 1 / (1 + e⁻ˣ).
   * @param {TensorLike} x
   */
  sigmoid(x) {
    return apply(this[INSTANCE], this[IDS].sigmoid, 1, NONE, x);
  }

  /**
   * max(x, 0), with gradient 0 at 0.
   * @param {TensorLike} x
   */
  relu(x) {
    return apply(this[INSTANCE], this[IDS].relu, 1, NONE, x);
  }

  /**
   * a where the condition is not 0, b elsewhere. A choice, not a product: NaN in what is not chosen stays out.
   * @param {TensorLike} condition
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  where(condition, a, b) {
    return apply(this[INSTANCE], this[IDS].where, 3, NONE, condition, a, b);
  }

  /**
   * 1 where a > b, 0 elsewhere; no gradient.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  greater(a, b) {
    return apply(this[INSTANCE], this[IDS].greater, 2, NONE, a, b);
  }

  /**
   * 1 where a ≥ b, 0 elsewhere; no gradient.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  greaterEqual(a, b) {
    return apply(this[INSTANCE], this[IDS].greaterEqual, 2, NONE, a, b);
  }

  /**
   * 1 where a < b, 0 elsewhere; no gradient.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  less(a, b) {
    return apply(this[INSTANCE], this[IDS].less, 2, NONE, a, b);
  }

  /**
   * 1 where a ≤ b, 0 elsewhere; no gradient.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  lessEqual(a, b) {
    return apply(this[INSTANCE], this[IDS].lessEqual, 2, NONE, a, b);
  }

  /**
   * 1 where a = b, 0 elsewhere; no gradient.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  equal(a, b) {
    return apply(this[INSTANCE], this[IDS].equal, 2, NONE, a, b);
  }
}
