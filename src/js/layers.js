// The entry of layers: models, compile and fit, on an instance that `init()` of `gradlock` or
// `gradlock/external` gave.
import { Factory } from './layers/factory.js';

/** @typedef {import('./layers/api-layers.js').SequentialOptions} SequentialOptions */
/** @typedef {import('./layers/api-layers.js').ModelOptions} ModelOptions */
/** @typedef {import('./layers/api-layers.js').Layers} Layers */
/** @typedef {import('./layers/api-models.js').SymbolicTensor} SymbolicTensor */
/** @typedef {import('./layers/api-models.js').Batch} Batch */
/** @typedef {import('./layers/api-models.js').Batches} Batches */
/** @typedef {import('./layers/api-models.js').CallOptions} CallOptions */
/** @typedef {import('./layers/api-models.js').Data} Data */
/** @typedef {import('./layers/api-models.js').LayerInputs} LayerInputs */
/** @typedef {import('./layers/api-models.js').Layer} Layer */
/** @typedef {import('./layers/api-models.js').KernelLayer} KernelLayer */
/** @typedef {import('./layers/api-models.js').SeparableLayer} SeparableLayer */
/** @typedef {import('./layers/api-models.js').RecurrentLayer} RecurrentLayer */
/** @typedef {import('./layers/api-models.js').EmbeddingLayer} EmbeddingLayer */
/** @typedef {import('./layers/api-models.js').NormalizationLayer} NormalizationLayer */
/** @typedef {import('./layers/api-models.js').BatchNormalizationLayer} BatchNormalizationLayer */
/** @typedef {import('./layers/api-models.js').PReLULayer} PReLULayer */
/** @typedef {import('./layers/api-models.js').RMSNormalizationLayer} RMSNormalizationLayer */
/** @typedef {import('./layers/api-models.js').BidirectionalLayer} BidirectionalLayer */
/** @typedef {import('./layers/api-models.js').LayerConstructor} LayerConstructor */
/** @typedef {import('./layers/api-models.js').WeightInitializer} WeightInitializer */
/** @typedef {import('./layers/api-models.js').CustomLayer} CustomLayer */
/** @typedef {import('./layers/api-models.js').LayerLoss} LayerLoss */
/** @typedef {import('./layers/api-models.js').LayerMetric} LayerMetric */
/**
 * @template T @typedef {import('./layers/api-models.js').PerOutput<T>} PerOutput
 */
/** @typedef {import('./layers/api-models.js').CompileOptions} CompileOptions */
/** @typedef {import('./layers/api-models.js').Model} Model */
/** @typedef {import('./layers/api-models.js').Sequential} Sequential */
/** @typedef {import('./layers/api-models.js').MonitorOptions} MonitorOptions */
/** @typedef {import('./layers/api-models.js').EarlyStoppingOptions} EarlyStoppingOptions */
/** @typedef {import('./layers/api-models.js').ReduceLROnPlateauOptions} ReduceLROnPlateauOptions */
/** @typedef {import('./layers/api-models.js').ModelCheckpointOptions} ModelCheckpointOptions */
/** @typedef {import('./layers/api-models.js').ReadyCallbacks} ReadyCallbacks */
/** @typedef {import('./layers/api-models.js').PressureMeasure} PressureMeasure */
/** @typedef {import('./layers/api-models.js').PressureUnit} PressureUnit */
/** @typedef {import('./layers/api-models.js').PressureMeasureOptions} PressureMeasureOptions */
/** @typedef {import('./layers/api-models.js').PressureOptions} PressureOptions */
/** @typedef {import('./layers/api-models.js').Pressure} Pressure */
/** @typedef {import('./layers/api-models.js').LiftPressureOptions} LiftPressureOptions */
/** @typedef {import('./layers/pressure/parts.js').PressureRow} PressureRow */
/** @typedef {import('./layers/api-configs.js').NamedConfig} NamedConfig */
/** @typedef {import('./layers/api-configs.js').OpenShape} OpenShape */
/** @typedef {import('./layers/api-configs.js').Activation} Activation */
/** @typedef {import('./layers/api-configs.js').LayerInitializer} LayerInitializer */
/** @typedef {import('./layers/api-configs.js').Regularizer} Regularizer */
/** @typedef {import('./layers/api-configs.js').WeightConstraint} WeightConstraint */
/** @typedef {import('./layers/api-configs.js').LayerConfig} LayerConfig */
/** @typedef {import('./layers/api-configs.js').DenseConfig} DenseConfig */
/** @typedef {import('./layers/api-configs.js').Conv2DConfig} Conv2DConfig */
/** @typedef {import('./layers/api-configs.js').Conv1DConfig} Conv1DConfig */
/** @typedef {import('./layers/api-configs.js').Conv1DTransposeConfig} Conv1DTransposeConfig */
/** @typedef {import('./layers/api-configs.js').Conv3DConfig} Conv3DConfig */
/** @typedef {import('./layers/api-configs.js').Conv3DTransposeConfig} Conv3DTransposeConfig */
/** @typedef {import('./layers/api-configs.js').Cropping1DConfig} Cropping1DConfig */
/** @typedef {import('./layers/api-configs.js').Cropping3DConfig} Cropping3DConfig */
/** @typedef {import('./layers/api-configs.js').DepthwiseConv1DConfig} DepthwiseConv1DConfig */
/** @typedef {import('./layers/api-configs.js').GaussianDropoutConfig} GaussianDropoutConfig */
/**
 * @typedef {import('./layers/api-configs.js').GroupNormalizationConfig} GroupNormalizationConfig
 */
