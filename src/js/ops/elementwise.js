// Arithmetic and elementary functions. Each row of the public op table has one method. C defines
// what a row computes, and its gradient.
import { apply } from '../tensors/apply.js';
import { ActivationOps } from './activation.js';
import { IDS, INSTANCE, NONE } from './table.js';

/** @import { TensorLike } from '../tensors/tensor.js' */

/** Arithmetic and elementary functions, element by element. */
export class ElementwiseOps extends ActivationOps {
  /**
   * a + b.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.add([1, 2, 3], 10).array(); // [11, 12, 13]
   */
  add(a, b) {
    return apply(this[INSTANCE], this[IDS].add, 2, NONE, a, b);
  }

  /**
   * a − b.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.sub([[1, 2], [3, 4]], [1, 2]).array(); // [[0, 0], [2, 2]]
   */
  sub(a, b) {
    return apply(this[INSTANCE], this[IDS].sub, 2, NONE, a, b);
  }

  /**
   * a · b, element by element.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.mul([1, 2, 3], [4, 5, 6]).array(); // [4, 10, 18]
   */
  mul(a, b) {
    return apply(this[INSTANCE], this[IDS].mul, 2, NONE, a, b);
  }

  /**
   * a / b, as IEEE 754 has it: x/0 is ±∞ or NaN.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.div([1, -1, 0], 0).array(); // [Infinity, -Infinity, NaN]
   */
  div(a, b) {
    return apply(this[INSTANCE], this[IDS].div, 2, NONE, a, b);
  }

  /**
   * The remainder of a / b with the sign of b, as TensorFlow's floormod and Python's %; NaN where b
   * is 0. The gradient of b is −⌊a / b⌋.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.mod([-3, 3, 5.5], [2, -2, 2]).array(); // [1, -1, 1.5]
   */
  mod(a, b) {
    return apply(this[INSTANCE], this[IDS].mod, 2, NONE, a, b);
  }

  /**
   * a to the power b. x⁰ and 1ˣ are 1, even for NaN; of a below 0 only whole powers are numbers.
   * The gradient of b is 0 where a ≤ 0, as in TensorFlow.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.pow([2, 9, -2], [10, 0.5, 3]).array(); // [1024, 3, -8]
   */
  pow(a, b) {
    return apply(this[INSTANCE], this[IDS].pow, 2, NONE, a, b);
  }

  /**
   * (a − b)².
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.squaredDifference([1, 2, 3], [3, 2, 0]).array(); // [4, 0, 9]
   */
  squaredDifference(a, b) {
    return apply(this[INSTANCE], this[IDS].squaredDifference, 2, NONE, a, b);
  }

  /**
   * −x.
   * @param {TensorLike} x
   * @example
   * g.neg([1, -2, 0]).array(); // [-1, 2, -0]
   */
  neg(x) {
    return apply(this[INSTANCE], this[IDS].neg, 1, NONE, x);
  }

  /**
   * x².
   * @param {TensorLike} x
   * @example
   * g.square([-2, 0.5, 3]).array(); // [4, 0.25, 9]
   */
  square(x) {
    return apply(this[INSTANCE], this[IDS].square, 1, NONE, x);
  }

  /**
   * √x; NaN below 0.
   * @param {TensorLike} x
   * @example
   * g.sqrt([4, 2, -1]).array(); // [2, 1.4142135, NaN]
   */
  sqrt(x) {
    return apply(this[INSTANCE], this[IDS].sqrt, 1, NONE, x);
  }

  /**
   * 1 / √x; ∞ at 0, NaN below.
   * @param {TensorLike} x
   * @example
   * g.rsqrt([4, 0.25, 0]).array(); // [0.5, 2, Infinity]
   */
  rsqrt(x) {
    return apply(this[INSTANCE], this[IDS].rsqrt, 1, NONE, x);
  }

  /**
   * 1 / x.
   * @param {TensorLike} x
   * @example
   * g.reciprocal([2, -4, 0]).array(); // [0.5, -0.25, Infinity]
   */
  reciprocal(x) {
    return apply(this[INSTANCE], this[IDS].reciprocal, 1, NONE, x);
  }

  /**
   * |x|, with gradient 0 at 0.
   * @param {TensorLike} x
   * @example
   * g.abs([-2, 0, 3]).array(); // [2, 0, 3]
   */
  abs(x) {
    return apply(this[INSTANCE], this[IDS].abs, 1, NONE, x);
  }

