// Trains on batches from outside: copies them into variables that a program of their shapes reads.
import { isRecord, ownProperties, typeError } from '../../base/check.js';
import { recordBatch, runBatch } from './batches.js';
import { disposeAll, readData } from './data.js';

/** @typedef {import('./batches.js').BatchProgram} BatchProgram */
/** @typedef {import('./compile.js').Plan} Plan */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('../model/model.js').Model} Model */
/** @typedef {import('../../locks/variable.js').Variable} Variable */
/** @typedef {BatchProgram & { places: Variable[] }} FeedProgram */

/** The number of programs kept, for different shapes. Beyond it, the oldest is dropped. */
const MOST_PROGRAMS = 8;

/** Runs batches of any shapes, one at a time. */
export class Feed {
  #model;
  #plan;
  #training;
  /** @type {Map<string, FeedProgram>} */
  #programs = new Map();

  /** @param {Model} model @param {Plan} plan @param {boolean} training */
  constructor(model, plan, training) {
    this.#model = model;
    this.#plan = plan;
    this.#training = training;
  }

  /** @param {Data} data @returns {FeedProgram} */
  #record({ xs, ys, weights }) {
    const { g } = this.#model;
    /** @type {Variable[]} */
    const places = [];
    /** @param {import('../../tensors/tensor.js').Tensor} t */
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
   * Returns the program of a batch, with the batch copied in. Throws if the batch is invalid.
   * @param {Data} data The data of one batch.
   */
  prepare(data) {
    const all = [...data.xs, ...data.ys, ...data.weights.filter((w) => w !== null)];
    const mode = this.#model.modeOf(this.#training);
    const key = [
      mode,
      ...all.map(({ shape }) => shape.join('x')),
      data.weights.map(Boolean),
    ].join();
    const known = this.#programs.get(key);
    if (known) {
      known.places.forEach((place, i) => void place.assign(/** @type {any} */ (all[i])));
      return known;
    }
    const found = this.#record(data);
    this.#model.nn.undo(() => this.#drop(key));
    this.#programs.set(key, found);
    const [oldest] = this.#programs.keys();
    if (this.#programs.size > MOST_PROGRAMS && oldest !== undefined) this.#drop(oldest);
    return found;
  }

  /** @param {Data} data The data of one batch. @returns {import('./batches.js').BatchSums} */
  run(data) {
    return runBatch(this.#model, this.#plan, this.prepare(data));
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
