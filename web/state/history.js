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

/** Returns true if a 32-bit cell can have this value. @param {unknown} value */
export const isFloat = (value) => typeof value === 'number' && Number.isFinite(Math.fround(value));

/**
 * Returns true for an act that a run of this many cells can have.
 * @param {any} act
 * @param {number} cells
 * @param {number} dragged  the number of cells that are being dragged
 * @returns {boolean}
 */
export function isAct(act, cells, dragged) {
  const isCell = Number.isInteger(act.index) && act.index >= 0 && act.index < cells;
  switch (act.do) {
    case 'locks':
      return act.mask instanceof Uint8Array && isPackedMask(act.mask, cells);
    case 'optimizer':
      return isSettings(act.settings);
    case 'assign':
      return isCell && isFloat(act.value);
    case 'prune':
      return typeof act.fraction === 'number' && act.fraction > 0 && act.fraction < 1;
    case 'unprune':
    case 'release':
      return true;
    case 'hold':
      return areCells(act.cells, cells);
    case WRITE:
      return (
        Array.isArray(act.values) && act.values.length === dragged && act.values.every(isFloat)
      );
    case 'switch':
      return act.to === 'lock' || act.to === 'mask';
    case 'bound': {
      const { min, max } = act;
      const areEnds = [min, max].every((end) => end === null || isFloat(end));
      return isCell && areEnds && (min === null || max === null || min <= max);
    }
    default:
      return false;
  }
}

/** Returns a whole drag. @param {readonly number[]} cells @param {readonly number[]} values @returns {Act[]} */
export const dragTo = (cells, values) => [
  { do: 'hold', cells },
  { do: WRITE, values },
  { do: 'release' },
];
