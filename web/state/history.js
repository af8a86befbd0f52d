/** What a person did to a run, and at which step: with the state it began with, all it takes to replay it. */

/**
 * @typedef {{ do: 'locks', mask: Uint8Array }
 *   | { do: 'optimizer', settings: import('./rules.js').OptimizerSettings }
 *   | { do: 'assign', index: number, value: number }
 *   | { do: 'prune', fraction: number }
 *   | { do: 'unprune' }
 *   | { do: 'hold', cells: readonly number[] }
 *   | { do: 'place', values: readonly number[] }
 *   | { do: 'release' }} Act
 * @typedef {Act & { step: number }} Event
 * Before the step after `step`. A mask is packed by codec.js. `unprune` undoes the last `prune`. A drag is a `hold` of
 * cells, which no other `hold` has left, `place` for where they are put, a number a cell, and `release`.
 */

/** As many a run takes: by drawing while it plays, half an hour's. */
export const MAX_EVENTS = 100_000;

/** Whether these are cells in their order, each once. @param {unknown} list @param {number} cells how many there are */
export const areHoldable = (list, cells) =>
  Array.isArray(list) &&
  list.length > 0 &&
  list.every((cell, i) => Number.isInteger(cell) && cell < cells && cell > (list[i - 1] ?? -1));

/** Returns whether a 32-bit cell can have this value. @param {unknown} value */
export const isCellValue = (value) =>
  typeof value === 'number' && Number.isFinite(Math.fround(value));

/** Returns whether all are numbers that a cell can have. @param {unknown} list */
export const arePlaces = (list) => Array.isArray(list) && list.every(isCellValue);
