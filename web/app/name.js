/**
 * A person's name, locked into the picture. It is no state of its own: the run begins by placing its
 * cells, and has their locks, so links contain it.
 */

import { cellsOfName } from '../scenes/picture/lettering.js';
import { keepName, keptName } from './storage.js';

/** @typedef {import('../state/state.js').State} State */

const SCENE = 'picture';
/** The value of its cells: the picture around it is mostly on the other side of 0. */
const INK = -1;

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
      { do: 'place', values: cells.map(() => INK), step: 0 },
      { do: 'release', step: 0 },
    ],
    step: 0,
  };
}

export class Name {
  #app;
  /** The names of this page's runs, by the runs' numbers. @type {Map<number, string>} */
  #texts = new Map();
  /** The name in the run that is being opened. */
  #coming = '';

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  /** The name in the shown run; '' if there is none, or it came by a link. */
  get text() {
    return this.#coming || (this.#texts.get(this.#app.commands.run) ?? this.#found());
  }

  /** The name that this tab last had, if the run begins with its cells: after a reload. */
  #found() {
    const { scene, rows, cols, events } = this.#app.runs.asked?.state ?? this.#app.state;
    const [first] = events;
    if (scene !== SCENE || first?.do !== 'hold') return '';
    const name = keptName();
    return String(cellsOfName(name, rows, cols)) === String(first.cells) ? name : '';
  }

  /** Opens the picture with a name in it. @param {string} text @returns {Promise<boolean>} false if it cannot be written */
  async write(text) {
    const { state, runs } = this.#app;
    const named = withName({ ...state, locks: null, zeros: null }, text);
    if (named) await this.keep(() => runs.open(named), text);
    return named !== null;
  }

  /** Puts the shown name into the state of another run of the picture, if it fits there. @param {State} state */
  into(state) {
    return (state.scene === SCENE && withName(state, this.text)) || state;
  }

  /** Notes that the run that is opened has the same name. @param {() => Promise<unknown>} open @param {string} [text] */
  async keep(open, text = this.text) {
    this.#coming = text;
    if (text) keepName(text);
    await open();
    this.#coming = '';
    if (text && this.#app.state.scene === SCENE) this.#texts.set(this.#app.commands.run, text);
  }
}
