// The base of all layers: weights with names, what is frozen, and how a layer is applied, to
// tensors or while a model is put together.
import { describe, formatShape, readFlag } from '../base/check.js';
import { GradlockError, OptionError, ShapeError } from '../base/errors.js';
import { readConfig, writeConfig } from './fields.js';
import { toCamel, toSnake } from './names.js';
import { penaltyOf } from './regularizers.js';
import { FLOAT32 } from './serial.js';
import { inferShapes } from './shapes.js';
import { formatOpen, Node, SymbolicTensor, toList } from './symbolic.js';

/** @typedef {import('./fields.js').Fields} Fields */
/** @typedef {import('./initializers.js').NamedInitializer} NamedInitializer */
/** @typedef {import('./regularizers.js').Regularizer} Regularizer */
/** @typedef {import('./constraints.js').NamedConstraint} NamedConstraint */
/** @typedef {import('./symbolic.js').OpenShape} OpenShape */
/** @typedef {import('./toolkit.js').Toolkit} Toolkit */
/** @typedef {import('../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('../locks/variable.js').Variable} Variable */
/**
 * @typedef {object} Run What one pass through a model carries along.
 * @property {boolean} training
 * @property {Map<Tensor, Tensor>} masks Of tensors of steps in time: 1 where there is one.
 * @property {Tensor[]} penalties Scalars that are added to the loss.
 */
/** @typedef {{ training: boolean, mask: any, run: Run, [option: string]: unknown }} CallOptions */
/**
 * @typedef {object} WeightOptions
 * @property {NamedInitializer} initializer
 * @property {Regularizer | null} [regularizer]
 * @property {NamedConstraint | null} [constraint]
 * @property {boolean} [trainable] Default: true.
 */

/** The holder of what `trainable = false` locks. */
export const FROZEN = 'frozen';

/** A step of a network: weights, and a function of tensors. */
export class Layer {
  /** What Keras calls it. */
  static className = 'Layer';
  /** Its configuration, beside name, trainable and dtype. @type {Fields} */
  static fields = {};
  /** Other names of fields, such as TensorFlow.js's. @type {Record<string, string>} */
  static aliases = {};
  /** How many axes its input must have; 0: any number. */
  static axisCount = 0;

  /** Whether masks of its inputs are its outputs' as well. */
  supportsMasking = false;
  /** Whether `build` made its weights. */
  built = false;
  /**
   * Layers that it is made of.
   * @type {Layer[]}
   */
  sublayers = [];
  /** Layers and models that it is part of. @type {Set<Layer>} */
  parents = new Set();
  /** How it was applied while models were put together. @type {Node[]} */
  nodes = [];
  /** @type {Variable[]} */
  #weights = [];
  /** @type {Map<Variable, Regularizer>} */
  #regularizers = new Map();
  /** @type {Map<Variable, NamedConstraint>} */
  #constraints = new Map();
  #trainable = true;
  /** @type {any} */
  #randomness;
  #nn;

  /**
   * @param {Toolkit} nn
   * @param {unknown} [given] Options, in TensorFlow.js's or Keras's spelling.
   */
  constructor(nn, given = {}) {
    const { className, fields, aliases } = /** @type {typeof Layer} */ (this.constructor);
    const what = className;
    const { config, common } = readConfig(nn, given, fields, aliases, what);
    this.#nn = nn;
    /** @type {Record<string, any>} */
    this.config = config;
    if (common.name !== undefined && (typeof common.name !== 'string' || common.name === '')) {
      throw new TypeError(`${what}: name must be a string, got ${describe(common.name)}`);
    }
    this.name = typeof common.name === 'string' ? common.name : nn.names.next(className);
    this.path = this.name;
    if (common.trainable !== undefined)
      this.#trainable = readFlag(common.trainable, `${what}: trainable`);
    const { batchInputShape, inputShape, batchSize = null } = common;
    /** Of what it is applied to first, where it says so. @type {OpenShape | null} */
    this.batchInputShape = null;
    if (batchInputShape)
      this.batchInputShape = readOpenShape(batchInputShape, `${what}: batchInputShape`);
    else if (inputShape)
      this.batchInputShape = [
        /** @type {any} */ (batchSize),
        ...readOpenShape(inputShape, `${what}: inputShape`),
      ];
    this.givenWeights = common.weights;
  }

