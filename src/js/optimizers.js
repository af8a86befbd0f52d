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
 * @typedef {object} OwnSgdOptions
 * @property {number} [momentum] 0 is plain gradient descent.
 * @property {boolean} [nesterov] Whether to look ahead, as Nesterov does.
 */
/**
 * @typedef {object} OwnAdamOptions
 * @property {number} [beta1] Decay of the first moment, from 0 to below 1.
 * @property {number} [beta2] Decay of the second moment, from 0 to below 1.
 * @property {number} [epsilon] Added to the root of the second moment.
 * @property {boolean} [amsgrad] Whether to divide by the largest second moment so far.
 */
/**
 * @typedef {object} OwnAdagradOptions
 * @property {number} [initialAccumulatorValue] What the sum of squares starts at, for variables that have not been trained; 0 or above.
 * @property {number} [epsilon] Added to the sum of squares, under the root.
 */
/**
 * @typedef {object} OwnAdadeltaOptions
 * @property {number} [rho] Decay of both averages, from 0 to below 1.
 * @property {number} [epsilon] Added to both averages, under the roots.
 */
/**
 * @typedef {object} OwnRmspropOptions
 * @property {number} [rho] Decay of the averages, from 0 to below 1.
 * @property {number} [momentum] 0 is none.
 * @property {number} [epsilon] Added to the average of squares, under the root.
 * @property {boolean} [centered] Whether to divide by the deviation of the gradient, not by its size.
 */
/**
 * @typedef {object} OwnAdamaxOptions
 * @property {number} [beta1] Decay of the first moment, from 0 to below 1.
 * @property {number} [beta2] Decay of the largest gradient, from 0 to below 1.
 * @property {number} [epsilon] Added to the largest gradient.
 */
/**
 * @typedef {object} OwnNadamOptions
 * @property {number} [beta1] Decay of the first moment, from 0 to below 1.
 * @property {number} [beta2] Decay of the second moment, from 0 to below 1.
 * @property {number} [epsilon] Added to the root of the second moment.
 */
/**
 * @typedef {object} OwnLionOptions
 * @property {number} [beta1] Share of the momentum in what the sign is taken of, from 0 to below 1.
 * @property {number} [beta2] Decay of the momentum, from 0 to below 1.
 */
/**
 * @typedef {object} OwnFtrlOptions
 * @property {number} [learningRatePower] How the rate falls with the sum of squares, from -100 to 0, which is a fixed rate.
 * @property {number} [initialAccumulatorValue] What the sum of squares starts at, for variables that have not been trained; 0 or above.
 * @property {number} [l1RegularizationStrength] L1 term: elements whose gradients do not pay for it are exactly 0.
 * @property {number} [l2RegularizationStrength] L2 term.
 * @property {number} [l2ShrinkageRegularizationStrength] L2 term that is added to the gradient.
 * @property {number} [beta] Added to the power of the sum of squares, as in the paper.
 */
/** @typedef {CommonOptions & OwnSgdOptions} SgdOptions */
/** @typedef {CommonOptions & OwnAdamOptions} AdamOptions */
/** @typedef {CommonOptions & OwnAdagradOptions} AdagradOptions */
/** @typedef {CommonOptions & OwnAdadeltaOptions} AdadeltaOptions */
/** @typedef {CommonOptions & OwnRmspropOptions} RmspropOptions */
/** @typedef {CommonOptions & OwnAdamaxOptions} AdamaxOptions */
/** @typedef {CommonOptions & OwnNadamOptions} NadamOptions */
/** @typedef {CommonOptions & OwnLionOptions} LionOptions */
/** @typedef {CommonOptions & OwnFtrlOptions} FtrlOptions */

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
  /** Decay of the first moment, from 0 to below 1. */
  get beta1() {
    return this.option('beta1');
  }

  set beta1(value) {
    this.setOptions({ beta1: value });
  }

  /** Decay of the second moment, from 0 to below 1. */
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

  /**
   * Whether to divide by the largest second moment so far.
   * @type {boolean}
   */
  get amsgrad() {
    return this.option('amsgrad') !== 0;
  }

  set amsgrad(value) {
    this.setOptions({ amsgrad: value });
  }
}

