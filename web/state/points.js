/** Reads measured points: a table of x, y and perhaps sigma. Errors say what is wrong and where. */

import { Table } from '#table';
import { orProblem } from './own.js';

/** @typedef {import('./own.js').Own} Own */

/** What a person says of a table; what is undefined is found. `sigma` may be −1 for none. @typedef {{ header?: boolean, decimal?: '.' | ',', x?: number, y?: number, sigma?: number }} PointsChoice */

/**
 * The names of all columns and the indices of those taken: x, y and perhaps sigma.
 * @typedef {{ columns: string[], hasHeader: boolean, taken: number[] }} PointsReading
 */

export const MAX_POINTS = 2000;
const LEAST_POINTS = 4;

/** What headers call x, y and sigma. */
const CALLED = [
  /^x$/i,
  /^y$/i,
  /^(σ|±|([dsu±σ]|(err(or)?|sd|se|std|sigma|unc)[ _.]?)\(?y\)?|(y[ _.-]?|std[ _.]?|standard[ _.]?)?err(ors?)?|sigmas?|sd|se|sem|std(ev|[ _.]*dev)?|uncertainty|unsicherheit|fehler|standard(abweichung|fehler| deviation))$/i,
];

/** Returns the likely columns of x, y and perhaps sigma: by their names, else the first two of numbers. @param {Table} table */
function likelyColumns({ columns, nameColumn, hasHeader }) {
  const called = CALLED.map((form) =>
    columns.findIndex(({ name, short }) => hasHeader && (form.test(short) || form.test(name))),
  );
  const [x, y, sigma] = called;
  const free = columns.flatMap(({ isText }, i) =>
    isText || i === nameColumn || called.includes(i) ? [] : [i],
  );
  const [first = -1, second = -1] = [x, y].map((at) => (at >= 0 ? at : (free.shift() ?? -1)));
  return [first, second, sigma];
}

/**
 * @param {string} text
 * @param {PointsChoice} [choice]
 * @returns {{ own: Own, reading: PointsReading } | import('./own.js').OwnProblem}
 *   the points in the order of x: rows of x, y and perhaps sigma
 */
export const readPoints = (text, choice) => orProblem(() => pointsIn(text, choice));

/** @param {string} text @param {PointsChoice} [choice] @returns {ReturnType<typeof readPoints>} */
function pointsIn(text, { x, y, sigma, ...reading } = {}) {
  const table = new Table(text, reading);
  const count = table.rows.length;
  const likely = likelyColumns(table);
  const taken = [x, y, sigma]
    .map((chosen, i) => chosen ?? likely[i])
    .filter((at, i) => i < 2 || at >= 0);
  if (taken.includes(-1)) return { problem: 'oneColumn' };
  if (count < LEAST_POINTS) return { problem: 'fewPoints', count };
  if (count > MAX_POINTS) return { problem: 'manyPoints', count };
  const { columns } = table.numbers(taken);
  for (const [row, { line, cells }] of table.rows.entries()) {
    for (const [i, at] of taken.entries()) {
      const value = Math.fround(columns[i][row]);
      const isSigma = i === 2 && !(value > 0);
      if (Number.isFinite(value) && !isSigma) continue;
      const problem = isSigma ? 'sigma' : 'notANumber';
      return { problem, line, column: at + 1, given: cells[at].slice(0, 20) };
    }
  }
  const points = table.rows.map((_, row) => columns.map((values) => values[row]));
  points.sort(([a], [b]) => a - b);
  const own = { rows: count, cols: taken.length, values: Float32Array.from(points.flat()) };
  if (!isPoints(own)) return { problem: 'oneX' };
  const names = table.columns.map(({ name }) => name);
  return { own, reading: { columns: names, hasHeader: table.hasHeader, taken } };
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
