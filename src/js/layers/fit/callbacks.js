// Callbacks with TensorFlow.js's hooks, and ready-made ones. Source: Keras 3.15,
// keras/src/callbacks/{early_stopping,reduce_lr_on_plateau,learning_rate_scheduler}.py.
import { isRecord, optionError, ownProperties, readNumber, typeError } from '../../base/check.js';
import { OptionError } from '../../base/errors.js';
import * as field from '../config/fields.js';

/** @import { Logs } from './logs.js' */
/** @import { Model } from '../model/model.js' */
/** @import { Variable } from '../../locks/variable.js' */
/**
 * @typedef {object} Callback Hooks that training calls and awaits.
 * @property {(logs: Logs) => unknown} [onTrainBegin]
 * @property {(logs: Logs) => unknown} [onTrainEnd]
 * @property {(epoch: number, logs: Logs) => unknown} [onEpochBegin]
 * @property {(epoch: number, logs: Logs) => unknown} [onEpochEnd]
 * @property {(batch: number, logs: Logs) => unknown} [onBatchBegin]
 * @property {(batch: number, logs: Logs) => unknown} [onBatchEnd]
 * @property {(epoch: number, batch: number, logs: Logs) => unknown} [onYield]
 * @property {(model: any) => void} [setModel]
 * @property {() => Record<string, unknown> | null} [getState] Returns the state that it keeps
 *   between epochs, as JSON and arrays of values. `saveModel` writes it.
 * @property {(state: any) => void} [setState] Restores that state. Called after `onTrainBegin` in
 *   the first fit of a model from `loadModel`, if it begins with the epoch after the saved one. The
 *   callback at the same position of the list gets the state.
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

/** Calls several callbacks, one after the other. */
export class Callbacks {
  /** @type {any[]} */
  #list;

  /** @param {any} given One callback, a list, or none. */
  constructor(given) {
    this.#list = [given ?? []].flat();
    for (const callback of this.#list) {
      const moments = MOMENTS.join(', ');
      if (typeof callback !== 'object' || callback === null) {
        throw typeError('a callback', `an object with ${moments}`, callback);
      }
      for (const key of isRecord(callback) ? Object.keys(callback) : []) {
        if (/^on[A-Z_]/.test(key) && !MOMENTS.includes(/** @type {Moment} */ (key))) {
          throw new OptionError(`a callback has the unknown method ${key}; known: ${moments}`);
        }
      }
    }
  }

  /** Tell the callbacks which model is trained. @param {Model} model */
  attach(model) {
    for (const callback of this.#list) callback.setModel?.(model);
  }

  /** Returns the states kept between epochs; null for those without one. @returns {unknown[]} */
  get states() {
    return this.#list.map((callback) => callback.getState?.() ?? null);
  }

  /** Restore the states of another fit's callbacks. @param {readonly unknown[]} states */
  restore(states) {
    this.#list.forEach((callback, i) => {
      if (isRecord(states[i])) callback.setState?.(ownProperties(states[i]));
    });
  }

  /** True if any callback has this hook. @param {Moment} moment */
  has(moment) {
    return this.#list.some((callback) => typeof callback[moment] === 'function');
  }

  /** Call a hook of each in turn; savers last. @param {Moment} moment @param {...unknown} args */
  async call(moment, ...args) {
    for (const isLast of [false, true]) {
      for (const callback of this.#list) {
        if (callback instanceof ModelCheckpoint !== isLast) continue;
        if (typeof callback[moment] === 'function') await callback[moment](...args);
      }
    }
  }
}

/** Base class of callbacks that use the model during training. */
export class ModelCallback {
  /** @type {any} */
  model;

  /** @param {Model} model */
  setModel(model) {
    this.model = model;
  }
}

/** The options that decide when a ready-made callback acts. */
const MONITOR = {
  /** The name of the log to monitor. Default: 'val_loss'. */
  monitor: field.text('val_loss'),
  /** 'min' if less is better, 'max' if more is. Default: 'auto', by the name of the log. */
  mode: field.word('auto', ['auto', 'min', 'max']),
  /** An option of Keras that has no effect here. */
  verbose: /** @type {field.Field<any, number, null>} */ (field.any()),
};

