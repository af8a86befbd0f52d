// The base class of layers and models: named weights, frozen or not. It computes nothing.
import { describe, formatShape, readFlag, typeError } from '../../base/check.js';
import { GradlockError, ShapeError } from '../../base/errors.js';
import { readInitializer } from '../config/initializers.js';

/** @import { NamedConstraint } from '../config/constraints.js' */
/** @import { LayerInitializer, NamedInitializer } from '../config/initializers.js' */
/** @import { WeightInitializer } from '../config/initializers.js' */
/** @import { Layer } from './layer.js' */
/** @import { Regularizer } from '../config/regularizers.js' */
/** @import { Toolkit } from './toolkit.js' */
/** @import { Variable } from '../../locks/variable.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/**
 * @typedef {object} WeightOptions
 * @property {WeightInitializer | LayerInitializer} [initializer] Default: 'glorotUniform'.
 * @property {boolean} [trainable] False for weights that training never changes. Default: true.
 */
/**
 * @typedef {WeightOptions & { regularizer?: Regularizer | null, constraint?: NamedConstraint | null
 *   }} OwnWeightOptions
 */

/** The value of weight properties until a layer is built. @type {any} */
export const UNBUILT = undefined;

/** The holder of locks set by `trainable = false`. */
export const FROZEN = 'frozen';

/** @param {Variable} weight */
const isHeld = (weight) => weight.locks.holders.includes(FROZEN);

/** True if only `trainable = false` locks elements of a weight. @param {Variable} weight */
const holdsAlone = ({ locks }) =>
  locks.holders.every((name) => name === FROZEN) && locks.own().count === 0;

/** Base class of everything that owns weights, directly or through sublayers. */
export class Weighted {
  /** True while it may get new properties: while it is made and built. @internal */
  isOpen = true;
  /** The layers that it contains. @internal @type {Layer[]} */
  sublayers = [];
  /** The layers and models that contain it. @internal @type {Set<Weighted>} */
  parents = new Set();
  /** @type {Variable[]} */
  #weights = [];
  /** @type {Variable[]} */
  #states = [];
  /** @type {Map<Variable, Regularizer>} */
  #regularizers = new Map();
  /** @type {Map<Variable, NamedConstraint>} */
  #constraints = new Map();
  /** Of weights still at 0. @type {Map<Variable, { make: () => Tensor, className: string }>} */
  #initializers = new Map();
  #trainable = true;
  #nn;

