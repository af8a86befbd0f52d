// Student's t, Fisher's F and chi-square distributions, in doubles: probabilities of the upper
// tail, and quantiles. A tail is a density times a continued fraction. The density is Loader's
// saddle-point form, which loses no digits where the degrees of freedom are many.
// Sources: Loader 2000, "Fast and Accurate Computation of Binomial Probabilities"; Abramowitz &
// Stegun 1964, 6.5.29 and 6.5.31; Didonato & Morris 1992, Algorithm 708, for the fraction of the
// beta function; Lentz 1976.
import { refuseRest } from '../base/arity.js';

/** Stirling's series has all digits of a double from here on. */
const STIRLING_FROM = 16;
const TINY = 1e-300;
const MOST_TERMS = 100_000;

/** log Γ(n + 1) less Stirling's log(√(2πn) (n/e)ⁿ), n above 0. @param {number} n */
const stirlingError = (n) => {
  let sum = 0;
  let at = n;
  for (; at < STIRLING_FROM; at++) sum += (at + 0.5) * Math.log1p(1 / at) - 1;
  const q = 1 / (at * at);
  const series = 1 / 12 - q * (1 / 360 - q * (1 / 1260 - q * (1 / 1680 - q * (1 / 1188))));
  return sum + series / at;
};

/**
 * x log(x / m) − d, without cancellation for small d.
 * @param {number} x
 * @param {number} m
 * @param {number} d x − m.
 */
const deviance = (x, m, d) => {
  if (!(Math.abs(d) < 0.1 * (x + m))) return x * Math.log(x / m) - d; // NaN too
  const v = d / (x + m);
  let sum = d * v;
  let term = 2 * x * v;
  for (let k = 3; ; k += 2) {
    term *= v * v;
    const next = sum + term / k;
    if (next === sum) return sum;
    sum = next;
  }
};

/**
 * A continued fraction b₀ + a₁ / (b₁ + a₂ / (b₂ + …)), by Lentz's method.
 * @param {number} b0
 * @param {(k: number) => readonly [a: number, b: number]} part From k = 1.
 */
const continuedFraction = (b0, part) => {
  let value = b0 || TINY;
  let c = value;
  let d = 0;
  for (let k = 1; k < MOST_TERMS; k++) {
    const [a, b] = part(k);
    d = 1 / (b + a * d || TINY);
    c = b + a / c || TINY;
    value *= c * d;
    if (Math.abs(c * d - 1) < 2 ** -52) break;
  }
  return value;
};

/** @typedef {{ below: number, above: number }} Split A probability and its complement. */

/** Where there is no distribution, as with degrees of freedom of 0 or less. @type {Split} */
const NONE = { below: Number.NaN, above: Number.NaN };

/** Incomplete gamma: the shares of Γ(a) below and above x. @param {number} a @param {number} x */
const gammaSplit = (a, x) => {
  if (!(a > 0)) return NONE;
  if (x <= 0) return { below: 0, above: 1 };
  if (x === Infinity) return { below: 1, above: 0 };
  const density = Math.exp(-stirlingError(a) - deviance(a, x, a - x)) / Math.sqrt(2 * Math.PI * a);
  if (x > a + 1) {
    const fraction = continuedFraction(x + 1 - a, (k) => [k * (a - k), x + 2 * k + 1 - a]);
    const above = (density * a) / fraction;
    return { below: 1 - above, above };
  }
  let sum = 1;
  for (let k = 1, term = x / (a + 1); term > sum * 2 ** -54; k++, term *= x / (a + k)) sum += term;
  return { below: density * sum, above: 1 - density * sum };
};

/**
 * The incomplete beta function: the share of B(a, b) below and above x; y is 1 − x, exactly.
 * @param {number} a @param {number} b @param {number} x @param {number} y
 * @returns {Split}
 */
