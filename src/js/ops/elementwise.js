// Arithmetic and elementary functions. One method a row of the public op table; what a row computes, and its gradient,
// is C's business.
import { apply } from '../tensors/apply.js';
import { ActivationOps } from './activation.js';
import { IDS, INSTANCE, NONE } from './table.js';

/** @typedef {import('../tensors/tensor.js').TensorLike} TensorLike */

/** Arithmetic and elementary functions, element by element. */
export class ElementwiseOps extends ActivationOps {
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
   * The remainder of a / b with the sign of b, as TensorFlow's floormod and Python's %; NaN where b is 0.
   * The gradient of b is −⌊a / b⌋.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  mod(a, b) {
    return apply(this[INSTANCE], this[IDS].mod, 2, NONE, a, b);
  }

  /**
   * a to the power b. x⁰ and 1ˣ are 1, even for NaN; of a below 0 only whole powers are numbers.
   * The gradient of b is 0 where a ≤ 0, as in TensorFlow.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  pow(a, b) {
    return apply(this[INSTANCE], this[IDS].pow, 2, NONE, a, b);
  }

  /**
   * (a − b)².
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  squaredDifference(a, b) {
    return apply(this[INSTANCE], this[IDS].squaredDifference, 2, NONE, a, b);
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
   * 1 / √x; ∞ at 0, NaN below.
   * @param {TensorLike} x
   */
  rsqrt(x) {
    return apply(this[INSTANCE], this[IDS].rsqrt, 1, NONE, x);
  }

  /**
   * 1 / x.
   * @param {TensorLike} x
   */
  reciprocal(x) {
    return apply(this[INSTANCE], this[IDS].reciprocal, 1, NONE, x);
  }

  /**
   * |x|, with gradient 0 at 0.
   * @param {TensorLike} x
   */
  abs(x) {
    return apply(this[INSTANCE], this[IDS].abs, 1, NONE, x);
  }

  /**
   * −1, 0 or 1; NaN stays. The gradient is 0.
   * @param {TensorLike} x
   */
  sign(x) {
    return apply(this[INSTANCE], this[IDS].sign, 1, NONE, x);
  }

  /**
   * The greatest whole number that is not above x. The gradient is 0.
   * @param {TensorLike} x
   */
  floor(x) {
    return apply(this[INSTANCE], this[IDS].floor, 1, NONE, x);
  }

  /**
   * The least whole number that is not below x. The gradient is 0.
   * @param {TensorLike} x
   */
  ceil(x) {
    return apply(this[INSTANCE], this[IDS].ceil, 1, NONE, x);
  }

  /**
   * The nearest whole number; of two, the even one. The gradient is 0.
   * @param {TensorLike} x
   */
  round(x) {
    return apply(this[INSTANCE], this[IDS].round, 1, NONE, x);
  }

  /**
   * eˣ.
   * @param {TensorLike} x
   */
  exp(x) {
    return apply(this[INSTANCE], this[IDS].exp, 1, NONE, x);
  }

  /**
   * 2ˣ.
   * @param {TensorLike} x
   */
  exp2(x) {
    return apply(this[INSTANCE], this[IDS].exp2, 1, NONE, x);
  }

  /**
   * eˣ − 1, accurate near 0.
   * @param {TensorLike} x
   */
  expm1(x) {
    return apply(this[INSTANCE], this[IDS].expm1, 1, NONE, x);
  }

  /**
   * Natural logarithm; −∞ at 0, NaN below.
   * @param {TensorLike} x
   */
  log(x) {
    return apply(this[INSTANCE], this[IDS].log, 1, NONE, x);
  }

  /**
   * log(1 + x), accurate near 0; −∞ at −1, NaN below.
   * @param {TensorLike} x
   */
  log1p(x) {
    return apply(this[INSTANCE], this[IDS].log1p, 1, NONE, x);
  }

  /**
   * Sine of x in radians; accurate for any finite x.
   * @param {TensorLike} x
   */
  sin(x) {
    return apply(this[INSTANCE], this[IDS].sin, 1, NONE, x);
  }

  /**
   * Cosine of x in radians; accurate for any finite x.
   * @param {TensorLike} x
   */
  cos(x) {
    return apply(this[INSTANCE], this[IDS].cos, 1, NONE, x);
  }

  /**
   * The error function, 2/√π ∫₀ˣ exp(−t²) dt.
   * @param {TensorLike} x
   */
  erf(x) {
    return apply(this[INSTANCE], this[IDS].erf, 1, NONE, x);
  }
}
