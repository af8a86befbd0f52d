// A record: one state in bytes. All versions begin and end alike; numbers are little endian:
//
//   0   8 bytes  'glk-keep'
//   8   u32      version: 1
//   12  u32      size of the description, in bytes
//   16  JSON     { name, sequence, note }, in UTF-8
//   …            the state
//   -8  2 × u32  digest of all bytes between, that is from 8 on
//
// There is no date in it: of two records the one with the higher sequence number is newer.
import { decodeText, encodeText } from '../base/text.js';
import { describe, KeepError } from './error.js';

const MAGIC = 'glk-keep';
const VERSION = 1;
const HEAD = 16;
const DIGEST = 8;

/** @param {Uint8Array} bytes */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Two words that differ if one word of the bytes does: each step can be undone. The rotation keeps
 * two differences from cancelling each other.
 * @param {Uint8Array} bytes
 * @returns {[number, number]}
 */
const digest = (bytes) => {
  const view = viewOf(bytes);
  let [a, b] = [bytes.length, 0x9e3779b9];
  /** @param {number} word */
  const add = (word) => {
    a = Math.imul(a ^ word, 0x85ebca6b);
    a = (a << 13) | (a >>> 19);
    b = Math.imul(b ^ word, 0xc2b2ae35);
    b = (b << 17) | (b >>> 15);
  };
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) add(view.getInt32(at, true));
  for (let at = whole; at < bytes.length; at++) add(view.getUint8(at));
  return [a >>> 0, b >>> 0];
};

/** @param {string} name @param {number} sequence @param {unknown} note @param {unknown} state */
export const encode = (name, sequence, note, state) => {
  if (!(state instanceof Uint8Array)) {
    throw new TypeError(
      `save takes a state as a Uint8Array, such as optimizer.toBytes() or saveModel(net), ` +
        `got ${describe(state)}`,
    );
  }
  const text = JSON.stringify(note);
  if (text === undefined) throw new TypeError(`note must be JSON, got ${describe(note)}`);
  const words = encodeText(
    `{"name":${JSON.stringify(name)},"sequence":${sequence},"note":${text}}`,
  );
  const bytes = new Uint8Array(HEAD + words.length + state.length + DIGEST);
  const view = viewOf(bytes);
  bytes.set(encodeText(MAGIC));
  view.setUint32(8, VERSION, true);
  view.setUint32(12, words.length, true);
  bytes.set(words, HEAD);
  bytes.set(state, HEAD + words.length);
  const end = bytes.length - DIGEST;
  digest(bytes.subarray(8, end)).forEach((word, i) => {
    view.setUint32(end + 4 * i, word, true);
  });
  return bytes;
};

/** Throws KeepError unless it is this record. @param {unknown} bytes @param {string} name */
export const decode = (bytes, name) => {
  const foreign = 'was not written by gradlock/keep';
  if (!(bytes instanceof Uint8Array)) throw new KeepError(foreign, 'foreign');
  const view = viewOf(bytes);
  const end = bytes.length - DIGEST;
  const isWhole =
    end >= HEAD &&
    digest(bytes.subarray(8, end)).every((word, i) => word === view.getUint32(end + 4 * i, true));
  const isOurs = encodeText(MAGIC).every((byte, i) => i >= bytes.length || byte === bytes[i]);
  if (!isWhole && !isOurs) throw new KeepError(foreign, 'foreign');
  if (!isWhole || !isOurs) throw new KeepError('is damaged: its digest is wrong', 'damaged');
  const version = view.getUint32(8, true);
  if (version !== VERSION) {
    throw new KeepError(
      `has version ${version}, this gradlock reads version ${VERSION}: update gradlock`,
      'newer',
    );
  }
  const start = HEAD + view.getUint32(12, true);
  const { name: owner, ...rest } = JSON.parse(
    decodeText(new Uint8Array(bytes.subarray(HEAD, start))),
  );
  if (owner !== name) throw new KeepError(`belongs to the run '${owner}'`, 'foreign');
  return {
    .../** @type {{ sequence: number, note: any }} */ (rest),
    state: new Uint8Array(bytes.subarray(start, end)),
  };
};
