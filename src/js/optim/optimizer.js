// Optimizers: an update rule with live options and, in C, slots and clocks of each variable.
import { describe } from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { readPairs, readVariableList } from '../graph/gradient.js';
import { notify } from '../locks/listeners.js';
import { Resource } from '../tensors/resource.js';
import { createTensor, Tensor } from '../tensors/tensor.js';
import { constrainVariables } from './constraints.js';
import { minimize } from './minimize.js';
import {
  addLiveOptions,
  encodeOptions,
  RESET_FLAG,
  readRuleOptions,
  sendOptions,
} from './options.js';
import { excludeFromDecay, scaleRates } from './rates.js';
import { Schedule, scheduleOf } from './schedules.js';
import { Stateful } from './state.js';

/** @import { Constraint } from './constraints.js' */
/** @import { Instance } from '../tensors/instance.js' */
/** @import { MinimizeOptions } from './minimize.js' */
/** @import { Selection } from '../locks/locks.js' */
/** @import { Values } from '../base/nested.js' */
/** @import { VariableTarget } from './rates.js' */
/** @import { RuleInfo } from './rules.js' */
/** @import { OwnSchedule } from './schedules.js' */
/** @import { TensorLike } from '../tensors/tensor.js' */
/** @import { Variable } from '../locks/variable.js' */
/**
 * @template {Tensor | Tensor[]} [T=Tensor] @typedef {import('../graph/program.js').Program<T>}
 *   Program
 */

/**
 * What addLiveOptions gives to every optimizer.
 * @typedef {Required<Omit<import('./options.js').CommonOptions, 'learningRate' | 'onUnlock'>>}
 *   LiveOptions
 */
/** @type {new (...args: ConstructorParameters<typeof Stateful>) => Stateful & LiveOptions} */
const StatefulWithOptions = /** @type {any} */ (Stateful);

/** An update rule that trains the free elements of variables. */
export class Optimizer extends StatefulWithOptions {
  #rule;
  /** @type {OwnSchedule | null} */
  #ownRate = null;

  /** @internal @param {Instance} instance @param {number} handle @param {RuleInfo} rule */
  constructor(instance, handle, rule) {
    super(instance, handle, false);
    this.#rule = rule;
    addLiveOptions(this, rule);
  }

  /** Name of the update rule, such as `'adam'`. */
  get rule() {
    return this.#rule.name;
  }

