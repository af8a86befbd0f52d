// Compares locked elements with copies: training must not change them (docs/laws.md, law 22).

/** @import { Model } from '../model/model.js' */
/** @import { Variable } from '../../locks/variable.js' */

/** The number of fits that watch a variable, if only fits do. @type {WeakMap<Variable, number>} */
const watchers = new WeakMap();

/** True if a variable's locks are watched. @param {Variable} weight */
const isWatched = (weight) => {
  try {
    weight.locks.audit();
    return true;
  } catch {
    return false;
  }
};

/** A note on moving statistics next to locked weights (law 19), or ''. @param {Model} model */
export const followNote = (model) => {
  const layers = model.allLayers.filter((layer) => {
    if (layer.frozen || layer.sublayers.length > 0) return false;
    const trained = layer.weights.filter(({ trainable }) => trainable);
    const follows = layer.weights.some(({ trainable, free }) => !trainable && free > 0);
    return follows && trained.length > 0 && trained.every(({ free }) => free === 0);
  });
  if (layers.length === 0) return '';
  const names = layers.map(({ name }) => name).join(', ');
  return `moving statistics follow the data although the weights are locked: ${names}; trainable = false holds them`;
};

/**
 * Watch the locked elements of a model, including those locked later. Returns a function that
 * reports how many of them changed. Variables that others stopped watching meanwhile are skipped.
 * @param {Model} model
 */
export const startLockAudit = (model) => {
  /** @type {Set<Variable>} */
  const watched = new Set();
  /** @type {Set<Variable>} */
  const own = new Set();
  /** @param {Variable} weight */
  const leave = (weight) => {
    if (!own.delete(weight)) return;
    const left = (watchers.get(weight) ?? 1) - 1;
    if (left > 0) watchers.set(weight, left);
    else watchers.delete(weight);
    if (left === 0 && !weight.disposed) weight.locks.unwatch();
  };
  /** @param {Variable} weight */
  const enter = (weight) => {
    if (watched.has(weight) || weight.locks.count === 0) return;
    watched.add(weight);
    if (!watchers.has(weight)) {
      if (isWatched(weight)) return;
      weight.locks.watch();
    }
    own.add(weight);
    watchers.set(weight, (watchers.get(weight) ?? 0) + 1);
  };
  /** @type {(() => void)[]} */
  const stops = [];
  const stop = () => {
    for (const end of stops.splice(0)) end();
  };
  model.nn.undo(() => {
    stop();
    for (const weight of own) leave(weight);
  });
  for (const weight of model.weights) {
    enter(weight);
    stops.push(weight.locks.onChange(() => enter(weight)));
  }
  return () => {
    stop();
    /** @type {{ watched: number, changed: number, note?: string }} */
    const audit = { watched: 0, changed: 0 };
    const note = followNote(model);
    if (note) audit.note = note;
    for (const weight of watched) {
      if (weight.disposed || !isWatched(weight)) continue;
      audit.watched += weight.locks.count;
      audit.changed += weight.locks.audit().changed;
    }
    for (const weight of [...own]) leave(weight);
    return audit;
  };
};
