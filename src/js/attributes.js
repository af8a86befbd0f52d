// What ops are told beside their operands, from JavaScript's forms to the numbers that C takes.
import { readChoice, readFlag, readInteger, readIntegers, readOptions } from './check.js';
import { IndexError, ShapeError } from './errors.js';

/**
 * Attributes of a reduction: [keepDims, axis…], no axes meaning all.
 * @param {unknown} axis
 * @param {unknown} keepDims
 */
export const reduction = (axis, keepDims) => {
  const kept = readFlag(keepDims, 'keepDims') ? 1 : 0;
  if (axis === undefined || axis === null) return [kept];
  if (typeof axis === 'number') return [kept, readInteger(axis, 'axis')];
  const axes = readIntegers(axis, 'axis');
  if (axes.length === 0) {
    throw new IndexError('axis is an empty list: leave it out to reduce over all axes');
  }
  return [kept, ...axes];
};

/**
 * Attributes of a matrix product: [transposeA, transposeB].
 * @param {unknown} options
 */
export const transposes = (options) => {
  const known = ['transposeA', 'transposeB'];
  const { transposeA = false, transposeB = false } = readOptions(options, known, 'matMul options');
  return [readFlag(transposeA, 'transposeA') ? 1 : 0, readFlag(transposeB, 'transposeB') ? 1 : 0];
};

/**
 * Attributes of a slice: [begin…, size…], one of each per axis. Axes that are left out are taken whole.
 * @param {number} rank
 * @param {unknown} begin
 * @param {unknown} size
 */
export const box = (rank, begin, size) => {
  const from =
    typeof begin === 'number' ? [readInteger(begin, 'begin')] : readIntegers(begin, 'begin');
  const count = typeof size === 'number' ? [readInteger(size, 'size')] : readIntegers(size, 'size');
  if (from.length > rank || count.length > rank) {
    throw new ShapeError(
      `slice takes up to ${rank} begins and sizes for rank ${rank}, got ${from.length} and ${count.length}`,
    );
  }
  while (from.length < rank) from.push(0);
  while (count.length < rank) count.push(-1);
  return [...from, ...count];
};

/**
 * What duplicates among indices mean: 0 nothing, so they are refused, 1 that the last counts, 2 their sum.
 * @param {unknown} duplicates
 */
export const readDuplicates = (duplicates) =>
  duplicates === undefined ? 0 : 1 + readChoice(duplicates, 'duplicates', ['last', 'sum']);

/**
 * Attributes of an order: [axis, descending].
 * @param {unknown} options
 * @param {string} op
 */
export const order = (options, op) => {
  const { axis = -1, direction = 'ASCENDING' } = readOptions(
    options,
    ['axis', 'direction'],
    `${op} options`,
  );
  return [
    readInteger(axis, 'axis'),
    readChoice(direction, 'direction', ['ASCENDING', 'DESCENDING']),
  ];
};
