// Options of layers, as TensorFlow.js spells them. Defaults and what is refused stand in the fields
// of the classes; a test holds these names to them.
import type { Tensor, TensorLike } from '../tensors/tensor.js';
import type { Seed } from '../tensors/random.js';
import type { Layer } from './api-models.js';

/**
 * A name of a list, which editors complete, in TensorFlow.js's or in Keras's spelling.
 * @inline @internal
 */
type Named<Names extends string> = Names | (string & {});

/** A class and its configuration, as Keras's JSON has them. */
export type NamedConfig =
  | { className: string; config?: Record<string, unknown> }
  | {
      class_name: string;
      config?: Record<string, unknown>;
      module?: string;
      registered_name?: string | null;
    };

/** Sizes along the axes, null where they are known with the data only. */
export type OpenShape = readonly (number | null)[];

/** An activation: its name, a function of a tensor, or null for none. */
export type Activation =
  | Named<
      | 'linear'
      | 'relu'
      | 'relu6'
      | 'leakyRelu'
      | 'elu'
      | 'selu'
      | 'softplus'
      | 'softsign'
      | 'tanh'
      | 'sigmoid'
      | 'hardSigmoid'
      | 'hardSilu'
      | 'silu'
      | 'swish'
      | 'gelu'
      | 'mish'
      | 'exponential'
      | 'celu'
      | 'glu'
      | 'hardShrink'
      | 'hardTanh'
      | 'logSigmoid'
      | 'softShrink'
      | 'sparsePlus'
      | 'sparseSigmoid'
      | 'sparsemax'
      | 'squareplus'
      | 'tanhShrink'
      | 'softmax'
      | 'logSoftmax'
    >
  | ((x: Tensor) => Tensor)
  | null;

/** What a weight begins with: a name, a class with its configuration, or a function of a shape. */
export type LayerInitializer =
  | Named<
      | 'zeros'
      | 'ones'
      | 'constant'
      | 'identity'
      | 'randomUniform'
      | 'randomNormal'
      | 'truncatedNormal'
      | 'glorotUniform'
      | 'glorotNormal'
      | 'heUniform'
      | 'heNormal'
      | 'lecunUniform'
      | 'lecunNormal'
      | 'varianceScaling'
      | 'orthogonal'
    >
  | NamedConfig
  | ((shape: readonly number[]) => Tensor);

/** A penalty on a weight or on an output, which is added to the loss. */
export type Regularizer = Named<'l1' | 'l2' | 'l1l2'> | NamedConfig | null;

/** What a weight is held to after each step; what is locked stays. */
export type WeightConstraint =
  | Named<'nonNeg' | 'unitNorm' | 'maxNorm' | 'minMaxNorm'>
  | NamedConfig
  | null;

/** What every layer takes. */
export interface LayerConfig {
  /** Of the layer, and the beginning of its weights' names. Default: `dense`, `dense_1` and so on. */
  name?: string;
  /** `false` holds all its weights. Default: true. */
  trainable?: boolean;
  /** Of the input, without the batch: for the first layer of a `sequential`. */
  inputShape?: OpenShape;
  /** The same, with the batch. */
  batchInputShape?: OpenShape;
  /** Beside inputShape. */
  batchSize?: number;
  /** What the weights begin with, in order. */
  weights?: readonly TensorLike[];
}

/** @internal */
interface KernelConfig {
  /** Default: 'glorotUniform'. */
  kernelInitializer?: LayerInitializer;
  /** Added to the loss, of these weights. */
  kernelRegularizer?: Regularizer;
  /** What each update keeps these weights to. */
  kernelConstraint?: WeightConstraint;
}

/** @internal */
interface BiasConfig {
  /** Default: true. */
  useBias?: boolean;
  /** Default: 'zeros'. */
  biasInitializer?: LayerInitializer;
  /** Added to the loss, of these weights. */
  biasRegularizer?: Regularizer;
  /** What each update keeps these weights to. */
  biasConstraint?: WeightConstraint;
}

/** @internal */
interface AffineConfig extends LayerConfig, BiasConfig {
  /** Default: 'linear'. */
  activation?: Activation;
  /** On the output. */
  activityRegularizer?: Regularizer;
}

