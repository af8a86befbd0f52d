// Keras's penalties on weights, added to the loss. Source: keras/src/regularizers/regularizers.py.
import { optionError, readNumber } from '../../base/check.js';
import { findNamed, readNamed, refuseUnknown } from './serial.js';

/** @import { Gradlock } from '../../gradlock.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @typedef {{ className: string, config: Record<string, number> }} Regularizer */

/**
 * A penalty on a weight or on an output, which is added to the loss.
 * @typedef {'l1' | 'l2' | 'l1l2' | (string & {}) | import('./serial.js').NamedConfig | null}
 *   RegularizerOption
 */

/** The default factors. @type {Record<string, Record<string, number>>} */
const REGULARIZERS = { L1: { l1: 0.01 }, L2: { l2: 0.01 }, L1L2: { l1: 0, l2: 0 } };

/**
 * @param {unknown} value A name, or a class with its factors.
 * @param {string} what
 * @returns {Regularizer}
 */
export const readRegularizer = (value, what) => {
  const { name, config } = readNamed(value, what);
  const [className, initial] = findNamed(REGULARIZERS, name, what);
  refuseUnknown(config, initial, `${what} ${className}`);
  const factors = Object.entries(initial).map(([key, standard]) => {
    const factor = readNumber(config[key] ?? standard, `${what}: ${key}`);
    if (factor >= 0 && factor < Number.POSITIVE_INFINITY) return [key, factor];
    throw optionError(`${what}: ${key}`, 'a finite number from 0 up', factor);
  });
  return { className, config: Object.fromEntries(factors) };
};

/** l1 Σ|w| + l2 Σw². @param {Gradlock} g @param {Regularizer} regularizer @param {Tensor} weight */
export const penaltyOf = (g, { config: { l1 = 0, l2 = 0 } }, weight) => {
  const squares = g.mul(l2, g.sum(g.square(weight)));
  if (l1 === 0) return squares;
  const absolutes = g.mul(l1, g.sum(g.abs(weight)));
  return l2 === 0 ? absolutes : g.add(absolutes, squares);
};
