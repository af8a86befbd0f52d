// safetensors: the length of a header, the header as JSON, then tensors. No file is trusted.
// Source: https://github.com/huggingface/safetensors, "Format", of 0.4 and later.
import { refuseRest } from '../base/arity.js';
import { describe, describeList, isList, isRecord, ownProperties } from '../base/check.js';
import { FormatError, OptionError, ShapeError } from '../base/errors.js';
import { encodeText } from '../base/text.js';
import { readBytes, readBytesOrFile } from './bytes.js';
import { arrayOf, convertBytes, DTYPES, isDType, rankOf, widthOf } from './dtypes.js';
import { refuseForeign } from './foreign.js';
import { parseJSON } from './strict-json.js';

/** @import { DType, StoredArray } from './dtypes.js' */
/**
 * @typedef {object} TensorSource What `writeSafetensors` writes; a tensor of gradlock is one too.
 * @property {DType} [dtype] Default: that of a typed array, F32 for others.
 * @property {readonly number[]} shape
 * @property {StoredArray | readonly number[] | (() => Float32Array | Float64Array)} data In
 *   row-major order; F16 and BF16 as their bits in a Uint16Array.
 */

const METADATA = '__metadata__';
const MOST_HEADER = 100e6;

/** A tensor of a file: its type, its shape, and its bytes, which stay where they are. */
export class StoredTensor {
  /**
   * @param {string} name
   * @param {DType} dtype
   * @param {readonly number[]} shape
   * @param {Uint8Array} bytes
   */
  constructor(name, dtype, shape, bytes) {
    /** Name in the file. */
    this.name = name;
    /** Such as `'F32'`. */
    this.dtype = dtype;
    /** Sizes along the axes. */
    this.shape = shape;
    /** Bytes of the file, in row-major order, lowest byte first. */
    this.bytes = bytes;
  }

  /**
   * Its values in the array of its type: a view of the file, or a copy where that is not aligned.
   * F16 and BF16 are given as their bits.
   * @returns {StoredArray}
   */
  get data() {
    return arrayOf(this.dtype, this.bytes);
  }

  /**
   * Its values as f32, and how many of them had to be rounded. May be a view of the file.
   * @returns {{ values: Float32Array, rounded: number }}
   * @example
   * const bytes = writeSafetensors({ w: g.tensor([1, 2]) });
   * readSafetensors(bytes).tensors.get('w').toFloat32().values; // [1, 2]
   */
  toFloat32() {
    return this.convert(Float32Array);
  }

  /**
   * Its values as f64, and how many of them had to be rounded, which integers of 64 bits may be.
   * May be a view of the file.
   * @returns {{ values: Float64Array, rounded: number }}
   * @example
   * const bytes = writeSafetensors({ w: { shape: [1], data: Float64Array.of(0.1) } });
   * readSafetensors(bytes).tensors.get('w').toFloat64().values; // [0.1]
   */
  toFloat64() {
    return this.convert(Float64Array);
  }

  /** @internal @template {import('./dtypes.js').RealsType} Type @param {Type} Type */
  convert(Type) {
    return convertBytes(this.dtype, this.bytes, Type);
  }
}

/** @param {string} message */
const refuse = (message) => {
  throw new FormatError(`safetensors: ${message}`);
};

/** @param {unknown} value */
const isSize = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** Bytes of a tensor; NaN if not exact. @param {DType} dtype @param {readonly number[]} shape */
const bytesOf = (dtype, shape) => {
  let size = widthOf(dtype);
  for (const dim of shape) {
    size *= dim;
    if (!Number.isSafeInteger(size)) return Number.NaN;
  }
  return size;
};

/** @param {string} name @param {unknown} entry */
const readEntry = (name, entry) => {
  const what = `tensor ${describe(name)}`;
  if (!isRecord(entry)) return refuse(`${what} must be an object, it is ${describe(entry)}`);
  const { dtype, shape, data_offsets: offsets, ...others } = ownProperties(entry);
  const [other] = Object.keys(others);
  if (other !== undefined) refuse(`${what} has the unknown field ${describe(other)}`);
  if (!isDType(dtype)) {
    return refuse(
      `${what} has the unknown type ${describe(dtype)}; known: ${Object.keys(DTYPES).join(', ')}`,
    );
  }
  if (!Array.isArray(shape) || !shape.every(isSize)) {
    return refuse(`${what} must have a shape of sizes, it has ${describeList(shape)}`);
  }
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isSize)) {
    return refuse(`${what} must have two data_offsets, it has ${describeList(offsets)}`);
  }
  const size = bytesOf(dtype, shape);
  if (!Number.isSafeInteger(size)) return refuse(`${what} is too large: ${describeList(shape)}`);
  const [from, to] = /** @type {[number, number]} */ (offsets);
  if (to - from !== size) {
    refuse(
      `${what} of ${dtype} ${describeList(shape)} has ${size} bytes, but its data_offsets span ${to - from}`,
    );
  }
  return { name, dtype, shape: Object.freeze(shape), from, to };
};