export interface DenseConfig extends AffineConfig, KernelConfig {
  /** Size of the last axis of the output. */
  units: number;
}

/** @internal */
interface Windows<Size> {
  /** Default: 1. */
  strides?: Size;
  /** Default: 'valid'. */
  padding?: 'valid' | 'same';
  /** The only layout. */
  dataFormat?: 'channelsLast';
}

/** @inline @internal */
type Pair = number | readonly [number, number];
/** @inline @internal */
type One = number | readonly [number];
/** @inline @internal */
type Three = number | readonly [number, number, number];

export interface Conv2DConfig extends AffineConfig, KernelConfig, Windows<Pair> {
  /** Channels of the output. */
  filters: number;
  /** Height and width, or one number for both. */
  kernelSize: Pair;
  /** Default: 1. */
  dilationRate?: Pair;
  /** Default: 1. */
  groups?: number;
}

export interface Conv1DConfig extends AffineConfig, KernelConfig, Omit<Windows<One>, 'padding'> {
  /** Channels of the output. */
  filters: number;
  /** Steps that a filter sees. */
  kernelSize: One;
  /** `'causal'` looks at what came before only. Default: 'valid'. */
  padding?: 'valid' | 'same' | 'causal';
  /** Default: 1. */
  dilationRate?: One;
  /** Default: 1. */
  groups?: number;
}

export interface Conv3DConfig extends AffineConfig, KernelConfig, Windows<Three> {
  /** Channels of the output. */
  filters: number;
  /** Depth, height and width, or one number for all. */
  kernelSize: Three;
  /** Default: 1. */
  dilationRate?: Three;
  /** Default: 1. */
  groups?: number;
}

export interface Conv1DTransposeConfig extends AffineConfig, KernelConfig, Windows<One> {
  /** Channels of the output. */
  filters: number;
  /** Steps that each step gives to. */
  kernelSize: One;
  /** Default: as small as can be. */
  outputPadding?: One | null;
}

export interface Conv3DTransposeConfig extends AffineConfig, KernelConfig, Windows<Three> {
  /** Channels of the output. */
  filters: number;
  /** Depth, height and width, or one number for all. */
  kernelSize: Three;
  /** Default: as small as can be. */
  outputPadding?: Three | null;
}

export interface Conv2DTransposeConfig extends AffineConfig, KernelConfig, Windows<Pair> {
  /** Channels of the output. */
  filters: number;
  /** Height and width, or one number for both. */
  kernelSize: Pair;
  /** Default: as small as can be. */
  outputPadding?: Pair | null;
}

/** @internal */
interface DepthwiseConfig extends AffineConfig {
  /** Outputs of each channel. Default: 1. */
  depthMultiplier?: number;
  /** Default: 'glorotUniform'. */
  depthwiseInitializer?: LayerInitializer;
  /** Added to the loss, of these weights. */
  depthwiseRegularizer?: Regularizer;
  /** What each update keeps these weights to. */
  depthwiseConstraint?: WeightConstraint;
}

/** @internal */
interface PointwiseConfig {
  /** Default: 'glorotUniform'. */
  pointwiseInitializer?: LayerInitializer;
  /** Added to the loss, of these weights. */
  pointwiseRegularizer?: Regularizer;
  /** What each update keeps these weights to. */
  pointwiseConstraint?: WeightConstraint;
}

export interface DepthwiseConv1DConfig extends DepthwiseConfig, Windows<One> {
  /** Steps that a filter sees. */
  kernelSize: One;
  /** Default: 1. */
  dilationRate?: One;
}

export interface DepthwiseConv2DConfig extends DepthwiseConfig, Windows<Pair> {
  /** Height and width, or one number for both. */
  kernelSize: Pair;
  /** Default: 1. */
  dilationRate?: Pair;
}

export interface SeparableConv1DConfig extends DepthwiseConv1DConfig, PointwiseConfig {
  /** Channels of the output. */
  filters: number;
}

export interface SeparableConv2DConfig extends DepthwiseConv2DConfig, PointwiseConfig {
  /** Channels of the output. */
  filters: number;
}

