// Numbers as people read them: a true minus, powers of ten in superscript. In all languages alike,
// and by no Intl, which throws where the system's language is not one.

import { refuseRest } from '../base/arity.js';

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** @param {string} text */
const withMinus = (text) => text.replace(/-/g, '−');

/** @param {number} exponent @param {[]} more */
export const powerOfTen = (exponent, ...more) => {
  refuseRest('powerOfTen', 1, more, exponent);
  return `10${`${exponent}`.replace(/./g, (digit) => SUPERSCRIPTS[Number(digit)] ?? '⁻')}`;
};

/**
 * A value with a fixed number of decimals; a value that does not fit becomes a power of ten.
 * @param {number} value
 * @param {number} decimals
 * @param {[]} more
 */
export function formatValue(value, decimals, ...more) {
  refuseRest('formatValue', 2, more);
  if (!Number.isFinite(value)) return withMinus(`${value}`.replace('Infinity', '∞'));
  if (Math.abs(value) >= 1000) return formatScientific(value, Math.min(1, decimals));
  const text = value.toFixed(decimals);
  // −0.004 rounds to "-0.00", whose sign says nothing at this precision.
  return withMinus(Number(text) === 0 ? text.replace('-', '') : text);
}

/** @param {number} value @param {number} digits behind the point */
function formatScientific(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits).split('e');
  return withMinus(`${mantissa}·`) + powerOfTen(Number(exponent));
}

/** A number of any size at four significant digits. @param {number} value @param {[]} more */
export function formatNumber(value, ...more) {
  refuseRest('formatNumber', 1, more, value);
  if (!Number.isFinite(value)) return formatValue(value, 0);
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 1e-3 || size >= 1e5) return formatScientific(value, 2);
  const decimals = size >= 1000 ? 1 : size >= 100 ? 2 : size >= 10 ? 3 : 4;
  return withMinus(value.toFixed(decimals));
}

/** The text for an input field, without trailing zeros. @param {number} value @param {[]} more */
export const formatInput = (value, ...more) => {
  refuseRest('formatInput', 1, more, value);
  return `${Number(value.toPrecision(6))}`;
};

/** Parse a typed number; NaN if it is none. @param {string} text @param {[]} more */
export function parseNumber(text, ...more) {
  refuseRest('parseNumber', 1, more, text);
  const plain = text.trim().replace(/[−–]/g, '-').replace(',', '.');
  return Number(plain || 'NaN');
}
