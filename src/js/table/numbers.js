// Numbers as people and programs write them. A mark that can mean a decimal or thousands is read
// only if the table or an option says which.

/** A cell that says that nothing is known. @param {string} cell */
export const isMissing = (cell) =>
  /^([-–—?.]?|#?n\/a|n\.a\.|na|nan|null|none|nil|missing)$/i.test(cell);

/** The cell without its percent sign and marks that can only group digits. @param {string} cell */
const plainOf = (cell) => {
  const text = cell.replace(/^[−–]/, '-').replace(/\s*%$/, '');
  return /^[-+]?\d{1,3}([ \u00a0\u2009\u202f'’]\d{3})+([.,]\d*)?$/.test(text)
    ? text.replace(/[\s'’]/g, '')
    : text;
};

const WHOLE = /^[-+]?\d+(e[-+]?\d+)?$/i;
/** One group of three digits: a decimal, or thousands. */
const EITHER = /^[-+]?[1-9]\d{0,2}([.,])\d{3}$/;
const DECIMAL = /^[-+]?(?:\d+([.,])\d*|([.,])\d+)(?:[ed][-+]?\d+)?$/i;
const GROUPED =
  /^[-+]?[1-9]\d{0,2}(?:(,)(?:\d{3},)*\d{3}\.\d*|(\.)(?:\d{3}\.)*\d{3},\d*|(,)\d{3}(?:,\d{3})+|(\.)\d{3}(?:\.\d{3})+)$/;

/** @typedef {'.' | ','} Mark */
/** @typedef {{ decimal: Mark | undefined, isProven: boolean, isGrouped: boolean }} Notation */

/**
 * What a cell shows: `decimal` is its proven mark, `either` an ambiguous one. Null: no number.
 * @param {string} cell
 * @returns {{ decimal?: Mark, either?: Mark, isGrouped?: boolean } | null}
 */
export const inspectNumber = (cell) => {
  const text = plainOf(cell);
  if (WHOLE.test(text)) return {};
  const either = text.match(EITHER)?.[1];
  if (either) return { either: /** @type {Mark} */ (either) };
  const grouped = text.match(GROUPED)?.slice(1).find(Boolean);
  if (grouped) return { decimal: grouped === ',' ? '.' : ',', isGrouped: true };
  const mark = text.match(DECIMAL)?.slice(1).find(Boolean);
  // "1," is the end of a list, not a number.
  if (!mark || /,$/.test(text)) return null;
  return { decimal: /** @type {Mark} */ (mark) };
};

/** True for a date or a time of day, readable or not. @param {string} cell */
export const isDate = (cell) =>
  /^\d{1,4}([-/.])\d{1,2}(\1\d{1,4})?([ T]\d|$)|^\d{1,2}:\d\d|^\d{4}-\d\d$|\b[a-z]{3,9}[ .,-]+(\d{1,2},? )?\d{4}$/i.test(
    cell,
  ) && inspectNumber(cell) === null;

/** True for a number or a date, in any notation. @param {string} cell */
export const isValue = (cell) => inspectNumber(cell) !== null || isDate(cell);

/**
 * @param {string} cell
 * @param {Notation} notation
 * @returns {number | 'notANumber' | 'grouped' | 'decimals'} Or why there is none.
 */
export const numberOf = (cell, { decimal = '.', isProven, isGrouped }) => {
  const seen = inspectNumber(cell);
  if (!seen) return 'notANumber';
  if (seen.decimal && seen.decimal !== decimal) return 'decimals';
  if (seen.either && (seen.either !== decimal ? !isGrouped : !isProven)) return 'grouped';
  const other = decimal === '.' ? ',' : '.';
  const value = Number(
    plainOf(cell).replaceAll(other, '').replace(decimal, '.').replace(/d/i, 'e'),
  );
  return Number.isFinite(value) ? value : 'notANumber';
};
