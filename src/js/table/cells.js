// Cells of a table from bytes or text: which encoding, which separator, which cells. d3-dsv parses
// quotes. What cells mean is not known here.
import { dsvFormat } from 'd3-dsv';
import { isValue } from './numbers.js';

/** A row, and its first line from 1. @typedef {{ line: number, cells: string[] }} Row */

/**
 * What is wrong, and where: `line` and `column` count from 1, `given` is what is there.
 * @typedef {object} Where
 * @property {number} [line]
 * @property {number} [column]
 * @property {string} [name] The column's name.
 * @property {string} [given]
 * @property {number} [count] @property {number} [wanted] Cells of the line, and of the others.
 */

/**
 * A table that cannot be read without a doubt. Callers say it in their own words.
 * @typedef {'binary' | 'quote' | 'empty' | 'noData' | 'ragged' | 'header' | 'noCell' | 'notANumber'
 *   | 'grouped' | 'decimals' | 'percent' | 'date' | 'noDate' | 'dateOrder' | 'zones'} Problem
 */
export class TableError extends Error {
  /** @param {Problem} problem @param {Where} [where] */
  constructor(problem, where = {}) {
    super(`${problem}: ${JSON.stringify(where)}`);
    this.problem = problem;
    this.where = where;
  }
}

/** How many characters are looked at to find the separator. */
const SAMPLE = 20_000;
/** Separators in the order of preference; a blank stands for any number of blanks and tabs. */
const SEPARATORS = ['\t', ';', ',', '|', ' '];

/** Text as UTF-8, or UTF-16 with or without a mark, else Windows-1252. @param {Uint8Array} bytes */
export const textOf = (bytes) => {
  const [a, b] = bytes;
  const sample = bytes.subarray(0, 200);
  const [even = 0, odd = 0] = [0, 1].map(
    (parity) => sample.filter((byte, i) => byte === 0 && i % 2 === parity).length,
  );
  const isMarked = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  // In UTF-16 digits and separators have one zero byte each, always on the same side.
  const isWide = Math.min(even, odd) === 0 && Math.max(even, odd) * 4 > sample.length;
  if (isMarked || isWide) {
    const isBig = isMarked ? a === 0xfe : even > 0;
    return new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

/** Throws if a quoted cell goes on or never ends. @param {string} text @param {string} separator */
const checkQuotes = (text, separator) => {
  const end = `\\${separator}\\r\\n`;
  const cell = new RegExp(
    `"[^"]*(?:""[^"]*)*(?:"(?=[${end}]|$)|())|[^${end}"][^${end}]*|[${end}]`,
    'g',
  );
  for (const { 0: given, 1: bad, index } of text.matchAll(cell)) {
    if (bad === undefined) continue;
    const line = text.slice(0, index).split(/\r\n|\r|\n/).length;
    throw new TableError('quote', { line, given: given.slice(0, 20) });
  }
};

/**
 * @param {string} text @param {string} separator
 * @param {boolean} [isChecked] True: wrong quotes are an error.
 * @returns {Row[]}
 */
const parse = (text, separator, isChecked = false) => {
  // Blanks at quotes are no part of a cell; the parser would take them for one.
  const tidy =
    separator === ' '
      ? text
          .replace(/^[ \t]+|[ \t]+$/gm, '')
          .replace(/"[^"]*"|[ \t]+/g, (part) => (part[0] === '"' ? part : '\t'))
      : text.replace(/(^|[;,|\t]) +(?=")|(") +(?=[;,|\t]|$)/gm, '$1$2');
  const mark = separator === ' ' ? '\t' : separator;
  if (isChecked && tidy.includes('"')) checkQuotes(tidy, mark);
  let line = 1;
  return dsvFormat(mark)
    .parseRows(tidy)
    .map((cells) => {
      const row = { line, cells: cells.map((cell) => cell.trim()) };
      line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
      return row;
    })
    .filter(({ cells }) => cells.length > 1 || cells[0] !== '');
};

/** How many columns most rows have. @param {Row[]} rows */
export const usualWidth = (rows) => {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
};

/** The separator with the most rows of one width, and the most numbers. @param {string} text */
const likelySeparator = (text) => {
  const sample = text.slice(0, SAMPLE);
  const bare = sample.replace(/"[^"]*"/g, '');
  const end = text.length > SAMPLE ? -1 : undefined; // the last row may be cut off
  let best = { separator: ' ', score: 0 };
  for (const separator of SEPARATORS) {
    if (!bare.includes(separator)) continue;
    const rows = parse(sample, separator).slice(0, end);
    const width = usualWidth(rows);
    const same = rows.filter(({ cells }) => cells.length === width).length / rows.length;
    const cells = rows.slice(1).flatMap((row) => row.cells.filter((cell) => cell !== ''));
    const numbers = cells.filter(isValue).length / (cells.length || 1);
    const score = width > 1 ? same * (0.1 + numbers) : 0;
    if (score > best.score * 1.001) best = { separator, score };
  }
  return best.separator;
};

/**
 * Rows of cells. Lines that begin with #, % or // are comments; `sep=;` may be the first line.
 * @param {string} given
 * @param {string} [wanted] The separator; without it, it is found.
 */
export const readCells = (given, wanted) => {
  if (given.includes('\0')) throw new TableError('binary');
  const plain = given.replace(/^\ufeff/, '');
  const directive = plain.match(/^[ \t]*"?sep=([^\w"])"?[ \t]*(?=[\r\n])/i);
  let text = directive ? plain.slice(directive[0].length) : plain;
  /** @type {string[]} */
  const comments = [];
  // Comments at the top are taken out before quotes are looked at: an apostrophe opens none.
  text = text.replace(/^(?:[ \t]*(?:(?:#|%|\/\/).*)?(?:\r\n|\r|\n))+/, (head) => {
    comments.push(...(head.match(/[#%/][^\r\n]*/g) ?? []));
    return head.replace(/[^\r\n]/g, '');
  });
  const separator = wanted ?? directive?.[1] ?? likelySeparator(text);
  const all = parse(text, separator, true);
  const rows = all.filter(
    ({ cells: [first = ''] }) => !/^(#(?!N\/A|[A-Z/0]+[!?])|%|\/\/)/.test(first),
  );
  if (rows.length === 0) throw new TableError('empty');
  return { rows, separator, comments };
};
