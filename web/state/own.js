/**
 * Reads a person's data: numbers as text, or an image as cells. Empty cells are gaps. Errors say what
 * is wrong and where.
 */

import { Table, TableError } from '#table';
import { isFloat } from './history.js';

/**
 * @typedef {object} Own
 * @property {number} rows
 * @property {number} cols
 * @property {Float32Array} values  rows × cols; finite, or NaN for a gap
 * @property {string[]} [rowNames]  of all rows, if the table names them
 * @property {string[]} [colNames]  likewise
 */

/**
 * The problem and its position: lines as in an editor, or rows; columns from the left; both from 1.
 * @typedef {{ problem: 'empty' | 'ragged' | 'quote' | 'header' | 'notANumber' | 'grouped' | 'decimals' | 'noCell' | 'tooLarge' | 'tooSmall'
 *   | 'json' | 'jsonShape' | 'binary' | 'oneColumn' | 'oneX' | 'fewPoints' | 'manyPoints' | 'sigma',
 *   line?: number, isRow?: boolean, column?: number, given?: string, count?: number, wanted?: number }} OwnProblem
 */

/** What a person says of a table; what is undefined is found. `names`: the column that names rows, −1 for none. @typedef {{ header?: boolean, decimal?: '.' | ',', names?: number }} CellChoice */
/** The divisor of the numbers; and of a table, its columns and how it was read. @typedef {{ divisor: number, columns?: string[], hasHeader?: boolean, names?: number }} Reading */
/** @typedef {{ own: Own, reading: Reading } | OwnProblem} Result */

export const MAX_OWN_SIDE = 128;
/** Numbers whose largest is in this range train well at usual rates. */
const FAIR = [0.25, 2];
/** Beyond this, 32-bit losses and Adam's epsilon fail, so numbers are divided. */
const USABLE = [1e-5, 1e7];
/** The most characters of a name. */
const MOST_LETTERS = 32;

/** Reads CSV, copied spreadsheet cells, or JSON. @param {string} text @param {CellChoice} [choice] @returns {Result} */
export function readNumbers(text, choice) {
  return /^\s*[[{]/.test(text) ? readJson(text) : orProblem(() => readTable(text, choice));
}

/** Returns what is wrong with a table as a problem with its position. @template T @param {() => T} read @returns {T | OwnProblem} */
export function orProblem(read) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    const { name: _, given, ...where } = error.where;
    const noNumber = ['percent', 'date', 'noDate', 'dateOrder', 'zones'];
    const isNoNumber = noNumber.includes(error.problem);
    const alike = error.problem === 'noData' ? 'empty' : error.problem;
    const problem = /** @type {OwnProblem['problem']} */ (isNoNumber ? 'notANumber' : alike);
    return { problem, ...where, ...(given !== undefined && { given: given.slice(0, 20) }) };
  }
}

/**
 * Reads rows of numbers. Empty cells are gaps. The header names columns; a column of words, years,
 * dates or row numbers names rows.
 * @param {string} text
 * @param {CellChoice} [choice]
 * @returns {Result}
 */
function readTable(text, { names: wanted, ...reading } = {}) {
  const table = new Table(text, reading);
  const names = wanted ?? table.likelyNames;
  const taken = table.columns.flatMap((_, i) => (i === names ? [] : [i]));
  const [rows, cols] = [table.rows.length, taken.length];
  if (rows > MAX_OWN_SIDE || cols > MAX_OWN_SIDE) return { problem: 'tooLarge' };
  const { columns } = table.numbers(taken, { missing: 'keep' });
  const values = table.rows.flatMap((_, row) => columns.map((column) => column[row]));
  const beyond = values.findIndex((value) => Math.abs(Math.fround(value)) === Infinity);
  if (beyond >= 0) {
    const [{ line, cells }, index] = [table.rows[Math.floor(beyond / cols)], taken[beyond % cols]];
    return { problem: 'notANumber', line, column: index + 1, given: cells[index].slice(0, 20) };
  }
  const given = {
    ...(names >= 0 && { rowNames: table.rows.map(({ cells }, i) => nameOf(cells[names], i)) }),
    ...(table.hasHeader && { colNames: taken.map((at, i) => nameOf(table.columns[at].name, i)) }),
  };
  const result = scale({ rows, cols, values, ...given });
  if ('problem' in result) return result;
  const { hasHeader } = table;
  const titles = table.columns.map(({ name }) => name);
  return { own: result.own, reading: { ...result.reading, columns: titles, hasHeader, names } };
}

/** Returns a short name; the number of the row or column if there is none. @param {string} name @param {number} i */
const nameOf = (name, i) => [...name].slice(0, MOST_LETTERS).join('') || String(i + 1);

/**
 * Reads a list of lists of numbers, also as `values` or `data` of an object; or one flat list
 * there, with `rows` and `cols`, `height` and `width`, or `shape`.
 * @param {string} text
 * @returns {Result}
 */
