// What a model that somebody else described may cost, unless an option allows more.
import { optionError } from '../base/check.js';

/** Layers of a model, as often as they are applied. */
export const MOST_LAYERS = 10_000;
/** Bytes of weights that initializers make. */
export const MOST_WEIGHT_BYTES = 2 ** 30;

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
