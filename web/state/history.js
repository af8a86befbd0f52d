/** The edits of a run, with their steps: these and the start are enough to replay it. */

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

/** The ways to hold cells. @type {readonly unknown[]} */
export const HOLDS = ['lock', 'mask'];

/** Returns true for a list of ascending, different cells. @param {unknown} list @param {number} cells the number of cells */
export const areCells = (list, cells) =>
  Array.isArray(list) &&
  list.length > 0 &&
  list.every((cell, i) => Number.isInteger(cell) && cell < cells && cell > (list[i - 1] ?? -1));

/** Returns true if a 32-bit cell can have this value. @param {unknown} value */
export const isFloat = (value) => typeof value === 'number' && Number.isFinite(Math.fround(value));

/** Returns true if all are values that a cell can have. @param {unknown} list */
export const areFloats = (list) => Array.isArray(list) && list.every(isFloat);

/** Returns true for a range that a cell can be kept in. @param {any} range */
export const isRange = ({ min, max }) =>
  [min, max].every((end) => end === null || isFloat(end)) &&
  (min === null || max === null || min <= max);
