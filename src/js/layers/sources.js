// What an epoch is made of: rows in memory, cut into batches, or batches that come from outside.
import { isRecord, ownProperties, readNumber, typeError } from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { Batches } from './batches.js';
import { disposeAll, readData, splitData } from './data.js';
import { Feed, readBatch, Stream } from './feed.js';

/** @typedef {import('./batches.js').BatchSums} BatchSums */
/** @typedef {import('./compile.js').Plan} Plan */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('./model.js').Model} Model */

/**
 * Whether data comes in batches, from an iterator or what makes one.
 * @param {any} x
 */
export const isStream = (x) =>
  typeof x === 'function' ||
  typeof x?.next === 'function' ||
  typeof x?.[Symbol.asyncIterator] === 'function';

/** Rows in memory, batch by batch. */
export class RowSource {
  #batches;
  #size;
  #batchSize;
  #seed;
  #from = 0;

  /**
   * @param {Model} model
   * @param {Plan} plan
   * @param {Data} data
   * @param {number} batchSize
   * @param {boolean} shuffle
   */
  constructor(model, plan, data, batchSize, shuffle) {
    this.#batches = new Batches(model, plan, data, true);
    this.#size = data.size;
    this.#batchSize = batchSize;
    this.#seed = shuffle ? () => this.#batches.shuffle(model.nn.seed) : null;
    this.steps = Math.ceil(data.size / batchSize);
  }

  begin() {
    this.#from = 0;
    this.#seed?.();
  }

  /** @returns {{ size: number, run: () => BatchSums } | null} */
  next() {
    const from = this.#from;
    if (from >= this.#size) return null;
    const size = Math.min(this.#batchSize, this.#size - from);
    this.#from += size;
    return { size, run: () => this.#batches.run(from, size) };
  }

  dispose() {
    this.#batches.dispose();
  }
}

/** Batches that come from outside. */
export class StreamSource {
  #model;
  #plan;
  #feed;
  #stream;
  #count = 0;
  /** Tensors made of the batch at hand. @type {{ dispose(): void }[]} */
  #own = [];

  /**
   * @param {Model} model
   * @param {Plan} plan
   * @param {any} source
   * @param {unknown} steps
   */
  constructor(model, plan, source, steps) {
    this.#model = model;
    this.#plan = plan;
    this.#stream = new Stream(source, steps);
    this.#feed = new Feed(model, plan, true);
    this.steps = this.#stream.steps;
  }

  begin() {
    this.#count = 0;
    this.#stream.begin();
  }

  /** @returns {Promise<{ size: number, run: () => BatchSums } | null>} */
  async next() {
    if (this.steps !== null && this.#count >= this.steps) return null;
    const batch = await this.#stream.next();
    if (batch === null) {
      if (this.steps === null && this.#count > 0) return null;
      throw this.#stream.shortage(this.#count);
    }
    const data = readBatch(this.#model, this.#plan, batch);
    this.#own = data.own;
    this.#count++;
    return {
      size: data.size,
      run: () => {
        try {
          return this.#feed.run(data);
        } finally {
          disposeAll(data.own);
        }
      },
    };
  }

  async dispose() {
    disposeAll(this.#own);
    this.#feed.dispose();
    await this.#stream.close();
  }
}

/**
 * @param {Model} model
 * @param {Plan} plan
 * @param {unknown} x
 * @param {unknown} y
 * @param {import('./fit.js').FitOptions & { batchSize: number }} options
 */
export const openSources = (model, plan, x, y, options) => {
  const {
    validationSplit = 0,
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
      if (stepsPerEpoch !== undefined)
        throw new OptionError('stepsPerEpoch is for batches that come from an iterator');
      data = readData(model, plan, { x, y, classWeight, sampleWeight });
      own.push(...data.own);
    }
    if (validationData) {
      validation = readValidation(model, plan, validationData);
      own.push(...validation.own);
    } else if (validationSplit !== 0) {
      if (!data)
        throw new OptionError('validationSplit needs data that can be split: give validationData');
      const parts = splitData(model, data, readNumber(validationSplit, 'validationSplit'));
      own.push(...parts[0].own, ...parts[1].own);
      [data, validation] = parts;
    }
    const training = data
      ? new RowSource(model, plan, data, batchSize, Boolean(shuffle))
      : new StreamSource(model, plan, x, stepsPerEpoch);
    return { training, validation, own };
  } catch (error) {
    disposeAll(own);
    throw error;
  }
};

/**
 * @param {Model} model
 * @param {Plan} plan
 * @param {any} given
 */
const readValidation = (model, plan, given) => {
  if (Array.isArray(given)) {
    return readData(model, plan, { x: given[0], y: given[1], sampleWeight: given[2] });
  }
  const { x, xs, y, ys } = isRecord(given) ? ownProperties(given) : {};
  if ((x ?? xs) !== undefined) return readData(model, plan, { x: x ?? xs, y: y ?? ys });
  throw typeError('validationData', '[x, y] or [x, y, sampleWeight]', given);
};
