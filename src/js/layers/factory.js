// What `layers(g)` gives: a method for each layer, by TensorFlow.js's names, and for models.
import { Attention, MultiHeadAttention } from './kinds/attention.js';
import { bindMethods } from '../base/bind.js';
import * as ready from './fit/callbacks.js';
import { ActivationLayer, Dense, Flatten, Lambda, Masking } from './kinds/core.js';
import { Embedding } from './kinds/embedding.js';
import { readInitializer } from './config/initializers.js';
import { ReLU, LeakyReLU, PReLU, ELU, Softmax, Rescaling } from './kinds/activation-layers.js';
import {
  Conv1D,
  Conv1DTranspose,
  Conv2D,
  Conv2DTranspose,
  Conv3D,
  Conv3DTranspose,
  DepthwiseConv1D,
  DepthwiseConv2D,
  SeparableConv1D,
  SeparableConv2D,
} from './kinds/convolution.js';
import {
  AlphaDropout,
  Dropout,
  GaussianDropout,
  GaussianNoise,
  SpatialDropout1D,
  SpatialDropout2D,
  SpatialDropout3D,
} from './kinds/noise.js';
import {
  BatchNormalization,
  GroupNormalization,
  LayerNormalization,
  RMSNormalization,
  UnitNormalization,
} from './kinds/normalization.js';
import {
  MaxPooling1D,
  MaxPooling2D,
  MaxPooling3D,
  AveragePooling1D,
  AveragePooling2D,
  AveragePooling3D,
  GlobalMaxPooling1D,
  GlobalMaxPooling2D,
  GlobalMaxPooling3D,
  GlobalAveragePooling1D,
  GlobalAveragePooling2D,
  GlobalAveragePooling3D,
} from './kinds/pooling.js';
import {
  Reshape,
  Permute,
  RepeatVector,
  UpSampling1D,
  UpSampling2D,
  UpSampling3D,
  ZeroPadding1D,
  ZeroPadding2D,
  ZeroPadding3D,
  Cropping1D,
  Cropping2D,
  Cropping3D,
} from './kinds/reshaping.js';
import { Layer } from './layer/layer.js';
import { modelFromJSON } from './model/json.js';
import {
  Add,
  Average,
  Concatenate,
  Dot,
  Maximum,
  Minimum,
  Multiply,
  Subtract,
} from './kinds/merge.js';
import { InputLayer, Model } from './model/model.js';
import { LiftPressure } from './pressure/pressure.js';
import { GRU, LSTM, SimpleRNN } from './kinds/recurrent.js';
import { Sequential } from './model/sequential.js';
import { Toolkit } from './layer/toolkit.js';
import { Bidirectional, TimeDistributed } from './kinds/wrappers.js';

const KIT = Symbol.for('gradlock.kit');

/** @typedef {import('../gradlock.js').Gradlock} Gradlock */
/** @typedef {import('./layer/symbolic.js').SymbolicTensor} SymbolicTensor */

/** Layers, by the names of their methods: those of TensorFlow.js. */
const LAYERS = {
  activation: ActivationLayer,
  add: Add,
  alphaDropout: AlphaDropout,
  attention: Attention,
  average: Average,
  averagePooling1d: AveragePooling1D,
  averagePooling2d: AveragePooling2D,
  averagePooling3d: AveragePooling3D,
  avgPool1d: AveragePooling1D,
  avgPool2d: AveragePooling2D,
  avgPool3d: AveragePooling3D,
  avgPooling1d: AveragePooling1D,
  avgPooling2d: AveragePooling2D,
  avgPooling3d: AveragePooling3D,
  batchNormalization: BatchNormalization,
  bidirectional: Bidirectional,
  concatenate: Concatenate,
  conv1d: Conv1D,
  conv1dTranspose: Conv1DTranspose,
  conv2d: Conv2D,
  conv2dTranspose: Conv2DTranspose,
  conv3d: Conv3D,
  conv3dTranspose: Conv3DTranspose,
  cropping1d: Cropping1D,
  cropping2D: Cropping2D,
  cropping2d: Cropping2D,
  cropping3d: Cropping3D,
  dense: Dense,
  depthwiseConv1d: DepthwiseConv1D,
  depthwiseConv2d: DepthwiseConv2D,
  dot: Dot,
  dropout: Dropout,
  elu: ELU,
  embedding: Embedding,
  flatten: Flatten,
  gaussianDropout: GaussianDropout,
  gaussianNoise: GaussianNoise,
  globalAveragePooling1d: GlobalAveragePooling1D,
  globalAveragePooling2d: GlobalAveragePooling2D,
  globalAveragePooling3d: GlobalAveragePooling3D,
  globalMaxPool1d: GlobalMaxPooling1D,
  globalMaxPool2d: GlobalMaxPooling2D,
  globalMaxPool3d: GlobalMaxPooling3D,
  globalMaxPooling1d: GlobalMaxPooling1D,
  globalMaxPooling2d: GlobalMaxPooling2D,
  globalMaxPooling3d: GlobalMaxPooling3D,
  groupNormalization: GroupNormalization,
  gru: GRU,
  layerNormalization: LayerNormalization,
  leakyReLU: LeakyReLU,
  lstm: LSTM,
  masking: Masking,
  maximum: Maximum,
  maxPool1d: MaxPooling1D,
  maxPool2d: MaxPooling2D,
  maxPool3d: MaxPooling3D,
  maxPooling1d: MaxPooling1D,
  maxPooling2d: MaxPooling2D,
  maxPooling3d: MaxPooling3D,
  minimum: Minimum,
  multiHeadAttention: MultiHeadAttention,
  multiply: Multiply,
  permute: Permute,
  prelu: PReLU,
  reLU: ReLU,
  repeatVector: RepeatVector,
  rescaling: Rescaling,
  reshape: Reshape,
  rmsNormalization: RMSNormalization,
  separableConv1d: SeparableConv1D,
  separableConv2d: SeparableConv2D,
  simpleRNN: SimpleRNN,
  softmax: Softmax,
  spatialDropout1d: SpatialDropout1D,
  spatialDropout2d: SpatialDropout2D,
  spatialDropout3d: SpatialDropout3D,
  subtract: Subtract,
  timeDistributed: TimeDistributed,
  unitNormalization: UnitNormalization,
  upSampling1d: UpSampling1D,
  upSampling2d: UpSampling2D,
  upSampling3d: UpSampling3D,
  zeroPadding1d: ZeroPadding1D,
  zeroPadding2d: ZeroPadding2D,
  zeroPadding3d: ZeroPadding3D,
};

