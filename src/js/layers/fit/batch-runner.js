// Runs batches in C, each by a program for its shapes. A layer in another mode needs a new one.
import { noneFree, warn } from '../../base/none-free.js';
import { applyConstraints, evaluateBatch } from './compile.js';
import { disposeAll } from './data.js';
import { newRun } from '../layer/forward-pass.js';

/** @import { Plan } from './compile.js' */
/** @import { Data } from './data.js' */
/** @import { PrefixRun } from './frozen-prefix.js' */
/** @import { Model } from '../model/model.js' */
/** @import { Reals } from '../layer/toolkit.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Variable } from '../../locks/variable.js' */
/** @typedef {import('../../graph/program.js').Program<any>} Program */
/**
 * @typedef {object} BatchProgram
 * @property {Program} program
 * @property {number[]} lengths The lengths of the metrics' sums, joined in its second output.
 * @property {Variable[]} trained
 * @property {Variable[]} inputs The variables into which batches are copied.
 */
/** @typedef {{ loss: number, sums: Reals, lengths: readonly number[] }} BatchSums */
/**
 * @typedef {{ xs: Tensor[], ys: Tensor[], weights: (Tensor | null)[], prefix?: PrefixRun }}
 *   BatchTensors
 */

/** The number of programs kept, for different shapes. Beyond it, the oldest is dropped. */
const MOST_PROGRAMS = 8;

const NONE = new Float32Array(0);

/** The models that were warned of. @type {WeakSet<Model>} */
const warned = new WeakSet();

/** Warns that nothing is free, since the optimizer is not asked then. @param {Model} model */
const warnOnce = (model) => {
  const text = noneFree(model.weights.filter(({ trainable }) => trainable));
  if (text && !warned.has(model)) warn(`${model.label}: ${text}`);
  warned.add(model);
};

/** Records, keeps and runs the programs of batches. */
export class BatchRunner {
  /** @type {Map<string, BatchProgram>} */
  #programs = new Map();

  /** @param {Model} model @param {Plan} plan @param {boolean} training False to evaluate. */
  constructor(model, plan, training) {
    this.model = model;
    this.plan = plan;
    this.training = training;
  }

  /**
   * Returns the program for a key and the layers' mode; records it if there is none.
   * @param {string} key The batch's shapes.
   * @param {(inputs: Variable[]) => BatchTensors} read Called while recording.
   * @param {readonly Tensor[]} [batch] Copied into the program's inputs. Default: nothing.
   * @returns {BatchProgram}
   */
  programFor(key, read, batch = []) {
    const full = `${key} ${this.model.modeOf(this.training)}`;
    const known = this.#programs.get(full);
    if (known) {
      known.inputs.forEach((input, i) => void input.assign(/** @type {Tensor} */ (batch[i])));
      return known;
    }
    const program = this.#record(read, batch);
    this.model.nn.undo(() => this.drop(full));
    this.#programs.set(full, program);
    const [oldest] = this.#programs.keys();
    if (this.#programs.size > MOST_PROGRAMS && oldest !== undefined) this.drop(oldest);
    return program;
  }

  /**
   * @param {(inputs: Variable[]) => BatchTensors} read
   * @param {readonly Tensor[]} batch
   * @returns {BatchProgram}
   */
  #record(read, batch) {
    const { model, plan, training } = this;
    const { g, nn } = model;
    /** @type {number[]} */
    let lengths = [];
    return nn.attempt(() => {
      /** @type {Variable[]} */
      const inputs = [];
      nn.undo(() => disposeAll(inputs));
      for (const t of batch) inputs.push(g.variable(t, { name: 'batch', trainable: false }));
      const program = model.draws.record(training, () =>
        g.compile(() => {
          const { xs, ys, weights, prefix } = read(inputs);
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
      return { program, lengths, trained, inputs };
    });
  }

  /** Trains on a batch, or evaluates it. @param {BatchProgram} batch @returns {BatchSums} */
  execute({ program, lengths, trained }) {
    const { model, plan, training } = this;
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
  }

  /** @param {string} key The whole key of a program. */
  drop(key) {
    const found = this.#programs.get(key);
    this.#programs.delete(key);
    if (found) disposeAll([found.program, ...found.inputs]);
  }

  /** Drops the programs whose keys begin with a text. @param {string} [start] Default: all. */
  dropAll(start = '') {
    for (const key of [...this.#programs.keys()]) if (key.startsWith(start)) this.drop(key);
  }
}

/** Runs batches that come one at a time, of any shapes: it copies each into variables. */
export class BatchCopier extends BatchRunner {
  /** Copies a batch into its program's variables, or throws. @param {Data} data Of one batch. */
  copy({ xs, ys, weights }) {
    const batch = [...xs, ...ys, ...weights.filter((w) => w !== null)];
    const key = [...batch.map(({ shape }) => shape.join('x')), weights.map(Boolean)].join();
    const read = (/** @type {Variable[]} */ inputs) => {
      const rest = inputs.values();
      const next = () => /** @type {Variable} */ (rest.next().value);
      return { xs: xs.map(next), ys: ys.map(next), weights: weights.map((w) => w && next()) };
    };
    return this.programFor(key, read, batch);
  }

  /** @param {Data} data The data of one batch. @returns {BatchSums} */
  run(data) {
    return this.execute(this.copy(data));
  }
}