function readJson(text) {
  /** @type {any} */
  let given;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return { problem: 'json', given: /** @type {Error} */ (error).message };
  }
  const list = Array.isArray(given) ? given : (given.values ?? given.data);
  if (!Array.isArray(list)) return { problem: 'jsonShape' };
  const shape = Array.isArray(given.shape) ? given.shape : [];
  const { height, width } = given;
  const [rows = given.rows ?? height, cols = given.cols ?? width] = shape;
  const isFlat = Number.isInteger(rows) && Number.isInteger(cols) && list.length === rows * cols;
  const lines = isFlat
    ? Array.from({ length: rows }, (_, row) => list.slice(row * cols, (row + 1) * cols))
    : list;
  if (lines.length === 0) return { problem: 'empty' };
  if (!lines.every(Array.isArray)) return { problem: 'jsonShape' };
  const wanted = lines[0].length;
  if (lines.length > MAX_OWN_SIDE || wanted > MAX_OWN_SIDE) return { problem: 'tooLarge' };
  for (const [i, line] of lines.entries()) {
    const at = line.findIndex((/** @type {unknown} */ one) => one !== null && !isFloat(one));
    if (at >= 0) {
      const shown = JSON.stringify(line[at]).slice(0, 20);
      return { problem: 'notANumber', line: i + 1, isRow: true, column: at + 1, given: shown };
    }
    if (line.length !== wanted)
      return { problem: 'ragged', line: i + 1, isRow: true, count: line.length, wanted };
  }
  const values = lines.flat().map((value) => value ?? Number.NaN);
  return scale({ rows: lines.length, cols: wanted, values });
}

/** Returns 1, 2 or 5 times a power of ten, at least the largest number; 1 if that is about 1. @param {ArrayLike<number>} values */
export function unitOf(values) {
  const most = Array.from(values).reduce((size, value) => Math.max(size, Math.abs(value || 0)), 0);
  return most === 0 || (most >= FAIR[0] && most <= FAIR[1]) ? 1 : roundUp(most);
}

/** Returns 1, 2 or 5 times a power of ten, at least a number. @param {number} most above 0 */
export function roundUp(most) {
  const exponent = Math.floor(Math.log10(most));
  const digit = [1, 2, 5, 10].find((one) => Number(`${one}e${exponent}`) >= most * 0.999) ?? 10;
  return Number(`${digit}e${exponent}`);
}

/** Returns the size of a person's cells; 1 in other scenes. @param {{ scene: string, own: Own | null }} state */
export const unitIn = ({ scene, own }) => (scene === 'own' && own ? unitOf(own.values) : 1);

/** Divides numbers that are too large or too small to train. @param {Omit<Own, 'values'> & { values: number[] }} table @returns {Result} */
function scale({ rows, cols, values, ...names }) {
  if (values.every(Number.isNaN)) return { problem: 'empty' };
  if (rows < 2 || cols < 2) return { problem: 'tooSmall' };
  const unit = unitOf(values);
  const divisor = unit >= USABLE[0] && unit <= USABLE[1] ? 1 : unit;
  const scaled = Float32Array.from(values, (value) => value / divisor);
  return { own: { rows, cols, values: scaled, ...names }, reading: { divisor } };
}

/**
 * Returns brightness as values: black −1, white +1.
 * @param {Uint8ClampedArray} pixels red, green, blue, alpha
 * @param {number} cols
 * @param {number} rows
 * @returns {Own}
 */
export function readPixels(pixels, cols, rows) {
  const values = Float32Array.from({ length: rows * cols }, (_, i) => {
    const [r, g, b] = pixels.subarray(4 * i, 4 * i + 3);
    const grey = Math.round(0.2126 * r + 0.7152 * g + 0.0722 * b);
    return grey / 127.5 - 1;
  });
  return { rows, cols, values };
}

/** Returns true for valid data of a person. @param {any} value @returns {value is Own} */
export function isOwn(value) {
  const { rows, cols, rowNames, colNames, values } = value ?? {};
  const isSide = (/** @type {unknown} */ side) =>
    Number.isInteger(side) && Number(side) >= 2 && Number(side) <= MAX_OWN_SIDE;
  const areNames = (/** @type {unknown} */ names, /** @type {number} */ count) =>
    names === undefined ||
    (Array.isArray(names) &&
      names.length === count &&
      names.every((name) => typeof name === 'string' && name && [...name].length <= MOST_LETTERS));
  return (
    [rows, cols].every(isSide) &&
    areNames(rowNames, rows) &&
    areNames(colNames, cols) &&
    values instanceof Float32Array &&
    values.length === rows * cols &&
    values.every((one) => Math.abs(one) !== Infinity) &&
    !values.every(Number.isNaN)
  );
}
