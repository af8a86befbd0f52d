// Execution of a selection in C, from the plan that it was read into. Indices were checked before.
import { FormatError, ShapeError } from '../base/errors.js';
import { drawFrom } from '../tensors/random.js';
import { Resource } from '../tensors/resource.js';
import { noValues } from './selection.js';
import { writeChoice } from './selection-choice.js';

/** @import { Bridge } from '../wasm/bridge.js' */
/** @import { Instance } from '../tensors/instance.js' */
/** @import { Plan } from './selection.js' */
/** @import { Tensor } from '../tensors/tensor.js' */

/**
 * @param {Instance} instance
 * @param {readonly number[]} shape
 * @param {Plan} plan
 * @param {Tensor | null} variable Whose values a choice is made by, unless it brings its own.
 * @returns {number} Its handle, which the caller owns.
 */
export const createFromPlan = (instance, shape, plan, variable) => {
  const { bridge, context } = instance;
  const rank = bridge.writeList(bridge.dims, shape);
  bridge.check(bridge.x.glk_locks_create(context, rank, bridge.dims, bridge.out));
  const handle = bridge.outHandle();
  try {
    fillLocks(instance, handle, plan, variable);
  } catch (error) {
    instance.release(handle);
    throw error;
  }
  return handle;
};

/**
 * @param {Instance} instance
 * @param {number} handle
 * @param {Plan} plan
 * @param {Tensor | null} variable
 */
const fillLocks = (instance, handle, plan, variable) => {
  const { bridge } = instance;
  const { x, context, dims, moreDims } = bridge;
  switch (plan.kind) {
    case 'all':
      return bridge.check(x.glk_locks_add_all(context, handle));
    case 'choice':
      return addChoice(instance, [handle], plan.choice, [plan.choice.gradient ?? variable]);
    case 'packed': {
      const set = unpackLocks(instance, plan.bytes);
      try {
        const op = bridge.constant('GLK_LOCKS_OR');
        return bridge.check(x.glk_locks_combine(context, handle, op, set));
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error;
        throw new FormatError(
          'packed and shape disagree: packed holds a lock set of another shape',
        );
      } finally {
        instance.release(set);
      }
    }
    case 'slice': {
      const rank = bridge.writeList(dims, plan.start);
      bridge.writeList(moreDims, plan.stop);
      return bridge.check(x.glk_locks_add_slice(context, handle, rank, dims, moreDims));
    }
    case 'mask':
      return withBytes(bridge, plan.mask, (address) =>
        x.glk_locks_add_mask(context, handle, address, plan.mask.length),
      );
    case 'indices':
      return withBytes(bridge, plan.indices, (address) =>
        x.glk_locks_add_indices(context, handle, address, plan.indices.length),
      );
    case 'axis':
      return withBytes(bridge, plan.indices, (address) =>
        x.glk_locks_add_axis(context, handle, plan.axis, address, plan.indices.length),
      );
  }
};

/** Room for C's glk_choice in front of lists. */
const CHOICE_BYTES = 64;

/**
 * Lock the elements that a choice selects from several sets together.
 * @param {Instance} instance
 * @param {readonly number[]} sets Handles.
 * @param {import('./selection-choice.js').ChoicePlan} choice
 * @param {readonly (Tensor | null)[]} values One a set, of its shape.
 */
export const addChoice = (instance, sets, choice, values) => {
  const { bridge, context } = instance;
  const isRandom = choice.seed !== undefined;
  const sources = values.map((tensor) => {
    if (!tensor && !isRandom) throw noValues('a choice by values');
    return tensor ? Resource.handleOf(instance, tensor) : 0;
  });
  bridge.staged(CHOICE_BYTES + 8 * sets.length, (address) => {
    const add = (/** @type {number} */ seed, /** @type {number} */ step) => {
      const lists = address + CHOICE_BYTES;
      writeChoice(bridge, address, choice, seed, step);
      const count = bridge.writeList(lists, sets);
      const from = lists + 4 * count;
      bridge.writeList(from, sources);
      bridge.check(bridge.x.glk_locks_add_choice(context, lists, address, from, count));
    };
    if (isRandom) drawFrom(choice.seed, add);
    else add(0, 0);
  });
};

/** @param {Instance} instance @param {Uint8Array} bytes @returns {number} A handle of its own. */
export const unpackLocks = (instance, bytes) => {
  const { bridge, context } = instance;
  const { out, x } = bridge;
  withBytes(bridge, bytes, (at) => x.glk_locks_unpack(context, at, bytes.length, out));
  return bridge.outHandle();
};

/**
 * @param {Bridge} bridge
 * @param {Uint8Array | Uint32Array} list
 * @param {(address: number) => number} call Gives a status.
 */
const withBytes = (bridge, list, call) => {
  bridge.staged(list.byteLength, (address) => {
    if (list instanceof Uint8Array) bridge.put(bridge.u8, list, address);
    else bridge.put(bridge.u32, list, address >>> 2);
    bridge.check(call(address));
  });
};
