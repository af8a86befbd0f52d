/** Exports the cells as a picture. */

import { colour, hatchPattern } from 'gradlock/grid';
import { arrowsOf, strokeArrows } from './arrows.js';
import { drawPadlock } from './padlock.js';

/** @typedef {import('./grid.js').GridModel} GridModel */
/** @typedef {import('../scenes/layout.js').Part} Part */

/** The approximate width of a picture. */
const WIDTH = 1024;
/** The colour of arrows and padlocks on light paper. */
export const DARK = '#1b1d21';
/** The largest cell that arrows are made for; in a larger one they grow with it. */
const ARROW_CELL = 36;

/** @param {Part} part @param {GridModel} model @returns {HTMLCanvasElement} */
function paint({ rows, cols, offset }, { values, mask, next, reach, palette }) {
  const image = new ImageData(cols, rows);
  const end = offset + rows * cols;
  colour(values.subarray(offset, end), reach, palette, new Uint32Array(image.data.buffer));
  const small = document.createElement('canvas');
  small.width = cols;
  small.height = rows;
  small.getContext('2d')?.putImageData(image, 0, 0);
  const cell = Math.max(1, Math.floor(WIDTH / Math.max(rows, cols)));
  const canvas = document.createElement('canvas');
  canvas.width = cols * cell;
  canvas.height = rows * cell;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  pen.imageSmoothingEnabled = false;
  pen.drawImage(small, 0, 0, canvas.width, canvas.height);
  drawLocks(pen, { rows, cols, offset }, mask, cell);
  if (next) drawArrows(pen, { rows, cols, offset }, { next, reach }, cell);
  return canvas;
}

/**
 * Returns the arrows of a grid in an export, to be scaled by `scale`.
 * @param {Pick<Part, 'rows' | 'cols' | 'offset'>} part
 * @param {{ next: Float32Array, reach: number }} model
 * @param {number} cell its side in pixels
 */
export function arrowsFor({ rows, cols, offset }, { next, reach }, cell) {
  const side = Math.min(cell, ARROW_CELL);
  const steps = next.subarray(offset, offset + rows * cols);
  return { ...arrowsOf(steps, { rows, cols, reach }, side, side), scale: cell / side };
}

/** Draws the arrows of steps that the optimizer still takes. @param {CanvasRenderingContext2D} pen @param {Pick<Part, 'rows' | 'cols' | 'offset'>} part @param {{ next: Float32Array, reach: number }} model @param {number} cell its side in pixels */
export function drawArrows(pen, part, model, cell) {
  const arrows = arrowsFor(part, model, cell);
  pen.save();
  pen.scale(arrows.scale, arrows.scale);
  strokeArrows(pen, arrows, '#fff', DARK);
  pen.restore();
}

/** Draws hatch and padlocks of locked cells. @param {CanvasRenderingContext2D} pen @param {Pick<Part, 'rows' | 'cols' | 'offset'>} part @param {Uint8Array} mask @param {number} cell its side in pixels */
export function drawLocks(pen, { rows, cols, offset }, mask, cell) {
  pen.fillStyle = hatchPattern(pen, Math.max(6, Math.round(cell / 6)));
  for (let i = 0; i < rows * cols; i++) {
    if (!mask[offset + i]) continue;
    const [x, y] = [(i % cols) * cell, Math.floor(i / cols) * cell];
    pen.fillRect(x, y, cell, cell);
    if (cell >= 14) drawPadlock(pen, x + cell * 0.3, y + cell * 0.3, cell * 0.4);
  }
}

/** Draws all grids, one below the other. @param {Part[]} layout @param {GridModel} model @returns {Promise<Blob>} */
export function toPicture(layout, model) {
  const parts = layout.map((part) => paint(part, model));
  const gap = 24;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(...parts.map(({ width }) => width));
  canvas.height = parts.reduce((sum, { height }) => sum + height + gap, -gap);
  const pen = canvas.getContext('2d');
  let top = 0;
  for (const part of parts) {
    pen?.drawImage(part, 0, top);
    top += part.height + gap;
  }
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png');
  });
}