  /** Everything the layers of one `layers(g)` share. */
  get nn() {
    return this.#nn;
  }

  /** The instance that computes. */
  get g() {
    return this.#nn.g;
  }

  // -------------------------------------------------------------------------------------- weights

  /**
   * A new weight, in `build`.
   * @param {string} name
   * @param {readonly (number | null | undefined)[]} shape
   * @param {WeightOptions} options
   * @returns {Variable}
   */
  addWeight(name, shape, { initializer, regularizer, constraint, trainable = true }) {
    const open = shape.findIndex((size) => typeof size !== 'number');
    if (open >= 0) {
      throw new ShapeError(
        `${this.label}: axis ${open} of its ${name} depends on a size of the input that is not known`,
      );
    }
    const dims = /** @type {readonly number[]} */ (shape);
    const { g } = this;
    const weight = g.tidy(() => {
      const values = initializer.make(dims);
      if (formatShape(values.shape) !== formatShape(dims)) {
        throw new ShapeError(
          `${this.label}: the initializer of ${name} gave shape ${formatShape(values.shape)}, expected ${formatShape(dims)}`,
        );
      }
      return g.variable(values, { name: `${this.path}/${name}`, trainable });
    });
    if (regularizer) this.#regularizers.set(weight, regularizer);
    if (constraint) this.#constraints.set(weight, constraint);
    const at = trainable ? this.#weights.findIndex((other) => !other.trainable) : -1;
    this.#weights.splice(at < 0 ? this.#weights.length : at, 0, weight);
    if (this.frozen) weight.locks.holder(FROZEN).lock('all');
    return weight;
  }

  /**
   * A new weight of which the configuration has fields, in `build`.
   * @param {string} name
   * @param {readonly (number | null | undefined)[]} shape
   * @param {string} [prefix] Of the fields.
   * @param {boolean} [trainable]
   * @returns {Variable}
   */
  addFieldWeight(name, shape, prefix = name, trainable = true) {
    const [initializer, regularizer, constraint] = ['Initializer', 'Regularizer', 'Constraint'].map(
      (kind) => this.config[`${prefix}${kind}`],
    );
    return this.addWeight(name, shape, { initializer, regularizer, constraint, trainable });
  }

  /**
   * Make a layer part of this one.
   * @template {Layer} T
   * @param {T} layer
   * @returns {T}
   */
  track(layer) {
    layer.parents.add(this);
    this.sublayers.push(layer);
    return layer;
  }

  /** The reverse. @param {Layer} layer */
  untrack(layer) {
    layer.parents.delete(this);
    this.sublayers = this.sublayers.filter((other) => other !== layer);
  }

