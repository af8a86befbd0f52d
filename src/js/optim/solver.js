// Second-order methods, which compute the loss as often as they need, so that `minimize` is all
// they do. What they learn of the curvature stays in C, and is of the free elements only.
import { GradientError } from '../base/errors.js';
import { Resource } from '../tensors/resource.js';
import { notifyDisposed, readBounds, setBounds } from './bounds.js';
import { addLiveOptions, encodeOptions, readRuleOptions, sendOptions } from './options.js';
import { solve } from './solve.js';
import { Stateful } from './state.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { RuleInfo } from './rules.js' */
/** @import { Bounds } from './bounds.js' */
/** @import { SolveOptions } from './solve.js' */
/** @import { Variable } from '../locks/variable.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/**
 * @template {Tensor | Tensor[]} [T=Tensor]
 * @typedef {import('../graph/program.js').Program<T>} Program
 */
/**
 * Why the last call of `minimize` stopped. It has converged:
 * - `'gradient'`: no free element's gradient is above `toleranceGradient`.
 * - `'change'`: a full step changes, or promises, no more than `toleranceChange` allows.
 *
 * It may not have:
 * - `'steps'`: the steps asked for were taken.
 * - `'resolution'`: nothing lower was found by steps so short that elements no longer tell them
 *   apart. Damping or the rounding of f32 ended it, though the slopes promised more; often it is as
 *   good as f32 can tell, and where it is not, another start or `initialDamping` helps.
 * - `'noProgress'`: nothing lower was found within `maxEvaluations`; the variables are unchanged.
 * - `'unbounded'`: L-BFGS met a loss of −∞, or one below −2⁶⁰ that fell as steeply as at first. The
 *   variables are finite.
 * - `'notFinite'`: the loss or its gradient is not finite at the variables.
 * - `'locked'`: nothing is free.
 * @typedef {'steps' | 'gradient' | 'change' | 'noProgress' | 'notFinite' | 'locked'
 *   | 'resolution' | 'unbounded'} StopReason
 */

/** By C's names. @type {Record<string, StopReason>} */
const REASONS = {
  GLK_STOP_STEPS: 'steps',
  GLK_STOP_GRADIENT: 'gradient',
  GLK_STOP_CHANGE: 'change',
  GLK_STOP_NO_PROGRESS: 'noProgress',
  GLK_STOP_NOT_FINITE: 'notFinite',
  GLK_STOP_LOCKED: 'locked',
  GLK_STOP_RESOLUTION: 'resolution',
  GLK_STOP_UNBOUNDED: 'unbounded',
};

/** A second-order method that trains the free elements of variables. */
export class Solver extends Stateful {
  #method;

  /** @internal @param {Instance} instance @param {number} handle @param {RuleInfo} method */
  constructor(instance, handle, method) {
    super(instance, handle, false);
    this.#method = method;
    addLiveOptions(this, method);
  }

  /** Name of the method, such as `'lbfgs'`. */
  get rule() {
    return this.#method.name;
  }

  /** Read an option as C has it. @internal @param {string} name */
  option(name) {
    const address = this.#method.options.get(name)?.address ?? 0;
    return Resource.ask(this, 'glk_solver_get', address).outNumber();
  }

