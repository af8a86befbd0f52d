// Symbolic tensors have a shape and an origin, and stand for tensors while a model is built.
import { isRecord } from '../../base/check.js';
import { formatOpen } from '../config/open-shapes.js';

/** @import { Layer } from './layer.js' */
/** @import { OpenShape } from '../config/open-shapes.js' */

/** One application of a layer, with its inputs and outputs. */
export class Node {
  /**
   * @param {Layer} layer
   * @param {readonly SymbolicTensor[]} inputs
   * @param {boolean} isList True if the inputs were given as a list.
   * @param {Record<string, unknown>} options The options of the call.
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

/** Stands for a batch's values while a model is built. `input` and a layer's `apply` return it. */
export class SymbolicTensor {
  /**
   * @internal
   * @param {OpenShape} shape
   * @param {Node} node The application that made it.
   * @param {number} index Its position among the node's outputs.
   * @param {string} name
   */
  constructor(shape, node, index, name) {
    /** The shape. Its first size is the batch, which is usually null. */
    this.shape = Object.freeze([...shape]);
    /** @internal */
    this.node = node;
    /** @internal */
    this.index = index;
    /** The name: its layer's name and the number of the output. */
    this.name = name;
    /** @internal */
    this.dtype = 'float32';
  }

  /** The number of axes. */
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

/** @template T @param {T | readonly T[]} value @returns {readonly T[]} */
export const toList = (value) => /** @type {any} */ (Array.isArray(value) ? value : [value]);

/**
 * Returns the arguments of a call, nested lists and objects, with changed parts.
 * @param {any} value
 * @param {(value: any) => unknown} change Returns the new value of a part; undefined keeps it.
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
