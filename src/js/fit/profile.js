// The likelihood profile of a parameter: for each of its values, the smallest chi square over all
// other parameters. tau is the square root of the rise of chi square divided by `unit`; the
// confidence interval ends where tau = t. Each end is confirmed by a fit at that value.
// Sources: Bates & Watts 1988, "Nonlinear Regression Analysis and Its Applications", 6.1.2. Roots
// by the Illinois method, a modified false position (Dowell & Jarratt 1971).
import { Refits } from './refits.js';

/** @import { Problem } from './problem.js' */
/** @import { Range } from './parameters.js' */
/** @import { Point } from './refits.js' */
/** @typedef {Float64Array<ArrayBuffer>} Column */
/**
 * A fit with a smaller chi square than the profiled one, which was a local minimum.
 * @typedef {object} BetterFit
 * @property {number} chiSquare
 * @property {Record<string, number>} values By name, tied ones too: start values for a new fit.
 */
/**
 * @typedef {object} Profile
 * @property {number[]} values The parameter's values, in order.
 * @property {number[]} chiSquares The smallest chi square found for each.
 * @property {[low: number, high: number]} interval On each side the first value where chi square
 *   has risen by t² times its unit: reduced chi square if errors are scaled, else 1. A bound, if it
 *   comes first. Infinite if chi square has risen less at 1/√ε times the value or its error, the
 *   larger one (1/√ε: 7e7 in f64, 3e3 in f32). NaN if no end was found; `message` says why.
 * @property {number} level The confidence level.
 * @property {string} message Why an end is NaN; empty if none is.
 * @property {BetterFit} [better] Set if chi square fell below the fit's. Then both ends are NaN.
 */
/**
 * @internal
 * @typedef {object} ProfileOptions
 * @property {Column} best The parameters where the fit ended.
 * @property {readonly number[]} locked Indices of the locked parameters.
 * @property {number} index The index of the profiled parameter.
 * @property {number[]} errors The standard errors of all parameters; 0 for none.
 * @property {number} unit Chi square is divided by it: reduced chi square, or 1.
 * @property {number} chiSquare
 * @property {number} t Student's quantile at `level`: |tau| at the ends of the interval.
 * @property {number} level
 * @property {number | undefined} steps The limit for each fit.
 * @property {number} epsilon The machine epsilon of the instance's precision.
 */
/** @typedef {{ end: number, message?: string }} End */

/** The rise of tau that a step aims at, as a fraction of t. */
const TAU_RISE = 1 / 4;
const MOST_GROWTH = 4;
/** As a fraction of the distance from the fit. */
const LEAST_STEP = 1e-3;
const MOST_POINTS = 200;
const MOST_ITERATIONS = 100;

/** @param {Problem} problem @param {ProfileOptions} options @returns {Profile} */
export const profile = (problem, options) => {
  const { best, chiSquare, index, level } = options;
  const range = /** @type {Range} */ (problem.parameters.ranges[index]);
  const refits = new Refits(problem, options);
  try {
    const value = Number(best[index]);
    const middle = { value, chiSquare, tau: 0, x: best, hasConverged: true };
    refits.searchLower(middle);
    const low = findEnd(refits, middle, -1, range.min, options);
    const high = refits.better ? low : findEnd(refits, middle, 1, range.max, options);
    const { better } = refits;
    const points = [middle, ...refits.points].sort((a, b) => a.value - b.value);
    const reasons = [low, high].flatMap(({ message }) => message ?? []);
    return {
      values: points.map((point) => point.value),
      chiSquares: points.map((point) => point.chiSquare),
      interval: better ? [Number.NaN, Number.NaN] : [low.end, high.end],
      level,
      message: better ? 'the fit is a local minimum: better is a lower one' : reasons.join('; '),
      ...(better && { better }),
    };
  } finally {
    refits.dispose();
  }
};

/**
 * Search one end of the interval: step outward from the fit until tau reaches t.
 * @param {Refits} refits
 * @param {Point} middle
 * @param {-1 | 1} side
 * @param {number} bound The bound on that side.
 * @param {ProfileOptions} options
 * @returns {End}
 */
