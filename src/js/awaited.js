// Replacements for an instance that is not ready yet: its promise, and the package under one name.
// If you use a property that only an instance has, they explain what to write.
import { GradlockError } from './base/errors.js';
import { Gradlock } from './gradlock.js';

/** Properties that instances define themselves. */
const OWN = ['optimizers', 'schedules', 'initializers', 'losses'];

/**
 * @template {object} T
 * @param {T} parent
 * @param {string} what
 * @returns {T} An object that inherits from the parent.
 */
const helping = (parent, what) =>
  new Proxy(Object.create(parent), {
    get(target, name, receiver) {
      const isText = typeof name === 'string' && !(name in target);
      if (isText && (OWN.includes(name) || name in Gradlock.prototype)) {
        throw new GradlockError(
          `${name} is of an instance, and this is ${what}: const g = await init()`,
        );
      }
      return Reflect.get(target, name, receiver);
    },
  });

/**
 * The promise of an instance, as it is.
 * @template {Promise<Gradlock>} T
 * @param {T} promise
 * @returns {T}
 */
export const awaited = (promise) =>
  Object.setPrototypeOf(promise, helping(Object.getPrototypeOf(promise), 'the promise of one'));

/**
 * The package under one name.
 * @template {object} T
 * @param {T} library
 * @returns {T}
 */
export const packageOf = (library) => helping(library, 'the package gradlock');
