// Training loops: epochs of batches that let the page breathe, call back, stop when told to, and
// say what happened.
import {
  describe,
  isRecord,
  ownProperties,
  readCount,
  readFlag,
  readNumber,
  readOptions,
} from '../base/check.js';
import { GradlockError, OptionError } from '../base/errors.js';
import { Batches } from './batches.js';
import { Breath } from './breath.js';
import { Callbacks } from './callbacks.js';
import { expectPlan } from './compile.js';
import { disposeAll, readData, splitData } from './data.js';
import { Feed, readBatch, Stream } from './feed.js';
import { Tally } from './logs.js';
import { watchLocks } from './watch.js';

/** @typedef {import('./batches.js').BatchSums} BatchSums */
/** @typedef {import('./compile.js').Plan} Plan */
/** @typedef {import('./data.js').Data} Data */
/** @typedef {import('./logs.js').Logs} Logs */
/** @typedef {import('./model.js').Model} Model */
/**
 * @typedef {object} Progress
 * @property {number} epoch From 0.
 * @property {number} epochs
 * @property {number} batch Of the epoch, that ended; from 1.
 * @property {number | null} batches Of an epoch, where that is known.
 * @property {number} elapsed Milliseconds since training began.
 * @property {number | null} timeLeft Milliseconds, at the speed so far.
 * @property {Logs} logs Of the epoch so far.
 */
/**
 * @typedef {object} FitOptions
 * @property {number} [batchSize] Default: 32.
 * @property {number} [epochs] Number of the last epoch. Default: 1.
 * @property {number} [initialEpoch] Number of the first epoch. Default: 0.
 * @property {boolean} [shuffle] Default: true; batches that come from outside are taken as they
 *   come.
 * @property {number} [validationSplit] The part of the rows, the last ones, that is not trained on.
 * @property {any} [validationData] `[x, y]` or `[x, y, sampleWeight]`.
 * @property {number} [validationBatchSize] Default: batchSize.
 * @property {Record<string, number>} [classWeight] Weights of samples by the class of their label.
 * @property {any} [sampleWeight] A weight a sample.
 * @property {import('./callbacks.js').Callback | import('./callbacks.js').Callback[]} [callbacks]
 * @property {AbortSignal} [signal] Ends training after the batch that is being computed.
 * @property {number} [stepsPerEpoch] Batches an epoch, of an iterator.
 * @property {'auto' | 'batch' | 'epoch' | 'never' | number} [yieldEvery] When the page may draw and
 *   answer; a number is milliseconds of work. Default: 'auto', often enough for 50 frames a second
 *   if a batch takes up to 8 ms.
 * @property {boolean} [audit] Whether to hold locked elements against what they were. Costs a copy
 *   of them. Default: true.
 * @property {(progress: Progress) => unknown} [onProgress]
 * @property {number} [verbose] Of Keras and TensorFlow.js; says nothing here.
 */
/**
 * @typedef {object} FitResult What `fit` resolves with.
 * @property {number[]} epoch Numbers of the epochs that ended.
 * @property {Record<string, number[]>} history Of each log, a number an epoch.
 * @property {{ watched: number, changed: number } | null} audit Elements locked at the end of those
 *   that were locked at the beginning, and how many of them are not what they were: 0.
 * @property {'signal' | 'stopTraining' | 'nan' | null} stopped Why it ended early.
 * @property {{ epoch: number, batches: number, logs: Logs } | null} unfinished The epoch that was
 *   broken off.
 */

const KNOWN = [
  'batchSize',
  'epochs',
  'initialEpoch',
  'shuffle',
  'validationSplit',
  'validationData',
  'validationBatchSize',
  'classWeight',
  'sampleWeight',
  'callbacks',
  'signal',
  'stepsPerEpoch',
  'yieldEvery',
  'audit',
  'onProgress',
  'verbose',
];

/** @param {unknown} value @param {string} what */
const readSize = (value, what) => {
  if (readCount(value, what) > 0) return Number(value);
  throw new OptionError(`${what} must be at least 1`);
};