export interface Pooling3DConfig extends LayerConfig, Omit<Windows<Three>, 'strides'> {
  /** Default: 2. */
  poolSize?: Three;
  /** Default: poolSize. */
  strides?: Three | null;
}

export interface Pooling2DConfig extends LayerConfig, Omit<Windows<Pair>, 'strides'> {
  /** Default: 2. */
  poolSize?: Pair;
  /** Default: poolSize. */
  strides?: Pair | null;
}

export interface Pooling1DConfig extends LayerConfig, Omit<Windows<One>, 'strides'> {
  /** Default: 2. */
  poolSize?: One;
  /** Default: poolSize. */
  strides?: One | null;
}

export interface GlobalPoolingConfig extends LayerConfig {
  /** Default: false. */
  keepdims?: boolean;
  /** The only layout. */
  dataFormat?: 'channelsLast';
}

export interface ActivationConfig extends LayerConfig {
  /** What its sums go through. */
  activation: Activation;
}

export interface ReLUConfig extends LayerConfig {
  /** null: none. */
  maxValue?: number | null;
  /** Default: 0. */
  negativeSlope?: number;
  /** Default: 0. */
  threshold?: number;
}

export interface LeakyReLUConfig extends LayerConfig {
  /** Default: 0.3. */
  negativeSlope?: number;
  /** TensorFlow.js's name of it. */
  alpha?: number;
}

export interface PReLUConfig extends LayerConfig {
  /** Default: 'zeros'. */
  alphaInitializer?: LayerInitializer;
  /** Added to the loss, of these weights. */
  alphaRegularizer?: Regularizer;
  /** What each update keeps these weights to. */
  alphaConstraint?: WeightConstraint;
  /** Axes along which alpha is one. */
  sharedAxes?: number | readonly number[] | null;
}

export interface ELUConfig extends LayerConfig {
  /** Default: 1. */
  alpha?: number;
}

export interface SoftmaxConfig extends LayerConfig {
  /** Default: the last. */
  axis?: number | readonly number[];
}

export interface RescalingConfig extends LayerConfig {
  /** Factor of the inputs. */
  scale: number | readonly number[];
  /** Default: 0. */
  offset?: number | readonly number[];
}

export interface DropoutConfig extends LayerConfig {
  /** The part that is left out, from 0 to 1. */
  rate: number;
  /** Draws of its own. */
  seed?: number | null;
  /** Of the draws; null where it is the input's. */
  noiseShape?: OpenShape | null;
}

export interface SpatialDropoutConfig extends LayerConfig {
  /** The part of the channels that is left out, from 0 to 1. */
  rate: number;
  /** Draws of its own. */
  seed?: number | null;
}

export interface GaussianDropoutConfig extends LayerConfig {
  /** The variance of the noise is rate / (1 − rate), as that of dropout with this rate. */
  rate: number;
  /** Draws of its own. */
  seed?: number | null;
}

export interface GaussianNoiseConfig extends LayerConfig {
  /** Standard deviation of the noise. */
  stddev: number;
  /** Draws of its own. */
  seed?: number | null;
}

/** @internal */
interface ScaleConfig extends LayerConfig {
  /** Default: 0.001. */
  epsilon?: number;
  /** Whether there is beta. Default: true. */
  center?: boolean;
  /** Whether there is gamma. Default: true. */
  scale?: boolean;
  /** Default: 'zeros'. */
  betaInitializer?: LayerInitializer;
  /** Added to the loss, of these weights. */
  betaRegularizer?: Regularizer;
  /** What each update keeps these weights to. */
  betaConstraint?: WeightConstraint;
  /** Default: 'ones'. */
  gammaInitializer?: LayerInitializer;
  /** Added to the loss, of these weights. */
  gammaRegularizer?: Regularizer;
  /** What each update keeps these weights to. */
  gammaConstraint?: WeightConstraint;
}

export interface BatchNormalizationConfig extends ScaleConfig {
  /** Of the channels. Default: the last. */
  axis?: number;
  /** How much of the moving statistics a batch leaves. Default: 0.99. */
  momentum?: number;
  /** Default: 'zeros'. */
  movingMeanInitializer?: LayerInitializer;
  /** Default: 'ones'. */
  movingVarianceInitializer?: LayerInitializer;
}

