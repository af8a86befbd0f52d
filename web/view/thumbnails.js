/**
 * Small pictures of runs, for cards of scenes. The frames were recorded from the library's own runs
 * (tests/web/thumbnails.js) and are loaded when they are first shown.
 *
 * A picture has cells, a byte each: a level of the palette, or 255 for a gap. Or it has points, two
 * bytes each, x to the right and y down; some are joined by lines, some are dots.
 *
 * @typedef {{ frames: string[], held: number[] }} Recorded  frames in base64, and held cells or dots
 * @typedef {Recorded & { cols: number }} Cells
 * @typedef {Recorded & { dots: [from: number, to: number], lines: number[][],
 *   dashed: number }} Points  a line joins points in their order; the first `dashed` lines are dashed
 */

import { part } from '../scenes/shared/part.js';
import { fromText } from '../state/codec.js';
import { token } from './dom.js';
import { drawStrokes, outlineOf } from './marks.js';

/** Returns what was recorded, by scene. @returns {Promise<Record<string, Cells | Points>>} */
export async function loadThumbnails() {
  const { files } = await part(import('../scenes/find-thumbnails.js'));
  const entries = Object.entries(files).map(([path, file]) => [path.split('/')[1], file.default]);
  return Object.fromEntries(entries);
}

const GAP = 255;

/** The margin of pictures of points, in pixels. */
const MARGIN = 8;

/**
 * Draws a frame over the whole canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {Cells | Points} thumbnail
 * @param {number} at  the frame
 * @param {import('gradlock/grid').Palette} palette
 */
export function drawThumbnail(canvas, thumbnail, at, palette) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  pen.scale(scale, scale);
  const bytes = /** @type {Uint8Array} */ (fromText(thumbnail.frames[at]));
  if ('cols' in thumbnail) drawCells(pen, width, height, thumbnail, bytes, palette);
  else drawPoints(pen, width, height, thumbnail, bytes);
}

/** @param {CanvasRenderingContext2D} pen @param {number} width @param {number} height @param {Cells} cells @param {Uint8Array} bytes @param {import('gradlock/grid').Palette} palette */
function drawCells(pen, width, height, { cols, held }, bytes, palette) {
  const rows = bytes.length / cols;
  // Whole device pixels: between cells there are no seams.
  const unit = Math.min(width / cols, height / rows);
  const [left, top] = [(width - unit * cols) / 2, (height - unit * rows) / 2];
  const edge = (/** @type {number} */ n, /** @type {number} */ from) => Math.round(from + n * unit);
  for (const [i, level] of bytes.entries()) {
    if (level === GAP) continue;
    const [row, col] = [Math.floor(i / cols), i % cols];
    const [x, y] = [edge(col, left), edge(row, top)];
    pen.fillStyle = palette.css[level];
    pen.fillRect(x, y, edge(col + 1, left) - x, edge(row + 1, top) - y);
  }
  const mask = bytes.map((_, i) => Number(held.includes(i)));
  pen.translate(left, top);
  drawStrokes(pen, outlineOf({ rows, cols, offset: 0 }, mask, unit));
}

/** @param {CanvasRenderingContext2D} pen @param {number} width @param {number} height @param {Points} points @param {Uint8Array} bytes */
function drawPoints(pen, width, height, { dots, lines, dashed, held }, bytes) {
  const positionOf = (/** @type {number} */ point) => [
    MARGIN + (bytes[2 * point] / 255) * (width - 2 * MARGIN),
    MARGIN + (bytes[2 * point + 1] / 255) * (height - 2 * MARGIN),
  ];
  pen.lineJoin = 'round';
  for (const [n, line] of lines.entries()) {
    pen.beginPath();
    for (const point of line) pen.lineTo(.../** @type {[number, number]} */ (positionOf(point)));
    const isDashed = n < dashed;
    pen.setLineDash(isDashed ? [4, 3] : []);
    pen.strokeStyle = token(isDashed ? 'accent' : 'muted');
    pen.lineWidth = isDashed ? 2 : 1.5;
    pen.stroke();
  }
  pen.setLineDash([]);
  for (let point = dots[0]; point < dots[1]; point++) {
    const [x, y] = positionOf(point);
    const isHeld = held.includes(point);
    pen.beginPath();
    // What is held is a square, what is free a disc.
    if (isHeld) pen.rect(x - 3.5, y - 3.5, 7, 7);
    else pen.arc(x, y, 2.5, 0, 7);
    pen.fillStyle = token(isHeld ? 'ink' : 'muted');
    pen.fill();
  }
}
