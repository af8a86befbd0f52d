// Trains a model by its `fit`, which has slices of its own.
import { WorkerError } from './error.js';

/** @import { Trainer } from './runner.js' */

/** @param {import('../worker.js').ModelTask} task @returns {Trainer} */
export const trainModel = ({ model, x, y, fit = {}, save }) => {
  const { epochs = 1, initialEpoch = 0, signal, callbacks = [], onProgress } = fit;
  let first = initialEpoch;
  return {
    variables: model.weights,
    optimizer: model.optimizer,

    resume({ note }) {
      first = note.epoch;
    },

    async pressure(options) {
      const { loss, learningRate, rows, text } = await model.pressure(x, y, options);
      return { loss, learningRate, rows, text };
    },

    async train(run) {
      let step = 0;
      let loss = Number.NaN;
      const state = () => /** @type {Uint8Array} */ (save?.());
      /** @param {number} epoch */
      const keep = (epoch) => run.save({ epoch }, state);
      if (run.isKept && !save) {
        throw new WorkerError('a kept model needs { model, save: () => saveModel(model) }', 'task');
      }
      const ours = {
        onTrainBegin: () => run.breathe(),
        onYield: () => run.breathe(),
        onBatchBegin: async () => void (await run.stepsDue(step)),
        onEpochEnd: (/** @type {number} */ epoch) =>
          run.stepsToSave(epoch + 1) > 0 && epoch + 1 < epochs ? undefined : keep(epoch + 1),
      };
      const result = await model.fit(x, y, {
        ...fit,
        initialEpoch: first,
        signal: {
          get aborted() {
            return run.isStopped || signal?.aborted === true;
          },
        },
        callbacks: [...[callbacks].flat(), ours],
        onProgress(/** @type {any} */ progress) {
          step++;
          loss = progress.logs.loss;
          run.report({ step, loss, ...progress });
          return onProgress?.(progress);
        },
      });
      return { ...result, step, loss, state: state() };
    },
  };
};
