// The training loop: epochs of batches. It gives the page time to draw, calls callbacks, stops on
// request, and returns the history.
import { noneFree, warn } from '../../base/none-free.js';
import { readCount, typeError } from '../../base/check.js';
import { GradlockError, OptionError } from '../../base/errors.js';
import { Yielder } from './event-loop.js';
import { Callbacks } from './callbacks.js';
import { expectPlan } from './compile.js';
import { disposeAll } from './data.js';
import { evaluateRows, ROWS } from './evaluate.js';
import * as field from '../config/fields.js';
import { Tally } from './logs.js';
import { MOST_BYTES } from './frozen-prefix.js';
import { isStream, openDatasets } from './data-sources.js';
import { startLockAudit } from './lock-audit.js';
import { RowBatches } from './row-batches.js';

/** @import { Plan } from './compile.js' */
/** @import { Rows } from './data-sources.js' */
/** @import { Logs } from './logs.js' */
/** @import { Model } from '../model/model.js' */
/**
 * @typedef {object} Progress
 * @property {number} epoch The number of the epoch, from 0.
 * @property {number} epochs
 * @property {number} batch The number of the batch that just ended, within the epoch, from 1.
 * @property {number | null} batches The number of batches in an epoch, if known.
 * @property {number} elapsed The milliseconds since training began.
 * @property {number | null} timeLeft The estimated milliseconds left, at the speed so far.
 * @property {Logs} logs The logs of the epoch so far.
 */
/**
 * @typedef {object} FitOptions
 * @property {number} [batchSize] The number of rows in a batch. Default: 32.
 * @property {number} [epochs] The number of the last epoch. Default: 1.
 * @property {number} [initialEpoch] The number of the first epoch. Default: 0.
 * @property {boolean} [shuffle] True to shuffle rows in memory each epoch. Default: true.
 * @property {number} [validationSplit] The fraction of the rows, from the end, for validation only.
 * @property {readonly Rows[]} [validationData] `[x, y]` or `[x, y, sampleWeight]`.
 * @property {number} [validationBatchSize] Default: batchSize.
 * @property {Record<string, number>} [classWeight] The sample weights by the class of the label.
 * @property {Rows} [sampleWeight] One weight for each sample.
 * @property {import('./callbacks.js').Callback | import('./callbacks.js').Callback[]} [callbacks]
 * @property {{ readonly aborted: boolean }} [signal] An AbortSignal, obeyed after each batch.
 * @property {number} [stepsPerEpoch] The number of an iterator's batches in an epoch.
 * @property {'auto' | 'batch' | 'epoch' | 'never' | number} [yieldEvery] When training pauses so
 *   that the page can draw and respond; a number is milliseconds of work. Default: 'auto', often
 *   enough for 50 frames a second if a batch takes up to 8 ms.
 * @property {boolean} [audit] True to compare locked elements with their values before training.
 *   Costs a copy of them. Default: true.
 * @property {'auto' | false | number} [cache] The limit in bytes for cached results of fully locked
 *   layers nearest the inputs. They are computed once if they are the same each time. Default:
 *   'auto', 256 MB. The results are bit-identical to computing them again.
 * @property {(progress: Progress) => unknown} [onProgress]
 * @property {number} [verbose] An option of Keras and TensorFlow.js that has no effect here.
 */
/**
 * @typedef {object} FitResult The result of `fit`.
 * @property {number[]} epoch The numbers of the finished epochs.
 * @property {Record<string, number[]>} history For each log, one number per epoch.
 * @property {{ watched: number, changed: number, note?: string } | null} audit The number of
 *   elements that were locked from the beginning to the end, and how many of them changed: 0. The
 *   note says which moving statistics followed the data next to locked weights.
 * @property {'signal' | 'stopTraining' | 'nan' | null} stopped Why training ended early, or null.
 * @property {import('./frozen-prefix.js').Cached} cached The results computed once for all epochs.
 * @property {{ epoch: number, batches: number, logs: Logs } | null} unfinished The epoch cut short.
 * @property {string[]} warnings What is wrong although it is no error: that nothing was free to
 *   train, or the first batch whose loss is not finite. The console says each once.
 */

/** @param {unknown} value @param {string} what @returns {number} The number of bytes. */
const readBudget = (value, what) =>
  value === 'auto' ? MOST_BYTES : value === false ? 0 : readCount(value, what);

