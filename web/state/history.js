/** The edits of a run, with their steps: these and the start are enough to replay it. */

import { isPackedMask } from './codec.js';
import { isSettings } from './rules.js';

/**
 * @typedef {{ do: 'locks', mask: Uint8Array }
 *   | { do: 'optimizer', settings: import('./rules.js').OptimizerSettings }
 *   | { do: 'assign', index: number, value: number }
 *   | { do: 'prune', fraction: number }
 *   | { do: 'unprune' }
 *   | { do: 'switch', to: 'lock' | 'mask' }
 *   | { do: 'hold', cells: readonly number[] }
 *   | { do: typeof WRITE, values: readonly number[] }
 *   | { do: 'release' }
 *   | { do: 'bound', index: number, min: number | null, max: number | null }} Act
 * @typedef {Act & { step: number }} Event
 * An event comes before the step after `step`. codec.js packs masks. `unprune` undoes the last
 * `prune`. A drag, one at a time, is `hold` of cells, WRITE with their values, and `release`.
 * `bound` keeps a cell within a range; null: no end there. After `switch`, the run holds its locked
 * cells by locks, or only by a mask on the gradient.
 */

/** The stored kind of the event that writes the dragged cells. */
export const WRITE = 'place';

/** The most events of a run: half an hour of drawing while it plays. */
export const MAX_EVENTS = 100_000;

/** Returns true for a list of ascending, different cells. @param {unknown} list @param {number} cells the number of cells */
export const areCells = (list, cells) =>
  Array.isArray(list) &&
  list.length > 0 &&
  list.every((cell, i) => Number.isInteger(cell) && cell < cells && cell > (list[i - 1] ?? -1));

/** @typedef {(act: any, cells: number, dragged: number) => boolean} Check */

/** Returns true if a 32-bit cell can have this value. @param {unknown} value */
export const isFloat = (value) => typeof value === 'number' && Number.isFinite(Math.fround(value));

/** True of an act with valid fields, in a run of this many cells, of which some are being dragged. */
const checks = /** @type {Record<Act['do'], Check>} */ ({
  locks: ({ mask }, cells) => mask instanceof Uint8Array && isPackedMask(mask, cells),
  optimizer: ({ settings }) => isSettings(settings),
  assign: ({ index, value }, cells) => areCells([index], cells) && isFloat(value),
  prune: ({ fraction }) => typeof fraction === 'number' && fraction > 0 && fraction < 1,
  unprune: () => true,
  switch: ({ to }) => to === 'lock' || to === 'mask',
  hold: (act, cells) => areCells(act.cells, cells),
  [WRITE]: ({ values }, _, dragged) =>
    Array.isArray(values) && values.length === dragged && values.every(isFloat),
  release: () => true,
  bound({ index, min, max }, cells) {
    const areEnds = [min, max].every((end) => end === null || isFloat(end));
    const isOrdered = min === null || max === null || min <= max;
    return areCells([index], cells) && areEnds && isOrdered;
  },
});
const checkOf = new Map(Object.entries(checks));

/** Returns true for an act that a run can have. @type {Check} */
export const isAct = (act, ...run) => checkOf.get(act.do)?.(act, ...run) ?? false;

/** Returns a whole drag. @param {readonly number[]} cells @param {readonly number[]} values @returns {Act[]} */
export const dragTo = (cells, values) => [
  { do: 'hold', cells },
  { do: WRITE, values },
  { do: 'release' },
];
