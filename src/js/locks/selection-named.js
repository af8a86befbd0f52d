// Named selections (FORMS), the result of a lock set's toJSON, and those of selection-choice.js.
// Each is read into a checked plan.
import {
  describe,
  formatShape,
  fromEnd,
  isList,
  ownProperties,
  readEach,
  readInteger,
  readIntegers,
  sameShape,
} from '../base/check.js';
import { FormatError, IndexError, ShapeError } from '../base/errors.js';
import { bytesOf } from '../base/text.js';
import { isChoice, readChoicePlan } from './selection-choice.js';
import { readFlatIndices, readIndices, readMask } from './selection-lists.js';

/** @import { Plan } from './selection.js' */
/**
 * Indices that follow from the shape:
 * - `{ indices }`: a list of indices; `{ mask }`: one 0 or 1, or boolean, per element
 * - `{ rows }`, `{ cols }`: of a matrix; `{ axis, indices }`: of any rank
 * - `{ slice: [[start, stop], …] }`: a box, one range per axis. Here and above negative indices
 *   count from the end, as in NumPy
 * - `{ diagonal: k }`: of a matrix; 0 is the main one, 1 that above it, -1 that below it, as in
 *   NumPy
 * @typedef {{ indices: ArrayLike<number> | readonly ArrayLike<number>[], shape?: never,
 *   axis?: never } | { mask: import('../base/nested.js').NestedBooleans |
 *   import('../base/nested.js').NestedNumbers | import('../base/check.js').NumericArray |
 *   import('../tensors/tensor.js').Tensor } |
 *   { rows: ArrayLike<number> } | { cols: ArrayLike<number> } |
 *   { axis: number, indices: ArrayLike<number> } |
 *   { slice: readonly (readonly [number, number])[] } | { diagonal: number }} NamedSelection
 */

/** The forms of a selection, for messages. */
export const FORMS =
  "'all', nested booleans, a Uint8Array or tensor mask, a list of indices, { mask }, { indices }, { rows }, { cols }, { axis, indices }, " +
  '{ slice }, { diagonal }, { topK }, { where }, { random }, a predicate or a lock set';

/**
 * @param {object} selection
 * @param {readonly number[]} shape
 * @param {import('../tensors/instance.js').Instance} instance
 * @returns {Plan}
 */
export const readNamed = (selection, shape, instance) => {
  const given = ownProperties(selection);
  const { rows, cols, axis, indices, mask, slice, diagonal, version, packed } = given;
  const ownShape = given.shape;
  const named = Object.keys(given).sort().join();
  if (isChoice(named)) return { kind: 'choice', choice: readChoicePlan(given) };
  switch (named) {
    case 'rows':
      return readMatrixLines(0, rows, 'rows', shape);
    case 'cols':
      return readMatrixLines(1, cols, 'cols', shape);
    case 'indices':
      return readIndices(indices, shape);
    case 'mask':
      return readMask(mask, shape, instance);
    case 'axis,indices':
      return readAxis(axis, indices, shape);
    case 'slice':
      return readSlice(slice, shape);
    case 'diagonal':
      return readDiagonal(diagonal, shape);
    case 'indices,shape':
      return readSaved(ownShape, indices, shape);
    case 'indices,shape,version':
      checkVersion(version);
      return readSaved(ownShape, indices, shape);
    case 'packed,shape,version':
      checkVersion(version);
      return readPacked(ownShape, packed, shape);
    default: {
      const keys = Object.keys(given).join(', ');
      throw new TypeError(
        `a selection must be ${FORMS}, got ${describe(selection)}${keys ? ` with ${keys}` : ''}`,
      );
    }
  }
};

/**
 * @param {number} axis
 * @param {unknown} lines
 * @param {'rows' | 'cols'} name
 * @param {readonly number[]} shape
 * @returns {Plan}
 */
const readMatrixLines = (axis, lines, name, shape) => {
  if (shape.length !== 2) {
    throw new ShapeError(
      `{ ${name} } needs rank 2, shape ${formatShape(shape)} has rank ${shape.length}: use { axis, indices }`,
    );
  }
  return { kind: 'axis', axis, indices: readLines(lines, name, axis, shape) };
};

/**
 * @param {unknown} axis
 * @param {unknown} indices
 * @param {readonly number[]} shape
 * @returns {Plan}
 */
const readAxis = (axis, indices, shape) => {
  const given = readInteger(axis, 'axis');
  const from = given < 0 ? given + shape.length : given;
  if (from < 0 || from >= shape.length) {
    throw new IndexError(`axis ${given} is out of range for shape ${formatShape(shape)}`);
  }
  return { kind: 'axis', axis: from, indices: readLines(indices, 'indices', from, shape) };
};