  /** Names of its slots, such as `['m', 'v']`. */
  get slots() {
    return [...this.#rule.slots];
  }

  /**
   * Step size of the next step; 0 or above. A number set here ends a schedule. It may also be set
   * to a schedule or to a function of the iteration. `minimize` calls a function before each step,
   * which is slower, since C then takes one step at a time.
   * @type {number}
   */
  get learningRate() {
    this.followOwnRate();
    return this.option('learningRate');
  }

  /** @param {number | Schedule | OwnSchedule} value */
  set learningRate(value) {
    this.setOptions({ learningRate: value });
  }

  /**
   * The schedule of the learning rate: one of `g.schedules`, your own function, or null.
   * @returns {Schedule | OwnSchedule | null}
   */
  get schedule() {
    return this.#ownRate ?? scheduleOf(Resource.instanceOf(this), Resource.ownHandle(this));
  }

  /** Update a rate that is a function. @internal */
  followOwnRate() {
    if (!this.#ownRate) return;
    const rate = this.#ownRate(this.iterations);
    if (typeof rate !== 'number') {
      throw new TypeError(`a learningRate function must give a number, got ${describe(rate)}`);
    }
    this.#setNumbers({ learningRate: rate });
  }

  /**
   * State of an element after it is unlocked: `'hold'` continues with its slots and clock,
   * `'reset'` starts them again.
   * @type {'hold' | 'reset'}
   */
  get onUnlock() {
    return this.option(RESET_FLAG) === 0 ? 'hold' : 'reset';
  }

  set onUnlock(value) {
    this.setOptions({ onUnlock: value });
  }

  /** Read an option as C has it. @internal @param {string} name */
  option(name) {
    const address = this.#rule.options.get(name)?.address ?? 0;
    return Resource.ask(this, 'glk_optimizer_get', address).outNumber();
  }

  /**
   * Set several options: all of them, or none if one is refused.
   * @param {Record<string, unknown>} options
   * @example
   * const optimizer = g.optimizers.adam();
   * optimizer.setOptions({ learningRate: 0.01, clipNorm: 1 });
   * optimizer.clipNorm; // 1
   */
  setOptions(options) {
    const given = readRuleOptions(options);
    const rate = given.learningRate;
    const follows = rate instanceof Schedule || typeof rate === 'function';
    this.#setNumbers(follows ? { ...given, learningRate: undefined } : given);
    if (rate === undefined) return;
    const { bridge, context } = Resource.instanceOf(this);
    const handle = Resource.ownHandle(this);
    if (rate instanceof Schedule) {
      rate.attach(handle);
    } else if (follows || this.#ownRate) {
      const kind = follows ? 'GLK_OWN_SCHEDULE' : 'GLK_CONSTANT';
      bridge.f64[bridge.attributes >>> 3] = Number(follows ? 0 : rate);
      const { x } = bridge;
      const count = follows ? 0 : 1;
      const id = bridge.constant(kind);
      bridge.check(x.glk_optimizer_schedule(context, handle, id, bridge.attributes, count));
    }
    this.#ownRate =
      follows && !(rate instanceof Schedule) ? /** @type {OwnSchedule} */ (rate) : null;
  }

  /** @param {Record<string, unknown>} options */
  #setNumbers(options) {
    const given = encodeOptions(this.#rule, options);
    const handle = Resource.ownHandle(this);
    const { bridge } = Resource.instanceOf(this);
    sendOptions(bridge, given, (names, values, count) =>
      bridge.x.glk_optimizer_set(bridge.context, handle, names, values, count),
    );
  }

  /**
   * Train the free elements of variables until a loss is small.
   *
   * With a compiled program and no `onStep`, all steps are one call into C. A plain function is
   * recorded again for every step. This is slower, but any JavaScript is allowed in it.
   * @param {Program<any> | (() => Tensor)} loss A scalar.
   * @param {MinimizeOptions} [options]
   * @returns {number} The loss as it was before the last step.
   * @example
   * const x = g.variable([3, 4]).lock([1]);
   * const loss = g.compile(() => g.sum(g.square(x)));
   * g.optimizers.sgd({ learningRate: 0.5 }).minimize(loss, { steps: 10 });
   * x.data(); // [0, 4]
   */
  minimize(loss, options) {
    return minimize(Resource.instanceOf(this), this, loss, options);
  }

  /**
   * Give variables, or elements of them, a learning rate of their own: the optimizer's times a
   * factor. A factor of 0 holds exactly, as a lock does. Names are looked up now.
   *
   * One factor, also that of a variable of one element, takes the steps of an optimizer with that
   * rate, to the bit; factors of elements round their rate once more. Throws OptionError for a
   * factor that is negative, NaN or above 1e30.
   * @param {VariableTarget | readonly VariableTarget[]} target Variables, or parts of their names.
   * @param {number | Values | Tensor} factor One, or one an element. 1 undoes an earlier one.
   * @param {{ elements?: Selection }} [options] Which elements the factor is for; the others get 1.
   * @returns {this}
   * @example
   * const x = g.variable([1, 1]);
   * const optimizer = g.optimizers.sgd({ learningRate: 1 });
   * optimizer.scaleLearningRate(x, [0.5, 0]).applyGradients([[[1, 1], x]]);
   * x.data(); // [0.5, 1]
   */
  scaleLearningRate(target, factor, options) {
    scaleRates(Resource.instanceOf(this), Resource.ownHandle(this), target, factor, options);
    return this;
  }

  /**
   * Leave variables out of weight decay, such as biases: Keras's `exclude_from_weight_decay`. Names
   * are looked for among the variables there are now.
   * @param {...VariableTarget} targets Variables, or parts of their names.
   * @returns {this}
   * @example
   * const w = g.variable([1], { name: 'w' });
   * const bias = g.variable([1], { name: 'bias' });
   * const optimizer = g.optimizers.sgd({ learningRate: 0.5, weightDecay: 0.5 });
   * optimizer.excludeFromWeightDecay('bias');
   * optimizer.applyGradients([[[0], w], [[0], bias]]);
   * [w.item(), bias.item()]; // [0.75, 1]
   */
  excludeFromWeightDecay(...targets) {
    excludeFromDecay(Resource.instanceOf(this), Resource.ownHandle(this), targets);
    return this;
  }

  /**
   * Keep free elements to a constraint: each update projects them, as Keras's constraints do.
   * Locked elements are never moved; where they alone have a larger norm than their group may have,
   * training throws ConstraintError before anything changes. Groups and elements that are locked
   * whole are left alone. Names are looked for among the variables there are now.
   * @param {VariableTarget | readonly VariableTarget[]} target Variables, or parts of their names.
   * @param {Constraint | null} constraint null takes an earlier one back.
   * @returns {this}
   * @example
   * const w = g.variable([1, 1]);
   * const optimizer = g.optimizers.sgd({ learningRate: 2 }).constrain(w, { nonNegative: true });
   * optimizer.applyGradients([[[1, -1], w]]);
   * w.data(); // [0, 3]
   */
  constrain(target, constraint) {
    constrainVariables(Resource.instanceOf(this), Resource.ownHandle(this), target, constraint);
    return this;
  }

  /**
   * One step with gradients of your own.
   * @param {readonly (readonly [TensorLike, Variable])[]} pairs Gradients with their variables.
   * @returns {void}
   * @example
   * const w = g.variable([1, 1]).lock([0]);
   * g.optimizers.sgd({ learningRate: 0.5 }).applyGradients([[[1, 1], w]]);
   * w.data(); // [1, 0.5]
   */
  applyGradients(pairs) {
    this.followOwnRate();
    const instance = Resource.instanceOf(this);
    const read = readPairs(instance, pairs);
    /** @type {Tensor[]} */
    const temporary = [];
    try {
      for (const pair of read) {
        if (pair.gradient instanceof Tensor) continue;
        const { shape, data } = pair.gradient;
        pair.gradient = new Tensor(instance, createTensor(instance, shape, data));
        temporary.push(pair.gradient);
      }
      this.#apply(read);
    } finally {
      for (const tensor of temporary) tensor.dispose();
    }
    for (const { variable } of read) notify(variable);
  }

  /** @param {ReturnType<typeof readPairs>} pairs Pairs of tensors only. */
  #apply(pairs) {
    const handle = Resource.ownHandle(this);
    const instance = Resource.instanceOf(this);
    const { bridge } = instance;
    const count = pairs.length;
    const address = bridge.stage(count * 8);
    try {
      const { context, u32, x } = bridge;
      let at = address >>> 2;
      for (const { variable, gradient } of pairs) {
        u32[at] = Resource.handleOf(instance, variable);
        u32[at + count] = Resource.handleOf(instance, /** @type {Tensor} */ (gradient));
        at++;
      }
      bridge.check(x.glk_optimizer_apply(context, handle, address, address + count * 4, count));
    } finally {
      bridge.unstage(address);
    }
  }

  /** Steps taken; with `gradientAccumulationSteps`, that many gradients make one. */
  get iterations() {
    return Resource.ask(this, 'glk_optimizer_iterations').outNumber();
  }

  /**
   * Norms of the gradients of the last step that clipped by norm, before clipping: `free`, of the
   * free elements, and `all`, of all elements of the variables that have a free one. A variable
   * that is wholly locked needs no gradient, so neither norm has it.
   */
  get gradientNorms() {
    const handle = Resource.ownHandle(this);
    const { bridge } = Resource.instanceOf(this);
    const { context, out, x } = bridge;
    bridge.check(x.glk_optimizer_norms(context, handle, out, out + 8));
    return { free: bridge.outNumber(), all: Number(bridge.f64[(out >>> 3) + 1]) };
  }

  /**
   * A copy of a variable's slot, in row-major order; before its first step, the initial value.
   * @param {Variable} variable
   * @param {string} name One of `slots`.
   * @returns {Float32Array}
   * @example
   * const w = g.variable([1, 1]).lock([0]);
   * const optimizer = g.optimizers.adagrad({ initialAccumulatorValue: 0 });
   * optimizer.applyGradients([[[2, 2], w]]);
   * optimizer.slot(w, optimizer.slots[0]); // [0, 4]
   */
  slot(variable, name) {
    const index = this.#rule.slots.indexOf(name);
    if (index < 0) {
      const known = this.#rule.slots.join(', ') || 'none';
      throw new OptionError(`${this.rule} has no slot ${describe(name)}; its slots: ${known}`);
    }
    const { x } = Resource.instanceOf(this).bridge;
    return this.#read(variable, 'reals', (context, own, handle, address, count) =>
      x.glk_optimizer_slot(context, own, handle, index, address, count),
    );
  }

