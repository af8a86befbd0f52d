// The options of `pressure`, which finds the lock to lift first, and the callback that lifts it.
import { typeError } from '../../base/check.js';
import { OptionError } from '../../base/errors.js';
import { Yielder } from '../fit/event-loop.js';
import { ModelCallback } from '../fit/callbacks.js';
import { expectPlan } from '../fit/compile.js';
import { disposeAll, readData } from '../fit/data.js';
import { ROWS } from '../fit/evaluate.js';
import * as field from '../config/fields.js';
import { measure } from './measure.js';

/** @import { Model } from '../model/model.js' */
/** @import { PressureRow } from './parts.js' */
/** @import { Rows } from '../fit/data-sources.js' */
/** @typedef {NonNullable<import('../fit/fit.js').FitOptions['yieldEvery']>} YieldEvery */

const SECOND = ['secondOrder', 'optimal'];

/** The options for measuring and showing pressure. The callback has them, too. */
const COMMON = {
  /** The number of rows at a time, which changes only the rounding. Default: 32. */
  batchSize: ROWS.batchSize,
  /** The learning rate of the step whose gain is computed, 0 or above. Default: the optimizer's. */
  learningRate: field.numberOrNull(0),
  /** The unit of rows. A filter is of one output, or an embedding's row. Default: 'layer'. */
  by: field.word('layer', ['layer', 'weight', 'filter']),
  /** The measure that rows are sorted by. Default: 'firstOrder'. */
  sortBy: field.word('firstOrder', ['relativeNorm', 'firstOrder', 'secondOrder', 'optimal']),
};
const OPTIONS = {
  ...COMMON,
  /** One weight for each sample. */
  sampleWeight: /** @type {field.Field<any, Rows, null>} */ (ROWS.sampleWeight),
  /** The number of rows that are shown and whose curvature is computed. Default: 20. */
  maxRows: field.count(20),
  /** True to compute curvatures, with one pass over the data for each row shown. Default: true. */
  secondOrder: field.flag(true),
  /** When the page may draw and respond, as in `fit`. Default: 'auto'. */
  yieldEvery: /** @type {field.Field<any, YieldEvery, null>} */ (ROWS.yieldEvery),
  verbose: /** @type {field.Field<any, never, null>} */ (ROWS.verbose),
};
const LIFT = {
  ...COMMON,
  /** The data to measure pressure on: `[x, y]` or `[x, y, sampleWeight]`. */
  data: /** @type {field.Field<any, readonly Rows[], undefined>} */ (field.any()),
  /** The number of epochs between lifts; the first lift is before the first epoch. Default: 1. */
  every: field.count(1),
  /** The number of layers, weights or filters to lift at a time. Default: 1. */
  count: field.count(1),
};
/** @typedef {field.OptionsOf<typeof OPTIONS>} PressureOptions The options of `pressure`. */
/** @typedef {field.OptionsOf<typeof LIFT>} LiftPressureOptions The options of `liftPressure`. */

/** @param {Model} model @param {any} x @param {any} y @param {unknown} given */
export const pressure = async (model, x, y, given) => {
  const plan = expectPlan(model.plan);
  const options = /** @type {any} */ (field.readFieldOptions(given, OPTIONS, 'pressure'));
  if (!options.secondOrder && SECOND.includes(options.sortBy)) {
    throw new OptionError(`pressure: sortBy '${options.sortBy}' needs { secondOrder: true }`);
  }
  options.learningRate ??= plan.optimizer.learningRate;
  const yielder = new Yielder(options.yieldEvery);
  const data = readData(model, plan, { x, y, sampleWeight: options.sampleWeight });
  try {
    const stateful = model.allLayers.find(({ config }) => config.stateful);
    if (stateful)
      throw new OptionError(
        `pressure: the layer ${stateful.label} is stateful, which is not supported`,
      );
    return await measure({ model, plan, data, yielder, options });
  } finally {
    disposeAll(data.own);
  }
};

/** Lifts the locks under the highest pressure before epochs. */
export class LiftPressure extends ModelCallback {
  #options;
  #epochs = 0;
  /** The lifted rows, and before which epochs. @type {(PressureRow & { epoch: number })[]} */
  lifted = [];

  /** @internal @param {unknown} options */
  constructor(options) {
    super();
    this.#options = field.readFieldOptions(options, LIFT, 'liftPressure');
    const { data } = this.#options;
    if (!Array.isArray(data) || data.length < 2 || data.length > 3) {
      throw typeError('liftPressure: data', '[x, y] or [x, y, sampleWeight]', data);
    }
  }

  onTrainBegin() {
    this.#epochs = 0;
    this.lifted = [];
  }

  /** @param {number} epoch */
  async onEpochBegin(epoch) {
    /** @type {Model} */
    const model = this.model;
    const { data, every, count, ...given } = this.#options;
    if (this.#epochs++ % every !== 0) return;
    if (!model.weights.some(({ trainable, locks }) => trainable && locks.count > 0)) return;
    const [x, y, sampleWeight = null] = data;
    const secondOrder = SECOND.includes(given.sortBy);
    const options = { ...given, sampleWeight, secondOrder, maxRows: Number.MAX_SAFE_INTEGER };
    const found = (await model.pressure(x, y, options)).lift(count);
    this.lifted.push(...found.map((row) => ({ epoch, ...row })));
  }
}
