/**
 * The grid of a variable: picks elements or pixels, fits them into the room there is, and turns input into intents.
 */

import { strings } from '../strings.js';
import { CanvasGrid } from './grid-canvas.js';
import { DomGrid } from './grid-dom.js';
import { openEditor } from './editor.js';
import { formatInput } from './format.js';
import { listen } from './grid-input.js';

/** @typedef {import('./grid-input.js').Intents} Intents */
/** @typedef {import('../scenes/layout.js').Part} Part */

/**
 * What a grid draws; rows of cells are of all the scene's variables.
 * @typedef {object} GridModel
 * @property {Float32Array} values
 * @property {Uint8Array} mask           replaced, never written to, when locks change
 * @property {Float32Array | null} target
 * @property {Float32Array | null} held  what locked cells should hold, where that is to be shown
 * @property {number} reach
 * @property {import('./colours.js').Palette} palette
 * @property {boolean} isPlaying
 */

/** Up to here every cell is an element. */
export const MAX_DOM_SIDE = 16;

export class GridView {
  #host;
  #intents;
  #part;
  /** The mask of all cells, and what of it is this grid's. @type {{ whole: Uint8Array | null, own: Uint8Array }} */
  #mask = { whole: null, own: new Uint8Array(0) };
  /** @type {DomGrid | CanvasGrid} */
  #grid;
  /** @type {GridModel | null} */
  #model = null;
  #cols = 1;
  #selected = 0;
  #stop;
  #resizes;

  /**
   * @param {HTMLElement} host its width is the room there is
   * @param {Part} part
   * @param {{ name: string, rowNames?: string[] }} words
   * @param {Omit<Intents, 'edit'> & { setValue: (index: number, text: string) => void }} intents which speak of cells of
   *   the whole scene
   */
  constructor(host, part, words, intents) {
    const { rows, cols, offset } = part;
    this.#host = host;
    this.#part = part;
    const all = (/** @type {number} */ index) => index + offset;
    this.#intents = {
      select: (/** @type {number} */ i) => intents.select(all(i)),
      toggle: (/** @type {number} */ i) => intents.toggle(all(i)),
      beginStroke: (/** @type {number} */ i) => intents.beginStroke(all(i)),
      continueStroke: (/** @type {number} */ i) => intents.continueStroke(all(i)),
      extend: (/** @type {number} */ from, /** @type {number} */ to) =>
        intents.extend(all(from), all(to)),
      endGesture: () => intents.endGesture(),
      setValue: (/** @type {number} */ i, /** @type {string} */ text) =>
        intents.setValue(all(i), text),
      edit: (/** @type {string | null} */ text) => this.edit(text),
    };
    const Grid = Math.max(rows, cols) <= MAX_DOM_SIDE ? DomGrid : CanvasGrid;
    const label = strings.grid.label(words.name, rows, cols);
    const grid = new Grid({ rows, cols, label, rowNames: words.rowNames });
    this.#grid = grid;
    this.#cols = cols;
    host.replaceChildren(grid.element);
    const surface = {
      rows,
      cols,
      cellAt: (/** @type {number} */ x, /** @type {number} */ y) => grid.cellAt(x, y),
      indexOf: (/** @type {EventTarget | null} */ target) => grid.indexOf(target),
      selected: () => this.#selected,
      focus: () => grid.focus(),
    };
    this.#stop = listen(grid.element, surface, this.#intents);
    this.#resizes = new ResizeObserver(() => this.#fit());
    this.#resizes.observe(host);
    this.#fit();
  }

  close() {
    this.#stop();
    this.#resizes.disconnect();
  }

  get hasFocus() {
    return this.#host.contains(document.activeElement);
  }

  #fit() {
    const { clientWidth, clientHeight } = this.#host;
    if (!clientWidth) return;
    this.#grid.resize(clientWidth, clientHeight);
    if (this.#model) this.draw(this.#model);
  }

  /** @param {GridModel} model */
  draw(model) {
    if (this.#model && this.#model.palette !== model.palette) this.#grid.restyle();
    this.#model = model;
    const { offset, rows, cols } = this.#part;
    const own = (/** @type {Float32Array | null} */ row) =>
      row?.subarray(offset, offset + rows * cols) ?? null;
    if (model.mask !== this.#mask.whole) {
      const mask = model.mask.subarray(offset, offset + rows * cols);
      this.#mask = { whole: model.mask, own: mask };
    }
    const values = /** @type {Float32Array} */ (own(model.values));
    const { target, held } = model;
    const mask = this.#mask.own;
    this.#grid.draw({ ...model, values, mask, target: own(target), held: own(held) });
  }

  /** @param {number} index of this grid's cells */
  select(index) {
    const hadFocus = this.hasFocus;
    this.#selected = index;
    this.#grid.select(index);
    if (hadFocus) this.focus();
  }

  focus() {
    this.#grid.focus();
  }

  /** Let the person type the selected cell's value. @param {string | null} text typed already; null to change the present value */
  edit(text) {
    if (!this.#model) return;
    const index = this.#selected;
    const value = this.#model.values[this.#part.offset + index];
    const cell = {
      row: Math.floor(index / this.#cols),
      col: index % this.#cols,
      text: text ?? formatInput(value),
      isNew: text !== null,
    };
    this.#grid.element.scrollIntoView({ block: 'nearest' });
    openEditor(this.#host, this.#grid.rectOf(index), cell, (typed) => {
      this.focus();
      if (typed !== null) this.#intents.setValue(index, typed);
    });
  }
}
