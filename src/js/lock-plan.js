// Carries out in C what a selection was read to mean. Indices were checked when the plan was made.

/** @typedef {import('./bridge.js').Bridge} Bridge */
/** @typedef {import('./instance.js').Instance} Instance */
/** @typedef {import('./selection.js').Plan} Plan */

/**
 * A new lock set that holds what a plan says.
 * @param {Instance} instance
 * @param {readonly number[]} shape
 * @param {Plan} plan
 * @returns {number} Its handle, which the caller owns.
 */
export const createFromPlan = (instance, shape, plan) => {
  const { bridge, context } = instance;
  const rank = bridge.writeList(bridge.dims, shape);
  bridge.check(bridge.x.glk_locks_create(context, rank, bridge.dims, bridge.out));
  const handle = bridge.outHandle();
  try {
    fillLocks(instance, handle, plan);
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
 */
const fillLocks = ({ bridge }, handle, plan) => {
  const { x, context, dims, moreDims } = bridge;
  switch (plan.kind) {
    case 'all':
      return bridge.check(x.glk_locks_add_all(context, handle));
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

/**
 * @param {Bridge} bridge
 * @param {Uint8Array | Uint32Array} list
 * @param {(address: number) => number} call Gives a status.
 */
const withBytes = (bridge, list, call) => {
  const address = bridge.stage(list.byteLength);
  try {
    bridge.u8.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), address);
    bridge.check(call(address));
  } finally {
    bridge.unstage(address);
  }
};
