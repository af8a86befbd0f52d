// Shapes with unknown sizes: null where the size depends on the data.
import { formatShape, optionError, typeError } from '../../base/check.js';

/**
 * @typedef {readonly (number | null)[]} OpenShape The sizes of the axes; null where the size
 *   depends on the data.
 */

/** @param {readonly (number | null)[]} shape */
export const formatOpen = (shape) =>
  formatShape(/** @type {any} */ (shape.map((size) => size ?? 'null')));

/** Reads a shape of sizes or nulls. @param {any} value @param {string} what @returns {OpenShape} */
export const readOpenShape = (value, what) => {
  if (!Array.isArray(value)) throw typeError(what, 'an array of sizes', value);
  return Array.from(value, (size, axis) => {
    if (size === null || size === undefined) return null;
    if (Number.isSafeInteger(size) && size >= 0) return size;
    if (typeof size === 'number')
      throw optionError(`${what}[${axis}]`, 'an integer from 0 up or null', size);
    throw typeError(`${what}[${axis}]`, 'an integer or null', size);
  });
};

/** @param {any} value @param {string} what @returns {OpenShape | OpenShape[]} */
export const readShapes = (value, what) =>
  Array.isArray(value?.[0])
    ? value.map((/** @type {any} */ shape) => readOpenShape(shape, what))
    : readOpenShape(value, what);
