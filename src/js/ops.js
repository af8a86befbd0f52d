// The ops as methods, one a row of the public op table, so that editors show what each takes. Every body is one line
// into `apply`; what an op computes, and its gradient, is C's business. A test holds the methods against the table.
import { apply, prepare, rankOf, readOpIds } from './apply.js';
import { box, reduction, transposes } from './attributes.js';
import { readIntegers, readShape } from './check.js';

/** @typedef {import('./instance.js').Instance} Instance */
/** @typedef {import('./tensor.js').TensorLike} TensorLike */
/** @typedef {number | readonly number[]} Axes One axis or several; negative ones count from the last. */
/** @typedef {{ transposeA?: boolean, transposeB?: boolean }} MatMulOptions */

/** @type {readonly number[]} */
const NONE = [];

/**
 * Operands are tensors, variables, numbers or arrays, and broadcast as in NumPy where an op takes several.
 *
 * Outside of a recording an op computes at once. Inside `compile` it is recorded; the result has a shape, and values
 * only once the program runs. Shapes that do not fit throw ShapeError, disposed operands DisposedError.
 */
export class Ops {
  #instance;
  /** @type {Record<Exclude<keyof Ops, symbol>, number>} */
  #ids;

  /**
   * @internal
   * @param {Instance} instance
   */
  constructor(instance) {
    this.#instance = instance;
    const ids = readOpIds(instance.bridge);
    for (const name of Object.getOwnPropertyNames(Ops.prototype)) {
      if (name !== 'constructor' && !ids.has(name)) {
        throw new TypeError(`this gradlock.wasm is of another version: it has no op '${name}'`);
      }
    }
    this.#ids = /** @type {Record<Exclude<keyof Ops, symbol>, number>} */ (Object.fromEntries(ids));
  }

