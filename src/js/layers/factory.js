// What `layers(g)` gives: a method for each layer, by TensorFlow.js's names, and for models.
import { Attention, MultiHeadAttention } from './attention.js';
import { bindMethods } from '../base/bind.js';
import * as ready from './callbacks.js';
import { Activation, Dense, Flatten, Lambda } from './core.js';
import { Embedding } from './embedding.js';
import { readInitializer } from './initializers.js';
import { ReLU, LeakyReLU, PReLU, ELU, Softmax, Rescaling } from './activation-layers.js';
import {
  Conv1D,
  Conv2D,
  Conv2DTranspose,
  DepthwiseConv2D,
  SeparableConv2D,
} from './convolution.js';
import { Dropout, SpatialDropout1D, SpatialDropout2D, GaussianNoise } from './noise.js';
import { BatchNormalization, LayerNormalization } from './normalization.js';
import {
  MaxPooling1D,
  MaxPooling2D,
  AveragePooling1D,
  AveragePooling2D,
  GlobalMaxPooling1D,
  GlobalMaxPooling2D,
  GlobalAveragePooling1D,
  GlobalAveragePooling2D,
} from './pooling.js';
import {
  Reshape,
  Permute,
  RepeatVector,
  UpSampling2D,
  ZeroPadding2D,
  Cropping2D,
} from './reshaping.js';
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
  AveragePooling1D,
  AveragePooling2D,
  BatchNormalization,
  Bidirectional,
  Concatenate,
  Conv1D,
  Conv2D,
  Conv2DTranspose,
  Cropping2D,
  Dense,
  DepthwiseConv2D,
  Dot,
  Dropout,
  ELU,
  Embedding,
  Flatten,
  GRU,
  GaussianNoise,
  GlobalAveragePooling1D,
  GlobalAveragePooling2D,
  GlobalMaxPooling1D,
  GlobalMaxPooling2D,
  InputLayer,
  LSTM,
  LayerNormalization,
  LeakyReLU,
  MaxPooling1D,
  MaxPooling2D,
  Maximum,
  Minimum,
  MultiHeadAttention,
  Multiply,
  PReLU,
  Permute,
  ReLU,
  RepeatVector,
  Rescaling,
  Reshape,
  SeparableConv2D,
  SimpleRNN,
  Softmax,
  SpatialDropout1D,
  SpatialDropout2D,
  Subtract,
  TimeDistributed,
  UpSampling2D,
  ZeroPadding2D,
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
    bindMethods(this);
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

  /** @param {any} [config] */
  reLU(config) {
    return new ReLU(this.#nn, config);
  }

  /** @param {any} [config] */
  leakyReLU(config) {
    return new LeakyReLU(this.#nn, config);
  }

  /** @param {any} [config] */
  prelu(config) {
    return new PReLU(this.#nn, config);
  }

  /** @param {any} [config] */
  elu(config) {
    return new ELU(this.#nn, config);
  }

  /** @param {any} [config] */
  softmax(config) {
    return new Softmax(this.#nn, config);
  }

  /** @param {any} [config] */
  rescaling(config) {
    return new Rescaling(this.#nn, config);
  }

  /** @param {any} [config] */
  conv1d(config) {
    return new Conv1D(this.#nn, config);
  }

  /** @param {any} [config] */
  conv2d(config) {
    return new Conv2D(this.#nn, config);
  }

  /** @param {any} [config] */
  conv2dTranspose(config) {
    return new Conv2DTranspose(this.#nn, config);
  }

  /** @param {any} [config] */
  depthwiseConv2d(config) {
    return new DepthwiseConv2D(this.#nn, config);
  }

  /** @param {any} [config] */
  separableConv2d(config) {
    return new SeparableConv2D(this.#nn, config);
  }

  /** @param {any} [config] */
  maxPooling1d(config) {
    return new MaxPooling1D(this.#nn, config);
  }

  /** @param {any} [config] */
  maxPooling2d(config) {
    return new MaxPooling2D(this.#nn, config);
  }

  /** @param {any} [config] */
  averagePooling1d(config) {
    return new AveragePooling1D(this.#nn, config);
  }

  /** @param {any} [config] */
  averagePooling2d(config) {
    return new AveragePooling2D(this.#nn, config);
  }

  /** @param {any} [config] */
  globalMaxPooling1d(config) {
    return new GlobalMaxPooling1D(this.#nn, config);
  }

  /** @param {any} [config] */
  globalMaxPooling2d(config) {
    return new GlobalMaxPooling2D(this.#nn, config);
  }

  /** @param {any} [config] */
  globalAveragePooling1d(config) {
    return new GlobalAveragePooling1D(this.#nn, config);
  }

  /** @param {any} [config] */
  globalAveragePooling2d(config) {
    return new GlobalAveragePooling2D(this.#nn, config);
  }

  /** @param {any} [config] */
  reshape(config) {
    return new Reshape(this.#nn, config);
  }

  /** @param {any} [config] */
  permute(config) {
    return new Permute(this.#nn, config);
  }

  /** @param {any} [config] */
  repeatVector(config) {
    return new RepeatVector(this.#nn, config);
  }

  /** @param {any} [config] */
  upSampling2d(config) {
    return new UpSampling2D(this.#nn, config);
  }

  /** @param {any} [config] */
  zeroPadding2d(config) {
    return new ZeroPadding2D(this.#nn, config);
  }

  /** @param {any} [config] */
  cropping2d(config) {
    return new Cropping2D(this.#nn, config);
  }

  /** @param {any} [config] */
  dropout(config) {
    return new Dropout(this.#nn, config);
  }

  /** @param {any} [config] */
  spatialDropout1d(config) {
    return new SpatialDropout1D(this.#nn, config);
  }

  /** @param {any} [config] */
  spatialDropout2d(config) {
    return new SpatialDropout2D(this.#nn, config);
  }

  /** @param {any} [config] */
  gaussianNoise(config) {
    return new GaussianNoise(this.#nn, config);
  }

  /** @param {any} [config] */
  batchNormalization(config) {
    return new BatchNormalization(this.#nn, config);
  }

  /** @param {any} [config] */
  layerNormalization(config) {
    return new LayerNormalization(this.#nn, config);
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
