// States as plain objects, encoded into bytes and decoded. C defines their content. The layout is
// that of src/c/core/archive.h. Objects survive JSON and structured cloning bit for bit. A list is
// { f32: [...] }, { f64: [...] } or { u32: [...] }. Numbers that JSON lacks are text: 'Infinity',
// '-Infinity', '-0' and 'NaN', or 'NaN:7fc00001' with the bits of an unusual NaN.
import { describe, isList, ownProperties, readTypedList } from './check.js';
import { FormatError } from './errors.js';
import { decodeText, encodeText } from './text.js';

/** @typedef {{ [name: string]: unknown }} Plain */

const HEADER_BYTES = 16;
const CHECKSUM_BYTES = 4;
/** More than any state needs. */
const MOST_NESTED = 16;
const CANONICAL_NAN = /^(7fc00000|7ff8000000000000)$/;
const LISTS = { f: Float32Array, d: Float64Array, u: Uint32Array };

/** @type {Record<string, 'f' | 'd' | 'u'>} */
const TYPES = { f32: 'f', f64: 'd', u32: 'u' };

/** @param {number} depth */
const checkDepth = (depth) => {
  if (depth > MOST_NESTED) throw new FormatError('cannot load this state: it is nested too deeply');
};

/**
 * A number in a form that JSON can hold.
 * @param {number} value
 * @param {() => string} bits Returns its bits, as hexadecimal digits.
 */
const toPlain = (value, bits) => {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  if (Number.isNaN(value)) return CANONICAL_NAN.test(bits()) ? 'NaN' : `NaN:${bits()}`;
  return value === 0 ? '-0' : String(value);
};

/** @param {'f' | 'd' | 'u'} type @param {Uint8Array} bytes */
const readList = (type, bytes) => {
  const { buffer } = new Uint8Array(bytes); // a copy, where it is aligned; a Buffer's slice is none
  const values = new LISTS[type](buffer);
  if (values instanceof Uint32Array) return { u32: [...values] };
  return { [type === 'd' ? 'f64' : 'f32']: toPlainList(values) };
};

/** Values as JSON can have them. @param {Float32Array | Float64Array} values */
export const toPlainList = (values) => {
  const size = values.BYTES_PER_ELEMENT;
  const bytes = new DataView(values.buffer, values.byteOffset, values.byteLength);
  return Array.from(values, (value, i) =>
    toPlain(value, () => {
      const bits =
        size === 8 ? bytes.getBigUint64(8 * i, true) : BigInt(bytes.getUint32(4 * i, true));
      return bits.toString(16).padStart(2 * size, '0');
    }),
  );
};

/**
 * The plain object in bytes, which were checked before.
 * @param {Uint8Array} bytes
 * @param {(name: string) => boolean} [wanted] Which lists to read. Default: all.
 * @returns {Plain}
 */
export const decode = (bytes, wanted = () => true) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - CHECKSUM_BYTES;
  let at = HEADER_BYTES;
  /** @param {number} count */
  const take = (count) => {
    if (count > end - at) throw new FormatError('cannot load this state: it ends too early');
    at += count;
    return bytes.subarray(at - count, at);
  };
  /** @param {Uint8Array} part */
  const text = (part) => decodeText(new Uint8Array(part)); // none may be shared
  /** @param {number} depth */
  const items = (depth) => {
    checkDepth(depth);
    /** @type {[string, unknown][]} */
    const found = [];
    while (at < end && bytes[at] !== 0x7d) found.push(item(depth + 1));
    at++;
    return found;
  };
  /** @param {number} depth @returns {[string, unknown]} */
  const item = (depth) => {
    const [code, length] = take(2);
    const type = String.fromCharCode(Number(code));
    const name = text(take(Number(length)));
    const count = view.getUint32(at, true);
    take(4);
    switch (type) {
      case 'n':
        return [name, view.getFloat64(take(8).byteOffset - bytes.byteOffset, true)];
      case 't':
        return [name, text(take(count))];
      case '{':
        return [name, Object.fromEntries(items(depth))];
      case '[':
        return [name, items(depth).map(([, value]) => value)];
      case 'f':
      case 'd':
      case 'u': {
        const part = take(count * LISTS[type].BYTES_PER_ELEMENT);
        return [name, wanted(name) ? readList(type, part) : null];
      }
      default:
        throw new FormatError('cannot load this state: it has an item of unknown type');
    }
  };
  return { version: view.getUint32(4, true), ...Object.fromEntries(items(0)) };
};

