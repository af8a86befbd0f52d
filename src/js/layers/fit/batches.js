// Runs batches in C: one program for full batches and one for the last. They gather their rows, so
// an epoch costs no JavaScript per sample. A layer that changes its mode needs a new recording.
import { noneFree, warn } from '../../base/none-free.js';
import { applyConstraints, evaluateBatch } from './compile.js';
import { disposeAll } from './data.js';
import { openCache } from './frozen-prefix.js';
import { newRun } from '../layer/forward-pass.js';

/** @typedef {import('./compile.js').Plan} Plan */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('../model/model.js').Model} Model */
/** @typedef {import('../layer/toolkit.js').Reals} Reals */
/** @typedef {import('../../graph/program.js').Program<any>} Program */
/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('../../locks/variable.js').Variable} Variable */
/**
 * @typedef {object} BatchProgram
 * @property {boolean} training
 * @property {Program} program
 * @property {number[]} lengths The lengths of the metrics' sums, joined in its second output.
 * @property {Variable[]} trained
 */
/** @typedef {ReturnType<typeof openBatches>} Batches */
/** @typedef {import('./frozen-prefix.js').PrefixRun} PrefixRun */
/** @typedef {{ loss: number, sums: Reals, lengths: readonly number[] }} BatchSums */

/**
 * @typedef {{ xs: Tensor[], ys: Tensor[], weights: (Tensor | null)[], prefix?: PrefixRun }}
 *   BatchTensors
 */

/** The suffix of the key of programs that read a cache. */
const CACHED = ' cached';

const NONE = new Float32Array(0);

/**
 * Record the program for a batch.
 * @param {Model} model
 * @param {Plan} plan
 * @param {boolean} training
 * @param {() => BatchTensors} read Called while recording.
 * @returns {BatchProgram}
 */
export const recordBatch = (model, plan, training, read) => {
  const { g } = model;
  /** @type {number[]} */
  let lengths = [];
  const { nn } = model;
  return nn.attempt(() => {
    const program = model.draws.record(training, () =>
      g.compile(() => {
        const { xs, ys, weights, prefix } = read();
        const run = newRun(training, prefix);
        const found = evaluateBatch(model, plan, xs.length === 1 ? xs[0] : xs, ys, weights, run);
        lengths = found.lengths;
        for (const move of run.moves) g.assignMovingAverage(...move);
        return found.sums ? [found.loss, found.sums] : [found.loss];
      }),
    );
    nn.undo(() => program.dispose());
    const own = new Set(model.weights);
    if (training) applyConstraints(model, plan.optimizer);
    const trained = training ? program.trainable.filter((variable) => own.has(variable)) : [];
    return { training, program, lengths, trained };
  });
};

/** The models of which it was said. @type {WeakSet<Model>} */
const said = new WeakSet();

/** Says that nothing is free, since the optimizer is not asked then. @param {Model} model */
const warnOnce = (model) => {
  const text = noneFree(model.weights.filter(({ trainable }) => trainable));
  if (text && !said.has(model)) warn(`${model.label}: ${text}`);
  said.add(model);
};

/**
 * Run the program of a batch, to train or to evaluate.
 * @param {Model} model
 * @param {Plan} plan
 * @param {BatchProgram} batch
 * @returns {BatchSums}
 */
export const runBatch = (model, plan, { training, program, lengths, trained }) => {
  if (training && trained.length === 0) warnOnce(model);
  let loss = 0;
  const step = () =>
    model.draws.run(training, program, () => {
      loss =
        trained.length > 0
          ? plan.optimizer.minimize(program, { variables: trained, steps: 1 })
          : program.value();
    });
  const count = lengths.reduce((a, b) => a + b, 0);
  if (count === 0) step();
  const sums = count > 0 ? program.readAfter(1, count, step) : NONE;
  return { loss, sums, lengths };
};

/**
 * Opens data for batches of its rows.
 * @param {Model} model
 * @param {Plan} plan
 * @param {Data} data
 * @param {boolean} training
 * @param {{ left: number }} [budget] The bytes for caches of the frozen prefix. Default: none.
 */
