/** Reads the cells of a table as people have it: CSV in any usual form, or copied from a spreadsheet. */

import { isGrouped } from './grouping.js';

/** A line that is not empty, and its number in the file, from 1. @typedef {{ line: number, cells: string[] }} Row */

/** Returns true if a cell's comma can only be a decimal comma. @param {string} cell */
const hasDecimalComma = (cell) => /^[-+−–]?\d+,\d+$/.test(cell) && !isGrouped(cell);

/** Returns a cell's number, with a decimal point or comma; NaN for none. @param {string} cell */
export function numberOf(cell) {
  const plain = cell.replace(/[−–]/g, '-').replace(/^([-+]?\d+),(\d+)$/, '$1.$2');
  return plain === '' ? Number.NaN : Number(plain);
}

/**
 * Returns a test for numbers that can mean a thousand times as much. A comma is decimal if semicolons
 * separate cells, as in half of Europe, or if any cell shows it; then a point may group digits.
 * @param {{ rows: Row[], divider: string }} table
 */
export function groupTest({ rows, divider }) {
  const hasComma = rows.some(({ cells }) => cells.some(hasDecimalComma));
  if (!hasComma) return divider === ';' ? () => false : isGrouped;
  return (/** @type {string} */ cell) =>
    !cell.includes(',') && isGrouped(cell.replaceAll('.', ','));
}

/** The first line of a spreadsheet may name its separator: `sep=;`. */
const SEPARATOR = /^\s*"?sep=(.)"?\s*$/i;

/**
 * Returns the lines that are not empty, and the separator of the first line's cells. A separator at
 * the end of every line opens no cell.
 * @param {string} text
 * @returns {{ rows: Row[], divider: string }}
 */
export function tableOf(text) {
  const lines = text.split(/\r\n|\r|\n/);
  const said = lines[0].match(SEPARATOR)?.[1];
  if (said) lines[0] = '';
  const dividerOf = (/** @type {string} */ line) => said ?? likelyDivider(line);
  const rows = lines
    .map((line, i) => ({
      line: i + 1,
      cells: line.trim() === '' ? [] : cellsOf(line, dividerOf(line)),
    }))
    .filter(({ cells }) => cells.length > 0);
  const isOpen = rows.every(({ cells }) => cells.length > 1 && cells[cells.length - 1] === '');
  return {
    rows: isOpen ? rows.map(({ line, cells }) => ({ line, cells: cells.slice(0, -1) })) : rows,
    divider: dividerOf(lines.find((line) => line.trim() !== '') ?? ''),
  };
}

/** Returns the likely separator: a semicolon or tab, else a comma, else spaces. @param {string} line */
function likelyDivider(line) {
  const bare = line.replace(/"[^"]*"/g, '');
  const [divider] = bare.match(/[;\t]/) ?? bare.match(/,/) ?? [' '];
  return divider;
}

/** Returns a line's cells; quotes keep a cell together. @param {string} line @param {string} divider */
function cellsOf(line, divider) {
  const cells = [''];
  let isQuoted = false;
  for (const letter of divider === ' ' ? line.trim().replace(/\s+/g, ' ') : line) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === divider && !isQuoted) cells.push('');
    else cells[cells.length - 1] += letter;
  }
  return cells.map((cell) => cell.trim());
}
