// Rows of a table, by their numbers. Source: keras/src/layers/core/embedding.py of Keras 3.15.
import * as field from '../config/fields.js';
import { RowWise } from '../layer/row-wise.js';
import { UNBUILT } from '../layer/weighted.js';
import { readOpenShape } from '../config/open-shapes.js';

/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('../../locks/variable.js').Variable} Variable */

/** @type {field.Field<any, number | null, null>} */
const inputLength = new field.Field(
  null,
  (value, what) =>
    value === null ? null : readOpenShape(Array.isArray(value) ? value : [value], what),
  () => undefined,
);

/** Rows of a table. Weights: embeddings [inputDim, outputDim]. */
export class Embedding extends RowWise {
  /** @override */
  static className = 'Embedding';
  /** @override */
  static fields = {
    /** How many there are: indices are below it. */
    inputDim: field.count(),
    /** Numbers of each. */
    outputDim: field.count(),
    /** Default: 'randomUniform'. */
    embeddingsInitializer: field.initializer('RandomUniform'),
    /** A penalty on these weights, added to the loss. */
    embeddingsRegularizer: field.regularizer(),
    /** A constraint on these weights, applied after each update. */
    embeddingsConstraint: field.constraint(),
    /** A penalty on the layer's output, added to the loss. */
    activityRegularizer: field.regularizer(),
    /** Whether 0 means that there is no step, for the layers behind. Default: false. */
    maskZero: field.flag(false),
    quantizationConfig: field.fixed(null),
    /** TensorFlow.js's word for an inputShape of one size. */
    inputLength,
  };

  /** [inputDim, outputDim]; made when the layer is built. @type {Variable} */
  embeddings = UNBUILT;

  /** @internal @param {import('../layer/toolkit.js').Toolkit} nn @param {any} given */
  constructor(nn, given) {
    super(nn, given);
    const { inputLength } = this.config;
    // As in TensorFlow.js. Keras 3 leaves it out, so that it is not written.
    if (inputLength !== null) this.batchInputShape ??= [null, ...[inputLength].flat()];
  }

  /** @override */
  build() {
    const { inputDim, outputDim } = this.config;
    this.embeddings = this.addFieldWeight('embeddings', [inputDim, outputDim]);
  }

  /** @override @param {any} shape */
  inferShape(shape) {
    return [...shape, this.config.outputDim];
  }

  /** @override @param {Tensor} ids */
  call(ids) {
    return this.g.gather(this.embeddings, ids);
  }

  /** @override */
  get makesMasks() {
    return this.config.maskZero;
  }

  /** @override @param {Tensor} ids */
  computeMask(ids) {
    return this.g.notEqual(ids, 0);
  }
}
