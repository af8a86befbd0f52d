/**
 * Reads a person's data: numbers as text, or an image as cells. Empty cells are gaps. Errors say what
 * is wrong and where.
 */

import { groupTest, numberOf, tableOf } from './table.js';

/**
 * @typedef {object} Own
 * @property {number} rows
 * @property {number} cols
 * @property {Float32Array} values  rows × cols; finite, or NaN for a gap
 * @property {string[]} [rowNames]  of all rows, if the table names them
 * @property {string[]} [colNames]  likewise
 */

/**
 * The problem and its place: lines as in an editor, or rows; columns from the left; both from 1.
 * @typedef {{ problem: 'empty' | 'ragged' | 'notANumber' | 'grouped' | 'noCell' | 'tooLarge' | 'tooSmall' | 'json' | 'jsonShape' | 'binary'
 *   | 'oneColumn' | 'oneX' | 'fewPoints' | 'manyPoints' | 'sigma',
 *   line?: number, isRow?: boolean, column?: number, given?: string, count?: number, wanted?: number }} OwnProblem
 */

/** The changes to the table: the divisor of its numbers, and the lines of words that were left out. @typedef {{ divisor: number, skipped: number }} Reading */
/** @typedef {{ own: Own, reading: Reading } | OwnProblem} Result */

export const MAX_OWN_SIDE = 128;
/** Numbers whose largest is in this range train well at usual rates; others are scaled. */
const FAIR = [0.25, 2];
/** The most characters of a name. */
const MOST_LETTERS = 32;

/** Returns true if a cell says that nothing is known. @param {string} cell */
const isGap = (cell) => /^([-–?]?|na|n\/a|nan|null)$/i.test(cell);

