// Methods that work without their object: `const { mean, square } = g`, as in TensorFlow.js.
import { strictMethod } from './arity.js';
import { ownProperties } from './check.js';

/**
 * Tie every method of an object to it, and let it refuse arguments that it does not take.
 * @param {object} object
 * @param {readonly string[]} [open] The methods that take any number of arguments.
 */
export const bindMethods = (object, open = []) => {
  for (let level = object; level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (typeof value !== 'function' || name === 'constructor' || Object.hasOwn(object, name))
        continue;
      const bound = open.includes(name) ? value.bind(object) : strictMethod(name, value, object);
      const method = { value: bound, configurable: true, writable: true };
      Object.defineProperty(object, name, ownProperties(method));
    }
  }
};
