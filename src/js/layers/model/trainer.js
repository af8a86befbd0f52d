// What models can do beside being a layer: be compiled, trained, evaluated, asked, and unfrozen by
// a plan of epochs.
import { typeError } from '../../base/check.js';
import { expectPlan, readPlan } from '../fit/compile.js';
import { Draws } from '../fit/random-state.js';
import { Feed } from '../fit/batch-programs.js';
import * as field from '../config/fields.js';
import { evaluate, predict, runOnBatch } from '../fit/evaluate.js';
import { fit } from '../fit/fit.js';
import { RowWise } from '../layer/row-wise.js';
import { pressure } from '../pressure/pressure.js';
import { restoreProgress, saveProgress } from '../fit/progress.js';
import { isStream } from '../fit/data-sources.js';

/** @typedef {import('../fit/compile.js').Plan} Plan */
/** @typedef {import('../fit/compile.js').CompileOptions} CompileOptions */
/** @typedef {import('../fit/data-sources.js').Batches} Batches */
/** @typedef {import('../fit/data-sources.js').Rows} Rows */
/** @typedef {import('../pressure/pressure.js').PressureOptions} PressureOptions */
/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('../fit/fit.js').FitOptions} FitOptions */
/** @typedef {import('../fit/fit.js').FitResult} FitResult */
/** @typedef {import('../fit/logs.js').Logs} Logs */
/** @typedef {import('./model.js').WeightFilter} WeightFilter */
/**
 * @typedef {object} Stage From an epoch on.
 * @property {number} atEpoch
 * @property {WeightFilter} [trainOnly] Unlock these weights, and lock all others.
 * @property {WeightFilter} [lock]
 * @property {WeightFilter} [unlock]
 * @property {number} [learningRate]
 * @property {Record<string, number>} [rates] Factors of the learning rate, by names of layers or
 *   weights.
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

/**
 * All that can be trained are models.
 * @param {Trainer} trainer
 * @returns {import('./model.js').Model}
 */
const asModel = (trainer) => /** @type {any} */ (trainer);

/** A layer that can be trained. */
export class Trainer extends RowWise {
  /** What `compile` settled. @internal @type {Plan | null} */
  plan = null;
  /** Random numbers of its batches. @internal */
  draws = new Draws(asModel(this));
  /** Set by callbacks: training ends after the batch at hand. */
  stopTraining = false;
  /** Why, if not for a callback's own reasons. @internal @type {'nan' | null} */
  stopReason = null;
  /** The epoch after the last one of `fit`. @internal */
  nextEpoch = 0;
  /** Of the last fit. @internal @type {import('../fit/callbacks.js').Callbacks | null} */
  callbacks = null;
  /**
   * What the next schedule takes over from training elsewhere, and the next fit, if it begins with
   * the same epoch.
   * @internal
   */
  resumed = {
    stages: /** @type {number[]} */ ([]),
    callbacks: /** @type {unknown[]} */ ([]),
    epoch: 0,
  };
  /** @type {Record<string, any>[]} */
  #stages = [];
  /** Stages that were carried out. @type {Set<Record<string, any>>} */
  #done = new Set();
  /** @type {{ training: Feed, inference: Feed } | null} */
  #feeds = null;

  /**
   * Settle how to train. Locks, and what an optimizer has learned of weights, stay as they are.
   * @param {CompileOptions} options
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
   * net.compile({ optimizer: g.optimizers.adam({ learningRate: 0.1 }), loss: 'mse' });
   * net.optimizer.learningRate; // 0.1
   */
  compile(options) {
    const plan = readPlan(asModel(this), options);
    this.plan = plan;
    this.dropFeeds();
  }

  /** Of `compile`. */
  get optimizer() {
    return this.plan?.optimizer ?? null;
  }

  /**
   * Train. Resolves with the history, also of what was broken off; rejects with what a callback or
   * an iterator throws.
   * @overload
   * @param {Rows} x Rows of inputs, one sample each; a list or an object of them for several.
   * @param {Rows} y Rows of labels.
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
   * Train on batches that come from elsewhere.
   * @overload
   * @param {Batches} batches
   * @param {FitOptions} [options]
   * @returns {Promise<FitResult>}
   */
  /**
   * @param {any} x
   * @param {any} [y]
   * @param {FitOptions} [options]
   * @returns {Promise<FitResult>}
   */
  fit(x, y, options) {
    const isFeed = options === undefined && isStream(x);
    return isFeed
      ? fit(asModel(this), x, undefined, y ?? {})
      : fit(asModel(this), x, y, options ?? {});
  }

