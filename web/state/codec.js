/** Bytes and masks as short text, for links. Readers return null for invalid text. */

/** The bytes of a text that is made at once: more arguments would be too many. */
const CHUNK = 1 << 14;

/** Returns base64 in the alphabet of URLs. @param {Uint8Array} bytes */
export function toText(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  }
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @param {string} text @returns {Uint8Array | null} */
export function fromText(text) {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
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
  for (const length of runsOf(bytes)) sum += length;
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
