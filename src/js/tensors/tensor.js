// Tensors: immutable values of a shape, made and read. Memory is looked up again for every read.
import { toPlainList } from '../base/archive.js';
import { formatShape, readShape, sizeOf } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { formatValues, inspectKey } from '../base/inspect.js';
import { readValues, toNested } from '../base/nested.js';
import { comparable, Resource } from './resource.js';

/** @import { NumericArray } from '../base/check.js' */
/** @import { Instance } from './instance.js' */
/** @import { Values } from '../base/nested.js' */
/** @typedef {{ shape: readonly number[], values: (number | string)[] }} TensorJSON */
/**
 * A tensor of which it is known how deep the arrays are that `array()` gives.
 * @template Nested
 * @typedef {{ array(): Nested } & Tensor} TensorOf
 */
/**
 * An operand of an op: a tensor or variable, a number, nested arrays, or a typed array of rank 1.
 * @typedef {Tensor | Values} TensorLike
 */

/**
 * Immutable f32 values of a shape.
 *
 * Every method throws DisposedError after the tensor was disposed. Every way to read values throws
 * RecordingError if `compile` has recorded the tensor but not computed it.
 */
export class Tensor extends Resource {
  /** @type {readonly number[] | undefined} */
  #shape;

  /** @internal @param {Instance} instance @param {number} handle @param {boolean} [scoped] */
  constructor(instance, handle, scoped = true) {
    super(instance, handle, scoped);
  }

  /** Sizes along the axes; `[]` for a scalar. @type {readonly number[]} */
  get shape() {
    const handle = Resource.ownHandle(this);
    this.#shape ??= readShapeOf(Resource.instanceOf(this), handle);
    return this.#shape;
  }

  /** Number of axes. */
  get rank() {
    return this.shape.length;
  }

  /** Number of elements. */
  get size() {
    return sizeOf(this.shape);
  }

  /**
   * A copy of the values in row-major order.
   * @returns {Float32Array}
   * @example
   * g.tensor([[1, 2], [3, 4]]).data(); // [1, 2, 3, 4]
   */
  data() {
    return this.view().slice();
  }

  /**
   * A copy of the values as nested arrays; a number for a scalar. Its type is known of what
   * `tensor` and `variable` made of values or with a shape.
   * @returns {any}
   * @example
   * g.tensor([[1, 2], [3, 4]]).array(); // [[1, 2], [3, 4]]
   */
  array() {
    return toNested(this.view(), this.shape);
  }

  /**
   * The only value of a tensor of size 1.
   * @returns {number}
   * @example
   * g.sum([1, 2, 3]).item(); // 6
   */
  item() {
    const values = this.view();
    if (values.length !== 1) {
      throw new ShapeError(
        `item() needs exactly one value, ${this.label} has ${values.length}: use data() or array()`,
      );
    }
    return Number(values[0]);
  }

  /**
   * The values in place, without a copy: valid until the next call of anything in the library, and
   * only for reading. Writing through it would pass the locks by.
   * @returns {Float32Array}
   * @example
   * const x = g.tensor([1, 2, 3]);
   * x.view()[2]; // 3
   */
  view() {
    const handle = Resource.ownHandle(this);
    const { bridge } = Resource.instanceOf(this);
    bridge.check(bridge.x.glk_view(bridge.context, handle, bridge.out, bridge.out + 4));
    const [address, count] = bridge.u32.subarray(bridge.out >>> 2, (bridge.out >>> 2) + 2);
    return new bridge.Reals(bridge.x.memory.buffer, address, count);
  }

  /**
   * FNV-1a digest of the bytes, 16 hexadecimal digits: equal on all machines for equal values.
   * @returns {string}
   * @example
   * g.tensor([1, 2, 3]).digest(); // '1de40d89811fe258'
   */
  digest() {
    const bridge = Resource.ask(this, 'glk_digest');
    const [low, high] = bridge.u32.subarray(bridge.out >>> 2, (bridge.out >>> 2) + 2);
    return [high, low].map((word) => Number(word).toString(16).padStart(8, '0')).join('');
  }

  /**
   * Shape and row-major values; numbers that JSON lacks are text: `'NaN'`, `'-0'`, `'Infinity'`.
   * @override
   * @returns {TensorJSON}
   * @example
   * JSON.stringify(g.tensor([1, NaN])); // '{"shape":[2],"values":[1,"NaN"]}'
   */
  toJSON() {
    return { shape: this.shape, values: toPlainList(this.view()) };
  }

  /**
   * Sees shape and values: Jest, Vitest and node:assert compare this text before all else, and
   * would call any two tensors equal by their other properties.
   * @override
   */
  get [Symbol.toStringTag]() {
    return comparable('Tensor', () => this.content());
  }