  /**
   * −1, 0 or 1; NaN stays. The gradient is 0.
   * @param {TensorLike} x
   * @example
   * g.sign([-2, 0, 3]).array(); // [-1, 0, 1]
   */
  sign(x) {
    return apply(this[INSTANCE], this[IDS].sign, 1, NONE, x);
  }

  /**
   * The greatest whole number that is not above x. The gradient is 0.
   * @param {TensorLike} x
   * @example
   * g.floor([1.5, -1.5, 2]).array(); // [1, -2, 2]
   */
  floor(x) {
    return apply(this[INSTANCE], this[IDS].floor, 1, NONE, x);
  }

  /**
   * The least whole number that is not below x. The gradient is 0.
   * @param {TensorLike} x
   * @example
   * g.ceil([1.5, -1.5, 2]).array(); // [2, -1, 2]
   */
  ceil(x) {
    return apply(this[INSTANCE], this[IDS].ceil, 1, NONE, x);
  }

  /**
   * The nearest whole number; of two, the even one. The gradient is 0.
   * @param {TensorLike} x
   * @example
   * g.round([0.5, 1.5, -1.7]).array(); // [0, 2, -2]
   */
  round(x) {
    return apply(this[INSTANCE], this[IDS].round, 1, NONE, x);
  }

  /**
   * eˣ.
   * @param {TensorLike} x
   * @example
   * g.exp([0, 1, -1]).array(); // [1, 2.7182817, 0.36787945]
   */
  exp(x) {
    return apply(this[INSTANCE], this[IDS].exp, 1, NONE, x);
  }

  /**
   * 2ˣ.
   * @param {TensorLike} x
   * @example
   * g.exp2([0, 3, -1]).array(); // [1, 8, 0.5]
   */
  exp2(x) {
    return apply(this[INSTANCE], this[IDS].exp2, 1, NONE, x);
  }

  /**
   * eˣ − 1, accurate near 0.
   * @param {TensorLike} x
   * @example
   * g.expm1([0, 1e-6, 1]).array(); // [0, 0.0000010000005, 1.7182819]
   */
  expm1(x) {
    return apply(this[INSTANCE], this[IDS].expm1, 1, NONE, x);
  }

  /**
   * Natural logarithm; −∞ at 0, NaN below.
   * @param {TensorLike} x
   * @example
   * g.log([1, 10, 0]).array(); // [0, 2.3025851, -Infinity]
   */
  log(x) {
    return apply(this[INSTANCE], this[IDS].log, 1, NONE, x);
  }

  /**
   * log(1 + x), accurate near 0; −∞ at −1, NaN below.
   * @param {TensorLike} x
   * @example
   * g.log1p([0, 1e-6, -1]).array(); // [0, 9.999995e-7, -Infinity]
   */
  log1p(x) {
    return apply(this[INSTANCE], this[IDS].log1p, 1, NONE, x);
  }

  /**
   * Sine of x in radians; accurate for any finite x.
   * @param {TensorLike} x
   * @example
   * g.sin([0, Math.PI / 2, 1]).array(); // [0, 1, 0.84147096]
   */
  sin(x) {
    return apply(this[INSTANCE], this[IDS].sin, 1, NONE, x);
  }

  /**
   * Cosine of x in radians; accurate for any finite x.
   * @param {TensorLike} x
   * @example
   * g.cos([0, Math.PI, 1]).array(); // [1, -1, 0.5403023]
   */
  cos(x) {
    return apply(this[INSTANCE], this[IDS].cos, 1, NONE, x);
  }

  /**
   * Arctangent of x, from −π/2 to π/2.
   * @param {TensorLike} x
   * @example
   * g.atan([0, 1, -Infinity]).array(); // [0, 0.7853982, -1.5707964]
   */
  atan(x) {
    return apply(this[INSTANCE], this[IDS].atan, 1, NONE, x);
  }

  /**
   * The angle of the point (b, a), a being its height, from −π to π. Zeros have a sign, as in C.
   * The gradient at (0, 0) is NaN.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.atan2([1, 1, -1], [0, -1, -1]).array(); // [1.5707964, 2.3561945, -2.3561945]
   */
  atan2(a, b) {
    return apply(this[INSTANCE], this[IDS].atan2, 2, NONE, a, b);
  }

  /**
   * The error function, 2/√π ∫₀ˣ exp(−t²) dt.
   * @param {TensorLike} x
   * @example
   * g.erf([0, 0.5, -1]).array(); // [0, 0.5204999, -0.8427008]
   */
  erf(x) {
    return apply(this[INSTANCE], this[IDS].erf, 1, NONE, x);
  }
}
