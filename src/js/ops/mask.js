// Masks whose values decide a shape. The selected elements must be known at once, so a mask must
// have values, all of them 0 or 1. Refuses to guess what another number might mean.
import { describe, formatShape, sizeOf, unflatten } from '../base/check.js';
import { LimitError, RecordingError, ShapeError } from '../base/errors.js';
import { flattenNested } from '../base/nested.js';
import { Variable } from '../locks/variable.js';
import { Literal } from '../tensors/apply.js';
import { Resource } from '../tensors/resource.js';
import { readLiteral, Tensor } from '../tensors/tensor.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { NestedBooleans } from '../base/nested.js' */
/** @import { TensorLike } from '../tensors/tensor.js' */
/** @typedef {TensorLike | boolean | NestedBooleans} MaskLike Zeros and ones, or booleans. */
/** @typedef {{ shape: readonly number[], data: ArrayLike<number> }} Mask */

/** Reals count exactly up to here. */
const MOST = 2 ** 24;

/**
 * True if a mask contains booleans, by its first entry. An array that is nested more deeply than
 * tensors can be does not count.
 * @param {unknown} mask
 * @param {number} maxRank
 * @returns {mask is readonly unknown[]}
 */
const holdsBooleans = (mask, maxRank) => {
  let leaf = mask;
  for (let axis = 0; axis < maxRank && Array.isArray(leaf); axis++) leaf = leaf[0];
  return Array.isArray(mask) && typeof leaf === 'boolean';
};

/** @param {number} size */
const bytes = (size) => new Uint8Array(size);

/**
 * An operand that is a truth: booleans count as 1 and 0, anything else is as it was.
 * @param {Instance} instance
 * @param {unknown} condition
 * @returns {unknown}
 */
export const asCondition = ({ bridge }, condition) => {
  if (typeof condition === 'boolean') return Number(condition);
  if (!holdsBooleans(condition, bridge.maxRank)) return condition;
  return new Literal(flattenNested(condition, 'boolean', bytes, 'a condition', bridge));
};

/**
 * The values of a tensor that a recording would not change.
 * @param {Instance} instance
 * @param {Tensor} mask
 * @param {string} op
 */
const readConstant = (instance, mask, op) => {
  Resource.handleOf(instance, mask);
  try {
    if (!(instance.tracing && mask instanceof Variable)) return mask.data();
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
  }
  throw new RecordingError(
    `${op}: while compiling, the mask ${formatShape(mask.shape)} must be a constant, since it decides the shape of the ` +
      'result; use where(condition, a, b) or topK, whose shapes do not depend on values',
  );
};

/**
 * A mask with its values.
 * @param {Instance} instance
 * @param {unknown} mask
 * @param {string} op How messages call the op.
 * @returns {Mask}
 */
export const readMask = (instance, mask, op) => {
  const what = `${op}: the mask`;
  /** @type {Mask} */
  let found;
  if (mask instanceof Tensor) {
    found = { shape: mask.shape, data: readConstant(instance, mask, op) };
  } else if (typeof mask === 'boolean') {
    found = { shape: [], data: [Number(mask)] };
  } else if (holdsBooleans(mask, instance.bridge.maxRank)) {
    found = flattenNested(mask, 'boolean', bytes, what, instance.bridge);
  } else {
    found = readLiteral(instance, mask, undefined, what);
  }
  const { shape, data } = found;
  if (shape.length === 0) throw new ShapeError(`${what} has rank 0, it needs at least one axis`);
  for (let i = 0; i < data.length; i++) {
    if (data[i] !== 0 && data[i] !== 1) {
      throw new TypeError(
        `${what} of shape ${formatShape(shape)} must hold zeros and ones only, at ` +
          `${formatShape(unflatten(i, shape))} it holds ${describe(data[i])}`,
      );
    }
  }
  return found;
};

/** Flat indices of the ones. @param {Mask} mask @returns {number[]} */
export const onesOf = ({ data }) => {
  /** @type {number[]} */
  const found = [];
  for (let i = 0; i < data.length; i++) if (data[i] === 1) found.push(i);
  return found;
};

/**
 * Indices of the ones, one row each, in row-major order.
 * @param {Mask} mask
 * @returns {{ shape: number[], data: Float32Array }}
 */
export const indicesOf = (mask) => {
  const { shape } = mask;
  if (sizeOf(shape) > 0 && Math.max(...shape) > MOST) {
    throw new LimitError(`where: an axis of shape ${formatShape(shape)} is longer than ${MOST}`);
  }
  const ones = onesOf(mask);
  const count = ones.length;
  const data = new Float32Array(count * shape.length);
  let at = data.length;
  for (let rest = ones.pop(); rest !== undefined; rest = ones.pop()) {
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = Number(shape[axis]);
      data[--at] = rest % size;
      rest = Math.floor(rest / size);
    }
  }
  return { shape: [count, shape.length], data };
};