/** @param {unknown} options */
const readFitOptions = (options) => {
  const given = readOptions(options, KNOWN, 'fit options');
  const {
    batchSize = 32,
    epochs = 1,
    initialEpoch = 0,
    shuffle = true,
    audit = true,
    signal,
    onProgress,
  } = given;
  if (signal !== undefined && typeof (/** @type {any} */ (signal)?.aborted) !== 'boolean') {
    throw new TypeError(`signal must be an AbortSignal, got ${describe(signal)}`);
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new TypeError(`onProgress must be a function, got ${describe(onProgress)}`);
  }
  const size = readSize(batchSize, 'batchSize');
  const { validationBatchSize = size } = given;
  return /** @type {FitOptions & { batchSize: number, epochs: number, initialEpoch: number, validationBatchSize: number }} */ ({
    ...given,
    batchSize: size,
    validationBatchSize: readSize(validationBatchSize, 'validationBatchSize'),
    epochs: readCount(epochs, 'epochs'),
    initialEpoch: readCount(initialEpoch, 'initialEpoch'),
    shuffle: readFlag(shuffle, 'shuffle'),
    audit: readFlag(audit, 'audit'),
  });
};

/** @param {any} x */
const isStream = (x) =>
  typeof x === 'function' ||
  typeof x?.next === 'function' ||
  typeof x?.[Symbol.asyncIterator] === 'function';

/** Rows in memory, batch by batch. */
class RowSource {
  #batches;
  #size;
  #batchSize;
  #seed;
  #from = 0;

  /**
   * @param {Model} model
   * @param {Plan} plan
   * @param {Data} data
   * @param {number} batchSize
   * @param {boolean} shuffle
   */
  constructor(model, plan, data, batchSize, shuffle) {
    this.#batches = new Batches(model, plan, data, true);
    this.#size = data.size;
    this.#batchSize = batchSize;
    this.#seed = shuffle ? () => this.#batches.shuffle(model.nn.seed) : null;
    this.steps = Math.ceil(data.size / batchSize);
  }

  begin() {
    this.#from = 0;
    this.#seed?.();
  }