const OPTIONS = {
  ...ROWS,
  epochs: field.count(1, 0),
  initialEpoch: field.count(0, 0),
  shuffle: field.flag(true),
  validationSplit: field.number(0),
  validationData: field.any(),
  validationBatchSize: field.countOrNull(1),
  classWeight: field.any(),
  callbacks: field.any(),
  signal: field.any(),
  stepsPerEpoch: field.countOrNull(1),
  audit: field.flag(true),
  cache: new field.Field('auto', readBudget),
  onProgress: field.any(),
};

/**
 * Throws for options that would have no effect with others.
 * @param {FitOptions} given
 * @param {boolean} isStream True if the data are an iterator's.
 */
const refuseIdle = (given, isStream) => {
  const { batchSize, shuffle, validationBatchSize, validationData, validationSplit } = given;
  const isValidated = Boolean(validationData) || Boolean(validationSplit);
  const idle = [
    [isStream && shuffle, 'shuffle has no effect on an iterator: let it shuffle'],
    [
      isStream && batchSize !== undefined && !isValidated,
      'batchSize has no effect on an iterator, which makes the batches: leave it out',
    ],
    [
      validationBatchSize !== undefined && !isValidated,
      'validationBatchSize needs validationData or validationSplit',
    ],
    [
      validationData && validationSplit,
      'validationData and validationSplit are both given: leave one out',
    ],
  ].find(([is]) => is);
  if (idle) throw new OptionError(String(idle[1]));
};

/** @param {unknown} given @param {unknown} x @returns {Record<string, any>} */
const readFitOptions = (given, x) => {
  const options = field.readFieldOptions(given, OPTIONS, 'fit');
  const { signal, onProgress } = options;
  if (signal !== null && typeof signal.aborted !== 'boolean') {
    throw typeError('signal', 'an AbortSignal', signal);
  }
  if (onProgress !== null && typeof onProgress !== 'function') {
    throw typeError('onProgress', 'a function', onProgress);
  }
  refuseIdle(/** @type {any} */ (given), isStream(x));
  options.validationBatchSize ??= options.batchSize;
  return options;
};

/** The models that are being trained. @type {WeakSet<Model>} */
const busy = new WeakSet();

/**
 * @param {Model} model
 * @param {unknown} x The inputs' rows, or batches: an iterator or a function that makes one.
 * @param {unknown} y
 * @param {unknown} given
 */
export const fit = async (model, x, y, given) => {
  const plan = expectPlan(model.plan);
  const options = readFitOptions(given, x);
  if (busy.has(model)) {
    throw new GradlockError(
      `${model.name} is already being trained: await that fit before you start another`,
    );
  }
  const callbacks = new Callbacks(options.callbacks);
  const yielder = new Yielder(options.yieldEvery);
  const { result: opened, takeBack } = model.nn.begin(() => open(model, plan, x, y, options));
  const { training, rows, own, finishAudit } = opened;
  const { trained } = model.draws;
  /** @type {FitResult} */
  const result = {
    epoch: [],
    history: {},
    audit: null,
    stopped: null,
    unfinished: null,
    cached: training.cached,
    warnings: [],
  };
  let ended = false;
  busy.add(model);
  model.stopTraining = false;
  model.stopReason = null;
  model.callbacks = callbacks;
  try {
    callbacks.attach(model);
    const validate = rows && (() => evaluateRows(rows, yielder));
    await train({ model, plan, options, callbacks, yielder, training, validate, result });
    ended = true;
  } finally {
    busy.delete(model);
    result.cached = training.cached;
    rows?.dispose();
    disposeAll(own);
    result.audit = finishAudit?.() ?? null;
    // If closing the iterator throws again, the first error is kept.
    await Promise.resolve(training.dispose()).catch(() => {});
    // A failure before the first batch restores the state from before fit.
    if (!ended && model.draws.trained === trained) takeBack();
  }
  return result;
};

/**
 * Checks all arguments before training starts.
 * @param {Model} model
 * @param {Plan} plan
 * @param {unknown} x
 * @param {unknown} y
 * @param {ReturnType<typeof readFitOptions>} options
 */
const open = (model, plan, x, y, options) => {
  const budget = { left: options.cache };
  const { stream } = model.draws;
  const { step } = stream;
  model.nn.undo(() => {
    stream.step = step;
  });
  const { training, validation, own } = openDatasets(model, plan, x, y, options, budget);
  model.nn.undo(() => disposeAll(own));
  training.prepare();
  const batchSize = options.validationBatchSize;
  const rows =
    validation && new RowBatches(model, plan, validation, { training: false, batchSize, budget });
  rows?.prepare();
  return { training, rows, own, finishAudit: options.audit ? startLockAudit(model) : null };
};

