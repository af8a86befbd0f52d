/**
 * What makes a locked cell visible without colour: hatch and padlock, drawn on canvases (cells.css does it in CSS).
 * Every line is dark with a light edge, so that it shows on any colour of the scale.
 */

const DARK = 'rgb(0 0 0 / 0.62)';
const LIGHT = 'rgb(255 255 255 / 0.5)';

/** The padlock of index.html's symbol, on a field of 16 × 16. */
const padlockBody = new Path2D(
  'M4 7.5h8a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8.5a1 1 0 0 1 1-1z',
);
const padlockShackle = new Path2D('M5 7.5V5a3 3 0 0 1 6 0v2.5');

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} size */
export function drawPadlock(context, x, y, size) {
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
    context.stroke(padlockShackle);
    context.lineWidth = 0.4 + extra;
    context.stroke(padlockBody);
    context.fill(padlockBody);
  }
  context.restore();
}

/**
 * Hatch as a seamless tile.
 * @param {CanvasRenderingContext2D} context
 * @param {number} size of the tile, which is the distance of its lines, in device pixels
 */
export function hatchPattern(context, size) {
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
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
 * @param {number} cell size in device pixels
 */
export function outline(context, mask, { rows, cols }, cell) {
  context.beginPath();
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const i = row * cols + col;
      if (col > 0 && mask[i] !== mask[i - 1]) {
        context.moveTo(col * cell, row * cell);
        context.lineTo(col * cell, (row + 1) * cell);
      }
      if (row > 0 && mask[i] !== mask[i - cols]) {
        context.moveTo(col * cell, row * cell);
        context.lineTo((col + 1) * cell, row * cell);
      }
    }
  }
  for (const [style, width] of /** @type {[string, number][]} */ ([
    [LIGHT, Math.min(3, cell / 2)],
    [DARK, Math.min(1.5, cell / 4)],
  ])) {
    context.strokeStyle = style;
    context.lineWidth = width;
    context.stroke();
  }
}
