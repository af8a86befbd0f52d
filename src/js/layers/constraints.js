// Constraints of weights by Keras's names, as what the optimizer holds them to.
// Source: keras/src/constraints/constraints.py.
import { findNamed, readNamed } from './serial.js';

/** @typedef {{ className: string, config: Record<string, unknown> }} NamedConstraint */

/** @type {Record<string, Record<string, unknown>>} */
const CONSTRAINTS = { NonNeg: {}, MaxNorm: { max_value: 2, axis: 0 }, UnitNorm: { axis: 0 } };

/**
 * @param {unknown} value A name, a class with its configuration, or null for none.
 * @param {string} what
 * @returns {NamedConstraint | null}
 */
export const readConstraint = (value, what) => {
  if (value === null) return null;
  const { name, config } = readNamed(value, what);
  const [className, initial] = findNamed(CONSTRAINTS, name, what);
  const { maxValue = initial.max_value, axis = initial.axis } = config;
  const read = { max_value: maxValue, axis };
  return {
    className,
    config: Object.fromEntries(
      Object.keys(initial).map((key) => [key, read[/** @type {'axis'} */ (key)]]),
    ),
  };
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
