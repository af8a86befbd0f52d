// What `layers(g)` gives: a method for each layer, and for models. Each has an example, which is run
// by the tests and shown by editors and the reference.
import type {
  ActivationConfig,
  AttentionConfig,
  BatchNormalizationConfig,
  BidirectionalConfig,
  ConcatenateConfig,
  Conv1DConfig,
  Conv1DTransposeConfig,
  Conv2DConfig,
  Conv2DTransposeConfig,
  Conv3DConfig,
  Conv3DTransposeConfig,
  Cropping1DConfig,
  Cropping2DConfig,
  Cropping3DConfig,
  DenseConfig,
  DepthwiseConv1DConfig,
  DepthwiseConv2DConfig,
  DotConfig,
  DropoutConfig,
  ELUConfig,
  EmbeddingConfig,
  GRUConfig,
  GaussianDropoutConfig,
  GaussianNoiseConfig,
  GlobalPoolingConfig,
  GroupNormalizationConfig,
  InputConfig,
  LSTMConfig,
  LayerConfig,
  LayerInitializer,
  LayerNormalizationConfig,
  LeakyReLUConfig,
  MaskingConfig,
  MultiHeadAttentionConfig,
  OpenShape,
  PReLUConfig,
  PermuteConfig,
  Pooling1DConfig,
  Pooling2DConfig,
  Pooling3DConfig,
  RMSNormalizationConfig,
  ReLUConfig,
  RecurrentConfig,
  RepeatVectorConfig,
  RescalingConfig,
  ReshapeConfig,
  SeparableConv1DConfig,
  SeparableConv2DConfig,
  SoftmaxConfig,
  SpatialDropoutConfig,
  TimeDistributedConfig,
  UnitNormalizationConfig,
  UpSampling1DConfig,
  UpSampling2DConfig,
  UpSampling3DConfig,
  ZeroPadding1DConfig,
  ZeroPadding2DConfig,
  ZeroPadding3DConfig,
} from './api-configs.js';
import type {
  BatchNormalizationLayer,
  BidirectionalLayer,
  CallOptions,
  EmbeddingLayer,
  KernelLayer,
  Layer,
  LayerConstructor,
  Model,
  NormalizationLayer,
  PReLULayer,
  ReadyCallbacks,
  RMSNormalizationLayer,
  RecurrentLayer,
  SeparableLayer,
  Sequential,
  SymbolicTensor,
  WeightInitializer,
} from './api-models.js';

/** What `sequential` takes. */
export interface SequentialOptions {
  /** From the first to the last. */
  layers?: readonly Layer[];
  /** Default: made of the class, such as `dense_1`. */
  name?: string;
  /** As a layer's. Default: true. */
  trainable?: boolean;
}

/** What `model` takes. */
export interface ModelOptions {
  /** What `input` gave: one, a list, or by names. */
  inputs: SymbolicTensor | readonly SymbolicTensor[] | Record<string, SymbolicTensor>;
  /** What layers' `apply` gave. */
  outputs: SymbolicTensor | readonly SymbolicTensor[] | Record<string, SymbolicTensor>;
  /** Default: made of the class, such as `dense_1`. */
  name?: string;
  /** As a layer's. Default: true. */
  trainable?: boolean;
}

/**
 * Makes layers and models: what `layers(g)` gives. Methods may be taken off. Layers are applied to
 * what `input` gave, or to values. Options, their defaults, values and names of weights are Keras
 * 3's, under TensorFlow.js's names.
 */
export interface Layers {
  /**
   * A model of layers one after the other. Its weights are made as soon as the input's shape is
   * known: from the first layer's inputShape, or from data.
   * @param layers A list, or `{ layers, name, trainable }`.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3] }), nn.reLU()]);
   * net.predict([[1, 2, 3]]).shape; // [1, 2]
   * net.weights.map((weight) => weight.name); // ['dense/kernel', 'dense/bias']
   */
  sequential(layers?: readonly Layer[] | SequentialOptions): Sequential;

