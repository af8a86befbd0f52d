// Picks elements or pixels for a grid, fits them into the room there is, and turns input into
// intents.
import { CanvasGrid } from './canvas.js';
import { CellGrid } from './cells.js';
import { layOver } from './dom.js';
import { openEditor } from './editor.js';
import { formatInput } from './format.js';
import { listen } from './input.js';

/** @typedef {import('./input.js').Intents} Intents */
/** @typedef {Intents & { setValue: (index: number, text: string) => void }} ViewIntents */
/** @typedef {import('./words.js').GridWords} GridWords */

/**
 * What a grid is made for.
 * @typedef {object} Plan
 * @property {number} rows
 * @property {number} cols
 * @property {string} label
 * @property {readonly string[]} [rowNames]
 * @property {readonly string[]} [colNames]
 */

/**
 * What a grid draws.
 * @typedef {object} Picture
 * @property {Float32Array} values
 * @property {Uint8Array} mask
 * @property {number} edition Another one whenever the mask is.
 * @property {Float32Array | null} target
 * @property {Float32Array | null} held What locked cells should hold, where that is to be shown.
 * @property {number} reach
 * @property {import('./colours.js').Palette} palette
 * @property {GridWords} words
 * @property {boolean} isLabelling Whether what screen readers read follows.
 */

/** Rows and columns up to which every cell is an element; above, all are one canvas. */
export const MAX_DOM_SIDE = 16;

export class View {
  #host;
  #picture;
  #intents;
  #grid;
  /** Flat index of the selected cell. */
  selected = 0;
  #stop;
  #resizes;

  /**
   * @param {HTMLElement} host Its size is the room there is.
   * @param {Plan} plan
   * @param {Picture} picture Drawn whenever the room changes; the same object all along.
   * @param {ViewIntents} intents
   */
  constructor(host, plan, picture, intents) {
    const { rows, cols } = plan;
    this.#host = host;
    this.#picture = picture;
    this.#intents = intents;
    const Grid = Math.max(rows, cols) <= MAX_DOM_SIDE ? CellGrid : CanvasGrid;
    const grid = new Grid(plan);
    this.#grid = grid;
    host.replaceChildren(grid.element);
    this.rows = rows;
    this.cols = cols;
    this.#stop = listen(grid.element, this, intents);
    this.#resizes = new ResizeObserver(() => this.fit());
    this.#resizes.observe(host);
  }

  /**
   * The cell that an element stands for.
   * @param {EventTarget | null} target
   */
  indexOf(target) {
    return this.#grid.indexOf(target);
  }

  /**
   * The cell at a point of the viewport; outside of the grid, the nearest one.
   * @param {number} x
   * @param {number} y
   */
  cellAt(x, y) {
    const { width, height, first } = this.#grid;
    const { left, top } = first.getBoundingClientRect();
    const clamp = (/** @type {number} */ at, /** @type {number} */ count) =>
      Math.max(0, Math.min(count - 1, Math.floor(at)));
    return clamp((y - top) / height, this.rows) * this.cols + clamp((x - left) / width, this.cols);
  }

  /** The grid's own element. */
  get element() {
    return this.#grid.element;
  }

  close() {
    this.#stop();
    this.#resizes.disconnect();
  }

  /** Fit the grid into the room there is, and draw. */
  fit() {
    const { clientWidth, clientHeight } = this.#host;
    if (!clientWidth) return;
    const gap = Number.parseFloat(
      getComputedStyle(this.#host).getPropertyValue('--gradlock-cell-gap'),
    );
    this.#grid.resize(clientWidth, clientHeight, Number.isNaN(gap) ? null : gap);
    this.draw();
  }

  draw() {
    this.#grid.draw(this.#picture);
  }

  /** Colours have changed. */
  restyle() {
    this.#grid.restyle();
  }

  /** @param {number} index */
  select(index) {
    const root = /** @type {ShadowRoot} */ (this.#host.getRootNode());
    const hadFocus = this.#host.contains(root.activeElement);
    this.selected = index;
    this.#grid.select(index);
    if (hadFocus) this.focus();
  }

  focus() {
    this.#grid.focus();
  }

  /**
   * Let the person type the selected cell's value.
   * @param {string | null} text Typed already; null to change the present value.
   */
  edit(text) {
    const index = this.selected;
    const { cols } = this;
    const { values, words } = this.#picture;
    const field = {
      label: words.edit(Math.floor(index / cols) + 1, (index % cols) + 1),
      text: text ?? formatInput(values[index]),
      isNew: text !== null,
    };
    this.#grid.element.scrollIntoView({ block: 'nearest' });
    const editor = openEditor(this.#host, field, (typed) => {
      this.focus();
      if (typed !== null) this.#intents.setValue(index, typed);
    });
    const { width, height, first } = this.#grid;
    const from = first.getBoundingClientRect();
    const to = this.#host.getBoundingClientRect();
    const x = from.left - to.left + ((index % cols) + 0.5) * width;
    const y = from.top - to.top + (Math.floor(index / cols) + 0.5) * height;
    layOver(editor, x, y, width, height);
  }
}
