// What a fit found: numbers in doubles, and what can be asked of it later: bands and profiles. All
// of it is of the moment when the fit ended, whatever becomes of the parameters.
import { optionError, readCount, readOptions, typeError } from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { band } from './band.js';
import { Linearization } from './covariance.js';
import { chiSquareTail, studentQuantile } from './distributions.js';
import { chiSquareOf, differentiate, evaluate } from './problem.js';
import { profile } from './profile.js';
import { toHTML, toText } from './report.js';

/** @import { Band, Curve } from './band.js' */
/** @import { Numbers, Predictors } from './data.js' */
/** @import { Problem } from './problem.js' */
/** @import { BetterFit, Profile } from './profile.js' */
/** @import { StopReason } from '../optim/solver.js' */
/** @typedef {Float64Array<ArrayBuffer>} Column */
/**
 * @internal
 * @typedef {object} Ended
 * @property {string} stopReason
 * @property {number} steps
 * @property {number} evaluations
 * @property {readonly string[]} bound
 * @property {Column} start
 * @property {string} lossName
 * @property {boolean} isScaled
 */
/**
 * @typedef {object} FittedParameter
 * @property {number} value
 * @property {number} [start] Where the fit began; ties have none.
 * @property {'free' | 'locked' | 'tied' | 'min' | 'max'} status `'min'` and `'max'`: the fit ended
 *   with it at that bound, held there.
 * @property {number} [error] The standard error. Absent where the value is exact: locked, or tied
 *   to locked ones. Infinity if the data do not determine it. At a bound it is one-sided: how far
 *   from the bound chi square rises by as much as one standard error makes it.
 */
/**
 * The price of knowing: what a lock costs, if one parameter is freed.
 * @typedef {object} Price
 * @property {number} slope The derivative of chi square by the parameter.
 * @property {number} gain By how much chi square would fall, to first order: for a model that is
 *   linear in its parameters, exactly.
 * @property {number} stepGain By how much it falls after one Gauss-Newton step of all that is
 *   free, and this; negative if the model bends too much.
 * @property {number} estimate The value that the data would give it, to first order.
 * @property {number} error The standard error of that.
 * @property {number} pValue The probability of a gain as large, if the value is right: by F with 1
 *   and n − k − 1 degrees of freedom, or by chi square where sigma is known. A small one says that
 *   the value is not what it is known to be.
 */
/** @type {Record<string, string>} */
const WORDS = {
  gradient: 'converged: no gradient is above its tolerance',
  change: 'converged: a full step changes nothing by more than its tolerance',
  resolution: 'converged as far as the numbers tell: shorter steps change nothing',
  steps: 'not converged: it took all steps allowed',
  noProgress: 'not converged: nothing lower was found',
  notFinite: 'not converged: the residuals or their gradients are not finite',
  locked: 'all parameters are locked: nothing to fit',
};

/** @param {unknown} level */
const readLevel = (level) => {
  if (typeof level === 'number' && level > 0 && level < 1) return level;
  throw optionError('level', 'a number between 0 and 1', level);
};

/** The result of a fit. @template {string} [N=string] */
export class Fit {
  #problem;
  #curve;
  #at;
  #linear;
  #epsilon;

