// The training methods of models, and a schedule that unfreezes layers at given epochs.
import { typeError } from '../../base/check.js';
import { expectPlan, readPlan } from '../fit/compile.js';
import { Draws } from '../fit/random-state.js';
import { BatchCopier } from '../fit/batch-runner.js';
import * as field from '../config/fields.js';
import { evaluate, predict, runOnBatch } from '../fit/evaluate.js';
import { fit } from '../fit/fit.js';
import { RowWise } from '../layer/row-wise.js';
import { pressure } from '../pressure/pressure.js';
import { restoreProgress, saveProgress } from '../fit/progress.js';
import { isStream } from '../fit/data-sources.js';
import { findWeights } from './weight-filter.js';

/** @import { CompileOptions, Plan } from '../fit/compile.js' */
/** @import { Batches, Rows } from '../fit/data-sources.js' */
/** @import { PressureOptions } from '../pressure/pressure.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { FitOptions, FitResult } from '../fit/fit.js' */
/** @import { Logs } from '../fit/logs.js' */
/** @import { WeightFilter, WeightSelections } from './weight-filter.js' */
/**
 * @typedef {object} Stage The changes of a schedule at one epoch.
 * @property {number} atEpoch
 * @property {WeightFilter | WeightSelections} [trainOnly] The weights to unlock, while all others
 *   are locked; or a record of selections.
 * @property {WeightFilter | WeightSelections} [lock]
 * @property {WeightFilter | WeightSelections} [unlock]
 * @property {number} [learningRate]
 * @property {Record<string, number>} [rates] Learning-rate factors by names of layers or weights.
 */

const STAGE = {
  atEpoch: field.count(undefined, 0),
  trainOnly: field.any(),
  lock: field.any(),
  unlock: field.any(),
  learningRate: field.any(),
  rates: field.any(),
};

const ON_BATCH = { sampleWeight: field.any() };

/** Every trainer is a model. @param {Trainer} trainer @returns {import('./model.js').Model} */
const asModel = (trainer) => /** @type {any} */ (trainer);

/** A layer that can be trained. */
export class Trainer extends RowWise {
  /** The result of `compile`. @internal @type {Plan | null} */
  plan = null;
  /** The random numbers of its batches. @internal */
  draws = new Draws(asModel(this));
  /** True if training should end after the current batch. Callbacks set it. */
  stopTraining = false;
  /** The reason for the end of training, if no callback ended it. @internal @type {'nan' | null} */
  stopReason = null;
  /** The number of the epoch after the last one of `fit`. @internal */
  nextEpoch = 0;
  /** The last fit's callbacks. @internal @type {import('../fit/callbacks.js').Callbacks | null} */
  callbacks = null;
  /** Another training's state, for the next schedule and a fit from the same epoch. @internal */
  resumed = {
    stages: /** @type {number[]} */ ([]),
    callbacks: /** @type {unknown[]} */ ([]),
    epoch: 0,
  };
  /** @type {Record<string, any>[]} */
  #stages = [];
  /** The stages that were already applied. @type {Set<Record<string, any>>} */
  #done = new Set();
  /** @type {{ training: BatchCopier, inference: BatchCopier } | null} */
  #runners = null;

  /**
   * Set the optimizer, the losses and the metrics. Locks and optimizer state stay.
   * @param {CompileOptions} options
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
   * net.compile({ optimizer: g.optimizers.adam({ learningRate: 0.1 }), loss: 'mse' });
   * net.optimizer.learningRate; // 0.1
   */
  compile(options) {
    const plan = readPlan(asModel(this), options);
    this.plan = plan;
    this.dropPrograms();
  }

  /** The optimizer that `compile` set. */
  get optimizer() {
    return this.plan?.optimizer ?? null;
  }

  /**
   * Train the model. Resolves with the history, also if training ended early. Rejects with any
   * error that a callback or an iterator throws.
   * @overload
   * @param {Rows} x The input's rows, one for each sample; for several inputs a list or an object.
   * @param {Rows} y The rows of labels.
   * @param {FitOptions} [options]
   * @returns {Promise<FitResult>}
   * @example
   * const net = nn.sequential([
   *   nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones', useBias: false }),
   * ]);
   * net.compile({ optimizer: g.optimizers.sgd({ learningRate: 0.25 }), loss: 'mse' });
   * const { history } = await net.fit([[1], [1]], [[3], [3]], { epochs: 3 });
   * history.loss; // [4, 1, 0.25]
   */
  /**
   * Train on batches from an iterator.
   * @overload
   * @param {Batches} batches
   * @param {FitOptions} [options]
   * @returns {Promise<FitResult>}
   */
  /** @param {any} x @param {any} [y] @param {FitOptions} [options] @returns {Promise<FitResult>} */
  fit(x, y, options) {
    const isBatches = options === undefined && isStream(x);
    return isBatches
      ? fit(asModel(this), x, undefined, y ?? {})
      : fit(asModel(this), x, y, options ?? {});
  }

  /**
   * Compute the loss and metrics over rows, in inference mode.
   * @param {Rows} x
   * @param {Rows} y
   * @param {{ batchSize?: number, sampleWeight?: Rows }} [options]
   * @returns {Promise<Logs>}
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * (await net.evaluate([[1], [2]], [[1], [4]])).loss; // 2
   */
  evaluate(x, y, options) {
    return evaluate(asModel(this), x, y, options);
  }

