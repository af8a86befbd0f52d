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

/** @typedef {import('../config/fields.js').LayerConfig} LayerConfig */
/** @typedef {import('../config/open-shapes.js').OpenShape} OpenShape */
/** @typedef {import('./toolkit.js').Toolkit} Toolkit */
/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('./forward-pass.js').Run} Run */
/** @typedef {import('../../tensors/tensor.js').TensorLike} TensorLike */
/** @typedef {{ training: boolean, mask: any, run: Run, [option: string]: unknown }} RunOptions */
/**
 * @typedef {object} CommonCallOptions
 * @property {boolean} [training] Whether this is training: dropout drops, batch normalisation takes
 *   the batch's statistics.
 * @property {TensorLike | null | readonly (TensorLike | null)[]} [mask] 1 for steps in time that
 *   there are, 0 for others.
 */
/**
 * What a layer's `apply` and `call` are told besides.
 * @typedef {CommonCallOptions & { [option: string]: unknown }} CallOptions
 */
/**
 * What layers of a model are applied to: what `input` or another layer gave.
 * @typedef {SymbolicTensor | readonly SymbolicTensor[] | { readonly [name: string]: SymbolicTensor
 *   }} Symbols
 */
/**
 * Values that layers are applied to.
 * @typedef {TensorLike | readonly TensorLike[] | { readonly [name: string]: TensorLike }} Inputs
 */

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

/** A layer: weights, and a function of tensors. */
export class Layer extends Weighted {
  /** What JSON calls it. */
  static className = 'Layer';
  /** Its configuration, beside name, trainable and dtype. @type {{}} */
  static fields = {};
  /** Other names of fields, such as TensorFlow.js's. @type {{}} */
  static aliases = {};
  /** How many axes its input must have; 0: any number. @internal */
  static axisCount = 0;
  /** True if it takes a list of inputs as well as one. @internal */
  static takesLists = false;

  /** Whether masks of its inputs are its outputs' as well. @internal */
  supportsMasking = false;
  /** Whether its weights were made: by a first `apply`, or because its inputShape is known. */
  built = false;
  /** How it was applied while models were put together. @internal @type {Node[]} */
  nodes = [];
  /** @type {import('../../tensors/random.js').Generator | undefined} */
  #randomness;

  /**
   * @internal
   * @param {Toolkit} nn
   * @param {unknown} [given] Options, in TensorFlow.js's or Keras's spelling.
   */
  constructor(nn, given = {}) {
    const { className, fields, aliases } = new.target;
    const { config, common } = readConfig(nn, given, fields, aliases, className);
    const shape = readInputShape(common, className);
    super(nn, className, config, common);
    /** Of what it is applied to first, where it says so. @internal @type {OpenShape | null} */
    this.batchInputShape = shape;
    /** @internal */
    this.givenWeights = common.weights;
  }

  // ------------------------------------------------------------------------------------- applying

  /**
   * Make the weights by `addWeight`, once: of one shape, or as many as inputs.
   * @param {OpenShape | OpenShape[]} inputShape One shape, or as many as inputs.
   * @example
   * class Scale extends nn.Layer {
   *   static className = 'Scale';
   *   build(inputShape) {
   *     this.scale = this.addWeight('scale', [inputShape.at(-1)], { initializer: 'ones' });
   *   }
   *   call(x) {
   *     return g.mul(x, this.scale);
   *   }
   * }
   * new Scale().apply(g.tensor([[1, 2]])).array(); // [[1, 2]]
   */
  build(inputShape) {
    void inputShape;
  }

  /**
   * The function of tensors that it is. Shapes of outputs follow from it, where sizes that are open
   * do not matter; override `computeOutputShape` where they do.
   * @param {any} inputs One, or a list.
   * @param {CallOptions} options
   * @returns {any}
   * @example
   * class Double extends nn.Layer {
   *   static className = 'Double';
   *   call(x) {
   *     return g.mul(x, 2);
   *   }
   * }
   * new Double().apply(g.tensor([[1, 2]])).array(); // [[2, 4]]
   */
  call(inputs, options) {
    void options;
    return inputs;
  }

  /**
   * Which steps in time of its outputs there are.
   * @internal
   * @param {any} inputs
   * @param {any} mask Of the inputs: one, or null, or a list.
   * @returns {any}
   */
  computeMask(inputs, mask) {
    void inputs;
    return mask;
  }

  /**
   * Whether what it makes of a row is the same each time, whatever else is in the batch: then `fit`
   * may compute it once while its weights are locked. Of layers of your own false, unless they say
   * so.
   * @param {boolean} training
   * @returns {boolean}
   * @example
   * nn.dropout({ rate: 0.5 }).isPure(true); // false
   */
  isPure(training) {
    void training;
    return false;
  }

  /**
   * True if the result for a row may depend on other rows of the batch, as in batch normalization
   * in training.
   * @internal
   * @param {boolean} training
   * @returns {boolean}
   */
  mixesRows(training) {
    return !this.isPure(training);
  }

  /**
   * Which programs serve a batch, beside shapes: a letter for each layer inside that may change its
   * mode while it trains. Asked before every batch.
   * @internal
   * @param {boolean} training
   * @returns {string}
   */
  modeOf(training) {
    let mode = '';
    for (const layer of this.sublayers) mode += layer.modeOf(training);
    return mode;
  }

