// Types of numbers in files, and how they become f32 or f64. Conversions count what they round.

/** @typedef {Float64Array | Float32Array | Int8Array | Uint8Array | Int16Array | Uint16Array |
 *   Int32Array | Uint32Array | BigInt64Array | BigUint64Array} StoredArray */
/** @typedef {keyof typeof DTYPES} DType */
/** @typedef {Float32Array | Float64Array} Reals */
/** @typedef {Float32ArrayConstructor | Float64ArrayConstructor} RealsType */
/**
 * @template {RealsType} [Type=RealsType]
 * @typedef {{ values: InstanceType<Type>, rounded: number }} Converted
 */

/** Array types by safetensors' names. Files begin with the last, the widest, for alignment. */
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

/** @param {unknown} name @returns {name is DType} */
export const isDType = (name) => NAMES.includes(/** @type {DType} */ (name));

/** @param {DType} dtype */
export const rankOf = (dtype) => NAMES.indexOf(dtype);

/** @param {DType} dtype Bytes an element. */
export const widthOf = (dtype) => DTYPES[dtype].BYTES_PER_ELEMENT;

/** Bytes as their type; a copy if not aligned. @param {DType} dtype @param {Uint8Array} bytes */
export const arrayOf = (dtype, bytes) => {
  const width = widthOf(dtype);
  const { buffer, byteOffset } = bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
  return new DTYPES[dtype](/** @type {ArrayBuffer} */ (buffer), byteOffset, bytes.length / width);
};

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** An f16 as an f32, bits to bits; a NaN keeps its payload. @param {number} bits */
const halfBits = (bits) => {
  const sign = (bits & 0x8000) << 16;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return sign | 0x7f800000 | (fraction << 13);
  if (exponent > 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  float[0] = fraction * 2 ** -24; // subnormal, or 0
  return sign | Number(word[0]);
};

/** @param {ArrayLike<number>} bits @param {(bits: number) => number} widen */
const widenAll = (bits, widen) => {
  const words = new Uint32Array(bits.length);
  for (let i = 0; i < words.length; i++) words[i] = widen(Number(bits[i]));
  return new Float32Array(words.buffer);
};

/** Rounded to nearest, ties to even. @param {ArrayLike<number>} list @param {RealsType} Type */
const roundAll = (list, Type) => {
  const values = new Type(list);
  let rounded = 0;
  for (let i = 0; i < values.length; i++) if (!Object.is(values[i], list[i])) rounded++;
  return { values, rounded };
};

/**
 * Rounded once: by way of an f64, numbers of 64 bits would be rounded twice to f32.
 * @param {BigInt64Array | BigUint64Array} list
 * @param {RealsType} Type
 */
const roundBig = (list, Type) => {
  const values = new Type(list.length);
  let rounded = 0;
  for (let i = 0; i < values.length; i++) {
    const exact = /** @type {bigint} */ (list[i]);
    values[i] = Type === Float32Array ? nearest(exact) : Number(exact);
    if (BigInt(Number(values[i])) !== exact) rounded++;
  }
  return { values, rounded };
};

/**
 * An f64 that rounds to an integer's f32: bits below the 50 highest become one, 1 if any was.
 * @param {bigint} exact
 */
const nearest = (exact) => {
  const size = exact < 0n ? -exact : exact;
  if (size < 2n ** 53n) return Number(exact);
  const kept = (size >> 14n) | (size & 0x3fffn ? 1n : 0n);
  return Number(kept) * 16384 * (exact < 0n ? -1 : 1);
};

/**
 * @template {RealsType} Type
 * @param {StoredArray} list
 * @param {Type} Type
 * @returns {Converted<Type>} `values` may be the list itself.
 */
export const convertArray = (list, Type) => {
  const isBig = list instanceof BigInt64Array || list instanceof BigUint64Array;
  const found =
    list instanceof Type
      ? { values: list, rounded: 0 }
      : isBig
        ? roundBig(list, Type)
        : roundAll(/** @type {Exclude<typeof list, Reals>} */ (list), Type);
  return /** @type {Converted<Type>} */ (found);
};

/**
 * @template {RealsType} Type
 * @param {DType} dtype
 * @param {Uint8Array} bytes
 * @param {Type} Type
 * @returns {Converted<Type>} `values` may be a view of `bytes`.
 */
export const convertBytes = (dtype, bytes, Type) => {
  const list = arrayOf(dtype, bytes);
  const bits = /** @type {Uint16Array} */ (list);
  if (dtype === 'F16') return convertArray(widenAll(bits, halfBits), Type);
  if (dtype === 'BF16')
    return convertArray(
      widenAll(bits, (word) => word << 16),
      Type,
    );
  return convertArray(list, Type);
};

/** The type's name in files @param {{ nn: { Reals: RealsType } }} model @returns {'F32' | 'F64'} */
export const dtypeOf = ({ nn }) => (nn.Reals === Float32Array ? 'F32' : 'F64');

/** Bits of values, as integers. @param {Reals} values @returns {Uint32Array | BigUint64Array} */
export const bitsOf = ({ buffer, byteOffset, length, BYTES_PER_ELEMENT: width }) =>
  width === 4
    ? new Uint32Array(buffer, byteOffset, length)
    : new BigUint64Array(buffer, byteOffset, length);
