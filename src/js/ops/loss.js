// `g.losses`: Keras 3's losses, by its names, with its order of operands and its defaults.
import { bindMethods } from '../base/bind.js';
import { readChoice, readFlag, readInteger, readNumber, readOptions } from '../base/check.js';
import { apply } from '../tensors/apply.js';
import { IDS, INSTANCE } from './table.js';

/** @import { OpTable } from './table.js' */
/** @import { TensorLike } from '../tensors/tensor.js' */
/**
 * @typedef {object} LossOptions
 * @property {'sumOverBatchSize' | 'mean' | 'sum' | 'none'} [reduction] What is left of the losses
 *   of the samples: their mean, by either name; their sum; or all of them.
 *   Default: 'sumOverBatchSize'.
 */
/**
 * @typedef {LossOptions & { delta?: number }} HuberOptions `delta`: where the loss becomes linear.
 *   Default: 1.
 */
/**
 * @typedef {LossOptions & { axis?: number }} CosineSimilarityOptions
 *   `axis`: the axis of the vectors.
 */
/**
 * @typedef {LossOptions & { fromLogits?: boolean }} SparseOptions `fromLogits`: whether yPred is
 *   logits. Default: false.
 */
/**
 * @typedef {SparseOptions & { labelSmoothing?: number }} CrossentropyOptions `labelSmoothing`: from
 *   0 to 1, how much of each label goes to all classes alike. Default: 0.
 */

/** In the order of the rows' numbers; 'mean' is another name of the last. */
const REDUCTIONS = ['none', 'sum', 'sumOverBatchSize', 'mean'];

/** How options become numbers. @type {Record<string, (value: unknown, what: string) => number>} */
const READERS = {
  reduction: (value, what) => Math.min(readChoice(value, what, REDUCTIONS), 2),
  delta: readNumber,
  axis: readInteger,
  fromLogits: (value, what) => Number(readFlag(value, what)),
  labelSmoothing: readNumber,
};

/**
 * The losses. Each takes the truth first and the prediction second, both tensors, variables,
 * numbers or arrays. The result is a scalar. With `reduction: 'none'` it is one loss per sample,
 * without the last axis. If ranks differ by one and the longer shape ends in 1, as [n] and [n, 1],
 * they are compared sample by sample. Gradients reach both operands.
 *
 * Shapes that do not fit throw ShapeError, unknown reductions OptionError, numbers out of range
 * GradlockError.
 * Source: keras/src/losses/losses.py of Keras 3.15.
 */
export class Losses {
  #ops;

  /** @internal @param {OpTable} ops */
  constructor(ops) {
    this.#ops = ops;
    bindMethods(this);
  }

