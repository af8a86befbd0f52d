// Tensors that stand for those of a batch while a model is put together: a shape, and where it
// comes from.
import { formatShape, isRecord, optionError, typeError } from '../base/check.js';

/** @typedef {import('./layer.js').Layer} Layer */
/**
 * @typedef {(number | null)[]} OpenShape Sizes along the axes, null where they are known with the
 *   data only.
 */

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

/** What a layer's `apply` gives for what `input` gave: no values, but a shape and a history. */
export class SymbolicTensor {
  /**
   * @param {OpenShape} shape
   * @param {Node} node That made it.
   * @param {number} index Among what the node made.
   * @param {string} name
   */
  constructor(shape, node, index, name) {
    this.shape = Object.freeze([...shape]);
    this.node = node;
    this.index = index;
    this.name = name;
    this.dtype = 'float32';
  }

  /** Number of axes. */
  get rank() {
    return this.shape.length;
  }

  get [Symbol.toStringTag]() {
    return 'SymbolicTensor';
  }

  toString() {
    return `SymbolicTensor ${this.name} ${formatOpen(this.shape)}`;
  }
}

/** @param {readonly (number | null)[]} shape */
export const formatOpen = (shape) =>
  formatShape(/** @type {any} */ (shape.map((size) => size ?? 'null')));

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

/**
 * A shape with sizes that may be open.
 * @param {any} value
 * @param {string} what
 * @returns {OpenShape}
 */
export const readOpenShape = (value, what) => {
  if (!Array.isArray(value)) throw typeError(what, 'an array of sizes', value);
  return Array.from(value, (size, axis) => {
    if (size === null || size === undefined) return null;
    if (Number.isSafeInteger(size) && size >= 0) return size;
    if (typeof size === 'number')
      throw optionError(`${what}[${axis}]`, 'an integer from 0 up or null', size);
    throw typeError(`${what}[${axis}]`, 'an integer or null', size);
  });
};

/**
 * One shape, or a list of shapes.
 * @param {any} value
 * @param {string} what
 * @returns {OpenShape | OpenShape[]}
 */
export const readShapes = (value, what) =>
  Array.isArray(value?.[0])
    ? value.map((/** @type {any} */ shape) => readOpenShape(shape, what))
    : readOpenShape(value, what);