const STOPPING = {
  ...MONITOR,
  /** The smallest change that counts as better. Default: 0. */
  minDelta: field.number(0),
  /** The number of epochs without improvement before training ends. Default: 0. */
  patience: field.count(0, 0),
  /** The value that the log must beat for an improvement to count. */
  baseline: field.numberOrNull(),
  /** True to restore the weights of the best epoch; locked elements stay. Default: false. */
  restoreBestWeights: field.flag(false),
  /** The number of epochs before monitoring starts. Default: 0. */
  startFromEpoch: field.count(0, 0),
};
/** @typedef {field.OptionsOf<typeof STOPPING>} EarlyStoppingOptions */

const SLOWER = {
  ...MONITOR,
  /** The factor of each reduction. Default: 0.1. */
  factor: field.number(0.1),
  /** The number of epochs without improvement before a reduction. Default: 10. */
  patience: field.count(10, 0),
  /** The smallest change that counts as better. Default: 0.0001. */
  minDelta: field.number(1e-4),
  /** The number of epochs to wait after each reduction. Default: 0. */
  cooldown: field.count(0, 0),
  /** The lower limit of the learning rate. Default: 0. */
  minLr: field.number(0),
};
/** @typedef {field.OptionsOf<typeof SLOWER>} ReduceLROnPlateauOptions */

/** @typedef {(model: Model, epoch: number, logs: Logs) => unknown} Save */
const CHECKPOINT = {
  ...MONITOR,
  /** The function that saves the model after an epoch. Its result is awaited. */
  save: /** @type {field.Field<any, Save, undefined>} */ (field.any()),
  /** True to save only if the log is better. Default: false. */
  saveBestOnly: field.flag(false),
};
/** @typedef {field.OptionsOf<typeof CHECKPOINT>} ModelCheckpointOptions */

/** Base class of callbacks that monitor whether a log improves. */
class Monitor extends ModelCallback {
  /** @type {number | null} */
  best = null;

  /** @param {string} name @param {unknown} options @param {object} fields */
  constructor(name, options, fields) {
    super();
    this.options = field.readFieldOptions(options, fields, name);
  }

  onTrainBegin() {
    this.best = null;
  }

  /** The state; numbers are text, since JSON has no NaN. @returns {Record<string, any>} */
  getState() {
    return { monitor: this.options.monitor, best: this.best === null ? null : String(this.best) };
  }

  /** @param {Record<string, any>} state @returns {boolean} True if it is of such a callback. */
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
      `monitor: unknown log '${monitor}'; known: ${Object.keys(logs).join(', ')}`,
    );
  }

  /** True if a log is better, or the first one. @param {number} now @param {number | null} best */
  isBetter(now, best = this.best) {
    const { mode, monitor, minDelta = 0 } = this.options;
    const isMax =
      mode === 'max' || (mode === 'auto' && /acc|auc|precision|recall|similarity/i.test(monitor));
    return best === null || (isMax ? now - minDelta > best : now + minDelta < best);
  }
}

/** Ends training when a log stops improving. */
export class EarlyStopping extends Monitor {
  #wait = 0;
  /** @type {import('../layer/toolkit.js').Reals[] | null} */
  #kept = null;
  /** The epoch after which it ended training; -1 if it did not. */
  stoppedEpoch = -1;

  /** @param {object} [options] */
  constructor(options = {}) {
    super('earlyStopping', options, STOPPING);
    this.options.minDelta = Math.abs(this.options.minDelta);
  }

  /** @override */ onTrainBegin() {
    super.onTrainBegin();
    this.#wait = 0;
    this.#kept = null;
    this.stoppedEpoch = -1;
  }

  /** @override */ getState() {
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

  /** Restore the best weights, except for locked elements. */
  onTrainEnd() {
    this.#kept?.forEach((values, i) => {
      const weight = this.model.weights[i];
      const now = weight.data();
      for (const flat of weight.locks.toIndices()) values[flat] = now[flat];
      weight.assign(values);
    });
  }
}

/** Lowers the learning rate when a log stops improving. */
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

  /** @override */ onTrainBegin() {
    super.onTrainBegin();
    this.#wait = this.#rest = 0;
  }

  /** @override */ getState() {
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
export class LearningRateScheduler extends ModelCallback {
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
    optimizer.learningRate = readNumber(rate, 'the result of the learning-rate schedule');
  }
}

/** Saves a model after each epoch, or only if a log got better. */
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

  /** Keeps the best value of earlier training, since the saved file continues from it. @override */
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

/** Ends training when the loss is NaN. */
export class TerminateOnNaN extends ModelCallback {
  /** @param {number} _ @param {Logs} logs */
  onBatchEnd(_, logs) {
    if (Number.isFinite(logs.loss)) return;
    this.model.stopReason = 'nan';
    this.model.stopTraining = true;
  }
}