  /**
   * Where data comes in, for `model`.
   * @param config `shape` without the batch, or `batchShape`.
   * @example
   * nn.input({ shape: [28, 28, 1] }).shape; // [null, 28, 28, 1]
   */
  input(config: InputConfig): SymbolicTensor;

  /**
   * A model of what lies between inputs and outputs.
   * @example
   * const x = nn.input({ shape: [3] });
   * const net = nn.model({ inputs: x, outputs: nn.dense({ units: 2 }).apply(x) });
   * net.countParams(); // 8
   */
  model(options: ModelOptions): Model;

  /**
   * A model, with weights as initializers make them, of what Keras 3's `to_json()` or
   * TensorFlow.js's `toJSON()` wrote. Throws FormatError for what is no such JSON, OptionError for
   * layers and options that there are not here.
   * @param options `initialize: false` leaves weights at 0, for values that follow. `maxBytes` is
   *   the most that all weights may have, 1 GB by default; `maxLayers` the most layers, each as
   *   often as it is applied, 5,000 by default.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3] })]);
   * nn.modelFromJSON(JSON.stringify(net)).countParams(); // 8
   */
  modelFromJSON(
    json: string | object,
    options?: { initialize?: boolean; maxBytes?: number; maxLayers?: number },
  ): Model;

  /**
   * A function of tensors as a layer: without weights, and without a form as JSON.
   * @param config `name`; and `outputShape`: the shape of what it gives without the batch, or a
   *   function of the input's shape with it. Default: found by recording the function.
   * @example
   * nn.lambda((x) => g.mul(x, 2)).apply([[1, 2]]).array(); // [[2, 4]]
   */
  lambda(
    fn: (x: any, options: CallOptions) => any,
    config?: { name?: string; outputShape?: OpenShape | ((inputShape: any) => OpenShape) | null },
  ): Layer;

  /**
   * What weights of a layer of one's own begin with, by name.
   * @example
   * nn.initializer('ones').make([2]).array(); // [1, 1]
   */
  initializer(value: LayerInitializer): WeightInitializer;

  /**
   * Let `modelFromJSON` know a layer of one's own.
   * @param Class Derived from `nn.Layer`, with a static className.
   * @example
   * class Twice extends nn.Layer { static className = 'Twice'; call(x) { return g.mul(x, 2); } };
   * nn.registerClass(Twice);
   * new Twice().apply([[1, 2]]).array(); // [[2, 4]]
   */
  registerClass(Class: LayerConstructor): void;

  /** Callbacks for `fit`, ready-made. */
  readonly callbacks: ReadyCallbacks;

  /** The class to derive layers of one's own from. */
  readonly Layer: LayerConstructor;

  /**
   * activation(x · kernel + bias) along the last axis: [batch, …, inputs] → [batch, …, units].
   * Weights: kernel [inputs, units], bias [units].
   * @example
   * const layer = nn.dense({ units: 2, kernelInitializer: 'ones' });
   * layer.apply([[1, 2, 3]]).array(); // [[6, 6]]
   * layer.kernel.shape; // [3, 2]
   */
  dense(config: DenseConfig): KernelLayer;

  /**
   * An activation as a layer. The output has the shape of the input.
   * @example
   * nn.activation({ activation: 'relu' }).apply([[-1, 2]]).array(); // [[0, 2]]
   */
  activation(config: ActivationConfig): Layer;

  /**
   * All axes but the first in one: [batch, a, b] → [batch, a · b].
   * @example
   * nn.flatten().apply(g.broadcastTo(0, [2, 3, 4])).shape; // [2, 12]
   */
  flatten(config?: LayerConfig & { dataFormat?: 'channelsLast' }): Layer;

  /**
   * The same numbers in another shape, without the batch; -1 is what is left.
   * @example
   * nn.reshape({ targetShape: [2, -1] }).apply([[1, 2, 3, 4]]).array(); // [[[1, 2], [3, 4]]]
   */
  reshape(config: ReshapeConfig): Layer;

