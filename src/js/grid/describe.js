// The text that a screen reader reads for a cell.
import { formatNumber } from './format.js';
import { rowAndColumn } from './row-column.js';

/** @import { Picture, Plan } from './view.js' */

/**
 * True if a locked cell has lost its value. Bits are compared: −0 differs from 0, NaN equals NaN.
 * @param {Picture} picture
 * @param {number} index
 */
export const differsFromHeld = ({ values, mask, held }, index) =>
  held !== null && mask[index] === 1 && !Object.is(held[index], values[index]);

/**
 * @param {Plan} plan
 * @param {Picture} picture
 * @param {number} index
 * @param {string} [seen] The visible text, which the result contains. Default: a known value.
 */
export const describe = (plan, picture, index, seen) => {
  const { cols, rowNames, colNames } = plan;
  const { values, mask, held, unknown, words } = picture;
  const [row, col] = rowAndColumn(index, cols);
  const names = [rowNames?.[row], colNames?.[col]].filter(Boolean).join(', ');
  const value = seen || (unknown?.[index] ? words.unknown : formatNumber(values[index]));
  const text = words.cell(row + 1, col + 1, value, mask[index] === 1);
  const drift =
    held && differsFromHeld(picture, index)
      ? `, ${words.drift(formatNumber(values[index] - held[index]))}`
      : '';
  return (names && `${names}: `) + text + drift;
};