const findEnd = (refits, middle, side, bound, options) => {
  const { epsilon, errors, index, t } = options;
  const error = Number(errors[index]);
  const { x: best, value: from } = middle;
  const farthest = Math.max(Math.abs(from), error) / Math.sqrt(epsilon);
  let [before, last] = [middle, middle];
  /** The last point where tau changed. */
  let steep = middle;
  const isFlat = () =>
    steep !== middle && Math.abs(last.value - from) >= 2 * Math.abs(steep.value - from);
  let step = Math.max(t * error * TAU_RISE, 4 * epsilon * Math.abs(from));
  for (let k = 0; k < MOST_POINTS; k++) {
    const next = last.value + side * step;
    const value = refits.round(side < 0 ? Math.max(bound, next) : Math.min(bound, next));
    if (value === refits.round(bound) && value === last.value) return { end: bound };
    const near = [...extrapolate(before, last, value), last.x];
    let point = refits.fitAt(value, near);
    const isJump = !point || point.tau > last.tau + 2 * TAU_RISE * t;
    if (isJump) point = refits.fitAt(value, [...near, best], true);
    if (point && point.tau >= t) {
      const end = refine(refits, last, point, options);
      point = end && refits.searchLower(end);
      // If searchLower found a lower chi square here, tau has not reached t yet.
      if (point && point.tau >= t - tolerance(options)) return { end: point.value };
    }
    if (refits.better) break;
    if (!point) {
      step /= MOST_GROWTH;
      if (step > LEAST_STEP * Math.abs(last.value - from || step)) continue;
      // Chi square was flat for half of the distance, and the model overflows beyond.
      if (isFlat()) return { end: side * Infinity };
      break;
    }
    if (Math.abs(point.value - from) > farthest) return { end: side * Infinity };
    if (point.hasConverged && Math.abs(point.tau - steep.tau) > tolerance(options)) steep = point;
    const growth = (TAU_RISE * t) / Math.max(point.tau - last.tau, 0);
    step = Math.abs(point.value - last.value) * Math.min(MOST_GROWTH, Math.max(0.5, growth));
    [before, last] = [last, point];
  }
  return { end: Number.NaN, message: `no fit converges beyond ${last.value}` };
};

/** How close tau must come to t. @param {ProfileOptions} options */
const tolerance = ({ epsilon, t }) => Math.max(1e-6, 1024 * epsilon) * t;

/**
 * The point between two others where tau = t; undefined if fits fail.
 * @param {Refits} refits
 * @param {Point} inner
 * @param {Point} outer
 * @param {ProfileOptions} options
 */
const refine = (refits, inner, outer, options) => {
  const { t } = options;
  let [low, high] = [inner.tau - t, outer.tau - t];
  let side = 0;
  for (let k = 0; k < MOST_ITERATIONS; k++) {
    const width = outer.value - inner.value;
    let value = refits.round(inner.value + (low / (low - high)) * width);
    if (value === inner.value || value === outer.value) {
      value = refits.round(inner.value + width / 2);
      // No float is between them: chi square jumps, or the inner minimum continues at outer.
      if (value === inner.value || value === outer.value) {
        return refits.fitAt(outer.value, [inner.x, outer.x], true);
      }
    }
    const point = refits.fitAt(value, [linear(inner, outer, value), inner.x, outer.x], true);
    if (!point || refits.better) return undefined;
    const off = point.tau - t;
    if (point.hasConverged && Math.abs(off) <= tolerance(options)) return point;
    if (off > 0) {
      if (side > 0) low /= 2;
      [outer, high] = [point, off];
    } else {
      if (side < 0) high /= 2;
      [inner, low] = [point, off];
    }
    side = off;
  }
  return undefined;
};

/** x on the line through a and b. @param {Point} a @param {Point} b @param {number} value */
const linear = (a, b, value) => {
  const share = (value - b.value) / (b.value - a.value || 1);
  return b.x.map((xi, i) => xi + share * (xi - Number(a.x[i])));
};

/**
 * Guesses of the other parameters beyond two points: on a line, and on a power of the value.
 * @param {Point} a @param {Point} b @param {number} value
 */
const extrapolate = (a, b, value) => {
  const power = Math.log(value / b.value) / Math.log(b.value / a.value);
  return [linear(a, b, value), b.x.map((xi, i) => xi * (xi / Number(a.x[i])) ** power)];
};
