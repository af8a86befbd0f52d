// The state of a model's training, apart from weights and optimizer: positions in random numbers,
// states of stateful layers, applied stages, and states of callbacks. With it, training that
// resumes elsewhere ends with the same bits as training that never stopped.
import { isRecord, ownProperties } from '../../base/check.js';
import { FormatError } from '../../base/errors.js';

/** @import { DrawState } from './random-state.js' */
/** @import { Model } from '../model/model.js' */
/**
 * @typedef {object} Progress The state of training, as JSON with arrays of values.
 * @property {number} epoch The number of the next epoch.
 * @property {DrawState} draws
 * @property {readonly import('../layer/toolkit.js').Reals[]} states The states of stateful layers.
 * @property {readonly number[]} stages The epochs whose stages were applied.
 * @property {readonly unknown[]} callbacks The state of each callback of the last fit.
 */

/** @param {Model} model */
const statesOf = (model) => model.allLayers.flatMap((layer) => layer.ownStates);

/** @param {Model} model @returns {Progress} */
export const saveProgress = (model) => ({
  epoch: model.nextEpoch,
  draws: model.draws.state,
  states: statesOf(model).map((state) => state.data()),
  stages: model.stagesDone,
  callbacks: model.callbacks?.states ?? [],
});

/** @param {unknown} value @param {number} most */
const isCount = (value, most) =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;

/** @param {unknown} value @param {string} what @param {(entry: any) => boolean} test */
const readList = (value, what, test) => {
  if (Array.isArray(value) && value.every(test)) return value;
  throw new FormatError(`gradlock.training has invalid ${what}`);
};

const MOST_STEP = 0xffffffff;

/** @param {unknown} value */
const isWhole = (value) => isCount(value, Number.MAX_SAFE_INTEGER);

/** @param {unknown} entry */
const isGenerator = (entry) => {
  if (!Array.isArray(entry) || (entry.length !== 2 && entry.length !== 4)) return false;
  const [seed, ...steps] = entry;
  return (
    isCount(seed, Number.MAX_SAFE_INTEGER) &&
    steps.every((step, i) => isCount(step, MOST_STEP) || (i > 0 && step === null))
  );
};

/** Restore the state, or throw FormatError. @param {Model} model @param {unknown} given */
export const restoreProgress = (model, given) => {
  const progress = isRecord(given) ? ownProperties(given) : {};
  const { epoch = 0, draws, states = [], stages = [], callbacks = [] } = progress;
  const { batches, generators } = isRecord(draws) ? ownProperties(draws) : {};
  const own = statesOf(model);
  const read = {
    batches: readList(batches, 'batches', isWhole),
    generators: readList(generators, 'random numbers', isGenerator),
  };
  const values = readList(states, 'states', (value) => value instanceof model.nn.Reals);
  if (
    values.length > 0 &&
    `${values.map(({ length }) => length)}` !== `${own.map(({ size }) => size)}`
  )
    throw new FormatError('gradlock.training has states that do not match the layers');
  const [next] = readList([epoch], 'epoch', isWhole);
  const done = readList(stages, 'stages', isWhole);
  const kept = readList(callbacks, 'callbacks', () => true);
  model.nextEpoch = next;
  model.resumed = { epoch: next, stages: done, callbacks: kept };
  values.forEach((state, i) => void own[i]?.assign(state));
  model.draws.moveTo(/** @type {any} */ (read));
};
