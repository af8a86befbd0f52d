// Tensors that stand for those of a batch while a model is put together: a shape, and where it
// comes from.
import { isRecord } from '../../base/check.js';
import { formatOpen } from '../config/open-shapes.js';

/** @typedef {import('./layer.js').Layer} Layer */
/** @typedef {import('../config/open-shapes.js').OpenShape} OpenShape */

/** One application of a layer: what it was given and what came of it. */
export class Node {
  /**
   * @param {Layer} layer
   * @param {readonly SymbolicTensor[]} inputs
   * @param {boolean} isList Whether the inputs were given as a list.
   * @param {Record<string, unknown>} options Of the call.
   */
  constructor(layer, inputs, isList, options) {
    this.layer = layer;
    this.inputs = inputs;
    this.isList = isList;
    this.options = options;
    /** @type {SymbolicTensor[]} */
    this.outputs = [];
  }
}

/**
 * Stands for the values of a batch while a model is put together: what `input` and a layer's
 * `apply` give.
 */
export class SymbolicTensor {
  /**
   * @internal
   * @param {OpenShape} shape
   * @param {Node} node That made it.
   * @param {number} index Among what the node made.
   * @param {string} name
   */
  constructor(shape, node, index, name) {
    /** The first size, the batch's, is mostly null. */
    this.shape = Object.freeze([...shape]);
    /** @internal */
    this.node = node;
    /** @internal */
    this.index = index;
    /** Of the layer that gave it, and which of its outputs. */
    this.name = name;
    /** @internal */
    this.dtype = 'float32';
  }

  /** Number of axes. */
  get rank() {
    return this.shape.length;
  }

  /** @internal */
  get [Symbol.toStringTag]() {
    return 'SymbolicTensor';
  }

  /** @internal */
  toString() {
    return `SymbolicTensor ${this.name} ${formatOpen(this.shape)}`;
  }
}

/**
 * @template T
 * @param {T | readonly T[]} value
 * @returns {readonly T[]}
 */
export const toList = (value) => /** @type {any} */ (Array.isArray(value) ? value : [value]);

/**
 * The arguments of a call with what stands in them: nested lists and objects.
 * @param {any} value
 * @param {(value: any) => unknown} change What a part is to be; undefined: what it is.
 * @returns {any}
 */
export const mapArgs = (value, change) => {
  const changed = change(value);
  if (changed !== undefined) return changed;
  if (Array.isArray(value)) return value.map((entry) => mapArgs(entry, change));
  if (!isRecord(value) || value instanceof SymbolicTensor) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, mapArgs(entry, change)]),
  );
};