  /** Text that is equal where shape and bits are. @internal */
  content() {
    return `${formatShape(this.shape)} ${this.digest()}`;
  }

  /** @internal */
  get kind() {
    return 'Tensor';
  }

  /** @internal @override */
  get label() {
    return this.disposed ? this.kind : `${this.kind} ${formatShape(this.shape)}`;
  }

  /**
   * Kind, shape and values, shortened where they are many.
   * @override
   * @example
   * String(g.tensor([[1, 2], [3, 4]])).split('\n'); // ['Tensor [2, 2]', '[[1, 2],', ' [3, 4]]']
   */
  toString() {
    if (this.disposed) return `${this.kind} (disposed)`;
    try {
      return `${this.label}\n${formatValues(this.view(), this.shape)}`;
    } catch {
      return `${this.label} (recorded, not computed)`;
    }
  }

  /** @internal */
  [inspectKey]() {
    return this.toString();
  }
}

/** @param {Instance} instance @param {number} handle */
export const readShapeOf = (instance, handle) => {
  const { bridge } = instance;
  bridge.check(bridge.x.glk_shape_of(bridge.context, handle, bridge.out, bridge.dims));
  return Object.freeze(bridge.readList(bridge.dims, bridge.outHandle()));
};

/**
 * Values and shape of a caller's argument. A `view()` is copied, as memory may grow.
 * @param {Instance} instance
 * @param {unknown} values
 * @param {readonly number[] | undefined} shape
 * @param {string} what
 */
export const readLiteral = ({ bridge }, values, shape, what) => {
  const found = readValues(values, shape, what, bridge);
  const { data } = found;
  return data.buffer === bridge.x.memory.buffer ? { ...found, data: data.slice() } : found;
};

/**
 * The same, where a tensor may be handed in for its values.
 * @param {Instance} instance
 * @param {unknown} values
 * @param {unknown} shape
 * @param {string} what
 */
export const readInput = (instance, values, shape, what) => {
  const wanted = shape === undefined ? undefined : readShape(shape, instance.bridge.maxRank);
  if (!(values instanceof Tensor)) return readLiteral(instance, values, wanted, what);
  Resource.handleOf(instance, values);
  const found = { shape: values.shape, data: values.data() };
  return wanted ? readLiteral(instance, found.data, wanted, what) : found;
};

/**
 * Values for the elements of a tensor: nested arrays of its shape, or flat ones.
 * @param {Instance} instance
 * @param {unknown} values
 * @param {Tensor} tensor
 * @param {string} what
 */
export const readValuesOf = (instance, values, tensor, what) =>
  values instanceof Tensor
    ? readInput(instance, values, undefined, what)
    : readLiteral(instance, values, tensor.shape, what);

/**
 * Put values where C can read them, for the length of one call.
 * @param {Instance} instance
 * @param {NumericArray} data
 * @param {(address: number) => number} call Gives a status.
 */
export const withValues = (instance, data, call) => {
  const { bridge } = instance;
  const { realBytes } = bridge;
  const address = bridge.stage(data.length * realBytes);
  try {
    bridge.put(bridge.reals, data, address / realBytes);
    bridge.check(call(address));
  } finally {
    bridge.unstage(address);
  }
};

/** Above this number of bytes, values are written into the tensor directly: a copy may not fit. */
const MOST_STAGED = 65_536;

/**
 * @param {Instance} instance
 * @param {NumericArray} data
 * @param {(address: number) => number} create Creates it from values at an address, or from zeros
 *   at address 0. Returns a status, and writes the handle to the first out-parameter.
 * @returns {number} Its handle, which the caller owns.
 */
export const createFilled = (instance, data, create) => {
  const { bridge } = instance;
  if (data.length * bridge.realBytes <= MOST_STAGED) {
    withValues(instance, data, create);
    return bridge.outHandle();
  }
  bridge.check(create(0));
  const handle = bridge.outHandle();
  try {
    bridge.check(bridge.x.glk_view(bridge.context, handle, bridge.out, bridge.out + 4));
    bridge.put(bridge.reals, data, bridge.outHandle() / bridge.realBytes); // nobody else knows it yet
  } catch (error) {
    instance.release(handle);
    throw error;
  }
  return handle;
};

/**
 * @param {Instance} instance
 * @param {readonly number[]} shape
 * @param {NumericArray} data
 * @returns {number} Its handle, which the caller owns.
 */
export const createTensor = (instance, shape, data) => {
  const { context, bridge } = instance;
  const rank = bridge.writeList(bridge.dims, shape);
  return createFilled(instance, data, (address) =>
    bridge.x.glk_tensor_create(context, rank, bridge.dims, address, data.length, bridge.out),
  );
};