/** AdaGrad. Source: Duchi, Hazan & Singer 2011, JMLR 12. */
export class AdagradOptimizer extends Optimizer {
  /** What the sum of squares starts at, for variables that have not been trained; 0 or above. */
  get initialAccumulatorValue() {
    return this.option('initialAccumulatorValue');
  }

  set initialAccumulatorValue(value) {
    this.setOptions({ initialAccumulatorValue: value });
  }

  /** Added to the sum of squares, under the root. */
  get epsilon() {
    return this.option('epsilon');
  }

  set epsilon(value) {
    this.setOptions({ epsilon: value });
  }
}

/** AdaDelta. Source: Zeiler 2012, arXiv:1212.5701. */
export class AdadeltaOptimizer extends Optimizer {
  /** Decay of both averages, from 0 to below 1. */
  get rho() {
    return this.option('rho');
  }

  set rho(value) {
    this.setOptions({ rho: value });
  }

  /** Added to both averages, under the roots. */
  get epsilon() {
    return this.option('epsilon');
  }

  set epsilon(value) {
    this.setOptions({ epsilon: value });
  }
}

/** RMSProp. Source: Tieleman & Hinton 2012, lecture 6.5; Graves 2013, arXiv:1308.0850. */
export class RmspropOptimizer extends Optimizer {
  /** Decay of the averages, from 0 to below 1. */
  get rho() {
    return this.option('rho');
  }

  set rho(value) {
    this.setOptions({ rho: value });
  }

  /** 0 is none. */
  get momentum() {
    return this.option('momentum');
  }

  set momentum(value) {
    this.setOptions({ momentum: value });
  }

  /** Added to the average of squares, under the root. */
  get epsilon() {
    return this.option('epsilon');
  }

  set epsilon(value) {
    this.setOptions({ epsilon: value });
  }

  /**
   * Whether to divide by the deviation of the gradient, not by its size.
   * @type {boolean}
   */
  get centered() {
    return this.option('centered') !== 0;
  }

  set centered(value) {
    this.setOptions({ centered: value });
  }
}

/** Adamax. Source: Kingma & Ba 2015, arXiv:1412.6980, section 7.1. */
export class AdamaxOptimizer extends Optimizer {
  /** Decay of the first moment, from 0 to below 1. */
  get beta1() {
    return this.option('beta1');
  }

  set beta1(value) {
    this.setOptions({ beta1: value });
  }

  /** Decay of the largest gradient, from 0 to below 1. */
  get beta2() {
    return this.option('beta2');
  }

  set beta2(value) {
    this.setOptions({ beta2: value });
  }

  /** Added to the largest gradient. */
  get epsilon() {
    return this.option('epsilon');
  }

  set epsilon(value) {
    this.setOptions({ epsilon: value });
  }
}

/** Nadam. Source: Dozat 2016, "Incorporating Nesterov momentum into Adam". */
export class NadamOptimizer extends Optimizer {
  /** Decay of the first moment, from 0 to below 1. */
  get beta1() {
    return this.option('beta1');
  }

  set beta1(value) {
    this.setOptions({ beta1: value });
  }

  /** Decay of the second moment, from 0 to below 1. */
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

/** Lion. Source: Chen et al. 2023, arXiv:2302.06675. */
export class LionOptimizer extends Optimizer {
  /** Share of the momentum in what the sign is taken of, from 0 to below 1. */
  get beta1() {
    return this.option('beta1');
  }

  set beta1(value) {
    this.setOptions({ beta1: value });
  }

  /** Decay of the momentum, from 0 to below 1. */
  get beta2() {
    return this.option('beta2');
  }

  set beta2(value) {
    this.setOptions({ beta2: value });
  }
}

/** FTRL-Proximal. Source: McMahan et al. 2013, "Ad click prediction: a view from the trenches". */
export class FtrlOptimizer extends Optimizer {
  /** How the rate falls with the sum of squares, from -100 to 0, which is a fixed rate. */
  get learningRatePower() {
    return this.option('learningRatePower');
  }

