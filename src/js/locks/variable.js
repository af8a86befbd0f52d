// Variables: values that train, each element of them lockable. Refuses to write what would change a
// locked element, unless forced.
import {
  describe,
  formatShape,
  readDuplicates,
  readElement,
  readFlag,
  readOptions,
  unflatten,
} from '../base/check.js';
import { GradlockError, LockedElementError } from '../base/errors.js';
import { prepare, withHandles } from '../tensors/apply.js';
import { comparable, Resource } from '../tensors/resource.js';
import { createFilled, readInput, Tensor, withValues } from '../tensors/tensor.js';
import { changeLocks } from './change.js';
import { holderNames } from './holder-names.js';
import { createHolder } from './holders.js';
import { moveListeners, notify } from './listeners.js';
import { LockSet } from './locks.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { Selection } from './locks.js' */
/** @import { Values } from '../base/nested.js' */
/** @import { TensorLike } from '../tensors/tensor.js' */
/**
 * A variable of which it is known how deep the arrays are that `array()` gives.
 * @template Nested
 * @typedef {{ array(): Nested } & Variable} VariableOf
 */
/**
 * @typedef {object} VariableOptions
 * @property {readonly number[]} [shape] Shape of flat values; nested arrays have their own.
 * @property {string} [name] For messages. Default: none.
 * @property {boolean} [trainable] True if `minimize` trains it. Default: true.
 */

