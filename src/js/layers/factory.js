// The object that `layers(g)` returns: methods for layers and models, under TensorFlow.js's names.
import { strictMethod } from '../base/arity.js';
import { bindMethods } from '../base/bind.js';
import { makeStrict } from '../base/strict.js';
import * as ready from './fit/callbacks.js';
import { readInitializer } from './config/initializers.js';
import * as kinds from './kinds/kinds.js';
import { Layer, OwnLayer } from './layer/layer.js';
import { modelFromJSON, readLayer } from './model/json.js';
import { InputLayer, Model } from './model/model.js';
import { LiftPressure } from './pressure/pressure.js';
import { Pressure } from './pressure/report.js';
import { Sequential } from './model/sequential.js';
import { Toolkit } from './layer/toolkit.js';

const KIT = Symbol.for('gradlock.kit');

/** @import { Gradlock } from '../gradlock.js' */
/** @import { SymbolicTensor } from './layer/symbolic.js' */
/** @import { OpenShape } from './config/open-shapes.js' */
/** @import { Callback } from './fit/callbacks.js' */
/** @typedef {import('./pressure/parts.js').PressureRow & { epoch: number }} Lifted */
/** @import { ConfigOf } from './config/fields.js' */

/** The class of each layer, by its method's name, which is TensorFlow.js's. @internal */
export const LAYERS = {
  /**
   * An activation as a layer. The output has the shape of the input.
   * @example
   * nn.activation({ activation: 'relu' }).apply([[-1, 2]]).array(); // [[0, 2]]
   */
  activation: kinds.ActivationLayer,
  /**
   * The sum of a list of inputs.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.add().apply([a, b]).array(); // [[4, 6]]
   */
  add: kinds.Add,
  /**
   * Dropout for networks with selu. In training it replaces some elements by the value that selu
   * tends to, so that mean and variance stay.
   * @example
   * nn.alphaDropout({ rate: 0.5 }).apply([[1, 2]]).array(); // [[1, 2]]
   */
  alphaDropout: kinds.AlphaDropout,
  /**
   * Attention: a sum of values, weighted by how well keys match queries. Inputs: [query, value] or
   * [query, value, key], each [batch, steps, size].
   * @example
   * const [query, value] = [g.broadcastTo(1, [2, 3, 4]), g.broadcastTo(1, [2, 5, 4])];
   * nn.attention().apply([query, value]).shape; // [2, 3, 4]
   */
  attention: kinds.Attention,
  /**
   * The mean of a list of inputs.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.average().apply([a, b]).array(); // [[2, 3]]
   */
  average: kinds.Average,
  /**
   * The mean of each window of [batch, steps, channels].
   * @example
   * nn.averagePooling1d().apply([[[1], [3], [2], [4]]]).array(); // [[[2], [3]]]
   */
  averagePooling1d: kinds.AveragePooling1D,
  /**
   * The mean of each window of [batch, height, width, channels].
   * @example
   * nn.averagePooling2d().apply([[[[1], [3]], [[2], [4]]]]).array(); // [[[[2.5]]]]
   */
  averagePooling2d: kinds.AveragePooling2D,
  /**
   * The mean of each window of [batch, depth, height, width, channels].
   * @example
   * const x = g.tensor([[[[[1], [2]], [[3], [4]]], [[[5], [6]], [[7], [8]]]]]);
   * nn.averagePooling3d().apply(x).array(); // [[[[[4.5]]]]]
   */
  averagePooling3d: kinds.AveragePooling3D,
  /** Another name of `averagePooling1d`. */
  avgPool1d: kinds.AveragePooling1D,
  /** Another name of `averagePooling2d`. */
  avgPool2d: kinds.AveragePooling2D,
  /** Another name of `averagePooling3d`. */
  avgPool3d: kinds.AveragePooling3D,
  /** Another name of `averagePooling1d`. */
  avgPooling1d: kinds.AveragePooling1D,
  /** Another name of `averagePooling2d`. */
  avgPooling2d: kinds.AveragePooling2D,
  /** Another name of `averagePooling3d`. */
  avgPooling3d: kinds.AveragePooling3D,
  /**
   * (x − mean) / √(variance + epsilon) · gamma + beta for each channel. Training uses the batch's
   * mean and variance, inference the moving ones. A frozen layer is in inference mode, and its
   * moving statistics stay (docs/laws.md, law 19). Weights: gamma, beta, moving_mean,
   * moving_variance, each [channels].
   * @example
   * const layer = nn.batchNormalization({ epsilon: 0, momentum: 0.5 });
   * layer.apply([[1], [3]], { training: true }).array(); // [[-1], [1]]
   * layer.movingMean.array(); // [1]
   */
  batchNormalization: kinds.BatchNormalization,
  /**
   * A recurrent layer and a copy of it that reads the steps in reverse.
   * @example
   * const layer = nn.bidirectional({ layer: nn.lstm({ units: 2 }) });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 4]
   */
  bidirectional: kinds.Bidirectional,
  /**
   * The concatenation of a list of inputs along an axis.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3]])];
   * nn.concatenate().apply([a, b]).array(); // [[1, 2, 3]]
   */
  concatenate: kinds.Concatenate,
  /**
   * A convolution over steps: [batch, steps, channels] → [batch, steps, filters].
   * Weights: kernel [size, channels / groups, filters], bias [filters].
   * @example
   * const layer = nn.conv1d({ filters: 4, kernelSize: 3, padding: 'causal' });
   * layer.apply(g.broadcastTo(0, [2, 5, 3])).shape; // [2, 5, 4]
   */
  conv1d: kinds.Conv1D,
  /**
   * A transposed convolution (the gradient of a convolution) over steps: the output has more steps.
   * Weights: kernel [size, filters, channels], bias [filters].
   * @example
   * const layer = nn.conv1dTranspose({ filters: 2, kernelSize: 2, strides: 2 });
   * layer.apply(g.broadcastTo(0, [1, 4, 3])).shape; // [1, 8, 2]
   */
  conv1dTranspose: kinds.Conv1DTranspose,
  /**
   * A convolution over images: [batch, height, width, channels] → [batch, height, width, filters].
   * Weights: kernel [height, width, channels / groups, filters], bias [filters].
   * @example
   * const layer = nn.conv2d({ filters: 8, kernelSize: 3, strides: 2 });
   * layer.apply(g.broadcastTo(0, [1, 9, 9, 3])).shape; // [1, 4, 4, 8]
   * layer.kernel.shape; // [3, 3, 3, 8]
   */
  conv2d: kinds.Conv2D,
  /**
   * A transposed convolution (the gradient of a convolution): the output image is larger.
   * Weights: kernel [height, width, filters, channels], bias [filters].
   * @example
   * const layer = nn.conv2dTranspose({ filters: 2, kernelSize: 2, strides: 2 });
   * layer.apply(g.broadcastTo(0, [1, 4, 4, 3])).shape; // [1, 8, 8, 2]
   */
  conv2dTranspose: kinds.Conv2DTranspose,
  /**
   * A convolution over volumes: [batch, depth, height, width, channels] → [batch, depth, height,
   * width, filters].
   * Weights: kernel [depth, height, width, channels / groups, filters], bias [filters].
   * @example
   * const layer = nn.conv3d({ filters: 2, kernelSize: 3 });
   * layer.apply(g.broadcastTo(0, [1, 4, 5, 6, 1])).shape; // [1, 2, 3, 4, 2]
   */
  conv3d: kinds.Conv3D,
  /**
   * A transposed convolution (the gradient of a convolution) over volumes: the output is larger.
   * Weights: kernel [depth, height, width, filters, channels], bias [filters].
   * @example
   * const layer = nn.conv3dTranspose({ filters: 2, kernelSize: 2, strides: 2 });
   * layer.apply(g.broadcastTo(0, [1, 2, 2, 2, 3])).shape; // [1, 4, 4, 4, 2]
   */
  conv3dTranspose: kinds.Conv3DTranspose,
  /**
   * Removes steps at the start and at the end.
   * @example
   * nn.cropping1d({ cropping: [1, 0] }).apply([[[1], [2], [3]]]).array(); // [[[2], [3]]]
   */
  cropping1d: kinds.Cropping1D,
  /**
   * Removes rows and columns at the edges of images.
   * @example
   * nn.cropping2d({ cropping: [0, 1] }).apply([[[[1], [2], [3]]]]).array(); // [[[[2]]]]
   */
  cropping2d: kinds.Cropping2D,
  /** Another name of `cropping2d`. */
  cropping2D: kinds.Cropping2D,
  /**
   * Removes slices at the sides of volumes.
   * @example
   * nn.cropping3d({ cropping: [0, 0, 1] }).apply([[[[[1], [2], [3]]]]]).array(); // [[[[[2]]]]]
   */
  cropping3d: kinds.Cropping3D,
  /**
   * activation(x · kernel + bias) along the last axis: [batch, …, inputs] → [batch, …, units].
   * Weights: kernel [inputs, units], bias [units].
   * @example
   * const layer = nn.dense({ units: 2, kernelInitializer: 'ones' });
   * layer.apply([[1, 2, 3]]).array(); // [[6, 6]]
   * layer.kernel.shape; // [3, 2]
   */
  dense: kinds.Dense,
  /**
   * A convolution over steps, separately for each channel.
   * Weights: kernel [size, channels, depthMultiplier], bias.
   * @example
   * const layer = nn.depthwiseConv1d({ kernelSize: 3, depthMultiplier: 2 });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 3, 6]
   */
  depthwiseConv1d: kinds.DepthwiseConv1D,
  /**
   * A convolution over images, separately for each channel.
   * Weights: kernel [height, width, channels, depthMultiplier], bias.
   * @example
   * const layer = nn.depthwiseConv2d({ kernelSize: 3, depthMultiplier: 2 });
   * layer.apply(g.broadcastTo(0, [1, 5, 5, 3])).shape; // [1, 3, 3, 6]
   */
  depthwiseConv2d: kinds.DepthwiseConv2D,
  /**
   * The dot product of two inputs along an axis of each.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.dot({ axes: 1 }).apply([a, b]).array(); // [[11]]
   */
  dot: kinds.Dot,
  /**
   * Sets random elements to 0 in training, new ones in each batch, and scales the rest.
   * @example
   * nn.dropout({ rate: 0.5 }).apply([[1, 2]]).array(); // [[1, 2]]
   */
  dropout: kinds.Dropout,
  /**
   * x where it is above 0, alpha · (exp(x) − 1) elsewhere.
   * @example
   * nn.elu().apply([[0, 2]]).array(); // [[0, 2]]
   */
  elu: kinds.ELU,
  /**
   * A trainable vector for each integer: [batch, …] → [batch, …, outputDim].
   * Weights: embeddings [inputDim, outputDim].
   * @example
   * const layer = nn.embedding({ inputDim: 10, outputDim: 3 });
   * layer.apply([[1, 2], [0, 9]]).shape; // [2, 2, 3]
   */
  embedding: kinds.Embedding,
  /**
   * Joins all axes but the first: [batch, a, b] → [batch, a · b].
   * @example
   * nn.flatten().apply(g.broadcastTo(0, [2, 3, 4])).shape; // [2, 12]
   */
  flatten: kinds.Flatten,
  /**
   * Multiplies by normal noise of mean 1 in training.
   * @example
   * nn.gaussianDropout({ rate: 0.5 }).apply([[1, 2]]).array(); // [[1, 2]]
   */
  gaussianDropout: kinds.GaussianDropout,
  /**
   * Adds normal noise in training.
   * @example
   * nn.gaussianNoise({ stddev: 0.1 }).apply([[1, 2]]).array(); // [[1, 2]]
   */
  gaussianNoise: kinds.GaussianNoise,
  /**
   * The mean of each channel: [batch, steps, channels] → [batch, channels].
   * @example
   * nn.globalAveragePooling1d().apply([[[1], [3], [2], [4]]]).array(); // [[2.5]]
   */
  globalAveragePooling1d: kinds.GlobalAveragePooling1D,
  /**
   * The mean of each channel: [batch, height, width, channels] → [batch, channels].
   * @example
   * nn.globalAveragePooling2d().apply([[[[1], [3]], [[2], [4]]]]).array(); // [[2.5]]
   */
  globalAveragePooling2d: kinds.GlobalAveragePooling2D,
  /**
   * The mean of each channel: [batch, depth, height, width, channels] → [batch, channels].
   * @example
   * nn.globalAveragePooling3d().apply([[[[[1], [3]]], [[[2], [4]]]]]).array(); // [[2.5]]
   */
  globalAveragePooling3d: kinds.GlobalAveragePooling3D,
  /** Another name of `globalMaxPooling1d`. */
  globalMaxPool1d: kinds.GlobalMaxPooling1D,
  /** Another name of `globalMaxPooling2d`. */
  globalMaxPool2d: kinds.GlobalMaxPooling2D,
  /** Another name of `globalMaxPooling3d`. */
  globalMaxPool3d: kinds.GlobalMaxPooling3D,
  /**
   * The largest of each channel: [batch, steps, channels] → [batch, channels].
   * @example
   * nn.globalMaxPooling1d().apply([[[1], [3], [2], [4]]]).array(); // [[4]]
   */
  globalMaxPooling1d: kinds.GlobalMaxPooling1D,
  /**
   * The largest of each channel: [batch, height, width, channels] → [batch, channels].
   * @example
   * nn.globalMaxPooling2d().apply([[[[1], [3]], [[2], [4]]]]).array(); // [[4]]
   */
  globalMaxPooling2d: kinds.GlobalMaxPooling2D,
  /**
   * The largest of each channel: [batch, depth, height, width, channels] → [batch, channels].
   * @example
   * nn.globalMaxPooling3d().apply([[[[[1], [3]]], [[[2], [4]]]]]).array(); // [[4]]
   */
  globalMaxPooling3d: kinds.GlobalMaxPooling3D,
  /**
   * Scales each sample to mean 0 and variance 1 within each group of its channels.
   * Weights: gamma, beta [channels].
   * @example
   * nn.groupNormalization({ groups: 1, epsilon: 0 }).apply([[1, 3]]).array(); // [[-1, 1]]
   */
  groupNormalization: kinds.GroupNormalization,
  /**
   * Gated recurrent units, with gates in the order update, reset, candidate: [batch, steps,
   * inputs] → [batch, units]. Weights: kernel [inputs, 3 · units], recurrent_kernel [units,
   * 3 · units], bias [2, 3 · units].
   * @example
   * const layer = nn.gru({ units: 2, returnSequences: true });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 5, 2]
   */
  gru: kinds.GRU,
  /**
   * (x − mean) / √(variance + epsilon) · gamma + beta for each sample. Weights: gamma and beta,
   * with the sizes of the normalized axes.
   * @example
   * nn.layerNormalization({ epsilon: 0 }).apply([[1, 3]]).array(); // [[-1, 1]]
   */
  layerNormalization: kinds.LayerNormalization,
  /**
   * x where it is above 0, negativeSlope · x elsewhere.
   * @example
   * nn.leakyReLU({ negativeSlope: 0.5 }).apply([[-2, 2]]).array(); // [[-1, 2]]
   */
  leakyReLU: kinds.LeakyReLU,
  /**
   * Long short-term memory, with gates in the order input, forget, cell, output: [batch, steps,
   * inputs] → [batch, units]. Weights: kernel [inputs, 4 · units], recurrent_kernel [units,
   * 4 · units], bias [4 · units].
   * @example
   * const layer = nn.lstm({ units: 2, returnSequences: true });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 5, 2]
   */
  lstm: kinds.LSTM,
  /**
   * Masks steps whose numbers all equal maskValue, so that later layers skip them.
   * @example
   * nn.masking({ maskValue: 9 }).apply([[[1, 2], [9, 9]]]).array(); // [[[1, 2], [0, 0]]]
   */
  masking: kinds.Masking,
  /**
   * The largest of a list of inputs, element by element.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.maximum().apply([a, b]).array(); // [[3, 4]]
   */
  maximum: kinds.Maximum,
  /** Another name of `maxPooling1d`. */
  maxPool1d: kinds.MaxPooling1D,
  /** Another name of `maxPooling2d`. */
  maxPool2d: kinds.MaxPooling2D,
  /** Another name of `maxPooling3d`. */
  maxPool3d: kinds.MaxPooling3D,
  /**
   * The largest of each window of [batch, steps, channels].
   * @example
   * nn.maxPooling1d().apply([[[1], [3], [2], [4]]]).array(); // [[[3], [4]]]
   */
  maxPooling1d: kinds.MaxPooling1D,
  /**
   * The largest of each window of [batch, height, width, channels].
   * @example
   * nn.maxPooling2d().apply([[[[1], [3]], [[2], [4]]]]).array(); // [[[[4]]]]
   */
  maxPooling2d: kinds.MaxPooling2D,
  /**
   * The largest of each window of [batch, depth, height, width, channels].
   * @example
   * nn.maxPooling3d().apply(g.broadcastTo(3, [1, 2, 2, 2, 1])).array(); // [[[[[3]]]]]
   */
  maxPooling3d: kinds.MaxPooling3D,
  /**
   * The smallest of a list of inputs, element by element.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.minimum().apply([a, b]).array(); // [[1, 2]]
   */
  minimum: kinds.Minimum,
  /**
   * Attention with several heads, each on its own projections. Inputs: [query, value] or [query,
   * value, key]. Weights: kernel and bias of query, key, value and attention_output.
   * @example
   * const x = g.broadcastTo(1, [2, 3, 8]);
   * nn.multiHeadAttention({ numHeads: 2, keyDim: 4 }).apply([x, x]).shape; // [2, 3, 8]
   */
  multiHeadAttention: kinds.MultiHeadAttention,
  /**
   * The product of a list of inputs.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.multiply().apply([a, b]).array(); // [[3, 8]]
   */
  multiply: kinds.Multiply,
  /**
   * Reorders the axes; their numbers start at 1, without the batch: [batch, a, b] → [batch, b, a].
   * @example
   * nn.permute({ dims: [2, 1] }).apply([[[1, 2], [3, 4]]]).array(); // [[[1, 3], [2, 4]]]
   */
  permute: kinds.Permute,
  /**
   * x where it is above 0, alpha · x elsewhere, with a trainable alpha.
   * Weights: alpha, of the input's shape without the batch.
   * @example
   * nn.prelu({ alphaInitializer: 'ones' }).apply([[-2, 2]]).array(); // [[-2, 2]]
   */
  prelu: kinds.PReLU,
  /**
   * max(x, 0), with an optional slope, threshold and upper limit.
   * @example
   * nn.reLU({ maxValue: 6 }).apply([[-1, 2, 9]]).array(); // [[0, 2, 6]]
   */
  reLU: kinds.ReLU,
  /**
   * Repeats its input n times: [batch, size] → [batch, n, size].
   * @example
   * nn.repeatVector({ n: 2 }).apply([[1, 2]]).array(); // [[[1, 2], [1, 2]]]
   */
  repeatVector: kinds.RepeatVector,
  /**
   * x · scale + offset.
   * @example
   * nn.rescaling({ scale: 0.5, offset: 1 }).apply([[2, 4]]).array(); // [[2, 3]]
   */
  rescaling: kinds.Rescaling,
  /**
   * Changes the shape, given without the batch. A size of -1 is computed from the others.
   * @example
   * nn.reshape({ targetShape: [2, -1] }).apply([[1, 2, 3, 4]]).array(); // [[[1, 2], [3, 4]]]
   */
  reshape: kinds.Reshape,
  /**
   * x / √(mean(x²) + epsilon) · scale, along one axis or several. Weights: scale.
   * @example
   * nn.rmsNormalization({ epsilon: 0 }).apply([[3, -3]]).array(); // [[1, -1]]
   */
  rmsNormalization: kinds.RMSNormalization,
  /**
   * A depthwise convolution over steps, then one of size 1 across channels.
   * Weights: depthwise_kernel (`kernel`), pointwise_kernel (`pointwise`), bias.
   * @example
   * const layer = nn.separableConv1d({ filters: 4, kernelSize: 3 });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 3, 4]
   */
  separableConv1d: kinds.SeparableConv1D,
  /**
   * A depthwise convolution, then one of size 1 across channels.
   * Weights: depthwise_kernel (`kernel`), pointwise_kernel (`pointwise`), bias.
   * @example
   * const layer = nn.separableConv2d({ filters: 4, kernelSize: 3 });
   * layer.apply(g.broadcastTo(0, [1, 5, 5, 3])).shape; // [1, 3, 3, 4]
   */
  separableConv2d: kinds.SeparableConv2D,
  /**
   * activation(x · kernel + h · recurrent_kernel + bias), step by step: [batch, steps, inputs] →
   * [batch, units]. Weights: kernel [inputs, units], recurrent_kernel [units, units], bias [units].
   * @example
   * const layer = nn.simpleRNN({ units: 2, returnSequences: true });
   * layer.apply(g.broadcastTo(0, [1, 5, 3])).shape; // [1, 5, 2]
   */
  simpleRNN: kinds.SimpleRNN,
  /**
   * exp(x) / sum(exp(x)) along an axis.
   * @example
   * nn.softmax().apply([[1, 1]]).array(); // [[0.5, 0.5]]
   */
  softmax: kinds.Softmax,
  /**
   * Leaves out whole channels in training.
   * @example
   * nn.spatialDropout1d({ rate: 0.5 }).apply([[[1, 2]]]).array(); // [[[1, 2]]]
   */
  spatialDropout1d: kinds.SpatialDropout1D,
  /**
   * Leaves out whole channels in training.
   * @example
   * nn.spatialDropout2d({ rate: 0.5 }).apply([[[[1, 2]]]]).array(); // [[[[1, 2]]]]
   */
  spatialDropout2d: kinds.SpatialDropout2D,
  /**
   * Leaves out whole channels in training.
   * @example
   * nn.spatialDropout3d({ rate: 0.5 }).apply([[[[[1, 2]]]]]).array(); // [[[[[1, 2]]]]]
   */
  spatialDropout3d: kinds.SpatialDropout3D,
  /**
   * The first of two inputs minus the second.
   * @example
   * const [a, b] = [g.tensor([[1, 2]]), g.tensor([[3, 4]])];
   * nn.subtract().apply([a, b]).array(); // [[-2, -2]]
   */
  subtract: kinds.Subtract,
  /**
   * Applies a layer to each step of [batch, steps, …].
   * @example
   * const layer = nn.timeDistributed({ layer: nn.flatten() });
   * layer.apply(g.broadcastTo(0, [1, 5, 2, 2])).shape; // [1, 5, 4]
   */
  timeDistributed: kinds.TimeDistributed,
  /**
   * x / ‖x‖, along one axis or several.
   * @example
   * nn.unitNormalization().apply([[0, 4]]).array(); // [[0, 1]]
   */
  unitNormalization: kinds.UnitNormalization,
  /**
   * Repeats each step several times.
   * @example
   * nn.upSampling1d().apply([[[1], [2]]]).array(); // [[[1], [1], [2], [2]]]
   */
  upSampling1d: kinds.UpSampling1D,
  /**
   * Makes images larger: repeats each element `size` times along both axes, or interpolates.
   * @example
   * nn.upSampling2d({ size: [1, 2] }).apply([[[[1], [2]]]]).array(); // [[[[1], [1], [2], [2]]]]
   */
  upSampling2d: kinds.UpSampling2D,
  /**
   * Makes volumes larger: repeats each element `size` times along all three axes.
   * @example
   * const layer = nn.upSampling3d({ size: [1, 1, 2] });
   * layer.apply([[[[[1], [2]]]]]).array(); // [[[[[1], [1], [2], [2]]]]]
   */
  upSampling3d: kinds.UpSampling3D,
  /**
   * Adds zeros before and after the steps.
   * @example
   * nn.zeroPadding1d({ padding: [0, 1] }).apply([[[7]]]).array(); // [[[7], [0]]]
   */
  zeroPadding1d: kinds.ZeroPadding1D,
  /**
   * Adds zeros around images.
   * @example
   * nn.zeroPadding2d({ padding: [0, 1] }).apply([[[[7]]]]).array(); // [[[[0], [7], [0]]]]
   */
  zeroPadding2d: kinds.ZeroPadding2D,
  /**
   * Adds zeros around volumes.
   * @example
   * nn.zeroPadding3d({ padding: [0, 0, 1] }).apply([[[[[7]]]]]).array(); // [[[[[0], [7], [0]]]]]
   */
  zeroPadding3d: kinds.ZeroPadding3D,
};

