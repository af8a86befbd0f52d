// Scopes for define-by-run code: what a function makes goes when it returns, except for what it returns, by itself or in
// arrays and plain objects.
import { describe, isThenable } from './check.js';
import { Resource } from './resource.js';

/** @typedef {import('./instance.js').Instance} Instance */

/**
 * @template T
 * @param {Instance} instance
 * @param {() => T} fn
 * @returns {T}
 */
export const tidy = (instance, fn) => {
  if (typeof fn !== 'function') {
    throw new TypeError(`tidy takes a function, got ${describe(fn)}`);
  }
  void instance.context;
  return instance.scope(
    () => {
      const result = fn();
      if (isThenable(result)) {
        throw new TypeError(
          'the function given to tidy must not be async: its tensors would go before it ends',
        );
      }
      return result;
    },
    'it was made in a tidy, which disposes all but what its function returns',
    (result) => (typeof result === 'object' ? reach(result, new Set()) : undefined),
  );
};

/**
 * Everything in a result of nested arrays and plain objects.
 * @param {unknown} value
 * @param {Set<unknown>} found
 */
const reach = (value, found) => {
  if (typeof value !== 'object' || value === null || found.has(value)) return found;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (isPlain || value instanceof Resource) found.add(value);
  if (isPlain) for (const entry of Object.values(value)) reach(entry, found);
  return found;
};