export interface LayerNormalizationConfig extends ScaleConfig {
  /** Default: the last. */
  axis?: number | readonly number[];
}

export interface GroupNormalizationConfig extends ScaleConfig {
  /** A number that divides the channels; -1: as many as channels. Default: 32. */
  groups?: number;
  /** Of the channels. Default: the last. */
  axis?: number;
}

export interface RMSNormalizationConfig extends LayerConfig {
  /** Default: the last. */
  axis?: number | readonly number[];
  /** Default: 0.000001. */
  epsilon?: number;
}

export interface UnitNormalizationConfig extends LayerConfig {
  /** Default: the last. */
  axis?: number | readonly number[];
}

export interface MaskingConfig extends LayerConfig {
  /** Default: 0. */
  maskValue?: number;
}

export interface EmbeddingConfig extends LayerConfig {
  /** How many there are: indices are below it. */
  inputDim: number;
  /** Numbers of each. */
  outputDim: number;
  /** Default: 'randomUniform'. */
  embeddingsInitializer?: LayerInitializer;
  /** Added to the loss, of these weights. */
  embeddingsRegularizer?: Regularizer;
  /** What each update keeps these weights to. */
  embeddingsConstraint?: WeightConstraint;
  /** Added to the loss, of what the layer gives. */
  activityRegularizer?: Regularizer;
  /** Of TensorFlow.js; says nothing here. */
  inputLength?: number;
  /** Whether 0 means that there is no step, for the layers behind. Default: false. */
  maskZero?: boolean;
}

export interface ReshapeConfig extends LayerConfig {
  /** Without the batch; -1 for what is left. */
  targetShape: readonly number[];
}

export interface PermuteConfig extends LayerConfig {
  /** Axes from 1 up, without the batch. */
  dims: readonly number[];
}

export interface RepeatVectorConfig extends LayerConfig {
  /** How many times. */
  n: number;
}

export interface UpSampling1DConfig extends LayerConfig {
  /** Default: 2. */
  size?: number;
}

export interface UpSampling3DConfig extends LayerConfig {
  /** Default: 2. */
  size?: Three;
  /** The only one here. */
  dataFormat?: 'channelsLast';
}

export interface UpSampling2DConfig extends LayerConfig {
  /** Default: 2. */
  size?: Pair;
  /** Default: 'nearest'. */
  interpolation?: 'nearest' | 'bilinear';
  /** The only one here. */
  dataFormat?: 'channelsLast';
}

/** @inline @internal */
type Sides = Pair | readonly [readonly [number, number], readonly [number, number]];

/** @inline @internal */
type Sides3 =
  | Three
  | readonly [readonly [number, number], readonly [number, number], readonly [number, number]];

export interface ZeroPadding1DConfig extends LayerConfig {
  /** One for both ends, or [before, behind]. Default: 1. */
  padding?: Pair;
  /** The only one here. */
  dataFormat?: 'channelsLast';
}

export interface ZeroPadding3DConfig extends LayerConfig {
  /** One for all, one an axis, or [before, behind] of each axis. Default: 1. */
  padding?: Sides3;
  /** The only one here. */
  dataFormat?: 'channelsLast';
}

export interface ZeroPadding2DConfig extends LayerConfig {
  /** One for all, [vertical, horizontal] or [[top, bottom], [left, right]]. Default: 1. */
  padding?: Sides;
  /** The only one here. */
  dataFormat?: 'channelsLast';
}

export interface Cropping1DConfig extends LayerConfig {
  /** As padding of zeroPadding1d. Default: 1. */
  cropping?: Pair;
}

export interface Cropping3DConfig extends LayerConfig {
  /** As padding of zeroPadding3d. Default: 1. */
  cropping?: Sides3;
  /** The only one here. */
  dataFormat?: 'channelsLast';
}

export interface Cropping2DConfig extends LayerConfig {
  /** As padding of zeroPadding2d. Default: 0. */
  cropping?: Sides;
  /** The only one here. */
  dataFormat?: 'channelsLast';
}

