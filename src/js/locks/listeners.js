// Listeners for changes of a variable's locks; tied variables share theirs. Free without one.
import { Resource } from '../tensors/resource.js';

/** @import { LockSet } from './locks.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/** @typedef {(locks: LockSet) => unknown} LockListener */
/**
 * @typedef {object} Audience
 * @property {LockSet} locks
 * @property {number} version That was told of last.
 * @property {Map<Subscription, LockListener>} listeners By subscription: a function may have two.
 */
/** @typedef {{ audience: Audience }} Subscription */

/** @type {WeakMap<Tensor, Audience>} */
const audiences = new WeakMap();

/**
 * @param {Tensor} variable
 * @param {LockSet} locks Its own.
 * @param {LockListener} listener
 * @returns {() => void} Ends the subscription; doing so twice is fine.
 */
export const listen = (variable, locks, listener) => {
  const owner = Resource.ownerOf(variable);
  let audience = audiences.get(owner);
  if (!audience) {
    audience = { locks, version: locks.version, listeners: new Map() };
    audiences.set(owner, audience);
  }
  const { listeners } = audience;
  const subscription = { audience };
  if (listeners.size === 0) audience.version = locks.version;
  listeners.set(subscription, listener);
  return () => void subscription.audience.listeners.delete(subscription);
};

/** Move listeners, before a tie. @param {Tensor} from @param {Tensor} to An owner. */
export const moveListeners = (from, to) => {
  const joining = audiences.get(from);
  const audience = audiences.get(to);
  if (!joining) return;
  if (!audience) return void audiences.set(to, joining);
  for (const [subscription, listener] of joining.listeners) {
    subscription.audience = audience;
    audience.listeners.set(subscription, listener);
  }
};

/** Report a listener's error as browsers do: the change stays. @param {unknown} error */
const report = (error) => {
  const { reportError } = globalThis;
  if (typeof reportError === 'function') reportError(error);
  else {
    queueMicrotask(() => {
      throw error;
    });
  }
};

/** Call after locks may have changed. @param {Tensor} variable */
export const notify = (variable) => {
  const audience = audiences.get(Resource.ownerOf(variable));
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