  /**
   * Axes in another order, from 1 up: [batch, a, b] → [batch, b, a].
   * @example
   * nn.permute({ dims: [2, 1] }).apply([[[1, 2], [3, 4]]]).array(); // [[[1, 3], [2, 4]]]
   */
  permute(config: PermuteConfig): Layer;

  /**
   * [batch, size] n times: [batch, n, size].
   * @example
   * nn.repeatVector({ n: 2 }).apply([[1, 2]]).array(); // [[[1, 2], [1, 2]]]
   */
  repeatVector(config: RepeatVectorConfig): Layer;

  /**
   * A convolution over steps: [batch, steps, channels] → [batch, steps, filters].
   * Weights: kernel [size, channels / groups, filters], bias [filters].
   * @example
   * const layer = nn.conv1d({ filters: 4, kernelSize: 3, padding: 'causal' });
   * layer.apply(g.broadcastTo(0, [2, 5, 3])).shape; // [2, 5, 4]
   */
  conv1d(config: Conv1DConfig): KernelLayer;

  /**
   * A convolution over images: [batch, height, width, channels] → [batch, height, width, filters].
   * Weights: kernel [height, width, channels / groups, filters], bias [filters].
   * @example
   * const layer = nn.conv2d({ filters: 8, kernelSize: 3, strides: 2 });
   * layer.apply(g.broadcastTo(0, [1, 9, 9, 3])).shape; // [1, 4, 4, 8]
   * layer.kernel.shape; // [3, 3, 3, 8]
   */
  conv2d(config: Conv2DConfig): KernelLayer;

  /**
   * The gradient of a convolution, which makes images larger.
   * Weights: kernel [height, width, filters, channels], bias [filters].
   * @example
   * const layer = nn.conv2dTranspose({ filters: 2, kernelSize: 2, strides: 2 });
   * layer.apply(g.broadcastTo(0, [1, 4, 4, 3])).shape; // [1, 8, 8, 2]
   */
  conv2dTranspose(config: Conv2DTransposeConfig): KernelLayer;

  /**
   * The gradient of a convolution over steps, which makes them more.
   * Weights: kernel [size, filters, channels], bias [filters].
   * @example
   * const layer = nn.conv1dTranspose({ filters: 2, kernelSize: 2, strides: 2 });
   * layer.apply(g.broadcastTo(0, [1, 4, 3])).shape; // [1, 8, 2]
   */
  conv1dTranspose(config: Conv1DTransposeConfig): KernelLayer;

  /**
   * A convolution over volumes: [batch, depth, height, width, channels] → [batch, depth, height,
   * width, filters].
   * Weights: kernel [depth, height, width, channels / groups, filters], bias [filters].
   * @example
   * const layer = nn.conv3d({ filters: 2, kernelSize: 3 });
   * layer.apply(g.broadcastTo(0, [1, 4, 5, 6, 1])).shape; // [1, 2, 3, 4, 2]
   */
  conv3d(config: Conv3DConfig): KernelLayer;

  /**
   * The gradient of a convolution over volumes, which makes them larger.
   * Weights: kernel [depth, height, width, filters, channels], bias [filters].
   * @example
   * const layer = nn.conv3dTranspose({ filters: 2, kernelSize: 2, strides: 2 });
   * layer.apply(g.broadcastTo(0, [1, 2, 2, 2, 3])).shape; // [1, 4, 4, 4, 2]
   */
  conv3dTranspose(config: Conv3DTransposeConfig): KernelLayer;

  /**
   * A convolution of each channel by itself.
   * Weights: kernel [height, width, channels, depthMultiplier], bias.
   * @example
   * const layer = nn.depthwiseConv2d({ kernelSize: 3, depthMultiplier: 2 });
   * layer.apply(g.broadcastTo(0, [1, 5, 5, 3])).shape; // [1, 3, 3, 6]
   */
  depthwiseConv2d(config: DepthwiseConv2DConfig): KernelLayer;

