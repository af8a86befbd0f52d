// What makes a locked cell visible without colour: hatch and padlock, drawn on canvases (sheet.js
// does it in CSS). Every line is dark with a light edge, so that it shows on any colour of a scale.
import { icon } from './dom.js';

const DARK = 'rgb(0 0 0 / 0.62)';
const LIGHT = 'rgb(255 255 255 / 0.5)';

/** How much of a veil's colour is seen. */
const VEIL = 0.45;

/** A padlock on a field of 16 × 16. */
const BODY = 'M4 7.5h8a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8.5a1 1 0 0 1 1-1z';
const SHACKLE = 'M5 7.5V5a3 3 0 0 1 6 0v2.5';
const BROKEN = [
  'M1.6 8a1 1 0 0 1 1-1h3.6L5.1 9.6l1.7 1.9L5.9 14.6H2.6a1 1 0 0 1-1-1z',
  'M10 7h3.4a1 1 0 0 1 1 1v5.6a1 1 0 0 1-1 1H9.6l1-3.2-1.7-1.9z',
];

/** What a locked cell wears, as an element. */
export const padlock = () => icon([BODY], SHACKLE);

/** What a cell wears that was to be held, and moved. */
export const brokenPadlock = () =>
  icon(BROKEN, 'M4 7V5a3.6 3.6 0 0 1 2.6-3.4M10.6 2A3.6 3.6 0 0 1 12 5v2');

/**
 * Made when they are needed: Node.js has no paths.
 * @type {{ body: Path2D, shackle: Path2D } | null}
 */
let paths = null;

/**
 * Draw the grid's padlock.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x Of its left side.
 * @param {number} y Of its top.
 * @param {number} size
 */
export function drawPadlock(context, x, y, size) {
  paths ??= { body: new Path2D(BODY), shackle: new Path2D(SHACKLE) };
  const { body, shackle } = paths;
  context.save();
  context.translate(x, y);
  context.scale(size / 16, size / 16);
  context.lineJoin = 'round';
  for (const [style, extra] of /** @type {[string, number][]} */ ([
    ['rgb(255 255 255 / 0.85)', 2.4],
    ['#1b1d21', 0],
  ])) {
    context.strokeStyle = style;
    context.fillStyle = style;
    context.lineWidth = 1.7 + extra;
    context.stroke(shackle);
    context.lineWidth = 0.4 + extra;
    context.stroke(body);
    context.fill(body);
  }
  context.restore();
}

/**
 * The grid's hatch, as a seamless tile.
 * @param {CanvasRenderingContext2D} context
 * @param {number} size Of the tile, which is the distance of its lines, in device pixels.
 * @param {string} [veil] A colour over what is hatched, so that what is not stands out. Default:
 *   none.
 * @returns {CanvasPattern}
 */
export function hatchPattern(context, size, veil = 'transparent') {
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  pen.fillStyle = veil;
  pen.globalAlpha = VEIL;
  pen.fillRect(0, 0, size, size);
  pen.globalAlpha = 1;
  for (const [style, shift] of /** @type {[string, number][]} */ ([
    [LIGHT, Math.max(1, size / 7)],
    [DARK, 0],
  ])) {
    pen.strokeStyle = style;
    pen.lineWidth = Math.max(1, size / 7);
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
 * @param {number} width Of a cell, in device pixels.
 * @param {number} height
 */
export function outline(context, mask, { rows, cols }, width, height) {
  const cell = Math.min(width, height);
  context.beginPath();
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const i = row * cols + col;
      if (col > 0 && mask[i] !== mask[i - 1]) {
        context.moveTo(col * width, row * height);
        context.lineTo(col * width, (row + 1) * height);
      }
      if (row > 0 && mask[i] !== mask[i - cols]) {
        context.moveTo(col * width, row * height);
        context.lineTo((col + 1) * width, row * height);
      }
    }
  }
  for (const [style, thick] of /** @type {[string, number][]} */ ([
    [LIGHT, Math.min(3, cell / 2)],
    [DARK, Math.min(1.5, cell / 4)],
  ])) {
    context.strokeStyle = style;
    context.lineWidth = thick;
    context.stroke();
  }
}
