// Learning-rate schedules: names and numbers that C evaluates at every step, and custom functions,
// which JavaScript does. Which numbers a schedule has, and their ranges, is C's to say.
import { bindMethods } from '../base/bind.js';
import { describe, isList, readEach, readNumber, readOptions } from '../base/check.js';
import { OptionError } from '../base/errors.js';

/** @import { Bridge } from '../wasm/bridge.js' */
/** @import { Instance } from '../tensors/instance.js' */
/** @typedef {(iteration: number) => number} OwnSchedule The rate of a step; the first step is 0. */
/**
 * @typedef {object} DecayOptions
 * @property {number} initialLearningRate
 * @property {number} decaySteps At least 1.
 * @property {number} decayRate
 * @property {boolean} [staircase] True to fall once every `decaySteps` only. Default: false.
 */
/**
 * @typedef {object} PolynomialOptions
 * @property {number} initialLearningRate
 * @property {number} decaySteps At least 1.
 * @property {number} [endLearningRate] Default: 0.0001.
 * @property {number} [power] Default: 1, a straight line.
 * @property {boolean} [cycle] True to start over, for longer, at the end. Default: false.
 */
/**
 * @typedef {object} CosineOptions
 * @property {number} initialLearningRate Where the warm-up starts, or without one the decay.
 * @property {number} decaySteps At least 1; the steps of the warm-up come before them.
 * @property {number} [alpha] The last rate, as a fraction of the first. Default: 0.
 * @property {number} [warmupTarget] Where warm-up leads and decay starts. Default: none.
 * @property {number} [warmupSteps] Default: 0.
 */
/**
 * @typedef {object} RestartsOptions
 * @property {number} initialLearningRate
 * @property {number} firstDecaySteps At least 1.
 * @property {number} [tMul] Each period's length by the one before; at least 1. Default: 2.
 * @property {number} [mMul] How much higher each period starts than the one before. Default: 1.
 * @property {number} [alpha] The lowest rate, as a fraction of the first. Default: 0.
 */
/**
 * @typedef {object} WarmupOptions
 * @property {number} initialLearningRate
 * @property {number} warmupTarget The rate after the warm-up, and ever after.
 * @property {number} warmupSteps At least 1.
 */
/**
 * @typedef {object} OneCycleOptions
 * @property {number} maxLearningRate
 * @property {number} totalSteps After these steps, the last rate stays constant.
 * @property {number} [pctStart] The rising part of the steps, from 0 to 1. Default: 0.3.
 * @property {boolean} [linear] Straight lines instead of cosines. Default: false.
 * @property {number} [divFactor] The first rate is maxLearningRate / divFactor. Default: 25.
 * @property {number} [finalDivFactor] The last rate is the first / finalDivFactor. Default: 10,000.
 * @property {boolean} [threePhase] True if the rate falls to the first as slowly as it rose, and
 *   then to the last. Default: false.
 */

/** Names and addresses of the numbers that schedules are made of, by the kind's name. */
class Kinds {
  /**
   * @type {Map<string, { id: number, numbers: { name: string, initial: number, isFlag: boolean }[]
   *   }>}
   */
  #kinds = new Map();
  /** @type {string[]} */
  names = [];

  /** @param {Bridge} bridge */
  constructor(bridge) {
    const { x, out } = bridge;
    for (let id = 0; id < bridge.constant('GLK_SCHEDULE_COUNT'); id++) {
      bridge.check(x.glk_schedule_describe(id, out, out + 4));
      const count = Number(bridge.u32[(out >>> 2) + 1]);
      const name = bridge.text(bridge.outHandle());
      const numbers = Array.from({ length: count }, (_, i) => {
        bridge.check(x.glk_schedule_number(id, i, out));
        const initial = Number(
          bridge.f64[(out + bridge.constant('glk_option_info.initial')) >>> 3],
        );
        const isFlag = bridge.readField(out, 'glk_option_info.is_flag') !== 0;
        return {
          name: bridge.text(bridge.readField(out, 'glk_option_info.name')),
          initial,
          isFlag,
        };
      });
      this.#kinds.set(name, { id, numbers });
      this.names.push(name);
    }
  }

  /** @param {string} name */
  get(name) {
    const kind = this.#kinds.get(name);
    if (!kind) {
      throw new TypeError(`this gradlock.wasm has another version: it has no schedule '${name}'`);
    }
    return kind;
  }
}

/** @type {WeakMap<Bridge, Kinds>} */
const kindsOf = new WeakMap();

/** @param {Bridge} bridge */
const readKinds = (bridge) => {
  const kinds = kindsOf.get(bridge) ?? new Kinds(bridge);
  kindsOf.set(bridge, kinds);
  return kinds;
};

/** A learning rate that changes with an optimizer's steps. Immutable; optimizers may share it. */
export class Schedule {
  #instance;
  #id;

