/**
 * Our own small pictures, as functions of u to the right and v downwards, 0 to 1 each. Values are
 * the grid's: −1 is the scale's orange end, +1 its blue end. `draw` samples them for any grid.
 */

import { cos, exp, hypot, sin } from './maths.js';

/** @typedef {(u: number, v: number) => number} Picture */

/** The samples per cell and direction, for smooth edges; fine grids need fewer. */
const samplesFor = (/** @type {number} */ side) => (side <= 64 ? 4 : side <= 256 ? 2 : 1);

/** 1 inside, 0 outside, with a soft edge. @param {number} distance from the edge, negative inside */
const inside = (distance) => Math.min(1, Math.max(0, 0.5 - distance * 60));

/** @param {number} x */
const bump = (x) => exp(-Math.min(600, x * x));

/** @param {number} x */
const cube = (x) => x * x * x;

/** @param {number} under @param {number} over @param {number} cover 0..1 */
const paint = (under, over, cover) => under + (over - under) * cover;

/** @type {Picture} An evening: sky, sun, its reflection on the sea, two hills. */
function evening(u, v) {
  const horizon = 0.64;
  if (v > horizon) {
    const depth = (v - horizon) / (1 - horizon);
    const path = inside(Math.abs(u - 0.62) - 0.05 - 0.1 * depth - 0.02 * sin(depth * 34));
    const ripple = 0.1 * sin(depth * 40 + 9 * u);
    return paint(0.85 + ripple * (1 - depth), -0.72 + 0.3 * depth, path);
  }
  const sun = hypot(u - 0.62, v - 0.4) - 0.17;
  let value = paint(0.5 - 0.62 * v, -0.3, exp(-Math.max(0, sun) * 7) * 0.8);
  value = paint(value, -0.95, inside(sun));
  const far = 0.57 - 0.13 * bump((u - 0.12) / 0.2) - 0.05 * bump((u - 0.98) / 0.14);
  return paint(value, 0.98, inside(far - v));
}

/** @type {Picture} A heart: (x² + y² − 1)³ = x² y³. */
function heart(u, v) {
  const x = (u - 0.5) * 2.7;
  const y = (0.46 - v) * 2.7;
  const body = cube(x * x + y * y - 1) - x * x * cube(y);
  const shine = 0.35 * bump((x + 0.5) / 0.28) * bump((y - 0.55) / 0.24);
  return paint(0.55 - 0.35 * v, -0.92 + shine, inside(body * 0.16));
}

/** @type {Picture} Rings on water from two stones. */
function ripples(u, v) {
  const wave = (/** @type {number} */ x, /** @type {number} */ y) => {
    const radius = hypot(u - x, v - y);
    return cos(radius * 38) / (1 + 2.4 * radius);
  };
  return Math.max(-1, Math.min(1, 0.8 * (wave(0.3, 0.36) + wave(0.74, 0.68))));
}

/** @type {Picture} The same view at night: moon and stars over a dark sea. */
function night(u, v) {
  const horizon = 0.64;
  const moon = hypot(u - 0.3, v - 0.24) - 0.1;
  const shadow = hypot(u - 0.35, v - 0.21) - 0.09;
  const crescent = inside(moon) * (1 - inside(shadow));
  if (v > horizon) {
    const depth = (v - horizon) / (1 - horizon);
    const path = inside(Math.abs(u - 0.3) - 0.03 - 0.08 * depth - 0.02 * sin(depth * 34));
    return paint(0.98 - 0.1 * depth, -0.2, 0.7 * path);
  }
  let value = paint(0.95, 0.7, v / horizon);
  for (const [x, y] of [
    [0.62, 0.14],
    [0.8, 0.3],
    [0.52, 0.36],
    [0.9, 0.1],
    [0.12, 0.42],
  ])
    value = paint(value, -0.1, bump(hypot(u - x, v - y) / 0.025));
  value = paint(value, -0.75, crescent);
  const far = 0.57 - 0.13 * bump((u - 0.12) / 0.2) - 0.05 * bump((u - 0.98) / 0.14);
  return paint(value, 1, inside(far - v));
}

/** @type {Record<string, Picture>} */
export const pictures = { evening, night, heart, ripples };

/**
 * Returns a picture on a grid; a grid that is not square shows the picture's middle square.
 * @param {string} name of `pictures`
 * @param {number} rows
 * @param {number} cols
 */
export function draw(name, rows, cols) {
  const picture = /** @type {Picture} */ (pictures[name]);
  const side = Math.min(rows, cols);
  const left = (cols - side) / 2;
  const top = (rows - side) / 2;
  const values = new Float32Array(rows * cols);
  const samples = samplesFor(side);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      let sum = 0;
      for (let s = 0; s < samples * samples; s++) {
        const u = (col - left + ((s % samples) + 0.5) / samples) / side;
        const v = (row - top + (Math.floor(s / samples) + 0.5) / samples) / side;
        sum += picture(u, v);
      }
      values[row * cols + col] = sum / (samples * samples);
    }
  }
  return values;
}