  /**
   * A convolution over the steps of each channel by itself.
   * Weights: kernel [size, channels, depthMultiplier], bias.
   * @example
   * const layer = nn.depthwiseConv1d({ kernelSize: 3, depthMultiplier: 2 });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 3, 6]
   */
  depthwiseConv1d(config: DepthwiseConv1DConfig): KernelLayer;

  /**
   * A depthwise convolution, then one of size 1 across channels.
   * Weights: depthwise_kernel (`kernel`), pointwise_kernel (`pointwise`), bias.
   * @example
   * const layer = nn.separableConv2d({ filters: 4, kernelSize: 3 });
   * layer.apply(g.broadcastTo(0, [1, 5, 5, 3])).shape; // [1, 3, 3, 4]
   */
  separableConv2d(config: SeparableConv2DConfig): SeparableLayer;

  /**
   * A depthwise convolution over steps, then one of size 1 across channels.
   * Weights: depthwise_kernel (`kernel`), pointwise_kernel (`pointwise`), bias.
   * @example
   * const layer = nn.separableConv1d({ filters: 4, kernelSize: 3 });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 3, 4]
   */
  separableConv1d(config: SeparableConv1DConfig): SeparableLayer;

  /**
   * The largest of each window of [batch, steps, channels].
   * @example
   * nn.maxPooling1d().apply([[[1], [3], [2], [4]]]).array(); // [[[3], [4]]]
   */
  maxPooling1d(config?: Pooling1DConfig): Layer;

  /** `maxPooling1d`, by another of its names. */
  maxPool1d(config?: Pooling1DConfig): Layer;

  /**
   * The mean of each window of [batch, steps, channels].
   * @example
   * nn.averagePooling1d().apply([[[1], [3], [2], [4]]]).array(); // [[[2], [3]]]
   */
  averagePooling1d(config?: Pooling1DConfig): Layer;

  /** `averagePooling1d`, by another of its names. */
  avgPool1d(config?: Pooling1DConfig): Layer;

  /** `averagePooling1d`, by another of its names. */
  avgPooling1d(config?: Pooling1DConfig): Layer;

  /**
   * The largest of each channel: [batch, steps, channels] → [batch, channels].
   * @example
   * nn.globalMaxPooling1d().apply([[[1], [3], [2], [4]]]).array(); // [[4]]
   */
  globalMaxPooling1d(config?: GlobalPoolingConfig): Layer;

  /** `globalMaxPooling1d`, by another of its names. */
  globalMaxPool1d(config?: GlobalPoolingConfig): Layer;

  /**
   * The mean of each channel: [batch, steps, channels] → [batch, channels].
   * @example
   * nn.globalAveragePooling1d().apply([[[1], [3], [2], [4]]]).array(); // [[2.5]]
   */
  globalAveragePooling1d(config?: GlobalPoolingConfig): Layer;

  /**
   * The largest of each window of [batch, height, width, channels].
   * @example
   * nn.maxPooling2d().apply([[[[1], [3]], [[2], [4]]]]).array(); // [[[[4]]]]
   */
  maxPooling2d(config?: Pooling2DConfig): Layer;

  /** `maxPooling2d`, by another of its names. */
  maxPool2d(config?: Pooling2DConfig): Layer;

  /**
   * The mean of each window of [batch, height, width, channels].
   * @example
   * nn.averagePooling2d().apply([[[[1], [3]], [[2], [4]]]]).array(); // [[[[2.5]]]]
   */
  averagePooling2d(config?: Pooling2DConfig): Layer;

  /** `averagePooling2d`, by another of its names. */
  avgPool2d(config?: Pooling2DConfig): Layer;

  /** `averagePooling2d`, by another of its names. */
  avgPooling2d(config?: Pooling2DConfig): Layer;