/**
 * The type of a method that makes layers of a class.
 * @template {{ fields: object, aliases: object } & (new (...args: never) => Layer)} C
 * @typedef {[import('./config/fields.js').NamesOf<C['fields'], true>] extends [never]
 *   ? (config?: ConfigOf<C>) => InstanceType<C> : (config: ConfigOf<C>) => InstanceType<C>} Maker
 */
/**
 * A method for each layer. In the published types these are members of `Layers`.
 * @typedef {{ [Name in keyof typeof LAYERS]: Maker<(typeof LAYERS)[Name]> }} Makers
 */
/**
 * @typedef {object} InputConfig The options of `input`: one of the two shapes is required.
 * @property {OpenShape} [shape] The shape without the batch.
 * @property {OpenShape} [batchShape] The shape with the batch.
 * @property {string} [name] The name, for models with several inputs. Default: made from the class.
 */
/**
 * @typedef {object} LayersOptions The options of `layers`.
 * @property {import('../tensors/random.js').Seed} [seed] The seed for weights, dropout and
 *   shuffling. Default: g's own seeds.
 */

/** Keras's second name of a class, such as MaxPool2D, if any. @param {string} name */
const aliasOf = (name) =>
  /Pooling|Conv/.test(name)
    ? name
        .replace('AveragePooling', 'AvgPool')
        .replace('Pooling', 'Pool')
        .replace('Conv', 'Convolution')
    : name;

