// Arithmetic of shapes with unknown sizes: null stays null where it matters. Throws for known sizes
// that do not fit; the caller puts the layer's name before the message.
import { ShapeError } from '../../base/errors.js';
import { formatOpen } from './open-shapes.js';

/** @import { OpenShape } from './open-shapes.js' */
/** @typedef {number | null} Size */

/** @param {readonly Size[]} sizes @returns {Size} */
export const product = (sizes) =>
  sizes.reduce((a, b) => (a === null || b === null ? null : a * b), 1);

/** @param {Size} a @param {Size} b @returns {Size} */
export const added = (a, b) => (a === null || b === null ? null : a + b);

/**
 * Merges two sizes that must be equal.
 * @param {Size} a
 * @param {Size} b
 * @param {string} what The thing that the sizes belong to.
 * @returns {Size}
 */
export const unify = (a, b, what) => {
  if (a === null || b === null || a === b) return a ?? b;
  throw new ShapeError(`${what} must agree, got ${a} and ${b}`);
};

/**
 * Returns the index of an axis, counted from 0.
 * @param {OpenShape} shape
 * @param {number} axis The axis; a negative one counts from the end.
 */
export const axisFrom0 = (shape, axis) => {
  const at = axis < 0 ? axis + shape.length : axis;
  if (at >= 0 && at < shape.length) return at;
  throw new ShapeError(`axis ${axis} is out of range for ${formatOpen(shape)}`);
};

/** Indices, which must differ. @param {OpenShape} shape @param {number | readonly number[]} axes */
export const axesFrom0 = (shape, axes) => {
  const indices = [axes].flat().map((axis) => axisFrom0(shape, axis));
  if (new Set(indices).size === indices.length) return indices;
  throw new ShapeError(`an axis of ${formatOpen(shape)} is named twice: ${axes}`);
};

/**
 * Returns the shape, if it has the size that the weights were made for.
 * @param {OpenShape} shape
 * @param {number} axis
 * @param {Size | undefined} size The size; undefined if there are no weights yet.
 */
export const expectSize = (shape, axis, size) => {
  const found = shape[axisFrom0(shape, axis)] ?? null;
  if (found === null || typeof size !== 'number' || found === size) return shape;
  throw new ShapeError(
    `axis ${axis} of ${formatOpen(shape)} has size ${found}, but the weights were made for size ${size}`,
  );
};

/**
 * Returns the number of windows along an axis.
 * @param {Size} size
 * @param {{ taps: number, stride: number, padding: string, rate?: number }} window The window;
 *   `rate` is the step between its taps.
 * @returns {Size}
 */
export const windowed = (size, { taps, stride, padding, rate = 1 }) => {
  if (size === null) return null;
  if (padding !== 'valid') return Math.ceil(size / stride);
  const span = (taps - 1) * rate + 1;
  if (span <= size) return Math.floor((size - span) / stride) + 1;
  throw new ShapeError(`a window of ${span} does not fit into an axis of size ${size}`);
};

/** The shape of a broadcast. @param {readonly OpenShape[]} shapes @returns {OpenShape} */
export const broadcast = (shapes) => {
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) => {
    const sizes = shapes.map((shape) => {
      const at = axis - rank + shape.length;
      return at < 0 ? 1 : /** @type {Size} */ (shape[at]);
    });
    const known = [...new Set(sizes.filter((size) => size !== null && size !== 1))];
    if (known.length > 1) {
      throw new ShapeError(`shapes ${shapes.map(formatOpen).join(' and ')} cannot be broadcast`);
    }
    return known.length > 0 ? Number(known[0]) : sizes.includes(null) ? null : 1;
  });
};
