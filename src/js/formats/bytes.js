// Bytes, as callers have them and in one piece.
import { describe, isDetached } from '../base/check.js';
import { LoadError } from '../base/errors.js';
import { builtinNode } from '../base/node.js';

/** Any bytes, without a copy. @param {unknown} value @param {string} what @returns {Uint8Array} */
export const readBytes = (value, what) => {
  try {
    if (value instanceof Uint8Array) {
      if (value.length === 0 && isDetached(value.buffer)) throw new Error('it is detached');
      return value;
    }
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
 * Bytes, or those of a file by its path or its `file:` URL, in Node.js, Bun and Deno. It does not
 * wait, so pages and Node.js before 20.16 read the file themselves.
 * @param {unknown} value
 * @param {string} what
 * @returns {Uint8Array}
 */
export const readBytesOrFile = (value, what) => {
  const isUrl = value instanceof URL || (typeof value === 'string' && /^file:/i.test(value));
  const fs = isUrl || typeof value === 'string' ? builtinNode('fs') : undefined;
  if (!fs || globalThis.location || /^https?:/i.test(String(value))) {
    return readBytes(value instanceof URL ? value.href : value, what);
  }
  const url = String(value);
  try {
    return fs.readFileSync(isUrl ? new URL(url) : url);
  } catch (cause) {
    const hint = `${/** @type {Error} */ (cause).message}; give the path of a file`;
    throw new LoadError(`${what} could not be read`, { url, hint, cause });
  }
};

/** Parts one after the other. @param {readonly Uint8Array[]} parts */
export const joinBytes = (parts) => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};
