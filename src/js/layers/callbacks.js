// Callbacks at TensorFlow.js's moments, and those that people need most.
// Source: keras/src/callbacks/{early_stopping,reduce_lr_on_plateau,learning_rate_scheduler}.py of
// Keras 3.15.
import { describe, isRecord, readCount, readFlag, readNumber, readOptions } from '../base/check.js';
import { OptionError } from '../base/errors.js';

/** @typedef {import('./logs.js').Logs} Logs */
/** @typedef {import('./model.js').Model} Model */
/**
 * @typedef {object} Callback Called at the moments of training, and awaited.
 * @property {(logs: Logs) => unknown} [onTrainBegin]
 * @property {(logs: Logs) => unknown} [onTrainEnd]
 * @property {(epoch: number, logs: Logs) => unknown} [onEpochBegin]
 * @property {(epoch: number, logs: Logs) => unknown} [onEpochEnd]
 * @property {(batch: number, logs: Logs) => unknown} [onBatchBegin]
 * @property {(batch: number, logs: Logs) => unknown} [onBatchEnd]
 * @property {(epoch: number, batch: number, logs: Logs) => unknown} [onYield]
 * @property {(model: any) => void} [setModel]
 */
/** @typedef {`on${'Train' | 'Epoch' | 'Batch'}${'Begin' | 'End'}` | 'onYield'} Moment */

/** @type {readonly Moment[]} */
const MOMENTS = [
  'onTrainBegin',
  'onTrainEnd',
  'onEpochBegin',
  'onEpochEnd',
  'onBatchBegin',
  'onBatchEnd',
  'onYield',
];

/** Calls callbacks, one after the other. */
export class Callbacks {
  /** @type {Record<Moment, ((...args: any[]) => unknown)[]>} */
  #at;

  /**
   * @param {Model} model
   * @param {unknown} given One, or a list.
   */
  constructor(model, given) {
    const list =
      given === undefined || given === null ? [] : Array.isArray(given) ? given : [given];
    for (const callback of list) {
      if (typeof callback !== 'object' || callback === null) {
        throw new TypeError(
          `a callback must be an object with ${MOMENTS.join(', ')}, got ${describe(callback)}`,
        );
      }
      for (const key of isRecord(callback) ? Object.keys(callback) : []) {
        if (/^on[A-Z]/.test(key) && !MOMENTS.includes(/** @type {Moment} */ (key))) {
          throw new OptionError(`a callback has no ${key}, it may have ${MOMENTS.join(', ')}`);
        }
      }
      callback.setModel?.(model);
    }
    this.#at = /** @type {any} */ (
      Object.fromEntries(
        MOMENTS.map((moment) => [
          moment,
          list.filter((c) => typeof c[moment] === 'function').map((c) => c[moment].bind(c)),
        ]),
      )
    );
  }

  /** Whether anyone listens. @param {Moment} moment */
  has(moment) {
    return this.#at[moment].length > 0;
  }

  /**
   * @param {Moment} moment
   * @param {...unknown} args
   */
  async call(moment, ...args) {
    for (const listener of this.#at[moment]) await listener(...args);
  }
}

// -----------------------------------------------------------------------------------------
// ready-made

/**
 * Whether a log is better than another, by a word or by its name: accuracies and the like are to be
 * large.
 * @param {unknown} mode
 * @param {string} monitor
 * @param {number} minDelta
 * @returns {(now: number, best: number) => boolean}
 */
const comparison = (mode, monitor, minDelta) => {
  if (!['auto', 'min', 'max'].includes(/** @type {string} */ (mode))) {
    throw new OptionError(`mode must be 'auto', 'min' or 'max', got ${describe(mode)}`);
  }
  const isMax =
    mode === 'max' || (mode === 'auto' && /acc|auc|precision|recall|similarity/i.test(monitor));
  return isMax ? (now, best) => now - minDelta > best : (now, best) => now + minDelta < best;
};

/**
 * @param {Logs | undefined} logs
 * @param {string} monitor
 */
const readLog = (logs, monitor) => {
  const value = logs?.[monitor];
  if (value !== undefined) return value;
  throw new OptionError(
    `there is no log '${monitor}' to look at, there are ${Object.keys(logs ?? {}).join(', ')}`,
  );
};

