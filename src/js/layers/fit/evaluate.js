// Evaluation and prediction over rows, without training, and steps on a single batch.
import { Yielder } from './event-loop.js';
import { expectPlan } from './compile.js';
import { disposeAll, readData, rowsOf } from './data.js';
import { readBatch } from './data-sources.js';
import * as field from '../config/fields.js';
import { Tally } from './logs.js';
import { RowBatches } from './row-batches.js';
import { toList } from '../layer/symbolic.js';

/** @import { BatchCopier } from './batch-runner.js' */
/** @import { Logs } from './logs.js' */
/** @import { Model } from '../model/model.js' */

const PREDICT = { batchSize: field.count(32), verbose: field.any() };

/** The options of methods that go over rows with labels. */
export const ROWS = { ...PREDICT, sampleWeight: field.any(), yieldEvery: field.any('auto') };

/** @param {RowBatches} rows @param {Yielder} yielder @returns {Promise<Logs>} */
export const evaluateRows = async (rows, yielder) => {
  const tally = new Tally(rows.plan);
  rows.begin();
  for (let size = rows.next(); size > 0; size = rows.next()) {
    tally.add(rows.run(), size);
    if (yielder.isDue()) await yielder.pause();
  }
  return tally.logs();
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
  const { batchSize, sampleWeight, yieldEvery } = field.readFieldOptions(given, ROWS, 'evaluate');
  const yielder = new Yielder(yieldEvery);
  const { data, rows } = model.nn.attempt(() => {
    const data = readData(model, plan, { x, y, sampleWeight });
    model.nn.undo(() => disposeAll(data.own));
    const rows = new RowBatches(model, plan, data, { training: false, batchSize });
    rows.prepare();
    return { data, rows };
  });
  try {
    return await evaluateRows(rows, yielder);
  } finally {
    rows.dispose();
    disposeAll(data.own);
  }
};

/**
 * Train one step on a batch, or only compute its losses.
 * @param {Model} model
 * @param {BatchCopier} runner
 * @param {unknown} batch
 * @returns {Logs}
 */
export const runOnBatch = (model, runner, batch) => {
  const plan = expectPlan(model.plan);
  return model.nn.attempt(() => {
    const data = readBatch(model, plan, batch);
    try {
      const tally = new Tally(plan);
      tally.add(runner.run(data), data.size);
      return tally.logs();
    } finally {
      disposeAll(data.own);
    }
  });
};

/**
 * Compute a model's outputs for rows in inference mode, batch by batch.
 * @param {Model} model
 * @param {unknown} x
 * @param {unknown} given
 * @returns {any} A tensor, or one for each output.
 */
export const predict = (model, x, given) => {
  const { batchSize: size } = field.readFieldOptions(given, PREDICT, 'predict');
  const { g, nn } = model;
  return nn.attempt(() => {
    const data = readData(model, null, { x });
    try {
      return g.tidy(() => {
        /** @type {any[][]} */
        const found = [];
        for (let from = 0; from < data.size; from += size) {
          const count = Math.min(size, data.size - from);
          const parts = data.xs.map((t) => (count === data.size ? t : rowsOf(g, t, from, count)));
          toList(model.apply(parts.length === 1 ? parts[0] : parts)).forEach((output, i) => {
            found[i] = [...(found[i] ?? []), output];
          });
        }
        const whole = found.map((parts) =>
          parts.length > 1
            ? g.concat(parts, 0)
            : data.xs.includes(parts[0])
              ? g.tensor(parts[0])
              : parts[0],
        );
        return model.single.output ? whole[0] : whole;
      });
    } finally {
      disposeAll(data.own);
    }
  });
};
