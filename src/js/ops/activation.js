// Activations, a method for each row of the op table. C defines results and gradients.
import { readFlag, readNumber } from '../base/check.js';
import { apply } from '../tensors/apply.js';
import { CompareOps } from './compare.js';
import { IDS, INSTANCE, NONE } from './table.js';

/** @import { TensorLike } from '../tensors/tensor.js' */

/** Activations, elementwise. */
export class ActivationOps extends CompareOps {
  /**
   * Hyperbolic tangent.
   * @param {TensorLike} x
   * @example
   * g.tanh([-1, 0, 2]).array(); // [-0.7615942, 0, 0.9640276]
   */
  tanh(x) {
    return apply(this[INSTANCE], this[IDS].tanh, 1, NONE, x);
  }

  /**
   * 1 / (1 + e⁻ˣ).
   * @param {TensorLike} x
   * @example
   * g.sigmoid([-1, 0, 2]).array(); // [0.26894143, 0.5, 0.8807971]
   */
  sigmoid(x) {
    return apply(this[INSTANCE], this[IDS].sigmoid, 1, NONE, x);
  }

  /**
   * max(x, 0), with gradient 0 at 0.
   * @param {TensorLike} x
   * @example
   * g.relu([-1, 0, 2]).array(); // [0, 0, 2]
   */
  relu(x) {
    return apply(this[INSTANCE], this[IDS].relu, 1, NONE, x);
  }

  /**
   * log(1 + eˣ), without overflow.
   * @param {TensorLike} x
   * @example
   * g.softplus([-1, 0, 100]).array(); // [0.3132617, 0.6931472, 100]
   */
  softplus(x) {
    return apply(this[INSTANCE], this[IDS].softplus, 1, NONE, x);
  }

  /**
   * x · Φ(x), Φ being the distribution function of the standard normal distribution.
   * Its gradient is right at ±∞ too, where TensorFlow's is NaN.
   * @param {TensorLike} x
   * @param {boolean} [approximate] True to compute TensorFlow's approximation with tanh.
   *   Default: false.
   * @example
   * g.gelu([-1, 0, 2]).array(); // [-0.15865526, 0, 1.9544997]
   */
  gelu(x, approximate) {
    const form = [readFlag(approximate, 'gelu: approximate', false) ? 1 : 0];
    return apply(this[INSTANCE], this[IDS].gelu, 1, form, x);
  }

  /**
   * x · sigmoid(x), also called swish.
   * @param {TensorLike} x
   * @example
   * g.silu([-1, 0, 2]).array(); // [-0.26894143, 0, 1.7615942]
   */
  silu(x) {
    return apply(this[INSTANCE], this[IDS].silu, 1, NONE, x);
  }

  /**
   * x above 0, alpha · x elsewhere; the gradient at 0 is alpha.
   * @throws {GradlockError} if alpha is not finite
   * @param {TensorLike} x
   * @param {number} [alpha] Default: 0.2.
   * @example
   * g.leakyRelu([-1, 0, 2], 0.1).array(); // [-0.1, 0, 2]
   */
  leakyRelu(x, alpha) {
    const slope = [readNumber(alpha, 'leakyRelu: alpha', 0.2)];
    return apply(this[INSTANCE], this[IDS].leakyRelu, 1, slope, x);
  }

  /**
   * x above 0, alpha · (eˣ − 1) elsewhere; the gradient at 0 is alpha.
   * @throws {GradlockError} if alpha is not finite
   * @param {TensorLike} x
   * @param {number} [alpha] Default: 1.
   * @example
   * g.elu([-1, 0, 2], 0.5).array(); // [-0.31606027, 0, 2]
   */
  elu(x, alpha) {
    const scale = [readNumber(alpha, 'elu: alpha', 1)];
    return apply(this[INSTANCE], this[IDS].elu, 1, scale, x);
  }
  /**
   * A sigmoid of straight lines: 0 up to −3, 1 from 3 on, x / 6 + 1/2 between, as in Keras 3. The
   * gradient at −3 and 3 is 0.
   * @param {TensorLike} x
   * @example
   * g.hardSigmoid([-4, 0, 1.5]).array(); // [0, 0.5, 0.75]
   */
  hardSigmoid(x) {
    return apply(this[INSTANCE], this[IDS].hardSigmoid, 1, NONE, x);
  }
}