  /** @internal @param {Problem} problem @param {Ended} ended @param {Curve | undefined} curve */
  constructor(problem, ended, curve) {
    const { parameters, residuals } = problem;
    const { elements, ranges, variable } = parameters;
    const data = variable.data();
    const at = Float64Array.from(data);
    const found = differentiate(problem, residuals, at);
    const { locked } = parameters;
    const { bound } = ended;
    const isHeld = (/** @type {string} */ name) => locked.includes(name) || bound.includes(name);
    const free = elements.flatMap((name, i) => (isHeld(name) ? [] : [i]));
    const isDouble = /** @type {object} */ (data) instanceof Float64Array;
    const epsilon = isDouble ? 2 ** -52 : 2 ** -23;
    const linear = new Linearization(found, free, problem, epsilon);
    this.#problem = problem;
    this.#curve = curve;
    this.#at = at;
    this.#linear = linear;
    this.#epsilon = epsilon;

    /** Why it stopped. */
    this.stopReason = /** @type {StopReason} */ (ended.stopReason);
    /** The same in words. @type {string} */
    this.message = WORDS[ended.stopReason] ?? ended.stopReason;
    /** True if it converged, or had nothing to fit. @type {boolean} */
    this.converged = !this.message.startsWith('not');
    /** Steps taken. */
    this.steps = ended.steps;
    /** How often the residuals were computed; a Jacobian takes one run for each residual. */
    this.evaluations = ended.evaluations;
    /** The name of the loss. */
    this.loss = ended.lossName;
    /** Number of residuals. */
    this.points = found.values.length;
    /** Number of parameters that were not locked, those at bounds among them: k. */
    this.freeCount = elements.length - locked.length;
    /** n − k. */
    this.degreesOfFreedom = this.points - this.freeCount;
    /** What was minimised: Σ (residual / sigma)², or C² Σ ρ of a robust loss. */
    this.chiSquare = chiSquareOf(problem, found.values);
    /** Chi square by degrees of freedom; NaN where there are none. */
    this.reducedChiSquare =
      this.degreesOfFreedom > 0 ? this.chiSquare / this.degreesOfFreedom : NaN;
    const likelihood = this.points * Math.log(this.chiSquare / this.points);
    /** Akaike's criterion: n ln(chi square / n) + 2 k. */
    this.aic = likelihood + 2 * this.freeCount;
    /** The Bayesian criterion: n ln(chi square / n) + k ln n. */
    this.bic = likelihood + this.freeCount * Math.log(this.points);
    /**
     * The part of the responses' weighted variation about their mean that the curve explains: the
     * centred R²; NaN where they do not vary, undefined for residuals in general.
     * @type {number | undefined}
     */
    this.rSquared = curve && explained(curve, found.values);
    /** True if errors are multiplied by the square root of reduced chi square. */
    this.isScaled = ended.isScaled;
    /**
     * The probability of a chi square as large, if the model and sigma are right; undefined where
     * errors are scaled.
     * @type {number | undefined}
     */
    this.pValue = ended.isScaled ? undefined : chiSquareTail(this.chiSquare, this.degreesOfFreedom);
    /** The weighted residuals. @type {number[]} */
    this.residuals = [...found.values];
    /** Names of the free parameters, in the order of the matrices. @type {N[]} */
    this.free = /** @type {N[]} */ (free.map((i) => elements[i]));
    const unit = this.isScaled ? this.reducedChiSquare : 1;
    /** A lower fit that a profile met: this is a local minimum. @type {BetterFit | undefined} */
    this.better = undefined;
    const units = free.map((_, i) => free.map((_, j) => Number(i === j)));
    const variances = units.map((weights) => linear.variance(weights) * unit);
    /**
     * The covariance of the free parameters; Infinity for the variance of one that the data do not
     * determine, NaN for its covariances.
     * @type {number[][]}
     */
    this.covariance = linear.covariance.map((row, i) =>
      row.map((value, j) => {
        if (i === j) return Number(variances[i]);
        const isKnown = variances[i] !== Infinity && variances[j] !== Infinity;
        return isKnown ? value * unit : Number.NaN;
      }),
    );
    /** The correlations of the free parameters. @type {number[][]} */
    this.correlations = this.covariance.map((row, i) =>
      row.map((value, j) =>
        i === j ? 1 : value / Math.sqrt(Number(variances[i]) * Number(variances[j])),
      ),
    );
    /**
     * Combinations of free parameters that change nothing: moving each by its weight leaves the
     * residuals as they are. Empty if the data tell all of them apart.
     * @type {Partial<Record<N, number>>[]}
     */
    this.undetermined = linear.nulls.map(({ scaled, direction }) => {
      const most = Math.max(...direction.map(Math.abs));
      const pairs = free.flatMap((index, i) => {
        const isPart = Math.abs(Number(scaled[i])) > Math.sqrt(linear.tolerance);
        return isPart ? [[elements[index], Number(direction[i]) / most]] : [];
      });
      return Object.fromEntries(pairs);
    });
    /** What was found for each parameter, in their order. @type {Record<N, FittedParameter>} */
    this.parameters = this.#readParameters(found, ended.start, variances, unit, { locked, bound });
    /** Values by names. @type {Record<N, number>} */
    this.values = /** @type {any} */ (
      Object.fromEntries(parameters.names.map((name) => [name, this.#of(name).value]))
    );
    /** What each locked parameter costs. @type {Partial<Record<N, Price>>} */
    this.prices = /** @type {any} */ (
      Object.fromEntries(
        elements.flatMap((name, i) =>
          locked.includes(name) ? [[name, this.#priceOf(i, unit, ranges)]] : [],
        ),
      )
    );
  }

  /** @param {string} name @returns {FittedParameter} */
  #of(name) {
    if (typeof name !== 'string') throw typeError('a name', 'a string', name);
    const parameters = /** @type {Record<string, FittedParameter>} */ (this.parameters);
    if (Object.hasOwn(parameters, name)) return /** @type {FittedParameter} */ (parameters[name]);
    const known = Object.keys(parameters).join(', ');
    throw new OptionError(`unknown parameter '${name}'; known: ${known}`);
  }

  /**
   * @param {ReturnType<typeof differentiate>} found
   * @param {Column} start
   * @param {number[]} variances
   * @param {number} unit
   * @param {{ locked: readonly string[], bound: readonly string[] }} held
   * @returns {Record<N, FittedParameter>}
   */
  #readParameters(found, start, variances, unit, { locked, bound }) {
    const { parameters } = this.#problem;
    const { elements, names, ranges, ties } = parameters;
    const linear = this.#linear;
    /** @param {string} name @returns {FittedParameter} */
    const readOne = (name) => {
      const t = ties.indexOf(name);
      if (t >= 0) {
        const slopes = linear.free.map((i) => Number(found.tieColumns[i]?.[t]));
        const error = Math.sqrt(linear.variance(slopes) * unit);
        const value = Number(found.ties[t]);
        return slopes.some((slope) => slope !== 0)
          ? { value, status: 'tied', error }
          : { value, status: 'tied' };
      }
      const i = elements.indexOf(name);
      const value = Number(this.#at[i]);
      const known = { value, start: Number(start[i]) };
      if (locked.includes(name)) return { ...known, status: 'locked' };
      if (!bound.includes(name)) {
        return {
          ...known,
          status: 'free',
          error: Math.sqrt(Number(variances[linear.free.indexOf(i)])),
        };
      }
      const { min, max } = /** @type {import('./parameters.js').Range} */ (ranges[i]);
      const isLow = Math.abs(value - min) <= Math.abs(max - value);
      const error = linear.oneSided(i, isLow ? 1 : -1, unit);
      return { ...known, status: isLow ? 'min' : 'max', error };
    };
    return /** @type {any} */ (Object.fromEntries(names.map((name) => [name, readOne(name)])));
  }

  /**
   * @param {number} index
   * @param {number} unit
   * @param {readonly import('./parameters.js').Range[]} ranges
   * @returns {Price}
   */
  #priceOf(index, unit, ranges) {
    const { chiSquare, isScaled, degreesOfFreedom: dof } = this;
    const of = { chiSquare, isScaled, unit, dof };
    const { step, shift, ...price } = this.#linear.price(index, of);
    const estimate = Number(this.#at[index]) + shift;
    if (!step) return { ...price, estimate, stepGain: 0 };
    const there = this.#at.map((value, i) => {
      const { min, max } = /** @type {import('./parameters.js').Range} */ (ranges[i]);
      return Math.min(max, Math.max(min, value + Number(step[i])));
    });
    const moved = evaluate(this.#problem, this.#problem.residuals, there);
    return { ...price, estimate, stepGain: chiSquare - chiSquareOf(this.#problem, moved) };
  }

  /** The dof of quantiles: errors that are known need no more than the normal distribution. */
  get #quantileDof() {
    return this.isScaled ? this.degreesOfFreedom : Infinity;
  }

  /**
   * The correlation of two free parameters, from −1 to 1.
   * @param {N} a
   * @param {N} b
   * @returns {number}
   * @example
   * const line = (x, { slope, level }) => g.add(g.mul(slope, x), level);
   * const data = { x: [0, 1, 2, 3], y: [1, 3, 5, 8] };
   * const fit = fits.curve(line, { ...data, parameters: { slope: 2, level: 1 } });
   * fit.correlation('slope', 'level').toFixed(3); // '-0.802'
   */
  correlation(a, b) {
    const [i, j] = [a, b].map((name) => {
      const at = this.free.indexOf(name);
      if (at >= 0) return at;
      const { status } = this.#of(name);
      throw new OptionError(`parameter '${name}' is ${status}: it has no correlation`);
    });
    return Number(this.correlations[Number(i)]?.[Number(j)]);
  }

  /**
   * The curve with its confidence and prediction bands: values ± t · error, with the quantile t of
   * Student's t with n − k degrees of freedom, or of the normal distribution where sigma is known.
   * @param {Predictors} x As for `curve`.
   * @param {{ level?: number, sigma?: number | Numbers }} [options] `level`: Default: 0.95.
   *   `sigma`: standard deviations of further readings at x, for the prediction band. Default:
   *   that of the fit, if it was one for all.
   * @returns {Band}
   * @example
   * const line = (x, { slope, level }) => g.add(g.mul(slope, x), level);
   * const data = { x: [0, 1, 2, 3], y: [1, 3, 5, 8] };
   * const fit = fits.curve(line, { ...data, parameters: { slope: 2, level: 1 } });
   * const { lower, upper } = fit.band([1]);
   * [lower[0].toFixed(2), upper[0].toFixed(2)]; // ['2.19', '4.01']
   */
  band(x, options) {
    const { level: wanted = 0.95, sigma } = readOptions(
      options,
      ['level', 'sigma'],
      'band options',
    );
    const level = readLevel(wanted);
    const curve = this.#curve;
    if (!curve) throw new OptionError('a band needs a curve: this fit was of residuals in general');
    return band(this.#problem, curve, this.#linear, {
      ...{ x, sigma, level },
      at: this.#at,
      unit: this.isScaled ? this.reducedChiSquare : 1,
      t: studentQuantile(level, this.#quantileDof),
    });
  }

  /**
   * The profile of a parameter that is free or at a bound: it is locked at one value after the
   * other, and all else is fitted anew. Where the model bends, its interval is better than value ±
   * t · error. At a bound it has one side. If something lower than the fit is met, the profile and
   * the fit have it as `better`, and the report says so.
   * @param {N} name
   * @param {{ level?: number, steps?: number }} [options] `level`: Default: 0.95. `steps`: at
   *   most, for each value. Default: 1,000.
   * @returns {Profile}
   * @example
   * const line = (x, { slope, level }) => g.add(g.mul(slope, x), level);
   * const data = { x: [0, 1, 2, 3], y: [1, 3, 5, 8] };
   * const fit = fits.curve(line, { ...data, parameters: { slope: 2, level: 1 } });
   * fit.profile('slope').interval.map((end) => end.toFixed(2)); // ['1.55', '3.05']
   */
  profile(name, options) {
    const known = ['level', 'steps'];
    const { level: wanted = 0.95, steps } = readOptions(options, known, 'profile options');
    const level = readLevel(wanted);
    const most = steps === undefined ? undefined : readCount(steps, 'steps');
    const { error, status, value } = this.#of(name);
    if (status === 'locked' || status === 'tied') {
      throw new OptionError(`parameter '${name}' is ${status}: it has no profile`);
    }
    // A smaller one is rounding: the data are exact.
    if (!(Number(error) > 4 * this.#epsilon * Math.abs(value))) {
      throw new OptionError(
        `the error of '${name}' is ${error}: no profile without more points, or a sigma`,
      );
    }
    if (error === Infinity) {
      throw new OptionError(`the data do not determine '${name}': it has no profile`);
    }
    const { elements } = this.#problem.parameters;
    const found = profile(this.#problem, {
      best: this.#at,
      locked: elements.flatMap((other, i) => (this.#of(other).status === 'locked' ? [i] : [])),
      index: elements.indexOf(name),
      errors: elements.map((other) => Number(this.#of(other).error ?? 0)),
      unit: this.isScaled ? this.reducedChiSquare : 1,
      chiSquare: this.chiSquare,
      t: studentQuantile(level, this.#quantileDof),
      level,
      steps: most,
      epsilon: this.#epsilon,
    });
    this.better = found.better ?? this.better;
    return found;
  }

  /**
   * The report as text.
   * @returns {string}
   * @example
   * const line = (x, { slope, level }) => g.add(g.mul(slope, x), level);
   * const data = { x: [0, 1, 2, 3], y: [1, 3, 5, 8] };
   * const fit = fits.curve(line, { ...data, parameters: { slope: 2, level: 1 } });
   * fit.report().split('\n').filter((row) => /slope/.test(row)).length; // 2
   */
  report() {
    return toText(this);
  }

  /**
   * The report as HTML: a section with tables, for notebooks.
   * @returns {string}
   * @example
   * const line = (x, { slope, level }) => g.add(g.mul(slope, x), level);
   * const data = { x: [0, 1, 2, 3], y: [1, 3, 5, 8] };
   * const fit = fits.curve(line, { ...data, parameters: { slope: 2, level: 1 } });
   * fit.toHTML().slice(0, 30); // '<section class="gradlock-fit">'
   */
  toHTML() {
    return toHTML(this);
  }

  /**
   * The report.
   * @returns {string}
   * @example
   * const line = (x, { slope, level }) => g.add(g.mul(slope, x), level);
   * const data = { x: [0, 1, 2, 3], y: [1, 3, 5, 8] };
   * const fit = fits.curve(line, { ...data, parameters: { slope: 2, level: 1 } });
   * String(fit) === fit.report(); // true
   */
  toString() {
    return this.report();
  }
}

/** 1 − χ² / Σ ((y − weighted mean) / sigma)². @param {Curve} curve @param {Column} residuals */
const explained = ({ responses, sigma }, residuals) => {
  if (responses.every((y) => y === responses[0])) return Number.NaN;
  const weights = responses.map((_, i) => {
    const one = sigma === undefined || typeof sigma === 'number' ? (sigma ?? 1) : Number(sigma[i]);
    return one ** -2;
  });
  const sum = (/** @type {Column} */ list) => list.reduce((total, value) => total + value, 0);
  const mean = sum(responses.map((y, i) => y * Number(weights[i]))) / sum(weights);
  const total = sum(responses.map((y, i) => (y - mean) ** 2 * Number(weights[i])));
  return 1 - sum(residuals.map((r) => r * r)) / total;
};
