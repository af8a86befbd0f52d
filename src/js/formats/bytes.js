// Bytes, as callers have them and in one piece.
import { describe } from '../base/check.js';

/**
 * Bytes of any kind as a Uint8Array, without a copy.
 * @param {unknown} value
 * @param {string} what
 * @returns {Uint8Array}
 */
export const readBytes = (value, what) => {
  if (value instanceof Uint8Array) return value;
  try {
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) {
      return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    }
  } catch (cause) {
    throw new TypeError(`${what}: its memory was transferred or shrunk`, { cause });
  }
  throw new TypeError(
    `${what} must be a Uint8Array or an ArrayBuffer, got ${describe(value)}${typeof value === 'string' ? ': read the file first, by readFileSync or fetch' : ''}`,
  );
};

/**
 * Parts one after the other.
 * @param {readonly Uint8Array[]} parts
 */
export const joinBytes = (parts) => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};
