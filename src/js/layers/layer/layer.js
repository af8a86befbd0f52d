// The base class of all layers: reads the configuration, applies the layer to (symbolic) tensors.
import { isRecord, ownProperties, readEach, readFlag, typeError } from '../../base/check.js';
import { GradlockError, ShapeError } from '../../base/errors.js';
import { suggest } from '../../base/suggest.js';
import { readConfig, writeConfig } from '../config/fields.js';
import { renameKeys, toCamel, toSnake } from '../config/names.js';
import { recordShapes } from './recorded-shapes.js';
import { penaltyOf } from '../config/regularizers.js';
import { newRun } from './forward-pass.js';
import { FLOAT32, writeObject } from '../config/serial.js';
import { formatOpen, readOpenShape, readShapes } from '../config/open-shapes.js';
import { Node, SymbolicTensor, toList } from './symbolic.js';
import { Weighted } from './weighted.js';

/** @import { LayerConfig } from '../config/fields.js' */
/** @import { OpenShape } from '../config/open-shapes.js' */
/** @import { Toolkit } from './toolkit.js' */
/** @import { Tensor, TensorLike } from '../../tensors/tensor.js' */
/** @typedef {import('./forward-pass.js').Run} Run */
/** @typedef {{ training: boolean, mask: any, run: Run, [option: string]: unknown }} RunOptions */
/**
 * @typedef {object} CommonCallOptions
 * @property {boolean} [training] True in training: dropout is active, and batch normalisation uses
 *   the batch's statistics.
 * @property {TensorLike | null | readonly (TensorLike | null)[]} [mask] The mask of time steps: 1
 *   for a step that exists, 0 for padding.
 */
/**
 * The options of a layer's `apply` and `call`.
 * @typedef {CommonCallOptions & { [option: string]: unknown }} CallOptions
 */
/**
 * The symbolic inputs of a layer in a model: results of `input` or of other layers.
 * @typedef {SymbolicTensor | readonly SymbolicTensor[] | { readonly [name: string]: SymbolicTensor
 *   }} Symbols
 */
/**
 * The values that a layer is applied to.
 * @typedef {TensorLike | readonly TensorLike[] | { readonly [name: string]: TensorLike }} Inputs
 */

/** @param {Toolkit} nn @param {unknown} value */
const isTensor = (nn, value) => value instanceof SymbolicTensor || value instanceof nn.Tensor;

/**
 * @param {Record<string, any>} common The options that all layers have.
 * @param {string} what
 * @returns {OpenShape | null}
 */
const readInputShape = ({ batchInputShape, inputShape, batchSize = null }, what) => {
  if (batchInputShape) return readOpenShape(batchInputShape, `${what}: batchInputShape`);
  return inputShape ? [batchSize, ...readOpenShape(inputShape, `${what}: inputShape`)] : null;
};

/** A layer: weights and a function of tensors. */
export class Layer extends Weighted {
  /** The layer's class name in JSON. */
  static className = 'Layer';
  /** The fields of its configuration, without name, trainable and dtype. @type {{}} */
  static fields = {};
  /** Other names of fields, such as TensorFlow.js's. @type {{}} */
  static aliases = {};
  /** The number of axes that its input must have; 0: any number. @internal */
  static axisCount = 0;
  /** True if it also accepts a list of inputs. @internal */
  static takesLists = false;
  /** More options of `apply`; null: any. @internal @type {readonly string[] | null} */
  static callOptions = [];

  /** True if the masks of its inputs also apply to its outputs. @internal */
  supportsMasking = false;
  /** True if its weights exist: after `apply`, or from the start if it has an inputShape. */
  built = false;
  /** Its applications in models. @internal @type {Node[]} */
  nodes = [];
  /** @type {import('../../tensors/random.js').Generator | undefined} */
  #randomness;

  /** @internal @param {Toolkit} nn @param {unknown} [given] Options in either spelling. */
  constructor(nn, given = {}) {
    const { className, fields, aliases } = new.target;
    const { config, common } = readConfig(nn, given, fields, aliases, className);
    const shape = readInputShape(common, className);
    super(nn, className, config, common);
    /** Its first input's shape with the batch, if given. @internal @type {OpenShape | null} */
    this.batchInputShape = shape;
    /** @internal */
    this.givenWeights = common.weights ?? null;
  }

