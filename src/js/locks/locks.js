// Lock sets: one bit per element. A variable's own set is live, and changes only through the
// variable's lock, unlock, toggle and trainOnly. Other sets are values; combining makes new ones.
import { describe, formatShape, readElement, sameShape, sizeOf } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { inspectKey } from '../base/inspect.js';
import { comparable, Resource } from '../tensors/resource.js';
import { readShapeOf } from '../tensors/tensor.js';
import { audit, setAudit } from './audit.js';
import { packLocks, readIndices, readMask } from './contents.js';
import { holderNames } from './holder-names.js';
import { listen } from './listeners.js';
import { createFromPlan } from './plan.js';
import { readSelection } from './selection.js';
import { JSON_VERSION } from './selection-named.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { LockSetJSON } from './selection.js' */
/** @import { Audit } from './audit.js' */
/** @import { LockHolder } from './holders.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/** @typedef {import('./selection.js').PlainSelection | LockSet} Selection */
/** @typedef {`GLK_LOCKS_${'SET' | 'OR' | 'AND' | 'AND_NOT' | 'XOR'}`} LocksOp */

/** Most flat indices that JSON lists. */
const MOST_INDICES = 256;

const noHolder = () => {
  throw new TypeError('a lock set that belongs to no variable has no holders');
};

/** One bit per element of a shape: locked or free. */
export class LockSet extends Resource {
  /** @type {Tensor | null} */
  #variable;
  #makeHolder;
  /** @type {readonly number[] | undefined} */
  #shape;

  /**
   * @internal
   * @param {Instance} instance
   * @param {number} handle
   * @param {Tensor | null} [variable] The variable to which the set belongs.
   * @param {(name: unknown) => LockHolder} [makeHolder] Makes a holder of the variable.
   */
  constructor(instance, handle, variable = null, makeHolder = noHolder) {
    super(instance, handle, true, variable);
    this.#variable = variable;
    this.#makeHolder = makeHolder;
  }

  /** Sizes along the axes. @type {readonly number[]} */
  get shape() {
    const handle = Resource.ownHandle(this);
    this.#shape ??= readShapeOf(Resource.instanceOf(this), handle);
    return this.#shape;
  }

  /** Number of elements, locked or free. */
  get size() {
    return sizeOf(this.shape);
  }

  /** Number of locked elements. */
  get count() {
    return Resource.ask(this, 'glk_locks_count').outHandle();
  }

  /** A number that differs whenever the set may have changed. */
  get version() {
    return Resource.ask(this, 'glk_locks_version').outHandle();
  }

  /**
   * True if an element is locked.
   * @param {number | readonly number[]} index Flat (row-major), or one index per axis.
   * @returns {boolean}
   * @example
   * g.locks([2, 2], { rows: [1] }).has([1, 0]); // true
   */
  has(index) {
    const flat = readElement(index, this.shape);
    return Resource.ask(this, 'glk_locks_test', flat).outHandle() !== 0;
  }

  /**
   * One byte per element in row-major order, 1 for locked.
   * @returns {Uint8Array}
   * @example
   * g.locks([2, 2], { rows: [1] }).toMask(); // [0, 0, 1, 1]
   */
  toMask() {
    return readMask(this);
  }

  /**
   * Flat (row-major) indices of the locked elements, ascending.
   * @returns {Uint32Array}
   * @example
   * g.locks([2, 2], { rows: [1] }).toIndices(); // [2, 3]
   */
  toIndices() {
    return readIndices(this);
  }

  /**
   * The elements that are locked both here and in a selection of the same shape.
   * @param {Selection} selection
   * @returns {LockSet} A new set.
   * @example
   * g.locks([2, 2], { rows: [1] }).and({ cols: [0] }).toIndices(); // [2]
   */
  and(selection) {
    return this.#combined('GLK_LOCKS_AND', selection);
  }

  /**
   * The elements that are locked here or in a selection of the same shape.
   * @param {Selection} selection
   * @returns {LockSet} A new set.
   * @example
   * g.locks([2, 2], { rows: [1] }).or({ cols: [0] }).toIndices(); // [0, 2, 3]
   */
  or(selection) {
    return this.#combined('GLK_LOCKS_OR', selection);
  }

