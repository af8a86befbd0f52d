/** Draws the cells as a picture, for PNG and films, and has the code that it shares with SVG. */

import { h } from './dom.js';
import { imageOf } from './figure.js';
import { barsFor, DARK, drawStrokes, hasMoved, LIGHT, MOVED, outlineOf, padlock } from './marks.js';

/** @typedef {import('./grid.js').GridModel} GridModel */
/** @typedef {import('../scenes/layout.js').Part} Part */
/** The grids of a run, with its name if there are two. @typedef {{ name: string | null, model: GridModel }} Pane */

/** The approximate width of a grid, the space between grids, and the height of a line of names. */
export const WIDTH = 1024;
export const GAP = 24;
export const LINE = 56;

/**
 * Returns the positions of a run's grids: in rows, like words, in about a square.
 * @param {readonly { width: number, height: number }[]} sizes in pixels
 * @param {number} gap
 */
export function arrange(sizes, gap) {
  const area = sizes.reduce((sum, { width, height }) => sum + width * height, 0);
  const room = Math.max(1.35 * Math.sqrt(area), ...sizes.map(({ width }) => width));
  let [left, top, right, bottom] = [0, 0, 0, 0];
  const positions = sizes.map(({ width, height }) => {
    if (left > 0 && left + width > room) [left, top] = [0, bottom + gap];
    const position = { left, top };
    [right, bottom] = [Math.max(right, left + width), Math.max(bottom, top + height)];
    left += width + gap;
    return position;
  });
  return { positions, width: right, height: bottom };
}

/** Returns the size of a name's letters in a line above its grids. @param {string} name @param {number} wide @param {number} line the height */
export const sizeOfName = (name, wide, line) => Math.min(line * 0.6, wide / (0.7 * name.length));

/** Draws names of runs, each above its grids. @param {CanvasRenderingContext2D} pen @param {readonly Pane[]} panes @param {number} wide of a run's grids @param {number} line the height @param {number} gap */
function drawNames(pen, panes, wide, line, gap) {
  for (const [n, { name }] of panes.entries()) {
    if (name === null) continue;
    pen.font = `600 ${sizeOfName(name, wide, line)}px system-ui, sans-serif`;
    pen.lineJoin = 'round';
    pen.lineWidth = line / 8;
    pen.strokeStyle = LIGHT;
    pen.strokeText(name, n * (wide + gap), line * 0.66);
    pen.fillStyle = DARK;
    pen.fillText(name, n * (wide + gap), line * 0.66);
  }
}

/** @param {Part} part @param {GridModel} model @param {number} side the longest, in pixels @returns {HTMLCanvasElement} */
function paint(part, model, side) {
  const { rows, cols, offset } = part;
  const { values, reach, palette } = model;
  const small = imageOf(values.subarray(offset, offset + rows * cols), cols, reach, palette);
  const share = side / Math.max(rows, cols);
  // Of a grid with more cells than pixels, some are left out.
  const cell = share < 1 ? share : Math.floor(share);
  const canvas = h('canvas', { width: Math.round(cols * cell), height: Math.round(rows * cell) });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  pen.imageSmoothingEnabled = false;
  pen.drawImage(small, 0, 0, canvas.width, canvas.height);
  if (cell >= 1) drawMarks(pen, part, model, cell);
  return canvas;
}

/** Draws outline and padlocks of locked cells, dots in those that have moved, and bars of steps that a mask lets happen. @param {CanvasRenderingContext2D} pen @param {Part} part @param {GridModel} model @param {number} cell its side in pixels */
function drawMarks(pen, part, model, cell) {
  const { rows, cols, offset } = part;
  const lock = padlock('rgb(255 255 255 / 0.85)');
  const side = cell * 0.4;
  drawStrokes(pen, outlineOf(part, model.mask, cell));
  pen.lineJoin = 'round';
  for (let i = 0; i < rows * cols; i++) {
    if (!model.mask[offset + i]) continue;
    const [x, y] = [(i % cols) * cell + cell * 0.3, Math.floor(i / cols) * cell + cell * 0.3];
    pen.fillStyle = MOVED;
    if (hasMoved(model, offset + i)) pen.fillRect(x, y, side, side);
    // In smaller cells padlocks would hide values.
    if (hasMoved(model, offset + i) || cell < 14) continue;
    pen.setTransform(side / 16, 0, 0, side / 16, x, y);
    drawStrokes(pen, lock);
    pen.resetTransform();
  }
  const bars = barsFor(part, model, cell);
  if (!bars) return;
  pen.scale(bars.scale, bars.scale);
  drawStrokes(pen, bars.strokes);
}

/** Draws all grids, and two runs side by side. @param {Part[]} layout @param {readonly Pane[]} panes @param {number} [side] the longest of a grid, in pixels */
export function toCanvas(layout, panes, side = WIDTH) {
  const runs = panes.map(({ model }) => layout.map((part) => paint(part, model, side)));
  const gap = Math.round((GAP * side) / WIDTH);
  const line = panes.length > 1 ? Math.max(24, Math.round((LINE * side) / WIDTH)) : 0;
  const { positions, width, height } = arrange(runs[0], gap);
  const wide = runs.length * (width + gap) - gap;
  const canvas = h('canvas', { width: wide, height: line + height });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  drawNames(pen, panes, width, line, gap);
  for (const [n, parts] of runs.entries())
    for (const [i, part] of parts.entries())
      pen.drawImage(part, n * (width + gap) + positions[i].left, line + positions[i].top);
  return canvas;
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
export const toPng = (canvas) =>
  new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png');
  });