  /**
   * All weights in Keras's order, its own before those of layers inside; none twice.
   * @returns {Variable[]}
   */
  get weights() {
    const inner = this.sublayers.flatMap((layer) => layer.weights);
    return [...new Set([...this.#weights, ...inner])];
  }

  /**
   * Weights that training may change: those of frozen layers are not among them. Locks on elements
   * do not matter.
   */
  get trainableWeights() {
    return this.weights.filter((weight) => weight.trainable && !isHeld(weight));
  }

  /** The other weights. */
  get nonTrainableWeights() {
    return this.weights.filter((weight) => !weight.trainable || isHeld(weight));
  }

  /** This layer and all inside of it. @returns {Layer[]} */
  get allLayers() {
    return [...new Set([this, ...this.sublayers.flatMap((layer) => layer.allLayers)])];
  }

  /** Which of its own weights have a penalty. */
  get regularized() {
    return this.#regularizers;
  }

  /** Which of its own weights have a constraint. */
  get constrained() {
    return this.#constraints;
  }

  /** Number of elements of all weights. */
  countParams() {
    return this.weights.reduce((sum, weight) => sum + weight.size, 0);
  }

  /** Copies of the weights, in order. @returns {Tensor[]} */
  getWeights() {
    return this.weights.map((weight) => this.g.tensor(weight));
  }

  /**
   * Write the weights, all or none. Throws LockedElementError if a locked element would change
   * (docs/laws.md, law 9).
   * @param {readonly import('../tensors/tensor.js').TensorLike[]} values In the order of `weights`,
   *   of their shapes.
   * @param {{ force?: boolean }} [options] `force`: over locks too.
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
    try {
      weights.forEach((weight, i) => {
        const old = weight.data();
        weight.assign(/** @type {any} */ (values[i]), options);
        before.push(old);
      });
    } catch (error) {
      before.forEach((old, i) => void weights[i]?.assign(old, { force: true }));
      if (!(error instanceof ShapeError)) throw error;
      const weight = weights[before.length];
      throw new ShapeError(
        `${this.label}: ${weight?.name} ${formatShape(weight?.shape ?? [])}: ${error.message}`,
      );
    }
  }

  // --------------------------------------------------------------------------------------- frozen

  /**
   * Whether training may change it. `false` holds all its weights by a holder named `frozen`, live,
   * in the middle of training too; `true` lets go of that holder only. What it is made of follows.
   */
  get trainable() {
    return this.#trainable;
  }

  set trainable(value) {
    const flag = readFlag(value, `trainable of ${this.label}`);
    for (const layer of this.allLayers) layer.#trainable = flag;
    for (const layer of this.allLayers) layer.syncFrozen();
  }

  /** Whether it, or something that it is part of, is not trainable. @returns {boolean} */
  get frozen() {
    return !this.#trainable || [...this.parents].some((parent) => parent.frozen);
  }

  /** Let the weights of its own be held as the flags say. */
  syncFrozen() {
    const { frozen } = this;
    for (const weight of this.#weights) {
      const holder = weight.locks.holder(FROZEN);
      if (frozen) holder.lock('all');
      else holder.unlock('all');
    }
  }

  // ------------------------------------------------------------------------------------- applying

  /**
   * Make the weights, once.
   * @param {OpenShape | OpenShape[]} inputShape One shape, or as many as inputs.
   */
  build(inputShape) {
    void inputShape;
  }

  /**
   * The function of tensors that the layer is.
   * @param {any} inputs
   * @param {CallOptions} options
   * @returns {any}
   */
  call(inputs, options) {
    void options;
    return inputs;
  }

  /**
   * Which steps in time of its outputs there are.
   * @param {any} inputs
   * @param {any} mask Of the inputs: one, or null, or a list.
   * @returns {any}
   */
  computeMask(inputs, mask) {
    void inputs;
    return mask;
  }

  /**
   * Which programs serve a batch, beside shapes: a letter for each layer inside that may change its
   * mode while it trains. Asked before every batch.
   * @param {boolean} training
   * @returns {string}
   */
  modeOf(training) {
    let mode = '';
    for (const layer of this.sublayers) mode += layer.modeOf(training);
    return mode;
  }

  /** Build, unless that was done. @param {OpenShape | OpenShape[]} inputShape */
  ensureBuilt(inputShape) {
    const { axisCount } = /** @type {typeof Layer} */ (this.constructor);
    if (axisCount && inputShape.length !== axisCount) {
      throw new ShapeError(
        `${this.label} takes ${axisCount} axes, got ${formatOpen(/** @type {OpenShape} */ (inputShape))}`,
      );
    }
    if (this.built) return;
    this.build(inputShape);
    this.built = true;
    if (this.givenWeights) this.setWeights(/** @type {any} */ (this.givenWeights), { force: true });
  }

  /**
   * Apply the layer: to what `input` or another layer gave, while a model is put together; or to
   * values.
   * @param {any} inputs One, or a list.
   * @param {Record<string, any>} [options] `training`; and what the layer takes besides.
   * @returns {any}
   */
  apply(inputs, options = {}) {
    const list = toList(inputs);
    if (list.length === 0) throw new ShapeError(`${this.label} was applied to nothing`);
    const symbolic = list.filter((input) => input instanceof SymbolicTensor);
    if (symbolic.length > 0) {
      if (symbolic.length < list.length) {
        throw new TypeError(`${this.label}: inputs must all be of the model, or all be values`);
      }
      return this.#connect(/** @type {SymbolicTensor[]} */ (list), Array.isArray(inputs), options);
    }
    const { g, nn } = this;
    const { training = false, mask, ...rest } = options;
    return g.tidy(() => {
      const isTensors = list.every((input) => input instanceof nn.Tensor);
      const tensors =
        isTensors || !Array.isArray(inputs)
          ? list.map((input) => this.toTensor(input))
          : [this.toTensor(inputs)];
      const isList = isTensors && Array.isArray(inputs);
      const shapes = tensors.map((tensor) => [null, ...tensor.shape.slice(1)]);
      this.ensureBuilt(isList ? shapes : /** @type {OpenShape} */ (shapes[0]));
      /** @type {Run} */
      const run = { training: readFlag(training, 'training'), masks: new Map(), penalties: [] };
      if (mask)
        (isList ? mask : [mask]).forEach(
          (/** @type {any} */ m, /** @type {number} */ i) =>
            void (m && run.masks.set(/** @type {Tensor} */ (tensors[i]), this.toTensor(m))),
        );
      return this.run(isList ? tensors : tensors[0], run, rest);
    });
  }

  /** @param {any} value @returns {Tensor} */
  toTensor(value) {
    return value instanceof this.nn.Tensor ? value : this.g.tensor(value);
  }

  /**
   * Compute in a run, with masks and penalties.
   * @param {any} inputs A tensor, or a list.
   * @param {Run} run
   * @param {Record<string, any>} [options]
   * @returns {any}
   */
  run(inputs, run, options = {}) {
    const list = toList(inputs);
    const masks = list.map((input) => run.masks.get(input) ?? null);
    const mask = Array.isArray(inputs) ? masks : masks[0];
    const hasMask = masks.some((m) => m !== null);
    const outputs = this.#named(() =>
      this.call(inputs, { ...options, training: run.training, mask: hasMask ? mask : null, run }),
    );
    const found =
      this.makesMasks || (hasMask && this.supportsMasking)
        ? this.computeMask(inputs, hasMask ? mask : null)
        : null;
    if (found) {
      const given = toList(found);
      toList(outputs).forEach((output, i) => void (given[i] && run.masks.set(output, given[i])));
    }
    const { activityRegularizer } = this.config;
    if (activityRegularizer) {
      for (const output of toList(outputs)) {
        run.penalties.push(
          this.g.div(penaltyOf(this.g, activityRegularizer, output), output.shape[0] ?? 1),
        );
      }
    }
    return outputs;
  }

  /** Whether it makes masks of inputs that have none. */
  get makesMasks() {
    return false;
  }

  /**
   * Errors of shapes say which layer they come from.
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  #named(call) {
    try {
      return call();
    } catch (error) {
      if (error instanceof GradlockError && !error.message.startsWith('layer ')) {
        error.message = `layer ${this.label}: ${error.message}`;
      }
      throw error;
    }
  }

  /**
   * @param {readonly SymbolicTensor[]} inputs
   * @param {boolean} isList
   * @param {Record<string, any>} options
   */
  #connect(inputs, isList, options) {
    const shapes = inputs.map((input) => [...input.shape]);
    this.ensureBuilt(isList ? shapes : /** @type {OpenShape} */ (shapes[0]));
    const node = new Node(this, inputs, isList, options);
    const { shapes: found, isList: hasMany } = inferShapes(this, shapes, isList, options);
    const { length } = this.nodes;
    const outputs = found.map((shape, i) => {
      const suffix = (length > 0 ? `_${length}` : '') + (i > 0 ? `:${i}` : '');
      return new SymbolicTensor(shape, node, i, `${this.name}${suffix}`);
    });
    node.outputs.push(...outputs);
    this.nodes.push(node);
    return hasMany ? outputs : outputs[0];
  }

  /** What it gave when it was applied for the first time. */
  get output() {
    const { outputs } = this.#first();
    return outputs.length === 1 ? outputs[0] : outputs;
  }

  /** What it was applied to for the first time. */
  get input() {
    const { inputs } = this.#first();
    return inputs.length === 1 ? inputs[0] : inputs;
  }

  #first() {
    const [node] = this.nodes;
    if (node) return node;
    throw new GradlockError(`${this.label} was not applied to anything yet`);
  }

  // -------------------------------------------------------------------------------- configuration

  /** Its configuration as Keras's JSON has it. @returns {Record<string, unknown>} */
  getConfig() {
    const { fields } = /** @type {typeof Layer} */ (this.constructor);
    const common = { name: this.name, trainable: this.#trainable, dtype: FLOAT32 };
    return { ...common, ...writeConfig(this.config, fields) };
  }

  /** The layer, without its weights, as Keras's JSON has it. @returns {Record<string, any>} */
  serialize() {
    const { className } = /** @type {typeof Layer} */ (this.constructor);
    return {
      module: 'keras.layers',
      class_name: className,
      config: this.getConfig(),
      registered_name: null,
    };
  }

  /**
   * How a call is written in Keras's JSON.
   * @param {Node} node
   * @returns {{ args: any[], kwargs: Record<string, any> }}
   */
  toArgs({ inputs, isList, options }) {
    const kwargs = Object.fromEntries(
      Object.entries(options).map(([key, value]) => [toSnake(key), value]),
    );
    return { args: [isList ? inputs : inputs[0]], kwargs };
  }

  /**
   * The reverse: what `apply` takes.
   * @param {any[]} args
   * @param {Record<string, any>} kwargs
   * @returns {{ inputs: any, options: Record<string, any> }}
   */
  fromArgs(args, kwargs) {
    const options = Object.fromEntries(
      Object.entries(kwargs)
        .filter(([key, value]) => value !== null && key !== 'training')
        .map(([key, value]) => [toCamel(key), value]),
    );
    return { inputs: args.length === 1 ? args[0] : args, options };
  }

  /**
   * A layer of a configuration that `getConfig`, Keras or TensorFlow.js gave.
   * @param {Toolkit} nn
   * @param {any} config
   * @returns {Layer}
   */
  static fromConfig(nn, config) {
    return new this(nn, config);
  }

  /** What it draws from: of its own `seed`, or what all layers draw from. */
  get randomness() {
    const { seed } = this.config;
    if (typeof seed === 'number') this.#randomness ??= this.g.random(seed);
    return this.#randomness ?? this.#nn.seed;
  }

  /** Let stateful layers begin anew. */
  resetStates() {
    for (const layer of this.sublayers) layer.resetStates();
  }

  /** Give the memory of its weights back. */
  dispose() {
    for (const weight of this.weights) weight.dispose();
  }

  /** How messages call it. */
  get label() {
    return `${this.name} (${/** @type {typeof Layer} */ (this.constructor).className})`;
  }

  get [Symbol.toStringTag]() {
    return 'Layer';
  }

  toString() {
    const [node] = this.nodes;
    const shape = node
      ? ` ${node.outputs.map((output) => formatOpen(output.shape)).join(', ')}`
      : '';
    return `${this.label}${shape}${this.frozen ? ' frozen' : ''}`;
  }
}

/** @param {Variable} weight */
const isHeld = (weight) => weight.locks.holders.includes(FROZEN);

/**
 * @param {any} value
 * @param {string} what
 * @returns {OpenShape}
 */
export const readOpenShape = (value, what) => {
  if (!Array.isArray(value))
    throw new TypeError(`${what} must be an array of sizes, got ${describe(value)}`);
  return Array.from(value, (size, axis) => {
    if (size === null || size === undefined) return null;
    if (Number.isSafeInteger(size) && size >= 0) return size;
    if (typeof size === 'number')
      throw new OptionError(`${what}[${axis}] must be an integer from 0 up or null, got ${size}`);
    throw new TypeError(`${what}[${axis}] must be an integer or null, got ${describe(size)}`);
  });
};

/** A layer whose class knows what it belongs to, as `nn.Layer` does. */
export class OwnLayer extends Layer {
  /** @param {any} [config] */
  constructor(config) {
    super(/** @type {any} */ (null), config);
  }
}