/** Reads CSV, copied spreadsheet cells, or JSON. @param {string} text @returns {Result} */
export function readNumbers(text) {
  if (text.includes('\0')) return { problem: 'binary' };
  return /^\s*[[{]/.test(text) ? readJson(text) : readTable(text);
}

/**
 * Reads rows of numbers, separated by semicolons, tabs, commas or spaces. A first line of words
 * names the columns, a first column of words names the rows. A corner that is empty makes numbers
 * names, too, such as years.
 * @param {string} text
 * @returns {Result}
 */
function readTable(text) {
  const table = tableOf(text.replace(/^\ufeff/, ''));
  const all = table.rows;
  if (all.length === 0) return { problem: 'empty' };
  const isGrouped = groupTest(table);
  const isWord = (/** @type {string} */ cell) => !isGap(cell) && Number.isNaN(numberOf(cell));
  const [{ cells: first }, ...others] = all;
  const areNamed = (/** @type {typeof all} */ lines) =>
    lines.length > 0 && lines.every(({ cells }) => cells.length > 1 && isWord(cells[0]));
  const isHeader =
    (first.some(isWord) && first.every((cell) => isGap(cell) || isWord(cell))) ||
    (first[0] === '' && areNamed(others));
  const headers = others.length > 0 && isHeader ? 1 : 0;
  const rows = all.slice(headers);
  const names = areNamed(rows) ? 1 : 0;
  const cols = rows[0].cells.length - names;
  if (rows.length > MAX_OWN_SIDE || cols > MAX_OWN_SIDE) return { problem: 'tooLarge' };
  /** @type {number[]} */
  const values = [];
  for (const { line, cells } of rows) {
    for (const [i, given] of cells.slice(names).entries()) {
      const value = numberOf(given);
      const column = i + names + 1;
      if (isGap(given)) {
        values.push(Number.NaN);
        continue;
      }
      if (isGrouped(given)) return { problem: 'grouped', line, column, given };
      if (!Number.isFinite(Math.fround(value))) {
        return { problem: 'notANumber', line, column, given: given.slice(0, 20) };
      }
      values.push(value);
    }
    const count = cells.length - names;
    if (count !== cols) return { problem: 'ragged', line, count, wanted: cols };
  }
  // Some programs write no corner above the names of rows.
  const heads = headers && first.length === cols ? first : first.slice(names);
  const hasHeads = headers === 1 && heads.length === cols;
  const given = {
    ...(names && { rowNames: rows.map(({ cells }, i) => nameOf(cells[0], i)) }),
    ...(hasHeads && { colNames: heads.map(nameOf) }),
  };
  return scale({ rows: rows.length, cols, values, ...given }, hasHeads ? 0 : headers);
}

/** Returns a short name; the number of the row or column if there is none. @param {string} name @param {number} i */
const nameOf = (name, i) => [...name].slice(0, MOST_LETTERS).join('') || String(i + 1);

/**
 * Reads a list of lists of numbers, also as `values` or `data` of an object; or one flat list
 * there, with `rows` and `cols`, or `shape`.
 * @param {string} text
 * @returns {Result}
 */
function readJson(text) {
  /** @type {any} */
  let given;
  try {
    given = JSON.parse(text);
  } catch {
    return { problem: 'json', line: brokenLine(text) };
  }
  const list = Array.isArray(given) ? given : (given.values ?? given.data);
  if (!Array.isArray(list)) return { problem: 'jsonShape' };
  const shape = Array.isArray(given.shape) ? given.shape : [];
  const [rows = given.rows, cols = given.cols] = shape;
  const isFlat = Number.isInteger(rows) && Number.isInteger(cols) && list.length === rows * cols;
  const lines = isFlat
    ? Array.from({ length: rows }, (_, row) => list.slice(row * cols, (row + 1) * cols))
    : list;
  if (lines.length === 0) return { problem: 'empty' };
  if (!lines.every(Array.isArray)) return { problem: 'jsonShape' };
  const wanted = lines[0].length;
  if (lines.length > MAX_OWN_SIDE || wanted > MAX_OWN_SIDE) return { problem: 'tooLarge' };
  for (const [i, line] of lines.entries()) {
    const at = line.findIndex(
      (/** @type {unknown} */ value) =>
        value !== null && (typeof value !== 'number' || !Number.isFinite(Math.fround(value))),
    );
    if (at >= 0) {
      const shown = JSON.stringify(line[at]).slice(0, 20);
      return { problem: 'notANumber', line: i + 1, isRow: true, column: at + 1, given: shown };
    }
    if (line.length !== wanted)
      return { problem: 'ragged', line: i + 1, isRow: true, count: line.length, wanted };
  }
  const values = lines.flat().map((value) => value ?? Number.NaN);
  return scale({ rows: lines.length, cols: wanted, values }, 0);
}

/** A token of JSON, and the spaces before it. */
const WORD =
  /[ \t\r\n]*([[\]{},:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))/y;
/** The first characters of a value; 0 stands for numbers, true, false and null. */
const VALUE = '[{"0';

/**
 * Returns the first line of invalid JSON; the last if the text breaks off. Not all browsers can.
 * @param {string} text
 */
function brokenLine(text) {
  /** @type {string[]} the brackets that close the open lists and objects */
  const open = [];
  let end = 0;
  for (let wanted = VALUE; ; ) {
    WORD.lastIndex = end;
    const [, word = ''] = WORD.exec(text) ?? [];
    const kind = /^[-\dtfn]/.test(word) ? '0' : word[0];
    if (!word || !wanted.includes(kind)) break;
    end = WORD.lastIndex;
    const isKey = kind === '"' && wanted[0] === '"';
    if ('[{'.includes(kind)) open.push(kind === '[' ? ']' : '}');
    if (kind === '[') wanted = `${VALUE}]`;
    else if (kind === '{') wanted = '"}';
    else if (kind === ',') wanted = open[open.length - 1] === '}' ? '"' : VALUE;
    else if (kind === ':') wanted = VALUE;
    else {
      if (']}'.includes(kind)) open.pop();
      wanted = isKey ? ':' : open.length > 0 ? `,${open[open.length - 1]}` : '';
    }
  }
  const rest = text.slice(end).search(/\S/);
  return text.slice(0, end + Math.max(0, rest)).split(/\r\n|\r|\n/).length;
}

/**
 * Divides by 1, 2 or 5 times a power of ten, so that the largest is about 1, unless it is already.
 * @param {Omit<Own, 'values'> & { values: number[] }} table
 * @param {number} skipped  lines
 * @returns {Result}
 */
function scale({ rows, cols, values, ...names }, skipped) {
  if (values.every(Number.isNaN)) return { problem: 'empty' };
  if (rows < 2 || cols < 2) return { problem: 'tooSmall' };
  const most = values.reduce((size, value) => Math.max(size, Math.abs(value || 0)), 0);
  const isFair = most === 0 || (most >= FAIR[0] && most <= FAIR[1]);
  const exponent = Math.floor(Math.log10(most || 1));
  const digit = [1, 2, 5, 10].find((one) => Number(`${one}e${exponent}`) >= most * 0.999) ?? 10;
  const divisor = isFair ? 1 : Number(`${digit}e${exponent}`);
  const scaled = Float32Array.from(values, (value) => value / divisor);
  return { own: { rows, cols, values: scaled, ...names }, reading: { divisor, skipped } };
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
  const isSide = (/** @type {unknown} */ side) =>
    Number.isInteger(side) && Number(side) >= 2 && Number(side) <= MAX_OWN_SIDE;
  const areNames = (/** @type {unknown} */ names, /** @type {number} */ count) =>
    names === undefined ||
    (Array.isArray(names) &&
      names.length === count &&
      names.every((name) => typeof name === 'string' && name && [...name].length <= MOST_LETTERS));
  return (
    typeof value === 'object' &&
    value !== null &&
    isSide(value.rows) &&
    isSide(value.cols) &&
    areNames(value.rowNames, value.rows) &&
    areNames(value.colNames, value.cols) &&
    value.values instanceof Float32Array &&
    value.values.length === value.rows * value.cols &&
    value.values.every((/** @type {number} */ one) => Math.abs(one) !== Infinity) &&
    !value.values.every(Number.isNaN)
  );
}