  /**
   * Measure what each lock costs, and what each free element can gain (docs/laws.md, law 21).
   * Returns norms of the loss gradient over the rows, relative to the weights' norms. Also returns
   * the gain of a gradient step to first and second order. Results are for layers, weights or
   * filters, separately for locked and free elements. Runs in inference mode: no dropout, and batch
   * normalisation uses its moving statistics. Changes nothing.
   *
   * Rejects with an OptionError for stateful layers, and with a GradlockError if weights or locks
   * change meanwhile.
   * ```js
   * const found = await net.pressure(xs, ys, { by: 'layer' });
   * console.log(found.text);
   * found.lift();                       // unlocks the layer under the highest pressure
   * ```
   * @param {Rows} x
   * @param {Rows} y
   * @param {PressureOptions} [options]
   * @returns {Promise<import('../pressure/report.js').Pressure>}
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * const { rows } = await net.pressure([[2]], [[0]], { learningRate: 0.5 });
   * rows[0].firstOrder; // 40
   */
  pressure(x, y, options) {
    return pressure(asModel(this), x, y, options);
  }

  /**
   * Compute the model's outputs for rows, in inference mode. Resolves with a tensor, or with one
   * for each output, as in `predict<Tensor[]>(x)`.
   * @template {Tensor | Tensor[]} [Out=Tensor]
   * @param {Rows} x
   * @param {{ batchSize?: number }} [options]
   * @returns {Out}
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.predict([[1], [2]]).array(); // [[1], [2]]
   */
  predict(x, options) {
    return /** @type {any} */ (predict(asModel(this), x, options));
  }

  /**
   * Train one step on a batch. Returns the loss and metrics before the step.
   * @param {Rows} x
   * @param {Rows} y
   * @param {{ sampleWeight?: Rows }} [options]
   * @returns {Logs} The logs before the step.
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.trainOnBatch([[1]], [[3]]).loss; // 4
   */
  trainOnBatch(x, y, options) {
    const { sampleWeight } = field.readFieldOptions(options, ON_BATCH, 'trainOnBatch');
    return runOnBatch(asModel(this), this.#getRunners().training, [x, y, sampleWeight]);
  }

  /**
   * Compute the loss and metrics of a batch, in inference mode.
   * @param {Rows} x
   * @param {Rows} y
   * @param {{ sampleWeight?: Rows }} [options]
   * @returns {Logs}
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.testOnBatch([[1]], [[3]]).loss; // 4
   */
  testOnBatch(x, y, options) {
    const { sampleWeight } = field.readFieldOptions(options, ON_BATCH, 'testOnBatch');
    return runOnBatch(asModel(this), this.#getRunners().inference, [x, y, sampleWeight]);
  }

  #getRunners() {
    const plan = expectPlan(this.plan);
    this.#runners ??= {
      training: new BatchCopier(asModel(this), plan, true),
      inference: new BatchCopier(asModel(this), plan, false),
    };
    return this.#runners;
  }

  /** Drop the batch programs, since the model has changed. @internal */
  dropPrograms() {
    this.#runners?.training.dropAll();
    this.#runners?.inference.dropAll();
    this.#runners = null;
  }

  /**
   * Set locks and learning rates from given epochs on. Replaces an earlier schedule.
   * @param {readonly Stage[]} stages
   * @example
   * const net = nn.sequential([
   *   nn.dense({ units: 2, inputShape: [1], name: 'base' }),
   *   nn.dense({ units: 1, name: 'head' }),
   * ]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.schedule([{ atEpoch: 0, trainOnly: 'head' }, { atEpoch: 2, unlock: 'base' }]);
   * await net.fit([[1]], [[1]], { epochs: 2 });
   * net.getLayer('base').kernel.locks.count; // 2
   */
  schedule(stages) {
    if (!Array.isArray(stages)) throw typeError('schedule', 'an array of stages', stages);
    const read = stages.map((stage, i) => field.readFieldOptions(stage, STAGE, `stage ${i}`));
    this.#stages = read.sort((a, b) => a.atEpoch - b.atEpoch);
    const { stages: done } = this.resumed;
    this.#done = new Set(read.filter(({ atEpoch }) => done.includes(atEpoch)));
    this.resumed.stages = [];
  }

  /** The epochs whose stages were applied. @internal */
  get stagesDone() {
    return [...this.#done].map(({ atEpoch }) => Number(atEpoch));
  }

  /**
   * @internal
   * @param {number} epoch
   * @param {boolean} isFirst True in a fit's first epoch, which also applies missed earlier stages.
   */
  applySchedule(epoch, isFirst) {
    const model = asModel(this);
    const { optimizer } = expectPlan(this.plan);
    for (const stage of this.#stages) {
      const { atEpoch, trainOnly, lock, unlock, learningRate, rates } = stage;
      if (atEpoch !== epoch && !(isFirst && atEpoch < epoch && !this.#done.has(stage))) continue;
      if (trainOnly !== null) model.trainOnly(trainOnly);
      if (lock !== null) model.lock(lock);
      if (unlock !== null) model.unlock(unlock);
      if (learningRate !== null) optimizer.learningRate = learningRate;
      for (const [name, factor] of Object.entries(rates ?? {})) {
        for (const weight of findWeights(model, name)) optimizer.scaleLearningRate(weight, factor);
      }
      this.#done.add(stage);
    }
  }

  /** The state of training but weights and optimizer, for models of equal layers. @internal */
  get progress() {
    return saveProgress(asModel(this));
  }

  /** @internal */
  set progress(value) {
    restoreProgress(asModel(this), value);
  }

  /** @override */ keep() {
    super.keep();
    this.nn.undo(() => this.dropPrograms());
  }

  /** @override */ dispose() {
    this.dropPrograms();
    super.dispose();
  }
}
