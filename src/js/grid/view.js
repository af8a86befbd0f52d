// Picks elements or pixels for a grid, fits them into the room, and turns input into intents.
import { CanvasGrid } from './canvas.js';
import { CellGrid } from './cells.js';
import { applyAttributes, coverCell } from './dom.js';
import { openEditor } from './editor.js';
import { formatInput } from './format.js';
import { listen } from './input.js';
import { rowAndColumn } from './row-column.js';

/** @import { Intents } from './input.js' */
/** @import { GridWords } from './words.js' */
/** @typedef {Intents & { setValue: (index: number, text: string) => void }} ViewIntents */

/**
 * The size and labels of a grid.
 * @typedef {object} Plan
 * @property {number} rows
 * @property {number} cols
 * @property {string} label
 * @property {readonly string[]} [rowNames]
 * @property {readonly string[]} [colNames]
 * @property {GridWords} words
 * @property {boolean} readonly
 */

/**
 * A name that is shown, and locks what it names.
 * @typedef {object} Head
 * @property {HTMLElement} button
 * @property {number} row That of a column is -1, as is the column of a row.
 * @property {number} col
 * @property {number[]} cells
 */

/**
 * The data that a grid draws.
 * @typedef {object} Picture
 * @property {number} cols
 * @property {Float32Array} values
 * @property {Uint8Array} mask
 * @property {number} edition Another one whenever the mask is.
 * @property {Float32Array | null} target
 * @property {Float32Array | null} held What locked cells should hold, where that is to be shown.
 * @property {ArrayLike<number | boolean> | null} unknown True: not known yet.
 * @property {number} reach
 * @property {import('./colours.js').Palette} palette
 * @property {GridWords} words
 * @property {boolean} isLabelling True if what screen readers read follows.
 */

/** Rows and columns up to which every cell is an element; above, all are one canvas. */
export const MAX_DOM_SIDE = 16;

export class View {
  #host;
  #plan;
  #picture;
  #intents;
  /** Elements or pixels. */
  grid;
  #forget;
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
    this.#plan = plan;
    this.#picture = picture;
    this.#intents = intents;
    const Grid = Math.max(rows, cols) <= MAX_DOM_SIDE ? CellGrid : CanvasGrid;
    const grid = new Grid(plan);
    this.grid = grid;
    const { label, readonly } = plan;
    applyAttributes(grid.element, { role: 'grid', 'aria-label': label, 'aria-readonly': readonly });
    host.replaceChildren(grid.element);
    this.#forget = listen(grid, plan, intents);
    // On the next frame, since rows with names change the height that is observed.
    this.#resizes = new ResizeObserver(() => requestAnimationFrame(() => this.fit()));
    this.#resizes.observe(host);
  }

  close() {
    this.#forget();
    this.#resizes.disconnect();
  }

  /** Fit the grid into the room there is, and draw. */
  fit() {
    const { clientWidth, clientHeight } = this.#host;
    if (!clientWidth) return;
    const gap = Number.parseFloat(getComputedStyle(this.#host).columnGap);
    this.grid.resize(clientWidth, clientHeight, gap);
    this.draw();
  }

  draw() {
    this.grid.draw(this.#picture);
  }

  /** @param {number} index */
  select(index) {
    const root = /** @type {ShadowRoot} */ (this.#host.getRootNode());
    // A heading keeps it while the same cell is selected.
    const hadFocus = index !== this.grid.selected && this.#host.contains(root.activeElement);
    this.grid.select(index);
    if (hadFocus) this.grid.focus();
  }

  /**
   * Let the person type the selected cell's value.
   * @param {string | null} text Typed already; null to change the present value.
   */
  edit(text) {
    const index = this.grid.selected;
    const { cols } = this.#plan;
    const { values, words, mask, unknown } = this.#picture;
    this.grid.element.scrollIntoView({ block: 'nearest' });
    const [row, col] = rowAndColumn(index, cols);
    const label = words.edit(row + 1, col + 1);
    const start = text ?? (unknown?.[index] ? '' : formatInput(values[index]));
    const editor = openEditor(this.#host, label, start, text !== null, (typed, isKey) => {
      if (isKey) this.grid.focus();
      // A typed value is for the matrix that was shown, not for one that replaced it.
      if (typed !== null && mask === this.#picture.mask) this.#intents.setValue(index, typed);
    });
    const { offsetLeft, offsetTop } = this.grid.first;
    coverCell(editor, this.grid, index, cols, offsetLeft, offsetTop);
  }
}
