// One class per update rule, for the options that are its own, and `g.optimizers`, which makes them. A test holds the
// accessors against the option table of C.
import { bindMethods } from './bind.js';
import { Optimizer } from './optimizer.js';
import { readMethods, readRules } from './rules.js';
import { LbfgsOptimizer, LevenbergMarquardtOptimizer } from './solvers.js';

/** @typedef {import('./instance.js').Instance} Instance */
/** @typedef {import('./options.js').CommonOptions} CommonOptions */
/** @typedef {import('./rules.js').RuleInfo} RuleInfo */
/** @typedef {import('./solvers.js').LbfgsOptions} LbfgsOptions */
/** @typedef {import('./solvers.js').LevenbergMarquardtOptions} LevenbergMarquardtOptions */
/**
 * @typedef {object} MomentumOptions
 * @property {number} [momentum] 0 is plain gradient descent.
 * @property {boolean} [nesterov] Whether to look ahead, as Nesterov does.
 */
/**
 * @typedef {object} MomentOptions
 * @property {number} [beta1] Decay of the first moment, from 0 to below 1.
 * @property {number} [beta2] Decay of the second moment, from 0 to below 1.
 * @property {number} [epsilon] Added to the root of the second moment.
 */
/** @typedef {CommonOptions & MomentumOptions} SgdOptions */
/** @typedef {CommonOptions & MomentOptions} AdamOptions */

/** Stochastic gradient descent, with or without momentum. */
export class SgdOptimizer extends Optimizer {
  /** 0 is plain gradient descent. */
  get momentum() {
    return this.option('momentum');
  }

  set momentum(value) {
    this.setOptions({ momentum: value });
  }

  /**
   * Whether to look ahead, as Nesterov does.
   * @type {boolean}
   */
  get nesterov() {
    return this.option('nesterov') !== 0;
  }

  set nesterov(value) {
    this.setOptions({ nesterov: value });
  }
}

/** Adam and AdamW, which differ in their default weight decay only. Source: Kingma & Ba 2015, arXiv:1412.6980. */
export class AdamOptimizer extends Optimizer {
  /** Decay of the first moment. */
  get beta1() {
    return this.option('beta1');
  }

  set beta1(value) {
    this.setOptions({ beta1: value });
  }

  /** Decay of the second moment. */
  get beta2() {
    return this.option('beta2');
  }

  set beta2(value) {
    this.setOptions({ beta2: value });
  }

  /** Added to the root of the second moment. */
  get epsilon() {
    return this.option('epsilon');
  }

  set epsilon(value) {
    this.setOptions({ epsilon: value });
  }
}

/** Makes optimizers, with Keras's defaults. Options out of range throw OptionError, and nothing is made. */
export class Optimizers {
  #instance;
  /** @type {Map<string, RuleInfo> | undefined} */
  #rules;
  /** @type {Map<string, RuleInfo> | undefined} */
  #methods;

  /**
   * @internal
   * @param {Instance} instance
   */
  constructor(instance) {
    this.#instance = instance;
    bindMethods(this);
  }

  /**
   * Stochastic gradient descent. Slots: momentum.
   * @param {SgdOptions} [options]
   * @returns {SgdOptimizer}
   */
  sgd(options = {}) {
    return this.#create('sgd', SgdOptimizer, options);
  }

  /**
   * Adam. Slots: m and v.
   * @param {AdamOptions} [options]
   * @returns {AdamOptimizer}
   */
  adam(options = {}) {
    return this.#create('adam', AdamOptimizer, options);
  }

  /**
   * Adam with decoupled weight decay. Slots: m and v.
   * @param {AdamOptions} [options]
   * @returns {AdamOptimizer}
   */
  adamW(options = {}) {
    return this.#create('adamW', AdamOptimizer, options);
  }

  /**
   * L-BFGS, for smooth losses that are the same function throughout a call of `minimize`.
   * @param {LbfgsOptions} [options]
   * @returns {LbfgsOptimizer}
   */
  lbfgs(options = {}) {
    return this.#solver('lbfgs', LbfgsOptimizer, options);
  }

  /**
   * Levenberg-Marquardt: least squares of residuals of any shape, up to 2,048 free elements.
   * @param {LevenbergMarquardtOptions} [options]
   * @returns {LevenbergMarquardtOptimizer}
   */
  levenbergMarquardt(options = {}) {
    return this.#solver('levenbergMarquardt', LevenbergMarquardtOptimizer, options);
  }

  /**
   * @template {import('./solver.js').Solver} T
   * @param {string} name
   * @param {new (instance: Instance, handle: number, method: RuleInfo) => T} Kind
   * @param {object} options
   * @returns {T}
   */
  #solver(name, Kind, options) {
    const { bridge, context } = this.#instance;
    this.#methods ??= readMethods(bridge);
    const method = this.#methods.get(name);
    if (!method) {
      throw new TypeError(`this gradlock.wasm is of another version: it has no method '${name}'`);
    }
    bridge.check(bridge.x.glk_solver_create(context, method.id, bridge.out));
    return configure(new Kind(this.#instance, bridge.outHandle(), method), options);
  }

  /**
   * @template {Optimizer} T
   * @param {string} name
   * @param {new (instance: Instance, handle: number, rule: RuleInfo) => T} Kind
   * @param {object} options
   * @returns {T}
   */
  #create(name, Kind, options) {
    const { bridge, context } = this.#instance;
    this.#rules ??= readRules(bridge);
    const rule = this.#rules.get(name);
    if (!rule) {
      throw new TypeError(`this gradlock.wasm is of another version: it has no rule '${name}'`);
    }
    bridge.check(bridge.x.glk_optimizer_create(context, rule.id, bridge.out));
    return configure(new Kind(this.#instance, bridge.outHandle(), rule), options);
  }
}

/**
 * With the options, or not at all.
 * @template {Optimizer | import('./solver.js').Solver} T
 * @param {T} optimizer
 * @param {object} options
 * @returns {T}
 */
const configure = (optimizer, options) => {
  try {
    optimizer.setOptions(/** @type {Record<string, unknown>} */ (options));
  } catch (error) {
    optimizer.dispose();
    throw error;
  }
  return optimizer;
};
