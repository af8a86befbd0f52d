// Selections of a shape, in all forms, read into a plain plan before anything in C changes. Refuses
// to guess: a mask has the variable's shape, rows and columns are named, nothing is broadcast.
import { describe, isTyped } from '../base/check.js';
import { Tensor } from '../tensors/tensor.js';
import { readArray, readMask, readTyped } from './selection-lists.js';
import { FORMS, readNamed } from './selection-named.js';

/** @import { NestedBooleans } from '../base/nested.js' */
/** @import { Instance } from '../tensors/instance.js' */
/** @typedef {(value: number, index: number) => boolean} Predicate */
/**
 * A lock set as JSON: flat indices of its locked elements or, if many, its bytes in base64.
 * @typedef {{ version?: number, shape: readonly number[], indices: readonly number[],
 *   packed?: never } | { version: number, shape: readonly number[], packed: string, indices?: never
 *   }} LockSetJSON
 */

/**
 * - `'all'`: every element
 * - `[[true, false], …]`: nested booleans of exactly the variable's shape
 * - `Uint8Array`, `Float32Array`, …: a mask of 0 and 1 with one entry per element
 * - a tensor of zeros and ones of exactly the variable's shape: a mask
 * - `{ mask }`: any of these, or nested zeros and ones
 * - `[[0, 1], …]`: a list of indices, one number per axis; -1 counts from the end, as in NumPy
 * - `[0, 5, …]`, `Uint32Array`, `Int32Array`: a list of flat (row-major) indices. `[0, 5]` is two
 *   elements, `[[0, 5]]` is one.
 * - `{ indices }`: either list. A list of 0 and 1 that could be a mask, too, must say which it is
 * - `{ rows }`, `{ slice }`, …: named selections, see NamedSelection
 * - `{ topK: { k | fraction, by, largest, gradient } }`: exactly `k` elements, the first by
 *   magnitude, value or gradient
 * - `{ where: { above, below, by, gradient } }`: elements between limits
 * - `{ random: { k | fraction, seed } }`: exactly `k` random elements
 * - `(value, index) => boolean`: a predicate over values and flat indices
 * - another lock set of the same shape, or the result of its `toJSON`
 * @typedef {'all' | NestedBooleans | Uint8Array | Uint8ClampedArray | Int8Array | Float32Array |
 *   Float64Array | readonly number[] | readonly ArrayLike<number>[] | Uint16Array | Int16Array |
 *   Uint32Array | Int32Array | Tensor | import('./selection-named.js').NamedSelection |
 *   import('./selection-choice.js').Choice | Predicate | LockSetJSON} PlainSelection
 */

/**
 * @typedef {{ kind: 'all' } | { kind: 'mask', mask: Uint8Array } | { kind: 'indices',
 *   indices: Uint32Array } | { kind: 'axis', axis: number, indices: Uint32Array } |
 *   { kind: 'slice', start: number[], stop: number[] } | { kind: 'choice',
 *   choice: import('./selection-choice.js').ChoicePlan } | { kind: 'packed', bytes: Uint8Array,
 *   shape: readonly number[] }} Plan
 */

/**
 * @param {unknown} selection
 * @param {readonly number[]} shape
 * @param {import('../tensors/tensor.js').Tensor | null} variable The variable whose values a
 *   predicate tests; null if there is none.
 * @param {Instance} instance
 * @returns {Plan}
 */
export const readSelection = (selection, shape, variable, instance) => {
  if (selection === 'all') return { kind: 'all' };
  if (typeof selection === 'function') return readPredicate(selection, variable);
  if (isTyped(selection)) return readTyped(selection, shape);
  if (Array.isArray(selection)) return readArray(selection, shape, instance);
  if (selection instanceof Tensor) return readMask(selection, shape, instance);
  if (typeof selection === 'object' && selection !== null) {
    return readNamed(selection, shape, instance);
  }
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
    `${what} needs values, which a lock set without a variable does not have: select on a variable`,
  );
