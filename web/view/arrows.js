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

/**
 * Returns the arrows of a grid as the data of an SVG path, which a canvas can draw, too, and the
 * widths of their light edge and of their line.
 * @param {Float32Array} steps of the grid's cells
 * @param {{ rows: number, cols: number, reach: number }} grid
 * @param {number} wide of a cell
 * @param {number} high of a cell
 */
export function arrowsOf(steps, { cols, reach }, wide, high) {
  const size = Math.min(wide, high);
  const isRoomy = size >= ROOMY;
  const head = Math.min(4, size * 0.26);
  const arrow = (/** @type {number} */ step, /** @type {number} */ i) => {
    const x = ((i % cols) + (isRoomy ? 0.14 : 0.5)) * wide;
    const y = (Math.floor(i / cols) + 0.5) * high;
    const half = (Math.sign(step) * size * lengthOf(Math.abs(step) / reach)) / 2;
    const [tip, barb] = [y - half, y - half + Math.sign(step) * head];
    return `M${x} ${y + half}V${tip}M${x - head} ${barb}L${x} ${tip}L${x + head} ${barb}`;
  };
  const path = Array.from(steps, (step, i) => (step ? arrow(step, i) : '')).join('');
  return { path, edge: isRoomy ? 3.6 : 2, line: isRoomy ? 1.6 : 1 };
}

/** Strokes arrows. @param {CanvasRenderingContext2D} pen @param {ReturnType<typeof arrowsOf>} arrows @param {string} light @param {string} dark */
export function strokeArrows(pen, { path, edge, line }, light, dark) {
  const drawn = new Path2D(path);
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  for (const [colour, width] of /** @type {const} */ ([
    [light, edge],
    [dark, line],
  ])) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke(drawn);
  }
}

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
    const look = getComputedStyle(canvas);
    const arrows = arrowsOf(steps, { rows, cols, reach }, width / cols, height / rows);
    strokeArrows(pen, arrows, look.borderTopColor, look.color);
  }
}