  /**
   * Create the weights with `addWeight`. Called once.
   * @param {OpenShape | OpenShape[]} inputShape One shape, or one for each input.
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
   * Compute the outputs. Shapes of outputs are found by recording this function; override
   * `computeOutputShape` if they depend on sizes that are unknown.
   * @param {any} inputs One input, or a list.
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
   * Returns the mask of the outputs: which of their time steps exist.
   * @internal
   * @param {any} inputs
   * @param {any} mask The mask of the inputs, null, or a list of masks.
   * @returns {any}
   */
  computeMask(inputs, mask) {
    void inputs;
    return mask;
  }

  /**
   * True if its result for a row is always the same, whatever else is in the batch. Then `fit` may
   * compute it once while the weights are locked. The default for your own layers is false.
   * @param {boolean} training
   * @returns {boolean}
   * @example
   * nn.dropout({ rate: 0.5 }).isPure(true); // false
   */
  isPure(training) {
    void training;
    return false;
  }

  /** True if rows may affect each other. @internal @param {boolean} training @returns {boolean} */
  mixesRows(training) {
    return !this.isPure(training);
  }

  /** The inner layers' modes, as letters. @internal @param {boolean} training @returns {string} */
  modeOf(training) {
    let mode = '';
    for (const layer of this.sublayers) mode += layer.modeOf(training);
    return mode;
  }

  /**
   * Returns the shape of the output with the batch; null is an unknown size. Throws ShapeError if
   * known sizes do not fit. Override it in your own layers; otherwise `call` is recorded to find
   * the shape (decision 49).
   * @param {OpenShape | readonly OpenShape[]} inputShape One shape, or one for each input.
   * @param {Record<string, unknown>} [options] The options of the call.
   * @returns {any} One shape, or a list with one shape for each output.
   * @example
   * const layer = nn.conv1d({ filters: 8, kernelSize: 3 });
   * layer.computeOutputShape([null, null, 2]); // [null, null, 8]
   * nn.maxPooling1d().computeOutputShape([null, 9, 2]); // [null, 4, 2]
   */
  computeOutputShape(inputShape, options) {
    const given = readShapes(inputShape, `${this.label}: inputShape`);
    this.#checkInput(given);
    this.#checkOptions(options ?? {});
    return this.#named(() => this.inferShape(given, options ?? {}));
  }

  /**
   * Returns the output's shape for checked input shapes. Each built-in class has its own formula.
   * @internal
   * @param {any} inputShape
   * @param {Record<string, any>} options
   * @returns {any}
   */
  inferShape(inputShape, options) {
    this.ensureBuilt(inputShape);
    return recordShapes(this, inputShape, options);
  }