  /**
   * @internal
   * @param {Toolkit} nn
   * @param {string} className
   * @param {Record<string, any>} config
   * @param {Record<string, unknown>} common The options `name` and `trainable`, if given.
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
    /** The name. It is unique within a model. */
    this.name = typeof name === 'string' ? name : nn.names.next(className);
    /** @internal */
    this.path = this.name;
  }

  /** Refuse new properties, and weights before they are built. @internal @returns {this} */
  close() {
    this.isOpen = false;
    for (const [key, value] of Object.entries(this)) {
      if (value !== undefined) continue;
      const get = () => {
        throw new GradlockError(
          `${this.label} has no ${key} yet: give it an inputShape, or call build() or predict() of its model first`,
        );
      };
      Object.defineProperty(this, key, { get, enumerable: false, configurable: true });
    }
    return this;
  }

  /** Allow new properties, until `close`. @internal */
  open() {
    this.isOpen = true;
    const own = /** @type {any} */ (this);
    for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(this))) {
      if (!get) continue;
      delete own[key];
      own[key] = UNBUILT;
    }
  }

  /** The state that the layers of one `layers(g)` share. @internal */
  get nn() {
    return this.#nn;
  }

  /** The instance of gradlock that computes. */
  get g() {
    return this.#nn.g;
  }

  /** Its name in error messages. @internal */
  get label() {
    return `${this.name} (${/** @type {any} */ (this.constructor).className})`;
  }

  /**
   * Create a weight, in `build`.
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
  addWeight(name, shape, options) {
    /** @type {OwnWeightOptions} */
    const asked = options ?? {};
    const { regularizer, constraint } = asked;
    const { initializer: given = 'glorotUniform', trainable = true } = asked;
    const initializer = /** @type {NamedInitializer} */ (
      typeof given === 'object' && 'make' in given
        ? given
        : readInitializer(given, `${this.label}: initializer of ${name}`, this.#nn)
    );
    const open = shape.findIndex((size) => typeof size !== 'number');
    if (open >= 0) {
      throw new ShapeError(
        `${this.label}: axis ${open} of its ${name} depends on an unknown size of the input: give that size in inputShape`,
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

  /** Create a state, 0 at first: not a weight. @internal @param {readonly number[]} shape */
  addState(shape) {
    const { g } = this;
    this.#nn.takeWeight(shape, `${this.label}: state`);
    const state = g.tidy(() => g.variable(g.broadcastTo(0, shape), { trainable: false }));
    this.#states.push(state);
    return state;
  }

  /**
   * Initialize weights that were left at 0 because values should follow.
   * @internal
   * @param {ReadonlySet<Variable>} weights
   * @param {number} [maxBytes] The memory limit for making them.
   */
  initialize(weights, maxBytes) {
    const most = maxBytes ?? Number.POSITIVE_INFINITY;
    this.#nn.makeWeights({ initializes: true, maxBytes: most }, () => {
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

  /** Save the current state, to restore it if the current attempt fails. @internal */
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
   * Create a weight, in `build`, with the options in the configuration's fields.
   * @internal
   * @param {string} name
   * @param {readonly (number | null | undefined)[]} shape
   * @param {string} [prefix] The prefix of the fields' names.
   * @param {WeightOptions} [options] Options that override the fields.
   * @returns {Variable}
   */
  addFieldWeight(name, shape, prefix, options) {
    const [initializer, regularizer, constraint] = ['Initializer', 'Regularizer', 'Constraint'].map(
      (kind) => this.config[`${prefix ?? name}${kind}`],
    );
    /** @type {OwnWeightOptions} */
    const all = { initializer, regularizer, constraint, ...options };
    return this.addWeight(name, shape, all);
  }

  /**
   * Add another layer to this one.
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

  /** Remove a layer that `track` added. @internal @param {Layer} layer */
  untrack(layer) {
    this.sublayers = this.sublayers.filter((other) => other !== layer);
    this.#leave(layer);
  }

  /** All weights, in Keras's order. You can lock each of their elements. @returns {Variable[]} */
  get weights() {
    const inner = this.sublayers.flatMap((layer) => layer.weights);
    return [...new Set([...this.#weights, ...inner])];
  }

  /** The weights that training may change. Locks on elements do not count here. */
  get trainableWeights() {
    return this.weights.filter((weight) => weight.trainable && !isHeld(weight));
  }

  /** The weights of frozen layers, and moving statistics. */
  get nonTrainableWeights() {
    return this.weights.filter((weight) => !weight.trainable || isHeld(weight));
  }

  /** This layer and all layers inside it. @internal @returns {Layer[]} */
  get allLayers() {
    const inner = this.sublayers.flatMap((layer) => layer.allLayers);
    return [...new Set([/** @type {any} */ (this), ...inner])];
  }

  /** Its own weights that have a penalty. @internal */
  get regularized() {
    return this.#regularizers;
  }

  /** Its own weights that have a constraint. @internal */
  get constrained() {
    return this.#constraints;
  }

  /** The states that it keeps between calls, without those of inner layers. @internal */
  get ownStates() {
    return [...this.#states];
  }

  /**
   * Returns the number of elements of all weights.
   * @example
   * const layer = nn.dense({ units: 2, inputShape: [3] });
   * nn.sequential([layer]).countParams(); // 8
   */
  countParams() {
    return this.weights.reduce((sum, weight) => sum + weight.size, 0);
  }

  /**
   * Returns copies of the weights, in order.
   * @returns {Tensor[]}
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [2], kernelInitializer: 'ones' });
   * nn.sequential([layer]).getWeights().map((w) => w.array()); // [[[1], [1]], [0]]
   */
  getWeights() {
    return this.weights.map((weight) => this.g.tensor(weight));
  }

  /**
   * Write all weights or none, in their order. As in Keras, weights locked only by `trainable =
   * false` are written, too, since `trainable` concerns training. Throws LockedElementError if an
   * element with any other lock would change (docs/laws.md, law 9), unless `force` is set.
   * @param {readonly import('../../tensors/tensor.js').TensorLike[]} values The values, in the
   *   order and shapes of `weights`.
   * @param {{ force?: boolean }} [options] `force`: true also overwrites locked elements.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [2] })]);
   * net.setWeights([[[1], [2]], [3]]);
   * net.predict([[1, 1]]).array(); // [[6]]
   */
  setWeights(values, options) {
    const { weights } = this;
    if (!Array.isArray(values) || values.length !== weights.length) {
      const count = Array.isArray(values) ? values.length : describe(values);
      throw new ShapeError(
        `${this.label} has ${weights.length} weights, setWeights was given ${count}`,
      );
    }
    /** @type {import('./toolkit.js').Reals[]} */
    const before = [];
    // The values may be a weight's own memory, so a weight that is written may be read later.
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
   * True if training may change its weights. `false` locks all of them under the holder `frozen`,
   * at once, even during training. `true` removes only that holder's locks; others stay.
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

  /** True if it, or a model that contains it, is not trainable. @returns {boolean} */
  get frozen() {
    return !this.#trainable || [...this.parents].some((parent) => parent.frozen);
  }

  /**
   * Unfreeze it, but keep locked what was frozen. Its own weights get plain locks. Layers inside
   * it, and its neighbours in frozen models, become frozen themselves.
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

  /** Lock or unlock its own weights to match the flags. Unlocking needs no memory. @internal */
  syncFrozen() {
    const { frozen } = this;
    for (const weight of this.#weights) {
      const holder = weight.locks.holder(FROZEN);
      if (!frozen) isHeld(weight) && holder.unlock(weight.locks);
      else if (weight.locks.count < weight.size || !isHeld(weight)) holder.lock('all');
    }
  }

  /**
   * Free the memory of weights and states.
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
