// Keras's constraints of weights, for optimizers. Source: keras/src/constraints/constraints.py.
import { optionError } from '../../base/check.js';
import { toCamel } from './names.js';
import { findNamed, readNamed, refuseUnknown } from './serial.js';

/** @typedef {{ className: string, config: Record<string, unknown> }} NamedConstraint */

/**
 * A constraint on a weight, applied after each step. Locked elements stay.
 * @typedef {'nonNeg' | 'unitNorm' | 'maxNorm' | 'minMaxNorm' | (string & {})
 *   | import('./serial.js').NamedConfig | null} WeightConstraint
 */

/** @type {Record<string, Record<string, unknown>>} */
const CONSTRAINTS = {
  NonNeg: {},
  MaxNorm: { max_value: 2, axis: 0 },
  UnitNorm: { axis: 0 },
  MinMaxNorm: { min_value: 0, max_value: 1, rate: 1, axis: 0 },
};

/**
 * @param {unknown} value A name, or a class with its configuration.
 * @param {string} what
 * @returns {NamedConstraint}
 */
export const readConstraint = (value, what) => {
  const { name, config } = readNamed(value, what);
  const [className, initial] = findNamed(CONSTRAINTS, name, what);
  refuseUnknown(config, initial, `${what} ${className}`);
  const read = Object.entries(initial).map(([key, standard]) => [
    key,
    config[toCamel(key)] ?? standard,
  ]);
  const found = Object.fromEntries(read);
  if (found.rate !== undefined && found.rate !== 1)
    throw optionError(`${what}: rate`, '1, the only supported value', found.rate);
  return { className, config: found };
};

/** Returns what `optimizer.constrain` takes. @param {NamedConstraint} constraint @returns {any} */
export const toOptimizer = ({ className, config }) => {
  if (className === 'NonNeg') return { nonNegative: true };
  const { axis, min_value: minNorm = 0, max_value: maxNorm } = config;
  return className === 'UnitNorm' ? { unitNorm: true, axis } : { minNorm, maxNorm, axis };
};