  /**
   * The largest of each channel: [batch, height, width, channels] → [batch, channels].
   * @example
   * nn.globalMaxPooling2d().apply([[[[1], [3]], [[2], [4]]]]).array(); // [[4]]
   */
  globalMaxPooling2d(config?: GlobalPoolingConfig): Layer;

  /** `globalMaxPooling2d`, by another of its names. */
  globalMaxPool2d(config?: GlobalPoolingConfig): Layer;

  /**
   * The mean of each channel: [batch, height, width, channels] → [batch, channels].
   * @example
   * nn.globalAveragePooling2d().apply([[[[1], [3]], [[2], [4]]]]).array(); // [[2.5]]
   */
  globalAveragePooling2d(config?: GlobalPoolingConfig): Layer;

  /**
   * The largest of each window of [batch, depth, height, width, channels].
   * @example
   * nn.maxPooling3d().apply(g.broadcastTo(3, [1, 2, 2, 2, 1])).array(); // [[[[[3]]]]]
   */
  maxPooling3d(config?: Pooling3DConfig): Layer;

  /** `maxPooling3d`, by another of its names. */
  maxPool3d(config?: Pooling3DConfig): Layer;

  /**
   * The mean of each window of [batch, depth, height, width, channels].
   * @example
   * nn.averagePooling3d().apply([[[[[1], [2]], [[3], [4]]], [[[5], [6]], [[7], [8]]]]]).array(); // [[[[[4.5]]]]]
   */
  averagePooling3d(config?: Pooling3DConfig): Layer;

  /** `averagePooling3d`, by another of its names. */
  avgPool3d(config?: Pooling3DConfig): Layer;

  /** `averagePooling3d`, by another of its names. */
  avgPooling3d(config?: Pooling3DConfig): Layer;

  /**
   * The largest of each channel: [batch, depth, height, width, channels] → [batch, channels].
   * @example
   * nn.globalMaxPooling3d().apply([[[[[1], [3]]], [[[2], [4]]]]]).array(); // [[4]]
   */
  globalMaxPooling3d(config?: GlobalPoolingConfig): Layer;

  /** `globalMaxPooling3d`, by another of its names. */
  globalMaxPool3d(config?: GlobalPoolingConfig): Layer;

  /**
   * The mean of each channel: [batch, depth, height, width, channels] → [batch, channels].
   * @example
   * nn.globalAveragePooling3d().apply([[[[[1], [3]]], [[[2], [4]]]]]).array(); // [[2.5]]
   */
  globalAveragePooling3d(config?: GlobalPoolingConfig): Layer;

  /**
   * Images made larger: each element size times along both axes, or what lies between them.
   * @example
   * nn.upSampling2d({ size: [1, 2] }).apply([[[[1], [2]]]]).array(); // [[[[1], [1], [2], [2]]]]
   */
  upSampling2d(config?: UpSampling2DConfig): Layer;

  /**
   * Each step several times.
   * @example
   * nn.upSampling1d().apply([[[1], [2]]]).array(); // [[[1], [1], [2], [2]]]
   */
  upSampling1d(config?: UpSampling1DConfig): Layer;

  /**
   * Volumes made larger: each element size times along all three axes.
   * @example
   * nn.upSampling3d({ size: [1, 1, 2] }).apply([[[[[1], [2]]]]]).array(); // [[[[[1], [1], [2], [2]]]]]
   */
  upSampling3d(config?: UpSampling3DConfig): Layer;

  /**
   * Zeros around images.
   * @example
   * nn.zeroPadding2d({ padding: [0, 1] }).apply([[[[7]]]]).array(); // [[[[0], [7], [0]]]]
   */
  zeroPadding2d(config?: ZeroPadding2DConfig): Layer;

  /**
   * Zeros before and behind steps.
   * @example
   * nn.zeroPadding1d({ padding: [0, 1] }).apply([[[7]]]).array(); // [[[7], [0]]]
   */
  zeroPadding1d(config?: ZeroPadding1DConfig): Layer;

