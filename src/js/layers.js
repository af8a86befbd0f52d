// The entry of layers: models, compile and fit, on an instance that `init()` of `gradlock` or
// `gradlock/external` returned. The types of single layers and of their options are published too
// (src/npm/tidy.mjs).
import { refuseRest } from './base/arity.js';
import { Layers as Factory } from './layers/factory.js';

/** @typedef {import('./gradlock.js').Gradlock} Gradlock */
/** @typedef {import('./layers/config/activations.js').Activation} Activation */
/** @typedef {import('./layers/config/constraints.js').WeightConstraint} WeightConstraint */
/** @typedef {import('./layers/config/fields.js').LayerConfig} LayerConfig */
/** @typedef {import('./layers/config/initializers.js').LayerInitializer} LayerInitializer */
/** @typedef {import('./layers/config/initializers.js').WeightInitializer} WeightInitializer */
/** @typedef {import('./layers/config/open-shapes.js').OpenShape} OpenShape */
/** @typedef {import('./layers/config/regularizers.js').RegularizerOption} RegularizerOption */
/** @typedef {import('./layers/config/serial.js').NamedConfig} NamedConfig */
/** @typedef {import('./layers/factory.js').InputConfig} InputConfig */
/** @typedef {import('./layers/factory.js').LayersOptions} LayersOptions */
/** @typedef {import('./layers/factory.js').ReadyCallbacks} ReadyCallbacks */
/** @typedef {Factory & import('./layers/factory.js').Makers} Layers */
/** @typedef {import('./layers/fit/callbacks.js').Callback} Callback */
/** @typedef {import('./layers/fit/callbacks.js').EarlyStoppingOptions} EarlyStoppingOptions */
/** @typedef {import('./layers/fit/callbacks.js').ModelCheckpointOptions} ModelCheckpointOptions */
/**
 * @typedef {import('./layers/fit/callbacks.js').ReduceLROnPlateauOptions} ReduceLROnPlateauOptions
 */
/** @typedef {import('./layers/fit/compile.js').CompileOptions} CompileOptions */
/** @typedef {import('./layers/fit/compile.js').LayerLoss} LayerLoss */
/** @typedef {import('./layers/fit/compile.js').LayerMetric} LayerMetric */
/** @template T @typedef {import('./layers/fit/compile.js').PerOutput<T>} PerOutput */
/** @typedef {import('./layers/fit/data-sources.js').Batch} Batch */
/** @typedef {import('./layers/fit/data-sources.js').Batches} Batches */
/** @typedef {import('./layers/fit/data-sources.js').Rows} Rows */
/** @typedef {import('./layers/fit/fit.js').FitOptions} FitOptions */
/** @typedef {import('./layers/fit/fit.js').FitResult} FitResult */
/** @typedef {import('./layers/fit/fit.js').Progress} Progress */
/** @typedef {import('./layers/layer/layer.js').CallOptions} CallOptions */
/** @typedef {import('./layers/layer/layer.js').Inputs} Inputs */
/** @typedef {import('./layers/layer/layer.js').Layer} Layer */
/** @typedef {import('./layers/layer/layer.js').OwnLayer} OwnLayer */
/** @typedef {import('./layers/layer/layer.js').Symbols} Symbols */
/** @typedef {import('./layers/layer/symbolic.js').SymbolicTensor} SymbolicTensor */
/** @typedef {import('./layers/model/model.js').Model} Model */
/** @typedef {import('./layers/model/model.js').ModelOptions} ModelOptions */
/** @typedef {import('./layers/model/model.js').WeightFilter} WeightFilter */
/** @typedef {import('./layers/model/sequential.js').Sequential} Sequential */
/** @typedef {import('./layers/model/sequential.js').SequentialOptions} SequentialOptions */
/** @typedef {import('./layers/model/summary.js').Summary} Summary */
/** @typedef {import('./layers/model/trainer.js').Stage} Stage */
/** @typedef {import('./layers/pressure/parts.js').PressureRow} PressureRow */
/** @typedef {import('./layers/pressure/pressure.js').LiftPressureOptions} LiftPressureOptions */
/** @typedef {import('./layers/pressure/pressure.js').PressureOptions} PressureOptions */
/** @typedef {import('./layers/pressure/report.js').Pressure} Pressure */
/** @typedef {import('./layers/pressure/report.js').PressureMeasure} PressureMeasure */
/** @typedef {import('./layers/pressure/report.js').PressureUnit} PressureUnit */

/**
 * Layers and models on an instance: `const nn = layers(g)`, then `nn.dense(…)`, `nn.sequential(…)`.
 * @type {{
 *   (g: Gradlock, options?: LayersOptions, ...more: []): Layers;
 *   (g: import('#double/types.js').Gradlock, options?: LayersOptions, ...more: []):
 *     import('#double/layers.js').Layers;
 *   (g: Gradlock, options?: LayersOptions, ...more: []): Layers;
 * }}
 */
export const layers = (/** @type {any} */ g, options = {}, ...more) => {
  refuseRest('layers', 2, more);
  return /** @type {Layers} */ (new Factory(g, options));
};
