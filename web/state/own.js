/** What a person brings along: numbers as CSV, checked; or an image, as cells. Refuses kindly, with what is wrong. */

/**
 * @typedef {object} Own
 * @property {number} rows
 * @property {number} cols
 * @property {Float32Array} values  rows × cols, finite
 */

/** @typedef {{ problem: 'empty' | 'ragged' | 'notANumber' | 'tooLarge' | 'tooSmall', line?: number, given?: string }} OwnProblem */

export const MAX_OWN_SIDE = 128;

/**
 * Rows of numbers, apart by commas, semicolons, tabs or blanks.
 * @param {string} text
 * @returns {{ own: Own } | OwnProblem}
 */
export function readCsv(text) {
  const lines = text
    .trim()
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  if (lines.length === 0) return { problem: 'empty' };
  if (lines.length > MAX_OWN_SIDE) return { problem: 'tooLarge' };
  /** @type {number[]} */
  const values = [];
  let cols = 0;
  for (const [i, line] of lines.entries()) {
    const cells = split(line);
    if (i === 0) cols = cells.length;
    if (cols > MAX_OWN_SIDE) return { problem: 'tooLarge' };
    if (cells.length !== cols) return { problem: 'ragged', line: i + 1 };
    for (const cell of cells) {
      const value = Number(cell.replace(/−/g, '-'));
      if (cell === '' || !Number.isFinite(Math.fround(value))) {
        return { problem: 'notANumber', line: i + 1, given: cell.slice(0, 20) };
      }
      values.push(value);
    }
  }
  if (lines.length < 2 || cols < 2) return { problem: 'tooSmall' };
  return { own: { rows: lines.length, cols, values: Float32Array.from(values) } };
}

/** A line's cells: a semicolon or tab divides; else a comma; else blanks. @param {string} line */
function split(line) {
  const [divider] = line.match(/[;\t]/) ?? line.match(/,/) ?? [null];
  const cells = divider ? line.split(divider) : line.trim().split(/\s+/);
  // Where semicolons divide, a comma is a decimal point.
  return cells.map((cell) => (divider === ';' ? cell.replace(',', '.') : cell).trim());
}

/**
 * Brightness as values: black −1, white +1.
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

/** Whether something is what a person may bring. @param {any} value @returns {value is Own} */
export function isOwn(value) {
  const isSide = (/** @type {unknown} */ side) =>
    Number.isInteger(side) && Number(side) >= 2 && Number(side) <= MAX_OWN_SIDE;
  return (
    typeof value === 'object' &&
    value !== null &&
    isSide(value.rows) &&
    isSide(value.cols) &&
    value.values instanceof Float32Array &&
    value.values.length === value.rows * value.cols &&
    value.values.every(Number.isFinite)
  );
}
