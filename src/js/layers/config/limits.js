// The limits for models from untrusted files. Options can raise them.
import { optionError, sizeOf } from '../../base/check.js';
import { FormatError } from '../../base/errors.js';

/** The limit of a model's layers, each counted as often as it is applied. */
export const MOST_LAYERS = 5000;
/** The limit in bytes of weights that initializers make. */
export const MOST_WEIGHT_BYTES = 2 ** 30;

/**
 * The cost of an orthogonal matrix: it counts once, and once more for every 160 rows or columns,
 * whichever are fewer. So a matrix within 33 MB takes at most 1.5 seconds in any shape, and a
 * recurrent layer of 2,048 units still loads from JSON alone.
 */
const ORTHOGONAL = 160;

/**
 * Returns the cost of a new weight: its elements, or more if it takes long to make.
 * @param {readonly number[]} shape
 * @param {string} [className] The class of its initializer, if that runs.
 */
export const costOf = (shape, className) => {
  const size = sizeOf(shape);
  if (className !== 'Orthogonal') return size;
  const columns = shape.at(-1) ?? 1;
  return size * (1 + Math.min(size / Math.max(1, columns), columns) / ORTHOGONAL);
};

/** @param {unknown} value @param {string} what @param {number} standard */
export const readLimit = (value, what, standard) => {
  if (value === undefined) return standard;
  if (typeof value === 'number' && value >= 0) return value;
  throw optionError(what, 'a number from 0 up', value);
};

/** The limit for nesting in JSON: about four levels for each model inside a model. */
const MOST_LEVELS = 256;

/** Refuse JSON nested too deeply for the stack. @param {unknown} json @param {string} what */
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
