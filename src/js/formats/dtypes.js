// Types of numbers in files, and how they become f32. Every conversion says how many values it
// rounded.

/** @typedef {Float64Array | Float32Array | Int8Array | Uint8Array | Int16Array | Uint16Array |
 *   Int32Array | Uint32Array | BigInt64Array | BigUint64Array} StoredArray */
/** @typedef {keyof typeof DTYPES} DType */
/** @typedef {{ values: Float32Array, rounded: number }} Converted */

/**
 * Array types by safetensors' names, in the order of its writer. Wider types come later here and
 * earlier in files, so that everything is aligned.
 */
export const DTYPES = {
  BOOL: Uint8Array,
  U8: Uint8Array,
  I8: Int8Array,
  I16: Int16Array,
  U16: Uint16Array,
  F16: Uint16Array,
  BF16: Uint16Array,
  I32: Int32Array,
  U32: Uint32Array,
  F32: Float32Array,
  F64: Float64Array,
  I64: BigInt64Array,
  U64: BigUint64Array,
};

const NAMES = /** @type {DType[]} */ (Object.keys(DTYPES));

/**
 * @param {unknown} name
 * @returns {name is DType}
 */
export const isDType = (name) => NAMES.includes(/** @type {DType} */ (name));

/** @param {DType} dtype */
export const rankOf = (dtype) => NAMES.indexOf(dtype);

/** @param {DType} dtype Bytes an element. */
export const widthOf = (dtype) => DTYPES[dtype].BYTES_PER_ELEMENT;

/**
 * Bytes as an array of their type: without a copy where they are aligned.
 * @param {DType} dtype
 * @param {Uint8Array} bytes
 */
export const arrayOf = (dtype, bytes) => {
  const width = widthOf(dtype);
  const { buffer, byteOffset } = bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
  return new DTYPES[dtype](/** @type {ArrayBuffer} */ (buffer), byteOffset, bytes.length / width);
};

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/**
 * An f16 of its bits, exactly; a NaN keeps its payload.
 * @param {number} bits
 * @returns {number} The bits of an f32.
 */
const halfBits = (bits) => {
  const sign = (bits & 0x8000) << 16;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return sign | 0x7f800000 | (fraction << 13);
  if (exponent > 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  float[0] = fraction * 2 ** -24; // subnormal, or 0
  return sign | Number(word[0]);
};

/**
 * @param {ArrayLike<number>} bits
 * @param {(bits: number) => number} widen
 */
const widenAll = (bits, widen) => {
  const words = new Uint32Array(bits.length);
  for (let i = 0; i < words.length; i++) words[i] = widen(Number(bits[i]));
  return { values: new Float32Array(words.buffer), rounded: 0 };
};

/**
 * Each rounded to the nearest f32, ties to even.
 * @param {ArrayLike<number>} list
 * @returns {Converted}
 */
const roundAll = (list) => {
  const values = new Float32Array(list);
  let rounded = 0;
  for (let i = 0; i < values.length; i++) if (!Object.is(values[i], list[i])) rounded++;
  return { values, rounded };
};

/**
 * Rounded once: by way of an f64, numbers of 64 bits would be rounded twice.
 * @param {BigInt64Array | BigUint64Array} list
 * @returns {Converted}
 */
const roundBig = (list) => {
  const values = new Float32Array(list.length);
  let rounded = 0;
  for (let i = 0; i < values.length; i++) {
    const exact = /** @type {bigint} */ (list[i]);
    values[i] = nearest(exact);
    if (BigInt(Number(values[i])) !== exact) rounded++;
  }
  return { values, rounded };
};

/**
 * An f64 that rounds to the same f32 as an integer: all bits below the 50 highest become one bit,
 * which is 1 if any was.
 * @param {bigint} exact
 */
const nearest = (exact) => {
  const size = exact < 0n ? -exact : exact;
  if (size < 2n ** 53n) return Number(exact);
  const kept = (size >> 14n) | (size & 0x3fffn ? 1n : 0n);
  return Number(kept) * 16384 * (exact < 0n ? -1 : 1);
};

/**
 * An array of numbers as f32.
 * @param {StoredArray} list
 * @returns {Converted}
 */
export const roundArray = (list) => {
  if (list instanceof Float32Array) return { values: list, rounded: 0 };
  const isBig = list instanceof BigInt64Array || list instanceof BigUint64Array;
  return isBig ? roundBig(list) : roundAll(list);
};

/**
 * Values as f32.
 * @param {DType} dtype
 * @param {Uint8Array} bytes
 * @returns {Converted} `values` may be a view of `bytes`.
 */
export const toFloat32 = (dtype, bytes) => {
  const list = arrayOf(dtype, bytes);
  if (dtype === 'F16') return widenAll(/** @type {Uint16Array} */ (list), halfBits);
  if (dtype === 'BF16') return widenAll(/** @type {Uint16Array} */ (list), (bits) => bits << 16);
  return roundArray(list);
};