/**
 * @typedef {object} Job
 * @property {Model} model
 * @property {Plan} plan
 * @property {ReturnType<typeof readFitOptions>} options
 * @property {Callbacks} callbacks
 * @property {Yielder} yielder
 * @property {import('./data-sources.js').Dataset} training
 * @property {(() => Promise<Logs>) | null} validate
 * @property {FitResult} result
 */

/** Why training should end now, or null. @param {Job} job @returns {FitResult['stopped']} */
const reasonToStop = ({ model, options: { signal } }) => {
  if (signal?.aborted) return 'signal';
  return model.stopTraining ? (model.stopReason ?? 'stopTraining') : null;
};

/** @param {Job} job */
const train = async (job) => {
  const { model, options, callbacks, yielder, validate, result } = job;
  const began = performance.now();
  await callbacks.call('onTrainBegin', {});
  const { epoch: next, callbacks: states } = model.resumed;
  if (next === options.initialEpoch) callbacks.restore(states);
  model.resumed.callbacks = [];
  for (let epoch = options.initialEpoch; epoch < options.epochs; epoch++) {
    result.stopped = reasonToStop(job);
    if (result.stopped) break;
    model.applySchedule(epoch, epoch === options.initialEpoch);
    if (epoch === options.initialEpoch) {
      const text = noneFree(model.weights.filter(({ trainable }) => trainable));
      if (text) result.warnings.push(text);
    }
    await callbacks.call('onEpochBegin', epoch, {});
    const { tally, batches } = await trainEpoch(job, epoch, began);
    const logs = tally.logs();
    if (result.stopped) {
      if (batches > 0) result.unfinished = { epoch, batches, logs };
      break;
    }
    if (validate) {
      for (const [name, value] of Object.entries(await validate())) logs[`val_${name}`] = value;
    }
    result.epoch.push(epoch);
    for (const [name, value] of Object.entries(logs)) {
      if (!Object.hasOwn(result.history, name)) result.history[name] = [];
      result.history[name]?.push(value);
    }
    model.nextEpoch = epoch + 1;
    await callbacks.call('onEpochEnd', epoch, logs);
    await yielder.endEpoch();
  }
  result.stopped ??= reasonToStop(job);
  await callbacks.call('onTrainEnd', {});
};

/** @param {Job} job @param {number} epoch @param {number} began */
const trainEpoch = async (job, epoch, began) => {
  const { model, plan, options, callbacks, yielder, training, result } = job;
  let isNamed = result.warnings.some((text) => text.startsWith('the loss'));
  const tally = new Tally(plan);
  let batch = 0;
  training.begin();
  for (;;) {
    const next = training.next();
    const size = next instanceof Promise ? await next : next;
    if (size === 0) break;
    if (callbacks.has('onBatchBegin')) await callbacks.call('onBatchBegin', batch, { batch, size });
    const sums = training.run();
    tally.add(sums, size);
    if (!Number.isFinite(sums.loss) && !isNamed) {
      isNamed = true;
      const text = `the loss is ${sums.loss} from epoch ${epoch}, batch ${batch} on, counted from 0`;
      result.warnings.push(text);
      warn(`${model.label}: ${text}`);
    }
    if (callbacks.has('onBatchEnd')) {
      const own = new Tally(plan);
      own.add(sums, size);
      await callbacks.call('onBatchEnd', batch, { batch, size, ...own.logs() });
    }
    batch++;
    if (options.onProgress) reportProgress(job, epoch, batch, began, tally);
    if (yielder.isDue()) {
      if (callbacks.has('onYield')) await callbacks.call('onYield', epoch, batch - 1, tally.logs());
      await yielder.pause();
    }
    result.stopped = reasonToStop(job);
    if (result.stopped) break;
  }
  return { tally, batches: batch };
};

/**
 * @param {Job} job
 * @param {number} epoch
 * @param {number} batch
 * @param {number} began
 * @param {Tally} tally
 */
const reportProgress = ({ options, training }, epoch, batch, began, tally) => {
  const elapsed = performance.now() - began;
  const { epochs, initialEpoch, onProgress } = options;
  const batches = training.steps;
  const done = batches && (epoch - initialEpoch) * batches + batch;
  const timeLeft =
    batches && done ? (elapsed / done) * ((epochs - initialEpoch) * batches - done) : null;
  onProgress?.({ epoch, epochs, batch, batches, elapsed, timeLeft, logs: tally.logs() });
};
