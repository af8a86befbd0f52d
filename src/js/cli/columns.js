// Columns of a file of data: which ones, and their numbers. Errors say which option helps.
import { Table, TableError } from '../table/table.js';
import { DataError, UsageError } from './command.js';

/** @import { Problem } from '../table/cells.js' */
/** @typedef {NonNullable<ReturnType<typeof import('./command.js').readCommand>>} Command */

const MARKS = 'write --decimal point or --decimal comma';

/** @type {Record<Problem, (where: any) => string>} */
const MESSAGES = {
  binary: () => ' is no text; save the table as CSV',
  empty: () => ' has no data',
  noData: () => ' has a header, but no data; if the first line is data, write --header no',
  quote: ({ line }) =>
    `, line ${line}: a quoted cell does not end with its quote; double quotes within it`,
  ragged: ({ line, count, wanted }) =>
    `, line ${line}: ${count} cells, but the first line has ${wanted}; complete it or take it out`,
  header: ({ line, given }) =>
    `, line ${line}: "${given}" may be names or data; write --header yes or --header no`,
  noCell: ({ given }) =>
    `${given === '' ? 'is empty' : `has "${given}"`}; leave such rows out by --missing skip`,
  notANumber: ({ given }) => `has "${given}", which is no number; mend the line, or take it out`,
  grouped: ({ given }) => `has "${given}", which may be a decimal or thousands; ${MARKS}`,
  decimals: ({ given }) => `has "${given}", but other cells have the other decimal mark; ${MARKS}`,
  percent: ({ given }) => `has "${given}" without %, but other cells have one; mend the line`,
  date: ({ given }) =>
    `has "${given}": if it is a date, as x, write --elapsed d (or s, min, h, a), else mend the line`,
  noDate: ({ given }) =>
    `has "${given}", which is no date or time of day; write 2024-12-31 or 23:59, or choose --x`,
  dateOrder: ({ given }) => `has "${given}": day or month first? Write dates as 2024-12-31`,
  zones: ({ given }) =>
    `has "${given}": all must be dates or all times of day, with a zone or without`,
};

/** @param {TableError} error @param {string} file */
const inWords = ({ problem, where }, file) => {
  const { line, name } = where;
  return `${name === undefined ? file : `line ${line}, column ${name} `}${MESSAGES[problem](where)}`;
};

/** @param {Table} table @param {string} spec @param {string} option */
const find = ({ columns, hasHeader }, spec, option) => {
  for (const key of /** @type {const} */ (['name', 'short'])) {
    const found = columns.flatMap((column, i) => (column[key] === spec ? [i] : []));
    if (found.length > 1) {
      const numbers = found.map((i) => `#${i + 1}`).join(', ');
      throw new UsageError(`--${option}: more than one column is "${spec}": ${numbers}`);
    }
    if (found[0] !== undefined) return found[0];
  }
  const number = Number(spec.replace(/^#/, ''));
  if (Number.isInteger(number) && number >= 1 && number <= columns.length) return number - 1;
  const names = hasHeader ? `${columns.map(({ name }) => name).join(', ')}, or ` : '';
  throw new UsageError(
    `--${option}: unknown column "${spec}"; known: ${names}1 to ${columns.length}`,
  );
};

/**
 * Reads the columns that a command asks for. Default: the first two of numbers.
 * @param {Uint8Array} bytes
 * @param {string} file
 * @param {Command} command
 */
export const readColumns = (bytes, file, { reading, x, y, sigma, missing, elapsed }) => {
  try {
    const table = new Table(bytes, reading);
    const usual = table.columns.flatMap(({ isText }, i) =>
      isText || i === table.nameColumn ? [] : [i],
    );
    const given = { x, y, ...(sigma !== undefined && !(Number(sigma) > 0) && { sigma }) };
    const asked = Object.entries(given).map(([option, spec]) => ({
      option,
      index: spec === undefined ? -1 : find(table, spec, option),
    }));
    if (x === undefined || y === undefined) {
      const free = usual.filter((i) => asked.every(({ index }) => index !== i));
      for (const one of asked) if (one.index < 0) one.index = free.shift() ?? -1;
      if (asked.some(({ index }) => index < 0)) {
        const count = usual.length === 1 ? 'one column' : `${usual.length} columns`;
        throw new DataError(`${file} has ${count} of numbers; x and y need two: write --x and --y`);
      }
    }
    const { columns, skipped } = table.numbers(
      asked.map(({ index }) => index),
      { missing, elapsed },
    );
    if (columns[0]?.length === 0) throw new DataError(`${file} has no row without a gap`);
    const picked = asked.map(({ option, index }, i) => {
      const number = String(index + 1);
      const { name = number } = table.columns[index] ?? {};
      const isNamed = name !== number;
      return {
        name: isNamed ? name : option,
        told: `${option} is column ${number}${isNamed ? ` (${name})` : ''}`,
        values: columns[i] ?? [],
      };
    });
    const left = skipped > 0 ? `, ${skipped} with a gap skipped` : '';
    const since = elapsed ? `; x counts ${elapsed} from the first row` : '';
    return {
      ...{ x: picked[0], y: picked[1], sigma: picked[2], skipped },
      line: `Data: ${columns[0]?.length} rows${left}; ${picked.map(({ told }) => told).join(', ')}${since}`,
    };
  } catch (error) {
    throw error instanceof TableError ? new DataError(inWords(error, file)) : error;
  }
};
