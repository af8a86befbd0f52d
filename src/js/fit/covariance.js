// What residuals and their Jacobian say of parameters: the covariance of the free ones, directions
// that the data do not determine, errors on one side of a bound, and the price of what is known.
// Source: Press et al. 2007, "Numerical Recipes", ch. 15; Triggs et al. 2000 for robust losses, as
// SciPy's least_squares scales its Jacobian.
import { chiSquareTail, fisherTail } from './distributions.js';
import { dot, factorize, invertGram, nullDirections, remainder, solveLeast } from './qr.js';

/** @typedef {Float64Array<ArrayBuffer>} Column */
/** @import { Loss } from './losses.js' */

/** Rounding of a Jacobian's elements, in ulps. */
const ROUNDING = 64;
const LEAST_CURVATURE = 2 ** -52;

/** The weights of a robust loss in a Jacobian and its residuals. */
export class Linearization {
  /**
   * @param {{ values: Column, columns: Column[] }} jacobian Of the residuals by all elements.
   * @param {readonly number[]} free Indices of the elements that may move.
   * @param {{ loss: Loss, lossScale: number }} problem
   * @param {number} epsilon The rounding of the instance's numbers.
   */
  constructor({ values, columns }, free, { loss, lossScale }, epsilon) {
    const scales = new Float64Array(values.length);
    this.residuals = values.map((r, i) => {
      const z = (r / lossScale) ** 2;
      const [, first, second] = loss.rho(z);
      scales[i] = Math.sqrt(Math.max(LEAST_CURVATURE, first + 2 * second * z));
      return (r * first) / Number(scales[i]);
    });
    this.columns = columns.map((column) => column.map((value, i) => value * Number(scales[i])));
    this.free = free;
    this.tolerance = ROUNDING * epsilon;
    this.factors = factorize(this.#pick(free), this.tolerance);
    /** By the order of the free elements. */
    this.covariance = invertGram(this.factors);
    this.nulls = nullDirections(this.factors);
  }

  /** @param {readonly number[]} indices */
  #pick(indices) {
    return indices.map((i) => /** @type {Column} */ (this.columns[i]));
  }

  /** The variance of a combination; Infinity if undetermined. @param {readonly number[]} weights */
  variance(weights) {
    const isLost = this.nulls.some(({ direction }) => {
      const terms = weights.map((weight, i) => weight * Number(direction[i]));
      const size = terms.reduce((sum, term) => sum + Math.abs(term), 0);
      const net = Math.abs(terms.reduce((sum, term) => sum + term, 0));
      const whole = weights.reduce(
        (sum, weight, i) => sum + Math.abs(weight) / Number(this.factors.scales[i]),
        0,
      );
      return net > Math.sqrt(this.tolerance) * Math.max(size, whole);
    });
    if (isLost) return Infinity;
    return dot(
      weights,
      this.covariance.map((row) => dot(row, weights)),
    );
  }

  /** How chi square bends and leans along one element, the free following. @param {number} index */
  #added(index) {
    const column = /** @type {Column} */ (this.columns[index]);
    const rest = remainder(this.factors, column);
    const curvature = dot(rest, rest);
    const isSeen = curvature > this.tolerance ** 2 * dot(column, column);
    const lean = dot(rest, remainder(this.factors, this.residuals));
    return { curvature, lean, isSeen };
  }

  /**
   * What it costs to hold an element at its value.
   * @param {number} index
   * @param {{ chiSquare: number, isScaled: boolean, unit: number, dof: number }} of dof: of the
   *   fit.
   */
  price(index, { chiSquare, isScaled, unit, dof }) {
    const { curvature, lean, isSeen } = this.#added(index);
    const slope = 2 * dot(/** @type {Column} */ (this.columns[index]), this.residuals);
    if (!isSeen) return { slope, gain: 0, shift: 0, error: Infinity, pValue: 1, step: null };
    const gain = lean ** 2 / curvature;
    const left = (chiSquare - gain) / (dof - 1);
    const pValue = isScaled ? fisherTail(gain / left, 1, dof - 1) : chiSquareTail(gain, 1);
    const moved = [...this.free, index];
    const factors = factorize(this.#pick(moved), this.tolerance);
    const least = solveLeast(factors, this.residuals);
    const step = new Float64Array(this.columns.length);
    moved.forEach((i, k) => {
      step[i] = -Number(least[k]);
    });
    const error = Math.sqrt((isScaled && dof > 1 ? left : unit) / curvature);
    return { slope, gain, shift: -lean / curvature, error, pValue, step };
  }

  /**
   * How far an element can go from its bound until chi square has risen by `unit`.
   * @param {number} index
   * @param {1 | -1} inward
   * @param {number} unit
   */
  oneSided(index, inward, unit) {
    const { curvature, lean, isSeen } = this.#added(index);
    if (!isSeen) return Infinity;
    const push = Math.max(0, inward * lean);
    return unit / (push + Math.sqrt(push ** 2 + curvature * unit));
  }
}
