// `g.optimizers`, and the options of each update rule as editors show them. Each option is a live
// property, made from C's own table; a test holds the types here against it.
import { bindMethods } from '../base/bind.js';
import { Optimizer } from './optimizer.js';
import { readMethods, readRules } from './rules.js';
import { Lbfgs, LevenbergMarquardt } from './solvers.js';

// Every typedef here is exported by the library (types.js), so what is only used is imported; the
// class, which is not, is the default export.
/** @import { Instance } from '../tensors/instance.js' */
/** @import { CommonOptions } from './options.js' */
/** @import { RuleInfo } from './rules.js' */
/** @import { LbfgsOptimizer, LbfgsOptions } from './solvers.js' */
/** @import { LevenbergMarquardtOptimizer, LevenbergMarquardtOptions } from './solvers.js' */
/**
 * @typedef {object} OwnSgdOptions
 * @property {number} [momentum] Kept share of the last step; 0: plain gradient descent. Default: 0.
 * @property {boolean} [nesterov] True to look ahead, as Nesterov does. Default: false.
 */
/**
 * @typedef {object} OwnAdamOptions
 * @property {number} [beta1] Decay of the first moment, from 0 to below 1. Default: 0.9.
 * @property {number} [beta2] Decay of the second moment, from 0 to below 1. Default: 0.999.
 * @property {number} [epsilon] Added to the root of the second moment. Default: 1e-7.
 * @property {boolean} [amsgrad] True to divide by the largest second moment. Default: false.
 */
/**
 * @typedef {object} OwnAdagradOptions
 * @property {number} [initialAccumulatorValue] Initial value of the sum of squares, for
 *   variables that have not been trained; 0 or above. Default: 0.1.
 * @property {number} [epsilon] Added to the sum of squares, under the root. Default: 1e-7.
 */
/**
 * @typedef {object} OwnAdadeltaOptions
 * @property {number} [rho] Decay of both averages, from 0 to below 1. Default: 0.95.
 * @property {number} [epsilon] Added to both averages, under the roots. Default: 1e-7.
 */
/**
 * @typedef {object} OwnRmspropOptions
 * @property {number} [rho] Decay of the averages, from 0 to below 1. Default: 0.9.
 * @property {number} [momentum] Share of the last step that is kept; 0 is none. Default: 0.
 * @property {number} [epsilon] Added to the average of squares, under the root. Default: 1e-7.
 * @property {boolean} [centered] True to divide by the gradient's deviation. Default: false.
 */
/**
 * @typedef {object} OwnAdamaxOptions
 * @property {number} [beta1] Decay of the first moment, from 0 to below 1. Default: 0.9.
 * @property {number} [beta2] Decay of the largest gradient, from 0 to below 1. Default: 0.999.
 * @property {number} [epsilon] Added to the largest gradient. Default: 1e-7.
 */
/**
 * @typedef {object} OwnNadamOptions
 * @property {number} [beta1] Decay of the first moment, from 0 to below 1. Default: 0.9.
 * @property {number} [beta2] Decay of the second moment, from 0 to below 1. Default: 0.999.
 * @property {number} [epsilon] Added to the root of the second moment. Default: 1e-7.
 */
/**
 * @typedef {object} OwnLionOptions
 * @property {number} [beta1] Share of the momentum in the value whose sign is used, from 0 to
 *   below 1. Default: 0.9.
 * @property {number} [beta2] Decay of the momentum, from 0 to below 1. Default: 0.99.
 */
/**
 * @typedef {object} OwnFtrlOptions
 * @property {number} [learningRatePower] How the rate falls with the sum of squares, from -100
 *   to 0, which is a fixed rate. Default: -0.5.
 * @property {number} [initialAccumulatorValue] Initial value of the sum of squares, for
 *   variables that have not been trained; 0 or above. Default: 0.1.
 * @property {number} [l1RegularizationStrength] L1 term: elements whose gradients do not pay for
 *   it are exactly 0. Default: 0.
 * @property {number} [l2RegularizationStrength] L2 term. Default: 0.
 * @property {number} [l2ShrinkageRegularizationStrength] L2 term of the gradient. Default: 0.
 * @property {number} [beta] Added to the power of the sum of squares, as published. Default: 0.
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
/**
 * Stochastic gradient descent, with or without momentum.
 * @typedef {Optimizer & Required<OwnSgdOptions>} SgdOptimizer
 */
