/** Where a cell's value has been lately: a small line, drawn in the colours of the values. */

import { strings } from '../strings.js';
import { levelOf } from './colours.js';
import { h, token } from './dom.js';

const WIDTH = 170;
const HEIGHT = 64;
/** Points kept. */
const MOST = 170;

export class Path {
  #canvas = h('canvas', { class: 'path-canvas', 'aria-hidden': 'true' });
  #index = -1;
  #step = -1;
  /** @type {number[]} */
  #values = [];
  element = h(
    'figure',
    { class: 'path' },
    this.#canvas,
    h('figcaption', {}, strings.inspector.path),
  );

  clear() {
    this.#values = [];
    this.#step = -1;
  }

  /** @param {number} index @param {number} step @param {number} value @param {import('./grid.js').GridModel} model */
  draw(index, step, value, { palette, reach }) {
    if (index !== this.#index || step < this.#step) this.clear();
    if (step !== this.#step || this.#values.length === 0) this.#values.push(value);
    else this.#values[this.#values.length - 1] = value;
    this.#index = index;
    this.#step = step;
    if (this.#values.length > MOST) this.#values.shift();
    this.#paint(palette, reach);
  }

  /** @param {import('./colours.js').Palette} palette @param {number} reach */
  #paint(palette, reach) {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [WIDTH * ratio, HEIGHT * ratio];
    if (this.#canvas.width !== width) {
      this.#canvas.width = width;
      this.#canvas.height = height;
    }
    const pen = this.#canvas.getContext('2d');
    if (!pen) return;
    pen.clearRect(0, 0, width, height);
    const values = this.#values.filter(Number.isFinite);
    if (values.length === 0) return;
    // From the lowest to the highest, but not so close that rounding looks like a landslide.
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const middle = (low + high) / 2;
    const span = Math.max(high - low, reach / 50) * 1.15;
    const y = (/** @type {number} */ value) => height / 2 - ((value - middle) / span) * height;
    const x = (/** @type {number} */ i) => 4 * ratio + (i / (MOST - 1)) * (width - 8 * ratio);
    pen.strokeStyle = token('ink');
    pen.lineWidth = 1.5 * ratio;
    pen.beginPath();
    values.forEach((value, i) => {
      pen.lineTo(x(i), y(value));
    });
    pen.stroke();
    const last = values.length - 1;
    pen.beginPath();
    pen.arc(x(last), y(values[last]), 4 * ratio, 0, 7);
    pen.fillStyle = palette.css[levelOf(values[last], reach)];
    pen.fill();
    pen.lineWidth = ratio;
    pen.stroke();
  }
}
