/** An enlarged cell and its neighbours, for grids with cells too small for padlocks and numbers. */

import { hatchPattern, levelOf } from 'gradlock/grid';
import { drawPadlock } from './padlock.js';
import { strings } from '../strings/index.js';
import { h } from './dom.js';
import { formatValue } from './format.js';

/** The cells on each side, and the size of one in CSS pixels. */
const REACH = 2;
const CELL = 34;
const SIDE = 2 * REACH + 1;

export class Lens {
  #canvas = h('canvas', { class: 'lens-canvas', 'aria-hidden': 'true' });
  #rows = 1;
  #cols = 1;
  /** @type {CanvasPattern | null} */
  #hatch = null;
  element = h(
    'figure',
    { class: 'lens' },
    this.#canvas,
    h('figcaption', {}, strings.inspector.around),
  );

  /** @param {{ rows: number, cols: number, isShown: boolean }} scene */
  open({ rows, cols, isShown }) {
    this.#rows = rows;
    this.#cols = cols;
    this.element.hidden = !isShown;
  }

  /** @param {number} index @param {import('./grid.js').GridModel} model */
  draw(index, { values, mask, reach, palette }) {
    const pen = this.#canvas.getContext('2d');
    if (this.element.hidden || !pen) return;
    const ratio = window.devicePixelRatio || 1;
    const size = Math.round(CELL * ratio);
    if (this.#canvas.width !== size * SIDE) {
      this.#canvas.width = size * SIDE;
      this.#canvas.height = size * SIDE;
      this.#hatch = null;
    }
    this.#hatch ??= hatchPattern(pen, Math.round(7 * ratio));
    pen.clearRect(0, 0, size * SIDE, size * SIDE);
    pen.font = `${11 * ratio}px system-ui, sans-serif`;
    pen.textAlign = 'center';
    // At a border the lens stays inside the grid, so the selected cell may be off its centre.
    const top = Math.min(Math.max(0, Math.floor(index / this.#cols) - REACH), this.#rows - SIDE);
    const left = Math.min(Math.max(0, (index % this.#cols) - REACH), this.#cols - SIDE);
    for (let i = 0; i < SIDE * SIDE; i++) {
      const at = (top + Math.floor(i / SIDE)) * this.#cols + left + (i % SIDE);
      const value = values[at];
      const level = levelOf(value, reach);
      const [x, y] = [(i % SIDE) * size, Math.floor(i / SIDE) * size];
      const inner = size - ratio;
      pen.fillStyle = palette.css[level];
      pen.fillRect(x, y, inner, inner);
      if (mask[at]) {
        pen.fillStyle = this.#hatch;
        pen.fillRect(x, y, inner, inner);
        drawPadlock(pen, x + size - 14 * ratio, y + ratio, 12 * ratio);
        // The number gets a plain band as its background.
        pen.fillStyle = palette.css[level];
        pen.fillRect(x + ratio, y + size - 17 * ratio, inner - 2 * ratio, 15 * ratio);
      }
      pen.fillStyle = palette.isDark[level] ? '#fff' : '#000';
      pen.fillText(formatValue(value, 1), x + inner / 2, y + size - (mask[at] ? 6 : 13) * ratio);
    }
    const x = ((index % this.#cols) - left) * size;
    const y = (Math.floor(index / this.#cols) - top) * size;
    for (const [style, width] of /** @type {[string, number][]} */ ([
      ['#fff', 4],
      ['#16181c', 2],
    ])) {
      pen.strokeStyle = style;
      pen.lineWidth = width * ratio;
      pen.strokeRect(x + 2 * ratio, y + 2 * ratio, size - 5 * ratio, size - 5 * ratio);
    }
  }
}
