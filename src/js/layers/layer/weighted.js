// Weights with names, and what of them is frozen: what layers and models have in common before they
// compute anything.
import { describe, formatShape, readFlag, typeError } from '../../base/check.js';
import { ShapeError } from '../../base/errors.js';
import { readInitializer } from '../config/initializers.js';

/** @typedef {import('../config/constraints.js').NamedConstraint} NamedConstraint */
/** @typedef {import('../config/initializers.js').NamedInitializer} NamedInitializer */
/** @typedef {import('./layer.js').Layer} Layer */
/** @typedef {import('../config/regularizers.js').Regularizer} Regularizer */
/** @typedef {import('./toolkit.js').Toolkit} Toolkit */
/** @typedef {import('../../locks/variable.js').Variable} Variable */
/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('../config/initializers.js').LayerInitializer} LayerInitializer */
/** @typedef {import('../config/initializers.js').WeightInitializer} WeightInitializer */
/**
 * @typedef {object} WeightOptions
 * @property {WeightInitializer | LayerInitializer} [initializer] Default: 'glorotUniform'.
 * @property {boolean} [trainable] Default: true.
 */
/**
 * @typedef {WeightOptions & { regularizer?: Regularizer | null, constraint?: NamedConstraint | null
 *   }} OwnWeightOptions
 */

/** What stands for weights until a layer is built. @type {any} */
export const UNBUILT = undefined;

/** The holder of what `trainable = false` locks. */
export const FROZEN = 'frozen';

/** @param {Variable} weight */
const isHeld = (weight) => weight.locks.holders.includes(FROZEN);

/**
 * True if nothing but `trainable = false` locks elements of a weight.
 * @param {Variable} weight
 */
const holdsAlone = ({ locks }) =>
  locks.holders.every((name) => name === FROZEN) && locks.own().count === 0;

/** What has weights, of its own and of what it is made of. */
export class Weighted {
  /**
   * Layers that it is made of.
   * @internal
   * @type {Layer[]}
   */
  sublayers = [];
  /** Layers and models that it is part of. @internal @type {Set<Weighted>} */
  parents = new Set();
  /** @type {Variable[]} */
  #weights = [];
  /** @type {Variable[]} */
  #states = [];
  /** @type {Map<Variable, Regularizer>} */
  #regularizers = new Map();
  /** @type {Map<Variable, NamedConstraint>} */
  #constraints = new Map();
  /**
   * Of weights that are 0 until values follow.
   * @type {Map<Variable, { make: () => Tensor, className: string }>}
   */
  #initializers = new Map();
  #trainable = true;
  #nn;

  /**
   * @internal
   * @param {Toolkit} nn
   * @param {string} className
   * @param {Record<string, any>} config
   * @param {Record<string, unknown>} common `name` and `trainable`, where they are given.
   */
  constructor(nn, className, config, { name, trainable }) {
    if (name !== undefined && (typeof name !== 'string' || name === '')) {
      throw typeError(`${className}: name`, 'a string', name);
    }
    this.#nn = nn;
    /** @internal */
    this.config = config;
    if (trainable !== undefined) {
      this.#trainable = readFlag(trainable, `${className}: trainable`);
    }
    /** Unique within a model. */
    this.name = typeof name === 'string' ? name : nn.names.next(className);
    /** @internal */
    this.path = this.name;
  }

  /** Everything the layers of one `layers(g)` share. @internal */
  get nn() {
    return this.#nn;
  }

  /** The instance that computes. */
  get g() {
    return this.#nn.g;
  }

  /** How messages call it. @internal */
  get label() {
    return `${this.name} (${/** @type {any} */ (this.constructor).className})`;
  }

