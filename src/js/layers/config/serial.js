// Writes objects in the form of Keras's JSON, and reads them from names or configurations.
import { describe, isRecord, ownProperties, typeError } from '../../base/check.js';
import { OptionError } from '../../base/errors.js';
import { suggest } from '../../base/suggest.js';
import { fold, renameKeys, toCamel } from './names.js';

/**
 * A class and its configuration, in the form of Keras's JSON.
 * @typedef {{ className: string, config?: Record<string, unknown> } | { class_name: string,
 *   config?: Record<string, unknown>, module?: string, registered_name?: string | null }}
 *   NamedConfig
 */

/**
 * @param {string} module
 * @param {{ className: string, config: Record<string, unknown> }} object With Keras's keys.
 */
export const writeObject = (module, { className, config }) => ({
  module,
  class_name: className,
  config,
  registered_name: null,
});

/** The only type of numbers, in Keras's JSON. */
export const FLOAT32 = writeObject('keras', {
  className: 'DTypePolicy',
  config: { name: 'float32' },
});

/**
 * Reads a name, or an object with a class and a configuration, in either spelling.
 * @param {unknown} value
 * @param {string} what
 * @returns {{ name: string, config: Record<string, unknown> }} `config` has keys in camelCase.
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
 * Throws if a configuration has a key that its class does not have. Keras 2 wrote `dtype` to all.
 * @param {Record<string, unknown>} config Keys in camelCase.
 * @param {object} known Keys of Keras.
 * @param {string} what
 */
export const refuseUnknown = (config, known, what) => {
  const names = Object.keys(known).map(toCamel);
  const unknown = Object.keys(config).find((key) => !names.includes(key) && key !== 'dtype');
  if (unknown !== undefined) {
    throw new TypeError(`${what} has no option '${unknown}': ${suggest(unknown, names)}`);
  }
};

/** Finds a spelling. @param {readonly string[]} names @param {string} name @param {string} what */
export const findName = (names, name, what) => {
  const found = names.find((key) => fold(key) === fold(name));
  if (found !== undefined) return found;
  throw new OptionError(`${what}: unknown name ${describe(name)}: ${suggest(name, names)}`);
};

/**
 * Returns a table's entry for a name in any spelling.
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
