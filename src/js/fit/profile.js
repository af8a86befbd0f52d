// The profile of a parameter: the smallest chi square for each of its values, all else fitted
// anew. tau is the root of the rise of chi square, in units of an error; an interval ends where
// tau is t. A number is an end only if a fit there has shown it.
// Sources: Bates & Watts 1988, "Nonlinear Regression Analysis and Its Applications", 6.1.2. Roots
// by false position with halved weights (Dowell & Jarratt 1971, "Illinois").
import { Refits } from './refits.js';

/** @import { Problem } from './problem.js' */
/** @import { Range } from './parameters.js' */
/** @import { Point } from './refits.js' */
/** @typedef {Float64Array<ArrayBuffer>} Column */
/**
 * A fit that is lower than the one profiled, which was a local minimum.
 * @typedef {object} BetterFit
 * @property {number} chiSquare
 * @property {Record<string, number>} values By names, of ties too: starts for a new fit.
 */
/**
 * @typedef {object} Profile
 * @property {number[]} values The parameter's values, in order.
 * @property {number[]} chiSquares The smallest chi square found for each.
 * @property {[low: number, high: number]} interval On each side the first point where chi square
 *   has risen by t², or a bound, if that comes first. Infinite if chi square has risen less even
 *   1/√ε times as far away as the value or its error is large: 7e7 times in f64, 3e3 in f32. NaN if
 *   the end was not found; `message` says why.
 * @property {number} level The confidence level.
 * @property {string} message Why an end is NaN; empty if none is.
 * @property {BetterFit} [better] Met if chi square falls below the fit's. Both ends are NaN.
 */
/**
 * @internal
 * @typedef {object} ProfileOptions
 * @property {Column} best The elements where the fit ended.
 * @property {readonly number[]} locked Indices of those that are known.
 * @property {number} index The parameter's.
 * @property {number[]} errors Of all elements; 0 where there is none.
 * @property {number} unit What chi square is counted in: reduced chi square, or 1.
 * @property {number} chiSquare
 * @property {number} t
 * @property {number} level
 * @property {number | undefined} steps
 * @property {number} epsilon The distance from 1 to the next number of the instance.
 */
/** @typedef {{ end: number, message?: string }} End */

/** A walk's first step, and the rise of tau that its later ones aim at, as a part of t. */
const PART = 1 / 4;
const MOST_GROWTH = 4;
/** As a part of the way walked. */
const LEAST_STEP = 1e-3;
const MOST_WALKED = 200;
const MOST_REFINED = 100;

/** @param {Problem} problem @param {ProfileOptions} of @returns {Profile} */
export const profile = (problem, of) => {
  const { best, chiSquare, index, level } = of;
  const range = /** @type {Range} */ (problem.parameters.ranges[index]);
  const refits = new Refits(problem, of);
  try {
    const value = Number(best[index]);
    const middle = { value, chiSquare, tau: 0, at: best, hasConverged: true };
    refits.lower(middle);
    const low = walk(refits, middle, -1, range.min, of);
    const high = refits.better ? low : walk(refits, middle, 1, range.max, of);
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
 * From the fit outward, until tau is t.
 * @param {Refits} refits
 * @param {Point} middle
 * @param {-1 | 1} side
 * @param {number} edge The bound on that side.
 * @param {ProfileOptions} of
 * @returns {End}
 */
const walk = (refits, middle, side, edge, of) => {
  const { epsilon, errors, index, t } = of;
  const error = Number(errors[index]);
  const { at: best, value: from } = middle;
  const far = Math.max(Math.abs(from), error) / Math.sqrt(epsilon);
  let [before, last] = [middle, middle];
  /** The last point where tau changed. */
  let steep = middle;
  const isFlat = () =>
    steep !== middle && Math.abs(last.value - from) >= 2 * Math.abs(steep.value - from);
  let step = Math.max(t * error * PART, 4 * epsilon * Math.abs(from));
  for (let k = 0; k < MOST_WALKED; k++) {
    const next = last.value + side * step;
    const value = refits.round(side < 0 ? Math.max(edge, next) : Math.min(edge, next));
    if (value === refits.round(edge) && value === last.value) return { end: edge };
    const near = [...ahead(before, last, value), last.at];
    let point = refits.at(value, near);
    const isLeap = !point || point.tau > last.tau + 2 * PART * t;
    if (isLeap) point = refits.at(value, [...near, best], true);
    if (point && point.tau >= t) {
      const end = refine(refits, last, point, of);
      point = end && refits.lower(end);
      // Elsewhere it is lower, so that tau is not yet t.
      if (point && point.tau >= t - closeness(of)) return { end: point.value };
    }
    if (refits.better) break;
    if (!point) {
      step /= MOST_GROWTH;
      if (step > LEAST_STEP * Math.abs(last.value - from || step)) continue;
      // A model that overflows beyond is flat before.
      if (isFlat()) return { end: side * Infinity };
      break;
    }
    if (Math.abs(point.value - from) > far) return { end: side * Infinity };
    if (point.hasConverged && Math.abs(point.tau - steep.tau) > closeness(of)) steep = point;
    const growth = (PART * t) / Math.max(point.tau - last.tau, 0);
    step = Math.abs(point.value - last.value) * Math.min(MOST_GROWTH, Math.max(0.5, growth));
    [before, last] = [last, point];
  }
  return { end: Number.NaN, message: `no fit converges beyond ${last.value}` };
};

/** How near tau must be to t. @param {ProfileOptions} of */
const closeness = ({ epsilon, t }) => Math.max(1e-6, 1024 * epsilon) * t;

/**
 * Where tau is t, between two points; undefined if fits fail.
 * @param {Refits} refits
 * @param {Point} inner
 * @param {Point} outer
 * @param {ProfileOptions} of
 */
const refine = (refits, inner, outer, of) => {
  const { t } = of;
  let [low, high] = [inner.tau - t, outer.tau - t];
  let side = 0;
  for (let k = 0; k < MOST_REFINED; k++) {
    const width = outer.value - inner.value;
    let value = refits.round(inner.value + (low / (low - high)) * width);
    if (value === inner.value || value === outer.value) {
      value = refits.round(inner.value + width / 2);
      // No number is between them: chi square leaps, or what is lower goes on.
      if (value === inner.value || value === outer.value) {
        return refits.at(outer.value, [inner.at, outer.at], true);
      }
    }
    const point = refits.at(value, [follow(inner, outer, value), inner.at, outer.at], true);
    if (!point || refits.better) return undefined;
    const off = point.tau - t;
    if (point.hasConverged && Math.abs(off) <= closeness(of)) return point;
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

/** The others at a value, linearly. @param {Point} a @param {Point} b @param {number} value */
const follow = (a, b, value) => {
  const share = (value - b.value) / (b.value - a.value || 1);
  return b.at.map((own, i) => own + share * (own - Number(a.at[i])));
};

/**
 * Where the others may be beyond two points: on a line, or on a power of the value, for far ones.
 * @param {Point} a @param {Point} b @param {number} value
 */
const ahead = (a, b, value) => {
  const power = Math.log(value / b.value) / Math.log(b.value / a.value);
  return [follow(a, b, value), b.at.map((own, i) => own * (own / Number(a.at[i])) ** power)];
};