/** @typedef {import('./layers/api-configs.js').MaskingConfig} MaskingConfig */
/** @typedef {import('./layers/api-configs.js').Pooling3DConfig} Pooling3DConfig */
/** @typedef {import('./layers/api-configs.js').RMSNormalizationConfig} RMSNormalizationConfig */
/** @typedef {import('./layers/api-configs.js').SeparableConv1DConfig} SeparableConv1DConfig */
/** @typedef {import('./layers/api-configs.js').UnitNormalizationConfig} UnitNormalizationConfig */
/** @typedef {import('./layers/api-configs.js').UpSampling1DConfig} UpSampling1DConfig */
/** @typedef {import('./layers/api-configs.js').UpSampling3DConfig} UpSampling3DConfig */
/** @typedef {import('./layers/api-configs.js').ZeroPadding1DConfig} ZeroPadding1DConfig */
/** @typedef {import('./layers/api-configs.js').ZeroPadding3DConfig} ZeroPadding3DConfig */
/** @typedef {import('./layers/api-configs.js').Conv2DTransposeConfig} Conv2DTransposeConfig */
/** @typedef {import('./layers/api-configs.js').DepthwiseConv2DConfig} DepthwiseConv2DConfig */
/** @typedef {import('./layers/api-configs.js').SeparableConv2DConfig} SeparableConv2DConfig */
/** @typedef {import('./layers/api-configs.js').Pooling2DConfig} Pooling2DConfig */
/** @typedef {import('./layers/api-configs.js').Pooling1DConfig} Pooling1DConfig */
/** @typedef {import('./layers/api-configs.js').GlobalPoolingConfig} GlobalPoolingConfig */
/** @typedef {import('./layers/api-configs.js').ActivationConfig} ActivationConfig */
/** @typedef {import('./layers/api-configs.js').ReLUConfig} ReLUConfig */
/** @typedef {import('./layers/api-configs.js').LeakyReLUConfig} LeakyReLUConfig */
/** @typedef {import('./layers/api-configs.js').PReLUConfig} PReLUConfig */
/** @typedef {import('./layers/api-configs.js').ELUConfig} ELUConfig */
/** @typedef {import('./layers/api-configs.js').SoftmaxConfig} SoftmaxConfig */
/** @typedef {import('./layers/api-configs.js').RescalingConfig} RescalingConfig */
/** @typedef {import('./layers/api-configs.js').DropoutConfig} DropoutConfig */
/** @typedef {import('./layers/api-configs.js').SpatialDropoutConfig} SpatialDropoutConfig */
/** @typedef {import('./layers/api-configs.js').GaussianNoiseConfig} GaussianNoiseConfig */
/**
 * @typedef {import('./layers/api-configs.js').BatchNormalizationConfig} BatchNormalizationConfig
 */
/**
 * @typedef {import('./layers/api-configs.js').LayerNormalizationConfig} LayerNormalizationConfig
 */
/** @typedef {import('./layers/api-configs.js').EmbeddingConfig} EmbeddingConfig */
/** @typedef {import('./layers/api-configs.js').ReshapeConfig} ReshapeConfig */
/** @typedef {import('./layers/api-configs.js').PermuteConfig} PermuteConfig */
/** @typedef {import('./layers/api-configs.js').RepeatVectorConfig} RepeatVectorConfig */
/** @typedef {import('./layers/api-configs.js').UpSampling2DConfig} UpSampling2DConfig */
/** @typedef {import('./layers/api-configs.js').ZeroPadding2DConfig} ZeroPadding2DConfig */
/** @typedef {import('./layers/api-configs.js').Cropping2DConfig} Cropping2DConfig */
/** @typedef {import('./layers/api-configs.js').ConcatenateConfig} ConcatenateConfig */
/** @typedef {import('./layers/api-configs.js').DotConfig} DotConfig */
/** @typedef {import('./layers/api-configs.js').AttentionConfig} AttentionConfig */
/**
 * @typedef {import('./layers/api-configs.js').MultiHeadAttentionConfig} MultiHeadAttentionConfig
 */
/** @typedef {import('./layers/api-configs.js').RecurrentConfig} RecurrentConfig */
/** @typedef {import('./layers/api-configs.js').LSTMConfig} LSTMConfig */
/** @typedef {import('./layers/api-configs.js').GRUConfig} GRUConfig */
/** @typedef {import('./layers/api-configs.js').BidirectionalConfig} BidirectionalConfig */
/** @typedef {import('./layers/api-configs.js').TimeDistributedConfig} TimeDistributedConfig */
/** @typedef {import('./layers/api-configs.js').InputConfig} InputConfig */
/** @typedef {import('./layers/api-configs.js').LayersOptions} LayersOptions */
/** @typedef {import('./layers/fit/callbacks.js').Callback} Callback */
/** @typedef {import('./layers/fit/fit.js').FitOptions} FitOptions */
/** @typedef {import('./layers/fit/fit.js').FitResult} FitResult */
/** @typedef {import('./layers/fit/fit.js').Progress} Progress */
/** @typedef {import('./layers/model/trainer.js').Stage} Stage */
/** @typedef {import('./layers/model/summary.js').Summary} Summary */
/** @typedef {import('./layers/model/model.js').WeightFilter} WeightFilter */

/**
 * Layers and models on an instance: `const nn = layers(g)`, then `nn.dense(…)`, `nn.sequential(…)`.
 * @param {import('./gradlock.js').Gradlock} g
 * @param {LayersOptions} [options]
 * @returns {Layers}
 */
export const layers = (g, options = {}) => /** @type {any} */ (new Factory(g, options));