/** Ready-made callbacks for `fit`, under TensorFlow.js's names. */
export class ReadyCallbacks {
  /**
   * Ends training when a log stops improving.
   * @param {ready.EarlyStoppingOptions} [options]
   * @returns {Callback & { readonly stoppedEpoch: number }}
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1], trainable: false })]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * const stopping = nn.callbacks.earlyStopping({ monitor: 'loss', patience: 2 });
   * const { epoch } = await net.fit([[1]], [[1]], { epochs: 10, callbacks: stopping });
   * epoch; // [0, 1, 2]
   */
  earlyStopping(options) {
    return new ready.EarlyStopping(options);
  }

  /**
   * Lowers the learning rate when a log stops improving.
   * @param {ready.ReduceLROnPlateauOptions} [options]
   * @returns {Callback}
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1], trainable: false })]);
   * net.compile({ optimizer: g.optimizers.sgd({ learningRate: 1 }), loss: 'mse' });
   * const slower = nn.callbacks.reduceLROnPlateau({ monitor: 'loss', factor: 0.5, patience: 1 });
   * await net.fit([[1]], [[1]], { epochs: 3, callbacks: slower });
   * net.optimizer.learningRate; // 0.25
   */
  reduceLROnPlateau(options) {
    return new ready.ReduceLROnPlateau(options);
  }

