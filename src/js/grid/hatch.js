// Marks that make a locked cell visible without colour: hatch and padlock, drawn on canvases
// (stylesheet.js draws them in CSS). Every line is dark with a light edge, visible on any colour.
import { refuseRest } from '../base/arity.js';
import { h, icon, contextOf } from './dom.js';

const DARK = '#000b';
const LIGHT = '#fff8';

/** How much of a veil's colour is seen. */
const VEIL = 0.45;

/** The padlock of a locked cell. Its crack is visible if the cell's value has changed. */
export const padlock = () =>
  icon({
    case: 'M4 7.5h8a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8.5a1 1 0 0 1 1-1z',
    shackle: 'M5 7.5V5a3 3 0 0 1 6 0v2.5',
    crack: 'M10 0 7 6l3 3-3 7',
  });

/**
 * The grid's hatch, as a seamless tile.
 * @param {CanvasRenderingContext2D} context
 * @param {number} size Size of the tile, and distance of its lines, in device pixels.
 * @param {string} [veil] A colour over hatched cells, to make others easy to see. Default: none.
 * @param {[]} more
 */
export function hatchPattern(context, size, veil = 'transparent', ...more) {
  refuseRest('hatchPattern', 3, more);
  const thick = Math.max(1, size / 7);
  const tile = h('canvas', { width: size, height: size });
  const pen = contextOf(tile);
  pen.fillStyle = veil;
  pen.globalAlpha = VEIL;
  pen.fillRect(0, 0, size, size);
  pen.globalAlpha = 1;
  for (const [style, shift] of /** @type {[string, number][]} */ ([
    [LIGHT, thick],
    [DARK, 0],
  ])) {
    pen.strokeStyle = style;
    pen.lineWidth = thick;
    pen.beginPath();
    for (let at = -size; at <= size; at += size) {
      pen.moveTo(at + shift - 1, size + 1);
      pen.lineTo(at + shift + size + 1, -1);
    }
    pen.stroke();
  }
  return /** @type {CanvasPattern} */ (context.createPattern(tile, 'repeat'));
}

/**
 * Outline regions of locked cells.
 * @param {CanvasRenderingContext2D} context
 * @param {Uint8Array} mask
 * @param {{ rows: number, cols: number }} grid
 * @param {number} width Size of a cell, in device pixels.
 * @param {number} height
 */
export function outline(context, mask, { rows, cols }, width, height) {
  const cell = Math.min(width, height);
  context.beginPath();
  for (let i = 0; i < rows * cols; i++) {
    const x = (i % cols) * width;
    const y = Math.floor(i / cols) * height;
    if (x > 0 && mask[i] !== mask[i - 1]) {
      context.moveTo(x, y);
      context.lineTo(x, y + height);
    }
    if (y > 0 && mask[i] !== mask[i - cols]) {
      context.moveTo(x, y);
      context.lineTo(x + width, y);
    }
  }
  for (const [style, thick] of /** @type {[string, number][]} */ ([
    [LIGHT, Math.min(4, cell / 2)],
    [DARK, Math.min(2, cell / 4)],
  ])) {
    context.strokeStyle = style;
    context.lineWidth = thick;
    context.stroke();
  }
}
