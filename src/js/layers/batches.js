// Batches in C: one program for whole batches and one for the last, which gather their rows
// themselves, so that an epoch costs no JavaScript per sample. Programs are recorded anew when a
// layer changed its mode.
import { applyConstraints, evaluateBatch } from './compile.js';

/** @typedef {import('./compile.js').Plan} Plan */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('../graph/program.js').Program<any>} Program */
/** @typedef {import('../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('../locks/variable.js').Variable} Variable */
/** @typedef {{ program: Program, lengths: number[], trained: Variable[] }} BatchProgram */

/** @typedef {{ loss: number, sums: Float32Array, lengths: readonly number[] }} BatchSums */

/** @typedef {ReturnType<typeof openBatches>} Batches */

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
 * Rows of data, some at a time.
 * @param {Model} model
 * @param {Plan} plan
 * @param {Data} data
 * @param {boolean} training
 */
export const openBatches = (model, plan, { xs, ys, weights, size }, training) => {
  const { g } = model;
  /** @type {Map<string, BatchProgram>} */
  const programs = new Map();
  /** The place of a batch's first row in the order of rows. */
  const start = g.variable(0, { name: 'batch', trainable: false });
  /** Which rows come in which order. @type {Variable | null} */
  let order = null;

  /** @param {number} count Rows. */
  const record = (count) => {
    const isWhole = count === size && order === null;
    const range = Float32Array.from({ length: count }, (_, i) => i);
    return recordBatch(model, plan, training, () => {
      const places = isWhole ? null : g.add(start, range);
      const rows = places && order ? g.gather(order, places) : places;
      /** @param {Tensor} t */
      const pick = (t) => (rows ? g.gather(t, rows) : t);
      return { xs: xs.map(pick), ys: ys.map(pick), weights: weights.map((w) => w && pick(w)) };
    });
  };

  return {
    /** Number of rows. */
    size,

    /**
     * Put the rows into a new order.
     * @param {import('../tensors/random.js').Seed | undefined} seed
     */
    shuffle(seed) {
      order ??= g.variable(new Float32Array(size), { name: 'order', trainable: false });
      const places = order;
      g.tidy(() => g.assignMovingAverage(places, g.randomPermutation(size, seed)));
    },

    /**
     * Train on a batch, or evaluate it.
     * @param {number} from Of the first row.
     * @param {number} count
     * @returns {BatchSums}
     */
    run(from, count) {
      const key = `${count} ${model.modeOf(training)}`;
      const found = programs.get(key) ?? record(count);
      programs.set(key, found);
      start.assign(from);
      return runBatch(plan, found);
    },

    dispose() {
      for (const { program } of programs.values()) program.dispose();
      start.dispose();
      order?.dispose();
    },
  };
};
