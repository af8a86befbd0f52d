// The reader of tables for the command and the demo: text or bytes in; names, units and numbers
// out. What can mean two things is an error that says so, never a guess. It is no entry of the
// package, which is no data pipeline: the command has it inside, and the demo imports it as #table.
import { readCells, TableError, textOf, usualWidth } from './cells.js';
import { elapsed } from './dates.js';
import { isDate, isMissing, isValue, inspectNumber, numberOf } from './numbers.js';

export { TableError, textOf } from './cells.js';
export { UNITS } from './dates.js';

/** @import { Row } from './cells.js' */
/** @import { Unit } from './dates.js' */
/** @import { Mark } from './numbers.js' */

/**
 * @typedef {object} Reading Each undefined: found from the table.
 * @property {string} [separator] One character; a blank stands for any number of blanks and tabs.
 * @property {boolean} [header] True if the first line has names.
 * @property {Mark} [decimal]
 */

/**
 * @typedef {object} Column
 * @property {string} name As the header has it, or its number from 1.
 * @property {string} short The name without its unit.
 * @property {string} unit Empty if there is none.
 * @property {boolean} isText True if it has more words than values.
 */

const INDEX = /^(|index|idx|id|no\.?|nr\.?|n°|#|row|row ?names?|obs\.?|unnamed: 0)$/i;
const LABEL =
  /^(name|label|country|city|state|region|species|sample|group|year|jahr|date|datum|month|monat|day|tag|time|zeit)$/i;

/** @param {string} cell */
const isWord = (cell) => !isMissing(cell) && !isValue(cell);
/** True for whole numbers that count on by 1. @param {readonly string[]} cells */
const isCounting = (cells) =>
  cells.every((cell, i) => /^\d+$/.test(cell) && Number(cell) === Number(cells[0]) + i);
/** @param {string} cell */
const isYear = (cell) => /^(1[5-9]|20)\d\d$/.test(cell);
/** @param {readonly string[]} cells */
const areYears = (cells) =>
  cells.length > 0 &&
  cells.every((cell, i) => isYear(cell) && !(Number(cell) <= Number(cells[i - 1])));

/** @param {Row[]} rows @param {number} column */
const cellsIn = (rows, column) => rows.map(({ cells }) => cells[column] ?? '');

/** True if a column has values and no words. @param {readonly string[]} cells */
const hasValues = (cells) => cells.some(isValue) && !cells.some(isWord);

/** The name and the unit in it: `Time, s`, `mass (kg)`, `V [mV]`, `T / K`. @param {string} name */
const splitUnit = (name) => {
  const [, short, ...units] =
    name.match(
      /^(.+?)(?:\s*\(([^()]+)\)|\s*\[([^[\]]+)\]|,\s*([^\s,]{1,12})|\s+\/\s*(\S{1,12}))$/,
    ) ?? [];
  return { short: short ?? name, unit: units.find(Boolean)?.trim() ?? '' };
};

/**
 * True if a first row of numbers has names: pandas writes 0, 1, 2 … without any. Both is an error.
 * @param {Row} first @param {string[][]} below The cells below it, by columns.
 */
const isNumberHeader = ({ line, cells }, below) => {
  const isNumbered = cells[0] === '0' && isCounting(cells);
  const hasYears = areYears(cells) && !below.flat().some(isYear);
  if (cells.length < 2 || !(isNumbered || hasYears)) return false;
  if (isNumbered) {
    const x = [0, ...(below[0] ?? []).map((cell) => Number(cell.replace(',', '.')))];
    const [, step = 0] = x;
    const isEven = x.every((one, i) => Math.abs(one - i * step) <= 1e-6 * i * step);
    if (step > 0 && isEven) return false;
    const areFractions = below.flat().every((cell) => isMissing(cell) || /[.,]\d/.test(cell));
    const isRising = x.every((one, i) => i === 0 || one > Number(x[i - 1]));
    if (areFractions && (cells.length > 2 || !isRising)) return true;
  }
  throw new TableError('header', { line, given: cells.slice(0, 3).join(', ') });
};

/** True if the first row has names; a year may be one. @param {Row} first @param {Row[]} rest */
const isHeader = (first, rest) => {
  const { cells } = first;
  const [corner = '', ...others] = cells;
  const words = cells.filter(isWord).length;
  if (words > 0 && !cells.some(isValue)) return true;
  const below = cells.map((_, i) => cellsIn(rest, i));
  const [names = [], ...inner] = below;
  const hasYears =
    areYears(others) && !inner.flat().every((cell) => isYear(cell) || isMissing(cell));
  const isNumbered = isCounting(others) && Number(others[0]) < 2;
  if (corner === '') return hasYears || names.every(isWord) || (isNumbered && isCounting(names));
  if (words === 0) return isNumberHeader(first, below);
  // "2x" is a number with a slip, not a name.
  if (isWord(corner) && !/^[-+.,\d]/.test(corner)) {
    const isZeroed = isNumbered && others[0] === '0';
    return hasValues(names) || hasYears || isZeroed || LABEL.test(corner) || INDEX.test(corner);
  }
  const isName = cells.some((cell, i) => isWord(cell) && hasValues(below[i] ?? []));
  return isName && words * 2 > cells.length;
};

/** Removes a title above the table, and separators at the ends of lines. @param {Row[]} all */
const trimTable = (all) => {
  const width = usualWidth(all);
  const isTitle = (/** @type {Row} */ { cells }) => {
    const full = cells.filter((cell) => cell !== '');
    return full.length === 1 && isWord(full[0] ?? '') && cells.length < Math.max(width, 2);
  };
  const from = all.findIndex((row) => !isTitle(row));
  const isRName = from === 1 && width === 2 && isCounting(cellsIn(all.slice(1), 0));
  let rows = isRName ? all : all.slice(Math.max(0, from));
  const isOpen = (/** @type {Row[]} */ list) =>
    list.length > 0 && list.every(({ cells }) => cells.length > 1 && cells.at(-1) === '');
  const cut = (/** @type {Row} */ row) => ({ ...row, cells: row.cells.slice(0, -1) });
  const [first, ...rest] = rows;
  if (first && isOpen(rest)) {
    const isShort = first.cells.length < Number(rest[0]?.cells.length);
    if (isShort || first.cells.at(-1) === '')
      rows = [isShort ? first : cut(first), ...rest.map(cut)];
  }
  return rows;
};

/** A table: its columns are read when asked for, so that others may hold text. */
export class Table {
  /** The rows below the header. @type {Row[]} */
  rows;
  /** @type {Column[]} */
  columns;
  /** True if the table has a header. */
  hasHeader;
  /** The column of names or numbers of rows; −1 for none. */
  nameColumn;
  /** @type {string} */
  separator;
  /** @type {Mark | undefined} */
  #decimal;

  /** @param {string | Uint8Array} data @param {Reading} [reading] */
  constructor(data, { separator, header, decimal } = {}) {
    const text = typeof data === 'string' ? data : textOf(data);
    const { rows: all, separator: found, comments } = readCells(text, separator);
    const [first, ...rest] = trimTable(all);
    if (!first) throw new TableError('empty');
    this.separator = found;
    this.#decimal = decimal;
    const wide = rest[0]?.cells.length ?? first.cells.length;
    // R leaves out the corner above the names of rows.
    const areNames = first.cells.every(isWord) || areYears(first.cells);
    const isShort = header !== false && first.cells.length === wide - 1 && areNames;
    this.hasHeader = header ?? (isShort || isHeader(first, rest));
    const head = this.hasHeader ? first.cells : undefined;
    this.rows = this.hasHeader ? rest : [first, ...rest];
    if (this.rows.length === 0) throw new TableError('noData');
    const width = isShort ? wide : first.cells.length;
    for (const { line, cells } of this.rows) {
      if (cells.length === width) continue;
      throw new TableError('ragged', { line, count: cells.length, wanted: width });
    }
    const second = this.rows[0]?.cells ?? [];
    const isUnits =
      head !== undefined &&
      this.rows.length > 1 &&
      second.some(isWord) &&
      !second.some(isValue) &&
      second.every((cell, i) => cell === '' || hasValues(cellsIn(this.rows.slice(1), i)));
    const units = isUnits ? second.map((cell) => cell.replace(/^[([](.*)[)\]]$/, '$1')) : [];
    if (isUnits) this.rows = this.rows.slice(1);
    const comment = comments.at(-1)?.replace(/^[#%/]+\s*/, '');
    const noted = comment && !head ? readCells(`${comment}\n`, found).rows[0]?.cells : undefined;
    const names = isShort
      ? ['', ...(head ?? [])]
      : (head ?? (noted?.length === width && noted.every(isWord) ? noted : []));
    this.columns = Array.from({ length: width }, (_, i) => {
      const name = names[i] || String(i + 1);
      const { short, unit } = splitUnit(name);
      const cells = cellsIn(this.rows, i);
      const isText = cells.filter(isWord).length > cells.filter(isValue).length;
      return { name, short, unit: units[i] || unit, isText };
    });
    const column = cellsIn(this.rows, 0);
    const isIndex = head !== undefined && INDEX.test(names[0] ?? '') && isCounting(column);
    const hasCorner = head !== undefined && names[0] === '' && width > 1;
    this.nameColumn = isShort || hasCorner || isIndex || this.columns[0]?.isText ? 0 : -1;
  }

  /** The column that most likely names rows of a grid: also years and dates. */
  get likelyNames() {
    if (this.nameColumn >= 0 || !this.hasHeader) return this.nameColumn;
    const cells = cellsIn(this.rows, 0);
    return areYears(cells) || cells.every(isDate) ? 0 : -1;
  }

  /** What these columns prove, or all, or else the separator. @param {readonly number[]} indices */
  #notation(indices) {
    if (this.#decimal) return { decimal: this.#decimal, isProven: true, isGrouped: true };
    for (const columns of [indices, this.columns.map((_, i) => i)]) {
      /** @type {Map<Mark, boolean>} */
      const proofs = new Map();
      for (const row of this.rows) {
        for (const index of columns) {
          const { decimal, isGrouped = false } = inspectNumber(row.cells[index] ?? '') ?? {};
          if (!decimal) continue;
          proofs.set(decimal, proofs.get(decimal) || isGrouped);
          if (proofs.size === 2 && columns === indices) {
            throw new TableError('decimals', this.#where(row, index));
          }
        }
      }
      const [only] = proofs;
      if (only && proofs.size === 1)
        return { decimal: only[0], isProven: true, isGrouped: only[1] };
    }
    // Nobody groups digits by points where commas or blanks separate cells.
    const isProven = this.separator === ',' || this.separator === ' ';
    return { decimal: /** @type {Mark} */ ('.'), isProven, isGrouped: false };
  }

  /** @param {Row} row @param {number} index */
  #where({ line, cells }, index) {
    const name = String(this.columns[index]?.name);
    return { line, column: index + 1, name, given: cells[index] ?? '' };
  }

  /**
   * Returns numbers of columns, row by row alike.
   * @param {readonly number[]} indices
   * @param {{ missing?: 'error' | 'skip' | 'keep', elapsed?: Unit }} [options]
   *   What happens to a row without a value: `keep` gives NaN. `elapsed`: the first column has
   *   dates, which become the time since the first row.
   */
  numbers(indices, { missing = 'error', elapsed: unit } = {}) {
    const kept = this.rows.filter((row) => {
      const at = indices.find((index) => isMissing(row.cells[index] ?? ''));
      if (at === undefined || missing === 'keep') return true;
      if (missing === 'error') throw new TableError('noCell', this.#where(row, at));
      return false;
    });
    const notation = this.#notation(indices);
    const columns = indices.map((index, i) => {
      const all = kept.map((row) => this.#where(row, index));
      if (unit && i === 0) return elapsed(all, unit);
      const isPercent = all.some(({ given }) => given.endsWith('%'));
      return all.map((where) => {
        const { given } = where;
        if (isMissing(given)) return Number.NaN;
        const value = numberOf(given, notation);
        if (typeof value === 'string') {
          throw new TableError(value === 'notANumber' && isDate(given) ? 'date' : value, where);
        }
        if (isPercent && !given.endsWith('%')) throw new TableError('percent', where);
        return value;
      });
    });
    return {
      columns,
      lines: kept.map(({ line }) => line),
      skipped: this.rows.length - kept.length,
    };
  }
}
