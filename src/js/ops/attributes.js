// Attributes of ops: converts JavaScript's options to the numbers that C takes.
import {
  describe,
  isList,
  readChoice,
  readEach,
  readFlag,
  readInteger,
  readIntegers,
  readOptions,
} from '../base/check.js';
import { IndexError, ShapeError } from '../base/errors.js';

// The most common attributes, shared by all calls: a reduction over all axes to a scalar, a product
// of matrices without transposing.
/** @type {readonly number[]} */
const WHOLE = [0];
/** @type {readonly number[]} */
const PLAIN = [0, 0];

/** One integer or a list of them, as a list. @param {unknown} value @param {string} what */
const integers = (value, what) =>
  typeof value === 'number' ? [readInteger(value, what)] : readIntegers(value, what);

/** Read axes; without axes the op uses its default. @param {string} op @param {unknown} axis */
export const axes = (op, axis) => {
  if (axis === undefined || axis === null) return [];
  const list = integers(axis, `${op}: axis`);
  if (list.length > 0) return list;
  throw new IndexError(`${op}: axis is an empty list: leave it out to mean all axes`);
};

/**
 * Attributes of a reduction: [keepDims, axis…]. No axes mean all, or with 2 added to keepDims none.
 * @param {string} op
 * @param {unknown} axis
 * @param {unknown} keepDims
 */
export const reduction = (op, axis, keepDims = false) => {
  if (axis === undefined && keepDims === false) return WHOLE;
  const keep = readFlag(keepDims, `${op}: keepDims`) ? 1 : 0;
  if (axis === undefined || axis === null) return [keep];
  return [keep + 2, ...integers(axis, `${op}: axis`)];
};

/**
 * Attributes of a running sum: [axis, exclusive, reverse].
 * @param {unknown} axis
 * @param {unknown} exclusive
 * @param {unknown} reverse
 */
export const running = (axis = 0, exclusive = false, reverse = false) => [
  readInteger(axis, 'cumsum: axis'),
  readFlag(exclusive, 'cumsum: exclusive') ? 1 : 0,
  readFlag(reverse, 'cumsum: reverse') ? 1 : 0,
];

/** Attributes of a matrix product: [transposeA, transposeB]. @param {unknown} options */
export const transposes = (options) => {
  if (options === undefined) return PLAIN;
  const known = ['transposeA', 'transposeB'];
  const { transposeA = false, transposeB = false } = readOptions(options, known, 'matMul options');
  return [
    readFlag(transposeA, 'matMul: transposeA') ? 1 : 0,
    readFlag(transposeB, 'matMul: transposeB') ? 1 : 0,
  ];
};

/** One number, or [vertical, horizontal]. @param {unknown} value @param {string} what */
export const pairOf = (value, what) => {
  const pair = readIntegers(typeof value === 'number' ? [value, value] : value, what);
  if (pair.length === 2) return pair;
  throw new ShapeError(`${what} must be a number or a pair of numbers, got ${describe(value)}`);
};

/**
 * Attributes of windows: [same, strides…, two others].
 * @param {string} op
 * @param {unknown} strides
 * @param {unknown} pad
 * @param {readonly number[]} others
 */
export const windows = (op, strides = 1, pad = 'valid', others) => [
  readChoice(pad, `${op}: pad`, ['valid', 'same']),
  ...pairOf(strides, `${op}: strides`),
  ...others,
];

/**
 * Attributes of a slice: [begin…, size…], one of each per axis. Axes left out are whole.
 * @param {number} rank
 * @param {unknown} begin
 * @param {unknown} size
 */
export const box = (rank, begin, size = []) => {
  const from = integers(begin, 'slice: begin');
  const count = integers(size, 'slice: size');
  if (from.length > rank || count.length > rank) {
    throw new ShapeError(
      `slice takes up to ${rank} begins and sizes for rank ${rank}, got ${from.length} and ${count.length}`,
    );
  }
  while (from.length < rank) from.push(0);
  while (count.length < rank) count.push(-1);
  return [...from, ...count];
};

/** Attributes of an order: [axis, descending]. @param {unknown} options @param {string} op */
export const order = (options, op) => {
  const { axis = -1, direction = 'ASCENDING' } = readOptions(
    options,
    ['axis', 'direction'],
    `${op} options`,
  );
  return [
    readInteger(axis, `${op}: axis`),
    readChoice(direction, `${op}: direction`, ['ASCENDING', 'DESCENDING']),
  ];
};

/** Farther than any axis reaches. */
const BEYOND = Number.MAX_SAFE_INTEGER;

/**
 * Attributes of a strided slice: [begin…, end…, stride…], one an axis; axes left out are whole.
 * @param {number} rank
 * @param {unknown} begin
 * @param {unknown} end
 * @param {unknown} strides
 * @param {unknown} beginMask
 * @param {unknown} endMask
 */
export const stridedBox = (rank, begin, end, strides, beginMask = 0, endMask = 0) => {
  const from = integers(begin, 'stridedSlice: begin');
  const to = integers(end, 'stridedSlice: end');
  const steps =
    strides === undefined ? from.map(() => 1) : integers(strides, 'stridedSlice: strides');
  const openBegins = readInteger(beginMask, 'stridedSlice: beginMask');
  const openEnds = readInteger(endMask, 'stridedSlice: endMask');
  if (from.length > rank || to.length !== from.length || steps.length !== from.length) {
    throw new ShapeError(
      `stridedSlice takes one begin, end and stride for each axis, up to ${rank} for rank ${rank}, ` +
        `got ${from.length}, ${to.length} and ${steps.length}`,
    );
  }
  const given = from.length;
  for (let axis = 0; axis < rank; axis++) {
    const step = steps[axis] ?? 1;
    const far = step < 0 ? -BEYOND : BEYOND;
    steps[axis] = step;
    if (axis >= given || (openBegins >> axis) & 1) from[axis] = -far;
    if (axis >= given || (openEnds >> axis) & 1) to[axis] = far;
  }
  return [...from, ...to, ...steps];
};

/**
 * Paddings as C takes them: [before…, after…].
 * @param {string} op
 * @param {number} rank
 * @param {unknown} paddings
 */
export const paddingsOf = (op, rank, paddings) => {
  if (!isList(paddings)) {
    throw new TypeError(
      `${op}: paddings must be an array of pairs [before, after], got ${describe(paddings)}`,
    );
  }
  const pairs = readEach(paddings, `${op}: paddings`, (pair, axis) =>
    readIntegers(pair, `${op}: paddings[${axis}]`),
  );
  if (pairs.length !== rank || pairs.some((pair) => pair.length !== 2)) {
    throw new ShapeError(
      `${op} takes a pair [before, after] for each of ${rank} axes, ` +
        `got lists of ${pairs.map((pair) => pair.length).join(', ') || 'nothing'}`,
    );
  }
  return [...pairs.map(([before]) => Number(before)), ...pairs.map(([, behind]) => Number(behind))];
};

/** Attributes of a roll: pairs of shift and axis. @param {unknown} shift @param {unknown} axis */
export const shifts = (shift, axis) => {
  const by = integers(shift, 'roll: shift');
  const along = integers(axis, 'roll: axis');
  if (by.length !== along.length) {
    throw new ShapeError(
      `roll takes one shift for each axis, got ${by.length} shifts and ${along.length} axes`,
    );
  }
  return by.flatMap((distance, i) => [distance, Number(along[i])]);
};
