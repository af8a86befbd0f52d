/**
 * The grid of a scene's variable: the library's element, <gradlock-grid>, told what to show. What a person does there
 * becomes intents, which speak of cells of the whole scene.
 */

import 'gradlock/grid';
import { h } from './dom.js';

/** @typedef {import('../scenes/layout.js').Part} Part */

/**
 * What a grid draws; rows of cells are of all the scene's variables.
 * @typedef {object} GridModel
 * @property {Float32Array} values
 * @property {Uint8Array} mask           replaced, never written to, when locks change
 * @property {Float32Array | null} target
 * @property {Float32Array | null} held  what locked cells should hold, where that is to be shown
 * @property {number} reach
 * @property {import('gradlock/grid').Palette} palette
 * @property {'diverging' | 'sequential'} [scale]  default: diverging
 */

/**
 * @typedef {object} Intents
 * @property {(index: number) => void} select
 * @property {(index: number) => void} toggle
 * @property {(index: number) => void} beginStroke
 * @property {(index: number) => void} continueStroke
 * @property {(from: number, to: number) => void} extend   a rectangle, as long as it is one gesture
 * @property {() => void} endGesture
 * @property {(index: number, text: string) => void} setValue
 * @property {(index: number) => void} light  a cell is pointed at; −1: none
 */

export class GridView {
  #grid = document.createElement('gradlock-grid');
  #part;
  #host;
  /** Round the cell that is pointed at elsewhere. */
  #ring = h('div', { class: 'cell-ring', hidden: true });
  /** @type {GridModel | null} */
  #model = null;

  /**
   * @param {HTMLElement} host its size is the room there is
   * @param {Part} part
   * @param {{ name: string, rowNames?: string[], colNames?: string[] }} words
   * @param {Intents} intents
   */
  constructor(host, part, { name, rowNames, colNames }, intents) {
    const { offset } = part;
    const grid = this.#grid;
    this.#part = part;
    this.#host = host;
    Object.assign(grid, { label: name, rowNames, colNames, editable: true });
    grid.addEventListener('cellselect', ({ detail }) => intents.select(offset + detail.index));
    // Brushes, undo and kind refusals are the demo's own.
    grid.addEventListener('cellgesture', (event) => {
      event.preventDefault();
      const { type, index, from } = event.detail;
      if (type === 'toggle') intents.toggle(offset + index);
      else if (type === 'begin') intents.beginStroke(offset + index);
      else if (type === 'continue') intents.continueStroke(offset + index);
      else if (type === 'extend') intents.extend(offset + from, offset + index);
      else intents.endGesture();
    });
    grid.addEventListener('valuechange', (event) => {
      event.preventDefault();
      intents.setValue(offset + event.detail.index, event.detail.text);
    });
    // Numbers that are none are told of below the chart.
    grid.addEventListener('error', (event) => event.preventDefault());
    const point = (/** @type {EventTarget | undefined} */ target) => {
      const at = this.#cells().indexOf(/** @type {Element} */ (target));
      intents.light(at < 0 ? -1 : offset + at);
    };
    // From cell to cell within a grid, no pointerover comes out of it.
    grid.addEventListener('pointermove', (event) => {
      const path = event.composedPath();
      point(path.find((one) => one instanceof Element && one.matches('.cell')));
    });
    grid.addEventListener('pointerleave', () => intents.light(-1));
    // Who comes by keyboard or by finger sees as much as who points.
    const lightSelected = () => intents.light(offset + grid.selected);
    grid.addEventListener('focusin', lightSelected);
    grid.addEventListener('cellselect', lightSelected);
    grid.addEventListener('focusout', () => intents.light(-1));
    host.replaceChildren(grid, this.#ring);
  }

  /** The cells as elements; none above 16 × 16. @returns {Element[]} */
  #cells() {
    return [...(this.#grid.shadowRoot?.querySelectorAll('.cell') ?? [])];
  }

  /** Show a cell that is pointed at elsewhere. @param {number} index of this grid's cells; −1 for none */
  light(index) {
    const cell = index < 0 ? undefined : this.#cells()[index];
    this.#ring.hidden = !cell;
    if (!cell) return;
    const [at, from] = [cell.getBoundingClientRect(), this.#host.getBoundingClientRect()];
    Object.assign(this.#ring.style, {
      left: `${at.left - from.left}px`,
      top: `${at.top - from.top}px`,
      width: `${at.width}px`,
      height: `${at.height}px`,
    });
  }

  /** @param {GridModel} model */
  draw(model) {
    const { rows, cols, offset } = this.#part;
    const before = this.#model;
    const grid = this.#grid;
    this.#model = model;
    const own = (/** @type {Float32Array | null} */ row) =>
      row?.subarray(offset, offset + rows * cols) ?? null;
    if (!before) {
      grid.source = {
        ...{ rows, cols },
        values: () => own(this.#model?.values ?? null) ?? [],
        locks: () => this.#model?.mask.subarray(offset, offset + rows * cols) ?? [],
        locksVersion: () => this.#model?.mask,
        target: () => own(this.#model?.target ?? null),
        held: () => own(this.#model?.held ?? null),
      };
    }
    const { scale = 'diverging' } = model;
    if (grid.scale !== scale) grid.scale = scale;
    if (grid.reach !== model.reach) grid.reach = model.reach;
    if (before && before.palette !== model.palette) grid.restyle();
    grid.refresh();
  }

  /** Whether a finger draws locks; else it scrolls the page, and taps. @param {boolean} isDrawing */
  set drawsByTouch(isDrawing) {
    this.#grid.draw = isDrawing;
  }

  /** @param {number} index of this grid's cells */
  select(index) {
    this.#grid.selected = index;
  }

  focus() {
    this.#grid.focus();
  }

  /** Let the person type the selected cell's value. */
  edit() {
    this.#grid.edit();
  }
}
