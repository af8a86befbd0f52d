// A curve with its confidence and prediction bands at any x. Source: Bates & Watts 1988, "Nonlinear
// Regression Analysis and Its Applications", ch. 2.
import { readPredictors, readSigma } from './data.js';
import { differentiate } from './problem.js';

/** @import { Tensor } from '../tensors/tensor.js' */
/** @import { Linearization } from './covariance.js' */
/** @import { Columns } from './data.js' */
/** @import { Problem } from './problem.js' */
/** @typedef {Float64Array<ArrayBuffer>} Column */
/**
 * @internal
 * @typedef {object} Curve
 * @property {(at: Columns, n: number, named: any) => Tensor} f
 * @property {Column} responses
 * @property {number | Column | undefined} sigma
 */
/**
 * @typedef {object} Band
 * @property {number[]} values The curve.
 * @property {number[]} errors Its standard errors.
 * @property {number[]} lower Confidence band: where the curve is.
 * @property {number[]} upper
 * @property {{ lower: number[], upper: number[] } | null} prediction Prediction band: where a
 *   further reading is. Null where its sigma is unknown.
 * @property {number} level
 */

/**
 * @param {Problem} problem
 * @param {Curve} curve
 * @param {Linearization} linear
 * @param {object} of
 * @param {unknown} of.x
 * @param {unknown} of.sigma Of further readings; undefined: the fit's, if it was one for all.
 * @param {Column} of.at The values of the elements.
 * @param {number} of.unit What variances are multiplied by.
 * @param {number} of.t How many errors the bands are wide.
 * @param {number} of.level
 * @returns {Band}
 */
export const band = (problem, curve, linear, { x, sigma, at, unit, t, level }) => {
  const { columns, count } = readPredictors(problem.g, x);
  const own = typeof curve.sigma === 'object' ? undefined : (curve.sigma ?? 1);
  const spread = readSigma(problem.g, sigma ?? own, count);
  const found = differentiate(problem, (named) => curve.f(columns, count, named), at);
  const variances = Array.from(found.values, (_, row) => {
    const slopes = linear.free.map((i) => Number(found.columns[i]?.[row]));
    return linear.variance(slopes) * unit;
  });
  const values = [...found.values];
  /** @param {(variance: number, i: number) => number} varianceOf */
  const around = (varianceOf) => {
    const widths = variances.map((variance, i) => t * Math.sqrt(varianceOf(variance, i)));
    return {
      lower: values.map((value, i) => value - Number(widths[i])),
      upper: values.map((value, i) => value + Number(widths[i])),
    };
  };
  const withReading = (/** @type {number} */ variance, /** @type {number} */ i) => {
    const one = typeof spread === 'number' ? spread : Number(spread?.[i]);
    return variance + unit * one ** 2;
  };
  const prediction = spread === undefined ? null : around(withReading);
  const errors = variances.map(Math.sqrt);
  return { values, errors, ...around((variance) => variance), prediction, level };
};