export interface ConcatenateConfig extends LayerConfig {
  /** Default: the last. */
  axis?: number;
}

export interface DotConfig extends LayerConfig {
  /** Along which to multiply and add: of both, or one of each. */
  axes: number | readonly [number, number];
  /** Whether vectors are brought to length 1 first. Default: false. */
  normalize?: boolean;
}

export interface AttentionConfig extends LayerConfig {
  /** Whether scores have a scale, which is trained. Default: false. */
  useScale?: boolean;
  /** Default: 'dot'. */
  scoreMode?: 'dot' | 'concat';
  /** Of weights of attention. Default: 0. */
  dropout?: number;
  /** Draws of its own. */
  seed?: number | null;
}

export interface MultiHeadAttentionConfig extends LayerConfig, KernelConfig, BiasConfig {
  /** Number of heads. */
  numHeads: number;
  /** Size of a head's queries and keys. */
  keyDim: number;
  /** Of its values. Default: keyDim. */
  valueDim?: number | null;
  /** Of weights of attention. Default: 0. */
  dropout?: number;
  /** Default: the query's last size. */
  outputShape?: number | readonly number[] | null;
  /** Default: the one of steps. */
  attentionAxes?: number | readonly number[] | null;
  /** Added to the loss, of what the layer gives. */
  activityRegularizer?: Regularizer;
  /** Draws of its own. */
  seed?: number | null;
}

export interface RecurrentConfig extends LayerConfig, KernelConfig, BiasConfig {
  /** Size of the output. */
  units: number;
  /** Default: 'tanh'. */
  activation?: Activation;
  /** Default: 'orthogonal'. */
  recurrentInitializer?: LayerInitializer;
  /** Added to the loss, of these weights. */
  recurrentRegularizer?: Regularizer;
  /** What each update keeps these weights to. */
  recurrentConstraint?: WeightConstraint;
  /** Added to the loss, of what the layer gives. */
  activityRegularizer?: Regularizer;
  /** Of the inputs, the same at all steps. Default: 0. */
  dropout?: number;
  /** Of what recurs. Default: 0. */
  recurrentDropout?: number;
  /** Draws of its own. */
  seed?: number | null;
  /** Whether to give the outputs of all steps: [batch, steps, units]. Default: false. */
  returnSequences?: boolean;
  /** Whether to give the last states too, in a list. Default: false. */
  returnState?: boolean;
  /** From the last step to the first. Default: false. */
  goBackwards?: boolean;
  /** Whether a batch begins where the one before ended. Needs batchInputShape. Default: false. */
  stateful?: boolean;
  /** Whether outputs of steps that are masked are 0. Default: false. */
  zeroOutputForMask?: boolean;
}

export interface LSTMConfig extends RecurrentConfig {
  /** Of the gates. Default: 'sigmoid'. */
  recurrentActivation?: Activation;
  /** Whether the forget gate's bias begins at 1. Default: true. */
  unitForgetBias?: boolean;
}

export interface GRUConfig extends RecurrentConfig {
  /** Of the gates. Default: 'sigmoid'. */
  recurrentActivation?: Activation;
  /** Whether the reset gate acts behind the product. Default: true. */
  resetAfter?: boolean;
}

export interface BidirectionalConfig extends LayerConfig {
  /** Recurrent; it is copied for both ways. */
  layer: Layer;
  /** For the way back. Default: a copy of layer. */
  backwardLayer?: Layer | null;
  /** What is made of both outputs; null: a list. Default: 'concat'. */
  mergeMode?: 'concat' | 'sum' | 'ave' | 'mul' | null;
}

export interface TimeDistributedConfig extends LayerConfig {
  /** What to apply at each step. */
  layer: Layer;
}

export interface InputConfig {
  /** Without the batch. */
  shape?: OpenShape;
  /** With it. */
  batchShape?: OpenShape;
  /** For models of several inputs. Default: made of the class. */
  name?: string;
}

/** What `layers()` takes. */
export interface LayersOptions {
  /** What weights, dropout and shuffling draw from. Default: g's own seeds. */
  seed?: Seed;
}
