/** Formats and parses numbers: values of the grid, counts and bits. */

import { formatNumber, parseNumber as parse } from 'gradlock/grid';
import { isFloat } from '../state/history.js';
import { language } from '../strings/index.js';

export { formatInput, formatNumber, formatValue, powerOfTen } from 'gradlock/grid';

/** Returns true if a number is written like 1,000: one thousand in some languages, one in others. @param {string} text */
const isGrouped = (text) => /^[-+−–]?[1-9]\d{0,2}(,\d{3})+$/.test(text.trim());

/** Parses a person's number, with a decimal point or comma; NaN if it is none or ambiguous. @param {string} text */
export const parseNumber = (text) => (isGrouped(text) ? Number.NaN : parse(text));

/** Returns why a cell cannot have a typed value; null if it can. @param {string} text @param {number} value as parsed */
export function problemOf(text, value) {
  if (isGrouped(text)) return 'grouped';
  if (isFloat(value)) return null;
  return Number.isNaN(value) ? 'notANumber' : 'beyond';
}

/** Formats a count in groups: 65,536; in German a comma would be decimal. @param {number} count */
export const formatCount = (count) =>
  String(count).replace(/\B(?=(\d{3})+$)/g, language === 'en' ? ',' : '\u202f');

/** Formats a number at three significant digits, without zeros at its end: enough to watch it. @param {number} value */
export const formatShort = (value) =>
  formatNumber(Number(value.toPrecision(3)))
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');

/** Returns the first three of a list, each shortened. @param {readonly string[]} texts */
export const someOf = (texts) =>
  Array.from(texts.slice(0, 4), (text, i) => (i < 3 ? text.slice(0, 40) : '…')).join('; ');

/** Returns the bit pattern of a 32-bit float. @param {number} value */
export function formatBits(value) {
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
  return bits.toString(16).padStart(8, '0');
}