/** @param {unknown} value @param {string} what */
const readName = (value, what) => {
  if (typeof value === 'string') return value;
  throw new TypeError(`${what} must be a string, got ${describe(value)}`);
};

/** Ends training when a log gets no better. */
export class EarlyStopping {
  /** @type {Model | undefined} */
  #model;
  #options;
  #isBetter;
  #wait = 0;
  /** @type {number | null} */
  #best = null;
  /** @type {{ weights: Float32Array[], epoch: number } | null} */
  #kept = null;
  /** The epoch after which training ended; -1 if it did not. */
  stoppedEpoch = -1;

  /** @param {object} [options] */
  constructor(options = {}) {
    const known = [
      'monitor',
      'minDelta',
      'patience',
      'mode',
      'baseline',
      'restoreBestWeights',
      'startFromEpoch',
      'verbose',
    ];
    const given = readOptions(options, known, 'earlyStopping options');
    const {
      monitor = 'val_loss',
      minDelta = 0,
      patience = 0,
      mode = 'auto',
      baseline = null,
    } = given;
    const { restoreBestWeights = false, startFromEpoch = 0 } = given;
    this.#options = {
      monitor: readName(monitor, 'monitor'),
      patience: readCount(patience, 'patience'),
      baseline: baseline === null ? null : readNumber(baseline, 'baseline'),
      restore: readFlag(restoreBestWeights, 'restoreBestWeights'),
      start: readCount(startFromEpoch, 'startFromEpoch'),
    };
    this.#isBetter = comparison(
      mode,
      this.#options.monitor,
      Math.abs(readNumber(minDelta, 'minDelta')),
    );
  }

  /** @param {Model} model */
  setModel(model) {
    this.#model = model;
  }

  onTrainBegin() {
    this.#wait = 0;
    this.#best = null;
    this.#kept = null;
    this.stoppedEpoch = -1;
  }

  /** @param {number} epoch @param {Logs} logs */
  onEpochEnd(epoch, logs) {
    const { monitor, patience, baseline, restore, start } = this.#options;
    const now = readLog(logs, monitor);
    if (epoch < start) return;
    const model = /** @type {Model} */ (this.#model);
    if (restore && !this.#kept) this.#kept = { weights: model.weights.map((w) => w.data()), epoch };
    this.#wait++;
    if (this.#best === null || this.#isBetter(now, this.#best)) {
      this.#best = now;
      if (restore) this.#kept = { weights: model.weights.map((w) => w.data()), epoch };
      if (baseline === null || this.#isBetter(now, baseline)) this.#wait = 0;
      return;
    }
    if (this.#wait >= patience && epoch > 0) {
      this.stoppedEpoch = epoch;
      model.stopTraining = true;
    }
  }

  onTrainEnd() {
    if (this.#options.restore && this.#kept) {
      restoreFree(/** @type {Model} */ (this.#model), this.#kept.weights);
    }
  }
}

/**
 * Write weights back where nothing is locked.
 * @param {Model} model
 * @param {readonly Float32Array[]} weights
 */
const restoreFree = (model, weights) => {
  model.weights.forEach((weight, i) => {
    const values = Float32Array.from(weights[i] ?? []);
    const now = weight.data();
    for (const flat of weight.locks.toIndices()) values[flat] = Number(now[flat]);
    weight.assign(values);
  });
};

/** Lowers the learning rate when a log gets no better. */
export class ReduceLROnPlateau {
  /** @type {Model | undefined} */
  #model;
  #options;
  #isBetter;
  #wait = 0;
  #rest = 0;
  /** @type {number | null} */
  #best = null;

  /** @param {object} [options] */
  constructor(options = {}) {
    const known = [
      'monitor',
      'factor',
      'patience',
      'minDelta',
      'mode',
      'cooldown',
      'minLr',
      'verbose',
    ];
    const given = readOptions(options, known, 'reduceLROnPlateau options');
    const {
      monitor = 'val_loss',
      factor = 0.1,
      patience = 10,
      minDelta = 1e-4,
      mode = 'auto',
    } = given;
    const { cooldown = 0, minLr = 0 } = given;
    this.#options = {
      monitor: readName(monitor, 'monitor'),
      factor: readNumber(factor, 'factor'),
      patience: readCount(patience, 'patience'),
      cooldown: readCount(cooldown, 'cooldown'),
      least: readNumber(minLr, 'minLr'),
    };
    if (!(this.#options.factor > 0 && this.#options.factor < 1)) {
      throw new OptionError(`factor must be above 0 and below 1, got ${this.#options.factor}`);
    }
    this.#isBetter = comparison(mode, this.#options.monitor, readNumber(minDelta, 'minDelta'));
  }

  /** @param {Model} model */
  setModel(model) {
    this.#model = model;
  }

  onTrainBegin() {
    this.#wait = this.#rest = 0;
    this.#best = null;
  }

  /** @param {number} _ @param {Logs} logs */
  onEpochEnd(_, logs) {
    const { monitor, factor, patience, cooldown, least } = this.#options;
    const now = readLog(logs, monitor);
    if (this.#rest > 0) {
      this.#rest--;
      this.#wait = 0;
    }
    if (this.#best === null || this.#isBetter(now, this.#best)) {
      this.#best = now;
      this.#wait = 0;
    } else if (this.#rest === 0 && ++this.#wait >= patience) {
      const { optimizer } = /** @type {Model} */ (this.#model);
      const rate = Number(optimizer?.learningRate);
      if (optimizer && rate > least) {
        optimizer.learningRate = Math.max(rate * factor, least);
        this.#rest = cooldown;
        this.#wait = 0;
      }
    }
  }
}

/** Sets the learning rate before each epoch. */
export class LearningRateScheduler {
  /** @type {Model | undefined} */
  #model;
  #schedule;

  /** @param {(epoch: number, rate: number) => number} schedule */
  constructor(schedule) {
    if (typeof schedule !== 'function') {
      throw new TypeError(
        `learningRateScheduler takes a function of the epoch and the rate, got ${describe(schedule)}`,
      );
    }
    this.#schedule = schedule;
  }

  /** @param {Model} model */
  setModel(model) {
    this.#model = model;
  }

  /** @param {number} epoch */
  onEpochBegin(epoch) {
    const optimizer = this.#model?.optimizer;
    if (!optimizer) return;
    const rate = this.#schedule(epoch, Number(optimizer.learningRate));
    optimizer.learningRate = readNumber(rate, 'what the learning-rate schedule gives');
  }
}

/** Saves a model after epochs, or only where a log got better. */
export class ModelCheckpoint {
  /** @type {Model | undefined} */
  #model;
  #save;
  #options;
  #isBetter;
  /** @type {number | null} */
  #best = null;

  /** @param {object} options */
  constructor(options) {
    const given = readOptions(
      options,
      ['save', 'monitor', 'saveBestOnly', 'mode', 'verbose'],
      'modelCheckpoint options',
    );
    const { save, monitor = 'val_loss', saveBestOnly = false, mode = 'auto' } = given;
    if (typeof save !== 'function') {
      throw new TypeError(
        `modelCheckpoint needs save, a function of the model, the epoch and its logs, got ${describe(save)}`,
      );
    }
    this.#save = save;
    this.#options = {
      monitor: readName(monitor, 'monitor'),
      bestOnly: readFlag(saveBestOnly, 'saveBestOnly'),
    };
    this.#isBetter = comparison(mode, this.#options.monitor, 0);
  }

  /** @param {Model} model */
  setModel(model) {
    this.#model = model;
  }

  /** @param {number} epoch @param {Logs} logs */
  async onEpochEnd(epoch, logs) {
    const { monitor, bestOnly } = this.#options;
    if (bestOnly) {
      const now = readLog(logs, monitor);
      if (this.#best !== null && !this.#isBetter(now, this.#best)) return;
      this.#best = now;
    }
    await this.#save(this.#model, epoch, logs);
  }
}

/** Ends training at a loss that is no number. */
export class TerminateOnNaN {
  /** @type {Model | undefined} */
  #model;

  /** @param {Model} model */
  setModel(model) {
    this.#model = model;
  }

  /** @param {number} _ @param {Logs} logs */
  onBatchEnd(_, logs) {
    if (Number.isFinite(logs.loss) || !this.#model) return;
    this.#model.stopReason = 'nan';
    this.#model.stopTraining = true;
  }
}
