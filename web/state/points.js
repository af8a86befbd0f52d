/**
 * Reads a person's measured points: a table with columns x, y and, if known, sigma. Errors say what
 * is wrong, and in which line and column.
 */

import { groupTest, numberOf, tableOf } from './table.js';

/** @typedef {import('./own.js').Own} Own */

/**
 * The columns that were taken, from 1; `headers` is their number, `left` that of other columns.
 * @typedef {{ names: string[], headers: number, left: number }} PointsReading
 */

export const MAX_POINTS = 2000;
const LEAST_POINTS = 4;

/** What headers call a column. @type {RegExp[]} */
const CALLED = [/^x$/i, /^y$/i, /^(σ|sigma|error|err|dy|y ?err(or)?)$/i];

/** Returns the indices of x, y and perhaps sigma: by their names, else the first three. @param {string[]} names @param {number} count */
function columnsOf(names, count) {
  const found = CALLED.map((called) => names.findIndex((name) => called.test(name)));
  if (found[0] >= 0 && found[1] >= 0) return found.filter((at) => at >= 0);
  return [0, 1, 2].slice(0, count);
}

/**
 * @param {string} text
 * @returns {{ own: Own, reading: PointsReading } | import('./own.js').OwnProblem}
 *   the points in the order of x: rows of x, y and perhaps sigma
 */
export function readPoints(text) {
  if (text.includes('\0')) return { problem: 'binary' };
  const table = tableOf(text.replace(/^\ufeff/, ''));
  const all = table.rows;
  if (all.length === 0) return { problem: 'empty' };
  const isGrouped = groupTest(table);
  const [first] = all;
  const isHeader = first.cells.every((cell) => cell === '' || Number.isNaN(numberOf(cell)));
  const rows = isHeader ? all.slice(1) : all;
  const width = first.cells.length;
  if (width < 2) return { problem: 'oneColumn' };
  if (rows.length < LEAST_POINTS) return { problem: 'fewPoints', count: rows.length };
  if (rows.length > MAX_POINTS) return { problem: 'manyPoints', count: rows.length };
  const taken = columnsOf(isHeader ? first.cells : [], width);
  /** @type {number[][]} */
  const points = [];
  for (const { line, cells } of rows) {
    if (cells.length !== width) {
      return { problem: 'ragged', line, count: cells.length, wanted: width };
    }
    const point = [];
    for (const [i, index] of taken.entries()) {
      const [given, column] = [cells[index], index + 1];
      const value = numberOf(given);
      if (given === '') return { problem: 'noCell', line, column };
      if (isGrouped(given)) return { problem: 'grouped', line, column, given };
      if (!Number.isFinite(Math.fround(value))) {
        return { problem: 'notANumber', line, column, given: given.slice(0, 20) };
      }
      if (i === 2 && !(Math.fround(value) > 0)) return { problem: 'sigma', line, column, given };
      point.push(value);
    }
    points.push(point);
  }
  points.sort(([a], [b]) => a - b);
  const own = { rows: rows.length, cols: taken.length, values: Float32Array.from(points.flat()) };
  if (!isPoints(own)) return { problem: 'oneX' };
  const names = taken.map((index) => (isHeader ? first.cells[index] : String(index + 1)));
  return { own, reading: { names, headers: Number(isHeader), left: width - taken.length } };
}

/** Returns true for points that a fit can use: in the order of x, which is not the same for all, and sigma above 0. @param {any} value @returns {value is Own} */
export function isPoints(value) {
  const { rows, cols, values } = value ?? {};
  if (!Number.isInteger(rows) || rows < LEAST_POINTS || rows > MAX_POINTS) return false;
  if (value.rowNames || value.colNames) return false;
  if (![2, 3].includes(cols) || !(values instanceof Float32Array)) return false;
  if (values.length !== rows * cols || !values.every(Number.isFinite)) return false;
  const column = (/** @type {number} */ at) => values.filter((_, i) => i % cols === at);
  const x = column(0);
  return (
    x.every((one, i) => i === 0 || one >= x[i - 1]) &&
    x[rows - 1] > x[0] &&
    (cols === 2 || column(2).every((sigma) => sigma > 0))
  );
}
