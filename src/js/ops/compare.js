// Comparisons, logic, and selection by conditions. Each row of the public op table has one method.
// C defines what a row computes, and its gradient.
import { readNumber } from '../base/check.js';
import { apply } from '../tensors/apply.js';
import { asCondition } from './mask.js';
import { IDS, INSTANCE, NONE, OpTable } from './table.js';

/** @import { MaskLike } from './mask.js' */
/** @import { TensorLike } from '../tensors/tensor.js' */

/** Comparisons and logic, 1 for true and 0 for false, without gradients; and choices, with them. */
export class CompareOps extends OpTable {
  /**
   * 1 where a = b, 0 elsewhere; NaN equals nothing.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.equal([1, 2, NaN], [1, 3, NaN]).array(); // [1, 0, 0]
   */
  equal(a, b) {
    return apply(this[INSTANCE], this[IDS].equal, 2, NONE, a, b);
  }

  /**
   * 1 where a ≠ b, 0 elsewhere; NaN differs from everything.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.notEqual([1, 2, NaN], [1, 3, NaN]).array(); // [0, 1, 1]
   */
  notEqual(a, b) {
    return apply(this[INSTANCE], this[IDS].notEqual, 2, NONE, a, b);
  }

  /**
   * 1 where a > b, 0 elsewhere.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.greater([1, 2, 3], 2).array(); // [0, 0, 1]
   */
  greater(a, b) {
    return apply(this[INSTANCE], this[IDS].greater, 2, NONE, a, b);
  }

  /**
   * 1 where a ≥ b, 0 elsewhere.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.greaterEqual([1, 2, 3], 2).array(); // [0, 1, 1]
   */
  greaterEqual(a, b) {
    return apply(this[INSTANCE], this[IDS].greaterEqual, 2, NONE, a, b);
  }

  /**
   * 1 where a < b, 0 elsewhere.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.less([1, 2, 3], 2).array(); // [1, 0, 0]
   */
  less(a, b) {
    return apply(this[INSTANCE], this[IDS].less, 2, NONE, a, b);
  }

  /**
   * 1 where a ≤ b, 0 elsewhere.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.lessEqual([1, 2, 3], 2).array(); // [1, 1, 0]
   */
  lessEqual(a, b) {
    return apply(this[INSTANCE], this[IDS].lessEqual, 2, NONE, a, b);
  }

  /**
   * 1 where neither a nor b is 0, 0 elsewhere. Any value but 0 is true, NaN too.
   * @param {MaskLike} a
   * @param {MaskLike} b
   * @example
   * g.logicalAnd([0, 0, 1, 1], [0, 1, 0, 1]).array(); // [0, 0, 0, 1]
   */
  logicalAnd(a, b) {
    return logic(this, 'logicalAnd', a, b);
  }

  /**
   * 1 where a or b is not 0, 0 elsewhere. Any value but 0 is true, NaN too.
   * @param {MaskLike} a
   * @param {MaskLike} b
   * @example
   * g.logicalOr([0, 0, 1, 1], [0, 1, 0, 1]).array(); // [0, 1, 1, 1]
   */
  logicalOr(a, b) {
    return logic(this, 'logicalOr', a, b);
  }

  /**
   * 1 where one of a and b is 0 and the other is not, 0 elsewhere. Any value but 0 is true, NaN
   * too.
   * @param {MaskLike} a
   * @param {MaskLike} b
   * @example
   * g.logicalXor([0, 0, 1, 1], [0, 1, 0, 1]).array(); // [0, 1, 1, 0]
   */
  logicalXor(a, b) {
    return logic(this, 'logicalXor', a, b);
  }

  /**
   * 1 where x is 0, 0 elsewhere.
   * @param {MaskLike} x
   * @example
   * g.logicalNot([0, 1, 2]).array(); // [1, 0, 0]
   */
  logicalNot(x) {
    return apply(this[INSTANCE], this[IDS].logicalNot, 1, NONE, asCondition(this[INSTANCE], x));
  }

  /**
   * 1 where x is NaN, 0 elsewhere.
   * @param {TensorLike} x
   * @example
   * g.isNaN([1, NaN, Infinity]).array(); // [0, 1, 0]
   */
  isNaN(x) {
    return apply(this[INSTANCE], this[IDS].isNaN, 1, NONE, x);
  }

  /**
   * 1 where x is ±∞, 0 elsewhere.
   * @param {TensorLike} x
   * @example
   * g.isInf([1, NaN, -Infinity]).array(); // [0, 0, 1]
   */
  isInf(x) {
    return apply(this[INSTANCE], this[IDS].isInf, 1, NONE, x);
  }

  /**
   * 1 where x is neither ±∞ nor NaN, 0 elsewhere.
   * @param {TensorLike} x
   * @example
   * g.isFinite([1, NaN, Infinity]).array(); // [1, 0, 0]
   */
  isFinite(x) {
    return apply(this[INSTANCE], this[IDS].isFinite, 1, NONE, x);
  }

  /**
   * The larger of a and b; NaN if either is. The gradient goes to the larger one, and to a where
   * they are equal.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.maximum([1, 5, NaN], 3).array(); // [3, 5, NaN]
   */
  maximum(a, b) {
    return apply(this[INSTANCE], this[IDS].maximum, 2, NONE, a, b);
  }

  /**
   * The smaller of a and b; NaN if either is. The gradient goes to the smaller one, and to a where
   * they are equal.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.minimum([1, 5, NaN], 3).array(); // [1, 3, NaN]
   */
  minimum(a, b) {
    return apply(this[INSTANCE], this[IDS].minimum, 2, NONE, a, b);
  }

  /**
   * x limited to low … high; NaN stays. The gradient passes from low to high inclusive, and is 0
   * beyond.
   * @throws {GradlockError} if low is above high or either is NaN
   * @param {TensorLike} x
   * @param {number} low -Infinity for no limit
   * @param {number} high Infinity for no limit
   * @example
   * g.clipByValue([-2, 0.5, 3], 0, 1).array(); // [0, 0.5, 1]
   */
  clipByValue(x, low, high) {
    const range = [readNumber(low, 'clipByValue: low'), readNumber(high, 'clipByValue: high')];
    return apply(this[INSTANCE], this[IDS].clipByValue, 1, range, x);
  }

  /**
   * `clipByValue` by its name in Keras and NumPy.
   * @param {TensorLike} x
   * @param {number} low
   * @param {number} high
   * @example
   * g.clip([-2, 0.5, 3], 0, 1).array(); // [0, 0.5, 1]
   */
  clip(x, low, high) {
    return this.clipByValue(x, low, high);
  }

  /**
   * a where the condition is not 0, b elsewhere. The operand that is not selected has no effect,
   * even if it is NaN, and no gradient.
   * @param {MaskLike} condition
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @example
   * g.where([1, 0, 1], [1, 2, 3], 0).array(); // [1, 0, 3]
   * g.where([[0, 1], [1, 1]]).array(); // [[0, 1], [1, 0], [1, 1]]
   */
  where(condition, a, b) {
    const instance = this[INSTANCE];
    return apply(instance, this[IDS].where, 3, NONE, asCondition(instance, condition), a, b);
  }
}

/** @param {CompareOps} ops @param {string} name @param {MaskLike} a @param {MaskLike} b */
const logic = ({ [INSTANCE]: instance, [IDS]: ids }, name, a, b) =>
  apply(instance, ids[name], 2, NONE, asCondition(instance, a), asCondition(instance, b));
