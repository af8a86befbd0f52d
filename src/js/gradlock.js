// The object that init() returns: all that an instance can make. Every method calls another file.
import { bindMethods } from './base/bind.js';
import { readShape } from './base/check.js';
import { kitParts } from './base/kit-parts.js';
import { makeStrict } from './base/strict.js';
import { pressure, valueAndGrad } from './graph/gradient.js';
import { assignMovingAverage } from './graph/moving-average.js';
import { compile, Program } from './graph/program.js';
import { customGrad, gradientsAt, hessianVector, jacobian } from './graph/derivatives.js';
import { gradients, Tape, tape } from './graph/tape.js';
import { choose } from './locks/choose.js';
import { createLocks, restoreLocks } from './locks/change.js';
import { LockHolder } from './locks/holders.js';
import { LockSet } from './locks/locks.js';
import { createVariable, Variable } from './locks/variable.js';
import { Initializers } from './ops/initializers.js';
import { Losses } from './ops/loss.js';
import { Ops } from './ops/ops.js';
import { DRAW_FROM, GENERATOR } from './ops/table.js';
import { Optimizer } from './optim/optimizer.js';
import Optimizers from './optim/optimizers.js';
import { readRules } from './optim/rules.js';
import { Schedule, Schedules } from './optim/schedules.js';
import { Lbfgs, LevenbergMarquardt } from './optim/solvers.js';
import { Generator } from './tensors/random.js';
import { disposeKey } from './tensors/resource.js';
import { createTensor, readInput, Tensor } from './tensors/tensor.js';
import { tidy } from './tensors/tidy.js';
import { version } from './base/version.js';

/** @import { Instance } from './tensors/instance.js' */
/** @import { Selection } from './locks/locks.js' */
/** @import { Values } from './base/nested.js' */
/** @import { Tensors } from './graph/tape.js' */
/** @import { TensorLike } from './tensors/tensor.js' */
/** @import { VariableOptions } from './locks/variable.js' */
/** @template V @typedef {import('./base/nested.js').ArrayOf<V>} ArrayOf */
/** @template S @typedef {import('./base/nested.js').ArrayOfShape<S>} ArrayOfShape */
/** @template A @typedef {import('./tensors/tensor.js').TensorOf<A>} TensorOf */
/** @template A @typedef {import('./locks/variable.js').VariableOf<A>} VariableOf */

/** What to write instead of the properties that other libraries' tensors and variables have. */
const INSTEAD = {
  requires_grad: "lock('all') freezes it, unlock('all') frees it",
  requiresGrad: "lock('all') freezes it, unlock('all') frees it",
  data: 'assign(values) writes the values of a variable',
  value: 'assign(values) writes the values of a variable',
  values: 'assign(values) writes the values of a variable',
  grad: 'g.valueAndGrad(loss, variables) computes gradients',
};

/** Key of the parts that other entries use through an instance. */
const KIT = Symbol.for('gradlock.kit');

/**
 * @typedef {object} MemoryInfo
 * @property {number} bytes Bytes that objects use now.
 * @property {number} peakBytes Most bytes ever used at once.
 * @property {number} objects Live objects: tensors, variables, lock sets, programs and optimizers.
 * @property {number} valueBytes The part of `bytes` for values of tensors and variables.
 * @property {number} slotBytes Of `bytes`: slots, averages and pending gradients of optimizers;
 *   pages of 1,024 elements have them where an element is free or was.
 * @property {number} programBytes Of `bytes`: intermediate values and gradients of programs.
 * @property {number} wasmBytes Size of the WebAssembly memory, which never shrinks.
 */

/**
 * One instance of the library, with memory of its own. Objects of different instances do not mix.
 * Methods may be taken off.
 */
export class Gradlock extends Ops {
  #instance;

  /** @internal @param {Instance} instance */
  constructor(instance) {
    super(instance);
    this.#instance = instance;
    /** Makes optimizers: `sgd`, `adam`, `adamW`. */
    this.optimizers = new Optimizers(instance);
    /** Makes learning-rate schedules: `exponentialDecay`, `cosineDecay`, `oneCycle` and so on. */
    this.schedules = new Schedules(instance);
    /** Makes initializers of weights: `glorotUniform`, `heNormal`, `orthogonal` and so on. */
    this.initializers = new Initializers(this);
    /** Losses: `meanSquaredError`, `categoricalCrossentropy` and so on. */
    this.losses = new Losses(this);
    bindMethods(this, ['einsum']);
    makeStrict([Tensor, Variable, LockSet, Program, Optimizer, Lbfgs, LevenbergMarquardt], {
      anyNumber: ['excludeFromWeightDecay'],
      advice: INSTEAD,
      field: 'cloneable',
    });
    makeStrict([Tape, Generator, Schedule, LockHolder]);
  }

