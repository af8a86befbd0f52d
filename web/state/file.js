/**
 * A run as a file: its link's fields as JSON, and the exact state at its end, so that long runs
 * open at once. An invalid state is ignored: the fields lead to the same bits.
 */

import { fromText, packMask, packValues, toText, unpackMask, unpackValues } from './codec.js';
import { areCells } from './history.js';
import { fromFields, toFields } from './link.js';
import { MAX_SIDE } from './state.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('../engine/session.js').Checkpoint} Checkpoint */

/** Writes arrays of a checkpoint as texts. @param {string} name @param {unknown} value */
function asText(name, value) {
  if (value instanceof Float32Array) return packValues(value);
  if (!(value instanceof Uint8Array)) return value;
  return toText(name === 'bytes' ? value : packMask(value));
}

/** @param {State} state @param {Checkpoint} [checkpoint] @returns {string} */
export function toFile(state, checkpoint) {
  const main = checkpoint && { ...checkpoint.main, cells: checkpoint.main.mask.length };
  const file = { ...toFields(state), checkpoint: main && { ...checkpoint, main } };
  return `${JSON.stringify(file, asText, 2)}\n`;
}

/** Throws for a value that `toFile` did not write. @template T @param {T | null | undefined} value @returns {T} */
function given(value) {
  if (value === null || value === undefined) throw new TypeError('damaged');
  return value;
}

/** @param {any} text @param {number} cells */
const readMask = (text, cells) => given(unpackMask(fromText(String(text)), cells));

/** @param {any} text @param {number} cells */
function readValues(text, cells) {
  const values = given(unpackValues(String(text)));
  if (values.length !== cells) throw new TypeError('damaged');
  return values;
}

/** @param {any} held @param {number} cells */
const readHeld = ({ values, mask }, cells) => ({
  values: readValues(values, cells),
  mask: readMask(mask, cells),
});

/** @param {any} saved @param {number} cells @returns {import('../engine/run.js').Saved} */
function readSaved({ step, settings, mask, bytes, held, since = null }, cells) {
  if (!Number.isInteger(step) || step < 0) throw new TypeError('damaged');
  return {
    step,
    settings: { ...settings },
    mask: readMask(mask, cells),
    bytes: given(fromText(String(bytes))).slice(),
    held: held && readHeld(held, cells),
    // Older files have none.
    since: since && readHeld(since, cells),
  };
}

/** @param {any} checkpoint @returns {Checkpoint | null} */
function readCheckpoint(checkpoint) {
  try {
    // Older files have no drags.
    const { main, rival, pruned, events, dragged = [] } = checkpoint;
    const { cells } = main;
    if (!Number.isInteger(events) || events < 0 || !(cells <= MAX_SIDE ** 2)) return null;
    if (dragged.length !== 0 && !areCells(dragged, cells)) return null;
    return {
      events,
      main: readSaved(main, cells),
      rival: rival && readSaved(rival, cells),
      dragged: [...dragged],
      pruned: pruned.map((/** @type {any} */ one) => ({
        cells: readMask(one.cells, cells),
        main: readValues(one.main, cells),
        rival: one.rival && readValues(one.rival, cells),
      })),
    };
  } catch {
    return null;
  }
}

/**
 * @param {string} text
 * @returns {{ candidate: Record<string, unknown>, checkpoint: Checkpoint | null } | null} null if it holds no run
 */
export function fromFile(text) {
  try {
    const { checkpoint, ...fields } = JSON.parse(text);
    const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
    if (!texts.length) return null;
    return {
      candidate: fromFields(Object.fromEntries(texts)),
      checkpoint: readCheckpoint(checkpoint),
    };
  } catch {
    return null;
  }
}
