/**
 * Thin bars at the left edge of a grid's cells: the step that the optimizer would still take on
 * each cell that a mask holds. From the middle up is plus, down is minus; the length is
 * logarithmic. A cell without a step has no bar.
 */

import { h, setStyle } from './dom.js';

/** The steps with the shortest and the longest bar, in powers of ten of the colours' reach. */
const [SHORT, LONG] = [-5, -1];
/** The widest bar and its light edge, in CSS pixels. */
const [WIDEST, EDGE] = [3, 1];

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** Returns a bar's length, relative to half of its cell. @param {number} size of the step, relative to the reach */
const lengthOf = (size) => {
  const share = (Math.log10(size) - SHORT) / (LONG - SHORT);
  return 0.3 + 0.65 * Math.max(0, Math.min(1, share));
};

/**
 * Returns the bars of a grid as the data of an SVG path, which a canvas can draw, too, and the
 * widths of their light edge and of their line.
 * @param {Float32Array} steps of the grid's cells
 * @param {{ cols: number, reach: number }} grid
 * @param {number} wide of a cell
 * @param {number} high of a cell
 */
export function barsOf(steps, { cols, reach }, wide, high) {
  const line = Math.max(1, Math.min(WIDEST, Math.min(wide, high) / 9));
  const bar = (/** @type {number} */ step, /** @type {number} */ i) => {
    const x = (i % cols) * wide + line / 2 + EDGE;
    const y = (Math.floor(i / cols) + 0.5) * high;
    return `M${x} ${y}v${(-Math.sign(step) * high * lengthOf(Math.abs(step) / reach)) / 2}`;
  };
  const path = Array.from(steps, (step, i) => (step ? bar(step, i) : '')).join('');
  return { path, edge: line + 2 * EDGE, line };
}

/** Strokes bars. @param {CanvasRenderingContext2D} pen @param {ReturnType<typeof barsOf>} bars @param {string} light @param {string} dark */
export function strokeBars(pen, { path, edge, line }, light, dark) {
  const drawn = new Path2D(path);
  for (const [colour, width] of /** @type {const} */ ([
    [light, edge],
    [dark, line],
  ])) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke(drawn);
  }
}

export class NextSteps {
  element = h('canvas', { class: 'next-steps', 'aria-hidden': 'true', hidden: true });

  /**
   * @param {Float32Array | null} steps of the grid's cells
   * @param {{ rows: number, cols: number, reach: number }} grid
   * @param {() => Box} boxOf returns the box of its cells on the screen
   */
  draw(steps, { rows, cols, reach }, boxOf) {
    const canvas = this.element;
    canvas.hidden = !steps?.some((step) => step !== 0);
    if (canvas.hidden || !steps) return;
    const box = boxOf();
    const from = /** @type {HTMLElement} */ (canvas.parentElement).getBoundingClientRect();
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const ratio = devicePixelRatio;
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    setStyle(canvas, { left: box.left - from.left, top: box.top - from.top, width, height });
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    pen.scale(ratio, ratio);
    const look = getComputedStyle(canvas);
    const bars = barsOf(steps, { cols, reach }, width / cols, height / rows);
    strokeBars(pen, bars, look.borderTopColor, look.color);
  }
}
