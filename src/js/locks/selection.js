// Selections of elements of a shape, in all their forms, read into a plain plan before anything in
// C changes. Refuses to guess: a mask has the variable's shape, rows and columns are named, nothing
// is broadcast.
import {
  describe,
  flatten,
  formatShape,
  isList,
  isTyped,
  readIntegers,
  readWords,
  sameShape,
  sizeOf,
} from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { flattenNested } from '../base/nested.js';
import { FORMS, readFlatIndices, readNamed } from './selection-named.js';

/** @typedef {import('../base/nested.js').NestedBooleans} NestedBooleans */
/** @typedef {import('../base/nested.js').Limits} Limits */
/** @typedef {(value: number, index: number) => boolean} Predicate */
/**
 * A lock set as JSON: the flat indices of its locked elements, or where they are many, its bytes in
 * base64.
 * @typedef {{ version?: number, shape: readonly number[], indices: readonly number[],
 *   packed?: never } | { version: number, shape: readonly number[], packed: string, indices?: never
 *   }} LockSetJSON
 */

/**
 * - `'all'`: every element
 * - `[[true, false], …]`: nested booleans of exactly the variable's shape
 * - `Uint8Array`, `Float32Array`, …: a mask of 0 and 1 with one entry per element
 * - `[[0, 1], …]`: a list of indices, one number per axis
 * - `[0, 5, …]`, `Uint32Array`, `Int32Array`: a list of flat (row-major) indices
 * - `{ rows }`, `{ slice }`, …: places by name, see NamedSelection
 * - `{ topK: { k | fraction, by, largest, gradient } }`: the first by magnitude, value or gradient,
 *   exactly as many
 * - `{ where: { above, below, by, gradient } }`: what lies between limits
 * - `{ random: { k | fraction, seed } }`: exactly as many by chance
 * - `(value, index) => boolean`: a predicate over values and flat indices
 * - another lock set of the same shape, or what its `toJSON` gave
 * @typedef {'all' | NestedBooleans | Uint8Array | Uint8ClampedArray | Int8Array | Float32Array |
 *   Float64Array | readonly number[] | readonly ArrayLike<number>[] | Uint16Array | Int16Array |
 *   Uint32Array | Int32Array | import('./selection-named.js').NamedSelection |
 *   import('./selection-choice.js').Choice | Predicate | LockSetJSON} PlainSelection
 */

/**
 * @typedef {{ kind: 'all' } | { kind: 'mask', mask: Uint8Array } | { kind: 'indices',
 *   indices: Uint32Array } | { kind: 'axis', axis: number, indices: Uint32Array } |
 *   { kind: 'slice', start: number[], stop: number[] } | { kind: 'choice',
 *   choice: import('./selection-choice.js').ChoicePlan } | { kind: 'packed', bytes: Uint8Array,
 *   shape: readonly number[] }} Plan
 */

/** @param {readonly number[]} shape */
const formsFor = (shape) => {
  const size = sizeOf(shape);
  return (
    `shape ${formatShape(shape)} takes booleans nested to that shape, a mask of ${size} zeros and ones in a ` +
    `Uint8Array, a list of indices of ${shape.length} numbers each, or a list of flat indices`
  );
};

/**
 * @param {unknown} selection
 * @param {readonly number[]} shape
 * @param {import('../tensors/tensor.js').Tensor | null} variable Whose values a predicate is asked
 *   about; null where there is none.
 * @param {Limits} limits
 * @returns {Plan}
 */
export const readSelection = (selection, shape, variable, limits) => {
  if (selection === 'all') return { kind: 'all' };
  if (typeof selection === 'function') return readPredicate(selection, variable);
  if (isTyped(selection)) return readTyped(selection, shape);
  if (Array.isArray(selection)) return readArray(selection, shape, limits);
  if (typeof selection === 'object' && selection !== null) return readNamed(selection, shape);
  throw new TypeError(`a selection must be ${FORMS}, got ${describe(selection)}`);
};

/**
 * @param {Function} predicate
 * @param {import('../tensors/tensor.js').Tensor | null} variable
 * @returns {Plan}
 */
const readPredicate = (predicate, variable) => {
  if (!variable) throw noValues('a predicate');
  const data = variable.data();
  const mask = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const answer = predicate(data[i], i);
    if (typeof answer !== 'boolean') {
      throw new TypeError(
        `the predicate must return true or false, it returned ${describe(answer)} for index ${i}`,
      );
    }
    mask[i] = answer ? 1 : 0;
  }
  return { kind: 'mask', mask };
};

/** @param {string} what */
export const noValues = (what) =>
  new TypeError(
    `${what} needs values to look at, which a lock set alone does not have: select on a variable`,
  );

/**
 * Integers wider than a byte are indices, as toIndices gives them; bytes and reals are masks, as
 * toMask and the comparison ops give them.
 * @param {import('../base/check.js').NumericArray} typed
 * @param {readonly number[]} shape
 * @returns {Plan}
 */
const readTyped = (typed, shape) => {
  const isIndexList =
    typed instanceof Uint32Array ||
    typed instanceof Int32Array ||
    typed instanceof Uint16Array ||
    typed instanceof Int16Array;
  if (isIndexList) return readFlatIndices(typed, shape);
  if (typed.length !== sizeOf(shape)) {
    throw new ShapeError(`a mask of ${typed.length} entries does not fit: ${formsFor(shape)}`);
  }
  const mask = new Uint8Array(typed.length);
  for (let i = 0; i < mask.length; i++) {
    const entry = /** @type {number} */ (typed[i]);
    if (entry !== 0 && entry !== 1) {
      throw new TypeError(
        `a mask must hold zeros and ones only, entry ${i} of the ${describe(typed)} is ${describe(entry)}`,
      );
    }
    mask[i] = entry;
  }
  return { kind: 'mask', mask };
};

/**
 * @param {readonly unknown[]} list
 * @param {readonly number[]} shape
 * @param {Limits} limits
 * @returns {Plan}
 */
const readArray = (list, shape, limits) => {
  if (list.length === 0) return { kind: 'indices', indices: new Uint32Array() };
  if (typeof list[0] === 'number') return readFlatIndices(list, shape);
  /** @type {unknown} */
  let leaf = list;
  for (let depth = 0; Array.isArray(leaf) && depth <= limits.maxRank; depth++) leaf = leaf[0];
  if (typeof leaf === 'boolean' || (leaf === undefined && sizeOf(shape) === 0)) {
    const found = flattenNested(list, 'boolean', (n) => new Uint8Array(n), 'mask', limits);
    if (!sameShape(found.shape, shape)) {
      throw new ShapeError(
        `a mask of shape ${formatShape(found.shape)} does not fit: ${formsFor(shape)}`,
      );
    }
    return { kind: 'mask', mask: found.data };
  }
  return readIndexTuples(list, shape);
};

/**
 * @param {readonly unknown[]} list
 * @param {readonly number[]} shape
 * @returns {Plan}
 */
const readIndexTuples = (list, shape) => {
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
    return flatten(index, shape);
  });
  return { kind: 'indices', indices };
};
