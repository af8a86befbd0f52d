// Shared parts of the families of ops: the instance, and the ids of the op table's rows by name.
import { readOpIds } from '../tensors/apply.js';

/** @import { Instance } from '../tensors/instance.js' */
/**
 * @typedef {number | readonly number[]} Axes One axis or several; negative ones count from the
 *   last.
 */

/** @internal */
export const INSTANCE = Symbol('instance');
/** @internal */
export const IDS = Symbol('ids');
/** @internal */
export const GENERATOR = Symbol('generator');
/** @internal */
export const DRAW_FROM = Symbol('draw from');

/** For ops without attributes. @type {readonly number[]} */
export const NONE = [];

/**
 * The base class of the families, which form one chain. Each is a class with one method for each
 * row of the op table, and extends the family below it; ops.js exports the last.
 */
export class OpTable {
  /** @internal @type {Instance} */
  [INSTANCE];
  /** @internal @type {Record<string, number>} */
  [IDS];

  /** @internal @param {Instance} instance */
  constructor(instance) {
    this[INSTANCE] = instance;
    this[IDS] = readOpIds(instance.bridge);
  }
}
