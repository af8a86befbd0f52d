/** Bytes and masks as short text, for links. Readers return null for invalid text. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns base64 in the alphabet of URLs. @param {Uint8Array} bytes */
export function toText(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const digits = Math.min(4, bytes.length - i + 1);
    for (let d = 0; d < digits; d++) text += DIGITS[(word >>> (18 - 6 * d)) & 63];
  }
  return text;
}

/** @param {string} text @returns {Uint8Array | null} */
export function fromText(text) {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let word = 0;
  let bits = 0;
  let at = 0;
  for (const digit of text) {
    const value = DIGITS.indexOf(digit);
    if (value < 0) return null;
    word = ((word << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (word >>> bits) & 255;
  }
  return bytes.subarray(0, at);
}

/** @param {Uint8Array} mask */
export function countLocked(mask) {
  let count = 0;
  for (let i = 0; i < mask.length; i++) count += mask[i];
  return count;
}

/** @param {Uint8Array} a @param {Uint8Array} b */
export function isSameMask(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Packs a mask as the lengths of its runs, unlocked first, seven bits a byte. @param {Uint8Array} mask */
export function packMask(mask) {
  /** @type {number[]} */
  const bytes = [];
  let bit = 0;
  for (let i = 0; i < mask.length; bit = 1 - bit) {
    const from = i;
    while (i < mask.length && mask[i] === bit) i++;
    let length = i - from;
    for (; length > 127; length >>>= 7) bytes.push((length & 127) | 128);
    bytes.push(length);
  }
  return Uint8Array.from(bytes);
}

/** Yields the lengths of a packed mask's runs, unlocked first; Infinity for a run that is cut off. @param {Uint8Array} bytes */
function* runsOf(bytes) {
  let length = 0;
  let shift = 0;
  for (const byte of bytes) {
    length += (byte & 127) * 2 ** shift;
    shift += 7;
    if (byte & 128) continue;
    yield length;
    length = 0;
    shift = 0;
  }
  if (shift) yield Infinity;
}

/** Returns true if bytes are a mask of this many cells, without unpacking it. @param {Uint8Array} bytes @param {number} cells */
export function isPackedMask(bytes, cells) {
  let sum = 0;
  for (const length of runsOf(bytes)) {
    sum += length;
    if (sum > cells) return false;
  }
  return sum === cells;
}

/** @param {Uint8Array | null} bytes @param {number} cells @returns {Uint8Array | null} null unless it fits exactly */
export function unpackMask(bytes, cells) {
  if (!bytes || !isPackedMask(bytes, cells)) return null;
  const mask = new Uint8Array(cells);
  let at = 0;
  let bit = 0;
  for (const length of runsOf(bytes)) {
    mask.fill(bit, at, at + length);
    at += length;
    bit = 1 - bit;
  }
  return mask;
}

/** @param {Float32Array} values */
export const packValues = (values) =>
  toText(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));

/** @param {string} text @returns {Float32Array | null} */
export function unpackValues(text) {
  const bytes = fromText(text);
  if (!bytes || bytes.length % 4) return null;
  return new Float32Array(bytes.slice().buffer);
}