  /**
   * The elements that are free here.
   * @returns {LockSet} A new set.
   * @example
   * g.locks([2, 2], { rows: [1] }).not().toIndices(); // [0, 1]
   */
  not() {
    return this.#combined('GLK_LOCKS_XOR', 'all');
  }

  /** @param {LocksOp} op @param {Selection} selection */
  #combined(op, selection) {
    const instance = Resource.instanceOf(this);
    const handle = buildLocks(instance, this.shape, selection, this.#variable);
    try {
      combineInto(instance, handle, op, Resource.ownHandle(this));
    } catch (error) {
      instance.release(handle);
      throw error;
    }
    return new LockSet(instance, handle);
  }

  /**
   * A form for JSON, which is itself a selection, and which `g.locksFrom` reads. It has the flat
   * indices of locked elements or, if there are more than 256, the set's bytes in base64.
   * @override
   * @returns {LockSetJSON}
   * @example
   * const { shape, indices } = g.locks([2, 2], { rows: [1] }).toJSON();
   * [shape, indices]; // [[2, 2], [2, 3]]
   */
  toJSON() {
    const { shape } = this;
    const version = JSON_VERSION;
    if (this.count <= MOST_INDICES) {
      return { version, shape, indices: Array.from(this.toIndices()) };
    }
    const bytes = Array.from(this.toBytes(), (byte) => String.fromCharCode(byte));
    return { version, shape, packed: btoa(bytes.join('')) };
  }

  /**
   * A few bytes with shape, version and checksum: packed bits, or run lengths where those are
   * shorter. Equal sets have equal bytes. `g.locksFrom` reads them.
   * @returns {Uint8Array}
   * @example
   * const bytes = g.locks([2, 2], { rows: [1] }).toBytes();
   * g.locksFrom(bytes).toIndices(); // [2, 3]
   */
  toBytes() {
    return packLocks(this);
  }

  /**
   * A holder of a variable's locks, by its name. An element is locked if any holder locks it. The
   * variable's own lock, unlock, toggle and trainOnly change the default holder, which has no name.
   * @param {string} name A name of 1 to 63 bytes.
   * @returns {LockHolder}
   * @example
   * const w = g.variable([1, 2, 3]);
   * w.locks.holder('teacher').lock([0]);
   * w.unlock([0]).locks.count; // 1
   */
  holder(name) {
    this.#owner('holders');
    return this.#makeHolder(name);
  }