  /**
   * A variable: values that train, with nothing locked.
   * @template {Values | Tensor} V
   * @template {readonly number[] | []} [Shape=never]
   * @param {V} values A number, nested arrays, or a typed array with `shape`.
   * @param {VariableOptions & { shape?: Shape }} [options]
   * @returns {VariableOf<[Shape] extends [never] ? ArrayOf<V> : ArrayOfShape<Shape>>}
   * @example
   * g.variable([[1, 2], [3, 4]], { name: 'w' }).lock([[0, 1]]).locks.count; // 1
   */
  variable(values, options) {
    return createVariable(this.#instance, values, options);
  }

  /**
   * A constant.
   * @template {Values | Tensor} V
   * @template {readonly number[] | []} [Shape=never]
   * @param {V} values A number, nested arrays, or flat values with a shape.
   * @param {Shape} [shape] Nested arrays have their own; a typed array alone has rank 1.
   * @returns {TensorOf<[Shape] extends [never] ? ArrayOf<V> : ArrayOfShape<Shape>>}
   * @example
   * g.tensor(new Float32Array([1, 2, 3, 4]), [2, 2]).array(); // [[1, 2], [3, 4]]
   */
  tensor(values, shape) {
    const { shape: found, data } = readInput(this.#instance, values, shape, 'values');
    return new Tensor(this.#instance, createTensor(this.#instance, found, data));
  }

  /**
   * A lock set without a variable, to combine with others and to lock variables.
   * @param {readonly number[]} shape
   * @param {Selection} [selection] The elements to lock. Default: none.
   * @returns {LockSet}
   * @example
   * g.locks([2, 3], { cols: [0] }).toIndices(); // [0, 3]
   */
  locks(shape, selection) {
    const dims = readShape(shape, this.#instance.bridge.maxRank);
    return createLocks(this.#instance, dims, selection);
  }

  /**
   * A lock set from the result of its `toBytes` or `toJSON`, with its shape. Throws FormatError if
   * it is corrupt, cut short or of another version.
   * @param {Uint8Array | import('./locks/selection.js').LockSetJSON} saved
   * @returns {LockSet}
   * @example
   * g.locksFrom(JSON.parse(JSON.stringify(g.locks([4], [1, 3])))).toIndices(); // [1, 3]
   */
  locksFrom(saved) {
    return restoreLocks(this.#instance, saved);
  }

  /**
   * Select among the elements of several tensors together, such as the smallest tenth of a network,
   * wherever it is. `k` and `fraction` are of all elements; of equals, earlier tensors come first.
   * @param {readonly Tensor[]} tensors Variables, to select by their values; or their gradients.
   * @param {import('./locks/selection-choice.js').Choice} selection
   * @returns {LockSet[]} One for each tensor, for `lock`, `trainOnly` and so on.
   * @example
   * const a = g.variable([1, -5]);
   * const b = g.variable([0.1, 3]);
   * const [ofA, ofB] = g.choose([a, b], { topK: { fraction: 0.5, largest: false } });
   * [ofA.toIndices(), ofB.toIndices()]; // [[0], [0]]
   */
  choose(tensors, selection) {
    return choose(this.#instance, tensors, selection);
  }

  /**
   * The cost of each lock, to first order: the gradient of a scalar loss at locked elements, and 0
   * at free ones. At the optimum under the locks, free elements have no gradient; the largest one
   * here shows which lock to lift first.
   * @param {Program<any> | (() => Tensor)} loss
   * @param {readonly Variable[]} variables
   * @param {Selection} [selection] Elements of each variable to use. Default: locked ones.
   * @returns {Tensor[]} One tensor for each variable, of its shape.
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * g.pressure(() => g.sum(g.square(x)), [x])[0].data(); // [0, 4]
   */
  pressure(loss, variables, selection) {
    return pressure(this.#instance, loss, variables, selection);
  }

  /**
   * A source of random numbers.
   * @param {number} seed An integer from 0 to 2⁵³ − 1: it gives the same numbers everywhere.
   * @returns {Generator}
   * @example
   * g.random(7).uniform([2]).data(); // [0.7537285, 0.0779376]
   */
  random(seed) {
    return new Generator(this, seed);
  }

  /**
   * Record a function once, to replay it in C.
   *
   * The function runs once, now. It must return tensors that it computes with ops from variables
   * and constants. Its values exist only when the program runs: reading one while recording throws
   * RecordingError.
   * @template {Tensor | Tensor[]} T
   * @param {() => T} fn
   * @returns {Program<T>}
   * @example
   * const x = g.variable([1, 2]);
   * const program = g.compile(() => g.sum(g.square(x)));
   * program.value(); // 5
   */
  compile(fn) {
    return compile(this.#instance, fn);
  }

  /**
   * Update a variable as a moving average of a value of its shape, as running statistics do: decay
   * · variable + (1 − decay) · value, rounded after each operation. Locked elements keep their
   * bits. In `compile` this happens after each run of the program and each step of training, after
   * the optimizer's update; otherwise at once. No gradient passes through it. Throws ShapeError,
   * and OptionError for a decay outside of 0 to 1.
   * Source: Keras 3, BatchNormalization; TensorFlow's assign_moving_average.
   * @param {Variable} variable
   * @param {TensorLike} value
   * @param {number} [decay] Default: 0, which takes the value over. 1 keeps the variable.
   * @example
   * const mean = g.variable([0, 0]);
   * g.assignMovingAverage(mean, [1, 2], 0.5);
   * mean.data(); // [0.5, 1]
   */
  assignMovingAverage(variable, value, decay) {
    assignMovingAverage(this.#instance, variable, value, decay);
  }

  /**
   * The value of a scalar loss, and its gradient for each variable. Locks have no effect here: a
   * locked element has a gradient like any other.
   * @param {Program<any> | (() => Tensor)} loss
   * @param {readonly Variable[]} variables
   * @returns {{ value: number, grads: Tensor[] }}
   * @example
   * const x = g.variable([1, 2]).lock([1]);
   * const { value, grads } = g.valueAndGrad(() => g.sum(g.square(x)), [x]);
   * value; // 5
   * grads[0].data(); // [2, 4]
   */
  valueAndGrad(loss, variables) {
    return valueAndGrad(this.#instance, loss, variables);
  }

  /**
   * Run a function and record its computation, to differentiate it afterwards: TensorFlow's
   * GradientTape. Values are computed at once and may be read. Tapes may nest, also in `compile`:
   * the outer recording differentiates the inner one's gradients again.
   * @template T
   * @param {() => T} fn
   * @param {{ persistent?: boolean }} [options] `persistent`: true for several gradients, not one.
   * @returns {Tape<T>} `value` is the result; `gradient(target, sources)` differentiates.
   * @example
   * const x = g.variable([1, 2]);
   * const tape = g.tape(() => g.sum(g.square(x)));
   * tape.gradient(tape.value, x).data(); // [2, 4]
   */
  tape(fn, options) {
    return tape(this.#instance, fn, options);
  }

  /**
   * Inside of a recording: the gradient of a target, or of the sum of several, by each source,
   * recorded too. One source gives one answer, an array gives an array; null where no target
   * depends on a source. Throws RecordingError outside of a recording.
   * @template {Tensors} S
   * @param {Tensors} targets
   * @param {S} sources Tensors or variables that the recording used or made.
   * @param {Tensors} [outputGradients] dL/d(target), of the targets' shapes. Default: ones.
   * @returns {S extends readonly Tensor[] ? (Tensor | null)[] : Tensor | null}
   * @example
   * const x = g.variable([1, 2]);
   * g.compile(() => g.gradients(g.sum(g.square(x)), x)).run().data(); // [2, 4]
   */
  gradients(targets, sources, outputGradients) {
    return /** @type {any} */ (gradients(this.#instance, targets, sources, outputGradients));
  }

  /**
   * The function that gives df/dx of a function f(x) → tensor. With `dy` it gives the
   * vector–Jacobian product, in one sweep; without, that of ones. Throws GradientError if f(x) does
   * not depend on x.
   * @param {(x: Tensor) => Tensor} f
   * @returns {(x: TensorLike, dy?: TensorLike) => Tensor} The gradient has x's shape.
   * @example
   * g.grad((x) => g.square(x))([1, 2, 3]).data(); // [2, 4, 6]
   */
  grad(f) {
    return (x, dy) => gradientsAt(this, this.#instance, f, [x], dy)[0];
  }

  /**
   * The same as `grad`, for a function of several arguments.
   * @param {(...xs: Tensor[]) => Tensor} f
   * @returns {(args: readonly TensorLike[], dy?: TensorLike) => Tensor[]} One for each argument.
   * @example
   * const [da, db] = g.grads((a, b) => g.mul(a, b))([2, 3]);
   * [da.item(), db.item()]; // [3, 2]
   */
  grads(f) {
    return (args, dy) => gradientsAt(this, this.#instance, f, args, dy);
  }

  /**
   * The Hessian of a scalar function at x times a vector, in two sweeps, without the Hessian.
   * @param {(x: Tensor) => Tensor} f
   * @param {TensorLike} x
   * @param {TensorLike} v Of x's shape.
   * @returns {Tensor} Of x's shape.
   * @example
   * g.hvp((x) => g.sum(g.pow(x, 3)), [1, 2], [1, 0]).data(); // [6, 0]
   */
  hvp(f, x, v) {
    return hessianVector(this, this.#instance, f, x, v);
  }

  /**
   * All derivatives of f(x) by x, in one sweep an element of f(x): for few outputs. Throws
   * GradientError if f(x) does not depend on x.
   * @param {(x: Tensor) => Tensor} f
   * @param {TensorLike} x
   * @returns {Tensor} Of shape [...f(x).shape, ...x.shape].
   * @example
   * g.jacobian((x) => g.square(x), [1, 2]).array(); // [[2, 0], [0, 4]]
   */
  jacobian(f, x) {
    return jacobian(this, this.#instance, f, x);
  }

  /**
   * A function with a gradient of your own. `f(...xs, save)` returns `{ value, gradFunc }`;
   * `gradFunc(dy, saved)` returns dL/dx for each x, of its shape. It uses ops on `dy`, whose value
   * exists only while a gradient is computed.
   * @param {(...args: any[]) => { value: Tensor, gradFunc: (dy: Tensor, saved: Tensor[]) => Tensors
   *   }} f
   * @returns {(...xs: TensorLike[]) => Tensor}
   * @example
   * const clipped = g.customGrad((x) => ({
   *   value: g.square(x),
   *   gradFunc: (dy) => g.mul(dy, g.clipByValue(x, -1, 1)),
   * }));
   * g.grad(clipped)([0.5, 3]).data(); // [0.5, 1]
   */
  customGrad(f) {
    return customGrad(this, this.#instance, f);
  }

  /**
   * Run a function and dispose the tensors and lock sets that it made, except for those in its
   * result. Variables, programs and optimizers stay.
   * @template T
   * @param {() => T} fn
   * @returns {T}
   * @example
   * const before = g.memory().objects;
   * const mean = g.tidy(() => g.div(g.sum([1, 2, 3]), 3));
   * g.memory().objects - before; // 1
   */
  tidy(fn) {
    return tidy(this.#instance, fn);
  }

  /**
   * The memory that the instance uses.
   * @returns {MemoryInfo}
   * @example
   * const { objects } = g.memory();
   * g.tensor([1, 2, 3, 4]);
   * g.memory().objects - objects; // 1
   */
  memory() {
    void this.#instance.context;
    return this.#instance.bridge.memory();
  }

  /** Classes for the package's entries that use an instance, one copy of each. @internal */
  get [KIT]() {
    const { bridge } = this.#instance;
    const { realBytes } = bridge;
    return {
      ...{ version, realBytes, parts: kitParts, Tensor, Variable },
      generator: this[GENERATOR],
      ruleNames: () => [...readRules(bridge).keys()],
      /** @type {typeof this[typeof DRAW_FROM]} */
      drawFrom: (generator, body) => this[DRAW_FROM](generator, body),
    };
  }

  /** The number of threads that compute, with the caller's: 1 without `init({ threads })`. */
  get threads() {
    return this.#instance.bridge.threads;
  }

  /** Why there are fewer threads than `init({ threads })` asked for; null if there are not. */
  get threadsReason() {
    return this.#instance.bridge.threadsReason;
  }

  /** True if the instance was disposed. */
  get disposed() {
    return !this.#instance.isAlive;
  }

  /**
   * Dispose the instance with everything in it, and end its threads. Doing so twice is fine.
   * @example
   * const other = g.variable([1]);
   * g.dispose();
   * other.disposed; // true
   */
  dispose() {
    this.#instance.dispose();
  }

  /**
   * For `using`.
   * @example
   * g[Symbol.dispose]();
   * g.disposed; // true
   */
  [disposeKey]() {
    this.dispose();
  }
}
