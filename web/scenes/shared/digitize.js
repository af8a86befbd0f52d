/**
 * Turns strokes into an 8×8 image as UCI's digits were made: the drawing is scaled to the height of
 * a 32×32 bitmap, and the marked dots are counted in each block of 4×4. Does not use the DOM.
 */

/** The sides of the bitmap and of the image. */
const FINE = 32;
const SIDE = 8;
const BLOCK = FINE / SIDE;
/** Half the width of a stroke, and the margin around the drawing, in dots. */
const NIB = 1.9;
/** The largest enlargement of small drawings. */
const MOST = 4;

/** A line through points, as x, y, x, y, …, 0 to 1. @typedef {number[]} Stroke */

/** Returns the squared distance of a point from a segment. @param {number} x @param {number} y @param {number[]} segment */
function distance(x, y, [ax, ay, bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return (ax + t * dx - x) ** 2 + (ay + t * dy - y) ** 2;
}

/** Returns strokes in dots of the bitmap, centred and scaled to its size. @param {Stroke[]} strokes */
function fit(strokes) {
  const xs = strokes.flatMap((stroke) => stroke.filter((_, i) => i % 2 === 0));
  const ys = strokes.flatMap((stroke) => stroke.filter((_, i) => i % 2 === 1));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const size = Math.max(right - left, bottom - top) * FINE;
  const scale = FINE * Math.min(MOST, size > 0 ? (FINE - 2 * NIB) / size : 1);
  const middle = [(left + right) / 2, (top + bottom) / 2];
  return strokes.map((stroke) =>
    stroke.map((value, i) => (value - middle[i % 2]) * scale + FINE / 2),
  );
}

/** @param {Stroke[]} strokes @returns {Float32Array} 64 brightnesses, 0 to 1, row by row */
export function imageOf(strokes) {
  const image = new Float32Array(SIDE * SIDE);
  const drawn = strokes.filter((stroke) => stroke.length >= 2);
  if (!drawn.length) return image;
  const segments = fit(drawn).flatMap((stroke) =>
    Array.from({ length: Math.max(1, stroke.length / 2 - 1) }, (_, i) => [
      stroke[2 * i],
      stroke[2 * i + 1],
      stroke[2 * i + 2] ?? stroke[2 * i],
      stroke[2 * i + 3] ?? stroke[2 * i + 1],
    ]),
  );
  for (let y = 0; y < FINE; y++) {
    for (let x = 0; x < FINE; x++) {
      if (!segments.some((segment) => distance(x + 0.5, y + 0.5, segment) <= NIB * NIB)) continue;
      image[Math.floor(y / BLOCK) * SIDE + Math.floor(x / BLOCK)] += 1 / (BLOCK * BLOCK);
    }
  }
  return image;
}
