// Lock sets from selections and from saved forms, and changes of a variable's own locks.
import { describe, isRecord, ownProperties, readShape } from '../base/check.js';
import { Resource } from '../tensors/resource.js';
import { notify } from './listeners.js';
import { buildLocks, combineInto, LockSet, withLocks } from './locks.js';
import { unpackLocks } from './plan.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { LocksOp } from './locks.js' */
/** @import { Tensor } from '../tensors/tensor.js' */

/**
 * @param {Instance} instance
 * @param {Tensor} variable
 * @param {LocksOp} op
 * @param {unknown} selection
 * @param {boolean} isInverted True to invert the selection.
 */
export const changeLocks = (instance, variable, op, selection, isInverted) => {
  withLocks(instance, variable, selection, isInverted, (set) =>
    combineInto(instance, Resource.handleOf(instance, variable), op, set),
  );
  notify(variable);
};

/** @param {Instance} instance @param {readonly number[]} shape @param {unknown} selection */
export const createLocks = (instance, shape, selection) => {
  const selected = selection === undefined ? [] : selection;
  return new LockSet(instance, buildLocks(instance, shape, selected, null));
};

/** A lock set that was saved. @param {Instance} instance @param {unknown} saved */
export const restoreLocks = (instance, saved) => {
  if (saved instanceof Uint8Array) return new LockSet(instance, unpackLocks(instance, saved));
  const given = isRecord(saved) ? ownProperties(saved) : {};
  if (given.shape === undefined) {
    throw new TypeError(
      `locksFrom takes the result of a lock set's toBytes or toJSON, got ${describe(saved)}`,
    );
  }
  return createLocks(instance, readShape(given.shape, instance.bridge.maxRank), given);
};