const betaSplit = (a, b, x, y) => {
  if (!(a > 0 && b > 0)) return NONE;
  if (x <= 0) return { below: 0, above: 1 };
  if (y <= 0) return { below: 1, above: 0 };
  if (x * (a + b + 2) > a + 1) {
    const { below, above } = betaSplit(b, a, y, x);
    return { below: above, above: below };
  }
  const n = a + b;
  const stirling = stirlingError(n) - stirlingError(a) - stirlingError(b);
  // The smaller of x and y has the digits.
  const d = x < y ? a - n * x : n * y - b;
  const exponent = stirling - deviance(a, n * x, d) - deviance(b, n * y, -d);
  const density = Math.exp(exponent) * Math.sqrt((a * b) / (2 * Math.PI * n));
  const fraction = continuedFraction((a * (d + 1)) / (a + 1), (k) => {
    const at = a + 2 * k;
    const share = (k * (b - k) * x) / (at - 1);
    const bent = ((a + k) * (d + 1 + k * (1 + y))) / (at + 1);
    return [((a + k - 1) * (n + k - 1) * x * share) / (at - 1), k + share + bent];
  });
  const below = density / fraction;
  return { below, above: 1 - below };
};

/** @param {number} x @param {number} dof Infinity: normal. @returns {Split} */
const centre = (x, dof) =>
  dof === Infinity
    ? gammaSplit(0.5, (x * x) / 2)
    : betaSplit(0.5, dof / 2, 1 / (1 + dof / (x * x)), 1 / (1 + (x * x) / dof));

/** @param {number} x @param {number} dof */
const chi = (x, dof) => gammaSplit(dof / 2, x / 2);

/** @param {number} x @param {number} d1 @param {number} d2 Infinity: chi-square / d1. */
const fisher = (x, d1, d2) =>
  d2 === Infinity
    ? chi(x * d1, d1)
    : betaSplit(d1 / 2, d2 / 2, 1 / (1 + d2 / (d1 * x)), 1 / (1 + (d1 * x) / d2));

/** The quantile, bisected to the bit. @param {(x: number) => Split} split @param {number} level */
const invert = (split, level) => {
  if (!(level >= 0 && level <= 1) || split(1) === NONE) return Number.NaN;
  if (level === 0 || level === 1) return level === 0 ? 0 : Infinity;
  // The smaller of the two tails has the digits.
  const isBelow = (/** @type {number} */ x) => {
    const { below, above } = split(x);
    return level < 0.5 ? below < level : above > 1 - level;
  };
  let [low, high] = [-1022, 1023];
  while (high - low > 1) {
    const half = (low + high) >> 1;
    if (isBelow(2 ** half)) low = half;
    else high = half;
  }
  let [from, to] = [2 ** low, 2 ** high];
  for (;;) {
    const half = from + (to - from) / 2;
    if (half <= from || half >= to) return half;
    if (isBelow(half)) from = half;
    else to = half;
  }
};

/** Refuse what is no number, by its name. @param {Record<string, unknown>} given */
const expectNumbers = (given) => {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'number') continue;
    throw new TypeError(`${name} must be a number, got a value of type ${typeof value}`);
  }
};

/** P(|T| > t): the two-sided p value. @param {number} t @param {number} dof @param {[]} more */
export const studentTail = (t, dof, ...more) => {
  refuseRest('studentTail', 2, more);
  expectNumbers({ t, dof });
  return centre(Math.abs(t), dof).above;
};

/** The t with P(|T| ≤ t) = level. @param {number} level @param {number} dof @param {[]} more */
export const studentQuantile = (level, dof, ...more) => {
  refuseRest('studentQuantile', 2, more);
  expectNumbers({ level, dof });
  return invert((t) => centre(t, dof), level);
};

/** P(X > x) of chi-square. @param {number} x @param {number} dof @param {[]} more */
export const chiSquareTail = (x, dof, ...more) => {
  refuseRest('chiSquareTail', 2, more);
  expectNumbers({ x, dof });
  return chi(x, dof).above;
};

/** @param {number} level @param {number} dof @param {[]} more */
export const chiSquareQuantile = (level, dof, ...more) => {
  refuseRest('chiSquareQuantile', 2, more);
  expectNumbers({ level, dof });
  return invert((x) => chi(x, dof), level);
};

/** P(X > x) of F. @param {number} x @param {number} d1 @param {number} d2 @param {[]} more */
export const fisherTail = (x, d1, d2, ...more) => {
  refuseRest('fisherTail', 3, more);
  expectNumbers({ x, d1, d2 });
  return fisher(x, d1, d2).above;
};

/** @param {number} level @param {number} d1 @param {number} d2 @param {[]} more */
export const fisherQuantile = (level, d1, d2, ...more) => {
  refuseRest('fisherQuantile', 3, more);
  expectNumbers({ level, d1, d2 });
  return invert((x) => fisher(x, d1, d2), level);
};