  /** Names of the holders that lock something or have a policy, except the default holder. */
  get holders() {
    return holderNames(this.#owner('holders'));
  }

  /**
   * The default holder's elements: those of the variable's lock, unlock, toggle and trainOnly.
   * @returns {LockSet} A new set.
   * @example
   * const w = g.variable([1, 2, 3]).lock([1]);
   * w.locks.holder('teacher').lock([0]);
   * w.locks.own().toIndices(); // [1]
   */
  own() {
    const handle = Resource.ownHandle(this.#owner('holders'));
    const instance = Resource.instanceOf(this);
    const { bridge } = instance;
    const name = bridge.writeName(bridge.small, '');
    bridge.check(bridge.x.glk_holder_copy(bridge.context, handle, name, bridge.out));
    return new LockSet(instance, bridge.outHandle());
  }

  /**
   * Begin or restart an audit: `audit` can then prove that locked elements kept their values. It
   * costs a copy of the values from then on, and nothing before.
   * @returns {this}
   * @example
   * const w = g.variable([1, 2]).lock([0]);
   * w.locks.watch().audit().ok; // true
   */
  watch() {
    setAudit(this.#owner('audit'), 1);
    return this;
  }

  /**
   * Watch no longer.
   * @returns {this}
   * @example
   * const w = g.variable([1, 2]).lock([0]);
   * w.locks.watch().unwatch() === w.locks; // true
   */
  unwatch() {
    setAudit(this.#owner('audit'), 0);
    return this;
  }

  /**
   * Hold the bits of a watched variable's locked elements against those they had when they were
   * locked, or written by force or `fix` since. Whatever else changed them is found: bytes poked
   * through `view`, another module, a fault. Throws GradlockError unless watched.
   * @returns {Audit}
   * @example
   * const w = g.variable([1, 2]).lock([0]);
   * w.locks.watch();
   * w.view()[0] = 9;
   * w.locks.audit().changed; // 1
   */
  audit() {
    return audit(this.#owner('audit'));
  }

  /**
   * Call a listener after a variable's locks changed. Changes by policies during a training call
   * are reported once, at its end. What a listener throws is an uncaught error and stops nothing.
   * @param {(locks: LockSet) => unknown} listener
   * @returns {() => void} A function that removes the listener.
   * @example
   * const w = g.variable([1, 2, 3]);
   * const seen = [];
   * const stop = w.locks.onChange((locks) => seen.push(locks.count));
   * w.lock([0]).lock([1]);
   * stop();
   * seen; // [1, 2]
   */
  onChange(listener) {
    if (typeof listener !== 'function') {
      throw new TypeError(`the listener must be a function, got ${describe(listener)}`);
    }
    return listen(this.#owner('listeners'), this, listener);
  }

  /** @param {string} what */
  #owner(what) {
    if (this.#variable) return this.#variable;
    throw new TypeError(`${this.label} has no ${what}: it belongs to no variable`);
  }

  /** Sees shape and locks, so that tests compare them: see Tensor. @override */
  get [Symbol.toStringTag]() {
    return comparable('LockSet', () => JSON.stringify(this));
  }

  /** @internal @override */
  get label() {
    if (this.#variable) return `the lock set of ${this.#variable.label}`;
    return this.disposed ? 'LockSet' : `LockSet ${formatShape(this.shape)}`;
  }

  /**
   * Shape and number of locked elements.
   * @override
   * @example
   * String(g.locks([2, 2], { rows: [1] })); // 'LockSet [2, 2] locked 2/4'
   */
  toString() {
    if (this.disposed) return 'LockSet (disposed)';
    return `LockSet ${formatShape(this.shape)} locked ${this.count}/${this.size}`;
  }

  /** @internal */
  [inspectKey]() {
    return this.toString();
  }
}

/** @param {Instance} instance @param {number} target @param {LocksOp} op @param {number} source */
export const combineInto = ({ bridge }, target, op, source) => {
  const code = bridge.constant(op);
  bridge.check(bridge.x.glk_locks_combine(bridge.context, target, code, source));
};

/**
 * Run a function with a selection as a lock set in C. A lock set is used directly, without memory.
 * @param {Instance} instance
 * @param {Tensor} variable The variable whose values are compared.
 * @param {unknown} selection
 * @param {boolean} isInverted True to invert the selection.
 * @param {(set: number) => void} use
 */
export const withLocks = (instance, variable, selection, isInverted, use) => {
  const { bridge } = instance;
  if (selection instanceof LockSet && !isInverted) {
    use(handleFitting(instance, variable.shape, selection));
    return;
  }
  const set = buildLocks(instance, variable.shape, selection, variable);
  try {
    if (isInverted) bridge.check(bridge.x.glk_locks_invert(bridge.context, set));
    use(set);
  } finally {
    instance.release(set);
  }
};

/** @param {Instance} instance @param {readonly number[]} shape @param {LockSet} set */
const handleFitting = (instance, shape, set) => {
  const handle = Resource.handleOf(instance, set);
  if (sameShape(set.shape, shape)) return handle;
  throw new ShapeError(`${set.label} does not fit shape ${formatShape(shape)}`);
};

/**
 * A selection as a new lock set in C.
 * @param {Instance} instance
 * @param {readonly number[]} shape
 * @param {unknown} selection
 * @param {Tensor | null} variable Whose values are looked at.
 * @returns {number} Its handle, which the caller owns.
 */
export const buildLocks = (instance, shape, selection, variable) => {
  const { bridge } = instance;
  if (!(selection instanceof LockSet)) {
    const plan = readSelection(selection, shape, variable, instance);
    return createFromPlan(instance, shape, plan, variable);
  }
  const source = handleFitting(instance, shape, selection);
  bridge.check(bridge.x.glk_locks_copy(bridge.context, source, bridge.out));
  return bridge.outHandle();
};
