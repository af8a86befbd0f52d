// The fits of a likelihood profile: one parameter is locked at a value, all others are fitted.
// They run on a variable of their own and start from the parameters found at nearby values.
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
 * @property {Column} x All parameters, also the profiled one.
 * @property {boolean} hasConverged
 */

/** searchLower fits the best start of each group. */
const GROUPS = 16;
const GROUP_SIZE = 16;
const FEW_STEPS = 20;
const CONVERGED = ['gradient', 'change', 'resolution', 'locked'];

export class Refits {
  #problem;
  #options;
  #variable;
  #minimizer;

  /** @param {Problem} problem @param {ProfileOptions} options */
  constructor(problem, options) {
    const { g } = problem;
    this.#problem = problem;
    this.#options = options;
    /** Rounds a value to the instance's precision. */
    this.round = roundingOf(g);
    /** @type {Point[]} */
    this.points = [];
    /** Set when a fit is lower than the profiled one. @type {BetterFit | undefined} */
    this.better = undefined;
    this.#variable = g.variable(/** @type {any} */ (options.best));
    try {
      this.#variable.lock([...options.locked, options.index]);
      this.#minimizer = minimizer(problem, this.#variable);
    } catch (error) {
      this.#variable.dispose();
      throw error;
    }
  }

  /**
   * The lowest fit at a value. If its tau is below t, so is the minimum's, even if the fit did not
   * converge. If not, the fit must have converged; undefined otherwise.
   * @param {number} value
   * @param {readonly ArrayLike<number>[]} starts Start values. Those with the smallest chi square
   *   are fitted first.
   * @param {boolean} [isThorough] True: fit from all starts.
   * @returns {Point | undefined}
   */
  fitAt(value, starts, isThorough = false) {
    const measured = starts.map((start) => this.#start(value, start));
    measured.sort((a, b) => a.chiSquare - b.chiSquare);
    /** @type {Point | undefined} */
    let lowest;
    for (const { start } of measured) {
      const point = this.#fit(start, this.#options.steps);
      if (!lowest || this.#rank(point) < this.#rank(lowest)) lowest = point;
      if (this.better || (!isThorough && this.#isSound(lowest))) break;
    }
    if (!lowest || !this.#isSound(lowest)) return undefined;
    this.points.push(lowest);
    return lowest;
  }

  /** The lowest fit at a point's value, also from scattered starts. @param {Point} point */
  searchLower(point) {
    let { x, chiSquare } = point;
    for (let group = 0; group < GROUPS; group++) {
      const starts = Array.from({ length: GROUP_SIZE }, (_, k) =>
        this.#start(point.value, this.#scatter(point.x, group * GROUP_SIZE + k + 1)),
      );
      const { start } = starts.reduce((a, b) => (b.chiSquare < a.chiSquare ? b : a));
      const found = this.#fit(start, FEW_STEPS);
      if (found.chiSquare < chiSquare - this.#slack) ({ x, chiSquare } = found);
    }
    return x === point.x ? point : this.fitAt(point.value, [x]);
  }

  /** The k-th point of a Kronecker sequence around x. @param {Column} x @param {number} k */
  #scatter(x, k) {
    return x.map((xi, i) => {
      const draw = 2 * ((k * Math.sqrt(i + 2.5)) % 1) - 1;
      if (k % 3 > 0) return xi * Math.exp((k % 3 > 1 ? 3 : 0.5) * draw);
      return xi + 1.5 * draw * Math.max(Math.abs(xi), Number(this.#options.errors[i]));
    });
  }

  /** Smaller differences of chi square are rounding, or the last step of a fit. */
  get #slack() {
    const { chiSquare, epsilon, unit } = this.#options;
    return 16 * Math.sqrt(epsilon) * unit + 64 * epsilon * chiSquare;
  }

  /** @param {Point} point */
  #isSound({ hasConverged, tau }) {
    return hasConverged || tau < this.#options.t;
  }

  /** Prefers a converged fit to one that is lower only by rounding. @param {Point} point */
  #rank({ chiSquare, hasConverged }) {
    return hasConverged ? chiSquare - this.#slack : chiSquare;
  }

  /** @param {number} value @param {ArrayLike<number>} given */
  #start(value, given) {
    const { best, index, locked } = this.#options;
    const { ranges } = this.#problem.parameters;
    const start = best.map((xi, i) => {
      if (i === index) return value;
      const { min, max } = /** @type {Range} */ (ranges[i]);
      const other = Number(given[i]);
      if (locked.includes(i) || !Number.isFinite(other)) return xi;
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
    const { chiSquare: base, index, unit } = this.#options;
    const { chiSquare, stopReason } = this.#run(start, steps);
    const x = Float64Array.from(this.#variable.data());
    if (chiSquare < base - this.#slack) this.better ??= this.#improve(x);
    const tau = Math.sqrt(Math.max(0, chiSquare - base) / unit);
    const hasConverged = CONVERGED.includes(stopReason);
    return { value: Number(x[index]), chiSquare, tau, x, hasConverged };
  }

  /** Fit all free parameters, from a point that is lower than the fit. @param {Column} from */
  #improve(from) {
    const { g, parameters } = this.#problem;
    const variable = g.variable(/** @type {any} */ (from));
    try {
      variable.lock([...this.#options.locked]);
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
