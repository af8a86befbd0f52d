// Holders: named lock sets of one variable, one for each owner. An element is locked if any holder
// locks it. So a drag that pins a node for a moment does not unlock a node that the user pinned.
import { describe, isRecord } from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { encodeText } from '../base/text.js';
import { Resource } from '../tensors/resource.js';
import { NAME_BYTES } from '../wasm/bridge.js';
import { notify } from './listeners.js';
import { buildLocks, LockSet, withLocks } from './locks.js';
import { readPolicy, readTimetable, writePolicy } from './policy.js';

/** @import { LocksOp, Selection } from './locks.js' */
/** @import { LockPolicy } from './policy.js' */
/** @import { Tensor } from '../tensors/tensor.js' */

/**
 * One owner's locks of a variable. A holder without locks and policy is removed; using its name
 * creates it again.
 */
export class LockHolder {
  #variable;
  #name;

  /** @internal @param {Tensor} variable @param {string} name */
  constructor(variable, name) {
    this.#variable = variable;
    this.#name = name;
  }

  /** The holder's name. */
  get name() {
    return this.#name;
  }

  /**
   * Lock the selected elements in this holder: in a mask, 1 or true means locked.
   * @param {Selection} selection
   * @returns {this}
   * @example
   * const w = g.variable([1, 2, 3]);
   * w.locks.holder('teacher').lock([0]);
   * w.locks.toIndices(); // [0]
   */
  lock(selection) {
    return this.#combine('GLK_LOCKS_OR', selection, false);
  }

  /**
   * Unlock the selected elements in this holder. Those that another holder locks stay locked.
   * @param {Selection} selection
   * @returns {this}
   * @example
   * const w = g.variable([1, 2, 3]).lock([0]);
   * w.locks.holder('teacher').lock([0, 1]).unlock([0, 1]);
   * w.locks.toIndices(); // [0]
   */
  unlock(selection) {
    return this.#combine('GLK_LOCKS_AND_NOT', selection, false);
  }

  /**
   * Toggle the selected elements in this holder.
   * @param {Selection} selection
   * @returns {this}
   * @example
   * const w = g.variable([1, 2, 3]);
   * w.locks.holder('teacher').lock([0]).toggle([0, 2]);
   * w.locks.toIndices(); // [2]
   */
  toggle(selection) {
    return this.#combine('GLK_LOCKS_XOR', selection, false);
  }

  /**
   * Unlock the selected elements in this holder and lock all others: in a mask, 1 or true means
   * trained.
   * @param {Selection} selection
   * @returns {this}
   * @example
   * const w = g.variable([1, 2, 3]);
   * w.locks.holder('teacher').trainOnly([1]);
   * w.locks.toIndices(); // [0, 2]
   */
  trainOnly(selection) {
    return this.#combine('GLK_LOCKS_SET', selection, true);
  }

  /**
   * Unlock all elements in this holder. Its policy stays, and may lock elements again.
   * @returns {this}
   * @example
   * const w = g.variable([1, 2, 3]);
   * w.locks.holder('teacher').lock('all').clear();
   * w.locks.count; // 0
   */
  clear() {
    return this.unlock('all');
  }

  /**
   * The elements that this holder locks now.
   * @returns {LockSet} A new set.
   * @example
   * const w = g.variable([1, 2, 3]).lock([0]);
   * w.locks.holder('teacher').lock([2]);
   * w.locks.holder('teacher').toLocks().toIndices(); // [2]
   */
  toLocks() {
    const { instance, handle } = this.#target();
    const { bridge } = instance;
    this.#withName((name) => bridge.x.glk_holder_copy(bridge.context, handle, name, bridge.out));
    return new LockSet(instance, bridge.outHandle());
  }

  /** Number of elements that this holder locks. */
  get count() {
    const locks = this.toLocks();
    try {
      return locks.count;
    } finally {
      locks.dispose();
    }
  }

