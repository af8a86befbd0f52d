// Callbacks at TensorFlow.js's moments, and those that people need most.
// Source: keras/src/callbacks/{early_stopping,reduce_lr_on_plateau,learning_rate_scheduler}.py of
// Keras 3.15.
import { isRecord, optionError, ownProperties, readNumber, typeError } from '../../base/check.js';
import { OptionError } from '../../base/errors.js';
import * as field from '../config/fields.js';

/** @typedef {import('./logs.js').Logs} Logs */
/** @typedef {import('../model/model.js').Model} Model */
/** @typedef {import('../../locks/variable.js').Variable} Variable */
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
 * @property {() => Record<string, unknown> | null} [getState] What it keeps from epoch to epoch, as
 *   JSON and Float32Arrays. `saveModel` writes it.
 * @property {(state: any) => void} [setState] The reverse: called after `onTrainBegin` in the first
 *   fit of a model from `loadModel`, if it begins with the epoch after the saved one, for the
 *   callback in the same place of the list.
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
  /** @type {any[]} */
  #list;

  /** @param {any} given One, or a list, or none. */
  constructor(given) {
    this.#list = [given ?? []].flat();
    for (const callback of this.#list) {
      const moments = MOMENTS.join(', ');
      if (typeof callback !== 'object' || callback === null) {
        throw typeError('a callback', `an object with ${moments}`, callback);
      }
      for (const key of isRecord(callback) ? Object.keys(callback) : []) {
        if (/^on[A-Z]/.test(key) && !MOMENTS.includes(/** @type {Moment} */ (key))) {
          throw new OptionError(`a callback has no ${key}, it may have ${moments}`);
        }
      }
    }
  }

  /** Say which model is trained. @param {Model} model */
  attach(model) {
    for (const callback of this.#list) callback.setModel?.(model);
  }

  /** What each keeps from epoch to epoch; null for those that keep nothing. @returns {unknown[]} */
  get states() {
    return this.#list.map((callback) => callback.getState?.() ?? null);
  }

  /** Give them what those of another fit kept. @param {readonly unknown[]} states */
  restore(states) {
    this.#list.forEach((callback, i) => {
      if (isRecord(states[i])) callback.setState?.(ownProperties(states[i]));
    });
  }

  /** Whether anyone listens. @param {Moment} moment */
  has(moment) {
    return this.#list.some((callback) => typeof callback[moment] === 'function');
  }

  /**
   * One after the other; those that save a model come last, when others have had their say.
   * @param {Moment} moment
   * @param {...unknown} args
   */
  async call(moment, ...args) {
    for (const isLast of [false, true]) {
      for (const callback of this.#list) {
        if (callback instanceof ModelCheckpoint !== isLast) continue;
        if (typeof callback[moment] === 'function') await callback[moment](...args);
      }
    }
  }
}

// -----------------------------------------------------------------------------------------
// ready-made

/** What looks at a model while it is trained. */
export class Watcher {
  /** @type {any} */
  model;

  /** @param {Model} model */
  setModel(model) {
    this.model = model;
  }
}

/** When a ready-made callback acts. */
const MONITOR = {
  /** A log. Default: 'val_loss'. */
  monitor: field.text('val_loss'),
  /** Whether less or more is better. Default: 'auto', by the name of the log. */
  mode: field.word('auto', ['auto', 'min', 'max']),
  /** Of Keras; says nothing here. */
  verbose: /** @type {field.Field<any, number, null>} */ (field.any()),
};

const STOPPING = {
  ...MONITOR,
  /** What counts as better. Default: 0. */
  minDelta: field.number(0),
  /** Epochs without better before training ends. Default: 0. */
  patience: field.count(0, 0),
  /** What has to be reached at all. */
  baseline: field.numberOrNull(),
  /** Whether the weights of the best epoch come back; locked elements stay. Default: false. */
  restoreBestWeights: field.flag(false),
  /** Default: 0. */
  startFromEpoch: field.count(0, 0),
};
/** @typedef {field.OptionsOf<typeof STOPPING>} EarlyStoppingOptions */

