/**
 * The grid of a scene: picks elements or pixels, fits them into the room there is, and turns input into intents.
 */

import { strings } from '../strings.js';
import { CanvasGrid } from './grid-canvas.js';
import { DomGrid } from './grid-dom.js';
import { openEditor } from './editor.js';
import { formatInput } from './format.js';
import { listen } from './grid-input.js';

/** @typedef {import('./grid-input.js').Intents} Intents */

/**
 * What a grid draws.
 * @typedef {object} GridModel
 * @property {Float32Array} values
 * @property {Uint8Array} mask           replaced, never written to, when locks change
 * @property {Float32Array | null} target
 * @property {number} reach
 * @property {import('./colours.js').Palette} palette
 * @property {boolean} isPlaying
 */

/** Up to here every cell is an element. */
export const MAX_DOM_SIDE = 16;

export class GridView {
  #host;
  #intents;
  /** @type {DomGrid | CanvasGrid | null} */
  #grid = null;
  /** @type {GridModel | null} */
  #model = null;
  #cols = 1;
  #selected = 0;
  #stop = () => {};

  /**
   * @param {HTMLElement} host its width is the room there is
   * @param {Omit<Intents, 'edit'> & { setValue: (index: number, text: string) => void }} intents
   */
  constructor(host, intents) {
    this.#host = host;
    this.#intents = {
      ...intents,
      edit: (/** @type {string | null} */ text) => this.edit(text),
    };
    new ResizeObserver(() => this.#fit()).observe(host);
  }

  /** @param {{ rows: number, cols: number, name: string, selected: number }} scene */
  open({ rows, cols, name, selected }) {
    const hadFocus = this.#host.contains(document.activeElement);
    this.#stop();
    const Grid = Math.max(rows, cols) <= MAX_DOM_SIDE ? DomGrid : CanvasGrid;
    const grid = new Grid({ rows, cols, label: strings.grid.label(name, rows, cols) });
    this.#grid = grid;
    this.#cols = cols;
    this.#model = null;
    this.#host.replaceChildren(grid.element);
    this.#stop = listen(
      grid.element,
      {
        rows,
        cols,
        cellAt: (x, y) => grid.cellAt(x, y),
        indexOf: (target) => grid.indexOf(target),
        selected: () => this.#selected,
        focus: () => grid.focus(),
      },
      this.#intents,
    );
    this.#fit();
    this.select(selected);
    if (hadFocus) grid.focus();
  }

  #fit() {
    const { clientWidth, clientHeight } = this.#host;
    if (!this.#grid || !clientWidth) return;
    const { width } = this.#grid.resize(clientWidth, clientHeight);
    this.#host.parentElement?.style.setProperty('--grid-width', `${width}px`);
    if (this.#model) this.draw(this.#model);
  }

  /** @param {GridModel} model */
  draw(model) {
    if (this.#model && this.#model.palette !== model.palette) this.#grid?.restyle();
    this.#model = model;
    this.#grid?.draw(model);
  }

  /** @param {number} index */
  select(index) {
    const hadFocus = this.#grid?.element.contains(document.activeElement);
    this.#selected = index;
    this.#grid?.select(index);
    if (hadFocus) this.focus();
  }

  focus() {
    this.#grid?.focus();
  }

  /** Let the person type the selected cell's value. @param {string | null} text typed already; null to change the present value */
  edit(text) {
    if (!this.#grid || !this.#model) return;
    const index = this.#selected;
    const value = this.#model.values[index];
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
