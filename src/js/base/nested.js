// Conversion of nested arrays to flat values and back. Refuses ragged arrays, and names the entry.
// Copies everything first, so that getters and proxies run before anything changes.
import {
  describe,
  expectMemory,
  formatShape,
  isList,
  isTyped,
  sameShape,
  sizeOf,
} from './check.js';
import { HandleError, ShapeError } from './errors.js';

/** @import { NumericArray } from './check.js' */
/** @typedef {readonly (number | NestedNumbers)[]} NestedNumbers */
/** @typedef {readonly (boolean | NestedBooleans)[]} NestedBooleans */
/** @typedef {number | NumericArray | NestedNumbers} Values */
/**
 * Numbers, nested as deep as a shape is long; `any` if the shape is not known.
 * @template Shape
 * @typedef {Shape extends readonly [number, ...infer Rest] ? ArrayOfShape<Rest>[] : Shape extends
 *   readonly [] ? number : any} ArrayOfShape
 */
/**
 * What `array()` returns for a tensor made of these values; `any` if their depth is not known.
 * @template Given
 * @typedef {[unknown] extends [Given] ? any : [NestedNumbers] extends [Given] ? any :
 *   Given extends number ? number : Given extends NumericArray ? number[] :
 *   Given extends { array(): infer Own } ? Own :
 *   Given extends readonly (infer Entry)[] ? ArrayOf<Entry>[] : any} ArrayOf
 */
/**
 * `Reals` is the array type of values.
 * @typedef {{ maxRank: number, maxElements: number, Reals: typeof Float32Array }} Limits
 */

/** @param {string} what @param {readonly number[]} path */
const pathOf = (what, path) => what + path.map((i) => `[${i}]`).join('');

/**
 * The sizes along the first entries. Copying checks that the other entries agree.
 * @param {ArrayLike<unknown>} nested
 * @param {string} what
 * @param {Limits} limits
 */
const leadingShape = (nested, what, limits) => {
  const shape = [];
  /** @type {unknown} */
  let level = nested;
  while (isList(level)) {
    if (shape.length === limits.maxRank) {
      throw new ShapeError(`${what} is nested deeper than the highest rank, ${limits.maxRank}`);
    }
    shape.push(level.length);
    if (level.length === 0) break;
    level = level[0];
  }
  if (sizeOf(shape) > limits.maxElements) {
    throw new ShapeError(
      `${what} of shape ${formatShape(shape)} holds more than ${limits.maxElements} elements`,
    );
  }
  return shape;
};

/**
 * Copy nested arrays, whose leaves are all numbers or all booleans, in row-major order.
 * @template {Float32Array | Uint8Array} T
 * @param {ArrayLike<unknown>} nested
 * @param {'number' | 'boolean'} leaf
 * @param {(size: number) => T} allocate
 * @param {string} what The name of the input in messages.
 * @param {Limits} limits
 * @returns {{ shape: number[], data: T }}
 */
export const flattenNested = (nested, leaf, allocate, what, limits) => {
  const shape = leadingShape(nested, what, limits);
  const data = allocate(sizeOf(shape));
  /** @type {number[]} */
  const path = [];
  let at = 0;

  /** @param {unknown} value @param {number} axis */
  const copy = (value, axis) => {
    if (axis === shape.length) {
      if (typeof value === leaf) {
        data[at++] = Number(value);
      } else if (isList(value)) {
        throw new ShapeError(
          `${pathOf(what, path)} is ${describe(value)} where its neighbours are ${leaf}s: ragged arrays have no shape`,
        );
      } else {
        throw new TypeError(`${pathOf(what, path)} must be a ${leaf}, got ${describe(value)}`);
      }
      return;
    }
    if (!isList(value)) {
      if (typeof value === leaf) {
        throw new ShapeError(
          `${pathOf(what, path)} is ${describe(value)} where its neighbours are arrays: ragged arrays have no shape`,
        );
      }
      throw new TypeError(`${pathOf(what, path)} must be an array, got ${describe(value)}`);
    }
    const { length } = value;
    if (length !== shape[axis]) {
      // The op, if messages begin with one, is named once.
      const input = String(what.split(': ').at(-1));
      const first = pathOf(input, new Array(axis).fill(0));
      throw new ShapeError(
        `${pathOf(what, path)} has length ${length}, but ${first} has length ${shape[axis]}: ` +
          'ragged arrays have no shape',
      );
    }
    for (let i = 0; i < length; i++) {
      path[axis] = i;
      copy(value[i], axis + 1);
    }
    path.length = axis;
  };

  copy(nested, 0);
  return { shape, data };
};

/**
 * Values with their shape: from a number, nested arrays, or a typed or flat array with a shape.
 * @param {unknown} values
 * @param {readonly number[] | undefined} shape
 * @param {string} what
 * @param {Limits} limits
 * @returns {{ shape: readonly number[], data: NumericArray }}
 */
export const readValues = (values, shape, what, limits) => {
  const found = readUnshaped(values, what, limits);
  if (!shape) return found;
  const isFlat = found.shape.length === 1 && found.data.length === sizeOf(shape);
  if (!isFlat && !sameShape(found.shape, shape)) {
    throw new ShapeError(
      `${what}: shape ${formatShape(found.shape)} (${found.data.length} values) ` +
        `does not fit shape ${formatShape(shape)} (${sizeOf(shape)} values)`,
    );
  }
  return { shape, data: found.data };
};

/**
 * @param {unknown} values
 * @param {string} what
 * @param {Limits} limits
 * @returns {{ shape: readonly number[], data: NumericArray }}
 */
const readUnshaped = (values, what, limits) => {
  if (typeof values === 'number') return { shape: [], data: limits.Reals.of(values) };
  if (isTyped(values)) {
    if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
      throw new TypeError(`${what} must hold numbers, got ${describe(values)}`);
    }
    expectMemory(values, what);
    return { shape: [values.length], data: values };
  }
  if (Array.isArray(values)) {
    return flattenNested(values, 'number', (size) => new limits.Reals(size), what, limits);
  }
  const given = describe(values);
  if (given.endsWith(' of another copy of gradlock')) {
    throw new HandleError(
      `${what} is ${given}: use tensors of one copy, since each copy has its own memory`,
    );
  }
  throw new TypeError(
    `${what} must be a tensor, a number, nested arrays of numbers or a typed array, got ${given}`,
  );
};

/**
 * Flat values as nested arrays; a number for rank 0.
 * @param {ArrayLike<number>} data
 * @param {readonly number[]} shape
 * @returns {number | NestedNumbers}
 */
export const toNested = (data, shape) => {
  let at = 0;
  /** @param {number} axis @returns {number | NestedNumbers} */
  const build = (axis) => {
    if (axis === shape.length) return Number(data[at++]);
    return Array.from({ length: Number(shape[axis]) }, () => build(axis + 1));
  };
  return build(0);
};
