// Fits of a profile: one parameter is locked at a value, all else is fitted anew. They run on a
// variable of their own, and start from what was found nearby.
import { roundingOf } from './data.js';
import { minimize, minimizer } from './problem.js';

/** @import { Range } from './parameters.js' */
/** @import { Problem } from './problem.js' */
/** @import { BetterFit, ProfileOptions } from './profile.js' */
/** @typedef {Float64Array<ArrayBuffer>} Column */
/**
 * @typedef {object} Point
 * @property {number} value
 * @property {number} chiSquare
 * @property {number} tau
 * @property {Column} at
 * @property {boolean} hasConverged
 */

/** Starts that look for a lower minimum. */
const GROUPS = 16;
const GROUP = 16;
const FEW_STEPS = 20;
const CONVERGED = ['gradient', 'change', 'resolution', 'locked'];

export class Refits {
  #problem;
  #of;
  #variable;
  #minimizer;

  /** @param {Problem} problem @param {ProfileOptions} of */
  constructor(problem, of) {
    const { g } = problem;
    this.#problem = problem;
    this.#of = of;
    /** A value as the instance has it. */
    this.round = roundingOf(g);
    /** @type {Point[]} */
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

  /**
   * The lowest fit at a value. One with tau below t shows that the minimum has, whatever ended it;
   * above, it must have converged. Undefined if it has not.
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
    let lowest;
    for (const { start } of measured) {
      const point = this.#fit(start, this.#of.steps);
      if (!lowest || this.#rank(point) < this.#rank(lowest)) lowest = point;
      if (this.better || (!isThorough && this.#isSound(lowest))) break;
    }
    if (!lowest || !this.#isSound(lowest)) return undefined;
    this.points.push(lowest);
    return lowest;
  }

  /** The lowest fit at a point's value, also from scattered starts. @param {Point} point */
  lower(point) {
    let { at, chiSquare } = point;
    for (let group = 0; group < GROUPS; group++) {
      const starts = Array.from({ length: GROUP }, (_, k) =>
        this.#start(point.value, this.#scatter(point.at, group * GROUP + k + 1)),
      );
      const { start } = starts.reduce((a, b) => (b.chiSquare < a.chiSquare ? b : a));
      const found = this.#fit(start, FEW_STEPS);
      if (found.chiSquare < chiSquare - this.#slack) ({ at, chiSquare } = found);
    }
    return at === point.at ? point : this.at(point.value, [at]);
  }

  /** The k-th point of Kronecker's sequence around one. @param {Column} at @param {number} k */
  #scatter(at, k) {
    return at.map((own, i) => {
      const draw = 2 * ((k * Math.sqrt(i + 2.5)) % 1) - 1;
      if (k % 3 > 0) return own * Math.exp((k % 3 > 1 ? 3 : 0.5) * draw);
      return own + 1.5 * draw * Math.max(Math.abs(own), Number(this.#of.errors[i]));
    });
  }

  /** Less than half the digits of an error's unit is rounding, or the last step of a fit. */
  get #slack() {
    const { chiSquare, epsilon, unit } = this.#of;
    return 16 * Math.sqrt(epsilon) * unit + 64 * epsilon * chiSquare;
  }

  /** @param {Point} point */
  #isSound({ hasConverged, tau }) {
    return hasConverged || tau < this.#of.t;
  }

  /** Of two that are the same but for rounding, one that converged. @param {Point} point */
  #rank({ chiSquare, hasConverged }) {
    return hasConverged ? chiSquare - this.#slack : chiSquare;
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
    return { start, chiSquare: this.#run(start, 0).chiSquare };
  }

  /** @param {Column} start @param {number} [steps] */
  #run(start, steps) {
    this.#variable.assign(/** @type {any} */ (start), { force: true });
    const { chiSquare, stopReason } = this.#minimizer.run(steps === undefined ? {} : { steps });
    return { chiSquare: Number.isNaN(chiSquare) ? Infinity : chiSquare, stopReason };
  }

  /** @param {Column} start @param {number} [steps] @returns {Point} */
  #fit(start, steps) {
    const { chiSquare: base, index, unit } = this.#of;
    const { chiSquare, stopReason } = this.#run(start, steps);
    const at = Float64Array.from(this.#variable.data());
    if (chiSquare < base - this.#slack) this.better ??= this.#improve(at);
    const tau = Math.sqrt(Math.max(0, chiSquare - base) / unit);
    const hasConverged = CONVERGED.includes(stopReason);
    return { value: Number(at[index]), chiSquare, tau, at, hasConverged };
  }

  /** Fit all that is free, from a point that is lower than the fit. @param {Column} from */
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
