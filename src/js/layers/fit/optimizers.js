// Makes optimizers from names or from Keras's JSON.
import { describe } from '../../base/check.js';
import { GradlockError, OptionError } from '../../base/errors.js';
import { lookUp } from '../config/names.js';
import { findName, readNamed } from '../config/serial.js';

/** @import { Gradlock } from '../../gradlock.js' */
/** @import { Optimizer } from '../../optim/optimizer.js' */

/** Keras's names of options that have other names here. @type {Record<string, string>} */
const RENAMED = { clipnorm: 'clipNorm', globalClipnorm: 'globalClipNorm', clipvalue: 'clipValue' };
/** The options of Keras that have no effect here. */
const PASSED_OVER = ['name', 'lossScaleFactor', 'jitCompile', 'isLegacyOptimizer'];

/**
 * @param {Gradlock} g
 * @param {any} value A name (with Keras's defaults), an optimizer, or a class with options.
 * @returns {Optimizer}
 */
export const readOptimizer = (g, value) => {
  if (value === undefined || value === null || typeof value === 'function') {
    throw new OptionError(
      `compile needs an optimizer: a name such as 'adam', or one made by g.optimizers.adam()`,
    );
  }
  if (typeof value.minimize === 'function') return expectSteps(value);
  const { name, config } = readNamed(value, 'optimizer');
  const { optimizers } = /** @type {any} */ (g);
  const rule = findName(Object.getOwnPropertyNames(optimizers), name, 'optimizer');
  const options = Object.fromEntries(
    Object.entries(config)
      .filter(([key, entry]) => !PASSED_OVER.includes(key) && entry !== null)
      .map(([key, entry]) => [lookUp(RENAMED, key) ?? key, entry]),
  );
  if (typeof options.learningRate === 'object')
    options.learningRate = readSchedule(g, options.learningRate);
  return expectSteps(optimizers[rule](options));
};

/** @param {any} optimizer @returns {Optimizer} */
const expectSteps = (optimizer) => {
  if (typeof optimizer.scaleLearningRate === 'function') return optimizer;
  throw new GradlockError(
    `compile takes a first-order optimizer, got ${describe(optimizer)}: call minimize of a solver instead`,
  );
};

/** @param {Gradlock} g @param {unknown} value */
const readSchedule = (g, value) => {
  if (value && typeof value === 'object' && !('className' in value || 'class_name' in value))
    return value;
  const { name, config } = readNamed(value, 'learningRate');
  const { schedules } = /** @type {any} */ (g);
  const key = findName(Object.getOwnPropertyNames(schedules), name, 'learningRate');
  const { name: _, ...given } = config;
  const options = Object.entries(given).filter(([, entry]) => entry !== null);
  return schedules[key](Object.fromEntries(options));
};
