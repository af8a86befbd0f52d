// Embedding: selected rows of a table. Source: keras/src/layers/core/embedding.py of Keras 3.15.
import * as field from '../config/fields.js';
import { RowWise } from '../layer/row-wise.js';
import { UNBUILT } from '../layer/weighted.js';
import { readOpenShape } from '../config/open-shapes.js';

/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Variable } from '../../locks/variable.js' */

/** @type {field.Field<any, number | null, null>} */
const inputLength = new field.Field(
  null,
  (value, what) =>
    value === null ? null : readOpenShape(Array.isArray(value) ? value : [value], what),
  () => undefined,
);

/** Selects rows of a table. Weights: embeddings [inputDim, outputDim]. */
export class Embedding extends RowWise {
  /** @override */ static className = 'Embedding';
  /** @override */ static fields = {
    /** The number of rows. Indices must be below it. */
    inputDim: field.count(),
    /** The size of each row. */
    outputDim: field.count(),
    /** The initial values of the table. Default: 'randomUniform'. */
    embeddingsInitializer: field.initializer('RandomUniform'),
    /** A penalty on these weights, added to the loss. */
    embeddingsRegularizer: field.regularizer(),
    /** A constraint on these weights, applied after each update. */
    embeddingsConstraint: field.constraint(),
    /** A penalty on the layer's output, added to the loss. */
    activityRegularizer: field.regularizer(),
    /** True if index 0 marks a missing step, which later layers skip. Default: false. */
    maskZero: field.flag(false),
    quantizationConfig: field.fixed(null),
    /** TensorFlow.js's option for an inputShape with one size. */
    inputLength,
  };

  /** The table, [inputDim, outputDim]. Created when the layer is built. @type {Variable} */
  embeddings = UNBUILT;

  /** @internal @param {import('../layer/toolkit.js').Toolkit} nn @param {any} given */
  constructor(nn, given) {
    super(nn, given);
    const { inputLength } = this.config;
    // As in TensorFlow.js. It is not written, since Keras 3 does not have it.
    if (inputLength !== null) this.batchInputShape ??= [null, ...[inputLength].flat()];
  }

  /** @override */ build() {
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

  /** @override */ get makesMasks() {
    return this.config.maskZero;
  }

  /** @override @param {Tensor} ids */
  computeMask(ids) {
    return this.g.notEqual(ids, 0);
  }
}
