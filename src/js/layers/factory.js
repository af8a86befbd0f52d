// What `layers(g)` gives: a method for each layer, by TensorFlow.js's names, and for models.
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
import { Activation, Dense, Flatten } from './core.js';
import { Layer } from './layer.js';
import { modelFromJSON } from './json.js';
import { InputLayer, Model } from './model.js';
import { Sequential } from './sequential.js';
import { Toolkit } from './toolkit.js';

/** @typedef {import('../gradlock.js').Gradlock} Gradlock */
/** @typedef {import('./symbolic.js').SymbolicTensor} SymbolicTensor */

const CLASSES = [
  Activation,
  Dense,
  Flatten,
  InputLayer,
  ReLU,
  LeakyReLU,
  PReLU,
  ELU,
  Softmax,
  Rescaling,
  Conv1D,
  Conv2D,
  Conv2DTranspose,
  DepthwiseConv2D,
  SeparableConv2D,
  MaxPooling1D,
  MaxPooling2D,
  AveragePooling1D,
  AveragePooling2D,
  GlobalMaxPooling1D,
  GlobalMaxPooling2D,
  GlobalAveragePooling1D,
  GlobalAveragePooling2D,
  Reshape,
  Permute,
  RepeatVector,
  UpSampling2D,
  ZeroPadding2D,
  Cropping2D,
  Dropout,
  SpatialDropout1D,
  SpatialDropout2D,
  GaussianNoise,
  BatchNormalization,
  LayerNormalization,
];

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
   * Let `modelFromJSON` know a layer of one's own.
   * @param {any} Class With a static `className`.
   */
  registerClass(Class) {
    if (typeof Class?.className !== 'string') {
      throw new TypeError('registerClass takes a class with a static className');
    }
    this.#nn.classes.set(Class.className, Class);
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
