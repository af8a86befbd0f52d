// The content of a lock set as a mask, as indices and as bytes.
import { Resource } from '../tensors/resource.js';

/** @import { LockSet } from './locks.js' */

/** @param {LockSet} locks @returns {Uint8Array} */
export const readMask = (locks) => {
  const size = locks.size;
  const handle = Resource.ownHandle(locks);
  const { bridge } = Resource.instanceOf(locks);
  return bridge.staged(size, (address) => {
    bridge.check(bridge.x.glk_locks_to_mask(bridge.context, handle, address, size));
    return bridge.u8.slice(address, address + size);
  });
};

/** @param {LockSet} locks @returns {Uint32Array} */
export const readIndices = (locks) => {
  const indices = new Uint32Array(locks.count);
  const handle = Resource.ownHandle(locks);
  const { bridge } = Resource.instanceOf(locks);
  bridge.check(bridge.x.glk_locks_words(bridge.context, handle, bridge.out, bridge.out + 4));
  const first = bridge.outHandle() >>> 2;
  // The bits after the last element are always set; `indices` is full before they come.
  for (let word = first, at = 0; at < indices.length; word++) {
    let bits = Number(bridge.u32[word]);
    while (bits !== 0 && at < indices.length) {
      const lowest = bits & -bits;
      indices[at++] = (word - first) * 32 + 31 - Math.clz32(lowest);
      bits ^= lowest;
    }
  }
  return indices;
};

/** @param {LockSet} locks @returns {Uint8Array} */
export const packLocks = (locks) => {
  const handle = Resource.ownHandle(locks);
  const { bridge } = Resource.instanceOf(locks);
  const { context, out, x } = bridge;
  bridge.check(x.glk_locks_pack(context, handle, 0, 0, out));
  const size = bridge.outHandle();
  return bridge.staged(size, (address) => {
    bridge.check(x.glk_locks_pack(context, handle, address, size, out));
    return bridge.u8.slice(address, address + size);
  });
};
