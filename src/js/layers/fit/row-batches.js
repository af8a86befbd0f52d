// Batches of rows that are in memory: one program for full batches and one for the last. They
// gather their rows, so an epoch costs no JavaScript per sample.
import { BatchRunner } from './batch-runner.js';
import { disposeAll } from './data.js';
import { openCache } from './frozen-prefix.js';
import { newRun } from '../layer/forward-pass.js';

/** @import { Plan } from './compile.js' */
/** @import { Data } from './data.js' */
/** @import { Cache } from './frozen-prefix.js' */
/** @import { Model } from '../model/model.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Variable } from '../../locks/variable.js' */
/** @typedef {import('../../graph/program.js').Program<any>} Program */

/** The first word in the keys of programs that read a cache. */
const CACHED = 'cached ';

/** A dataset of rows in memory: a Dataset of data-sources.js. */
export class RowBatches extends BatchRunner {
  #data;
  #batchSize;
  /** The caches of the frozen prefix. */
  #prefixes;
  /** The cache that programs read now. @type {Cache | null} */
  #cache = null;
  /** The programs that fill the cache, by number of rows. @type {Map<number, Program>} */
  #fillers = new Map();
  /** The position of a batch's first row in the order of rows. */
  #start;
  /** The order of the rows. @type {Variable | null} */
  #order = null;
  #from = 0;
  #next = 0;

  /**
   * @param {Model} model
   * @param {Plan} plan
   * @param {Data} data
   * @param {object} options
   * @param {boolean} options.training
   * @param {number} options.batchSize
   * @param {boolean} [options.shuffle] True to put the rows into a new order for each epoch.
   * @param {{ left: number }} [options.budget] Bytes for caches of the frozen prefix. Default: 0.
   */
  constructor(model, plan, data, { training, batchSize, shuffle = false, budget = { left: 0 } }) {
    super(model, plan, training);
    const { g, nn } = model;
    this.#data = data;
    this.#batchSize = batchSize;
    this.#prefixes = openCache(model, data.xs, data.size, training, budget);
    this.#start = g.variable(0, { name: 'batch', trainable: false });
    nn.undo(() => this.dispose());
    if (shuffle) {
      this.#order = g.variable(new Float32Array(data.size), { name: 'order', trainable: false });
    }
  }

  get steps() {
    return Math.ceil(this.#data.size / this.#batchSize);
  }

  /** The cached results: their layers, their bytes, and the reason why no more is cached. */
  get cached() {
    return this.#prefixes.describe();
  }

  /** Records the program of the first batch, so that invalid options or data throw now. */
  prepare() {
    this.#programFor(Math.min(this.#batchSize, this.#data.size));
    this.#prefixes.begin();
    if (this.#prefixes.check()) this.dropAll(); // since the cache replaces what they compute
  }

  begin() {
    const { g, draws } = this.model;
    const order = this.#order;
    this.#next = 0;
    this.#prefixes.begin();
    if (!order) return;
    g.tidy(() => g.assignMovingAverage(order, g.randomPermutation(this.#data.size, draws.stream)));
  }

  next() {
    const { size } = this.#data;
    this.#from = this.#next;
    this.#next = Math.min(size, this.#from + this.#batchSize);
    return this.#next - this.#from;
  }

  run() {
    const count = this.#next - this.#from;
    this.#useCache(this.#prefixes.check());
    this.#start.assign(this.#from);
    if (this.#cache && !this.#cache.isFull) {
      this.#fill(count);
      this.#useCache(this.#prefixes.check()); // there may be no memory for the cache
    }
    return this.execute(this.#programFor(count));
  }

  /** @param {number} count The number of rows. */
  #programFor(count) {
    const { xs, ys, weights, size } = this.#data;
    const key = `${this.#cache ? CACHED : ''}${count}`;
    return this.programFor(key, () => {
      const rows = count === size && this.#order === null ? null : this.#rowsOf(count);
      /** @param {Tensor} t */
      const pick = (t) => (rows ? this.model.g.gather(t, rows) : t);
      const prefix = this.#cache
        ? {
            prefix: this.#cache.prefix,
            values: new Map([...this.#cache.results].map(([symbol, t]) => [symbol, pick(t)])),
            fills: false,
          }
        : undefined;
      return {
        xs: xs.map(pick),
        ys: ys.map(pick),
        weights: weights.map((w) => w && pick(w)),
        prefix,
      };
    });
  }

  /** Returns the row numbers of a batch, while recording. @param {number} count */
  #rowsOf(count) {
    const { g } = this.model;
    const positions = g.add(
      this.#start,
      Float32Array.from({ length: count }, (_, i) => i),
    );
    return this.#order ? g.gather(this.#order, positions) : positions;
  }

  /** Makes programs read another cache, or none. @param {Cache | null} next */
  #useCache(next) {
    if (next === this.#cache) return;
    this.dropAll(CACHED);
    disposeAll([...this.#fillers.values()]);
    this.#fillers.clear();
    this.#cache = next;
  }

  /** Computes the prefix's results for a batch, and caches them. @param {number} count */
  #fill(count) {
    const filler = this.#fillers.get(count) ?? this.#recordFiller(count);
    this.#fillers.set(count, filler);
    const [rows, ...results] = filler.run();
    this.#prefixes.fill(rows, results);
    disposeAll([rows, ...results]);
  }

  /** A program for a batch's row numbers and the prefix's results. @param {number} count */
  #recordFiller(count) {
    const { g } = this.model;
    return g.compile(() => {
      const { prefix } = /** @type {Cache} */ (this.#cache);
      const rows = this.#rowsOf(count);
      const values = new Map();
      const inputs = this.#data.xs.map((x) => g.gather(x, rows));
      const run = newRun(this.training, { prefix, values, fills: true });
      this.model.run(inputs.length === 1 ? inputs[0] : inputs, run);
      return [g.reshape(rows, [count, 1]), ...prefix.cut.map((symbol) => values.get(symbol))];
    });
  }

  dispose() {
    this.#useCache(null);
    this.dropAll();
    this.#prefixes.dispose();
    this.#start.dispose();
    this.#order?.dispose();
  }
}
