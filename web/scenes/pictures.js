/**
 * Our own small pictures, as functions of the plane: u to the right and v downwards, both from 0 to 1 over the square.
 * Values are the grid's: −1 is the scale's orange end, +1 its blue end. `draw` samples them for a grid of any size.
 */

/** @typedef {(u: number, v: number) => number} Picture */

/** Samples per cell and direction, so that edges come out smooth. */
const SAMPLES = 4;

/** 1 inside, 0 outside, with a soft edge. @param {number} distance from the edge, negative inside */
const inside = (distance) => Math.min(1, Math.max(0, 0.5 - distance * 60));

/** @param {number} under @param {number} over @param {number} cover 0..1 */
const paint = (under, over, cover) => under + (over - under) * cover;

/** @type {Picture} An evening: sky, sun, its path on the sea, two hills. */
function evening(u, v) {
  const horizon = 0.64;
  if (v > horizon) {
    const depth = (v - horizon) / (1 - horizon);
    const path = inside(Math.abs(u - 0.62) - 0.05 - 0.1 * depth - 0.02 * Math.sin(depth * 34));
    const ripple = 0.1 * Math.sin(depth * 40 + 9 * u);
    return paint(0.85 + ripple * (1 - depth), -0.72 + 0.3 * depth, path);
  }
  const sun = Math.hypot(u - 0.62, v - 0.4) - 0.17;
  let value = paint(0.5 - 0.62 * v, -0.3, Math.exp(-Math.max(0, sun) * 7) * 0.8);
  value = paint(value, -0.95, inside(sun));
  const far =
    0.57 -
    0.13 * Math.exp(-(((u - 0.12) / 0.2) ** 2)) -
    0.05 * Math.exp(-(((u - 0.98) / 0.14) ** 2));
  return paint(value, 0.98, inside(far - v));
}

/** @type {Picture} A heart: (x² + y² − 1)³ = x² y³. */
function heart(u, v) {
  const x = (u - 0.5) * 2.7;
  const y = (0.46 - v) * 2.7;
  const body = (x * x + y * y - 1) ** 3 - x * x * y ** 3;
  const shine = 0.35 * Math.exp(-(((x + 0.5) / 0.28) ** 2) - ((y - 0.55) / 0.24) ** 2);
  return paint(0.55 - 0.35 * v, -0.92 + shine, inside(body * 0.16));
}

/** @type {Picture} Rings on water from two stones. */
function ripples(u, v) {
  const wave = (/** @type {number} */ x, /** @type {number} */ y) => {
    const radius = Math.hypot(u - x, v - y);
    return Math.cos(radius * 38) / (1 + 2.4 * radius);
  };
  return Math.max(-1, Math.min(1, 0.8 * (wave(0.3, 0.36) + wave(0.74, 0.68))));
}

/** @type {Record<string, Picture>} */
export const pictures = { evening, heart, ripples };

/**
 * A picture on a grid; where the grid is not square, the picture's middle square shows.
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
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      let sum = 0;
      for (let s = 0; s < SAMPLES * SAMPLES; s++) {
        const u = (col - left + ((s % SAMPLES) + 0.5) / SAMPLES) / side;
        const v = (row - top + (Math.floor(s / SAMPLES) + 0.5) / SAMPLES) / side;
        sum += picture(u, v);
      }
      values[row * cols + col] = sum / (SAMPLES * SAMPLES);
    }
  }
  return values;
}