  /**
   * Sets the learning rate before each epoch, computed from the epoch and the current rate.
   * @param {(epoch: number, rate: number) => number} schedule
   * @returns {Callback}
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
   * net.compile({ optimizer: g.optimizers.sgd({ learningRate: 1 }), loss: 'mse' });
   * const halving = nn.callbacks.learningRateScheduler((epoch, rate) => rate / 2);
   * await net.fit([[1]], [[1]], { epochs: 3, callbacks: halving });
   * net.optimizer.learningRate; // 0.125
   */
  learningRateScheduler(schedule) {
    return new ready.LearningRateScheduler(schedule);
  }

  /**
   * Saves the model with a function that you pass.
   * @param {ready.ModelCheckpointOptions} options
   * @returns {Callback}
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * const saved = [];
   * const save = (model, epoch) => saved.push([epoch, model.getWeights().length]);
   * const checkpoint = nn.callbacks.modelCheckpoint({ save });
   * await net.fit([[1]], [[1]], { epochs: 2, callbacks: checkpoint });
   * saved; // [[0, 2], [1, 2]]
   */
  modelCheckpoint(options) {
    return new ready.ModelCheckpoint(options);
  }

  /**
   * Ends training when the loss is NaN.
   * @returns {Callback}
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * const ending = nn.callbacks.terminateOnNaN();
   * const { stopped } = await net.fit([[1]], [[NaN]], { epochs: 5, callbacks: ending });
   * stopped; // 'nan'
   */
  terminateOnNaN() {
    return new ready.TerminateOnNaN();
  }

