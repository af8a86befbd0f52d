/**
 * Sine, cosine, exponential and arc tangent from + − × ÷ and square roots, which all browsers round
 * alike. Math.sin and others may differ in the last bit between browsers, and a shared link must
 * not. Exact to about 1e−12, for the starts of scenes. Source: the functions' Taylor series.
 */

const HALF_PI = 1.5707963267948966;
const { LN2 } = Math;

/** Taylor series of sine (from = 1) or cosine (from = 0). @param {number} x |x| ≤ π/4 @param {number} from */
function series(x, from) {
  let term = from ? x : 1;
  let sum = term;
  for (let n = from + 2; n < 20; n += 2) {
    term *= (-x * x) / (n * (n - 1));
    sum += term;
  }
  return sum;
}

/** @param {number} x */
export function sin(x) {
  const quarter = Math.round(x / HALF_PI);
  const rest = x - quarter * HALF_PI;
  const turn = ((quarter % 4) + 4) % 4;
  const value = series(rest, turn % 2 ? 0 : 1);
  return turn < 2 ? value : -value;
}

/** @param {number} x */
export const cos = (x) => sin(x + HALF_PI);

/** @param {number} x |x| < 700 */
export function exp(x) {
  const doublings = Math.round(x / LN2);
  const rest = x - doublings * LN2;
  let term = 1;
  let sum = 1;
  for (let n = 1; n < 20; n++) {
    term *= rest / n;
    sum += term;
  }
  for (let n = 0; n < Math.abs(doublings); n++) sum *= doublings > 0 ? 2 : 0.5;
  return sum;
}

/** @param {number} x @param {number} y */
export const hypot = (x, y) => Math.sqrt(x * x + y * y);

/** Returns the angle of the point (x, y), −π..π. @param {number} y @param {number} x */
export function atan2(y, x) {
  if (x === 0 && y === 0) return 0;
  // Uses half the angle: tan(a/2) = sin a / (1 + cos a).
  const radius = hypot(x, y);
  if (x < 0 && Math.abs(y) < 1e-9 * radius) return y < 0 ? -2 * HALF_PI : 2 * HALF_PI;
  let t = y / (radius + x);
  for (let n = 0; n < 2; n++) t /= 1 + Math.sqrt(1 + t * t);
  let term = t;
  let sum = t;
  for (let n = 3; n < 60; n += 2) {
    term *= -t * t;
    sum += term / n;
  }
  return 8 * sum;
}
