// Who wants to know that a variable's locks changed. Costs nothing where nobody does.

/** @typedef {import('./locks.js').LockSet} LockSet */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {(locks: LockSet) => unknown} LockListener */
/**
 * @typedef {object} Audience
 * @property {LockSet} locks
 * @property {number} version That was told of last.
 * @property {Map<object, LockListener>} listeners By subscription, so that one function may subscribe twice.
 */

/** @type {WeakMap<Tensor, Audience>} */
const audiences = new WeakMap();

/**
 * @param {Tensor} variable
 * @param {LockSet} locks Its own.
 * @param {LockListener} listener
 * @returns {() => void} Ends the subscription; doing so twice is fine.
 */
export const listen = (variable, locks, listener) => {
  let audience = audiences.get(variable);
  if (!audience) {
    audience = { locks, version: locks.version, listeners: new Map() };
    audiences.set(variable, audience);
  }
  const { listeners } = audience;
  const subscription = {};
  if (listeners.size === 0) audience.version = locks.version;
  listeners.set(subscription, listener);
  return () => void listeners.delete(subscription);
};

/**
 * As browsers report what a listener throws: the change that it was told of is made, and its caller goes on.
 * @param {unknown} error
 */
const report = (error) => {
  const { reportError } = globalThis;
  if (typeof reportError === 'function') reportError(error);
  else {
    queueMicrotask(() => {
      throw error;
    });
  }
};

/**
 * Call after locks may have changed.
 * @param {Tensor} variable
 */
export const notify = (variable) => {
  const audience = audiences.get(variable);
  if (!audience || audience.listeners.size === 0 || variable.disposed) return;
  const { locks, listeners } = audience;
  const { version } = locks;
  if (version === audience.version) return;
  audience.version = version;
  for (const listener of [...listeners.values()]) {
    try {
      listener(locks);
    } catch (error) {
      report(error);
    }
  }
};
