// The sources of an epoch's batches: rows in memory, split into batches, or batches from outside.
import { isRecord, ownProperties, typeError } from '../../base/check.js';
import { OptionError, ShapeError } from '../../base/errors.js';
import { openBatches } from './batches.js';
import { addClassWeights, disposeAll, readData, splitData, twoWeights } from './data.js';
import { Feed, readBatch } from './batch-programs.js';

/** @typedef {import('./batches.js').BatchSums} BatchSums */
/** @typedef {import('./compile.js').Plan} Plan */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('../model/model.js').Model} Model */

/** @typedef {import('../../tensors/tensor.js').TensorLike} TensorLike */
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

/**
 * True if data comes in batches, from an iterator or from a function that makes one.
 * @param {any} x
 */
export const isStream = (x) =>
  typeof x === 'function' ||
  typeof x?.next === 'function' ||
  typeof x?.[Symbol.asyncIterator] === 'function';

/**
 * @typedef {object} Source A source of batches, epoch by epoch.
 * @property {number | null} steps The number of batches in an epoch, if known.
 * @property {() => void} prepare Checks the first batch, as far as possible.
 * @property {() => void} begin Starts an epoch.
 * @property {import('./frozen-prefix.js').Cached} cached The results that are computed only once.
 * @property {() => Step | null | Promise<Step | null>} next Returns null at the end of an epoch.
 * @property {() => unknown} dispose
 */
/** @typedef {{ size: number, run: () => BatchSums }} Step */

/**
 * Returns a source that reads rows in memory, batch by batch.
 * @param {Model} model
 * @param {Plan} plan
 * @param {Data} data
 * @param {number} batchSize
 * @param {boolean} shuffle
 * @param {{ left: number }} budget
 * @returns {Source}
 */
const rowSource = (model, plan, data, batchSize, shuffle, budget) => {
  const batches = openBatches(model, plan, data, true, budget);
  let at = 0;
  return {
    steps: Math.ceil(data.size / batchSize),
    prepare() {
      batches.prepare(batchSize, shuffle);
    },
    begin() {
      at = 0;
      batches.begin(shuffle);
    },
    get cached() {
      return batches.cached;
    },
    next() {
      const from = at;
      const size = Math.min(batchSize, data.size - from);
      at += size;
      return size > 0 ? { size, run: () => batches.run(from, size) } : null;
    },
    dispose: batches.dispose,
  };
};

/**
 * Returns a source of batches: an iterator, an async one, or a function that makes one per epoch.
 * @param {Model} model
 * @param {Plan} plan
 * @param {any} source
 * @param {number | null} steps The number of batches in an epoch; null: until the iterator ends.
 * @param {unknown} classWeight
 * @returns {Source}
 */
const streamSource = (model, plan, source, steps, classWeight) => {
  if (steps === null && typeof source.next === 'function') {
    throw new OptionError(
      'give stepsPerEpoch with an iterator, or pass a function that makes an iterator for each epoch',
    );
  }
  const feed = new Feed(model, plan, true);
  /** @type {any} */
  let iterator = null;
  let count = 0;
  /** The tensors made from the current batch. @type {{ dispose(): void }[]} */
  let own = [];
  return {
    steps,
    cached: { layers: [], bytes: 0, reason: 'batches come from an iterator' },
    prepare() {}, // each batch is checked when it arrives
    // An open iterator continues. Others start again if no number of steps is given.
    begin() {
      count = 0;
      if (iterator && steps !== null) return;
      const given = typeof source === 'function' ? source() : source;
      iterator = given?.[Symbol.asyncIterator]?.() ?? given?.[Symbol.iterator]?.() ?? given;
      if (typeof iterator?.next !== 'function') {
        throw typeError('the source of batches', 'an iterator', given);
      }
    },
    async next() {
      if (count === steps) return null;
      const { done, value } = await iterator.next();
      if (done) {
        if (steps === null && count > 0) return null;
        throw new ShapeError(
          `the iterator ended after ${count} of ${steps} batches: give a smaller stepsPerEpoch, or more data`,
        );
      }
      const data = model.nn.attempt(() => {
        const read = readBatch(model, plan, value);
        own = [...read.own];
        const weighted = addClassWeights(model, read, classWeight, own);
        feed.prepare(weighted);
        return weighted;
      });
      count++;
      return {
        size: data.size,
        run: () => {
          try {
            return feed.run(data);
          } finally {
            disposeAll(own);
          }
        },
      };
    },
    async dispose() {
      disposeAll(own);
      feed.dispose();
      await iterator?.return?.();
    },
  };
};

/**
 * @param {Model} model
 * @param {Plan} plan
 * @param {unknown} x
 * @param {unknown} y
 * @param {Record<string, any>} options The options of fit.
 * @param {{ left: number }} budget
 */
export const openSources = (model, plan, x, y, options, budget) => {
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
    const training = data
      ? rowSource(model, plan, data, batchSize, shuffle, budget)
      : streamSource(model, plan, x, stepsPerEpoch, classWeight);
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
