// Selections as lists and masks: indices of elements, or one bit per element. Refuses to guess: a
// list of zeros and ones that could be either is an error that shows how to say which.
import {
  describe,
  flatten,
  formatShape,
  isList,
  isTyped,
  readElement,
  readIntegers,
  readWords,
  sameShape,
  sizeOf,
} from '../base/check.js';
import { IndexError, OptionError, ShapeError } from '../base/errors.js';
import { flattenNested, readValues } from '../base/nested.js';
import { Resource } from '../tensors/resource.js';
import { Tensor } from '../tensors/tensor.js';

/** @import { Limits } from '../base/nested.js' */
/** @import { Instance } from '../tensors/instance.js' */
/** @import { Plan } from './selection.js' */
/** @typedef {{ shape: readonly number[], data: ArrayLike<number> }} Found */

/** @param {readonly number[]} shape */
const formsFor = (shape) => {
  const size = sizeOf(shape);
  return (
    `shape ${formatShape(shape)} takes { mask } or booleans nested to that shape, a mask of ${size} zeros and ones ` +
    `in a Uint8Array, a list of indices of ${shape.length} numbers each, or a list of flat indices`
  );
};

/** Lists of more elements than this are not repeated in messages. */
const MOST_SHOWN = 12;

/**
 * Refuses a list of indices that is also a mask of zeros and ones, unless both select the same.
 * @param {Uint32Array} indices
 * @param {ArrayLike<number>} bits The mask that the list could be.
 * @param {readonly number[]} shape
 * @param {boolean} isFlat
 */
const refuseAmbiguous = (indices, bits, shape, isFlat) => {
  const selected = new Uint8Array(bits.length);
  for (const index of indices) selected[index] = 1;
  if (selected.every((bit, i) => bit === bits[i])) return;
  const shown = Array.from(bits);
  const entries = isFlat
    ? shown.join(', ')
    : Array.from(indices, (_, i) => formatShape(shown.slice(2 * i, 2 * i + 2))).join(', ');
  const list = bits.length > MOST_SHOWN ? '[…]' : `[${entries}]`;
  throw new OptionError(
    `${list} could be a list of indices or a mask of 0 and 1, which select different elements of shape ` +
      `${formatShape(shape)}: write { indices: ${list} } or { mask: ${list} }`,
  );
};

/**
 * @param {ArrayLike<unknown>} list
 * @param {readonly number[]} shape
 * @param {boolean} [isNamed] True if the caller named these `indices`.
 * @returns {Plan}
 */
export const readFlatIndices = (list, shape, isNamed = true) => {
  let couldBeMask = !isNamed && shape.length > 0 && list.length === sizeOf(shape);
  const indices = readWords(list, (entry, i) => {
    couldBeMask &&= entry === 0 || entry === 1;
    if (typeof entry !== 'number') {
      throw new TypeError(`entry ${i} must be a flat index, as entry 0 is, got ${describe(entry)}`);
    }
    try {
      return readElement(entry, shape);
    } catch (error) {
      if (!(error instanceof IndexError) || list.length !== shape.length) throw error;
      const index = `[${Array.from(list, describe).join(', ')}]`;
      throw new IndexError(
        `${error.message}: ${index} is a list of flat indices; for the one element at ${index} write [${index}]`,
      );
    }
  });
  // Each once and in order, as toIndices gives them, they are indices.
  const isInOrder = indices.every((at, i) => i === 0 || at > Number(indices[i - 1]));
  if (couldBeMask && !isInOrder) refuseAmbiguous(indices, indices, shape, true);
  return { kind: 'indices', indices };
};

/**
 * @param {ArrayLike<unknown>} list
 * @param {readonly number[]} shape
 * @param {boolean} isNamed
 * @returns {Plan}
 */
const readIndexTuples = (list, shape, isNamed) => {
  /** @type {number[]} */
  const bits = [];
  let couldBeMask = !isNamed && sameShape([list.length, shape.length], shape);
  const indices = readWords(list, (entry, i) => {
    if (!isList(entry)) {
      throw new TypeError(`entry ${i} of the selection is ${describe(entry)}: ${formsFor(shape)}`);
    }
    const index = readIntegers(entry, `selection[${i}]`);
    if (index.length !== shape.length) {
      throw new ShapeError(
        `entry ${i} of the selection, ${formatShape(index)}, has ${index.length} numbers: ${formsFor(shape)}`,
      );
    }
    couldBeMask &&= index.every((at) => at === 0 || at === 1);
    if (couldBeMask) bits.push(...index);
    return flatten(index, shape);
  });
  if (couldBeMask) refuseAmbiguous(indices, bits, shape, false);
  return { kind: 'indices', indices };
};

