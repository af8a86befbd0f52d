/** Writes CSV: tables of texts and numbers, and exact values. state/own.js reads it. */

/** Excel reads a file as UTF-8 only if it begins with this mark. */
const MARK = '\ufeff';

/** Returns a cell, which no spreadsheet takes for a formula. @param {unknown} value */
function cellOf(value) {
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes a table for spreadsheets. @param {readonly (readonly unknown[])[]} rows */
export const tableToCsv = (rows) =>
  MARK + rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

/** Writes exact numbers: the shortest that give the same 32 bits. @param {import('../scenes/layout.js').Part[]} layout @param {Float32Array} values */
export function valuesToCsv(layout, values) {
  const grids = layout.map(({ rows, cols, offset }) =>
    Array.from({ length: rows }, (_, row) => {
      const from = offset + row * cols;
      return Array.from(values.subarray(from, from + cols), shortest).join(',');
    }).join('\n'),
  );
  return `${grids.join('\n\n')}\n`;
}

/** Returns the shortest decimal number that gives the same 32 bits. @param {number} value */
export function shortest(value) {
  if (Object.is(value, -0)) return '-0';
  for (let digits = 6; digits < 10; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}