  /**
   * Zeros around volumes.
   * @example
   * nn.zeroPadding3d({ padding: [0, 0, 1] }).apply([[[[[7]]]]]).array(); // [[[[[0], [7], [0]]]]]
   */
  zeroPadding3d(config?: ZeroPadding3DConfig): Layer;

  /**
   * Images without what lies at their sides.
   * @example
   * nn.cropping2d({ cropping: [0, 1] }).apply([[[[1], [2], [3]]]]).array(); // [[[[2]]]]
   */
  cropping2d(config?: Cropping2DConfig): Layer;

  /** `cropping2d`, by another of its names. */
  cropping2D(config?: Cropping2DConfig): Layer;

  /**
   * Steps without the first and the last.
   * @example
   * nn.cropping1d({ cropping: [1, 0] }).apply([[[1], [2], [3]]]).array(); // [[[2], [3]]]
   */
  cropping1d(config?: Cropping1DConfig): Layer;

  /**
   * Volumes without what lies at their sides.
   * @example
   * nn.cropping3d({ cropping: [0, 0, 1] }).apply([[[[[1], [2], [3]]]]]).array(); // [[[[[2]]]]]
   */
  cropping3d(config?: Cropping3DConfig): Layer;

  /**
   * max(x, 0), with a slope, a threshold and an upper end where they are given.
   * @example
   * nn.reLU({ maxValue: 6 }).apply([[-1, 2, 9]]).array(); // [[0, 2, 6]]
   */
  reLU(config?: ReLUConfig): Layer;

  /**
   * x where it is above 0, negativeSlope · x elsewhere.
   * @example
   * nn.leakyReLU({ negativeSlope: 0.5 }).apply([[-2, 2]]).array(); // [[-1, 2]]
   */
  leakyReLU(config?: LeakyReLUConfig): Layer;

  /**
   * x where it is above 0, alpha · x elsewhere, with an alpha that is trained.
   * Weights: alpha, of the input's shape without the batch.
   * @example
   * nn.prelu({ alphaInitializer: 'ones' }).apply([[-2, 2]]).array(); // [[-2, 2]]
   */
  prelu(config?: PReLUConfig): PReLULayer;

  /**
   * x where it is above 0, alpha · (exp(x) − 1) elsewhere.
   * @example
   * nn.elu().apply([[0, 2]]).array(); // [[0, 2]]
   */
  elu(config?: ELUConfig): Layer;

  /**
   * exp(x), divided by its sum along an axis.
   * @example
   * nn.softmax().apply([[1, 1]]).array(); // [[0.5, 0.5]]
   */
  softmax(config?: SoftmaxConfig): Layer;

  /**
   * x · scale + offset.
   * @example
   * nn.rescaling({ scale: 0.5, offset: 1 }).apply([[2, 4]]).array(); // [[2, 3]]
   */
  rescaling(config: RescalingConfig): Layer;

  /**
   * Leaves out a part of its input in training, drawn anew for each batch, and scales the rest.
   * @example
   * nn.dropout({ rate: 0.5 }).apply([[1, 2]]).array(); // [[1, 2]]
   */
  dropout(config: DropoutConfig): Layer;

  /**
   * Leaves out whole channels in training.
   * @example
   * nn.spatialDropout1d({ rate: 0.5 }).apply([[[1, 2]]]).array(); // [[[1, 2]]]
   */
  spatialDropout1d(config: SpatialDropoutConfig): Layer;

  /**
   * Leaves out whole channels in training.
   * @example
   * nn.spatialDropout2d({ rate: 0.5 }).apply([[[[1, 2]]]]).array(); // [[[[1, 2]]]]
   */
  spatialDropout2d(config: SpatialDropoutConfig): Layer;

