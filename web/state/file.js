/**
 * A run as a file: its link's fields as JSON, and the exact state at its end, so that long runs
 * open at once. An invalid state is ignored: the fields lead to the same bits.
 */

import { fromText, packMask, packValues, toText, unpackMask, unpackValues } from './codec.js';
import { areCells } from './history.js';
import { fromFields, toFields } from './link.js';
import { MAX_SIDE } from './state.js';

/** @typedef {import('../engine/session.js').Checkpoint} Checkpoint */

/** Writes arrays of a checkpoint as texts. @param {string} name @param {unknown} value */
function asText(name, value) {
  if (value instanceof Float32Array) return packValues(value);
  if (!(value instanceof Uint8Array)) return value;
  return toText(name === 'bytes' ? value : packMask(value));
}

/** @param {import('./state.js').State} state @param {Checkpoint} [checkpoint] @returns {string} */
export function toFile(state, checkpoint) {
  const main = checkpoint && { ...checkpoint.main, cells: checkpoint.main.mask.length };
  const file = { ...toFields(state), checkpoint: main && { ...checkpoint, main } };
  return `${JSON.stringify(file, asText, 2)}\n`;
}

/** Returns a part of a checkpoint with its texts as arrays again; throws if one is damaged. @param {string} name @param {any} value @param {number} cells @returns {any} */
function withArrays(name, value, cells) {
  if (typeof value === 'string' && name !== 'rule') {
    if (name === 'bytes') return fromText(value)?.slice();
    const isMask = name === 'mask' || name === 'cells';
    const array = isMask ? unpackMask(fromText(value), cells) : unpackValues(value);
    if (array?.length !== cells) throw new TypeError('damaged');
    return array;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withArrays('', one, cells));
  const parts = Object.entries(value).map(([key, one]) => [key, withArrays(key, one, cells)]);
  return Object.fromEntries(parts);
}

/** @param {any} held */
const isHeld = (held) =>
  held === null || (held.values instanceof Float32Array && held.mask instanceof Uint8Array);

/** @param {any} saved */
const isSaved = ({ step, settings, mask, bytes, held, since = null }) =>
  Number.isInteger(step) &&
  step >= 0 &&
  typeof settings === 'object' &&
  [mask, bytes].every((one) => one instanceof Uint8Array) &&
  [held, since].every(isHeld);

/** @param {any} pruned */
const isPruned = ({ cells, main, rival }) =>
  cells instanceof Uint8Array && [main, rival ?? main].every((one) => one instanceof Float32Array);

/** @param {any} checkpoint as text @returns {Checkpoint | null} null if it is damaged */
function readCheckpoint(checkpoint) {
  try {
    const { cells } = checkpoint.main;
    if (!(cells <= MAX_SIDE ** 2)) return null;
    const read = withArrays('', checkpoint, cells);
    const { rival, pruned, events } = read;
    const { cells: _, ...main } = read.main;
    // Older files have no drags.
    const { dragged = [] } = read;
    const isWhole =
      Number.isInteger(events) &&
      events >= 0 &&
      (dragged.length === 0 || areCells(dragged, cells)) &&
      [main, rival ?? main].every(isSaved) &&
      pruned.every(isPruned);
    return isWhole ? { events, main, rival, pruned, dragged } : null;
  } catch {
    return null;
  }
}

/** @param {string} text @returns {{ candidate: Record<string, unknown>, checkpoint: Checkpoint | null } | null} null if it holds no run */
export function fromFile(text) {
  try {
    const { checkpoint, ...fields } = JSON.parse(text);
    const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
    if (!texts.length) return null;
    const candidate = fromFields(Object.fromEntries(texts));
    return { candidate, checkpoint: readCheckpoint(checkpoint) };
  } catch {
    return null;
  }
}
