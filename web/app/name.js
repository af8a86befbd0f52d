/**
 * A person's name, locked into the picture. It needs no state of its own: the run's first events
 * write its cells, and its locks hold them, so links contain it.
 */

import { cellsOfName } from '../scenes/picture/lettering.js';
import { WRITE } from '../state/history.js';
import { keepName, keptName } from './storage.js';

/** @typedef {import('../state/state.js').State} State */

const SCENE = 'picture';
/** The value of its cells: the picture around it is mostly on the other side of 0. */
const STROKE = -1;

/** Returns a state that begins with a name in it; null if the name cannot be written there. @param {State} state @param {string} text @returns {State | null} */
function withName(state, text) {
  const { rows, cols, locks } = state;
  const cells = cellsOfName(text, rows, cols);
  if (!cells) return null;
  const mask = new Uint8Array(rows * cols);
  for (const cell of cells) mask[cell] = 1;
  return {
    ...state,
    locks: locks ?? mask,
    events: [
      { do: 'hold', cells, step: 0 },
      { do: WRITE, values: cells.map(() => STROKE), step: 0 },
      { do: 'release', step: 0 },
    ],
    step: 0,
  };
}

export class Name {
  #app;
  #last = keptName();

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  /** The name that this tab last had, if the shown run begins with its cells; else ''. */
  get text() {
    const { scene, rows, cols, events } = this.#app.runs.requested?.state ?? this.#app.state;
    const [first] = events;
    if (scene !== SCENE || first?.do !== 'hold') return '';
    const isIn = String(cellsOfName(this.#last, rows, cols)) === String(first.cells);
    return isIn ? this.#last : '';
  }

  /** Opens the picture with a name in it. @param {string} text @returns {Promise<boolean>} false if it cannot be written */
  async write(text) {
    const { state, runs } = this.#app;
    const named = withName({ ...state, locks: null, zeros: null }, text);
    if (!named) return false;
    this.#last = text;
    keepName(text);
    await runs.open(named);
    return true;
  }

  /** Puts the shown name into the state of another run of the picture, if it fits there. @param {State} state */
  into(state) {
    return (state.scene === SCENE && withName(state, this.text)) || state;
  }
}