/**
 * @param {unknown} list
 * @param {string} name
 * @param {number} axis
 * @param {readonly number[]} shape
 */
const readLines = (list, name, axis, shape) => {
  const size = Number(shape[axis]);
  const given = readIntegers(list, name);
  return Uint32Array.from(given, (index, i) => {
    const at = fromEnd(index, size);
    if (at >= 0 && at < size) return at;
    throw new IndexError(
      `${name}[${i}] is ${index}, out of range for axis ${axis} of shape ${formatShape(shape)}`,
    );
  });
};

/** @param {unknown} ranges @param {readonly number[]} shape @returns {Plan} */
const readSlice = (ranges, shape) => {
  if (!isList(ranges)) {
    throw new TypeError(`slice must be an array of [start, stop] pairs, got ${describe(ranges)}`);
  }
  const pairs = readEach(ranges, 'slice', (range, axis) => {
    const pair = readIntegers(range, `slice[${axis}]`);
    if (pair.length !== 2) {
      throw new ShapeError(`slice[${axis}] must be [start, stop], got ${formatShape(pair)}`);
    }
    return /** @type {[number, number]} */ (pair);
  });
  if (pairs.length !== shape.length) {
    throw new ShapeError(
      `slice has ${pairs.length} ranges, shape ${formatShape(shape)} has ${shape.length} axes`,
    );
  }
  const ends = pairs.map((pair, axis) => pair.map((at) => fromEnd(at, Number(shape[axis]))));
  for (const [axis, [start = 0, stop = 0]] of ends.entries()) {
    const size = Number(shape[axis]);
    if (start > stop) {
      throw new IndexError(
        `slice[${axis}] is reversed: ${formatShape(pairs[axis] ?? [])} starts after its stop; write [${stop}, ${start}]`,
      );
    }
    if (start < 0 || stop > size) {
      throw new IndexError(
        `slice[${axis}] is ${formatShape(pairs[axis] ?? [])}, out of range for axis ${axis} of shape ${formatShape(shape)}`,
      );
    }
  }
  return {
    kind: 'slice',
    start: ends.map(([start]) => Number(start)),
    stop: ends.map(([, stop]) => Number(stop)),
  };
};

/**
 * @param {unknown} diagonal 0 is the main one, above it they count up, below it down.
 * @param {readonly number[]} shape
 * @returns {Plan}
 */
const readDiagonal = (diagonal, shape) => {
  const [rows = 0, cols = 0] = shape;
  const k = readInteger(diagonal, 'diagonal');
  if (shape.length !== 2) {
    throw new ShapeError(
      `{ diagonal } needs rank 2, shape ${formatShape(shape)} has rank ${shape.length}`,
    );
  }
  if (k !== 0 && (k <= -rows || k >= cols)) {
    throw new IndexError(`diagonal ${k} is out of range for shape ${formatShape(shape)}`);
  }
  const first = Math.max(0, -k);
  const length = Math.min(rows - first, cols - Math.max(0, k));
  const indices = Uint32Array.from({ length }, (_, i) => (first + i) * (cols + 1) + k);
  return { kind: 'indices', indices };
};

/** Version of the result of a lock set's toJSON. */
export const JSON_VERSION = 1;

/** @param {unknown} version */
const checkVersion = (version) => {
  if (version === JSON_VERSION) return;
  throw new FormatError(
    `the lock set has format version ${describe(version)}, this library reads version ${JSON_VERSION}`,
  );
};

/**
 * @param {unknown} ownShape
 * @param {unknown} packed
 * @param {readonly number[]} shape
 * @returns {Plan}
 */
const readPacked = (ownShape, packed, shape) => {
  readSaved(ownShape, [], shape);
  if (typeof packed !== 'string') {
    throw new TypeError(`packed must be a string, got ${describe(packed)}`);
  }
  let text = '';
  try {
    text = atob(packed);
  } catch {
    throw new FormatError('packed is not base64 text');
  }
  return { kind: 'packed', shape, bytes: bytesOf(text) };
};

/**
 * @param {unknown} ownShape
 * @param {unknown} indices
 * @param {readonly number[]} shape
 * @returns {Plan}
 */
const readSaved = (ownShape, indices, shape) => {
  const saved = readIntegers(ownShape, 'shape');
  if (!sameShape(saved, shape)) {
    throw new ShapeError(
      `a lock set of shape ${formatShape(saved)} does not fit shape ${formatShape(shape)}`,
    );
  }
  if (!isList(indices)) throw new TypeError(`indices must be an array, got ${describe(indices)}`);
  return readFlatIndices(indices, shape);
};