/** @param {unknown} value @param {string} what */
const toNumber = (value, what) => {
  const isText = typeof value === 'string' && /^(NaN|-?Infinity|-0)$/.test(value);
  if (typeof value === 'number' || isText) return Number(value);
  throw new FormatError(`${what} of a state must be a number, got ${describe(value)}`);
};

/** @param {'f' | 'd' | 'u'} type @param {unknown} list @param {string} what */
const writeList = (type, list, what) => {
  if (!isList(list)) {
    throw new FormatError(`${what} of a state must be a list, got ${describe(list)}`);
  }
  /** @type {new (length: number) => Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> |
   *   Uint32Array<ArrayBuffer>} */
  const Type = LISTS[type];
  return readTypedList(Type, list, (value, i, values) => {
    const [, bits] = (typeof value === 'string' && /^NaN:([0-9a-f]+)$/.exec(value)) || [];
    if (bits && type === 'f') new Uint32Array(values.buffer)[i] = Number.parseInt(bits, 16);
    else if (bits && type === 'd') new BigUint64Array(values.buffer)[i] = BigInt(`0x${bits}`);
    else values[i] = toNumber(value, `${what}[${i}]`);
    if (type === 'u' && values[i] !== value) {
      throw new FormatError(
        `${what}[${i}] of a state must be an integer from 0 to 2³² − 1, got ${describe(value)}`,
      );
    }
  });
};

/** Encode a plain object as bytes. @param {Plain} state @returns {Uint8Array} */
export const encode = (state) => {
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  /** Visited objects: cycles and repeats are refused, to limit the cost. @type {Set<unknown>} */
  const seen = new Set();
  /** @param {string} name @param {object} value */
  const enter = (name, value) => {
    if (seen.has(value)) {
      throw new FormatError(`cannot load this state: it has the object '${name}' twice`);
    }
    seen.add(value);
  };
  /** @param {ArrayLike<number> & { buffer?: ArrayBufferLike }} values A typed array, or bytes. */
  const put = (values) => {
    const bytes = values.buffer ? new Uint8Array(values.buffer) : Uint8Array.from(values);
    parts.push(bytes);
    size += bytes.length;
  };
  /** @param {string} text */
  const utf8 = (text) => encodeText(text).slice();
  /** @param {string} type @param {string} name @param {number} count */
  const head = (type, name, count) => {
    const bytes = utf8(name);
    put([type.charCodeAt(0), bytes.length]);
    put(bytes);
    put(Uint32Array.of(count));
  };
  /** @param {string} name @param {unknown} value @param {number} depth */
  const item = (name, value, depth) => {
    checkDepth(depth);
    if (typeof value === 'number') {
      head('n', name, 1);
      put(Float64Array.of(value));
    } else if (typeof value === 'string') {
      const bytes = utf8(value);
      head('t', name, bytes.length);
      put(bytes);
    } else if (Array.isArray(value)) {
      enter(name, value);
      const { length } = value;
      head('[', name, length);
      for (let i = 0; i < length; i++) item('', value[i], depth + 1);
      put([0x7d]);
    } else if (typeof value === 'object' && value !== null) {
      enter(name, value);
      const entries = Object.entries(value);
      const [[key, list] = [], more] = entries;
      const type = !more && key !== undefined && Object.hasOwn(TYPES, key) ? TYPES[key] : undefined;
      if (type) {
        const values = writeList(type, list, name);
        head(type, name, values.length);
        put(values);
      } else {
        head('{', name, 0);
        for (const [inner, entry] of entries) item(inner, entry, depth + 1);
        put([0x7d]);
      }
    } else {
      throw new FormatError(
        `'${name}' of a state must be a number, text, list or object, got ${describe(value)}`,
      );
    }
  };
  const { version, ...rest } = ownProperties(state);
  for (const [name, value] of Object.entries(rest)) item(name, value, 0);
  const bytes = new Uint8Array(HEADER_BYTES + size + CHECKSUM_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(utf8('GLKS'));
  view.setUint32(4, toNumber(version, 'version'), true);
  view.setUint32(8, bytes.length, true);
  let at = HEADER_BYTES;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  let hash = 2166136261;
  for (const byte of bytes.subarray(0, at)) hash = Math.imul(hash ^ byte, 16777619);
  view.setUint32(at, hash, true);
  return bytes;
};
