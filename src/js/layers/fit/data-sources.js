// The datasets of `fit`: rows in memory, split into batches, or batches from an iterator.
import { isRecord, ownProperties, typeError } from '../../base/check.js';
import { OptionError, ShapeError } from '../../base/errors.js';
import { BatchCopier } from './batch-runner.js';
import { addClassWeights, disposeAll, readData, splitData, twoWeights } from './data.js';
import { RowBatches } from './row-batches.js';

/** @import { BatchSums } from './batch-runner.js' */
/** @import { Plan } from './compile.js' */
/** @import { Data } from './data.js' */
/** @import { Model } from '../model/model.js' */
/** @import { TensorLike } from '../../tensors/tensor.js' */

/**
 * Rows, one for each sample, as a tensor or a nested array; for several inputs a list or an object.
 * @typedef {TensorLike | readonly TensorLike[] | { readonly [name: string]: TensorLike }} Rows
 */
/**
 * A batch from outside: `[x, y]`, `[x, y, sampleWeight]` or `{ xs, ys }`.
 * @typedef {readonly Rows[] | { xs: Rows, ys: Rows }} Batch
 */
/**
 * @typedef {Iterable<Batch> | AsyncIterable<Batch> | Iterator<Batch> | AsyncIterator<Batch>} Series
 */
/**
 * An iterator of batches, an async one, or a function that makes one for each epoch.
 * @typedef {Series | (() => Series)} Batches
 */

/** True if data comes in batches: an iterator, or a function that makes one. @param {any} x */
export const isStream = (x) =>
  typeof x === 'function' ||
  typeof x?.next === 'function' ||
  typeof x?.[Symbol.asyncIterator] === 'function';

/**
 * @typedef {object} Dataset The batches of each epoch, one after the other.
 * @property {number | null} steps The number of batches in an epoch, if known.
 * @property {import('./frozen-prefix.js').Cached} cached The results that are computed only once.
 * @property {() => void} prepare Checks the first batch, as far as possible.
 * @property {() => void} begin Starts an epoch.
 * @property {() => number | Promise<number>} next Goes to the next batch. Returns its number of
 *   rows; 0 at the end of an epoch.
 * @property {() => BatchSums} run Trains on the batch.
 * @property {() => unknown} dispose
 */

/** A dataset of batches from an iterator, an async one, or a function that makes one per epoch. */
class StreamBatches {
  #copier;
  #source;
  #classWeight;
  /** @type {any} */
  #iterator = null;
  #count = 0;
  /** @type {Data | null} */
  #batch = null;
  /** The tensors made from the current batch. @type {{ dispose(): void }[]} */
  #own = [];

  cached = { layers: [], bytes: 0, reason: 'batches come from an iterator' };

  /**
   * @param {Model} model
   * @param {Plan} plan
   * @param {any} source
   * @param {number | null} steps The number of batches in an epoch; null: until the iterator ends.
   * @param {unknown} classWeight
   */
  constructor(model, plan, source, steps, classWeight) {
    if (steps === null && typeof source.next === 'function') {
      throw new OptionError(
        'give stepsPerEpoch with an iterator, or pass a function that makes an iterator for each epoch',
      );
    }
    this.#copier = new BatchCopier(model, plan, true);
    this.#source = source;
    this.#classWeight = classWeight;
    this.steps = steps;
  }

  prepare() {} // each batch is checked when it arrives

