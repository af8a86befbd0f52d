// The mark by which copies of the library know each other's errors: each entry file of the package
// has its own copy of the classes, or classes of its own.

/** On prototypes: the name of the class. */
export const KIND = Symbol.for('gradlock.error');

/**
 * Make a class a GradlockError that stands alone, where base/errors.js would be most of an entry.
 * Its errors are known by their code, also those that came from a worker.
 * @param {Function} type
 * @param {string} name
 * @param {string} code
 */
export const standAlone = (type, name, code) => {
  Object.defineProperty(type.prototype, 'name', { value: name });
  Object.defineProperty(type.prototype, KIND, { value: 'GradlockError' });
  Object.defineProperty(type, Symbol.hasInstance, {
    value: (/** @type {any} */ error) => error?.code === code,
  });
};
