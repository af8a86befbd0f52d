// Fits of a profile: one parameter is locked at a value, all else is fitted anew. They run on a
// variable of their own, and start from what was found nearby.
import { roundingOf } from './data.js';
import { minimize, minimizer } from './problem.js';

/** @typedef {import('./parameters.js').Range} Range */
/** @typedef {import('./problem.js').Problem} Problem */
/** @typedef {import('./profile.js').BetterFit} BetterFit */
/** @typedef {import('./profile.js').ProfileOptions} ProfileOptions */
/** @typedef {Float64Array<ArrayBuffer>} Column */
/** @typedef {{ value: number, chiSquare: number, tau: number, at: Column }} Point */

/** Starts that look for a lower minimum. */
const SCATTERED = 16;
const FEW_STEPS = 20;
const CONVERGED = ['gradient', 'change', 'resolution', 'locked'];

export class Refits {
  #problem;
  #of;
  #variable;
  #minimizer;
  #round;

  /** @param {Problem} problem @param {ProfileOptions} of */
  constructor(problem, of) {
    const { g } = problem;
    this.#problem = problem;
    this.#of = of;
    this.#round = roundingOf(g);
    /** All fits that succeeded. @type {Point[]} */
    this.points = [];
    /** Set when a fit is lower than the one profiled. @type {BetterFit | undefined} */
    this.better = undefined;
    this.#variable = g.variable(/** @type {any} */ (of.best));
    try {
      this.#variable.lock([...of.locked, of.index]);
      this.#minimizer = minimizer(problem, this.#variable);
    } catch (error) {
      this.#variable.dispose();
      throw error;
    }
  }

  /** A value as the instance has it. @param {number} value */
  round(value) {
    return this.#round(value);
  }

  /**
   * The lowest fit at a value; undefined if none converges, or one that does not is lower.
   * @param {number} value
   * @param {readonly ArrayLike<number>[]} starts For the other elements. The one that is lowest at
   *   once is fitted first.
   * @param {boolean} [isThorough] True: fit from all of them.
   * @returns {Point | undefined}
   */
  at(value, starts, isThorough = false) {
    const measured = starts.map((start) => this.#start(value, start));
    measured.sort((a, b) => a.chiSquare - b.chiSquare);
    /** @type {Point | undefined} */
    let best;
    let least = Infinity;
    for (const { start } of measured) {
      const { point, chiSquare } = this.#fit(start, this.#of.steps);
      if (point && chiSquare <= least) best = point;
      least = Math.min(least, chiSquare);
      if (this.better || (best && !isThorough)) break;
    }
    if (!best || least < best.chiSquare - this.#slack) return undefined;
    this.points.push(best);
    return best;
  }

  /**
   * The lowest fit at a point's value, also from starts scattered around it, evenly (Kronecker's
   * sequence): some by factors, some by errors.
   * @param {Point} point
   */
  lower(point) {
    const { errors } = this.#of;
    let { at, chiSquare } = point;
    for (let k = 1; k <= SCATTERED; k++) {
      const start = at.map((own, i) => {
        const draw = 2 * ((k * Math.sqrt(i + 2.5)) % 1) - 1;
        if (k % 3 > 0) return own * Math.exp(3 * draw);
        return own + 1.5 * draw * Math.max(Math.abs(own), Number(errors[i]));
      });
      const found = this.#fit(this.#start(point.value, start).start, FEW_STEPS);
      if (found.chiSquare < chiSquare - this.#slack) ({ at, chiSquare } = found);
    }
    return at === point.at ? point : this.at(point.value, [at]);
  }

  /** Less than half the digits of an error's unit is rounding, or the last step of a fit. */
  get #slack() {
    const { chiSquare, epsilon, unit } = this.#of;
    return 16 * Math.sqrt(epsilon) * unit + 64 * epsilon * chiSquare;
  }

  /** @param {number} value @param {ArrayLike<number>} given */
  #start(value, given) {
    const { best, index, locked } = this.#of;
    const { ranges } = this.#problem.parameters;
    const start = best.map((own, i) => {
      if (i === index) return value;
      const { min, max } = /** @type {Range} */ (ranges[i]);
      const other = Number(given[i]);
      if (locked.includes(i) || !Number.isFinite(other)) return own;
      return Math.min(max, Math.max(min, other));
    });
    const { chiSquare } = this.#run(start, 0);
    return { start, chiSquare: Number.isNaN(chiSquare) ? Infinity : chiSquare };
  }

  /** @param {Column} start @param {number | undefined} steps */
  #run(start, steps) {
    this.#variable.assign(/** @type {any} */ (start), { force: true });
    return this.#minimizer.run(steps === undefined ? {} : { steps });
  }

  /**
   * @param {Column} start
   * @param {number | undefined} steps
   * @returns {{ chiSquare: number, at: Column, point: Point | undefined }} A point if it converged.
   */
  #fit(start, steps) {
    const { chiSquare: base, index, unit } = this.#of;
    const { chiSquare, stopReason } = this.#run(start, steps);
    const at = Float64Array.from(this.#variable.data());
    if (chiSquare < base - this.#slack) this.better ??= this.#improve(at);
    const rise = chiSquare - base;
    const tau = rise > 0 ? Math.sqrt(rise / unit) : 0;
    const isFound = CONVERGED.includes(stopReason);
    const point = isFound ? { value: Number(at[index]), chiSquare, tau, at } : undefined;
    return { chiSquare: Number.isNaN(chiSquare) ? Infinity : chiSquare, at, point };
  }

  /** Fit all that is free, from a place that is lower than the fit. @param {Column} from */
  #improve(from) {
    const { g, parameters } = this.#problem;
    const variable = g.variable(/** @type {any} */ (from));
    try {
      variable.lock([...this.#of.locked]);
      const { chiSquare } = minimize(this.#problem, variable, {});
      return { chiSquare, values: parameters.at(variable) };
    } finally {
      variable.dispose();
    }
  }

  dispose() {
    this.#minimizer?.dispose();
    this.#variable.dispose();
  }
}