  /** @returns {{ size: number, run: () => BatchSums } | null} */
  next() {
    const from = this.#from;
    if (from >= this.#size) return null;
    const size = Math.min(this.#batchSize, this.#size - from);
    this.#from += size;
    return { size, run: () => this.#batches.run(from, size) };
  }

  dispose() {
    this.#batches.dispose();
  }
}

/** Batches that come from outside. */
class StreamSource {
  #model;
  #plan;
  #feed;
  #stream;
  #count = 0;

  /**
   * @param {Model} model
   * @param {Plan} plan
   * @param {any} source
   * @param {unknown} steps
   */
  constructor(model, plan, source, steps) {
    this.#model = model;
    this.#plan = plan;
    this.#stream = new Stream(source, steps);
    this.#feed = new Feed(model, plan, true);
    this.steps = this.#stream.steps;
  }

  begin() {
    this.#count = 0;
    this.#stream.begin();
  }

  /** @returns {Promise<{ size: number, run: () => BatchSums } | null>} */
  async next() {
    if (this.steps !== null && this.#count >= this.steps) return null;
    const batch = await this.#stream.next();
    if (batch === null) {
      if (this.steps === null && this.#count > 0) return null;
      throw this.#stream.shortage(this.#count);
    }
    const data = readBatch(this.#model, this.#plan, batch);
    this.#count++;
    return {
      size: data.size,
      run: () => {
        try {
          return this.#feed.run(data);
        } finally {
          disposeAll(data.own);
        }
      },
    };
  }

  async dispose() {
    this.#feed.dispose();
    await this.#stream.close();
  }
}

/**
 * @param {Model} model
 * @param {Plan} plan
 * @param {unknown} x
 * @param {unknown} y
 * @param {ReturnType<typeof readFitOptions>} options
 */
const openSources = (model, plan, x, y, options) => {
  const {
    validationSplit = 0,
    validationData,
    classWeight,
    sampleWeight,
    batchSize,
    shuffle,
    stepsPerEpoch,
  } = options;
  /** @type {{ dispose(): void }[]} */
  const own = [];
  try {
    /** @type {Data | null} */
    let data = null;
    /** @type {Data | null} */
    let validation = null;
    if (!isStream(x)) {
      if (stepsPerEpoch !== undefined)
        throw new OptionError('stepsPerEpoch is for batches that come from an iterator');
      data = readData(model, plan, { x, y, classWeight, sampleWeight });
      own.push(...data.own);
    }
    if (validationData) {
      validation = readValidation(model, plan, validationData);
      own.push(...validation.own);
    } else if (validationSplit !== 0) {
      if (!data)
        throw new OptionError('validationSplit needs data that can be split: give validationData');
      const parts = splitData(model, data, readNumber(validationSplit, 'validationSplit'));
      own.push(...parts[0].own, ...parts[1].own);
      [data, validation] = parts;
    }
    const training = data
      ? new RowSource(model, plan, data, batchSize, Boolean(shuffle))
      : new StreamSource(model, plan, x, stepsPerEpoch);
    return { training, validation, own };
  } catch (error) {
    disposeAll(own);
    throw error;
  }
};

/**
 * @param {Model} model
 * @param {Plan} plan
 * @param {any} given
 */
const readValidation = (model, plan, given) => {
  if (Array.isArray(given)) {
    return readData(model, plan, { x: given[0], y: given[1], sampleWeight: given[2] });
  }
  const { x, xs, y, ys } = isRecord(given) ? ownProperties(given) : {};
  if ((x ?? xs) !== undefined) return readData(model, plan, { x: x ?? xs, y: y ?? ys });
  throw new TypeError(
    `validationData must be [x, y] or [x, y, sampleWeight], got ${describe(given)}`,
  );
};

/**
 * Losses and metrics over rows, without training.
 * @param {Batches} batches
 * @param {Plan} plan
 * @param {number} size
 * @param {number} batchSize
 * @param {Breath} breath
 * @returns {Promise<Logs>}
 */
const evaluateRows = async (batches, plan, size, batchSize, breath) => {
  const tally = new Tally(plan);
  for (let from = 0; from < size; from += batchSize) {
    const count = Math.min(batchSize, size - from);
    tally.add(batches.run(from, count), count);
    if (breath.isDue()) await breath.take();
  }
  return tally.logs();
};

/** Models that are being trained. @type {WeakSet<Model>} */
const busy = new WeakSet();

/**
 * @param {Model} model
 * @param {unknown} x Rows of inputs; or an iterator of batches, or a function that makes one for
 *   each epoch.
 * @param {unknown} y
 * @param {unknown} given
 * @returns {Promise<FitResult>}
 */
export const fit = async (model, x, y, given) => {
  const plan = expectPlan(model.plan);
  const options = readFitOptions(given);
  if (busy.has(model)) {
    throw new GradlockError(
      `${model.name} is being trained already: await its fit before the next`,
    );
  }
  const callbacks = new Callbacks(model, options.callbacks);
  const breath = new Breath(options.yieldEvery);
  const { training, validation, own } = openSources(model, plan, x, y, options);
  const held = validation && new Batches(model, plan, validation, false);
  const finishWatch = options.audit ? watchLocks(model) : null;
  busy.add(model);
  model.stopTraining = false;
  model.stopReason = null;
  /** @type {FitResult} */
  const result = { epoch: [], history: {}, audit: null, stopped: null, unfinished: null };
  const validate =
    held &&
    validation &&
    (() => evaluateRows(held, plan, validation.size, options.validationBatchSize, breath));
  try {
    await train({ model, plan, options, callbacks, breath, training, validate, result });
  } finally {
    result.audit = finishWatch?.() ?? null;
    busy.delete(model);
    held?.dispose();
    disposeAll(own);
    await training.dispose();
  }
  return result;
};

/**
 * @typedef {object} Job
 * @property {Model} model
 * @property {Plan} plan
 * @property {ReturnType<typeof readFitOptions>} options
 * @property {Callbacks} callbacks
 * @property {Breath} breath
 * @property {RowSource | StreamSource} training
 * @property {(() => Promise<Logs>) | null} validate
 * @property {FitResult} result
 */

/** Why training is to end now. @param {Job} job @returns {FitResult['stopped']} */
const reasonToStop = ({ model, options: { signal } }) => {
  if (signal?.aborted) return 'signal';
  return model.stopTraining ? (model.stopReason ?? 'stopTraining') : null;
};

/** @param {Job} job */
const train = async (job) => {
  const { model, options, callbacks, breath, validate, result } = job;
  const began = performance.now();
  await callbacks.call('onTrainBegin', {});
  for (let epoch = options.initialEpoch; epoch < options.epochs; epoch++) {
    result.stopped = reasonToStop(job);
    if (result.stopped) break;
    model.applySchedule(epoch, epoch === options.initialEpoch);
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
      result.history[name] = [...(result.history[name] ?? []), value];
    }
    await callbacks.call('onEpochEnd', epoch, logs);
    await breath.rest();
  }
  result.stopped ??= reasonToStop(job);
  await callbacks.call('onTrainEnd', {});
};

/**
 * @param {Job} job
 * @param {number} epoch
 * @param {number} began
 */
const trainEpoch = async (job, epoch, began) => {
  const { plan, options, callbacks, breath, training, result } = job;
  const tally = new Tally(plan);
  let batch = 0;
  training.begin();
  for (;;) {
    const next = training instanceof RowSource ? training.next() : await training.next();
    if (!next) break;
    const { size, run } = next;
    if (callbacks.has('onBatchBegin')) await callbacks.call('onBatchBegin', batch, { batch, size });
    const sums = run();
    tally.add(sums, size);
    if (callbacks.has('onBatchEnd')) {
      const own = new Tally(plan);
      own.add(sums, size);
      await callbacks.call('onBatchEnd', batch, { batch, size, ...own.logs() });
    }
    batch++;
    if (options.onProgress) reportProgress(job, epoch, batch, began, tally);
    if (breath.isDue()) {
      if (callbacks.has('onYield')) await callbacks.call('onYield', epoch, batch - 1, tally.logs());
      await breath.take();
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

/**
 * @param {Model} model
 * @param {unknown} x
 * @param {unknown} y
 * @param {unknown} given
 * @returns {Promise<Logs>}
 */
export const evaluate = async (model, x, y, given) => {
  const plan = expectPlan(model.plan);
  const known = ['batchSize', 'sampleWeight', 'yieldEvery', 'verbose'];
  const {
    batchSize = 32,
    sampleWeight,
    yieldEvery,
  } = readOptions(given, known, 'evaluate options');
  const size = readSize(batchSize, 'batchSize');
  const breath = new Breath(yieldEvery);
  const data = readData(model, plan, { x, y, sampleWeight });
  const batches = new Batches(model, plan, data, false);
  try {
    return await evaluateRows(batches, plan, data.size, size, breath);
  } finally {
    batches.dispose();
    disposeAll(data.own);
  }
};

/**
 * One step on one batch, or its losses without a step.
 * @param {Model} model
 * @param {Feed} feed
 * @param {unknown} batch
 * @returns {Logs}
 */
export const runOnBatch = (model, feed, batch) => {
  const plan = expectPlan(model.plan);
  const data = readBatch(model, plan, batch);
  try {
    const tally = new Tally(plan);
    tally.add(feed.run(data), data.size);
    return tally.logs();
  } finally {
    disposeAll(data.own);
  }
};

/**
 * What a model gives for rows, in inference mode, batch by batch.
 * @param {Model} model
 * @param {unknown} x
 * @param {unknown} given
 * @returns {any} A tensor, or one an output.
 */
export const predict = (model, x, given) => {
  const { batchSize = 32 } = readOptions(given, ['batchSize', 'verbose'], 'predict options');
  const size = readSize(batchSize, 'batchSize');
  const { g } = model;
  const data = readData(model, null, { x });
  try {
    return g.tidy(() => {
      /** @type {any[][]} */
      const found = [];
      for (let from = 0; from < data.size; from += size) {
        const count = Math.min(size, data.size - from);
        const parts = data.xs.map((t) =>
          count === data.size
            ? t
            : g.slice(t, [from, ...new Array(t.rank - 1).fill(0)], [count, ...t.shape.slice(1)]),
        );
        const outputs = model.apply(parts.length === 1 ? parts[0] : parts);
        (Array.isArray(outputs) ? outputs : [outputs]).forEach((output, i) => {
          found[i] = [...(found[i] ?? []), output];
        });
      }
      const whole = found.map((parts) => (parts.length === 1 ? parts[0] : g.concat(parts, 0)));
      return model.single.output ? whole[0] : whole;
    });
  } finally {
    disposeAll(data.own);
  }
};