  /**
   * Unlocks the elements under the highest pressure, as measured by the model's `pressure`: before
   * the first epoch, and again every few epochs. `lifted` lists them with their epochs.
   * ```js
   * net.trainable = false;
   * const lifting = nn.callbacks.liftPressure({ data: [xs, ys], every: 2 });
   * await net.fit(xs, ys, { epochs: 6, callbacks: lifting });
   * ```
   * @param {import('./pressure/pressure.js').LiftPressureOptions} options
   * @returns {Callback & { readonly lifted: readonly Lifted[] }}
   * @example
   * const net = nn.sequential([
   *   nn.dense({ units: 1, inputShape: [1], name: 'a' }),
   *   nn.dense({ units: 1, name: 'b' }),
   * ]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.trainable = false;
   * const lifting = nn.callbacks.liftPressure({ data: [[[1]], [[1]]] });
   * await net.fit([[1]], [[1]], { epochs: 2, callbacks: lifting });
   * lifting.lifted.length; // 2
   */
  liftPressure(options) {
    return new LiftPressure(options);
  }
}

const callbacks = new ReadyCallbacks();

const FREEZE = 'trainable = false freezes it, trainable = true ends that';

/**
 * Makes layers and models; `layers(g)` returns an instance. You can detach its methods. Apply
 * layers to the result of `input`, or to values. Options, defaults, values and names of weights are
 * those of Keras 3; options have TensorFlow.js's spelling.
 */