/**
 * A list of flat indices, or of one index per axis each.
 * @param {unknown} list
 * @param {readonly number[]} shape
 * @param {boolean} [isNamed] True if the caller named these `indices`.
 * @returns {Plan}
 */
export const readIndices = (list, shape, isNamed = true) => {
  if (!isList(list)) throw new TypeError(`indices must be an array, got ${describe(list)}`);
  const isFlat = isTyped(list) || list.length === 0 || typeof list[0] === 'number';
  return isFlat ? readFlatIndices(list, shape, isNamed) : readIndexTuples(list, shape, isNamed);
};

/**
 * A mask of exactly one zero or one per element.
 * @param {Found} found
 * @param {readonly number[]} shape
 * @param {string} what How messages call it.
 * @returns {Plan}
 */
const asMask = ({ shape: own, data }, shape, what) => {
  if (!sameShape(own, shape)) {
    throw new ShapeError(`a mask of shape ${formatShape(own)} does not fit: ${formsFor(shape)}`);
  }
  const mask = new Uint8Array(data.length);
  for (let i = 0; i < mask.length; i++) {
    const entry = /** @type {number} */ (data[i]);
    if (entry !== 0 && entry !== 1) {
      throw new TypeError(
        `a mask must hold zeros and ones only, entry ${i} of ${what} is ${describe(entry)}`,
      );
    }
    mask[i] = entry;
  }
  return { kind: 'mask', mask };
};

/** @param {readonly unknown[]} list @param {readonly number[]} shape @param {Limits} limits */
const holdsBooleans = (list, shape, limits) => {
  /** @type {unknown} */
  let leaf = list;
  for (let depth = 0; Array.isArray(leaf) && depth <= limits.maxRank; depth++) leaf = leaf[0];
  return typeof leaf === 'boolean' || (leaf === undefined && sizeOf(shape) === 0);
};

/**
 * An explicit mask: a tensor, nested booleans, or nested zeros and ones of the shape, or a typed or
 * flat array with one entry per element.
 * @param {unknown} mask
 * @param {readonly number[]} shape
 * @param {Instance} instance
 * @returns {Plan}
 */
export const readMask = (mask, shape, instance) => {
  const { bridge } = instance;
  if (mask instanceof Tensor) {
    Resource.handleOf(instance, mask);
    return asMask({ shape: mask.shape, data: mask.view() }, shape, `the ${mask.label}`);
  }
  if (!isList(mask)) {
    throw new TypeError(`a mask must be nested arrays or a tensor, got ${describe(mask)}`);
  }
  if (isTyped(mask)) return readTypedMask(mask, shape);
  const bytes = (/** @type {number} */ size) => new Uint8Array(size);
  const found = holdsBooleans(/** @type {unknown[]} */ (mask), shape, bridge)
    ? flattenNested(mask, 'boolean', bytes, 'mask', bridge)
    : readValues(mask, undefined, 'mask', bridge);
  const isFlat = found.shape.length === 1 && found.data.length === sizeOf(shape);
  return asMask(isFlat ? { shape, data: found.data } : found, shape, 'the mask');
};

/** @param {import('../base/check.js').NumericArray} typed @param {readonly number[]} shape */
const readTypedMask = (typed, shape) => {
  if (typed.length !== sizeOf(shape)) {
    throw new ShapeError(`a mask of ${typed.length} entries does not fit: ${formsFor(shape)}`);
  }
  return asMask({ shape, data: typed }, shape, describe(typed));
};

/**
 * Integers wider than a byte are indices, as toIndices gives them; bytes and reals are masks, as
 * toMask and the comparison ops give them.
 * @param {import('../base/check.js').NumericArray} typed
 * @param {readonly number[]} shape
 * @returns {Plan}
 */
export const readTyped = (typed, shape) => {
  const isIndexList =
    typed instanceof Uint32Array ||
    typed instanceof Int32Array ||
    typed instanceof Uint16Array ||
    typed instanceof Int16Array;
  return isIndexList ? readFlatIndices(typed, shape) : readTypedMask(typed, shape);
};

/**
 * An array that is not named: nested booleans are a mask, numbers are indices.
 * @param {readonly unknown[]} list
 * @param {readonly number[]} shape
 * @param {Instance} instance
 * @returns {Plan}
 */
export const readArray = (list, shape, instance) => {
  if (list.length === 0) return { kind: 'indices', indices: new Uint32Array() };
  if (typeof list[0] !== 'number' && holdsBooleans(list, shape, instance.bridge)) {
    const bytes = (/** @type {number} */ size) => new Uint8Array(size);
    const found = flattenNested(list, 'boolean', bytes, 'mask', instance.bridge);
    return asMask(found, shape, 'the mask');
  }
  return readIndices(list, shape, false);
};