/**
 * Adam, and AdamW with default weight decay. Source: Kingma & Ba 2015, arXiv:1412.6980.
 * @typedef {Optimizer & Required<OwnAdamOptions>} AdamOptimizer
 */
/**
 * AdaGrad. Source: Duchi, Hazan & Singer 2011, JMLR 12.
 * @typedef {Optimizer & Required<OwnAdagradOptions>} AdagradOptimizer
 */
/**
 * AdaDelta. Source: Zeiler 2012, arXiv:1212.5701.
 * @typedef {Optimizer & Required<OwnAdadeltaOptions>} AdadeltaOptimizer
 */
/**
 * RMSProp. Source: Tieleman & Hinton 2012, lecture 6.5; Graves 2013, arXiv:1308.0850.
 * @typedef {Optimizer & Required<OwnRmspropOptions>} RmspropOptimizer
 */
/**
 * Adamax. Source: Kingma & Ba 2015, arXiv:1412.6980, section 7.1.
 * @typedef {Optimizer & Required<OwnAdamaxOptions>} AdamaxOptimizer
 */
/**
 * Nadam. Source: Dozat 2016, "Incorporating Nesterov momentum into Adam".
 * @typedef {Optimizer & Required<OwnNadamOptions>} NadamOptimizer
 */
/**
 * Lion. Source: Chen et al. 2023, arXiv:2302.06675.
 * @typedef {Optimizer & Required<OwnLionOptions>} LionOptimizer
 */
/**
 * FTRL-Proximal. Source: McMahan et al. 2013, "Ad click prediction: a view from the trenches".
 * @typedef {Optimizer & Required<OwnFtrlOptions>} FtrlOptimizer
 */
/** @typedef {Exclude<keyof Optimizers, 'lbfgs' | 'levenbergMarquardt'>} RuleName */

/** Makes optimizers, with Keras's defaults. Options out of range throw OptionError. */
export default class Optimizers {
  #instance;
  /** @type {Map<string, RuleInfo> | undefined} */
  #rules;
  /** @type {Map<string, RuleInfo> | undefined} */
  #methods;

  /** @internal @param {Instance} instance */
  constructor(instance) {
    this.#instance = instance;
    bindMethods(this);
  }

  /**
   * Stochastic gradient descent. Slots: momentum.
   * @param {SgdOptions} [options]
   * @returns {SgdOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const sgd = g.optimizers.sgd({ learningRate: 0.1, momentum: 0.5 });
   * sgd.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
   * x.array(); // [0.30199996, 2]
   */
  sgd(options) {
    return this.#create('sgd', options);
  }

  /**
   * Adam. Slots: m and v; with amsgrad also vHat.
   * @param {AdamOptions} [options]
   * @returns {AdamOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const adam = g.optimizers.adam({ learningRate: 0.1 });
   * adam.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
   * x.array(); // [0.7015866, 2]
   */
  adam(options) {
    return this.#create('adam', options);
  }

  /**
   * Adam with decoupled weight decay, by default 0.004 as in Keras; PyTorch's is 0.01. Slots: m and
   * v; with amsgrad also vHat.
   * @param {AdamOptions} [options]
   * @returns {AdamOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const adamW = g.optimizers.adamW({ learningRate: 0.1 });
   * adamW.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
   * x.array(); // [0.7005159, 2]
   */
  adamW(options) {
    return this.#create('adamW', options);
  }

  /**
   * AdaGrad. Slots: accumulator.
   * @param {AdagradOptions} [options]
   * @returns {AdagradOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const adagrad = g.optimizers.adagrad({ learningRate: 0.1 });
   * adagrad.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
   * x.array(); // [0.7822992, 2]
   */
  adagrad(options) {
    return this.#create('adagrad', options);
  }

  /**
   * AdaDelta. Slots: accumulatedGrad and accumulatedDeltaVar.
   * @param {AdadeltaOptions} [options]
   * @returns {AdadeltaOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const adadelta = g.optimizers.adadelta({ learningRate: 1 });
   * adadelta.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
   * x.array(); // [0.99571246, 2]
   */
  adadelta(options) {
    return this.#create('adadelta', options);
  }

  /**
   * RMSProp, plain or centered. Slots: velocity; if used, averageGradient and momentum.
   * @param {RmspropOptions} [options]
   * @returns {RmspropOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const rmsprop = g.optimizers.rmsprop({ learningRate: 0.01 });
   * rmsprop.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
   * x.array(); // [0.9270531, 2]
   */
  rmsprop(options) {
    return this.#create('rmsprop', options);
  }

