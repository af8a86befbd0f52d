// The grid's words, by language. Others are added by `words.fr = { … }` or an element's `words`.

/**
 * @typedef {object} GridWords
 * @property {string} matrix Name of a grid without a name.
 * @property {(name: string, rows: number, cols: number, readonly: boolean) => string} grid
 * @property {(row: number, col: number, value: string, locked: boolean) => string} cell Rows and
 *   columns count from 1.
 * @property {string} unknown In place of a value.
 * @property {(isRow: boolean, name: string) => string} line A heading, which locks a row or column.
 * @property {(value: string) => string} goal
 * @property {(by: string) => string} drift
 * @property {(row: number, col: number) => string} edit Names the field to type a value into.
 * @property {(row: number, col: number) => string} held A locked cell refuses a value.
 * @property {(given: string) => string} notANumber
 */

/** @type {GridWords} */
const en = {
  matrix: 'Matrix',
  grid: (name, rows, cols, readonly) =>
    `${name}, ${rows} rows by ${cols} columns.${readonly ? '' : ' Press to lock or free.'}`,
  cell: (row, col, value, locked) =>
    `Row ${row}, column ${col}, value ${value}, ${locked ? 'locked' : 'free'}`,
  unknown: 'unknown',
  line: (isRow, name) => `${isRow ? 'Row' : 'Column'} ${name}: lock all`,
  goal: (value) => `goal ${value}`,
  drift: (by) => `drifted by ${by}`,
  edit: (row, col) => `New value of row ${row}, column ${col}`,
  held: (row, col) => `Row ${row}, column ${col} is locked.`,
  notANumber: (given) => `“${given}” is not a number.`,
};

/** @type {GridWords} */
const de = {
  matrix: 'Matrix',
  grid: (name, rows, cols, readonly) =>
    `${name}, ${rows} Zeilen mal ${cols} Spalten.${readonly ? '' : ' Drücken sperrt oder befreit.'}`,
  cell: (row, col, value, locked) =>
    `Zeile ${row}, Spalte ${col}, Wert ${value}, ${locked ? 'gesperrt' : 'frei'}`,
  unknown: 'unbekannt',
  line: (isRow, name) => `${isRow ? 'Zeile' : 'Spalte'} ${name}: alle sperren`,
  goal: (value) => `Ziel ${value}`,
  drift: (by) => `um ${by} abgedriftet`,
  edit: (row, col) => `Neuer Wert von Zeile ${row}, Spalte ${col}`,
  held: (row, col) => `Zeile ${row}, Spalte ${col} ist gesperrt.`,
  notANumber: (given) => `„${given}“ ist keine Zahl.`,
};

/**
 * Tables of words by language, a primary subtag of BCP 47. A language that is added here applies to
 * all grids that are made or restyled afterwards; missing words are English.
 * @type {Record<string, Partial<GridWords>>}
 */
export const words = { en, de };

/**
 * The words of the first language that there is a table of.
 * @param {readonly (string | null | undefined)[]} languages Whatever pages and systems say, such as
 *   `de-AT`, `C` or nothing; the first that says something is asked.
 * @param {Partial<GridWords> | null} own
 * @returns {GridWords}
 */
export const wordsFor = (languages, own) => {
  const asked = (languages.find(Boolean) ?? '').toLowerCase().split(/[-_.]/)[0];
  return { ...en, ...(Object.hasOwn(words, asked) && words[asked]), ...own };
};