  /**
   * Let a policy in C change this holder's locks while optimizers train the variable, also in
   * compiled loops. null removes the policy and keeps the current locks. Other holders' locks stay.
   * @param {LockPolicy | null} policy
   * @returns {this}
   * @example
   * const w = g.variable([1, 2, 3]);
   * w.locks.holder('band').policy({ lock: { where: { above: 2.4 } } });
   * g.optimizers.sgd({ learningRate: 0.5 }).minimize(() => g.sum(w), { steps: 1, variables: [w] });
   * w.locks.toIndices(); // [2]
   */
  policy(policy) {
    const { instance, handle } = this.#target();
    const { bridge } = instance;
    const { context, x, small } = bridge;
    if (isRecord(policy) && Object.hasOwn(policy, 'at')) {
      this.#schedule(policy);
      return this;
    }
    const read = policy === null ? null : readPolicy(policy);
    const bytes = bridge.constant('glk_policy.bytes');
    this.#withName((name) => {
      if (read) writePolicy(bridge, small, read);
      return x.glk_holder_policy(context, handle, name, read ? small : 0);
    }, bytes);
    return this;
  }

  /** How many steps its policy has counted; 0 without one. Pass it as `step` to resume a policy. */
  get steps() {
    const { instance, handle } = this.#target();
    const { bridge } = instance;
    this.#withName((name) => bridge.x.glk_holder_steps(bridge.context, handle, name, bridge.out));
    return bridge.outHandle();
  }

  /** @param {unknown} policy */
  #schedule(policy) {
    const { isInverted, selections, steps, step } = readTimetable(policy);
    const { instance } = this.#target();
    const { bridge } = instance;
    const { context, x } = bridge;
    /** @type {number[]} */
    const sets = [];
    try {
      for (const selection of selections) {
        const set = buildLocks(instance, this.#variable.shape, selection, this.#variable);
        sets.push(set);
        if (isInverted) bridge.check(x.glk_locks_invert(context, set));
      }
      const { handle } = this.#target();
      bridge.staged(steps.length * 8 + NAME_BYTES + 1, (address) => {
        bridge.writeList(address, steps);
        bridge.writeList(address + steps.length * 4, sets);
        const count = steps.length;
        const name = bridge.writeName(address + count * 8, this.#name);
        const list = address + count * 4;
        bridge.check(x.glk_holder_schedule(context, handle, name, address, list, count, step));
      });
    } finally {
      for (const set of sets) instance.release(set);
    }
  }

  /** @param {LocksOp} op @param {unknown} selection @param {boolean} isInverted */
  #combine(op, selection, isInverted) {
    const { instance } = this.#target();
    const { bridge } = instance;
    withLocks(instance, this.#variable, selection, isInverted, (set) => {
      const { handle } = this.#target();
      const code = bridge.constant(op);
      this.#withName((name) =>
        bridge.x.glk_holder_combine(bridge.context, handle, name, code, set),
      );
    });
    notify(this.#variable);
    return this;
  }

  #target() {
    const handle = Resource.ownHandle(this.#variable);
    return { instance: Resource.instanceOf(this.#variable), handle };
  }

  /**
   * @param {(name: number) => number} call Gets the name's address, returns a status.
   * @param {number} [before] Bytes to leave free before the name.
   */
  #withName(call, before = 0) {
    const { bridge } = Resource.instanceOf(this.#variable);
    bridge.check(call(bridge.writeName(bridge.small + before, this.#name)));
  }

  get [Symbol.toStringTag]() {
    return 'LockHolder';
  }
}

/** @param {Tensor} variable @param {unknown} name */
export const createHolder = (variable, name) => {
  if (typeof name !== 'string') {
    throw new TypeError(`a holder's name must be a string, got ${describe(name)}`);
  }
  const { length } = encodeText(name);
  if (length === 0 || length > NAME_BYTES || name.includes('\0')) {
    throw new OptionError(
      `a holder's name must have 1 to ${NAME_BYTES} bytes and no zero byte, got ${describe(name)}`,
    );
  }
  return new LockHolder(variable, name);
};