  /**
   * Set several options: all of them, or none if one is refused.
   * @param {Record<string, unknown>} options
   * @example
   * const solver = g.optimizers.lbfgs();
   * solver.setOptions({ learningRate: 0.5 });
   * solver.learningRate; // 0.5
   */
  setOptions(options) {
    const given = encodeOptions(this.#method, readRuleOptions(options));
    const handle = Resource.ownHandle(this);
    const { bridge } = Resource.instanceOf(this);
    sendOptions(bridge, given, (names, values, count) =>
      bridge.x.glk_solver_set(bridge.context, handle, names, values, count),
    );
  }

  /**
   * Take steps over the free elements of variables, 1,000 at most by default, until the
   * method stops; `stopReason` is the reason.
   *
   * A plain function is recorded once for the call, as `compile` would, so it must not read values.
   * The estimate of the curvature is kept from call to call for the same compiled program,
   * variables and locks. It is dropped when one of them changes.
   * @param {Program<any> | (() => Tensor)} loss A scalar; for `levenbergMarquardt` residuals of
   *   shape [n], which it squares and adds up itself. A single residual has shape [1].
   * @param {SolveOptions} [options]
   * @returns {number} The loss of where the variables stand now; never higher than before, but for
   *   its rounding in `gradlock/double`.
   * @example
   * const x = g.variable([3, 4]).lock([1]);
   * g.optimizers.lbfgs().minimize(() => g.sum(g.square(x)));
   * x.data(); // [0, 4]
   */
  minimize(loss, options) {
    return solve(Resource.instanceOf(this), this, loss, options);
  }

  /**
   * Bound the elements of a variable from now on: `levenbergMarquardt` only, OptionError otherwise.
   * Steps end within the bounds. An element at a bound whose gradient pushes it outward is locked
   * by the variable's holder `bound`, and let go when its gradient pushes inward. So where the fit
   * has converged, free elements have gradients near 0, and held ones are pressed outward.
   *
   * The holder stays after `minimize`; the next call looks again. Setting or removing bounds
   * empties it. So does disposing of the solver, unless another one has used it since. To assign to
   * an element that it holds, clear it first: `x.locks.holder('bound').clear()`.
   *
   * Your own locks stay, and a locked element may be outside of its bounds. `minimize` throws
   * ConstraintError if a free element starts outside. Throws OptionError for bounds that cross, are
   * NaN, or leave no finite number; ShapeError for another shape. Then nothing changes.
   * @param {Variable} variable
   * @param {Bounds | null} bounds null removes them.
   * @returns {this}
   * @example
   * const x = g.variable([1, 1]);
   * const fit = g.optimizers.levenbergMarquardt().setBounds(x, { max: [2, 9] });
   * fit.minimize(() => g.sub(x, [3, 4]));
   * x.data(); // [2, 4]
   * x.locks.holder('bound').toLocks().toIndices(); // [0]
   */
  setBounds(variable, bounds) {
    setBounds(Resource.instanceOf(this), Resource.ownHandle(this), variable, bounds);
    return this;
  }

  /**
   * Copies of a variable's bounds, in row-major order; null if it has none.
   * @param {Variable} variable
   * @returns {{ min: Float32Array, max: Float32Array } | null}
   * @example
   * const x = g.variable([1, 1]);
   * const fit = g.optimizers.levenbergMarquardt().setBounds(x, { min: 0 });
   * fit.bounds(x).min; // [0, 0]
   */
  bounds(variable) {
    return readBounds(Resource.instanceOf(this), Resource.ownHandle(this), variable);
  }

  /**
   * Throws GradientError: the method needs gradients at several points, not those of one.
   * @returns {never}
   * @example
   * let message = '';
   * try {
   *   g.optimizers.lbfgs().applyGradients();
   * } catch (error) {
   *   message = error.name;
   * }
   * message; // 'GradientError'
   */
  applyGradients() {
    throw new GradientError(
      `${this.rule} takes no gradients: it computes the loss several times a step; use minimize`,
    );
  }

  /** Steps taken, in all calls. */
  get iterations() {
    return this.#number('glk_solver_info.iterations');
  }

  /** How often programs were run, in all calls: for a Jacobian, once per residual. */
  get evaluations() {
    return this.#number('glk_solver_info.evaluations');
  }

  /** Largest magnitude of a free element's gradient, where the last call looked last. */
  get largestGradient() {
    return this.#number('glk_solver_info.gradient');
  }

  /** Why the last call of `minimize` stopped. */
  get stopReason() {
    const { bridge } = Resource.instanceOf(this);
    const stop = bridge.readField(this.info(), 'glk_solver_info.stop');
    const name = Object.keys(REASONS).find((key) => bridge.constant(key) === stop) ?? '';
    return REASONS[name] ?? 'steps';
  }

  /** @param {string} field */
  #number(field) {
    const { bridge } = Resource.instanceOf(this);
    return Number(bridge.f64[(this.info() + bridge.constant(field)) >>> 3]);
  }

  /** Address of C's information about it, until the next call. @internal */
  info() {
    return Resource.ask(this, 'glk_solver_describe').out;
  }

  /** @internal @override @param {string} reason */
  retire(reason) {
    super.retire(reason);
    notifyDisposed(this);
  }

  /** @override */ get [Symbol.toStringTag]() {
    return 'Solver';
  }

  /** @internal @override */
  get label() {
    return `Optimizer ${this.#method.name}`;
  }

  /**
   * @override
   * @example
   * String(g.optimizers.lbfgs()); // 'Optimizer lbfgs after 0 steps'
   */
  toString() {
    return this.disposed
      ? `${this.label} (disposed)`
      : `${this.label} after ${this.iterations} steps`;
  }
}
