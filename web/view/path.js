/** Draws a cell's value since the start as a small line, with a mark for the current value. */

import { strings } from '../strings/index.js';
import { levelOf } from 'gradlock/grid';
import { h, token } from './dom.js';

const [WIDTH, HEIGHT, EDGE] = [170, 64, 6];

export class Path {
  #canvas = h('canvas', { class: 'path-canvas', 'aria-hidden': 'true' });
  #caption = h('figcaption', { class: 'note' }, strings.inspector.path);
  element = h('figure', { class: 'path' }, this.#canvas, this.#caption);

  /** @param {number[][]} path a step and a value each @param {number} step @param {number} value @param {import('./grid.js').GridModel} model */
  draw(path, step, value, { palette, reach }) {
    const ratio = window.devicePixelRatio || 1;
    const pen = this.#canvas.getContext('2d');
    if (!pen) return;
    Object.assign(this.#canvas, { width: WIDTH * ratio, height: HEIGHT * ratio });
    pen.scale(ratio, ratio);
    const points = [...path.filter(([at]) => at < step), [step, value]];
    const shown = points.filter(([, at]) => Number.isFinite(at));
    if (shown.length === 0) return;
    const values = shown.map(([, at]) => at);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    // With a smaller span, rounding errors would look large.
    const span = Math.max(high - low, reach / 50);
    const middle = (low + high) / 2;
    const y = (/** @type {number} */ at) =>
      HEIGHT / 2 - ((at - middle) / span) * (HEIGHT - 2 * EDGE);
    const x = (/** @type {number} */ at) => EDGE + (at / Math.max(1, step)) * (WIDTH - 2 * EDGE);
    pen.strokeStyle = token('line');
    pen.lineWidth = 1;
    pen.strokeRect(0.5, 0.5, WIDTH - 1, HEIGHT - 1);
    pen.strokeStyle = token('ink');
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const [at, one] of shown) pen.lineTo(x(at), y(one));
    pen.stroke();
    if (!Number.isFinite(value)) return;
    pen.beginPath();
    pen.arc(x(step), y(value), 4, 0, 7);
    pen.fillStyle = palette.css[levelOf(value, reach)];
    pen.fill();
    pen.lineWidth = 1;
    pen.stroke();
  }
}
