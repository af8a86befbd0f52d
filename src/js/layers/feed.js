// Batches that come from outside: an iterator, an async one, or a function that gives one for each
// epoch. Their values are copied to where a program of their shapes reads them.
import { describe, isRecord, ownProperties, readCount, typeError } from '../base/check.js';
import { OptionError, ShapeError } from '../base/errors.js';
import { recordBatch, runBatch } from './batches.js';
import { disposeAll, readData } from './data.js';

/** @typedef {import('./batches.js').BatchProgram} BatchProgram */
/** @typedef {import('./compile.js').Plan} Plan */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('../locks/variable.js').Variable} Variable */
/** @typedef {BatchProgram & { places: Variable[] }} FeedProgram */

/** Programs kept, of different shapes; of more, the oldest goes. */
const MOST_PROGRAMS = 8;

/** Batches of any shapes, one at a time. */
export class Feed {
  #model;
  #plan;
  #training;
  /** @type {Map<string, FeedProgram>} */
  #programs = new Map();

  /**
   * @param {Model} model
   * @param {Plan} plan
   * @param {boolean} training
   */
  constructor(model, plan, training) {
    this.#model = model;
    this.#plan = plan;
    this.#training = training;
  }

  /**
   * @param {Data} data
   * @returns {FeedProgram}
   */
  #record({ xs, ys, weights }) {
    const { g } = this.#model;
    /** @type {Variable[]} */
    const places = [];
    /** @param {import('../tensors/tensor.js').Tensor} t */
    const placeOf = (t) => {
      const place = g.variable(t, { name: 'batch', trainable: false });
      places.push(place);
      return place;
    };
    try {
      const read = {
        xs: xs.map(placeOf),
        ys: ys.map(placeOf),
        weights: weights.map((t) => t && placeOf(t)),
      };
      const recorded = recordBatch(this.#model, this.#plan, this.#training, () => read);
      return { ...recorded, places };
    } catch (error) {
      disposeAll(places);
      throw error;
    }
  }

  /**
   * @param {Data} data Of one batch.
   * @returns {import('./batches.js').BatchSums}
   */
  run(data) {
    const all = [...data.xs, ...data.ys, ...data.weights.filter((w) => w !== null)];
    const mode = this.#model.modeOf(this.#training);
    const key = [
      mode,
      ...all.map(({ shape }) => shape.join('x')),
      data.weights.map(Boolean),
    ].join();
    let found = this.#programs.get(key);
    if (found) {
      found.places.forEach((place, i) => void place.assign(/** @type {any} */ (all[i])));
    } else {
      found = this.#record(data);
      this.#programs.set(key, found);
      const [oldest] = this.#programs.keys();
      if (this.#programs.size > MOST_PROGRAMS && oldest !== undefined) this.#drop(oldest);
    }
    return runBatch(this.#plan, found);
  }

  /** @param {string} key */
  #drop(key) {
    const found = this.#programs.get(key);
    this.#programs.delete(key);
    if (!found) return;
    disposeAll([found.program, ...found.places]);
  }

  dispose() {
    for (const key of [...this.#programs.keys()]) this.#drop(key);
  }
}

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

/** Iterators of batches, as many a time as an epoch takes. */
export class Stream {
  #source;
  #steps;
  /** @type {any} */
  #iterator = null;

  /**
   * @param {any} source
   * @param {unknown} steps Batches an epoch; undefined: until the iterator ends.
   */
  constructor(source, steps) {
    this.#source = source;
    this.#steps = steps === undefined ? null : readCount(steps, 'stepsPerEpoch');
    if (this.#steps === 0) throw new OptionError('stepsPerEpoch must be at least 1');
    if (this.#steps === null && typeof source?.next === 'function') {
      throw new OptionError(
        'stepsPerEpoch says how many batches of an iterator make an epoch; or give a function that makes an iterator for each',
      );
    }
  }

  /** Batches an epoch, if that is known. */
  get steps() {
    return this.#steps;
  }

  /**
   * Before an epoch. An iterator that is at hand goes on; others begin anew when there is no number
   * of steps.
   */
  begin() {
    if (this.#iterator && this.#steps !== null) return;
    const source = typeof this.#source === 'function' ? this.#source() : this.#source;
    this.#iterator = source?.[Symbol.asyncIterator]?.() ?? source?.[Symbol.iterator]?.() ?? source;
    if (typeof this.#iterator?.next !== 'function') {
      throw new TypeError(`batches must come from an iterator, got ${describe(source)}`);
    }
  }

  /**
   * The next batch, or null at the end.
   * @returns {Promise<unknown>}
   */
  async next() {
    const { done, value } = await this.#iterator.next();
    return done ? null : value;
  }

  /**
   * An epoch that got fewer batches than it was to have.
   * @param {number} count
   */
  shortage(count) {
    return new ShapeError(
      `the iterator ended after ${count} of ${this.#steps} batches: give fewer stepsPerEpoch, or more data`,
    );
  }

  /** Let the iterator end. */
  async close() {
    await this.#iterator?.return?.();
    this.#iterator = null;
  }
}