export const openBatches = (model, plan, { xs, ys, weights, size }, training, budget) => {
  const { g, nn } = model;
  const prefixes = openCache(model, xs, size, training, budget ?? { left: 0 });
  /** The programs by size, mode and the cache that they read. @type {Map<string, BatchProgram>} */
  const programs = new Map();
  /** The programs that fill the cache, by size. @type {Map<number, Program>} */
  const fillers = new Map();
  /** The cache that programs read now. @type {import('./frozen-prefix.js').Cache | null} */
  let cache = null;
  /** The position of a batch's first row in the order of rows. */
  const start = g.variable(0, { name: 'batch', trainable: false });
  /** The order of the rows. @type {Variable | null} */
  let order = null;

  /**
   * Returns the row numbers of a batch, while recording.
   * @param {number} count
   * @returns {Tensor}
   */
  const rowsOf = (count) => {
    const places = g.add(
      start,
      Float32Array.from({ length: count }, (_, i) => i),
    );
    return order ? g.gather(order, places) : places;
  };

  /** @param {number} count Rows. */
  const record = (count) =>
    recordBatch(model, plan, training, () => {
      const rows = count === size && order === null ? null : rowsOf(count);
      /** @param {Tensor} t */
      const pick = (t) => (rows ? g.gather(t, rows) : t);
      const prefix = cache
        ? {
            prefix: cache.prefix,
            values: new Map([...cache.places].map(([symbol, place]) => [symbol, pick(place)])),
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

  /**
   * Returns the prefix's results for a batch's rows, after their row numbers.
   * @param {number} count
   */
  const recordFiller = (count) =>
    g.compile(() => {
      const { prefix } = /** @type {import('./frozen-prefix.js').Cache} */ (cache);
      const rows = rowsOf(count);
      const values = new Map();
      const inputs = xs.map((x) => g.gather(x, rows));
      const run = newRun(training, { prefix, values, fills: true });
      model.run(inputs.length === 1 ? inputs[0] : inputs, run);
      return [g.reshape(rows, [count, 1]), ...prefix.cut.map((symbol) => values.get(symbol))];
    });

  /** @param {number} count */
  const fill = (count) => {
    const found = fillers.get(count) ?? recordFiller(count);
    fillers.set(count, found);
    const [rows, ...results] = found.run();
    prefixes.fill(rows, results);
    for (const tensor of [rows, ...results]) tensor.dispose();
  };

  /** Make programs read another cache, or none. @param {typeof cache} next */
  const change = (next) => {
    if (next === cache) return;
    for (const [key, { program }] of programs) {
      if (!key.endsWith(CACHED)) continue;
      program.dispose();
      programs.delete(key);
    }
    disposeAll([...fillers.values()]);
    fillers.clear();
    cache = next;
  };

  /** @param {number} count */
  const programFor = (count) => {
    const key = `${count} ${model.modeOf(training)}${cache ? CACHED : ''}`;
    const found = programs.get(key) ?? record(count);
    programs.set(key, found);
    return found;
  };

  const makeOrder = () => {
    order ??= g.variable(new Float32Array(size), { name: 'order', trainable: false });
    return order;
  };

  const forgetPrograms = () => {
    disposeAll([...programs.values()].map(({ program }) => program));
    programs.clear();
  };

  const dispose = () => {
    change(null);
    forgetPrograms();
    prefixes.dispose();
    start.dispose();
    order?.dispose();
  };
  nn.undo(dispose);

  return {
    /** The number of rows. */
    size,

    /**
     * Record the program of the first batch, so that invalid options or data throw now.
     * @param {number} batchSize
     * @param {boolean} [shuffles] True if passes will shuffle.
     */
    prepare(batchSize, shuffles = false) {
      if (shuffles) makeOrder();
      programFor(Math.min(batchSize, size));
      prefixes.begin();
      if (prefixes.check()) forgetPrograms(); // since the cache replaces what they compute
    },

    /** The cached results: their layers, their bytes, and the reason why no more is cached. */
    get cached() {
      return prefixes.describe();
    },

    /**
     * Prepare a pass over the rows.
     * @param {boolean} [shuffles] True to put the rows into a new order.
     */
    begin(shuffles = false) {
      prefixes.begin();
      if (!shuffles) return;
      const places = makeOrder();
      g.tidy(() => g.assignMovingAverage(places, g.randomPermutation(size, model.draws.stream)));
    },

    /**
     * Train on a batch, or evaluate it.
     * @param {number} from The position of the first row.
     * @param {number} count
     * @returns {BatchSums}
     */
    run(from, count) {
      change(prefixes.check());
      start.assign(from);
      if (cache && !cache.isFull) {
        fill(count);
        change(prefixes.check()); // there may be no memory for the cache
      }
      return runBatch(model, plan, programFor(count));
    },

    dispose,
  };
};