  /**
   * Leaves out whole channels in training.
   * @example
   * nn.spatialDropout3d({ rate: 0.5 }).apply([[[[[1, 2]]]]]).array(); // [[[[[1, 2]]]]]
   */
  spatialDropout3d(config: SpatialDropoutConfig): Layer;

  /**
   * Multiplies by normal noise of mean 1 in training.
   * @example
   * nn.gaussianDropout({ rate: 0.5 }).apply([[1, 2]]).array(); // [[1, 2]]
   */
  gaussianDropout(config: GaussianDropoutConfig): Layer;

  /**
   * Dropout for networks of selu: in training a part becomes what selu tends to, and mean and
   * variance stay.
   * @example
   * nn.alphaDropout({ rate: 0.5 }).apply([[1, 2]]).array(); // [[1, 2]]
   */
  alphaDropout(config: DropoutConfig): Layer;

  /**
   * Adds normal noise in training.
   * @example
   * nn.gaussianNoise({ stddev: 0.1 }).apply([[1, 2]]).array(); // [[1, 2]]
   */
  gaussianNoise(config: GaussianNoiseConfig): Layer;

  /**
   * (x − mean) / √(variance + epsilon) · gamma + beta for each channel: the batch's in training, the
   * moving ones otherwise. Frozen, it is in inference mode and nothing of it moves (docs/laws.md, law
   * 19). Weights: gamma, beta, moving_mean, moving_variance, each [channels].
   * @example
   * const layer = nn.batchNormalization({ epsilon: 0, momentum: 0.5 });
   * layer.apply([[1], [3]], { training: true }).array(); // [[-1], [1]]
   * layer.movingMean.array(); // [1]
   */
  batchNormalization(config?: BatchNormalizationConfig): BatchNormalizationLayer;

  /**
   * (x − mean) / √(variance + epsilon) · gamma + beta for each sample. Weights: gamma, beta, of the
   * sizes of its axes.
   * @example
   * nn.layerNormalization({ epsilon: 0 }).apply([[1, 3]]).array(); // [[-1, 1]]
   */
  layerNormalization(config?: LayerNormalizationConfig): NormalizationLayer;

  /**
   * Each sample at mean 0 and variance 1 within each group of its channels.
   * Weights: gamma, beta [channels].
   * @example
   * nn.groupNormalization({ groups: 1, epsilon: 0 }).apply([[1, 3]]).array(); // [[-1, 1]]
   */
  groupNormalization(config?: GroupNormalizationConfig): NormalizationLayer;

  /**
   * x / √(mean(x²) + epsilon) · scale, along an axis or several. Weights: scale.
   * @example
   * nn.rmsNormalization({ epsilon: 0 }).apply([[3, -3]]).array(); // [[1, -1]]
   */
  rmsNormalization(config?: RMSNormalizationConfig): RMSNormalizationLayer;

  /**
   * x / ‖x‖, along an axis or several.
   * @example
   * nn.unitNormalization().apply([[0, 4]]).array(); // [[0, 1]]
   */
  unitNormalization(config?: UnitNormalizationConfig): Layer;

  /**
   * Lets the layers behind leave out the steps of which all numbers are maskValue.
   * @example
   * nn.masking({ maskValue: 9 }).apply([[[1, 2], [9, 9]]]).array(); // [[[1, 2], [0, 0]]]
   */
  masking(config?: MaskingConfig): Layer;

  /**
   * A row of numbers for each whole number: [batch, …] → [batch, …, outputDim].
   * Weights: embeddings [inputDim, outputDim].
   * @example
   * const layer = nn.embedding({ inputDim: 10, outputDim: 3 });
   * layer.apply([[1, 2], [0, 9]]).shape; // [2, 2, 3]
   */
  embedding(config: EmbeddingConfig): EmbeddingLayer;

  /**
   * The sum of a list of inputs.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.add().apply([a, b]).array(); // [[4, 6]]
   */
  add(config?: LayerConfig): Layer;

