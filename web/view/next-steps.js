/**
 * Thin bars at the left edge of a grid's cells: the step that the optimizer would still take on
 * each cell that a mask holds. From the middle up is plus, down is minus; the length is
 * logarithmic. A cell without a step has no bar.
 */

import { h, setStyle } from './dom.js';
import { barsOf, drawStrokes } from './marks.js';

export class NextSteps {
  element = h('canvas', { class: 'next-steps', 'aria-hidden': 'true', hidden: true });

  /**
   * @param {Float32Array | null} steps of the grid's cells
   * @param {{ rows: number, cols: number, reach: number }} grid
   * @param {() => import('./arrow-navigation.js').Box} boxOf returns the box of its cells on the screen
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
    const [wide, high] = [width / cols, height / rows];
    drawStrokes(pen, barsOf(steps, { cols, reach }, wide, high, look.borderTopColor, look.color));
  }
}
