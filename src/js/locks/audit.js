// Audits: whether locked elements of a variable hold the bits that they had when they were locked.
// C keeps those bits; nothing is kept unless it is asked for.
import { unflatten } from '../base/check.js';
import { Resource } from '../tensors/resource.js';

/** @import { Tensor } from '../tensors/tensor.js' */

/**
 * The result of an audit: whether all locked bits are unchanged, the number of changed elements,
 * and the first of them. The digest of the expected values has 16 hexadecimal digits. It is equal
 * if the same elements have the same values.
 * @typedef {object} Audit
 * @property {boolean} ok
 * @property {number} changed
 * @property {number | null} flatIndex
 * @property {number[] | null} index
 * @property {string} digest
 */

/** Begin, restart or end an audit. @param {Tensor} variable @param {number} isWatched */
export const setAudit = (variable, isWatched) => {
  const handle = Resource.ownHandle(variable);
  const { bridge } = Resource.instanceOf(variable);
  bridge.check(bridge.x.glk_locks_watch(bridge.context, handle, isWatched));
};

/** @param {Tensor} variable One that is watched. @returns {Audit} */
export const audit = (variable) => {
  const handle = Resource.ownHandle(variable);
  const { bridge } = Resource.instanceOf(variable);
  const { out, x } = bridge;
  bridge.check(x.glk_locks_audit(bridge.context, handle, out, out + 4, out + 8));
  const words = bridge.u32.subarray(out >>> 2, (out >>> 2) + 4);
  const [changed, first, low, high] = Array.from(words);
  const digest = [high, low].map((word) => Number(word).toString(16).padStart(8, '0')).join('');
  const flatIndex = Number(first);
  if (changed === 0) return { ok: true, changed, flatIndex: null, index: null, digest };
  const index = unflatten(flatIndex, variable.shape);
  return { ok: false, changed: Number(changed), flatIndex, index, digest };
};
