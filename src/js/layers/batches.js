// Batches in C: one program for whole batches and one for the last, which gather their rows
// themselves, so that an epoch costs no JavaScript per sample. Programs are recorded anew when a
// layer changed its mode.
import { readCount } from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { applyConstraints, evaluateBatch } from './compile.js';

/** @typedef {import('./compile.js').Plan} Plan */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('../graph/program.js').Program<any>} Program */
/** @typedef {import('../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('../locks/variable.js').Variable} Variable */
/** @typedef {{ program: Program, lengths: number[], trained: Variable[] }} BatchProgram */

/** @typedef {{ loss: number, sums: Float32Array, lengths: readonly number[] }} BatchSums */

const NONE = new Float32Array(0);

/**
 * Record what becomes of a batch.
 * @param {Model} model
 * @param {Plan} plan
 * @param {boolean} training
 * @param {() => { xs: Tensor[], ys: Tensor[], weights: (Tensor | null)[] }} read Called while
 *   recording.
 * @returns {BatchProgram}
 */
export const recordBatch = (model, plan, training, read) => {
  const { g } = model;
  /** @type {number[]} */
  let lengths = [];
  const program = g.compile(() => {
    const { xs, ys, weights } = read();
    const found = evaluateBatch(model, plan, xs.length === 1 ? xs[0] : xs, ys, weights, training);
    lengths = found.lengths;
    return found.sums ? [found.loss, found.sums] : [found.loss];
  });
  const own = new Set(model.weights);
  if (training) applyConstraints(model, plan.optimizer);
  const trained = training ? program.trainable.filter((variable) => own.has(variable)) : [];
  return { program, lengths, trained };
};

/**
 * Train on a recorded batch, or evaluate it.
 * @param {Plan} plan
 * @param {BatchProgram} batch
 * @returns {BatchSums}
 */
export const runBatch = (plan, { program, lengths, trained }) => {
  const loss =
    trained.length > 0
      ? plan.optimizer.minimize(program, { variables: trained, steps: 1 })
      : program.value();
  if (lengths.length === 0) return { loss, sums: NONE, lengths };
  const outputs = program.outputs();
  const sums = outputs[1].data();
  for (const output of outputs) output.dispose();
  return { loss, sums, lengths };
};

/**
 * Rows of a batch.
 * @param {unknown} value
 * @param {string} what
 */
export const readBatchSize = (value, what) => {
  if (readCount(value, what) > 0) return Number(value);
  throw new OptionError(`${what} must be at least 1`);
};

/** Rows of data, some at a time. */
export class Batches {
  #model;
  #plan;
  #data;
  #training;
  /** Which rows come in which order. @type {Variable | null} */
  #order = null;
  /** The place of a batch's first row in that order. @type {Variable} */
  #start;
  /** @type {Map<string, BatchProgram>} */
  #programs = new Map();

  /**
   * @param {Model} model
   * @param {Plan} plan
   * @param {Data} data
   * @param {boolean} training
   */
  constructor(model, plan, data, training) {
    this.#model = model;
    this.#plan = plan;
    this.#data = data;
    this.#training = training;
    this.#start = model.g.variable(0, { name: 'batch', trainable: false });
  }

  /** Number of rows. */
  get size() {
    return this.#data.size;
  }

  /**
   * Put the rows into a new order.
   * @param {import('../tensors/random.js').Seed | undefined} seed
   */
  shuffle(seed) {
    const { g } = this.#model;
    const { size } = this.#data;
    this.#order ??= g.variable(new Float32Array(size), { name: 'order', trainable: false });
    const order = this.#order;
    g.tidy(() => g.assignMovingAverage(order, g.randomPermutation(size, seed)));
  }

  /**
   * @param {number} count Rows.
   * @returns {BatchProgram}
   */
  #record(count) {
    const { g } = this.#model;
    const { xs, ys, weights, size } = this.#data;
    const isWhole = count === size && this.#order === null;
    const range = Float32Array.from({ length: count }, (_, i) => i);
    return recordBatch(this.#model, this.#plan, this.#training, () => {
      const places = isWhole ? null : g.add(this.#start, range);
      const rows = places && this.#order ? g.gather(this.#order, places) : places;
      /** @param {Tensor} t */
      const pick = (t) => (rows ? g.gather(t, rows) : t);
      return { xs: xs.map(pick), ys: ys.map(pick), weights: weights.map((w) => w && pick(w)) };
    });
  }

  /**
   * Train on a batch, or evaluate it.
   * @param {number} from Of the first row.
   * @param {number} count
   * @returns {BatchSums}
   */
  run(from, count) {
    const key = `${count} ${this.#model.modeOf(this.#training)}`;
    let found = this.#programs.get(key);
    if (!found) {
      found = this.#record(count);
      this.#programs.set(key, found);
    }
    this.#start.assign(from);
    return runBatch(this.#plan, found);
  }

  dispose() {
    for (const { program } of this.#programs.values()) program.dispose();
    this.#programs.clear();
    this.#start.dispose();
    this.#order?.dispose();
  }
}
