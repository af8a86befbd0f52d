// The base of all layers: its configuration, and how it is applied, to tensors or while a model is
// put together.
import { isRecord, ownProperties, readEach, readFlag, typeError } from '../../base/check.js';
import { GradlockError, ShapeError } from '../../base/errors.js';
import { readConfig, writeConfig } from '../config/fields.js';
import { renameKeys, toCamel, toSnake } from '../config/names.js';
import { recordShapes } from './recorded-shapes.js';
import { penaltyOf } from '../config/regularizers.js';
import { newRun } from './forward-pass.js';
import { FLOAT32, writeObject } from '../config/serial.js';
import { formatOpen, readOpenShape, readShapes } from '../config/open-shapes.js';
import { Node, SymbolicTensor, toList } from './symbolic.js';
import { Weighted } from './weighted.js';

/** @typedef {import('../config/fields.js').Fields} Fields */
/** @typedef {import('../config/open-shapes.js').OpenShape} OpenShape */
/** @typedef {import('./toolkit.js').Toolkit} Toolkit */
/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('./forward-pass.js').Run} Run */
/** @typedef {{ training: boolean, mask: any, run: Run, [option: string]: unknown }} CallOptions */

/** @param {Toolkit} nn @param {unknown} value */
const isTensor = (nn, value) => value instanceof SymbolicTensor || value instanceof nn.Tensor;

/**
 * @param {Record<string, any>} common Options that all layers have.
 * @param {string} what
 * @returns {OpenShape | null}
 */
const readInputShape = ({ batchInputShape, inputShape, batchSize = null }, what) => {
  if (batchInputShape) return readOpenShape(batchInputShape, `${what}: batchInputShape`);
  return inputShape ? [batchSize, ...readOpenShape(inputShape, `${what}: inputShape`)] : null;
};

/** A step of a network: weights, and a function of tensors. */
export class Layer extends Weighted {
  /** What Keras calls it. */
  static className = 'Layer';
  /** Its configuration, beside name, trainable and dtype. @type {{}} */
  static fields = {};
  /** Other names of fields, such as TensorFlow.js's. @type {{}} */
  static aliases = {};
  /** How many axes its input must have; 0: any number. */
  static axisCount = 0;
  /** True if it takes a list of inputs as well as one. */
  static takesLists = false;

  /** Whether masks of its inputs are its outputs' as well. */
  supportsMasking = false;
  /** Whether `build` made its weights. */
  built = false;
  /** How it was applied while models were put together. @type {Node[]} */
  nodes = [];
  /** @type {import('../../tensors/random.js').Generator | undefined} */
  #randomness;