  /**
   * A new weight, in `build`.
   * @param {string} name
   * @param {readonly (number | null | undefined)[]} shape
   * @param {WeightOptions} [options]
   * @returns {Variable}
   * @example
   * class Shift extends nn.Layer {
   *   static className = 'Shift';
   *   build() {
   *     this.by = this.addWeight('by', [1], { initializer: 'zeros' });
   *   }
   *   call(x) {
   *     return g.add(x, this.by);
   *   }
   * }
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [2] }), new Shift()]);
   * net.weights.map(({ name }) => name); // ['dense/kernel', 'dense/bias', 'shift/by']
   */
  addWeight(name, shape, options = {}) {
    /** @type {OwnWeightOptions} */
    const { regularizer, constraint } = options;
    const { initializer: given = 'glorotUniform', trainable = true } = options;
    const initializer = /** @type {NamedInitializer} */ (
      typeof given === 'object' && 'make' in given
        ? given
        : readInitializer(given, `${this.label}: initializer of ${name}`, this.#nn)
    );
    const open = shape.findIndex((size) => typeof size !== 'number');
    if (open >= 0) {
      throw new ShapeError(
        `${this.label}: axis ${open} of its ${name} depends on a size of the input that is not known`,
      );
    }
    const dims = /** @type {readonly number[]} */ (shape);
    const { g } = this;
    const initializes = this.#nn.takeWeight(dims, `${this.label}: ${name}`, initializer.className);
    const make = () => {
      const values = initializer.make(dims);
      if (formatShape(values.shape) === formatShape(dims)) return values;
      throw new ShapeError(
        `${this.label}: the initializer of ${name} gave shape ${formatShape(values.shape)}, expected ${formatShape(dims)}`,
      );
    };
    const weight = g.tidy(() => {
      const values = initializes ? make() : g.broadcastTo(0, dims);
      return g.variable(values, { name: `${this.path}/${name}`, trainable });
    });
    if (!initializes) this.#initializers.set(weight, { make, className: initializer.className });
    if (regularizer) this.#regularizers.set(weight, regularizer);
    if (constraint) this.#constraints.set(weight, constraint);
    const at = trainable ? this.#weights.findIndex((other) => !other.trainable) : -1;
    this.#weights.splice(at < 0 ? this.#weights.length : at, 0, weight);
    if (this.frozen) weight.locks.holder(FROZEN).lock('all');
    return weight;
  }

  /**
   * A new variable that is no weight: what a layer keeps from call to call, 0 at first.
   * @internal
   * @param {readonly number[]} shape
   */
  addState(shape) {
    const { g } = this;
    this.#nn.takeWeight(shape, `${this.label}: what it keeps,`);
    const state = g.tidy(() => g.variable(g.broadcastTo(0, shape), { trainable: false }));
    this.#states.push(state);
    return state;
  }

  /**
   * Run the initializers of weights that were made without, because values were to follow.
   * @internal
   * @param {ReadonlySet<Variable>} weights
   * @param {number} [maxBytes] What making them may cost.
   */
  initialize(weights, maxBytes = Number.POSITIVE_INFINITY) {
    this.#nn.makeWeights({ initializes: true, maxBytes }, () => {
      for (const layer of this.allLayers) {
        for (const [weight, { make, className }] of layer.#initializers) {
          if (!weights.has(weight)) continue;
          this.#nn.takeWeight(weight.shape, weight.name, className);
          this.g.tidy(() => weight.assign(make(), { force: true }));
        }
        layer.#initializers.clear();
      }
    });
  }

  /** Be as now again if the attempt at hand fails. @internal */
  keep() {
    const [weights, states, fields] = [[...this.#weights], [...this.#states], { ...this }];
    this.nn.undo(() => {
      const kept = new Set([...weights, ...states]);
      for (const variable of [...this.#weights, ...this.#states]) {
        if (kept.has(variable)) continue;
        this.#regularizers.delete(variable);
        this.#constraints.delete(variable);
        variable.dispose();
      }
      [this.#weights, this.#states] = [weights, states];
      if (this.sublayers !== fields.sublayers) {
        const before = new Set(fields.sublayers);
        for (const layer of this.sublayers) if (!before.has(layer)) this.#leave(layer);
      }
      Object.assign(this, fields);
    });
  }

  /** @param {Layer} layer */
  #leave(layer) {
    layer.parents.delete(this);
    for (const inner of layer.allLayers) inner.syncFrozen();
  }

  /**
   * A new weight of which the configuration has fields, in `build`.
   * @internal
   * @param {string} name
   * @param {readonly (number | null | undefined)[]} shape
   * @param {string} [prefix] Of the fields.
   * @param {WeightOptions} [options] What is not as the fields say.
   * @returns {Variable}
   */
  addFieldWeight(name, shape, prefix = name, options = {}) {
    const [initializer, regularizer, constraint] = ['Initializer', 'Regularizer', 'Constraint'].map(
      (kind) => this.config[`${prefix}${kind}`],
    );
    /** @type {OwnWeightOptions} */
    const all = { initializer, regularizer, constraint, ...options };
    return this.addWeight(name, shape, all);
  }

  /**
   * Make another layer part of this one.
   * @template {Layer} T
   * @param {T} layer
   * @returns {T}
   * @example
   * class Twice extends nn.Layer {
   *   static className = 'Twice';
   *   build() {
   *     this.inner = this.track(nn.dense({ units: 2, kernelInitializer: 'identity' }));
   *   }
   *   call(x) {
   *     return this.inner.apply(this.inner.apply(x));
   *   }
   * }
   * new Twice().apply(g.tensor([[1, 2]])).array(); // [[1, 2]]
   */
  track(layer) {
    layer.parents.add(this);
    this.sublayers = [...this.sublayers, layer];
    return layer;
  }

  /** The reverse. @internal @param {Layer} layer */
  untrack(layer) {
    this.sublayers = this.sublayers.filter((other) => other !== layer);
    this.#leave(layer);
  }

  /**
   * All weights, in Keras's order. Every element of them can be locked.
   * @returns {Variable[]}
   */
  get weights() {
    const inner = this.sublayers.flatMap((layer) => layer.weights);
    return [...new Set([...this.#weights, ...inner])];
  }

  /** Those that training may change; locks on elements do not matter. */
  get trainableWeights() {
    return this.weights.filter((weight) => weight.trainable && !isHeld(weight));
  }

  /** The others: of frozen layers, and moving statistics. */
  get nonTrainableWeights() {
    return this.weights.filter((weight) => !weight.trainable || isHeld(weight));
  }

  /** This layer and all inside of it. @internal @returns {Layer[]} */
  get allLayers() {
    const inner = this.sublayers.flatMap((layer) => layer.allLayers);
    return [...new Set([/** @type {any} */ (this), ...inner])];
  }

  /** Which of its own weights have a penalty. @internal */
  get regularized() {
    return this.#regularizers;
  }

  /** Which of its own weights have a constraint. @internal */
  get constrained() {
    return this.#constraints;
  }

  /** What it keeps from call to call, without what is in layers inside. @internal */
  get ownStates() {
    return [...this.#states];
  }

  /**
   * Number of elements of all weights.
   * @example
   * const layer = nn.dense({ units: 2, inputShape: [3] });
   * nn.sequential([layer]).countParams(); // 8
   */
  countParams() {
    return this.weights.reduce((sum, weight) => sum + weight.size, 0);
  }

  /**
   * Copies of the weights, in order.
   * @returns {Tensor[]}
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [2], kernelInitializer: 'ones' });
   * nn.sequential([layer]).getWeights().map((w) => w.array()); // [[[1], [1]], [0]]
   */
  getWeights() {
    return this.weights.map((weight) => this.g.tensor(weight));
  }

  /**
   * Write the weights, all or none, in their order. Weights that only `trainable = false` holds are
   * written, too, as in Keras, where `trainable` is about training. Throws LockedElementError if an
   * element that something else locks would change (docs/laws.md, law 9), but with `force`.
   * @param {readonly import('../../tensors/tensor.js').TensorLike[]} values In the order of
   *   `weights`, of their shapes.
   * @param {{ force?: boolean }} [options] `force`: over locks too.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [2] })]);
   * net.setWeights([[[1], [2]], [3]]);
   * net.predict([[1, 1]]).array(); // [[6]]
   */
  setWeights(values, options = {}) {
    const { weights } = this;
    if (!Array.isArray(values) || values.length !== weights.length) {
      const count = Array.isArray(values) ? values.length : describe(values);
      throw new ShapeError(
        `${this.label} has ${weights.length} weights, setWeights was given ${count}`,
      );
    }
    /** @type {Float32Array[]} */
    const before = [];
    // A weight that is written may be read for another.
    const given = values.map((value) => (weights.includes(value) ? this.g.tensor(value) : value));
    try {
      weights.forEach((weight, i) => {
        const old = weight.data();
        const isOnlyFrozen = isHeld(weight) && this.g.tidy(() => holdsAlone(weight));
        const how = isOnlyFrozen ? { ...options, force: true } : options;
        weight.assign(/** @type {any} */ (given[i]), how);
        before.push(old);
      });
    } catch (error) {
      before.forEach((old, i) => void weights[i]?.assign(old, { force: true }));
      if (!(error instanceof ShapeError)) throw error;
      const weight = weights[before.length];
      throw new ShapeError(
        `${this.label}: ${weight?.name} ${formatShape(weight?.shape ?? [])}: ${error.message}`,
      );
    } finally {
      given.forEach((value, i) => void (value !== values[i] && value.dispose()));
    }
  }

  /**
   * Whether training may change it. `false` holds all its weights by a holder named `frozen`, live,
   * in the middle of training too; `true` lets go of that holder only, so other locks stay.
   */
  get trainable() {
    return this.#trainable;
  }

  set trainable(value) {
    const flag = readFlag(value, `trainable of ${this.label}`);
    const layers = this.allLayers;
    const before = layers.map((layer) => layer.#trainable);
    this.nn.attempt(() => {
      this.nn.undo(() => {
        for (const [i, layer] of layers.entries()) layer.#trainable = before[i] === true;
        for (const layer of layers) layer.syncFrozen();
      });
      for (const layer of layers) layer.#trainable = flag;
      for (const layer of layers) layer.syncFrozen();
    });
  }

  /** Whether it, or a model that it is part of, is not trainable. @returns {boolean} */
  get frozen() {
    return !this.#trainable || [...this.parents].some((parent) => parent.frozen);
  }

  /**
   * Be frozen no longer, while all that was frozen stays locked: its own weights by plain locks,
   * what is in it or beside it in frozen models by being frozen itself.
   * @internal
   */
  thaw() {
    if (!this.frozen) return;
    for (const layer of this.sublayers) layer.trainable = false;
    for (const parent of this.parents) parent.thaw();
    for (const weight of this.#weights) if (weight.trainable) weight.lock('all');
    this.#trainable = true;
    this.syncFrozen();
  }

  /** Let the weights of its own be held as the flags say. Letting go needs no memory. @internal */
  syncFrozen() {
    const { frozen } = this;
    for (const weight of this.#weights) {
      const holder = weight.locks.holder(FROZEN);
      if (!frozen) isHeld(weight) && holder.unlock(weight.locks);
      else if (weight.locks.count < weight.size || !isHeld(weight)) holder.lock('all');
    }
  }

  /**
   * Give the memory of weights and states back.
   * @example
   * const layer = nn.dense({ units: 2 });
   * layer.ensureBuilt([null, 3]);
   * layer.dispose();
   * layer.kernel.disposed; // true
   */
  dispose() {
    for (const layer of this.allLayers) {
      for (const variable of [...layer.#weights, ...layer.#states]) variable.dispose();
    }
  }
}