/**
 * @typedef {{ [name in keyof typeof LAYERS]: (config?: any) => InstanceType<(typeof LAYERS)[name]>
 *   }} Makers A method for
 *   each layer: options in TensorFlow.js's or Keras's spelling.
 */
/** @typedef {Factory & Makers} Layers */

/**
 * The other name of a class that Keras exports, such as MaxPool2D; its own if it has none.
 * @param {string} name
 */
const aliasOf = (name) =>
  /Pooling|Conv/.test(name)
    ? name
        .replace('AveragePooling', 'AvgPool')
        .replace('Pooling', 'Pool')
        .replace('Conv', 'Convolution')
    : name;

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
  /** @param {object} options */
  liftPressure: (options) => new LiftPressure(options),
};

/** Makes layers and models. Methods may be taken off. */
export class Factory {
  #nn;

  /**
   * @internal
   * @param {Gradlock} g
   * @param {object} options
   */
  constructor(g, options) {
    this.#nn = new Toolkit(g, options);
    for (const Class of [...Object.values(LAYERS), InputLayer, Model, Sequential]) {
      for (const name of [Class.className, aliasOf(Class.className)]) {
        this.#nn.classes.set(name, /** @type {any} */ (Class));
      }
    }
    for (const [name, Class] of Object.entries(LAYERS)) {
      /** @type {any} */ (this)[name] = (/** @type {any} */ config) =>
        this.#nn.attempt(() => new /** @type {any} */ (Class)(this.#nn, config));
    }
    bindMethods(this);
  }

  /** For formats, which build models whole or not at all. @internal */
  get [KIT]() {
    return this.#nn;
  }

  /**
   * Where data comes in.
   * @param {any} config `{ shape: [28, 28, 1] }`, without the batch, or `{ batchShape }`; and
   *   `name`.
   * @returns {SymbolicTensor}
   */
  input(config) {
    return this.#nn.attempt(() => new InputLayer(this.#nn, config).start());
  }

  /**
   * A model between inputs and outputs.
   * @param {any} options
   */
  model(options) {
    return this.#nn.attempt(() => new Model(this.#nn, options));
  }

  /**
   * A model of layers one after the other.
   * @param {any} [layers] A list, or `{ layers, name }`.
   */
  sequential(layers) {
    return this.#nn.attempt(() => new Sequential(this.#nn, layers));
  }

  /**
   * A model of what Keras 3's `model.to_json()`, or TensorFlow.js's `model.toJSON()`, wrote.
   * Weights are as initializers make them: `setWeights` follows. Throws FormatError for what is no
   * such JSON, OptionError for layers and options that there are not here.
   * @param {string | object} json
   * @param {{ initialize?: boolean, maxBytes?: number, maxLayers?: number }} [options]
   *   `initialize`: false leaves weights at 0, for values that follow. `maxBytes`: most that all
   *   weights may have; default 1 GB. `maxLayers`: most layers, each as often as it is applied;
   *   default 5,000.
   * @returns {Model}
   */
  modelFromJSON(json, options) {
    return modelFromJSON(this.#nn, json, options);
  }

  /**
   * A function of tensors as a layer: without weights, and without a form as JSON.
   * @param {(x: any, options: import('./layer/layer.js').CallOptions) => any} fn
   * @param {{ name?: string, outputShape?: any }} [config]
   */
  lambda(fn, config = {}) {
    return this.#nn.attempt(() => new Lambda(this.#nn, fn, config));
  }

  /**
   * An initializer by its name, for weights of layers of one's own.
   * @param {any} value A name, a class with its configuration, or a function from a shape to a
   *   tensor.
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
   * @returns {typeof import('./layer/layer.js').OwnLayer}
   */
  get Layer() {
    const nn = this.#nn;
    return /** @type {any} */ (
      class extends Layer {
        /** @param {any} [config] */
        constructor(config) {
          super(nn, config);
        }

        /** @override */
        static takesLists = true;

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