  /**
   * @param {Toolkit} nn
   * @param {unknown} [given] Options, in TensorFlow.js's or Keras's spelling.
   */
  constructor(nn, given = {}) {
    const { className, fields, aliases } = new.target;
    const { config, common } = readConfig(nn, given, fields, aliases, className);
    const shape = readInputShape(common, className);
    super(nn, className, config, common);
    /** Of what it is applied to first, where it says so. @type {OpenShape | null} */
    this.batchInputShape = shape;
    this.givenWeights = common.weights;
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
   * True if the result for a row is the same each time, whatever else is in the batch: then `fit`
   * may compute it once while the weights are locked. False unless a class says so (RowWise); layers
   * of your own may override it.
   * @param {boolean} training
   * @returns {boolean}
   */
  isPure(training) {
    void training;
    return false;
  }

  /**
   * True if the result for a row may depend on other rows of the batch, as in batch normalization
   * in training.
   * @param {boolean} training
   * @returns {boolean}
   */
  mixesRows(training) {
    return !this.isPure(training);
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

  /**
   * The shape of what the layer gives, the batch included. Sizes that are not known are null, and
   * stay null unless they do not matter. Throws ShapeError where known sizes do not fit. Layers of
   * your own state theirs by overriding this; if they do not, `call` is recorded (decision 49).
   * @param {OpenShape | OpenShape[]} inputShape One shape, or as many as inputs.
   * @param {Record<string, any>} [options] Of the call.
   * @returns {OpenShape | OpenShape[]} One shape, or as many as outputs.
   */
  computeOutputShape(inputShape, options = {}) {
    const given = readShapes(inputShape, `${this.label}: inputShape`);
    this.#checkInput(given);
    return this.#named(() => this.inferShape(given, options));
  }

  /**
   * What `computeOutputShape` says of shapes that were read: the formula of each class here.
   * @param {any} inputShape
   * @param {Record<string, any>} options
   * @returns {any}
   */
  inferShape(inputShape, options) {
    this.ensureBuilt(inputShape);
    return recordShapes(this, inputShape, options);
  }

  /** @param {OpenShape | OpenShape[]} inputShape */
  #checkInput(inputShape) {
    const { axisCount, takesLists } = /** @type {typeof Layer} */ (this.constructor);
    if (!Array.isArray(inputShape))
      throw typeError(`${this.label}: the shape of its input`, 'an array of sizes', inputShape);
    if (Array.isArray(inputShape[0])) {
      if (takesLists) return;
      throw new ShapeError(`${this.label} takes one input, got a list of ${inputShape.length}`);
    }
    if (axisCount && inputShape.length !== axisCount) {
      throw new ShapeError(
        `${this.label} takes ${axisCount} axes, got ${formatOpen(/** @type {any} */ (inputShape))}`,
      );
    }
  }

  /** Build, unless that was done. @param {OpenShape | OpenShape[]} inputShape */
  ensureBuilt(inputShape) {
    this.#checkInput(inputShape);
    if (this.built) return;
    this.nn.attempt(() => {
      this.keep();
      this.build(inputShape);
      if (this.givenWeights)
        this.setWeights(/** @type {any} */ (this.givenWeights), { force: true });
      this.built = true;
    });
  }

  /**
   * Apply the layer: to what `input` or another layer gave, while a model is put together; or to
   * values.
   * @param {any} inputs One, or a list.
   * @param {Record<string, any>} [options] `training`; and what the layer takes besides.
   * @returns {any}
   */
  apply(inputs, options = {}) {
    const isMany = Array.isArray(inputs) && isTensor(this.nn, inputs[0]);
    const list = isMany
      ? readEach(inputs, 'inputs', (input, i) => {
          if (isTensor(this.nn, input)) return /** @type {any} */ (input);
          throw typeError(`${this.label}: inputs[${i}]`, 'a tensor, as inputs[0] is', input);
        })
      : [inputs];
    if (Array.isArray(inputs) && inputs.length === 0)
      throw new ShapeError(`${this.label} was applied to nothing`);
    const symbolic = list.filter((input) => input instanceof SymbolicTensor);
    if (symbolic.length > 0) {
      if (symbolic.length < list.length) {
        throw new TypeError(`${this.label}: inputs must all be of the model, or all be values`);
      }
      return this.nn.attempt(() =>
        this.#connect(/** @type {SymbolicTensor[]} */ (list), isMany, options),
      );
    }
    const { g, nn } = this;
    if (!isRecord(options))
      throw typeError(`${this.label}: options of apply`, 'an object', options);
    const { training = false, mask, ...rest } = /** @type {any} */ (ownProperties(options));
    return nn.attempt(() =>
      g.tidy(() => {
        const tensors = list.map((input) => this.toTensor(input));
        const shapes = tensors.map((tensor) => [null, ...tensor.shape.slice(1)]);
        this.ensureBuilt(isMany ? shapes : (shapes[0] ?? []));
        /** @type {Run} */
        const run = newRun(readFlag(training, 'training'));
        if (mask)
          (isMany ? mask : [mask]).forEach(
            (/** @type {any} */ m, /** @type {number} */ i) =>
              void (m && run.masks.set(/** @type {Tensor} */ (tensors[i]), this.toTensor(m))),
          );
        const outputs = this.run(isMany ? tensors : tensors[0], run, rest);
        for (const move of run.moves) g.assignMovingAverage(...move);
        return outputs;
      }),
    );
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
          this.g.div(penaltyOf(this.g, activityRegularizer, output), output.shape[0]),
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
    this.keep();
    const shapes = inputs.map((input) => [...input.shape]);
    this.ensureBuilt(isList ? shapes : /** @type {OpenShape} */ (shapes[0]));
    const node = new Node(this, inputs, isList, options);
    const stated = this.computeOutputShape(isList ? shapes : (shapes[0] ?? []), options);
    const found = readShapes(stated, `${this.label}: what computeOutputShape returned`);
    const hasMany = Array.isArray(found[0]);
    const { length } = this.nodes;
    const outputs = /** @type {OpenShape[]} */ (hasMany ? found : [found]).map((shape, i) => {
      const suffix = (length > 0 ? `_${length}` : '') + (i > 0 ? `:${i}` : '');
      return new SymbolicTensor(shape, node, i, `${this.name}${suffix}`);
    });
    node.outputs.push(...outputs);
    this.nodes = [...this.nodes, node];
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
    const common = { name: this.name, trainable: this.trainable, dtype: FLOAT32 };
    return { ...common, ...writeConfig(this.config, fields) };
  }

  /** The layer, without its weights, as Keras's JSON has it. @returns {Record<string, any>} */
  serialize() {
    const { className } = /** @type {typeof Layer} */ (this.constructor);
    return writeObject('keras.layers', { className, config: this.getConfig() });
  }

  /**
   * How a call is written in Keras's JSON.
   * @param {Node} node
   * @returns {{ args: any[], kwargs: Record<string, any> }}
   */
  toArgs({ inputs, isList, options }) {
    return { args: [isList ? inputs : inputs[0]], kwargs: renameKeys(options, toSnake) };
  }

  /**
   * The reverse: what `apply` takes.
   * @param {any[]} args
   * @param {Record<string, any>} kwargs
   * @returns {{ inputs: any, options: Record<string, any> }}
   */
  fromArgs(args, kwargs) {
    const given = Object.entries(kwargs).filter(
      ([key, value]) => value !== null && key !== 'training',
    );
    const options = renameKeys(Object.fromEntries(given), toCamel);
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

  /**
   * What it draws from: a generator of its own `seed`, or that of all layers. What fails gives its
   * draws back.
   * @returns {import('../../tensors/random.js').Generator}
   */
  get randomness() {
    const { seed } = this.config;
    if (typeof seed !== 'number') return this.nn.seed;
    this.#randomness ??= this.g.random(seed);
    const generator = this.#randomness;
    const { step } = generator;
    this.nn.undo(() => {
      generator.step = step;
    });
    return generator;
  }

  /** Let stateful layers begin anew. */
  resetStates() {
    for (const layer of this.sublayers) layer.resetStates();
  }

  get [Symbol.toStringTag]() {
    return 'Layer';
  }

  /** @override */
  toString() {
    const [node] = this.nodes;
    const shape = node
      ? ` ${node.outputs.map((output) => formatOpen(output.shape)).join(', ')}`
      : '';
    return `${this.label}${shape}${this.frozen ? ' frozen' : ''}`;
  }
}

/** A layer whose class knows what it belongs to, as `nn.Layer` does. */
export class OwnLayer extends Layer {
  /** @param {any} [config] */
  constructor(config) {
    super(/** @type {any} */ (null), config);
  }
}
