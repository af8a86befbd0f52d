// How Keras writes objects as JSON, and reads what people hand in for them: a name, or a class with
// its configuration.
import { describe, isRecord, ownProperties, typeError } from '../../base/check.js';
import { OptionError } from '../../base/errors.js';
import { fold, renameKeys, toCamel } from './names.js';

/**
 * @typedef {{ className: string, config: Record<string, unknown> }} Named What a name and a
 *   configuration stand for.
 */

/**
 * A class and its configuration, as Keras's JSON has them.
 * @typedef {{ className: string, config?: Record<string, unknown> } | { class_name: string,
 *   config?: Record<string, unknown>, module?: string, registered_name?: string | null }}
 *   NamedConfig
 */

/**
 * @param {string} module
 * @param {{ className: string, config: Record<string, unknown> }} object Whose keys are Keras's.
 */
export const writeObject = (module, { className, config }) => ({
  module,
  class_name: className,
  config,
  registered_name: null,
});

/** The only type of numbers, as Keras writes it. */
export const FLOAT32 = writeObject('keras', {
  className: 'DTypePolicy',
  config: { name: 'float32' },
});

/**
 * A name, or an object with a class and a configuration in TensorFlow.js's or Keras's spelling.
 * @param {unknown} value
 * @param {string} what
 * @returns {{ name: string, config: Record<string, unknown> }} The configuration's keys in
 *   camelCase.
 */
export const readNamed = (value, what) => {
  if (typeof value === 'string') return { name: value, config: {} };
  const given = isRecord(value) ? ownProperties(value) : {};
  const name = given.className ?? given.class_name;
  if (typeof name !== 'string') {
    throw typeError(what, 'a name or an object with className and config', value);
  }
  const config = isRecord(given.config) ? ownProperties(given.config) : {};
  return { name, config: renameKeys(config, toCamel) };
};

/**
 * Which of some names is meant, in any spelling.
 * @param {readonly string[]} names
 * @param {string} name
 * @param {string} what
 */
export const findName = (names, name, what) => {
  const found = names.find((key) => fold(key) === fold(name));
  if (found !== undefined) return found;
  throw new OptionError(`${what}: there is no ${describe(name)}, there are ${names.join(', ')}`);
};

/**
 * What a name stands for, in any spelling.
 * @template T
 * @param {Record<string, T>} table
 * @param {string} name
 * @param {string} what
 * @returns {[string, T]}
 */
export const findNamed = (table, name, what) => {
  const key = findName(Object.keys(table), name, what);
  return [key, table[key]];
};