  /**
   * Loss and metrics over rows, in inference mode.
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
  evaluate(x, y, options = {}) {
    return evaluate(asModel(this), x, y, options);
  }

  /**
   * What each lock costs, and what each free element has to gain (docs/laws.md, law 21): norms of
   * the gradient of the loss over rows, relative to the weights', and the gain of a gradient step
   * to first and to second order; of layers, weights and filters, locked elements and free ones
   * apart. In inference mode: no dropout, moving statistics in batch normalisation. Changes
   * nothing.
   *
   * Rejects with an OptionError for stateful layers, with a GradlockError if weights or locks
   * change meanwhile.
   * ```js
   * const found = await net.pressure(xs, ys, { by: 'layer' });
   * console.log(found.text);
   * found.lift();                       // unlocks the layer that is pressed most
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
  pressure(x, y, options = {}) {
    return pressure(asModel(this), x, y, options);
  }

  /**
   * What the model gives for rows, in inference mode: a tensor; or one an output, as
   * `predict<Tensor[]>(x)`.
   * @template {Tensor | Tensor[]} [Out=Tensor]
   * @param {Rows} x
   * @param {{ batchSize?: number }} [options]
   * @returns {Out}
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.predict([[1], [2]]).array(); // [[1], [2]]
   */
  predict(x, options = {}) {
    return /** @type {any} */ (predict(asModel(this), x, options));
  }

  /**
   * One step on a batch. Gives the logs as they were before the step.
   * @param {Rows} x
   * @param {Rows} y
   * @param {{ sampleWeight?: Rows }} [options]
   * @returns {Logs} As they were before the step.
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.trainOnBatch([[1]], [[3]]).loss; // 4
   */
  trainOnBatch(x, y, options = {}) {
    const { sampleWeight } = field.readFieldOptions(options, ON_BATCH, 'trainOnBatch');
    return runOnBatch(asModel(this), this.#getFeeds().training, [x, y, sampleWeight]);
  }

  /**
   * Loss and metrics of a batch, in inference mode.
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
  testOnBatch(x, y, options = {}) {
    const { sampleWeight } = field.readFieldOptions(options, ON_BATCH, 'testOnBatch');
    return runOnBatch(asModel(this), this.#getFeeds().inference, [x, y, sampleWeight]);
  }

  #getFeeds() {
    const plan = expectPlan(this.plan);
    this.#feeds ??= {
      training: new Feed(asModel(this), plan, true),
      inference: new Feed(asModel(this), plan, false),
    };
    return this.#feeds;
  }

  /** Forget programs of batches, since the model is not what it was. @internal */
  dropFeeds() {
    this.#feeds?.training.dispose();
    this.#feeds?.inference.dispose();
    this.#feeds = null;
  }

  /**
   * What is to be locked, and how fast things learn, from which epoch of `fit` on. Replaces an
   * earlier schedule.
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

  /** Epochs whose stages were carried out. @internal */
  get stagesDone() {
    return [...this.#done].map(({ atEpoch }) => Number(atEpoch));
  }

  /**
   * Carry out the stages of an epoch.
   * @internal
   * @param {number} epoch
   * @param {boolean} isFirst Of a fit: earlier stages that were not carried out are, too.
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
        for (const weight of model.findWeights(name)) optimizer.scaleLearningRate(weight, factor);
      }
      this.#done.add(stage);
    }
  }

  /**
   * How far training is, beside weights and optimizer; to be set on a model of the same layers.
   * @internal
   */
  get progress() {
    return saveProgress(asModel(this));
  }

  /** @internal */
  set progress(value) {
    restoreProgress(asModel(this), value);
  }

  /** @override */
  keep() {
    super.keep();
    this.nn.undo(() => this.dropFeeds());
  }

  /** @override */
  dispose() {
    this.dropFeeds();
    super.dispose();
  }
}