/** @param {unknown} value */
const readMetadata = (value) => {
  if (!isRecord(value)) return refuse(`${METADATA} must be an object, it is ${describe(value)}`);
  const metadata = ownProperties(value);
  for (const [key, entry] of Object.entries(metadata)) {
    if (typeof entry !== 'string') {
      refuse(`${METADATA} must hold strings, ${describe(key)} is ${describe(entry)}`);
    }
  }
  return /** @type {Record<string, string>} */ (metadata);
};

/**
 * The tensors of a safetensors file, without copying them. Throws FormatError for a damaged file: a
 * header that is not strict JSON or is outside of the file, a duplicate key, gaps or overlaps
 * between tensors, bytes that belong to no tensor, or sizes that do not fit shapes and types.
 * @param {Uint8Array | ArrayBuffer | ArrayBufferView | string | { href: string }} bytes Bytes; in
 *   Node.js from 20.16 on, Bun and Deno also the path or `file:` URL of a file.
 * @param {[]} more
 * @returns {{ tensors: Map<string, StoredTensor>, metadata: Record<string, string> }} In their
 *   order in the file. `metadata` has no prototype.
 * @example
 * const file = writeSafetensors({ w: { shape: [2], data: [1, 2] } }, { note: 'first' });
 * const { tensors, metadata } = readSafetensors(file);
 * tensors.get('w').data;      // Float32Array [1, 2]
 * metadata.note;              // 'first'
 */
export const readSafetensors = (bytes, ...more) => {
  refuseRest('readSafetensors', 1, more, bytes);
  const file = readBytesOrFile(bytes, 'readSafetensors: the file');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const isLong = file.length >= 8;
  const length = isLong ? view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32 : 0;
  if (length > file.length - 8 || length > MOST_HEADER || file[8] !== 0x7b) refuseForeign(file);
  if (!isLong)
    refuse(`a file begins with 8 bytes for the header's length, this one has ${file.length}`);
  if (length > MOST_HEADER) refuse(`the header has ${length} bytes, at most 100,000,000 are read`);
  if (length > file.length - 8) {
    refuse(
      `the header has ${length} bytes, but the file has only ${file.length - 8} after that length`,
    );
  }
  if (file[8] !== 0x7b) refuse('the header must begin with {');
  const header = parseJSON(file.subarray(8, 8 + length), 'safetensors: the header');
  const { [METADATA]: given = {}, ...rest } = ownProperties(header);
  const metadata = readMetadata(given);
  const entries = Object.entries(rest).map(([name, entry]) => readEntry(name, entry));
  entries.sort((a, b) => a.from - b.from || a.to - b.to);
  const data = file.subarray(8 + length);
  /** @type {Map<string, StoredTensor>} */
  const tensors = new Map();
  let end = 0;
  for (const { name, dtype, shape, from, to } of entries) {
    if (from !== end) {
      refuse(`tensor ${describe(name)} begins at ${from}, but the one before it ends at ${end}`);
    }
    if (to > data.length) {
      refuse(
        `tensor ${describe(name)} ends at ${to}, the file has ${data.length} bytes of tensors`,
      );
    }
    const part = data.subarray(from, to);
    const wrong = dtype === 'BOOL' ? part.findIndex((byte) => byte > 1) : -1;
    if (wrong >= 0) refuse(`tensor ${describe(name)} is BOOL, its byte ${wrong} is ${part[wrong]}`);
    tensors.set(name, new StoredTensor(name, dtype, shape, part));
    end = to;
  }
  if (end !== data.length) refuse(`${data.length - end} bytes at the end belong to no tensor`);
  return { tensors, metadata };
};

/** @type {[Function, DType][]} */
const OF_ARRAYS = [
  [Float32Array, 'F32'],
  [Float64Array, 'F64'],
  [Int8Array, 'I8'],
  [Uint8Array, 'U8'],
  [Int16Array, 'I16'],
  [Uint16Array, 'U16'],
  [Int32Array, 'I32'],
  [Uint32Array, 'U32'],
  [BigInt64Array, 'I64'],
  [BigUint64Array, 'U64'],
];