const SLOWER = {
  ...MONITOR,
  /** Default: 0.1. */
  factor: field.number(0.1),
  /** Default: 10. */
  patience: field.count(10, 0),
  /** Default: 0.0001. */
  minDelta: field.number(1e-4),
  /** Epochs of rest after it acted. Default: 0. */
  cooldown: field.count(0, 0),
  /** Default: 0. */
  minLr: field.number(0),
};
/** @typedef {field.OptionsOf<typeof SLOWER>} ReduceLROnPlateauOptions */

/** @typedef {(model: Model, epoch: number, logs: Logs) => unknown} Save */
const CHECKPOINT = {
  ...MONITOR,
  /** Called after an epoch; what it gives is awaited. */
  save: /** @type {field.Field<any, Save, undefined>} */ (field.any()),
  /** Whether only where the log is better. Default: false. */
  saveBestOnly: field.flag(false),
};
/** @typedef {field.OptionsOf<typeof CHECKPOINT>} ModelCheckpointOptions */

/** What looks at a log, and whether it gets better. */
class Monitor extends Watcher {
  /** @type {number | null} */
  best = null;

  /**
   * @param {string} name
   * @param {unknown} options
   * @param {object} fields
   */
  constructor(name, options, fields) {
    super();
    this.options = field.readFieldOptions(options, fields, name);
  }

  onTrainBegin() {
    this.best = null;
  }

  /** Numbers as text, which has all of them. @returns {Record<string, any>} */
  getState() {
    return { monitor: this.options.monitor, best: this.best === null ? null : String(this.best) };
  }

  /**
   * @param {Record<string, any>} state
   * @returns {boolean} Whether it is one of such a callback.
   */
  setState({ monitor, best }) {
    if (monitor !== this.options.monitor) return false;
    this.best = typeof best === 'string' ? Number(best) : null;
    return true;
  }

  /** @param {Logs | undefined} logs */
  read(logs = {}) {
    const { monitor } = this.options;
    const value = logs[monitor];
    if (value !== undefined) return value;
    throw new OptionError(
      `there is no log '${monitor}' to look at, there are ${Object.keys(logs).join(', ')}`,
    );
  }

  /**
   * Whether a log is better than another, if there is one, by a word or by its name: accuracies and
   * the like are to be large.
   * @param {number} now
   * @param {number | null} best
   */
  isBetter(now, best = this.best) {
    const { mode, monitor, minDelta = 0 } = this.options;
    const isMax =
      mode === 'max' || (mode === 'auto' && /acc|auc|precision|recall|similarity/i.test(monitor));
    return best === null || (isMax ? now - minDelta > best : now + minDelta < best);
  }
}

/** Ends training when a log gets no better. */
export class EarlyStopping extends Monitor {
  #wait = 0;
  /** @type {Float32Array[] | null} */
  #kept = null;
  /** The epoch after which training ended; -1 if it did not. */
  stoppedEpoch = -1;

  /** @param {object} [options] */
  constructor(options = {}) {
    super('earlyStopping', options, STOPPING);
    this.options.minDelta = Math.abs(this.options.minDelta);
  }

  /** @override */
  onTrainBegin() {
    super.onTrainBegin();
    this.#wait = 0;
    this.#kept = null;
    this.stoppedEpoch = -1;
  }

  /** @override */
  getState() {
    return { ...super.getState(), wait: this.#wait, kept: this.#kept };
  }

  /** @override @param {Record<string, any>} state */
  setState(state) {
    if (!super.setState(state)) return false;
    this.#wait = Number(state.wait) || 0;
    const fits = this.model.weights.every(
      (/** @type {Variable} */ { size }, /** @type {number} */ i) =>
        state.kept?.[i]?.length === size,
    );
    this.#kept = fits ? state.kept : null;
    return true;
  }

  /** @param {number} epoch @param {Logs} logs */
  onEpochEnd(epoch, logs) {
    const { model } = this;
    const { patience, baseline, restoreBestWeights, startFromEpoch } = this.options;
    const now = this.read(logs);
    if (epoch < startFromEpoch) return;
    const isBest = this.isBetter(now);
    if (restoreBestWeights && (isBest || !this.#kept)) {
      this.#kept = model.weights.map((/** @type {Variable} */ weight) => weight.data());
    }
    this.#wait++;
    if (isBest) {
      this.best = now;
      if (this.isBetter(now, baseline)) this.#wait = 0;
    } else if (this.#wait >= patience && epoch > 0) {
      this.stoppedEpoch = epoch;
      model.stopTraining = true;
    }
  }

  /** Write the best weights back where nothing is locked. */
  onTrainEnd() {
    this.#kept?.forEach((values, i) => {
      const weight = this.model.weights[i];
      const now = weight.data();
      for (const flat of weight.locks.toIndices()) values[flat] = now[flat];
      weight.assign(values);
    });
  }
}