  /** An open iterator continues. Others start again if no number of steps is given. */
  begin() {
    this.#count = 0;
    if (this.#iterator && this.steps !== null) return;
    const source = this.#source;
    const given = typeof source === 'function' ? source() : source;
    this.#iterator = given?.[Symbol.asyncIterator]?.() ?? given?.[Symbol.iterator]?.() ?? given;
    if (typeof this.#iterator?.next !== 'function') {
      throw typeError('the source of batches', 'an iterator', given);
    }
  }

  async next() {
    if (this.#count === this.steps) return 0;
    const { done, value } = await this.#iterator.next();
    if (done) {
      if (this.steps === null && this.#count > 0) return 0;
      throw new ShapeError(
        `the iterator ended after ${this.#count} of ${this.steps} batches: give a smaller stepsPerEpoch, or more data`,
      );
    }
    const { model, plan } = this.#copier;
    this.#batch = model.nn.attempt(() => {
      const data = readBatch(model, plan, value);
      this.#own = [...data.own];
      const weighted = addClassWeights(model, data, this.#classWeight, this.#own);
      this.#copier.copy(weighted);
      return weighted;
    });
    this.#count++;
    return this.#batch.size;
  }

  run() {
    try {
      // Copied again, since a callback may have changed a layer's mode.
      return this.#copier.run(/** @type {Data} */ (this.#batch));
    } finally {
      disposeAll(this.#own);
    }
  }

  async dispose() {
    disposeAll(this.#own);
    this.#copier.dropAll();
    await this.#iterator?.return?.();
  }
}

/**
 * @param {Model} model
 * @param {Plan} plan
 * @param {unknown} x
 * @param {unknown} y
 * @param {Record<string, any>} options The options of fit.
 * @param {{ left: number }} budget
 */
export const openDatasets = (model, plan, x, y, options, budget) => {
  const {
    validationSplit,
    validationData,
    classWeight,
    sampleWeight,
    batchSize,
    shuffle,
    stepsPerEpoch,
  } = options;
  /** @type {{ dispose(): void }[]} */
  const own = [];
  try {
    /** @type {Data | null} */
    let data = null;
    /** @type {Data | null} */
    let validation = null;
    if (!isStream(x)) {
      if (stepsPerEpoch !== null)
        throw new OptionError('stepsPerEpoch is only for iterators: leave it out');
      if (classWeight !== null && sampleWeight !== null) throw twoWeights();
      data = readData(model, plan, { x, y, sampleWeight });
      own.push(...data.own);
    } else if (sampleWeight !== null) {
      throw new OptionError(
        'sampleWeight is only for data in memory: let the iterator return [x, y, sampleWeight]',
      );
    }
    if (validationData) {
      validation = readValidation(model, plan, validationData);
      own.push(...validation.own);
    } else if (validationSplit !== 0) {
      if (!data)
        throw new OptionError('validationSplit cannot split an iterator: give validationData');
      const parts = splitData(model, data, validationSplit);
      own.push(...parts[0].own, ...parts[1].own);
      [data, validation] = parts;
    }
    if (data) data = addClassWeights(model, data, classWeight, own);
    /** @type {Dataset} */
    const training = data
      ? new RowBatches(model, plan, data, { training: true, batchSize, shuffle, budget })
      : new StreamBatches(model, plan, x, stepsPerEpoch, classWeight);
    return { training, validation, own };
  } catch (error) {
    disposeAll(own);
    throw error;
  }
};

/** @param {Model} model @param {Plan} plan @param {any} given */
const readValidation = (model, plan, given) => {
  if (Array.isArray(given)) {
    return readData(model, plan, { x: given[0], y: given[1], sampleWeight: given[2] });
  }
  const { x, xs, y, ys } = isRecord(given) ? ownProperties(given) : {};
  if ((x ?? xs) !== undefined) return readData(model, plan, { x: x ?? xs, y: y ?? ys });
  throw typeError('validationData', '[x, y] or [x, y, sampleWeight]', given);
};

/**
 * @param {Model} model
 * @param {Plan} plan
 * @param {any} batch `[x, y]`, `[x, y, sampleWeight]` or `{ xs, ys }`.
 * @returns {Data}
 */
export const readBatch = (model, plan, batch) => {
  if (Array.isArray(batch) && batch.length >= 2 && batch.length <= 3) {
    return readData(model, plan, { x: batch[0], y: batch[1], sampleWeight: batch[2] });
  }
  const { x, xs, y, ys, sampleWeight } = isRecord(batch) ? ownProperties(batch) : {};
  if ((x ?? xs) !== undefined && (y ?? ys) !== undefined) {
    return readData(model, plan, { x: x ?? xs, y: y ?? ys, sampleWeight });
  }
  throw typeError('a batch', '[x, y], [x, y, sampleWeight] or { xs, ys }', batch);
};
