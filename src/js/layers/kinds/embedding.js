// Rows of a table, by their numbers. Source: keras/src/layers/core/embedding.py of Keras 3.15.
import * as field from '../config/fields.js';
import { RowWise } from '../layer/row-wise.js';
import { readOpenShape } from '../config/open-shapes.js';

/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('../../locks/variable.js').Variable} Variable */

/** @type {field.Field<any>} */
const inputLength = {
  initial: null,
  read: (value, what) =>
    value === null ? null : readOpenShape(Array.isArray(value) ? value : [value], what),
  write: () => undefined,
};

/** Rows of a table. Weights: embeddings [inputDim, outputDim]. */
export class Embedding extends RowWise {
  /** @override */
  static className = 'Embedding';
  /** @override */
  static fields = {
    inputDim: field.count(),
    outputDim: field.count(),
    ...field.weight('embeddings', 'RandomUniform'),
    activityRegularizer: field.regularizer(),
    maskZero: field.flag(false),
    quantizationConfig: field.fixed(null),
    inputLength,
  };

  /** @type {Variable | undefined} */
  embeddings;

  /** @param {import('../layer/toolkit.js').Toolkit} nn @param {any} given */
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
    return this.g.gather(/** @type {Variable} */ (this.embeddings), ids);
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