/** @param {string} name @param {unknown} given */
const readSource = (name, given) => {
  const what = `writeSafetensors: tensor ${describe(name)}`;
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${what} must be an object with shape and data, got ${describe(given)}`);
  }
  const { dtype: wanted, shape } = /** @type {any} */ (given);
  const { data: own } = /** @type {any} */ (given);
  const data = typeof own === 'function' ? own.call(given) : own;
  if (!isList(data)) throw new TypeError(`${what}: data must be a list, got ${describe(data)}`);
  if (!isList(shape) || !Array.from(shape).every(isSize)) {
    throw new TypeError(`${what}: shape must be an array of sizes, got ${describe(shape)}`);
  }
  const dtype = wanted ?? OF_ARRAYS.find(([Type]) => data instanceof Type)?.[1] ?? 'F32';
  if (!isDType(dtype)) throw new TypeError(`${what}: unknown type ${describe(dtype)}`);
  const isTyped = ArrayBuffer.isView(data);
  if (isTyped && !(data instanceof DTYPES[dtype])) {
    throw new TypeError(`${what}: ${describe(data)} is not of type ${dtype}`);
  }
  const dims = Array.from(shape, Number);
  const size = bytesOf(dtype, dims) / widthOf(dtype);
  if (size !== data.length) {
    throw new ShapeError(
      `${what} of shape [${dims.join(', ')}] takes ${size} values, it was given ${data.length}`,
    );
  }
  const values = isTyped ? data : /** @type {any} */ (DTYPES[dtype]).from(data);
  if (dtype === 'BOOL' && values.some((/** @type {number} */ value) => value > 1)) {
    throw new OptionError(`${what}: BOOL has 0 and 1 only: write other values as U8`);
  }
  return { name, dtype, dims, bytes: readBytes(values, what) };
};

/** @param {number} bytes */
const refuseHeader = (bytes) => {
  throw new OptionError(
    `writeSafetensors: names, shapes and metadata take ${bytes} bytes, readers accept at most 100,000,000: shorten the metadata`,
  );
};

/**
 * A file of tensors, as safetensors' own library writes it: the same bytes.
 * @param {Map<string, TensorSource> | Record<string, TensorSource>} tensors By name.
 * @param {Record<string, string>} [metadata]
 * @param {[]} more
 * @returns {Uint8Array<ArrayBuffer>}
 * @example
 * const data = Float32Array.of(1, 2, 3, 4);
 * writeSafetensors({ 'dense/kernel': { shape: [2, 2], data } }).length; // 96
 */
export const writeSafetensors = (tensors, metadata = {}, ...more) => {
  refuseRest('writeSafetensors', 2, more);
  if (!(tensors instanceof Map) && !isRecord(tensors)) {
    throw new TypeError(
      `writeSafetensors takes a Map or an object of tensors, got ${describe(tensors)}`,
    );
  }
  const given = tensors instanceof Map ? [...tensors] : Object.entries(ownProperties(tensors));
  const list = given.map(([name, tensor]) => readSource(String(name), tensor));
  const names = new Set(list.map(({ name }) => name));
  if (names.size < list.length) {
    throw new OptionError('writeSafetensors: two tensors have the same name: rename one');
  }
  list.sort(
    (a, b) => rankOf(b.dtype) - rankOf(a.dtype) || (a.name < b.name ? -1 : Number(a.name > b.name)),
  );
  const words = Object.entries(ownProperties(metadata));
  let letters = 0;
  for (const [key, value] of words) {
    if (typeof value !== 'string') {
      throw new TypeError(
        `writeSafetensors: metadata must hold strings, ${describe(key)} is ${describe(value)}`,
      );
    }
    letters += key.length + value.length;
  }
  if (letters > MOST_HEADER) refuseHeader(letters);
  // Text, not an object, whose integer-like keys would come first.
  const parts =
    words.length > 0 ? [`"${METADATA}":${JSON.stringify(Object.fromEntries(words))}`] : [];
  let end = 0;
  for (const { name, dtype, dims, bytes } of list) {
    if (name === METADATA)
      throw new TypeError(`writeSafetensors: no tensor can be called ${METADATA}`);
    const entry = { dtype, shape: dims, data_offsets: [end, end + bytes.length] };
    parts.push(`${JSON.stringify(name)}:${JSON.stringify(entry)}`);
    end += bytes.length;
  }
  const header = encodeText(`{${parts.join(',')}}`);
  const length = Math.ceil(header.length / 8) * 8;
  if (length > MOST_HEADER) refuseHeader(length);
  const file = new Uint8Array(8 + length + end);
  new DataView(file.buffer).setUint32(0, length, true);
  file.fill(0x20, 8, 8 + length);
  file.set(header, 8);
  let at = 8 + length;
  for (const { bytes } of list) {
    file.set(bytes, at);
    at += bytes.length;
  }
  return file;
};
