// What `layers(g)` gives: a method for each layer, by TensorFlow.js's names, and for models.
import { Attention, MultiHeadAttention } from './attention.js';
import * as ready from './callbacks.js';
import { Activation, Dense, Flatten, Lambda } from './core.js';
import { Embedding } from './embedding.js';
import { readInitializer } from './initializers.js';
import { Layer } from './layer.js';
import { modelFromJSON } from './json.js';
import { Add, Average, Concatenate, Dot, Maximum, Minimum, Multiply, Subtract } from './merge.js';
import { InputLayer, Model } from './model.js';
import { GRU, LSTM, SimpleRNN } from './recurrent.js';
import { Sequential } from './sequential.js';
import { Toolkit } from './toolkit.js';
import { Bidirectional, TimeDistributed } from './wrappers.js';

/** @typedef {import('../gradlock.js').Gradlock} Gradlock */
/** @typedef {import('./symbolic.js').SymbolicTensor} SymbolicTensor */

const CLASSES = [
  Activation,
  Add,
  Attention,
  Average,
  Bidirectional,
  Concatenate,
  Dense,
  Dot,
  Embedding,
  Flatten,
  GRU,
  InputLayer,
  LSTM,
  Maximum,
  Minimum,
  MultiHeadAttention,
  Multiply,
  SimpleRNN,
  Subtract,
  TimeDistributed,
];

/** By the names of TensorFlow.js. */
const callbacks = {
  /** @param {object} [options] */
  earlyStopping: (options) => new ready.EarlyStopping(options),
  /** @param {object} [options] */
  reduceLROnPlateau: (options) => new ready.ReduceLROnPlateau(options),
  /** @param {(epoch: number, rate: number) => number} schedule */
  learningRateScheduler: (schedule) => new ready.LearningRateScheduler(schedule),
  /** @param {object} options */
  modelCheckpoint: (options) => new ready.ModelCheckpoint(options),
  terminateOnNaN: () => new ready.TerminateOnNaN(),
};

/** Makes layers and models. Methods may be taken off. */
export class Layers {
  #nn;

  /**
   * @internal
   * @param {Gradlock} g
   * @param {object} options
   */
  constructor(g, options) {
    this.#nn = new Toolkit(g, options);
    for (const Class of [...CLASSES, Model, Sequential]) {
      this.#nn.classes.set(Class.className, /** @type {any} */ (Class));
    }
  }

  /** @param {any} config */
  dense(config) {
    return new Dense(this.#nn, config);
  }

  /** @param {any} [config] */
  flatten(config) {
    return new Flatten(this.#nn, config);
  }

  /** @param {any} config */
  activation(config) {
    return new Activation(this.#nn, config);
  }

  /** @param {any} config */
  embedding(config) {
    return new Embedding(this.#nn, config);
  }

  /** @param {any} [config] */
  add(config) {
    return new Add(this.#nn, config);
  }

  /** @param {any} [config] */
  subtract(config) {
    return new Subtract(this.#nn, config);
  }

  /** @param {any} [config] */
  multiply(config) {
    return new Multiply(this.#nn, config);
  }

  /** @param {any} [config] */
  average(config) {
    return new Average(this.#nn, config);
  }

  /** @param {any} [config] */
  maximum(config) {
    return new Maximum(this.#nn, config);
  }

  /** @param {any} [config] */
  minimum(config) {
    return new Minimum(this.#nn, config);
  }

  /** @param {any} [config] */
  concatenate(config) {
    return new Concatenate(this.#nn, config);
  }

  /** @param {any} config */
  dot(config) {
    return new Dot(this.#nn, config);
  }

  /** @param {any} config */
  simpleRNN(config) {
    return new SimpleRNN(this.#nn, config);
  }

  /** @param {any} config */
  lstm(config) {
    return new LSTM(this.#nn, config);
  }

  /** @param {any} config */
  gru(config) {
    return new GRU(this.#nn, config);
  }

  /** @param {any} config */
  bidirectional(config) {
    return new Bidirectional(this.#nn, config);
  }

  /** @param {any} config */
  timeDistributed(config) {
    return new TimeDistributed(this.#nn, config);
  }

  /** @param {any} [config] */
  attention(config) {
    return new Attention(this.#nn, config);
  }

  /** @param {any} config */
  multiHeadAttention(config) {
    return new MultiHeadAttention(this.#nn, config);
  }

  /**
   * Where data comes in.
   * @param {any} config `{ shape: [28, 28, 1] }`, without the batch, or `{ batchShape }`; and `name`.
   * @returns {SymbolicTensor}
   */
  input(config) {
    return new InputLayer(this.#nn, config).start();
  }

  /**
   * A model between inputs and outputs.
   * @param {any} options
   */
  model(options) {
    return new Model(this.#nn, options);
  }

  /**
   * A model of layers one after the other.
   * @param {any} [layers] A list, or `{ layers, name }`.
   */
  sequential(layers) {
    return new Sequential(this.#nn, layers);
  }

  /**
   * A model of what Keras 3's `model.to_json()`, or TensorFlow.js's `model.toJSON()`, wrote. Weights are as initializers
   * make them: `setWeights` follows. Throws FormatError for what is no such JSON, OptionError for layers and options that
   * there are not here.
   * @param {string | object} json
   * @returns {Model}
   */
  modelFromJSON(json) {
    return modelFromJSON(this.#nn, json);
  }

  /**
   * A function of tensors as a layer: without weights, and without a form as JSON.
   * @param {(x: any, options: import('./layer.js').CallOptions) => any} fn
   * @param {{ name?: string }} [config]
   */
  lambda(fn, config = {}) {
    return new Lambda(this.#nn, fn, config);
  }

  /**
   * An initializer by its name, for weights of layers of one's own.
   * @param {any} value A name, a class with its configuration, or a function from a shape to a tensor.
   */
  initializer(value) {
    return readInitializer(value, 'initializer', this.#nn);
  }

  /**
   * Let `modelFromJSON` know a layer of one's own.
   * @param {any} Class With a static `className`.
   */
  registerClass(Class) {
    if (typeof Class?.className !== 'string') {
      throw new TypeError('registerClass takes a class with a static className');
    }
    this.#nn.classes.set(Class.className, Class);
  }

  /** Callbacks for `fit`, ready-made. */
  get callbacks() {
    return callbacks;
  }

  /**
   * The class to derive layers of one's own from.
   * @returns {typeof import('./layer.js').OwnLayer}
   */
  get Layer() {
    const nn = this.#nn;
    return /** @type {any} */ (
      class extends Layer {
        /** @param {any} [config] */
        constructor(config) {
          super(nn, config);
        }

        /**
         * @override
         * @param {any} _
         * @param {any} config
         */
        static fromConfig(_, config) {
          return /** @type {any} */ (new this(config));
        }
      }
    );
  }
}
