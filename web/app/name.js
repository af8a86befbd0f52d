/**
 * A person's name, locked into the picture. It needs no state of its own: the run's first events
 * write its cells, and its locks hold them, so links contain it.
 */

import { cellsOfName } from '../scenes/picture/lettering.js';
import { dragTo } from '../state/history.js';
import { store, stored } from './storage.js';

/** @typedef {import('../state/state.js').State} State */

const SCENE = 'picture';
/** The value of its cells: the picture around it is mostly on the other side of 0. */
const STROKE = -1;
/** The key of the name that this tab last had. */
const KEY = 'gradlock-name';

let last = stored(KEY) ?? '';

/** Returns a state that begins with a name in it; null if the name cannot be written there. @param {State} state @param {string} text @returns {State | null} */
export function withName(state, text) {
  const { scene, rows, cols, locks } = state;
  const cells = scene === SCENE && cellsOfName(text, rows, cols);
  if (!cells) return null;
  const mask = new Uint8Array(rows * cols);
  for (const cell of cells) mask[cell] = 1;
  const strokes = cells.map(() => STROKE);
  const events = dragTo(cells, strokes).map((act) => ({ ...act, step: 0 }));
  return { ...state, locks: locks ?? mask, events, step: 0 };
}

/** Keeps the name that this tab last had. @param {string} text */
export function keepName(text) {
  last = text;
  store(KEY, text);
}

/** Returns the name that this tab last had, if a run begins with its cells; else ''. @param {State} state */
export function nameIn({ scene, rows, cols, events: [first] }) {
  if (scene !== SCENE || first?.do !== 'hold') return '';
  return String(cellsOfName(last, rows, cols)) === String(first.cells) ? last : '';
}
