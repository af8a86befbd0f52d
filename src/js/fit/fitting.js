// What `fitting(g)` gives: parameters, fits of curves, and fits of residuals in general.
import { bindMethods } from '../base/bind.js';
import { makeStrict } from '../base/strict.js';
import {
  describe,
  isRecord,
  optionError,
  readCount,
  readFlag,
  readNumber,
  readOptions,
} from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { openKit } from '../base/open-kit.js';
import { readPredictors, readResponses, readSigma, tensorsOf } from './data.js';
import { LOSSES } from './losses.js';
import { Parameters, readParameters } from './parameters.js';
import { evaluate, expectVector, minimize } from './problem.js';
import { Fit } from './result.js';

/** @import { Gradlock } from '../gradlock.js' */
/** @import { SolveEvent } from '../optim/solve.js' */
/** @import { LevenbergMarquardtOptions } from '../optim/solvers.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/** @import { Numbers, Predictors } from './data.js' */
/** @import { RobustLoss } from './losses.js' */
/** @import { ParameterSpec } from './parameters.js' */
/** @import { Problem } from './problem.js' */
/**
 * @template {string} [N=string]
 * @typedef {import('./parameters.js').NamedTensors<N>} NamedTensors
 */
/**
 * @template {string} [N=string]
 * @typedef {object} LeastSquaresOptions
 * @property {Parameters<N> | Readonly<Record<N, ParameterSpec>>} parameters What to look for: made
 *   by `parameters`, or its argument.
 * @property {RobustLoss} [loss] How residuals count, as SciPy's least_squares defines it:
 *   `'linear'` by their squares; the others count large ones less. Default: `'linear'`.
 * @property {number} [lossScale] The size of a residual, in units of sigma, from which on it
 *   counts less; above 0. Default: 1.
 * @property {boolean} [scale] True if errors are multiplied by the square root of reduced chi
 *   square: where sigma is unknown, or known only up to a factor. Default: true without `sigma`.
 * @property {number} [steps] Steps at most. Default: 1,000, as for `minimize`.
 * @property {(event: SolveEvent) => unknown} [onStep] Called after each step; false stops.
 * @property {LevenbergMarquardtOptions} [solver] Options of Levenberg-Marquardt.
 */
/**
 * @typedef {object} OwnCurveOptions
 * @property {Predictors} x The predictors: n numbers, or several columns by their names. All data
 *   must be finite in the instance's precision; else OptionError names the row.
 * @property {Numbers} y The responses, n numbers.
 * @property {number | Numbers} [sigma] Standard deviations of y: one for all, or n of them, above
 *   0. Default: 1, and errors are estimated from the residuals (`scale`).
 */
/**
 * @template {string} [N=string]
 * @typedef {LeastSquaresOptions<N> & OwnCurveOptions} CurveOptions
 */

const COMMON = ['parameters', 'loss', 'lossScale', 'scale', 'steps', 'onStep', 'solver'];

/** Fits on an instance: `const { parameters, curve, leastSquares } = fitting(g)`. */
export class Fitting {
  #g;

  /** @internal @param {Gradlock} g */
  constructor(g) {
    openKit(g, 'fit', 'fitting takes the result of await init()');
    this.#g = g;
    bindMethods(this);
    makeStrict([Fit, Parameters], { anyNumber: ['lock', 'unlock'] });
  }

