/**
 * The grid as pixels, above 16 × 16: one canvas holds a pixel per cell and the browser enlarges it, a second one holds
 * the locks and is drawn anew only when they change. One button, the cursor, stands for the cell that has the focus.
 */

import { strings } from '../strings.js';
import { colour } from './colours.js';
import { h, icon, setAttribute } from './dom.js';
import { formatNumber } from './format.js';
import { drawPadlock, hatchPattern, outline } from './hatch.js';

/** @typedef {import('./grid.js').GridModel} GridModel */

const LABEL_PACE = 1000;
/** Whole pixels may cost the grid an eighth of its width. */
const WHOLE = 7 / 8;
/** From this size on, in device pixels, every locked cell has its own padlock; below, each tile has at most one. */
const PADLOCK_CELL = 11;
/** Side of a tile, in CSS pixels. */
const TILE = 34;

export class CanvasGrid {
  #rows;
  #cols;
  #values;
  #locks;
  #cursor;
  #row;
  #item;
  #image;
  #pixels;
  #selected = 0;
  #labelled = 0;
  /** Size of a cell in device pixels, and of a device pixel in CSS pixels. */
  #cell = 1;
  #dot = 1;
  /** @type {Uint8Array | null} */
  #drawnMask = null;

  /** @param {{ rows: number, cols: number, label: string, rowNames?: string[] }} grid rowNames are not for grids this large */
  constructor({ rows, cols, label }) {
    this.#rows = rows;
    this.#cols = cols;
    this.#image = new ImageData(cols, rows);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
    this.#values = h('canvas', { class: 'grid-values', width: cols, height: rows });
    this.#locks = h('canvas', { class: 'grid-locks' });
    this.#cursor = h(
      'button',
      { type: 'button', class: 'cursor', 'aria-pressed': 'false' },
      icon('lock'),
    );
    this.#item = h('div', { role: 'gridcell' }, this.#cursor);
    this.#row = h('div', { role: 'row' }, this.#item);
    this.element = h(
      'div',
      {
        role: 'grid',
        class: 'grid grid-canvas',
        'aria-label': label,
        'aria-rowcount': rows,
        'aria-colcount': cols,
      },
      this.#values,
      this.#locks,
      this.#row,
    );
  }

  /** Cells are whole device pixels wide if that costs little room: even cells look calmer. @param {number} width @param {number} height */
  resize(width, height) {
    const ratio = window.devicePixelRatio || 1;
    const fit = Math.min((width * ratio) / this.#cols, (height * ratio) / this.#rows);
    this.#cell = Math.floor(fit) > WHOLE * fit ? Math.floor(fit) : fit;
    this.#dot = 1 / ratio;
    this.#locks.width = Math.round(this.#cols * this.#cell);
    this.#locks.height = Math.round(this.#rows * this.#cell);
    const size = { width: this.#locks.width * this.#dot, height: this.#locks.height * this.#dot };
    this.element.style.width = `${size.width}px`;
    this.element.style.height = `${size.height}px`;
    this.#drawnMask = null;
    this.#placeCursor();
    return size;
  }

  /** @param {GridModel} model */
  draw({ values, mask, reach, palette, isPlaying }) {
    colour(values, reach, palette, this.#pixels);
    this.#values.getContext('2d')?.putImageData(this.#image, 0, 0);
    if (mask !== this.#drawnMask) this.#drawLocks(mask);
    const now = performance.now();
    const isLocked = mask[this.#selected] === 1;
    setAttribute(this.#cursor, 'aria-pressed', String(isLocked));
    if (isPlaying && now - this.#labelled < LABEL_PACE) return;
    this.#labelled = now;
    const value = formatNumber(values[this.#selected]);
    const { row, col } = this.#place();
    setAttribute(this.#cursor, 'aria-label', strings.grid.cell(row + 1, col + 1, value, isLocked));
  }

  /** @param {Uint8Array} mask */
  #drawLocks(mask) {
    this.#drawnMask = mask;
    const context = this.#locks.getContext('2d');
    if (!context) return;
    const { width, height } = this.#locks;
    const ratio = 1 / this.#dot;
    const stencil = new ImageData(this.#cols, this.#rows);
    const alpha = new Uint32Array(stencil.data.buffer);
    for (let i = 0; i < mask.length; i++) if (mask[i]) alpha[i] = 0xff000000;
    const small = h('canvas', { width: this.#cols, height: this.#rows });
    small.getContext('2d')?.putImageData(stencil, 0, 0);
    context.globalCompositeOperation = 'copy';
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, width, height);
    context.globalCompositeOperation = 'source-in';
    context.fillStyle = hatchPattern(context, Math.round(6 * ratio));
    context.fillRect(0, 0, width, height);
    context.globalCompositeOperation = 'source-over';
    if (this.#cell >= 2) outline(context, mask, { rows: this.#rows, cols: this.#cols }, this.#cell);
    const isOne = this.#cell >= PADLOCK_CELL;
    const size = isOne ? Math.min(this.#cell * 0.72, 16 * ratio) : 13 * ratio;
    const keep = (/** @type {number} */ at, /** @type {number} */ end) =>
      Math.max(0, Math.min(end - size, at - size / 2));
    for (const index of this.#padlocks(mask, isOne ? 1 : Math.ceil((TILE * ratio) / this.#cell))) {
      const x = ((index % this.#cols) + 0.5) * this.#cell;
      const y = (Math.floor(index / this.#cols) + 0.5) * this.#cell;
      drawPadlock(context, keep(x, width), keep(y, height), size);
    }
  }

  /** Of each tile of `side` × `side` cells, the locked cell that is nearest to its middle. @param {Uint8Array} mask @param {number} side */
  #padlocks(mask, side) {
    const tiles = Math.ceil(this.#cols / side);
    /** @type {Map<number, { index: number, distance: number }>} */
    const nearest = new Map();
    const off = (/** @type {number} */ at) => (at % side) - (side - 1) / 2;
    for (let index = 0; index < mask.length; index++) {
      if (!mask[index]) continue;
      const row = Math.floor(index / this.#cols);
      const col = index % this.#cols;
      const tile = Math.floor(row / side) * tiles + Math.floor(col / side);
      const distance = off(row) ** 2 + off(col) ** 2;
      const best = nearest.get(tile);
      if (!best || distance < best.distance) nearest.set(tile, { index, distance });
    }
    return [...nearest.values()].map(({ index }) => index);
  }

  /** Colours have changed. */
  restyle() {
    this.#drawnMask = null;
  }

  #place() {
    return { row: Math.floor(this.#selected / this.#cols), col: this.#selected % this.#cols };
  }

  #placeCursor() {
    const { row, col } = this.#place();
    const size = this.#cell * this.#dot;
    const { style } = this.#cursor;
    style.setProperty('--x', `${(col + 0.5) * size}px`);
    style.setProperty('--y', `${(row + 0.5) * size}px`);
    style.setProperty('--cell', `${size}px`);
    this.#row.setAttribute('aria-rowindex', String(row + 1));
    this.#item.setAttribute('aria-colindex', String(col + 1));
  }

  /** @param {number} index */
  select(index) {
    this.#selected = index;
    this.#labelled = 0;
    this.#placeCursor();
  }

  focus() {
    this.#cursor.focus({ preventScroll: true });
  }

  /** The cursor always stands for the selected cell. */
  indexOf() {
    return this.#selected;
  }

  /** @param {number} index @returns {DOMRect} */
  rectOf(index) {
    const { left, top } = this.element.getBoundingClientRect();
    const size = this.#cell * this.#dot;
    const row = Math.floor(index / this.#cols);
    return new DOMRect(left + (index % this.#cols) * size, top + row * size, size, size);
  }

  /** The cell at a point of the viewport; outside of the grid, the nearest one. @param {number} x @param {number} y */
  cellAt(x, y) {
    const { left, top } = this.element.getBoundingClientRect();
    const size = this.#cell * this.#dot;
    const clamp = (/** @type {number} */ at, /** @type {number} */ count) =>
      Math.max(0, Math.min(count - 1, Math.floor(at / size)));
    return clamp(y - top, this.#rows) * this.#cols + clamp(x - left, this.#cols);
  }
}
