// Methods that work without their object: `const { mean, square } = g`, as in TensorFlow.js.
import { ownProperties } from './check.js';

/**
 * Tie every method of an object to it.
 * @param {object} object
 */
export const bindMethods = (object) => {
  for (let level = object; level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (typeof value !== 'function' || name === 'constructor' || Object.hasOwn(object, name))
        continue;
      const method = { value: value.bind(object), configurable: true, writable: true };
      Object.defineProperty(object, name, ownProperties(method));
    }
  }
};