  /**
   * Named parameters. A number is a start; an object may have bounds, a lock, or a tie to others.
   * Throws OptionError, with the parameter's name, for a start outside of its bounds, bounds that
   * cross, and ties in a circle.
   * @template {string} N
   * @param {Readonly<Record<N, ParameterSpec>>} given
   * @returns {Parameters<N>}
   * @example
   * const p = fits.parameters({
   *   height: 3,
   *   width: { value: 0.5, lock: true },
   *   area: { tie: ({ height, width }) => g.mul(height, width) },
   * });
   * p.locked; // ['width']
   * p.values.area; // 1.5
   */
  parameters(given) {
    return new Parameters(this.#g, given);
  }

  /**
   * Fit a curve to data: find the parameters at which Σ ((f(x) − y) / sigma)² is smallest, or the
   * sum that a robust loss makes of it. Parameters get these values; locked ones keep their bits.
   * @template {string} N
   * @param {(x: any, parameters: NamedTensors<N>) => Tensor} model By ops. x is a tensor of shape
   *   [n], or an object of them where x has several columns; parameters are scalars. It returns
   *   shape [n].
   * @param {CurveOptions<N>} options
   * @returns {Fit<N>}
   * @example
   * const line = (x, { slope, level }) => g.add(g.mul(slope, x), level);
   * const [x, y] = [[0, 1, 2], [1, 3, 5]];
   * const fit = fits.curve(line, { x, y, parameters: { slope: 1, level: 0 } });
   * fit.values.slope.toFixed(3); // '2.000'
   */
  curve(model, options) {
    if (typeof model !== 'function') {
      throw new TypeError(`the model must be a function, got ${describe(model)}`);
    }
    const given = readOptions(options, ['x', 'y', 'sigma', ...COMMON], 'curve options');
    const g = this.#g;
    const { columns, count } = readPredictors(g, given.x);
    const responses = readResponses(g, given.y, count);
    const sigma = readSigma(g, given.sigma, count);
    /** @param {import('./data.js').Columns} at @param {number} n @param {any} named */
    const f = (at, n, named) => expectVector(model(tensorsOf(g, at), named), 'the model', n);
    /** @param {any} named */
    const residuals = (named) => {
      const off = g.sub(f(columns, count, named), responses);
      return sigma === undefined ? off : g.div(off, sigma);
    };
    return this.#run(residuals, given, sigma === undefined, { f, responses, sigma });
  }

  /**
   * Fit residuals in general: find the parameters at which the sum of their squares is smallest,
   * or the sum that a robust loss makes of it.
   * @template {string} N
   * @param {(parameters: NamedTensors<N>) => Tensor} residuals By ops, of shape [n], each in units
   *   of its standard deviation, if that is known.
   * @param {LeastSquaresOptions<N>} options
   * @returns {Fit<N>}
   * @example
   * const fit = fits.leastSquares(({ a, b }) => g.stack([g.sub(a, 1), g.sub(b, 2), g.sub(a, b)]), {
   *   parameters: { a: 0, b: 0 },
   * });
   * fit.values.a.toFixed(3); // '1.333'
   */
  leastSquares(residuals, options) {
    if (typeof residuals !== 'function') {
      throw new TypeError(`the residuals must be a function, got ${describe(residuals)}`);
    }
    const given = readOptions(options, COMMON, 'leastSquares options');
    const vector = (/** @type {any} */ named) => expectVector(residuals(named), 'the residuals');
    return this.#run(vector, given, true, undefined);
  }

  /**
   * @param {import('./problem.js').Vector} residuals
   * @param {Record<string, any>} given
   * @param {boolean} isScaled
   * @param {import('./band.js').Curve | undefined} curve
   * @returns {Fit<any>}
   */
  #run(residuals, given, isScaled, curve) {
    const { loss = 'linear', lossScale = 1, scale = isScaled, steps, onStep } = given;
    const { solver = {} } = given;
    if (typeof loss !== 'string' || !Object.hasOwn(LOSSES, loss)) {
      throw optionError('loss', `one of ${Object.keys(LOSSES).join(', ')}`, loss);
    }
    if (!(readNumber(lossScale, 'lossScale') > 0 && lossScale < Infinity)) {
      throw optionError('lossScale', 'above 0 and finite', lossScale);
    }
    if (given.loss === undefined && given.lossScale !== undefined) {
      throw new OptionError("lossScale needs a loss, such as loss: 'huber'");
    }
    readFlag(scale, 'scale');
    if (steps !== undefined) readCount(steps, 'steps');
    if (!isRecord(solver)) throw new TypeError(`solver must be an object, got ${describe(solver)}`);
    const isOwn = !(given.parameters instanceof Parameters);
    const parameters = readParameters(this.#g, given.parameters);
    try {
      const own = LOSSES[/** @type {RobustLoss} */ (loss)];
      const problem = { g: this.#g, parameters, residuals, loss: own, lossScale, solver };
      const start = Float64Array.from(parameters.variable.data());
      checkStart(problem, start);
      const ended = minimize(problem, parameters.variable, { steps, onStep });
      return new Fit(problem, { ...ended, start, lossName: loss, isScaled: scale }, curve);
    } finally {
      if (isOwn) parameters.dispose();
    }
  }
}

/** Refuse an impossible start. @param {Problem} problem @param {Float64Array<ArrayBuffer>} start */
const checkStart = (problem, start) => {
  const { parameters, residuals } = problem;
  const found = evaluate(problem, residuals, start);
  const { locked, elements } = parameters;
  const free = elements.filter((name) => !locked.includes(name));
  if (found.length < free.length) {
    throw new OptionError(
      `too few points (${found.length}) for ${free.length} free parameters (${free.join(', ')}): lock some of them, or add points`,
    );
  }
  const bad = found.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return;
  const at = elements.map((name, i) => `${name} = ${start[i]}`).join(', ');
  throw new OptionError(
    `residual ${bad} is ${found[bad]} where the fit starts, at ${at}: choose another start`,
  );
};
