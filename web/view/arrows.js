/**
 * Arrows over a grid's cells: the step that the optimizer would still take on each cell that a mask
 * holds. Up is larger. The length is logarithmic; a cell without a step has no arrow.
 */

import { h } from './dom.js';

/** The steps with the shortest and the longest arrow, in powers of ten of the colours' reach. */
const [SHORT, LONG] = [-5, -1];
/** Smaller cells, in CSS pixels, have no room for an arrow next to a number. */
const ROOMY = 24;

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** Returns an arrow's length, relative to its cell. @param {number} size of the step, relative to the reach */
const lengthOf = (size) => {
  const share = (Math.log10(size) - SHORT) / (LONG - SHORT);
  return 0.4 + 0.5 * Math.max(0, Math.min(1, share));
};

export class Arrows {
  #canvas = h('canvas', { class: 'arrows', 'aria-hidden': 'true', hidden: true });
  element = this.#canvas;

  /**
   * @param {Float32Array | null} steps of the grid's cells
   * @param {{ rows: number, cols: number, reach: number }} grid
   * @param {() => Box} boxOf returns the box of its cells on the screen
   */
  draw(steps, { rows, cols, reach }, boxOf) {
    const canvas = this.#canvas;
    canvas.hidden = !steps?.some((step) => step !== 0);
    if (canvas.hidden || !steps) return;
    const box = boxOf();
    const from = /** @type {HTMLElement} */ (canvas.parentElement).getBoundingClientRect();
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const ratio = devicePixelRatio;
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    Object.assign(canvas.style, {
      left: `${box.left - from.left}px`,
      top: `${box.top - from.top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    pen.scale(ratio, ratio);
    const [wide, high] = [width / cols, height / rows];
    const size = Math.min(wide, high);
    const head = Math.min(4, size * 0.26);
    const path = new Path2D();
    steps.forEach((step, i) => {
      if (!step) return;
      const x = ((i % cols) + (size < ROOMY ? 0.5 : 0.14)) * wide;
      const y = (Math.floor(i / cols) + 0.5) * high;
      const reached = (Math.sign(step) * size * lengthOf(Math.abs(step) / reach)) / 2;
      path.moveTo(x, y + reached);
      path.lineTo(x, y - reached);
      path.moveTo(x - head, y - reached + Math.sign(step) * head);
      path.lineTo(x, y - reached);
      path.lineTo(x + head, y - reached + Math.sign(step) * head);
    });
    const look = getComputedStyle(canvas);
    pen.lineCap = 'round';
    pen.lineJoin = 'round';
    for (const [colour, line] of /** @type {[string, number][]} */ ([
      [look.borderTopColor, size < ROOMY ? 2 : 3.6],
      [look.color, size < ROOMY ? 1 : 1.6],
    ])) {
      pen.strokeStyle = colour;
      pen.lineWidth = line;
      pen.stroke(path);
    }
  }
}