  /**
   * Adamax, Adam with the infinity norm. Slots: m and u.
   * @param {AdamaxOptions} [options]
   * @returns {AdamaxOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const adamax = g.optimizers.adamax({ learningRate: 0.1 });
   * adamax.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
   * x.array(); // [0.7154994, 2]
   */
  adamax(options) {
    return this.#create('adamax', options);
  }

  /**
   * Nadam, Adam with Nesterov's look-ahead. Slots: m and v.
   * @param {NadamOptions} [options]
   * @returns {NadamOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const nadam = g.optimizers.nadam({ learningRate: 0.1 });
   * nadam.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
   * x.array(); // [0.75467426, 2]
   */
  nadam(options) {
    return this.#create('nadam', options);
  }

  /**
   * Lion. Slots: m.
   * @param {LionOptions} [options]
   * @returns {LionOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const lion = g.optimizers.lion({ learningRate: 0.01 });
   * lion.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
   * x.array(); // [0.97, 2]
   */
  lion(options) {
    return this.#create('lion', options);
  }

  /**
   * FTRL-Proximal. Slots: accumulator and linear. A first step forgets the value that a variable
   * had.
   * @param {FtrlOptions} [options]
   * @returns {FtrlOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const ftrl = g.optimizers.ftrl({ learningRate: 0.1 });
   * ftrl.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
   * x.array(); // [0.63788956, 2]
   */
  ftrl(options) {
    return this.#create('ftrl', options);
  }

  /**
   * L-BFGS, for smooth losses that are the same function throughout a call of `minimize`.
   * @param {LbfgsOptions} [options]
   * @returns {LbfgsOptimizer}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const loss = () => g.sum(g.square(g.sub(x, [4, 0])));
   * const lbfgs = g.optimizers.lbfgs();
   * lbfgs.minimize(loss, { variables: [x], steps: 50 }); // 4
   * x.array(); // [4, 2]
   * lbfgs.stopReason; // 'gradient'
   */
  lbfgs(options) {
    return this.#solver('lbfgs', Lbfgs, options);
  }

  /**
   * Levenberg-Marquardt: least squares of residuals, not a scalar's, up to 2,048 free elements.
   * @param {LevenbergMarquardtOptions} [options]
   * @returns {LevenbergMarquardtOptimizer}
   * @example
   * const line = g.variable([0, 1]).lock([1]);
   * const residuals = () => {
   *   const [slope, offset] = g.unstack(line);
   *   return g.sub(g.add(g.mul(slope, [0, 1, 2]), offset), [1, 3, 5]);
   * };
   * const fit = g.optimizers.levenbergMarquardt();
   * fit.minimize(residuals, { variables: [line] });
   * line.array(); // [2, 1]
   * fit.stopReason; // 'gradient'
   */
  levenbergMarquardt(options) {
    return this.#solver('levenbergMarquardt', LevenbergMarquardt, options);
  }

  /**
   * @template {import('./solver.js').Solver} T
   * @param {string} name
   * @param {new (instance: Instance, handle: number, method: RuleInfo) => T} Kind
   * @param {object | undefined} options
   * @returns {any} A solver with the method's own options.
   */
  #solver(name, Kind, options) {
    const { bridge, context } = this.#instance;
    this.#methods ??= readMethods(bridge);
    const method = this.#methods.get(name);
    if (!method) {
      throw new TypeError(`this gradlock.wasm has another version: it has no method '${name}'`);
    }
    bridge.check(bridge.x.glk_solver_create(context, method.id, bridge.out));
    return configure(new Kind(this.#instance, bridge.outHandle(), method), options);
  }

  /**
   * @param {string} name
   * @param {object | undefined} options
   * @returns {any} An optimizer with the rule's own options.
   */
  #create(name, options) {
    const { bridge, context } = this.#instance;
    this.#rules ??= readRules(bridge);
    const rule = this.#rules.get(name);
    if (!rule) {
      throw new TypeError(`this gradlock.wasm has another version: it has no rule '${name}'`);
    }
    bridge.check(bridge.x.glk_optimizer_create(context, rule.id, bridge.out));
    return configure(new Optimizer(this.#instance, bridge.outHandle(), rule), options);
  }
}

/**
 * With the options, or not at all.
 * @template {Optimizer | import('./solver.js').Solver} T
 * @param {T} optimizer
 * @param {object | undefined} options
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