/** Lowers the learning rate when a log gets no better. */
export class ReduceLROnPlateau extends Monitor {
  #wait = 0;
  #rest = 0;

  /** @param {object} [options] */
  constructor(options = {}) {
    super('reduceLROnPlateau', options, SLOWER);
    const { factor } = this.options;
    if (!(factor > 0 && factor < 1)) {
      throw optionError('reduceLROnPlateau: factor', 'above 0 and below 1', factor);
    }
  }

  /** @override */
  onTrainBegin() {
    super.onTrainBegin();
    this.#wait = this.#rest = 0;
  }

  /** @override */
  getState() {
    return { ...super.getState(), wait: this.#wait, rest: this.#rest };
  }

  /** @override @param {Record<string, any>} state */
  setState(state) {
    if (!super.setState(state)) return false;
    this.#wait = Number(state.wait) || 0;
    this.#rest = Number(state.rest) || 0;
    return true;
  }

  /** @param {number} _ @param {Logs} logs */
  onEpochEnd(_, logs) {
    const { factor, patience, cooldown, minLr } = this.options;
    const now = this.read(logs);
    if (this.#rest > 0) {
      this.#rest--;
      this.#wait = 0;
    }
    if (this.isBetter(now)) {
      this.best = now;
      this.#wait = 0;
    } else if (this.#rest === 0 && ++this.#wait >= patience) {
      const { optimizer } = this.model;
      if (optimizer?.learningRate > minLr) {
        optimizer.learningRate = Math.max(optimizer.learningRate * factor, minLr);
        this.#rest = cooldown;
        this.#wait = 0;
      }
    }
  }
}

/** Sets the learning rate before each epoch. */
export class LearningRateScheduler extends Watcher {
  #schedule;

  /** @param {(epoch: number, rate: number) => number} schedule */
  constructor(schedule) {
    super();
    if (typeof schedule !== 'function') {
      throw typeError('learningRateScheduler', 'a function of the epoch and the rate', schedule);
    }
    this.#schedule = schedule;
  }

  /** @param {number} epoch */
  onEpochBegin(epoch) {
    const { optimizer } = this.model;
    if (!optimizer) return;
    const rate = this.#schedule(epoch, optimizer.learningRate);
    optimizer.learningRate = readNumber(rate, 'what the learning-rate schedule gives');
  }
}

/** Saves a model after epochs, or only where a log got better. */
export class ModelCheckpoint extends Monitor {
  /** @param {object} options */
  constructor(options) {
    super('modelCheckpoint', options, CHECKPOINT);
    const { save } = this.options;
    if (typeof save !== 'function') {
      throw typeError(
        'modelCheckpoint: save',
        'a function of the model, the epoch and its logs',
        save,
      );
    }
  }

  /** As it goes on where it was, the best of an earlier training counts. @override */
  onTrainBegin() {}

  /** @param {number} epoch @param {Logs} logs */
  async onEpochEnd(epoch, logs) {
    const { save, saveBestOnly } = this.options;
    if (saveBestOnly) {
      const now = this.read(logs);
      if (!this.isBetter(now)) return;
      this.best = now;
    }
    await save(this.model, epoch, logs);
  }
}

/** Ends training at a loss that is no number. */
export class TerminateOnNaN extends Watcher {
  /** @param {number} _ @param {Logs} logs */
  onBatchEnd(_, logs) {
    if (Number.isFinite(logs.loss)) return;
    this.model.stopReason = 'nan';
    this.model.stopTraining = true;
  }
}