  set learningRatePower(value) {
    this.setOptions({ learningRatePower: value });
  }

  /** What the sum of squares starts at, for variables that have not been trained; 0 or above. */
  get initialAccumulatorValue() {
    return this.option('initialAccumulatorValue');
  }

  set initialAccumulatorValue(value) {
    this.setOptions({ initialAccumulatorValue: value });
  }

  /** L1 term: elements whose gradients do not pay for it are exactly 0. */
  get l1RegularizationStrength() {
    return this.option('l1RegularizationStrength');
  }

  set l1RegularizationStrength(value) {
    this.setOptions({ l1RegularizationStrength: value });
  }

  /** L2 term. */
  get l2RegularizationStrength() {
    return this.option('l2RegularizationStrength');
  }

  set l2RegularizationStrength(value) {
    this.setOptions({ l2RegularizationStrength: value });
  }

  /** L2 term that is added to the gradient. */
  get l2ShrinkageRegularizationStrength() {
    return this.option('l2ShrinkageRegularizationStrength');
  }

  set l2ShrinkageRegularizationStrength(value) {
    this.setOptions({ l2ShrinkageRegularizationStrength: value });
  }

  /** Added to the power of the sum of squares, as in the paper. */
  get beta() {
    return this.option('beta');
  }

  set beta(value) {
    this.setOptions({ beta: value });
  }
}

/** @typedef {'sgd' | 'adam' | 'adamW' | 'adagrad' | 'adadelta' | 'rmsprop' | 'adamax' | 'nadam' | 'lion' | 'ftrl'} RuleName */

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
   * Adam. Slots: m and v; with amsgrad also vHat.
   * @param {AdamOptions} [options]
   * @returns {AdamOptimizer}
   */
  adam(options = {}) {
    return this.#create('adam', AdamOptimizer, options);
  }

  /**
   * Adam with decoupled weight decay. Slots: m and v; with amsgrad also vHat.
   * @param {AdamOptions} [options]
   * @returns {AdamOptimizer}
   */
  adamW(options = {}) {
    return this.#create('adamW', AdamOptimizer, options);
  }

  /**
   * AdaGrad. Slots: accumulator.
   * @param {AdagradOptions} [options]
   * @returns {AdagradOptimizer}
   */
  adagrad(options = {}) {
    return this.#create('adagrad', AdagradOptimizer, options);
  }

  /**
   * AdaDelta. Slots: accumulatedGrad and accumulatedDeltaVar.
   * @param {AdadeltaOptions} [options]
   * @returns {AdadeltaOptimizer}
   */
  adadelta(options = {}) {
    return this.#create('adadelta', AdadeltaOptimizer, options);
  }

  /**
   * RMSProp, plain or centered. Slots: velocity; if used, averageGradient and momentum.
   * @param {RmspropOptions} [options]
   * @returns {RmspropOptimizer}
   */
  rmsprop(options = {}) {
    return this.#create('rmsprop', RmspropOptimizer, options);
  }

  /**
   * Adamax, Adam with the infinity norm. Slots: m and u.
   * @param {AdamaxOptions} [options]
   * @returns {AdamaxOptimizer}
   */
  adamax(options = {}) {
    return this.#create('adamax', AdamaxOptimizer, options);
  }

  /**
   * Nadam, Adam with Nesterov's look-ahead. Slots: m and v.
   * @param {NadamOptions} [options]
   * @returns {NadamOptimizer}
   */
  nadam(options = {}) {
    return this.#create('nadam', NadamOptimizer, options);
  }

  /**
   * Lion. Slots: m.
   * @param {LionOptions} [options]
   * @returns {LionOptimizer}
   */
  lion(options = {}) {
    return this.#create('lion', LionOptimizer, options);
  }

  /**
   * FTRL-Proximal. Slots: accumulator and linear. A first step forgets the value that a variable had.
   * @param {FtrlOptions} [options]
   * @returns {FtrlOptimizer}
   */
  ftrl(options = {}) {
    return this.#create('ftrl', FtrlOptimizer, options);
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
