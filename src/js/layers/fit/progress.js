// How far a model's training is, beside its weights and its optimizer: places in random numbers,
// states of stateful layers, stages carried out, and what callbacks keep. With it, training that
// goes on elsewhere ends on the bits of training that never stopped.
import { isRecord, ownProperties } from '../../base/check.js';
import { FormatError } from '../../base/errors.js';

/** @typedef {import('./random-state.js').DrawState} DrawState */
/** @typedef {import('../model/model.js').Model} Model */
/**
 * @typedef {object} Progress As JSON, but for arrays of f32.
 * @property {number} epoch The next one.
 * @property {DrawState} draws
 * @property {readonly Float32Array[]} states Of stateful layers.
 * @property {readonly number[]} stages Epochs whose stages were carried out.
 * @property {readonly unknown[]} callbacks What each callback of the last fit keeps.
 */

/** @param {Model} model */
const statesOf = (model) => model.allLayers.flatMap((layer) => layer.ownStates);

/**
 * @param {Model} model
 * @returns {Progress}
 */
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

/**
 * @param {unknown} value
 * @param {string} what
 * @param {(entry: any) => boolean} test
 * @returns {any[]}
 */
const readList = (value, what, test) => {
  if (Array.isArray(value) && value.every(test)) return value;
  throw new FormatError(`the training's ${what} are not what saveModel writes`);
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

/**
 * Go on where a model of the same layers was. Throws FormatError, and changes nothing, for what
 * `saveProgress` did not give.
 * @param {Model} model
 * @param {unknown} given
 */
export const restoreProgress = (model, given) => {
  const progress = isRecord(given) ? ownProperties(given) : {};
  const { epoch = 0, draws, states = [], stages = [], callbacks = [] } = progress;
  const { batches, generators } = isRecord(draws) ? ownProperties(draws) : {};
  const own = statesOf(model);
  const read = {
    batches: readList(batches, 'batches', isWhole),
    generators: readList(generators, 'random numbers', isGenerator),
  };
  const values = readList(states, 'states', (value) => value instanceof Float32Array);
  if (
    values.length > 0 &&
    `${values.map(({ length }) => length)}` !== `${own.map(({ size }) => size)}`
  )
    throw new FormatError('the states of the training are not those of its layers');
  const [next] = readList([epoch], 'epoch', isWhole);
  const done = readList(stages, 'stages', isWhole);
  const kept = readList(callbacks, 'callbacks', () => true);
  model.nextEpoch = next;
  model.resumed = { epoch: next, stages: done, callbacks: kept };
  values.forEach((state, i) => void own[i]?.assign(state));
  model.draws.moveTo(/** @type {any} */ (read));
};