export class Layers {
  #nn;

  /** @internal @param {Gradlock} g @param {LayersOptions} options */
  constructor(g, options) {
    this.#nn = new Toolkit(g, options, readLayer);
    for (const Class of [...Object.values(LAYERS), InputLayer, Model, Sequential]) {
      for (const name of [Class.className, aliasOf(Class.className)]) {
        this.#nn.classes.set(name, /** @type {any} */ (Class));
      }
    }
    for (const [name, Class] of Object.entries(LAYERS)) {
      const make = (/** @type {any} */ config) =>
        this.#nn.attempt(() => new /** @type {any} */ (Class)(this.#nn, config).close());
      /** @type {any} */ (this)[name] = strictMethod(name, make);
    }
    bindMethods(this);
    const classes = [...Object.values(LAYERS), InputLayer, Model, Sequential];
    const advice = { requires_grad: FREEZE, requiresGrad: FREEZE };
    makeStrict(classes, { advice, field: 'isOpen' });
    makeStrict([ReadyCallbacks, Pressure]);
  }

  /** The toolkit, for file formats: they build a model completely or not at all. @internal */
  get [KIT]() {
    return this.#nn;
  }

  /**
   * Returns an input for `model`.
   * @param {InputConfig} config
   * @returns {SymbolicTensor}
   * @example
   * nn.input({ shape: [28, 28, 1] }).shape; // [null, 28, 28, 1]
   */
  input(config) {
    return this.#nn.attempt(() => new InputLayer(this.#nn, config).start());
  }

