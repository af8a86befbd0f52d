// The entry of fits of curves: named parameters, some of them known, and what a fit says of the
// others. On an instance that `init()` of `gradlock` or `gradlock/external` gave.
import { refuseRest } from './base/arity.js';
import { Fitting as Fits } from './fit/fitting.js';

/** @import { Gradlock } from './gradlock.js' */

/** @typedef {import('./fit/data.js').Numbers} Numbers */
/** @typedef {import('./fit/data.js').Predictors} Predictors */
/** @typedef {import('./fit/losses.js').RobustLoss} RobustLoss */
/** @typedef {import('./fit/parameters.js').FreeParameter} FreeParameter */
/** @typedef {import('./fit/parameters.js').ParameterSpec} ParameterSpec */
/** @typedef {import('./fit/parameters.js').TiedParameter} TiedParameter */
/** @typedef {import('./fit/profile.js').Profile} Profile */
/** @typedef {import('./fit/band.js').Band} Band */
/** @typedef {import('./fit/result.js').FittedParameter} FittedParameter */
/** @typedef {import('./fit/result.js').Price} Price */
/** @typedef {import('./fit/fitting.js').Fitting} Fitting */
/**
 * @template {string} [N=string]
 * @typedef {import('./fit/fitting.js').CurveOptions<N>} CurveOptions
 */
/**
 * @template {string} [N=string]
 * @typedef {import('./fit/fitting.js').LeastSquaresOptions<N>} LeastSquaresOptions
 */
/**
 * @template {string} [N=string]
 * @typedef {import('./fit/parameters.js').NamedTensors<N>} NamedTensors
 */
/**
 * @template {string} [N=string]
 * @typedef {import('./fit/parameters.js').Parameters<N>} Parameters
 */
/** @template {string} [N=string] @typedef {import('./fit/result.js').Fit<N>} Fit */

export {
  chiSquareQuantile,
  chiSquareTail,
  fisherQuantile,
  fisherTail,
  studentQuantile,
  studentTail,
} from './fit/distributions.js';

/**
 * Fits on an instance: `const { parameters, curve, leastSquares } = fitting(g)`.
 * @type {{
 *   (g: Gradlock, ...more: []): Fitting;
 *   (g: import('#double/types.js').Gradlock, ...more: []): import('#double/fit.js').Fitting;
 *   (g: Gradlock, ...more: []): Fitting;
 * }}
 */
export const fitting = (/** @type {any} */ g, ...more) => {
  refuseRest('fitting', 1, more);
  return new Fits(g);
};
