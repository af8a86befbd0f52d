// Refuses training by TensorFlow.js's own optimizers if it would change locked elements. They do
// not know the locks, and compiling a model again with 'adam' is enough to use one. Wraps their
// methods once per copy of TensorFlow.js; without locks they only call these.
import { unflatten } from '../base/check.js';
import { LockedElementError } from '../base/errors.js';

/** @import { Mirrors } from './mirror.js' */

/** Mirrors to check before each step, by Optimizer class. @type {WeakMap<object, Set<Mirrors>>} */
const guarded = new WeakMap();

/** @param {Set<Mirrors>} all @param {object} optimizer @param {Iterable<any>} variables */
const refuseLocked = (all, optimizer, variables) => {
  for (const variable of variables) {
    for (const mirrors of all) {
      const own = mirrors.known(variable);
      if (!own || own.disposed || own.locks.count === 0) continue;
      const [flatIndex = 0] = own.locks.toIndices();
      const { count } = own.locks;
      throw new LockedElementError(
        `${optimizer.constructor.name} of TensorFlow.js would move ${count} locked elements of '${variable.name}', ` +
          'since it does not know the locks: compile the model with an optimizer of gradlock/tfjs, or unlock first',
        { index: unflatten(flatIndex, own.shape), flatIndex, count },
      );
    }
  }
};

/**
 * Watch all optimizers of a copy of TensorFlow.js that are not mirrors.
 * @param {any} tf
 * @param {Mirrors} mirrors
 * @returns {() => void} A function that removes the listener.
 */
export const guard = (tf, mirrors) => {
  const all = guarded.get(tf.Optimizer) ?? new Set();
  if (!guarded.has(tf.Optimizer)) {
    guarded.set(tf.Optimizer, all);
    wrap(tf.Optimizer.prototype, 'minimize', (optimizer, [, , variables]) => {
      // Ours override it. Without a list applyGradients knows what the loss depends on.
      refuseLocked(all, optimizer, variables ?? []);
    });
    for (const Type of Object.values(/** @type {Record<string, any>} */ (tf))) {
      // Not instanceof, which TensorFlow.js answers by the names of methods.
      if (!Object.prototype.isPrototypeOf.call(tf.Optimizer, Type)) continue;
      if (!Object.hasOwn(Type.prototype, 'applyGradients')) continue;
      wrap(Type.prototype, 'applyGradients', (optimizer, [given]) => {
        const names = Array.isArray(given)
          ? given.map(({ name }) => name)
          : Object.keys(given ?? {});
        const { registeredVariables } = tf.engine();
        const found = names.map((name) => registeredVariables[name]).filter(Boolean);
        refuseLocked(all, optimizer, found);
      });
    }
  }
  all.add(mirrors);
  return () => all.delete(mirrors);
};

/**
 * @param {any} prototype
 * @param {string} name
 * @param {(optimizer: object, args: any[]) => void} check
 */
const wrap = (prototype, name, check) => {
  const original = prototype[name];
  prototype[name] = function (/** @type {any[]} */ ...args) {
    check(this, args);
    return original.apply(this, args);
  };
};