  /**
   * A copy of the moving average of a variable under `useEma`, in row-major order. The average of a
   * locked element is the element, and so is that of all before averaging began.
   * @param {Variable} variable
   * @returns {Float32Array}
   * @example
   * const w = g.variable([1, 1]).lock([0]);
   * const optimizer = g.optimizers.sgd({ learningRate: 0.5, useEma: true, emaMomentum: 0.5 });
   * optimizer.applyGradients([[[1, 1], w]]);
   * optimizer.average(w); // [1, 0.5]
   */
  average(variable) {
    const { x } = Resource.instanceOf(this).bridge;
    return this.#read(variable, 'reals', (context, own, handle, address, count) =>
      x.glk_optimizer_average(context, own, handle, address, count),
    );
  }

  /**
   * How many steps each element of a variable has taken, in row-major order.
   * @param {Variable} variable
   * @returns {Uint32Array}
   * @example
   * const w = g.variable([1, 1]).lock([0]);
   * const optimizer = g.optimizers.adam();
   * optimizer.applyGradients([[[1, 1], w]]);
   * optimizer.clock(w); // [0, 1]
   */
  clock(variable) {
    const { x } = Resource.instanceOf(this).bridge;
    return this.#read(variable, 'u32', (context, own, handle, address, count) =>
      x.glk_optimizer_clock(context, own, handle, address, count),
    );
  }

  /**
   * One number per element of a variable.
   * @template {'reals' | 'u32'} Kind
   * @param {Variable} variable
   * @param {Kind} kind
   * @param {(context: number, own: number, handle: number, address: number, count: number)
   *   => number} call
   * @returns {import('../wasm/bridge.js').Bridge[Kind]}
   */
  #read(variable, kind, call) {
    const [checked] = readVariableList([variable], 'variable');
    const instance = Resource.instanceOf(this);
    const handle = Resource.handleOf(instance, /** @type {Variable} */ (checked));
    const own = Resource.ownHandle(this);
    const { bridge, context } = instance;
    const { size } = variable;
    const bytes = bridge[kind].BYTES_PER_ELEMENT;
    return bridge.staged(size * bytes, (address) => {
      bridge.check(call(context, own, handle, address, size));
      const values = bridge[kind].slice(address / bytes, address / bytes + size);
      return /** @type {import('../wasm/bridge.js').Bridge[Kind]} */ (values);
    });
  }

  /** @internal @override @param {import('../base/archive.js').Plain} state */
  restored(state) {
    const { kind } = /** @type {{ kind: string }} */ (state.schedule);
    if (kind !== 'own') this.#ownRate = null; // C takes 'own' only where there is a function
  }

  /** @override */ get [Symbol.toStringTag]() {
    return 'Optimizer';
  }

  /** @internal @override */
  get label() {
    return `Optimizer ${this.#rule.name}`;
  }

  /**
   * @override
   * @example
   * String(g.optimizers.adam()); // 'Optimizer adam after 0 steps'
   */
  toString() {
    return this.disposed
      ? `${this.label} (disposed)`
      : `${this.label} after ${this.iterations} steps`;
  }
}