/** Values that train. A variable is a tensor wherever one is taken; any element can be locked. */
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

  /** The variable's name in messages; may be empty. */
  get name() {
    return Resource.ownerOf(this).#name;
  }

  /** True if `minimize` trains it. Read-only: to freeze a variable, use `lock('all')`. */
  get trainable() {
    return Resource.ownerOf(this).#trainable;
  }

  /** @internal @param {boolean} _ */
  set trainable(_) {
    const which = this.name ? ` of '${this.name}'` : '';
    throw new TypeError(
      `trainable${which} is fixed when a variable is made: lock('all') freezes it, unlock('all') frees it`,
    );
  }

  /** A number that differs whenever its values may have been written. */
  get version() {
    return Resource.ask(this, 'glk_variable_version').outHandle();
  }

  /** The number of elements that are not locked: those that training may change. */
  get free() {
    return this.size - this.locks.count;
  }

  /** The locked elements. This set is live: it changes with every lock and unlock. */
  get locks() {
    const handle = Resource.ownHandle(this);
    this.#locks ??= new LockSet(Resource.instanceOf(this), handle, this, (name) =>
      createHolder(this, name),
    );
    return this.#locks;
  }

  /**
   * Lock the selected elements: freeze them while the rest trains. No optimizer changes a bit of
   * frozen elements, nor of their slots. In a mask, 1 or true means frozen, not trainable.
   *
   * Keras's `trainable` and PyTorch's `requires_grad` freeze whole tensors, as `lock('all')` does.
   * For partial fine-tuning, lock a part.
   *
   * A list of numbers is a list of flat indices: `lock([0, 1])` locks two elements,
   * `lock([[0, 1]])` the one in row 0, column 1.
   * @param {Selection} selection
   * @returns {this}
   * @example
   * const w = g.variable([[1, 2], [3, 4]]).lock([[0, 1]]);
   * g.optimizers.sgd({ learningRate: 0.5 }).applyGradients([[[[1, 1], [1, 1]], w]]);
   * w.data(); // [0.5, 2, 2.5, 3.5]
   */
  lock(selection) {
    changeLocks(Resource.instanceOf(this), this, 'GLK_LOCKS_OR', selection, false);
    return this;
  }

  /**
   * Free (unfreeze) the selected elements: in a mask, 1 or true means unlocked.
   * @param {Selection} selection
   * @returns {this}
   * @example
   * const w = g.variable([1, 2, 3]).lock('all');
   * w.unlock([1]).locks.toIndices(); // [0, 2]
   */
  unlock(selection) {
    changeLocks(Resource.instanceOf(this), this, 'GLK_LOCKS_AND_NOT', selection, false);
    return this;
  }

  /**
   * Lock the selected elements that are free, free those that are locked: in a mask, 1 or true
   * means switched.
   * @param {Selection} selection
   * @returns {this}
   * @example
   * const w = g.variable([1, 2, 3]).lock([0]);
   * w.toggle([0, 1]).locks.toIndices(); // [1]
   */
  toggle(selection) {
    changeLocks(Resource.instanceOf(this), this, 'GLK_LOCKS_XOR', selection, false);
    return this;
  }

  /**
   * Train the selected elements and freeze all others, for partial fine-tuning. In a mask, 1 or
   * true means trainable, as in a mask that is multiplied by a gradient, or in `requires_grad`. The
   * opposite of `lock`: what was frozen before has no effect.
   * @param {Selection} selection
   * @returns {this}
   * @example
   * const w = g.variable([1, 2, 3]);
   * w.trainOnly([1]).locks.toIndices(); // [0, 2]
   */
  trainOnly(selection) {
    changeLocks(Resource.instanceOf(this), this, 'GLK_LOCKS_SET', selection, true);
    return this;
  }

  /**
   * Set a rule by which C locks elements while optimizers train this variable, also in compiled
   * loops, without recording again. The same as `locks.holder('policy').policy(…)`; elements that
   * are locked otherwise stay locked.
   * @param {import('./policy.js').LockPolicy | null} policy null ends it; its elements stay locked
   *   until `locks.holder('policy').clear()`.
   * @returns {this}
   * @example
   * const w = g.variable([1, 0.1, 1]);
   * w.lockPolicy({ lock: { where: { below: 0.4 } } });
   * g.optimizers.sgd({ learningRate: 0.5 }).minimize(() => g.sum(w), { steps: 1, variables: [w] });
   * w.locks.toIndices(); // [1]
   */
  lockPolicy(policy) {
    this.locks.holder('policy').policy(policy);
    return this;
  }

  /**
   * Write all values. Changing a locked bit throws LockedElementError and writes nothing.
   * @param {Values | Tensor} values Nested arrays of the same shape, or flat values.
   * @param {{ force?: boolean }} [options] `force` writes locked elements too.
   * @returns {this}
   * @example
   * g.variable([1, 2]).assign([3, 4]).data(); // [3, 4]
   */
  assign(values, options) {
    const { force: flag = false } = readOptions(options, ['force'], 'assign options');
    this.#write(values, readFlag(flag, 'force'), 'assign');
    return this;
  }

  /** @param {Values | Tensor} values @param {boolean} force @param {string} what */
  #write(values, force, what) {
    const instance = Resource.instanceOf(this);
    const { data } = readInput(instance, values, this.shape, 'values');
    const handle = Resource.handleOf(instance, this);
    const { bridge } = instance;
    const locked = bridge.constant('GLK_ERROR_LOCKED');
    withValues(instance, data, (address) => {
      const { context, x } = bridge;
      const status = x.glk_variable_assign(context, handle, address, data.length, force ? 1 : 0);
      if (status === locked) this.failLocked(what);
      return status;
    });
  }

  /**
   * Make another variable of the same shape this one: one storage, one set of locks, slots and
   * gradients, under two names. Values, name and slots are this variable's; elements that were
   * locked in either are locked. Disposing the other does nothing from then on. Programs and tapes
   * that have read it cannot run any more: tie before recording. This cannot be undone.
   *
   * Throws LockedElementError, and changes nothing, if a locked element of the other would change a
   * bit; GradlockError if the other has holders.
   * @param {Variable} other
   * @returns {this}
   * @example
   * const a = g.variable([1, 2]);
   * const b = g.variable([0, 0]);
   * a.tie(b);
   * a.assign([5, 6]);
   * b.data(); // [5, 6]
   */
  tie(other) {
    const instance = Resource.instanceOf(this);
    const owner = Resource.ownerOf(this);
    const handle = Resource.ownHandle(this);
    if (!(other instanceof Variable)) {
      throw new TypeError(`tie takes a variable, got ${describe(other)}`);
    }
    const joining = Resource.handleOf(instance, other);
    if (joining === handle) return this;
    const leaving = Resource.ownerOf(other);
    if (holderNames(leaving).length > 0) {
      throw new GradlockError(`${other.label} has holders: clear them before you tie it`);
    }
    leaving.#write(this, false, 'tie');
    const { bridge, context } = instance;
    const op = bridge.constant('GLK_LOCKS_OR');
    bridge.check(bridge.x.glk_locks_combine(context, handle, op, joining));
    moveListeners(leaving, owner);
    Resource.join(leaving, owner);
    notify(owner);
    return this;
  }

  /**
   * Replace the elements at indices, as TensorFlow's `scatter_nd_update` does.
   *
   * Throws LockedElementError if a bit of a locked element would change, and IndexError if an index
   * is out of range. Throws GradlockError for an index that is listed twice, unless `duplicates` is
   * given. If it throws, nothing was written.
   * @param {TensorLike} indices The last axis has an index for each of the first axes.
   * @param {TensorLike} updates A tensor of shape indices.shape[:-1] + shape[indices.shape[-1]:].
   * @param {{ duplicates?: 'last' | 'sum', force?: boolean }} [options] `duplicates`: whether the
   *   last of several updates counts, or their sum. `force` writes locked elements.
   * @returns {this}
   * @example
   * g.variable([1, 2, 3]).scatterNdUpdate([[0], [2]], [7, 9]).data(); // [7, 2, 9]
   */
  scatterNdUpdate(indices, updates, options) {
    const known = ['duplicates', 'force'];
    const { duplicates, force = false } = readOptions(options, known, 'scatterNdUpdate options');
    const modes = ['UPDATE', 'UPDATE_LAST', 'UPDATE_SUM'];
    return this.#scatter(
      modes[readDuplicates(duplicates, 'scatterNdUpdate')],
      'Update',
      indices,
      updates,
      { force },
    );
  }

  /**
   * Add to elements at indices; duplicates add up in order. Throws as `scatterNdUpdate` does.
   * @param {TensorLike} indices
   * @param {TensorLike} updates
   * @param {{ force?: boolean }} [options] `force` writes locked elements too.
   * @returns {this}
   * @example
   * g.variable([1, 2, 3]).scatterNdAdd([[0], [0]], [1, 1]).data(); // [3, 2, 3]
   */
  scatterNdAdd(indices, updates, options) {
    return this.#scatter('ADD', 'Add', indices, updates, options);
  }

  /**
   * Subtract from elements at indices; duplicates add in order. Throws as `scatterNdUpdate` does.
   * @param {TensorLike} indices
   * @param {TensorLike} updates
   * @param {{ force?: boolean }} [options] `force` writes locked elements too.
   * @returns {this}
   * @example
   * g.variable([1, 2, 3]).scatterNdSub([[0], [2]], [1, 1]).data(); // [0, 2, 2]
   */
  scatterNdSub(indices, updates, options) {
    return this.#scatter('SUB', 'Sub', indices, updates, options);
  }

  /**
   * Replace elements at indices by smaller updates; NaN if either is. Throws as `scatterNdUpdate`.
   * @param {TensorLike} indices
   * @param {TensorLike} updates
   * @param {{ force?: boolean }} [options] `force` writes locked elements too.
   * @returns {this}
   * @example
   * g.variable([1, 2, 3]).scatterNdMin([[0], [2]], [5, 0]).data(); // [1, 2, 0]
   */
  scatterNdMin(indices, updates, options) {
    return this.#scatter('MIN', 'Min', indices, updates, options);
  }

  /**
   * Replace elements at indices by larger updates; NaN if either is. Throws as `scatterNdUpdate`.
   * @param {TensorLike} indices
   * @param {TensorLike} updates
   * @param {{ force?: boolean }} [options] `force` writes locked elements too.
   * @returns {this}
   * @example
   * g.variable([1, 2, 3]).scatterNdMax([[0], [2]], [5, 0]).data(); // [5, 2, 3]
   */
  scatterNdMax(indices, updates, options) {
    return this.#scatter('MAX', 'Max', indices, updates, options);
  }

  /**
   * @param {string} mode A name of C's glk_scatter.
   * @param {string} verb
   * @param {unknown} indices
   * @param {unknown} updates
   * @param {unknown} options
   */
  #scatter(mode, verb, indices, updates, options) {
    const name = `scatterNd${verb}`;
    const { force: flag = false } = readOptions(options, ['force'], `${name} options`);
    const force = readFlag(flag, 'force') ? 1 : 0;
    const instance = Resource.instanceOf(this);
    const operands = [
      prepare(instance, indices, `${name}: indices`),
      prepare(instance, updates, `${name}: updates`),
    ];
    const { bridge, context } = instance;
    const variable = Resource.handleOf(instance, this);
    withHandles(instance, operands, (at, from) => {
      const how = bridge.constant(`GLK_SCATTER_${mode}`);
      const status = bridge.x.glk_variable_scatter(context, variable, how, at, from, force);
      if (status === bridge.constant('GLK_ERROR_LOCKED')) this.failLocked(name);
      bridge.check(status);
    });
    return this;
  }

  /** Says which locked elements C did not write. @internal @param {string} what @returns {never} */
  failLocked(what) {
    const { bridge } = Resource.instanceOf(this);
    bridge.x.glk_context_conflict(bridge.context, bridge.out, bridge.out + 4);
    const flatIndex = bridge.outHandle();
    const count = Number(bridge.u32[(bridge.out >>> 2) + 1]);
    const index = unflatten(flatIndex, this.shape);
    const elements = count === 1 ? '1 locked element' : `${count} locked elements`;
    throw new LockedElementError(
      `${what} would change ${elements} of ${this.label}, the first at ${formatShape(index)}; ` +
        `nothing was written: unlock first${what === 'tie' ? '' : ', or pass { force: true }'}`,
      { index, flatIndex, count },
    );
  }

  /**
   * Set one element, locked or not, and lock it. `fix([0, 1], 2)` sets the one element in row 0,
   * column 1, where `lock([0, 1])` locks the flat elements 0 and 1.
   * @param {number | readonly number[]} index Flat (row-major), or one index per axis. Negative
   *   indices count from the end.
   * @param {number} value
   * @returns {this}
   * @example
   * const w = g.variable([1, 2, 3]).fix(1, 0.5);
   * w.data(); // [1, 0.5, 3]
   * w.locks.toIndices(); // [1]
   */
  fix(index, value) {
    const flat = readElement(index, this.shape);
    if (typeof value !== 'number') {
      throw new TypeError(`value must be a number, got ${describe(value)}`);
    }
    const handle = Resource.ownHandle(this);
    const { bridge } = Resource.instanceOf(this);
    bridge.check(bridge.x.glk_variable_fix(bridge.context, handle, flat, value));
    notify(this);
    return this;
  }

  /**
   * The same as for a tensor, with the name, and the result of `locks.toJSON()`.
   * @override
   * @returns {import('../tensors/tensor.js').TensorJSON & { name: string,
   *   locks: import('./selection.js').LockSetJSON }}
   * @example
   * const { name, shape, values, locks } = g.variable([1, 2], { name: 'w' }).lock([0]).toJSON();
   * [name, shape, values, locks.indices]; // ['w', [2], [1, 2], [0]]
   */
  toJSON() {
    return { name: this.name, ...super.toJSON(), locks: this.locks.toJSON() };
  }

  /** Sees shape and values, so that tests compare them: see Tensor. @override */
  get [Symbol.toStringTag]() {
    return comparable('Variable', () => this.content());
  }

  /** @internal @override */
  get kind() {
    return this.name ? `Variable '${this.name}'` : 'Variable';
  }

  /**
   * Name, shape, how much is locked, and the values.
   * @override
   * @example
   * const w = g.variable([1, 2], { name: 'w' }).lock([0]);
   * String(w).split('\n')[0]; // 'Variable 'w' [2] locked 1/2'
   */
  toString() {
    if (this.disposed) return super.toString();
    const [head, ...rows] = super.toString().split('\n');
    return [`${head} locked ${this.locks.count}/${this.size}`, ...rows].join('\n');
  }
}

/** @param {Instance} instance @param {unknown} values @param {unknown} options */
export const createVariable = (instance, values, options) => {
  const known = ['shape', 'name', 'trainable'];
  const given = readOptions(options, known, 'variable options');
  const { shape: wanted, name = '', trainable: flag = true } = given;
  if (typeof name !== 'string') throw new TypeError(`name must be a string, got ${describe(name)}`);
  const trainable = readFlag(flag, 'trainable');
  const { shape, data } = readInput(instance, values, wanted, 'values');
  const { bridge, context } = instance;
  const rank = bridge.writeList(bridge.dims, shape);
  const label = bridge.writeName(bridge.attributes, name); // where ops keep their attributes
  const handle = createFilled(instance, data, (address) =>
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
  return new Variable(instance, handle, name, trainable);
};
