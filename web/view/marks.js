/**
 * Marks of cells as strokes, which a canvas and an SVG draw alike: dark with a light edge, so that
 * they show on any colour.
 */

import { svg } from './dom.js';

/** @typedef {import('./grid.js').GridModel} GridModel */
/** @typedef {import('../scenes/layout.js').Part} Part */

/** Their colours on light paper. */
export const LIGHT = '#fff';
export const DARK = '#1b1d21';
/** The colour of what a mask should have held, and of its next step. */
export const MOVED = '#7a2e63';
/** The largest cell that bars are made for; in a larger one they grow with it. */
const BAR_CELL = 36;
/** The steps with the shortest and the longest bar, in powers of ten of the colours' reach. */
const [SHORT, LONG] = [-5, -1];
/** The widest bar and its light edge, in CSS pixels. */
const [WIDEST, EDGE] = [3, 1];

/** A stroke along a path, which may be filled, too. @typedef {{ path: string, colour: string, width: number, isFilled?: boolean }} Stroke */

/** Returns a line on its wider edge. @param {string} path @param {number} line its width @param {number} edge its width @returns {Stroke[]} */
export const edged = (path, line, edge, light = LIGHT, dark = DARK) => [
  { path, colour: light, width: edge },
  { path, colour: dark, width: line },
];

/** Returns the padlock of the page's icons, in a 16 × 16 box. @param {string} [light] @returns {Stroke[]} */
export function padlock(light = LIGHT) {
  const paths = document.querySelectorAll('#icon-lock path');
  const [body, shackle] = Array.from(paths, (path) => path.getAttribute('d') ?? '');
  const drawn = (/** @type {string} */ colour, /** @type {number} */ extra) => [
    { path: shackle, colour, width: 1.7 + extra },
    { path: body, colour, width: 0.4 + extra, isFilled: true },
  ];
  return [...drawn(light, 2.4), ...drawn(DARK, 0)];
}

/** @param {CanvasRenderingContext2D} pen @param {Stroke[]} strokes */
export function drawStrokes(pen, strokes) {
  for (const { path, colour, width, isFilled } of strokes) {
    const drawn = new Path2D(path);
    Object.assign(pen, { strokeStyle: colour, fillStyle: colour, lineWidth: width });
    pen.stroke(drawn);
    if (isFilled) pen.fill(drawn);
  }
}

/** @param {Stroke[]} strokes */
export const toPaths = (strokes) =>
  strokes.map(({ path: d, colour: stroke, width, isFilled }) =>
    svg('path', { d, stroke, fill: isFilled ? stroke : 'none', 'stroke-width': width }),
  );

/** Returns true if a held cell has moved. @param {GridModel} model @param {number} i */
export const hasMoved = ({ values, mask, held }, i) =>
  held !== null && mask[i] === 1 && !Object.is(held[i], values[i]);

/** Returns a bar's length, relative to half of its cell. @param {number} size of the step, relative to the reach */
const lengthOf = (size) => {
  const share = (Math.log10(size) - SHORT) / (LONG - SHORT);
  return 0.3 + 0.65 * Math.max(0, Math.min(1, share));
};

/**
 * Returns thin bars at the left edge of cells: the step that the optimizer would still take on each
 * that a mask holds, if any. From the middle up is plus; the length is logarithmic.
 * @param {Float32Array} steps @param {number} cols @param {number} reach of the colours @param {number} cell its side
 * @param {string} [light] the colour of their edge @param {string} [dark] their colour
 */
export function barsOf(steps, cols, reach, cell, light = LIGHT, dark = MOVED) {
  const line = Math.max(1, Math.min(WIDEST, cell / 9));
  const bar = (/** @type {number} */ step, /** @type {number} */ i) => {
    const x = (i % cols) * cell + line / 2 + EDGE;
    const y = (Math.floor(i / cols) + 0.5) * cell;
    return `M${x} ${y}v${(-Math.sign(step) * cell * lengthOf(Math.abs(step) / reach)) / 2}`;
  };
  const path = Array.from(steps, (step, i) => (step ? bar(step, i) : '')).join('');
  return edged(path, line, line + 2 * EDGE, light, dark);
}

/** Returns the bars of a grid in an export, to be scaled by `scale`; null without a mask. @param {Part} part @param {GridModel} model @param {number} cell its side in pixels */
export function barsFor({ rows, cols, offset }, { next, reach }, cell) {
  if (!next) return null;
  const side = Math.min(cell, BAR_CELL);
  const steps = next.subarray(offset, offset + rows * cols);
  return { strokes: barsOf(steps, cols, reach, side), scale: cell / side };
}

/** Returns the outline of a grid's regions of locked cells; of scattered cells of a pixel, which it would hide, none. @param {Pick<Part, 'rows' | 'cols' | 'offset'>} part @param {Uint8Array} mask @param {number} cell its side in pixels @param {...string} colours of its edge and of it */
export function outlineOf({ rows, cols, offset }, mask, cell, ...colours) {
  const is = (/** @type {number} */ row, /** @type {number} */ col) =>
    row >= 0 && row < rows && col >= 0 && col < cols && mask[offset + row * cols + col] === 1;
  let path = '';
  let count = 0;
  for (let row = 0; row <= rows; row++) {
    for (let col = 0; col <= cols; col++) {
      const here = is(row, col);
      const at = `M${col * cell} ${row * cell}`;
      const [isTop, isLeft] = [here !== is(row - 1, col), here !== is(row, col - 1)];
      if (isTop) path += `${at}h${cell}`;
      if (isLeft) path += `${at}v${cell}`;
      count += Number(isTop) + Number(isLeft);
    }
  }
  const thick = Math.min(4, cell / 8);
  const line = Math.max(1, thick);
  const isHiding = cell < 2 && 4 * count > rows * cols;
  return count === 0 || isHiding ? [] : edged(path, line, line + thick, ...colours);
}
