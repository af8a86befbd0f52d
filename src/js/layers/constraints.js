// Constraints of weights by Keras's names, as what the optimizer holds them to.
// Source: keras/src/constraints/constraints.py.
import { toCamel } from './names.js';
import { findNamed, readNamed } from './serial.js';

/** @typedef {{ className: string, config: Record<string, unknown> }} NamedConstraint */

/** @type {Record<string, Record<string, unknown>>} */
const CONSTRAINTS = { NonNeg: {}, MaxNorm: { max_value: 2, axis: 0 }, UnitNorm: { axis: 0 } };

/**
 * @param {unknown} value A name, or a class with its configuration.
 * @param {string} what
 * @returns {NamedConstraint}
 */
export const readConstraint = (value, what) => {
  const { name, config } = readNamed(value, what);
  const [className, initial] = findNamed(CONSTRAINTS, name, what);
  const read = Object.entries(initial).map(([key, standard]) => [
    key,
    config[toCamel(key)] ?? standard,
  ]);
  return { className, config: Object.fromEntries(read) };
};

/**
 * As `optimizer.constrain` takes it.
 * @param {NamedConstraint} constraint
 * @returns {any}
 */
export const toOptimizer = ({ className, config }) => {
  if (className === 'NonNeg') return { nonNegative: true };
  const axis = config.axis;
  return className === 'MaxNorm' ? { maxNorm: config.max_value, axis } : { unitNorm: true, axis };
};
