// The profile of a parameter: the smallest chi square for each of its values, all else fitted
// anew. It is locked for that, on a variable of its own. The interval ends where chi square has
// risen by t².
// Source: Bates & Watts 1988, "Nonlinear Regression Analysis and Its Applications", 6.1.2.
import { chiSquareOf, evaluate, minimize } from './problem.js';

/** @typedef {import('./problem.js').Problem} Problem */
/**
 * @typedef {object} Profile
 * @property {number[]} values The parameter's values, in order.
 * @property {number[]} chiSquares The smallest chi square for each.
 * @property {[low: number, high: number]} interval Where chi square has risen by t²; a bound, if
 *   that comes first; infinite where it was not reached.
 * @property {number} level The confidence level.
 */
/** @typedef {{ value: number, chiSquare: number, tau: number }} Point */

const MOST_OUTWARD = 15;
const MOST_REFINED = 6;
const CLOSE = 1e-4;

/**
 * @param {Problem} problem
 * @param {object} of
 * @param {ArrayLike<number>} of.best The elements where the fit ended.
 * @param {readonly number[]} of.locked Indices of those that are known.
 * @param {number} of.index The parameter's.
 * @param {number} of.error
 * @param {number} of.unit What chi square is counted in: reduced chi square, or 1.
 * @param {number} of.chiSquare
 * @param {number} of.t
 * @param {number} of.level
 * @param {number} of.steps
 * @returns {Profile}
 */
export const profile = (problem, of) => {
  const { g, parameters } = problem;
  const { best, index, t, level } = of;
  const middle = Number(best[index]);
  const { min, max } = /** @type {import('./parameters.js').Range} */ (parameters.ranges[index]);
  const variable = g.variable(/** @type {any} */ (best));
  try {
    variable.lock([...of.locked, index]);
    /** Fit all else, from where the last one ended. @param {number} value @returns {Point} */
    const fitAt = (value) => {
      variable.fix(index, value);
      minimize(problem, variable, { steps: of.steps });
      const at = variable.data();
      const chiSquare = chiSquareOf(problem, evaluate(problem, problem.residuals, at));
      const tau = Math.sqrt(Math.max(0, chiSquare - of.chiSquare) / of.unit);
      return { value: Number(at[index]), chiSquare, tau };
    };
    /** @param {-1 | 1} side */
    const walk = (side) => {
      variable.assign(/** @type {any} */ (best), { force: true });
      const edge = side < 0 ? min : max;
      /** @type {Point[]} */
      const points = [];
      let last = { value: middle, chiSquare: of.chiSquare, tau: 0 };
      let asked = middle; // which the instance may round
      for (let k = 1; k <= MOST_OUTWARD && last.tau < t; k++) {
        const next = middle + (side * k * t * of.error) / 4;
        const value = side < 0 ? Math.max(edge, next) : Math.min(edge, next);
        if (value === asked) return { points, end: edge };
        asked = value;
        last = fitAt(value);
        points.push(last);
      }
      return { points, end: last.tau < t ? side * Infinity : refine(points) };
    };
    /** Where tau is t, between the last two points. @param {Point[]} points */
    const refine = (points) => {
      let outer = /** @type {Point} */ (points.at(-1));
      let inner = points.at(-2) ?? { value: middle, chiSquare: of.chiSquare, tau: 0 };
      let end = outer.value;
      for (let k = 0; k < MOST_REFINED; k++) {
        const share = (t - inner.tau) / (outer.tau - inner.tau);
        end = inner.value + share * (outer.value - inner.value);
        const found = fitAt(end);
        points.push(found);
        if (Math.abs(found.tau - t) <= CLOSE * t) break;
        if (found.tau > t) outer = found;
        else inner = found;
      }
      return end;
    };
    const [low, high] = [walk(-1), walk(1)];
    const middlePoint = { value: middle, chiSquare: of.chiSquare, tau: 0 };
    const all = [...low.points, middlePoint, ...high.points].sort((a, b) => a.value - b.value);
    return {
      values: all.map(({ value }) => value),
      chiSquares: all.map(({ chiSquare }) => chiSquare),
      interval: [low.end, high.end],
      level,
    };
  } finally {
    variable.dispose();
  }
};
