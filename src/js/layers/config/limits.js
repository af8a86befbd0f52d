// What a model that somebody else described may cost, unless an option allows more.
import { optionError, sizeOf } from '../../base/check.js';
import { FormatError } from '../../base/errors.js';

/** Layers of a model, as often as they are applied. */
export const MOST_LAYERS = 5000;
/** Bytes of weights that initializers make. */
export const MOST_WEIGHT_BYTES = 2 ** 30;

/**
 * An orthogonal matrix counts once, and once more for each 160 of its rows or columns, whichever
 * are fewer: what 33 MB allow takes a second and a half, of any shape, and a recurrent layer of
 * 2,048 units may be made of JSON alone.
 */
const ORTHOGONAL = 160;

/**
 * What a new weight costs: its bytes, or more if it takes long to make.
 * @param {readonly number[]} shape
 * @param {string} [className] Of its initializer, if that runs.
 */
export const costOf = (shape, className) => {
  const size = sizeOf(shape);
  if (className !== 'Orthogonal') return 4 * size;
  const columns = shape.at(-1) ?? 1;
  return 4 * size * (1 + Math.min(size / Math.max(1, columns), columns) / ORTHOGONAL);
};

/**
 * @param {unknown} value
 * @param {string} what
 * @param {number} standard
 */
export const readLimit = (value, what, standard) => {
  if (value === undefined) return standard;
  if (typeof value === 'number' && value >= 0) return value;
  throw optionError(what, 'a number from 0 up', value);
};

/** Some four for each model inside of a model. */
const MOST_LEVELS = 256;

/**
 * Refuse JSON that nests so deep that it would exhaust the stack.
 * @param {unknown} json
 * @param {string} what How messages call it.
 */
export const checkLevels = (json, what) => {
  let level = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) {
      throw new FormatError(`${what} is nested more than ${MOST_LEVELS} levels deep`);
    }
    const inner = new Set();
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const next of Object.values(value)) inner.add(next);
    }
    level = [...inner].filter((value) => typeof value === 'object' && value !== null);
  }
};
