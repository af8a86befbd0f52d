// Variables: values that train, each element of them lockable. Writing is guarded: what would change a locked element
// is refused whole unless forced.
import { describe, formatShape, readElement, readFlag, readOptions, unflatten } from './check.js';
import { LockedElementError } from './errors.js';
import { changeLocks, LockSet } from './locks.js';
import { Resource } from './resource.js';
import { readInput, Tensor, withValues } from './tensor.js';

/** @typedef {import('./check.js').NumericArray} NumericArray */
/** @typedef {import('./instance.js').Instance} Instance */
/** @typedef {import('./locks.js').Selection} Selection */
/** @typedef {import('./nested.js').Values} Values */
/**
 * @typedef {object} VariableOptions
 * @property {readonly number[]} [shape] Shape of flat values; nested arrays have their own.
 * @property {string} [name] For messages. Default: none.
 * @property {boolean} [trainable] Whether `minimize` trains it. Default: true.
 */

/** How many bytes of a name C keeps for its messages. */
const NAME_BYTES = 63;

/** Values that train. A variable is a tensor wherever one is taken, and every element of it can be locked. */
export class Variable extends Tensor {
  #name;
  #trainable;
  /** @type {LockSet | undefined} */
  #locks;

  /**
   * @internal
   * @param {Instance} instance
   * @param {number} handle
   * @param {string} name
   * @param {boolean} trainable
   */
  constructor(instance, handle, name, trainable) {
    super(instance, handle, false);
    this.#name = name;
    this.#trainable = trainable;
    instance.variables.set(handle, new WeakRef(this));
  }

  /** What messages call it; may be empty. */
  get name() {
    return this.#name;
  }

  /** Whether `minimize` trains it. */
  get trainable() {
    return this.#trainable;
  }

  /** Which elements are held: live, it follows every lock and unlock. */
  get locks() {
    const handle = Resource.ownHandle(this);
    this.#locks ??= new LockSet(Resource.instanceOf(this), handle, this);
    return this.#locks;
  }

  /**
   * Hold the selected elements: no optimizer changes a bit of them, nor of their slots.
   * @param {Selection} selection
   * @returns {this}
   */
  lock(selection) {
    changeLocks(Resource.instanceOf(this), this, 'GLK_LOCKS_OR', selection, false);
    return this;
  }

  /**
   * Free the selected elements.
   * @param {Selection} selection
   * @returns {this}
   */
  unlock(selection) {
    changeLocks(Resource.instanceOf(this), this, 'GLK_LOCKS_AND_NOT', selection, false);
    return this;
  }

  /**
   * Hold the selected elements that are free, free those that are held.
   * @param {Selection} selection
   * @returns {this}
   */
  toggle(selection) {
    changeLocks(Resource.instanceOf(this), this, 'GLK_LOCKS_XOR', selection, false);
    return this;
  }

  /**
   * Free the selected elements and hold all others.
   * @param {Selection} selection
   * @returns {this}
   */
  trainOnly(selection) {
    changeLocks(Resource.instanceOf(this), this, 'GLK_LOCKS_SET', selection, true);
    return this;
  }

  /**
   * Write all values. Changing a bit of a locked element throws LockedElementError and writes nothing.
   * @param {Values | Tensor} values Nested arrays of the same shape, or flat values.
   * @param {{ force?: boolean }} [options] `force` writes locked elements too.
   * @returns {this}
   */
  assign(values, options = {}) {
    const { force: flag = false } = readOptions(options, ['force'], 'assign options');
    const force = readFlag(flag, 'force');
    const instance = Resource.instanceOf(this);
    const { data } = readInput(instance, values, this.shape, 'values');
    const handle = Resource.handleOf(instance, this);
    const { bridge } = instance;
    const locked = bridge.constant('GLK_ERROR_LOCKED');
    withValues(instance, data, (address) => {
      const { context, x } = bridge;
      const status = x.glk_variable_assign(context, handle, address, data.length, force ? 1 : 0);
      if (status === locked) this.#failLocked();
      return status;
    });
    return this;
  }

  #failLocked() {
    const { bridge } = Resource.instanceOf(this);
    bridge.x.glk_context_conflict(bridge.context, bridge.out, bridge.out + 4);
    const flatIndex = bridge.outHandle();
    const count = Number(bridge.u32[(bridge.out >>> 2) + 1]);
    const index = unflatten(flatIndex, this.shape);
    const elements = count === 1 ? '1 locked element' : `${count} locked elements`;
    throw new LockedElementError(
      `assign would change ${elements} of ${this.label}, the first at ${formatShape(index)}; ` +
        'nothing was written: unlock first, or pass { force: true }',
      { index, flatIndex, count },
    );
  }

  /**
   * Set one element, locked or not, and lock it.
   * @param {number | readonly number[]} index Flat (row-major), or one index per axis.
   * @param {number} value
   * @returns {this}
   */
  fix(index, value) {
    const flat = readElement(index, this.shape);
    if (typeof value !== 'number') {
      throw new TypeError(`value must be a number, got ${describe(value)}`);
    }
    const handle = Resource.ownHandle(this);
    const { bridge } = Resource.instanceOf(this);
    bridge.check(bridge.x.glk_variable_fix(bridge.context, handle, flat, value));
    return this;
  }

  /** @override */
  get [Symbol.toStringTag]() {
    return 'Variable';
  }

  /**
   * @internal
   * @override
   */
  get kind() {
    return this.name ? `Variable '${this.name}'` : 'Variable';
  }

  /**
   * Name, shape, how much is locked, and the values.
   * @override
   */
  toString() {
    if (this.disposed) return super.toString();
    const [head, ...rows] = super.toString().split('\n');
    return [`${head} locked ${this.locks.count}/${this.size}`, ...rows].join('\n');
  }
}

/**
 * @param {Instance} instance
 * @param {unknown} values
 * @param {unknown} options
 * @returns {Variable}
 */
export const createVariable = (instance, values, options) => {
  const known = ['shape', 'name', 'trainable'];
  const given = readOptions(options, known, 'variable options');
  const { shape: wanted, name = '', trainable: flag = true } = given;
  if (typeof name !== 'string') {
    throw new TypeError(`name must be a string, got ${describe(name)}`);
  }
  const trainable = readFlag(flag, 'trainable');
  const { shape, data } = readInput(instance, values, wanted, 'values');
  const { bridge, context } = instance;
  const rank = bridge.writeList(bridge.dims, shape);
  // At most 63 bytes, cut between characters, with a 0 behind; it lies where ops keep their attributes.
  const label = bridge.attributes;
  const room = bridge.u8.subarray(label, label + NAME_BYTES);
  const { written } = new TextEncoder().encodeInto(name, room);
  bridge.u8[label + written] = 0;
  withValues(instance, data, (address) =>
    bridge.x.glk_variable_create(
      context,
      rank,
      bridge.dims,
      address,
      data.length,
      label,
      trainable ? 1 : 0,
      bridge.out,
    ),
  );
  return new Variable(instance, bridge.outHandle(), name, trainable);
};