  /**
   * Makes a model from the layers between inputs and outputs.
   * @param {import('./model/model.js').ModelOptions} options
   * @returns {Model}
   * @example
   * const x = nn.input({ shape: [3] });
   * const net = nn.model({ inputs: x, outputs: nn.dense({ units: 2 }).apply(x) });
   * net.countParams(); // 8
   */
  model(options) {
    return this.#nn.attempt(() => new Model(this.#nn, options).close());
  }

  /**
   * Makes a model that runs layers one after the other. It creates its weights as soon as it knows
   * the input's shape: from the first layer's inputShape, or from data.
   * @param {readonly Layer[] | import('./model/sequential.js').SequentialOptions} [layers]
   * @returns {Sequential}
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3] }), nn.reLU()]);
   * net.predict([[1, 2, 3]]).shape; // [1, 2]
   * net.weights.map((weight) => weight.name); // ['dense/kernel', 'dense/bias']
   */
  sequential(layers) {
    return this.#nn.attempt(() => new Sequential(this.#nn, layers).close());
  }

  /**
   * Makes a model from the JSON of Keras 3's `to_json()` or TensorFlow.js's `toJSON()`.
   * Initializers set its weights. Throws FormatError if the JSON is invalid, OptionError for
   * unsupported layers and options.
   * @param {string | object} json
   * @param {{ initialize?: boolean, maxBytes?: number, maxLayers?: number }} [options]
   *   `initialize`: false leaves weights at 0, if you set them later. `maxBytes`: the limit for all
   *   weights together; default 1 GB. `maxLayers`: the limit for applied layers; default 5,000.
   * @returns {Model}
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3] })]);
   * nn.modelFromJSON(JSON.stringify(net)).countParams(); // 8
   */
  modelFromJSON(json, options) {
    return modelFromJSON(this.#nn, json, options);
  }

  /**
   * Makes a layer from a function of tensors. It has no weights and cannot be written as JSON.
   * @param {(x: any, options: import('./layer/layer.js').CallOptions) => any} fn
   * @param {{ name?: string, outputShape?: OpenShape | ((inputShape: any) => OpenShape) | null }}
   *   [config] `outputShape`: the output's shape without the batch, or a function that returns it
   *   from the input's shape with the batch. Default: found by recording the function.
   * @returns {Layer}
   * @example
   * nn.lambda((x) => g.mul(x, 2)).apply([[1, 2]]).array(); // [[2, 4]]
   */
  lambda(fn, config) {
    return this.#nn.attempt(() => new kinds.Lambda(this.#nn, fn, config ?? {}));
  }

  /**
   * Returns an initializer for weights of your own layers, by name.
   * @param {import('./config/initializers.js').LayerInitializer} value
   * @returns {import('./config/initializers.js').WeightInitializer}
   * @example
   * nn.initializer('ones').make([2]).array(); // [1, 1]
   */
  initializer(value) {
    return readInitializer(value, 'initializer', this.#nn);
  }

  /**
   * Register a layer of your own, so that `modelFromJSON` can make it.
   * @param {(new (config?: any) => Layer) & { className: string }} Class A class derived from
   *   `nn.Layer`, with a static className.
   * @example
   * class Twice extends nn.Layer { static className = 'Twice'; call(x) { return g.mul(x, 2); } };
   * nn.registerClass(Twice);
   * new Twice().apply([[1, 2]]).array(); // [[2, 4]]
   */
  registerClass(Class) {
    if (typeof Class?.className !== 'string') {
      throw new TypeError('registerClass takes a class with a static className');
    }
    this.#nn.classes.set(Class.className, /** @type {any} */ (Class));
  }

  /** The ready-made callbacks for `fit`. @returns {ReadyCallbacks} */
  get callbacks() {
    return callbacks;
  }

  /** The base class for layers of your own. @returns {typeof OwnLayer} */
  get Layer() {
    const nn = this.#nn;
    return /** @type {any} */ (
      class extends Layer {
        /** @param {any} [config] */
        constructor(config) {
          super(nn, config);
        }

        /** @override */ static takesLists = true;
        /** @override */ static callOptions = null;

        /** @override @param {any} _ @param {any} config */
        static fromConfig(_, config) {
          return /** @type {any} */ (new this(config));
        }
      }
    );
  }
}
