// Reads the data of a curve: predictors, responses and their standard deviations. A row that
// cannot be used is named. Values are copied, so that a result can compute with them later.
import { describe, isList, isRecord, optionError, readEach, typeError } from '../base/check.js';
import { OptionError, ShapeError } from '../base/errors.js';

/** @import { Gradlock } from '../gradlock.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/**
 * Numbers of a column: an array, a typed array or a tensor of shape [n].
 * @typedef {ArrayLike<number> | Tensor} Numbers
 */
/**
 * Predictors: one column, or several by their names, as the model gets them.
 * @typedef {Numbers | Readonly<Record<string, Numbers>>} Predictors
 */
/** @typedef {Float64Array<ArrayBuffer>} Column */
/** @typedef {Column | Record<string, Column>} Columns */

/** How an instance rounds numbers. @param {Gradlock} g @returns {(value: number) => number} */
export const roundingOf = (g) => {
  const data = /** @type {object} */ (g.tidy(() => g.tensor([0]).data()));
  return data instanceof Float64Array ? Number : Math.fround;
};

/** @param {string} what @param {number} value */
const beyondF32 = (what, value) =>
  new OptionError(
    `${what} is ${value}, and f32 has magnitudes from 1.4e-45 to 3.4e38: choose another unit, or gradlock/double`,
  );

/**
 * Numbers that are finite in an instance's precision.
 * @param {Gradlock} g
 * @param {unknown} given
 * @param {string} what
 * @returns {Column}
 */
const readColumn = (g, given, what) => {
  const tensor = /** @type {any} */ (given);
  const isTensor = Array.isArray(tensor?.shape) && typeof tensor.data === 'function';
  if (isTensor && tensor.shape.length !== 1) {
    throw new ShapeError(`${what} must have shape [n], got [${tensor.shape.join(', ')}]`);
  }
  const list = isTensor ? tensor.data() : given;
  if (!isList(list)) throw typeError(what, 'an array of numbers or a tensor', given);
  const round = roundingOf(g);
  const numbers = readEach(list, what, (value, i) => {
    if (typeof value !== 'number') throw typeError(`${what}[${i}]`, 'a number', value);
    if (!Number.isFinite(value)) {
      throw new OptionError(`${what}[${i}] is ${describe(value)}: leave row ${i} out, or mend it`);
    }
    if (!Number.isFinite(round(value))) throw beyondF32(`${what}[${i}]`, value);
    return value;
  });
  return Float64Array.from(numbers);
};

/** @param {Gradlock} g @param {unknown} given @returns {{ columns: Columns, count: number }} */
export const readPredictors = (g, given) => {
  const isNamed = isRecord(given) && !('data' in given && 'shape' in given);
  if (!isNamed) {
    const columns = readColumn(g, given, 'x');
    return { columns, count: columns.length };
  }
  const pairs = Object.entries(given);
  const columns = pairs.map(
    ([name, column]) => /** @type {const} */ ([name, readColumn(g, column, `x.${name}`)]),
  );
  const count = columns[0]?.[1].length;
  if (count === undefined) throw new OptionError('x has no columns');
  for (const [name, column] of columns) checkCount(column, count, `x.${name}`);
  return { columns: Object.fromEntries(columns), count };
};

/** @param {Column} column @param {number} count @param {string} what */
const checkCount = (column, count, what) => {
  if (column.length === count) return;
  throw new ShapeError(`${what} has ${column.length} values, expected ${count}, one for each row`);
};

/** @param {Gradlock} g @param {unknown} given @param {number} count */
export const readResponses = (g, given, count) => {
  const column = readColumn(g, given, 'y');
  checkCount(column, count, 'y');
  return column;
};

/**
 * Standard deviations: one for all rows, or one for each.
 * @param {Gradlock} g
 * @param {unknown} given
 * @param {number} count
 * @returns {number | Column | undefined}
 */
export const readSigma = (g, given, count) => {
  if (given === undefined) return undefined;
  const round = roundingOf(g);
  /** @param {number} value @param {string} what */
  const check = (value, what) => {
    if (!(value > 0) || value === Infinity) throw optionError(what, 'above 0 and finite', value);
    const rounded = round(value);
    if (rounded === 0 || rounded === Infinity) throw beyondF32(what, value);
  };
  if (typeof given === 'number') {
    check(given, 'sigma');
    return given;
  }
  const column = readColumn(g, given, 'sigma');
  checkCount(column, count, 'sigma');
  column.forEach((value, i) => void check(value, `sigma[${i}]`));
  return column;
};

/** Columns as tensors. @param {Gradlock} g @param {Columns} columns @returns {any} */
export const tensorsOf = (g, columns) =>
  columns instanceof Float64Array
    ? g.tensor(columns)
    : Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, g.tensor(column)]));