  /**
   * @internal
   * @param {Instance} instance
   * @param {string} kind
   * @param {readonly number[]} numbers
   */
  constructor(instance, kind, numbers) {
    this.#instance = instance;
    this.#id = readKinds(instance.bridge).get(kind).id;
    /** Its name, as on `g.schedules`. */
    this.kind = kind;
    /** Its numbers, in C's order. */
    this.numbers = Object.freeze([...numbers]);
    Object.freeze(this);
    this.at(0);
  }

  /**
   * The rate of a step, by C, the same on every engine. Throws OptionError for a negative step.
   * @param {number} iteration Steps taken before; the first step is 0.
   * @returns {number}
   * @example
   * const options = { initialLearningRate: 1, decaySteps: 10, decayRate: 0.5 };
   * g.schedules.exponentialDecay(options).at(20); // 0.25
   */
  at(iteration) {
    if (typeof iteration !== 'number') {
      throw new TypeError(`the iteration must be a number, got ${describe(iteration)}`);
    }
    const { bridge, context } = this.#instance;
    return withNumbers(bridge, this.numbers, (address, count) => {
      const { out, x } = bridge;
      bridge.check(x.glk_schedule_rate(context, this.#id, address, count, iteration, out));
      return bridge.outNumber();
    });
  }

  /** Let an optimizer follow it. @internal @param {number} optimizer */
  attach(optimizer) {
    const { bridge, context } = this.#instance;
    withNumbers(bridge, this.numbers, (address, count) =>
      bridge.check(bridge.x.glk_optimizer_schedule(context, optimizer, this.#id, address, count)),
    );
  }

  get [Symbol.toStringTag]() {
    return 'Schedule';
  }
}

/**
 * @template R
 * @param {Bridge} bridge
 * @param {readonly number[]} numbers
 * @param {(address: number, count: number) => R} call
 * @returns {R}
 */
const withNumbers = (bridge, numbers, call) => {
  return bridge.staged(numbers.length * 8, (address) => {
    bridge.f64.set(numbers, address >>> 3);
    return call(address, numbers.length);
  });
};

/**
 * The schedule of an optimizer; null for a constant rate or a function.
 * @param {Instance} instance
 * @param {number} optimizer
 * @returns {Schedule | null}
 */
export const scheduleOf = (instance, optimizer) => {
  const { bridge, context } = instance;
  const most = bridge.constant('GLK_MAX_SCHEDULE');
  return bridge.staged(most * 8, (address) => {
    const { out, x } = bridge;
    bridge.check(x.glk_optimizer_scheduled(context, optimizer, out, address, out + 4));
    const [kind, count] = bridge.u32.slice(out >>> 2, (out >>> 2) + 2);
    if (kind === bridge.constant('GLK_CONSTANT') || kind === bridge.constant('GLK_OWN_SCHEDULE')) {
      return null;
    }
    const numbers = bridge.f64.slice(address >>> 3, (address >>> 3) + Number(count));
    return new Schedule(instance, readKinds(bridge).names[Number(kind)], [...numbers]);
  });
};

/** @param {unknown} value @param {string} what */
const readNumbers = (value, what) => {
  if (isList(value)) return readEach(value, what, (one, i) => readNumber(one, `${what}[${i}]`));
  throw new TypeError(`${what} must be an array of numbers, got ${describe(value)}`);
};

/**
 * Makes schedules, to be given as `learningRate`. Definitions, names and defaults are those of
 * Keras's `keras.optimizers.schedules`, for `oneCycle` those of PyTorch's OneCycleLR. The first
 * step is step 0. Numbers out of range throw OptionError.
 */
export class Schedules {
  #instance;

  /** @internal @param {Instance} instance */
  constructor(instance) {
    this.#instance = instance;
    bindMethods(this);
  }

  /**
   * values[0] up to and including step boundaries[0], values[1] up to boundaries[1], and so on.
   * @param {{ boundaries: readonly number[], values: readonly number[] }} options Boundaries grow,
   *   63 at most; one value more than boundaries.
   * @returns {Schedule}
   * @example
   * const rate = g.schedules.piecewiseConstantDecay({ boundaries: [2, 4], values: [1, 0.5, 0.1] });
   * [0, 2, 3, 5].map((step) => rate.at(step)); // [1, 1, 0.5, 0.1]
   */
  piecewiseConstantDecay(options) {
    const read = readOptions(options, ['boundaries', 'values'], 'schedule options');
    const boundaries = readNumbers(read.boundaries, 'boundaries');
    const values = readNumbers(read.values, 'values');
    if (values.length !== boundaries.length + 1) {
      throw new OptionError(
        `piecewiseConstantDecay: ${boundaries.length} boundaries need ${boundaries.length + 1} values, got ${values.length}`,
      );
    }
    const numbers = values.flatMap((value, i) =>
      i ? [Number(boundaries[i - 1]), value] : [value],
    );
    return new Schedule(this.#instance, 'piecewiseConstantDecay', numbers);
  }

  /**
   * initialLearningRate · decayRate^(step / decaySteps).
   * @param {DecayOptions} options
   * @returns {Schedule}
   * @example
   * const options = { initialLearningRate: 1, decaySteps: 2, decayRate: 0.5 };
   * const rate = g.schedules.exponentialDecay(options);
   * [0, 1, 2, 4].map((step) => rate.at(step)); // [1, 0.70710678, 0.5, 0.25]
   */
  exponentialDecay(options) {
    return this.#make('exponentialDecay', options);
  }

  /**
   * initialLearningRate / (1 + decayRate · step / decaySteps).
   * @param {DecayOptions} options
   * @returns {Schedule}
   * @example
   * const options = { initialLearningRate: 1, decaySteps: 2, decayRate: 1 };
   * const rate = g.schedules.inverseTimeDecay(options);
   * [0, 1, 2, 6].map((step) => rate.at(step)); // [1, 0.6666667, 0.5, 0.25]
   */
  inverseTimeDecay(options) {
    return this.#make('inverseTimeDecay', options);
  }

  /**
   * (initialLearningRate − endLearningRate) · (1 − step / decaySteps)^power + endLearningRate.
   * @param {PolynomialOptions} options
   * @returns {Schedule}
   * @example
   * const options = { initialLearningRate: 1, decaySteps: 4, endLearningRate: 0, power: 2 };
   * const rate = g.schedules.polynomialDecay(options);
   * [0, 1, 2, 4, 9].map((step) => rate.at(step)); // [1, 0.5625, 0.25, 0, 0]
   */
  polynomialDecay(options) {
    return this.#make('polynomialDecay', options);
  }

  /**
   * Half a cosine from the first rate to alpha times it, after a linear warm-up to `warmupTarget`.
   * Source: Loshchilov & Hutter 2017, arXiv:1608.03983.
   * @param {CosineOptions} options
   * @returns {Schedule}
   * @example
   * const rate = g.schedules.cosineDecay({ initialLearningRate: 1, decaySteps: 4, alpha: 0.1 });
   * [0, 1, 2, 4, 9].map((step) => rate.at(step)); // [1, 0.86819805, 0.55, 0.1, 0.1]
   */
  cosineDecay(options) {
    return this.#make('cosineDecay', options);
  }

  /**
   * Half a cosine, again and again. Source: Loshchilov & Hutter 2017, arXiv:1608.03983.
   * @param {RestartsOptions} options
   * @returns {Schedule}
   * @example
   * const options = { initialLearningRate: 1, firstDecaySteps: 2, tMul: 2 };
   * const rate = g.schedules.cosineDecayRestarts(options);
   * [0, 1, 2, 4, 6].map((step) => rate.at(step)); // [1, 0.5, 1, 0.5, 1]
   */
  cosineDecayRestarts(options) {
    return this.#make('cosineDecayRestarts', options);
  }

  /**
   * A linear change from one rate to another, which then stays constant.
   * @param {WarmupOptions} options
   * @returns {Schedule}
   * @example
   * const options = { initialLearningRate: 0, warmupTarget: 1, warmupSteps: 4 };
   * const rate = g.schedules.linearWarmup(options);
   * [0, 1, 2, 4, 9].map((step) => rate.at(step)); // [0, 0.25, 0.5, 1, 1]
   */
  linearWarmup(options) {
    return this.#make('linearWarmup', options);
  }

  /**
   * Up to the highest rate, and down far below the first. Source: Smith & Topin 2017,
   * arXiv:1708.07120, as in PyTorch.
   * @param {OneCycleOptions} options
   * @returns {Schedule}
   * @example
   * const rate = g.schedules.oneCycle({ maxLearningRate: 1, totalSteps: 10 });
   * [0, 3, 6, 9, 20].map((step) => rate.at(step));
   * // [0.04, 0.95048463, 0.38874198, 0.000004, 0.000004]
   */
  oneCycle(options) {
    return this.#make('oneCycle', options);
  }

  /** @param {string} kind @param {object} options */
  #make(kind, options) {
    const { numbers } = readKinds(this.#instance.bridge).get(kind);
    const known = numbers.map(({ name }) => name);
    const read = readOptions(options, known, 'schedule options');
    const values = numbers.map(({ name, initial, isFlag }) => {
      const value = read[name];
      if (value === undefined && Number.isNaN(initial)) {
        throw new OptionError(`${kind} needs ${name}`);
      }
      if (value !== undefined && typeof value !== (isFlag ? 'boolean' : 'number')) {
        const type = isFlag ? 'boolean' : 'number';
        throw new TypeError(`${name} must be a ${type}, got ${describe(value)}`);
      }
      return value === undefined ? initial : Number(value);
    });
    return new Schedule(this.#instance, kind, values);
  }
}
