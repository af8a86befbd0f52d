// Scopes for define-by-run code: tensors that a function makes are disposed when it returns. The
// ones it returns, alone or in arrays and plain objects, are kept.
import { describe, isThenable } from '../base/check.js';

/** @import { Instance } from './instance.js' */

/** @template T @param {Instance} instance @param {() => T} fn */
export const tidy = (instance, fn) => {
  if (typeof fn !== 'function') throw new TypeError(`tidy takes a function, got ${describe(fn)}`);
  void instance.context;
  return instance.scope(
    () => {
      const result = fn();
      if (isThenable(result)) {
        throw new TypeError(
          'the function given to tidy must not be async: its tensors would be disposed before it ends',
        );
      }
      return result;
    },
    'it was made in a tidy, which disposes all but what its function returns',
    (result) => (typeof result === 'object' ? reach(result) : undefined),
  );
};

/** Everything in nested arrays and plain objects, however deep. @param {unknown} result */
const reach = (result) => {
  const found = new Set([result]);
  for (const value of found) {
    // which grows meanwhile
    if (typeof value !== 'object' || value === null) continue;
    const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
    if (isPlain) for (const entry of Object.values(value)) found.add(entry);
  }
  return found;
};