  /**
   * The shape of what it gives, the batch included; null is a size that is not known. Throws
   * ShapeError where known sizes do not fit. Layers of your own state theirs by overriding this; if
   * they do not, `call` is recorded (decision 49).
   * @param {OpenShape | readonly OpenShape[]} inputShape One shape, or as many as inputs.
   * @param {Record<string, unknown>} [options] Of the call.
   * @returns {any} One shape, or as many as outputs.
   * @example
   * const layer = nn.conv1d({ filters: 8, kernelSize: 3 });
   * layer.computeOutputShape([null, null, 2]); // [null, null, 8]
   * nn.maxPooling1d().computeOutputShape([null, 9, 2]); // [null, 4, 2]
   */
  computeOutputShape(inputShape, options = {}) {
    const given = readShapes(inputShape, `${this.label}: inputShape`);
    this.#checkInput(given);
    return this.#named(() => this.inferShape(given, options));
  }

  /**
   * What `computeOutputShape` says of shapes that were read: the formula of each class here.
   * @internal
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

  /**
   * Make the weights for inputs of a shape, with the batch, unless they were made.
   * @param {OpenShape | OpenShape[]} inputShape One shape, or as many as inputs.
   * @example
   * const layer = nn.dense({ units: 2 });
   * layer.ensureBuilt([null, 3]);
   * layer.kernel.shape; // [3, 2]
   */
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
   * Apply it to what `input` or another layer gave, which gives the same.
   * @template {SymbolicTensor | SymbolicTensor[]} [Out=SymbolicTensor]
   * @overload
   * @param {Symbols} inputs One, or a list.
   * @param {CallOptions} [options] `training`, and what the layer takes besides.
   * @returns {Out}
   */
  /**
   * Apply it to values, which gives a tensor; or a list, as `lstm.apply<Tensor[]>(x)`.
   * @template {Tensor | Tensor[]} [Out=Tensor]
   * @overload
   * @param {Inputs} inputs One, or a list.
   * @param {CallOptions} [options] `training`, and what the layer takes besides.
   * @returns {Out}
   * @example
   * const layer = nn.dense({ units: 2, kernelInitializer: 'ones' });
   * layer.apply(g.tensor([[1, 2]])).array(); // [[3, 3]]
   */
  /**
   * @param {any} inputs
   * @param {any} [options]
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

  /** @internal @param {any} value @returns {Tensor} */
  toTensor(value) {
    return value instanceof this.nn.Tensor ? value : this.g.tensor(value);
  }

  /**
   * Compute in a run, with masks and penalties.
   * @internal
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

  /** Whether it makes masks of inputs that have none. @internal */
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

  /** What it then gave. @returns {SymbolicTensor | SymbolicTensor[]} */
  get output() {
    const { outputs } = this.#first();
    return outputs.length === 1 && outputs[0] ? outputs[0] : outputs;
  }

  /** What it was first applied to. @returns {SymbolicTensor | readonly SymbolicTensor[]} */
  get input() {
    const { inputs } = this.#first();
    return inputs.length === 1 && inputs[0] ? inputs[0] : inputs;
  }

  #first() {
    const [node] = this.nodes;
    if (node) return node;
    throw new GradlockError(`${this.label} was not applied to anything yet`);
  }

  // -------------------------------------------------------------------------------- configuration

  /**
   * Its configuration as Keras's JSON has it. What a model around it freezes says so, since Keras
   * forgets that of a Sequential.
   * @returns {Record<string, unknown>}
   * @example
   * nn.dense({ units: 2 }).getConfig().units; // 2
   */
  getConfig() {
    const { fields } = /** @type {typeof Layer} */ (this.constructor);
    const common = { name: this.name, trainable: !this.frozen, dtype: FLOAT32 };
    return { ...common, ...writeConfig(this.config, fields) };
  }

  /**
   * The layer, without its weights, as Keras's JSON has it.
   * @internal
   * @returns {Record<string, any>}
   */
  serialize() {
    const { className } = /** @type {typeof Layer} */ (this.constructor);
    return writeObject('keras.layers', { className, config: this.getConfig() });
  }

  /**
   * How a call is written in Keras's JSON.
   * @internal
   * @param {Node} node
   * @returns {{ args: any[], kwargs: Record<string, any> }}
   */
  toArgs({ inputs, isList, options }) {
    return { args: [isList ? inputs : inputs[0]], kwargs: renameKeys(options, toSnake) };
  }

  /**
   * The reverse: what `apply` takes.
   * @internal
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
   * @internal
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
   * @internal
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

  /**
   * Let what is stateful begin anew.
   * @example
   * const net = nn.sequential([
   *   nn.simpleRNN({ units: 1, stateful: true, batchInputShape: [1, 2, 1] }),
   * ]);
   * const first = net.predict([[[1], [1]]]).item();
   * net.resetStates();
   * net.predict([[[1], [1]]]).item() === first; // true
   */
  resetStates() {
    for (const layer of this.sublayers) layer.resetStates();
  }

  /** @internal */
  get [Symbol.toStringTag]() {
    return 'Layer';
  }

  /**
   * Its name and class, and the shape of what it gives.
   * @override
   * @example
   * String(nn.dense({ units: 2, name: 'head' })); // 'head (Dense)'
   */
  toString() {
    const [node] = this.nodes;
    const shape = node
      ? ` ${node.outputs.map((output) => formatOpen(output.shape)).join(', ')}`
      : '';
    return `${this.label}${shape}${this.frozen ? ' frozen' : ''}`;
  }
}

/** The class to derive layers of one's own from: `nn.Layer`. */
export class OwnLayer extends Layer {
  /** @param {LayerConfig} [config] */
  constructor(config) {
    super(/** @type {any} */ (null), config);
  }
}