  /**
   * a + b.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  add(a, b) {
    return apply(this.#instance, this.#ids.add, 2, NONE, a, b);
  }

  /**
   * a − b.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  sub(a, b) {
    return apply(this.#instance, this.#ids.sub, 2, NONE, a, b);
  }

  /**
   * a · b, element by element.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  mul(a, b) {
    return apply(this.#instance, this.#ids.mul, 2, NONE, a, b);
  }

  /**
   * a / b, as IEEE 754 has it: x/0 is ±∞ or NaN.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  div(a, b) {
    return apply(this.#instance, this.#ids.div, 2, NONE, a, b);
  }

  /**
   * The larger of a and b; NaN if either is. The gradient goes to the larger one.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  maximum(a, b) {
    return apply(this.#instance, this.#ids.maximum, 2, NONE, a, b);
  }

  /**
   * The smaller of a and b; NaN if either is. The gradient goes to the smaller one.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  minimum(a, b) {
    return apply(this.#instance, this.#ids.minimum, 2, NONE, a, b);
  }

  /**
   * −x.
   * @param {TensorLike} x
   */
  neg(x) {
    return apply(this.#instance, this.#ids.neg, 1, NONE, x);
  }

  /**
   * x².
   * @param {TensorLike} x
   */
  square(x) {
    return apply(this.#instance, this.#ids.square, 1, NONE, x);
  }

  /**
   * √x; NaN below 0.
   * @param {TensorLike} x
   */
  sqrt(x) {
    return apply(this.#instance, this.#ids.sqrt, 1, NONE, x);
  }

  /**
   * |x|, with gradient 0 at 0.
   * @param {TensorLike} x
   */
  abs(x) {
    return apply(this.#instance, this.#ids.abs, 1, NONE, x);
  }

  /**
   * eˣ.
   * @param {TensorLike} x
   */
  exp(x) {
    return apply(this.#instance, this.#ids.exp, 1, NONE, x);
  }

  /**
   * Natural logarithm; −∞ at 0, NaN below.
   * @param {TensorLike} x
   */
  log(x) {
    return apply(this.#instance, this.#ids.log, 1, NONE, x);
  }

  /**
   * Hyperbolic tangent.
   * @param {TensorLike} x
   */
  tanh(x) {
    return apply(this.#instance, this.#ids.tanh, 1, NONE, x);
  }

  /**
   * 1 / (1 + e⁻ˣ).
   * @param {TensorLike} x
   */
  sigmoid(x) {
    return apply(this.#instance, this.#ids.sigmoid, 1, NONE, x);
  }

  /**
   * max(x, 0), with gradient 0 at 0.
   * @param {TensorLike} x
   */
  relu(x) {
    return apply(this.#instance, this.#ids.relu, 1, NONE, x);
  }

  /**
   * a where the condition is not 0, b elsewhere. A choice, not a product: NaN in what is not chosen stays out.
   * @param {TensorLike} condition
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  where(condition, a, b) {
    return apply(this.#instance, this.#ids.where, 3, NONE, condition, a, b);
  }

  /**
   * Sum over axes.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  sum(x, axis, keepDims = false) {
    return apply(this.#instance, this.#ids.sum, 1, reduction(axis, keepDims), x);
  }

  /**
   * Mean over axes.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Default: all, giving a scalar.
   * @param {boolean} [keepDims] Whether reduced axes stay, of size 1. Default: false.
   */
  mean(x, axis, keepDims = false) {
    return apply(this.#instance, this.#ids.mean, 1, reduction(axis, keepDims), x);
  }

  /**
   * Matrix product of [m, k] and [k, n].
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @param {MatMulOptions} [options] Whether a or b is given as [k, m] or [n, k].
   */
  matMul(a, b, options = {}) {
    return apply(this.#instance, this.#ids.matMul, 2, transposes(options), a, b);
  }

  /**
   * The same values in another shape of as many elements.
   * @param {TensorLike} x
   * @param {readonly number[]} shape One size may be -1: what remains.
   */
  reshape(x, shape) {
    const dims = readShape(shape, this.#instance.bridge.maxRank, -1);
    return apply(this.#instance, this.#ids.reshape, 1, dims, x);
  }

  /**
   * Permute the axes.
   * @param {TensorLike} x
   * @param {readonly number[]} [perm] Which axis of x becomes axis 0, 1, …. Default: reversed.
   */
  transpose(x, perm) {
    const order = perm === undefined ? NONE : readIntegers(perm, 'perm');
    return apply(this.#instance, this.#ids.transpose, 1, order, x);
  }

  /**
   * The box that begins at an index and has a size.
   * @param {TensorLike} x
   * @param {Axes} begin One index per axis; 0 for axes that are left out.
   * @param {Axes} [size] One size per axis; -1, also for axes that are left out, reaches to the end.
   */
  slice(x, begin, size = []) {
    const operand = prepare(this.#instance, x, 'the first operand');
    const attributes = box(rankOf(operand), begin, size);
    return apply(this.#instance, this.#ids.slice, 1, attributes, operand);
  }

  /**
   * x as a constant: the same values, no gradient.
   * @param {TensorLike} x
   */
  stopGradient(x) {
    return apply(this.#instance, this.#ids.stopGradient, 1, NONE, x);
  }

  /**
   * 1 where a > b, 0 elsewhere; no gradient.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  greater(a, b) {
    return apply(this.#instance, this.#ids.greater, 2, NONE, a, b);
  }

  /**
   * 1 where a ≥ b, 0 elsewhere; no gradient.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  greaterEqual(a, b) {
    return apply(this.#instance, this.#ids.greaterEqual, 2, NONE, a, b);
  }

  /**
   * 1 where a < b, 0 elsewhere; no gradient.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  less(a, b) {
    return apply(this.#instance, this.#ids.less, 2, NONE, a, b);
  }

  /**
   * 1 where a ≤ b, 0 elsewhere; no gradient.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  lessEqual(a, b) {
    return apply(this.#instance, this.#ids.lessEqual, 2, NONE, a, b);
  }

  /**
   * 1 where a = b, 0 elsewhere; no gradient.
   * @param {TensorLike} a
   * @param {TensorLike} b
   */
  equal(a, b) {
    return apply(this.#instance, this.#ids.equal, 2, NONE, a, b);
  }
}