  /**
   * Mean along the last axis of (yTrue − yPred)².
   * @param {TensorLike} yTrue
   * @param {TensorLike} yPred
   * @param {LossOptions} [options]
   * @example
   * g.losses.meanSquaredError([[0, 1], [2, 3]], [[0, 2], [2, 1]]).item(); // 1.25
   * const options = { reduction: 'none' };
   * g.losses.meanSquaredError([[0, 1], [2, 3]], [[0, 2], [2, 1]], options).array(); // [0.5, 2]
   */
  meanSquaredError(yTrue, yPred, options) {
    return this.#apply(
      'meanSquaredError',
      yTrue,
      yPred,
      { reduction: 'sumOverBatchSize' },
      options,
    );
  }

  /**
   * Mean along the last axis of |yTrue − yPred|, with gradient 0 where they are equal.
   * @param {TensorLike} yTrue
   * @param {TensorLike} yPred
   * @param {LossOptions} [options]
   * @example
   * g.losses.meanAbsoluteError([[0, 1], [2, 3]], [[0, 2], [2, 1]]).item(); // 0.75
   */
  meanAbsoluteError(yTrue, yPred, options) {
    return this.#apply(
      'meanAbsoluteError',
      yTrue,
      yPred,
      { reduction: 'sumOverBatchSize' },
      options,
    );
  }

  /**
   * Mean along the last axis of error² / 2 up to |error| = delta, and of delta · (|error| − delta /
   * 2) above it.
   * @param {TensorLike} yTrue
   * @param {TensorLike} yPred
   * @param {HuberOptions} [options]
   * @example
   * g.losses.huber([0, 0], [0.5, 3]).item(); // 1.3125
   * g.losses.huber([0, 0], [0.5, 3], { delta: 2 }).item(); // 2.0625
   */
  huber(yTrue, yPred, options) {
    return this.#apply('huber', yTrue, yPred, { reduction: 'sumOverBatchSize', delta: 1 }, options);
  }

  /**
   * Mean along the last axis of max(1 − yTrue · yPred, 0). Labels that are all 0 or 1 are taken for
   * −1 and 1.
   * @param {TensorLike} yTrue
   * @param {TensorLike} yPred
   * @param {LossOptions} [options]
   * @example
   * g.losses.hinge([-1, 1], [-2, 0.5]).item(); // 0.25
   */
  hinge(yTrue, yPred, options) {
    return this.#apply('hinge', yTrue, yPred, { reduction: 'sumOverBatchSize' }, options);
  }

  /**
   * Minus the cosine of the angle between vectors along an axis, so that −1 is alike and 1 opposed.
   * Vectors shorter than 1e-7 are divided by that.
   * @param {TensorLike} yTrue
   * @param {TensorLike} yPred
   * @param {CosineSimilarityOptions} [options]
   * @example
   * g.losses.cosineSimilarity([[0, 1], [1, 1]], [[0, 2], [1, -1]]).item(); // -0.5
   */
  cosineSimilarity(yTrue, yPred, options) {
    const defaults = { reduction: 'sumOverBatchSize', axis: -1 };
    return this.#apply('cosineSimilarity', yTrue, yPred, defaults, options);
  }

  /**
   * Mean along the last axis of −(y · log p + (1 − y) · log(1 − p)). Probabilities p are taken from
   * 1e-7 to 1 − 1e-7, without gradient outside; logits are exact however large. Both operands have
   * one shape.
   * @param {TensorLike} yTrue Probabilities of 1, usually 0 or 1.
   * @param {TensorLike} yPred Probabilities, or logits with `fromLogits`.
   * @param {CrossentropyOptions} [options]
   * @example
   * g.losses.binaryCrossentropy([0, 1], [0.1, 0.8]).item(); // 0.16425204
   * g.losses.binaryCrossentropy([0, 1], [-2, 2], { fromLogits: true }).item(); // 0.126928
   */
  binaryCrossentropy(yTrue, yPred, options) {
    return this.#apply('binaryCrossentropy', yTrue, yPred, CROSSENTROPY, options);
  }

  /**
   * −Σ y · log p along the last axis. Probabilities p are divided by their sum, then taken from
   * 1e-7 to 1 − 1e-7, without gradient outside; logits are exact however large. Both operands have
   * one shape.
   * @param {TensorLike} yTrue Probabilities of the classes, usually one 1 among zeros.
   * @param {TensorLike} yPred Probabilities, or logits with `fromLogits`.
   * @param {CrossentropyOptions} [options]
   * @example
   * g.losses.categoricalCrossentropy([[0, 1, 0]], [[0.1, 0.7, 0.2]]).item(); // 0.35667497
   * g.losses.categoricalCrossentropy([[0, 1, 0]], [[1, 3, 2]], { fromLogits: true }).item();
   * // 0.40760604
   */
  categoricalCrossentropy(yTrue, yPred, options) {
    return this.#apply('categoricalCrossentropy', yTrue, yPred, CROSSENTROPY, options);
  }

  /**
   * −log p[label] along the last axis. Probabilities p are taken from 1e-7 to 1 − 1e-7, without
   * gradient outside, then divided by their sum; logits are exact however large. A label that names
   * no class throws IndexError, in a program each time it runs.
   * @param {TensorLike} yTrue Numbers of classes, of shape […] or […, 1].
   * @param {TensorLike} yPred Probabilities of shape […, classes], or logits with `fromLogits`.
   * @param {SparseOptions} [options]
   * @example
   * g.losses.sparseCategoricalCrossentropy([1, 0], [[0.1, 0.9], [0.8, 0.2]]).item(); // 0.164252
   * g.losses.sparseCategoricalCrossentropy([1], [[1, 3]], { fromLogits: true }).item();
   * // 0.12692805
   */
  sparseCategoricalCrossentropy(yTrue, yPred, options) {
    const defaults = { reduction: 'sumOverBatchSize', fromLogits: false };
    return this.#apply('sparseCategoricalCrossentropy', yTrue, yPred, defaults, options);
  }

  /**
   * @param {string} name
   * @param {TensorLike} yTrue
   * @param {TensorLike} yPred
   * @param {Record<string, unknown>} defaults In the order of the row's attributes.
   * @param {unknown} options
   */
  #apply(name, yTrue, yPred, defaults, options) {
    const keys = Object.keys(defaults);
    const given = readOptions(options, keys, `${name} options`);
    const attributes = keys.map((key) => {
      const read = /** @type {(value: unknown, what: string) => number} */ (READERS[key]);
      return read(given[key] === undefined ? defaults[key] : given[key], `${name}: ${key}`);
    });
    const ops = this.#ops;
    return apply(ops[INSTANCE], ops[IDS][name], 2, attributes, yTrue, yPred);
  }
}

const CROSSENTROPY = { reduction: 'sumOverBatchSize', fromLogits: false, labelSmoothing: 0 };