  /**
   * The first of two inputs without the second.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.subtract().apply([a, b]).array(); // [[-2, -2]]
   */
  subtract(config?: LayerConfig): Layer;

  /**
   * The product of a list of inputs.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.multiply().apply([a, b]).array(); // [[3, 8]]
   */
  multiply(config?: LayerConfig): Layer;

  /**
   * The mean of a list of inputs.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.average().apply([a, b]).array(); // [[2, 3]]
   */
  average(config?: LayerConfig): Layer;

  /**
   * The largest of a list of inputs, element by element.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.maximum().apply([a, b]).array(); // [[3, 4]]
   */
  maximum(config?: LayerConfig): Layer;

  /**
   * The smallest of a list of inputs, element by element.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.minimum().apply([a, b]).array(); // [[1, 2]]
   */
  minimum(config?: LayerConfig): Layer;

  /**
   * A list of inputs, one behind the other along an axis.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3]])];
   * nn.concatenate().apply([a, b]).array(); // [[1, 2, 3]]
   */
  concatenate(config?: ConcatenateConfig): Layer;

  /**
   * The products of two inputs, added along an axis of each.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.dot({ axes: 1 }).apply([a, b]).array(); // [[11]]
   */
  dot(config: DotConfig): Layer;

  /**
   * Values, weighted by how keys go with queries: [query, value] or [query, value, key], each [batch,
   * steps, size].
   * @example
   * const [query, value] = [g.broadcastTo(1, [2, 3, 4]), g.broadcastTo(1, [2, 5, 4])];
   * nn.attention().apply([query, value]).shape; // [2, 3, 4]
   */
  attention(config?: AttentionConfig): Layer;

  /**
   * Attention of several heads, of projections: [query, value] or [query, value, key]. Weights: kernel
   * and bias of query, key, value and attention_output.
   * @example
   * const x = g.broadcastTo(1, [2, 3, 8]);
   * nn.multiHeadAttention({ numHeads: 2, keyDim: 4 }).apply([x, x]).shape; // [2, 3, 8]
   */
  multiHeadAttention(config: MultiHeadAttentionConfig): Layer;

  /**
   * activation(x · kernel + h · recurrent_kernel + bias), step by step: [batch, steps,
   * inputs] → [batch, units]. Weights: kernel [inputs, units], recurrent_kernel [units,
   * units], bias [units].
   * @example
   * const layer = nn.simpleRNN({ units: 2, returnSequences: true });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 5, 2]
   */
  simpleRNN(config: RecurrentConfig): RecurrentLayer;

  /**
   * Long short-term memory, with gates in the order input, forget, cell, output: [batch, steps,
   * inputs] → [batch, units]. Weights: kernel [inputs, 4 · units], recurrent_kernel [units,
   * 4 · units], bias [4 · units].
   * @example
   * const layer = nn.lstm({ units: 2, returnSequences: true });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 5, 2]
   */
  lstm(config: LSTMConfig): RecurrentLayer;

  /**
   * Gated recurrent units, with gates in the order update, reset, candidate: [batch, steps,
   * inputs] → [batch, units]. Weights: kernel [inputs, 3 · units], recurrent_kernel [units,
   * 3 · units], bias [2, 3 · units].
   * @example
   * const layer = nn.gru({ units: 2, returnSequences: true });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 5, 2]
   */
  gru(config: GRUConfig): RecurrentLayer;

  /**
   * A recurrent layer, and one like it that goes the other way.
   * @example
   * const layer = nn.bidirectional({ layer: nn.lstm({ units: 2 }) });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 4]
   */
  bidirectional(config: BidirectionalConfig): BidirectionalLayer;

  /**
   * A layer, applied at each step: [batch, steps, …].
   * @example
   * const layer = nn.timeDistributed({ layer: nn.flatten() });
   * layer.apply(g.broadcastTo(0, [1, 5, 2, 2])).shape; // [1, 5, 4]
   */
  timeDistributed(config: TimeDistributedConfig): Layer;
}