  /** @param {object} options */
  #checkOptions(options) {
    const { callOptions } = /** @type {typeof Layer} */ (this.constructor);
    if (!callOptions) return;
    const known = ['training', 'mask', ...callOptions];
    for (const [key, value] of Object.entries(options)) {
      if (known.includes(key) || value === undefined || value === null) continue;
      throw new TypeError(`apply of ${this.label} has no option '${key}': ${suggest(key, known)}`);
    }
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
        `${this.label} takes an input with ${axisCount} axes, got ${formatOpen(/** @type {any} */ (inputShape))}`,
      );
    }
  }

  /**
   * Create the weights for an input shape (with the batch), if they do not exist yet.
   * @param {OpenShape | OpenShape[]} inputShape One shape, or one for each input.
   * @example
   * const layer = nn.dense({ units: 2 });
   * layer.ensureBuilt([null, 3]);
   * layer.kernel.shape; // [3, 2]
   */
  ensureBuilt(inputShape) {
    this.#checkInput(inputShape);
    if (this.built) return;
    const { isOpen } = this;
    this.open();
    try {
      this.nn.attempt(() => {
        this.keep();
        this.build(inputShape);
        if (this.givenWeights)
          this.setWeights(/** @type {any} */ (this.givenWeights), { force: true });
        this.built = true;
      });
    } finally {
      if (this.built) this.isOpen = isOpen;
      else if (!isOpen) this.close();
    }
  }

  /**
   * Apply the layer to a result of `input` or of another layer. Returns symbolic tensors again.
   * @template {SymbolicTensor | SymbolicTensor[]} [Out=SymbolicTensor]
   * @overload
   * @param {Symbols} inputs One input, or a list.
   * @param {CallOptions} [options] `training`, and the layer's other options.
   * @returns {Out}
   */
  /**
   * Apply the layer to values. Returns a tensor, or a list as in `lstm.apply<Tensor[]>(x)`.
   * @template {Tensor | Tensor[]} [Out=Tensor]
   * @overload
   * @param {Inputs} inputs One input, or a list.
   * @param {CallOptions} [options] `training`, and the layer's other options.
   * @returns {Out}
   * @example
   * const layer = nn.dense({ units: 2, kernelInitializer: 'ones' });
   * layer.apply(g.tensor([[1, 2]])).array(); // [[3, 3]]
   */
  /** @param {any} inputs @param {any} [given] @returns {any} */
  apply(inputs, given) {
    const options = given === undefined ? {} : given;
    const isMany = Array.isArray(inputs) && isTensor(this.nn, inputs[0]);
    const list = isMany
      ? readEach(inputs, 'inputs', (input, i) => {
          if (isTensor(this.nn, input)) return /** @type {any} */ (input);
          throw typeError(`${this.label}: inputs[${i}]`, 'a tensor, as inputs[0] is', input);
        })
      : [inputs];
    if (Array.isArray(inputs) && inputs.length === 0)
      throw new ShapeError(`${this.label} was applied to an empty list`);
    const symbolic = list.filter((input) => input instanceof SymbolicTensor);
    if (symbolic.length > 0) {
      if (symbolic.length < list.length) {
        throw new TypeError(`${this.label}: inputs must all be symbolic, or all be values`);
      }
      return this.nn.attempt(() =>
        this.#connect(/** @type {SymbolicTensor[]} */ (list), isMany, options),
      );
    }
    const { g, nn } = this;
    if (!isRecord(options))
      throw typeError(`${this.label}: options of apply`, 'an object', options);
    const { training = false, mask, ...rest } = /** @type {any} */ (ownProperties(options));
    this.#checkOptions(rest);
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
   * Compute the layer as part of a pass, with masks and penalties.
   * @internal
   * @param {any} inputs A tensor, or a list.
   * @param {Run} run
   * @param {Record<string, any>} [options]
   * @returns {any}
   */
  run(inputs, run, options) {
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

  /** True if it makes masks for inputs that have none. @internal */
  get makesMasks() {
    return false;
  }

  /** Adds the layer's name to shape errors. @template T @param {() => T} call @returns {T} */
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
    const found = readShapes(stated, `${this.label}: the result of computeOutputShape`);
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

  /** The output of its first application. @returns {SymbolicTensor | SymbolicTensor[]} */
  get output() {
    const { outputs } = this.#first();
    return outputs.length === 1 && outputs[0] ? outputs[0] : outputs;
  }

  /** The input of its first application. @returns {SymbolicTensor | readonly SymbolicTensor[]} */
  get input() {
    const { inputs } = this.#first();
    return inputs.length === 1 && inputs[0] ? inputs[0] : inputs;
  }

  #first() {
    const [node] = this.nodes;
    if (node) return node;
    throw new GradlockError(`${this.label} has no input or output yet: apply it first`);
  }

  /**
   * Returns its configuration in the form of Keras's JSON. A layer that an outer model freezes has
   * trainable false here, since Keras does not restore that flag of a Sequential.
   * @returns {Record<string, unknown>}
   * @example
   * nn.dense({ units: 2 }).getConfig().units; // 2
   */
  getConfig() {
    const { fields } = /** @type {typeof Layer} */ (this.constructor);
    const common = { name: this.name, trainable: !this.frozen, dtype: FLOAT32 };
    return { ...common, ...writeConfig(this.config, fields) };
  }

  /** The layer as Keras's JSON, without weights. @internal @returns {Record<string, any>} */
  serialize() {
    const { className } = /** @type {typeof Layer} */ (this.constructor);
    return writeObject('keras.layers', { className, config: this.getConfig() });
  }

  /**
   * Returns a call's arguments in the form of Keras's JSON.
   * @internal
   * @param {Node} node
   * @returns {{ args: any[], kwargs: Record<string, any> }}
   */
  toArgs({ inputs, isList, options }) {
    return { args: [isList ? inputs : inputs[0]], kwargs: renameKeys(options, toSnake) };
  }

  /**
   * Returns the arguments of `apply` from those in Keras's JSON.
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
   * Makes a layer from a configuration that `getConfig`, Keras or TensorFlow.js wrote.
   * @internal
   * @param {Toolkit} nn
   * @param {any} config
   * @returns {Layer}
   */
  static fromConfig(nn, config) {
    return new this(nn, config).close();
  }

  /**
   * The random generator: its own if it has a `seed`, otherwise the one that all layers share.
   * If a call fails, the generator goes back to its state before it.
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
   * Resets the states of stateful layers.
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
   * Returns its name, class and output shape as text.
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

/** `nn.Layer`, the base class for your own layers. */
export class OwnLayer extends Layer {
  /** @param {LayerConfig} [config] */
  constructor(config) {
    super(/** @type {any} */ (null), config);
  }
}
