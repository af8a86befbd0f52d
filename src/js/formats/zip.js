// ZIP archives, as far as .keras files use them: stored or deflated entries, in memory. Refuses
// archives that are encrypted, split, above 4 GB, or packed in other ways.
// Source: PKWARE, APPNOTE.TXT 6.3.10.
import { describe } from '../base/check.js';
import { FormatError } from '../base/errors.js';
import { decodeText } from '../base/text.js';

/** @param {string} message */
const refuse = (message) => {
  throw new FormatError(`ZIP: ${message}`);
};

const CRC = new Uint32Array(256);

/** @param {Uint8Array} bytes */
const crcOf = (bytes) => {
  if (CRC[1] === 0) {
    for (let i = 0; i < 256; i++) {
      let c = i;
      for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
      CRC[i] = c;
    }
  }
  let c = -1;
  for (let i = 0; i < bytes.length; i++) {
    c = Number(CRC[(c ^ Number(bytes[i])) & 255]) ^ (c >>> 8);
  }
  return ~c >>> 0;
};

/** Undo deflate, up to the entry's stated size. @param {Uint8Array} bytes @param {number} size */
const inflate = async (bytes, size) => {
  if (typeof DecompressionStream === 'undefined') {
    return refuse('its entries are compressed, but this platform has no DecompressionStream');
  }
  // Not by way of a Blob, which Safari refuses to read in the workers of pages from a disk.
  const { body } = /** @type {{ body: any }} */ (new Response(/** @type {any} */ (bytes)));
  const stream = body.pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  const all = new Uint8Array(size);
  let at = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (next.value.length > size - at) throw new RangeError('longer than it says');
      all.set(next.value, at);
      at += next.value.length;
    }
  } catch (error) {
    await reader.cancel().catch(() => {});
    throw new FormatError('ZIP: an entry is not deflate data of its stated size', undefined, {
      cause: error,
    });
  }
  return all.subarray(0, at);
};

/** Highest compression ratio of deflate, and so the most that bytes can unpack to. */
const MOST_RATIO = 1032;

/** Entries by name. @param {Uint8Array} bytes @param {import('./budget.js').Budget} budget */
export const readZip = (bytes, budget) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  const lowest = Math.max(0, end - 0xffff);
  while (end >= lowest && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < lowest) return refuse('its end is missing');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (at === 0xffffffff) return refuse('archives of more than 4 GB are not read');
  /** @type {Map<string, () => Promise<Uint8Array>>} */
  const entries = new Map();
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50)
      refuse('its directory is damaged');
    budget.count('entries in the archive');
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const [crc, packed, size] = [16, 20, 24].map((offset) => view.getUint32(at + offset, true));
    const nameLength = view.getUint16(at + 28, true);
    const others = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const from = view.getUint32(at + 42, true);
    if (at + 46 + nameLength + others > end) refuse('its directory is damaged');
    const name = decodeText(bytes.slice(at + 46, at + 46 + nameLength));
    if (entries.has(name)) refuse(`it has ${describe(name)} twice`);
    entries.set(name, () =>
      readEntry(bytes, view, { name, flags, method, from, crc, packed, size }, budget),
    );
    at += 46 + nameLength + others;
  }
  return entries;
};

/**
 * @param {Uint8Array} bytes
 * @param {DataView} view
 * @param {any} entry
 * @param {import('./budget.js').Budget} budget
 */
const readEntry = async (bytes, view, entry, budget) => {
  const { name, flags, method, from, crc, packed, size } = entry;
  const what = `entry ${describe(name)}`;
  if (flags & 1) refuse(`${what} is encrypted`);
  if (method !== 0 && method !== 8)
    refuse(`${what} is packed by method ${method}; supported: 0 and 8`);
  if (from + 30 > bytes.length || view.getUint32(from, true) !== 0x04034b50) {
    refuse(`${what} is not where the directory says`);
  }
  const begin = from + 30 + view.getUint16(from + 26, true) + view.getUint16(from + 28, true);
  if (begin + packed > bytes.length) refuse(`${what} ends outside of the file`);
  if (method === 0 ? size !== packed : size > packed * MOST_RATIO) {
    refuse(`${what} has ${packed} bytes, which cannot unpack to ${size}`);
  }
  if (method !== 0) budget.take(size, what);
  const part = bytes.subarray(begin, begin + packed);
  const data = method === 0 ? part : await inflate(part, size);
  if (data.length !== size || crcOf(data) !== crc) refuse(`${what} is damaged`);
  return data;
};
