// Columns of numbers from text: commas, semicolons, tabs or blanks, with a header or without.
import { UsageError } from './command.js';

/** Data that cannot be used: exit code 1. */
export class DataError extends Error {}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** @typedef {{ at: number, cells: string[] }} Line `at`: its number in the file, from 1. */

/** @param {string} line */
const separatorOf = (line) => ['\t', ';', ','].find((mark) => line.includes(mark)) ?? /\s+/;

/** A table: its columns are read when asked for, so that others may hold text. */
export class Table {
  /** @type {string[] | undefined} The names in the header. */
  #header;
  /** @type {Line[]} */
  #lines;
  /** @type {number} */
  #width;

  /** @param {string} text @param {string} file The name for errors. */
  constructor(text, file) {
    const full = text
      .split(/\r\n|\n|\r/)
      .map((line, i) => ({ at: i + 1, line: line.trim() }))
      .filter(({ line }) => line !== '' && !line.startsWith('#'));
    if (full[0] === undefined) throw new DataError(`${file} has no data`);
    const mark = separatorOf(full[0].line);
    const lines = full.map(({ at, line }) => ({
      at,
      cells: line.split(mark).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')),
    }));
    const first = /** @type {Line} */ (lines[0]).cells;
    if (!first.some((cell) => NUMBER.test(cell))) this.#header = first;
    this.#lines = this.#header ? lines.slice(1) : lines;
    this.#width = first.length;
    if (this.#lines.length === 0) throw new DataError(`${file} has a header, but no data`);
    if (this.#width < 2) throw new DataError(`${file} has one column; x and y need two`);
    for (const { at, cells } of lines) {
      if (cells.length === this.#width) continue;
      const counts = `${cells.length} cells, but the first line has ${this.#width}`;
      throw new DataError(`${file}, line ${at}: ${counts}; complete it or take it out`);
    }
  }

  /** @param {string} spec @param {string} option */
  #find(spec, option) {
    const named = this.#header?.indexOf(spec) ?? -1;
    const number = named >= 0 ? named + 1 : Number(spec.replace(/^#/, ''));
    if (Number.isInteger(number) && number >= 1 && number <= this.#width) return number - 1;
    const known = this.#header ? `${this.#header.join(', ')}, or ` : '';
    throw new UsageError(
      `--${option}: unknown column "${spec}"; known: ${known}1 to ${this.#width}`,
    );
  }

  /** A column's name, or what stands for it. @param {string} spec @param {string} option */
  nameOf(spec, option) {
    return this.#header?.[this.#find(spec, option)] ?? option;
  }

  /**
   * Returns a column's numbers.
   * @param {string} spec Its name or number, from 1; `#3` is a number, too.
   * @param {string} option Which option asks.
   */
  column(spec, option) {
    const index = this.#find(spec, option);
    const name = this.#header?.[index] ?? index + 1;
    return this.#lines.map(({ at, cells }) => {
      const cell = /** @type {string} */ (cells[index]);
      const value = NUMBER.test(cell) ? Number(cell) : Number.NaN;
      if (Number.isFinite(value)) return value;
      const said = cell === '' ? 'is empty' : `has "${cell}", which is no number`;
      const advice = /^[+-]?\d+,\d+$/.test(cell) ? 'write decimal points' : 'mend the line';
      throw new DataError(`line ${at}, column ${name} ${said}: ${advice}, or take it out`);
    });
  }
}
