// Whether training kept its promise: what was locked, held against what it was (docs/laws.md,
// law 22).

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('../locks/variable.js').Variable} Variable */

/** How many fits watch a variable that nobody else does. @type {WeakMap<Variable, number>} */
const watchers = new WeakMap();

/** Whether a variable's locks are watched. @param {Variable} weight */
const isWatched = (weight) => {
  try {
    weight.locks.audit();
    return true;
  } catch {
    return false;
  }
};

/**
 * Watch what is locked of a model; the function that it returns says how much of that moved. What
 * others have unwatched meanwhile is not looked at.
 * @param {Model} model
 */
export const watchLocks = (model) => {
  const watched = model.weights.filter((weight) => weight.locks.count > 0);
  const own = new Set(watched.filter((weight) => watchers.has(weight) || !isWatched(weight)));
  /** @param {Variable} weight */
  const leave = (weight) => {
    if (!own.delete(weight)) return;
    const left = (watchers.get(weight) ?? 1) - 1;
    if (left > 0) watchers.set(weight, left);
    else watchers.delete(weight);
    if (left === 0 && !weight.disposed) weight.locks.unwatch();
  };
  for (const weight of own) {
    if (!watchers.has(weight)) weight.locks.watch();
    watchers.set(weight, (watchers.get(weight) ?? 0) + 1);
    model.nn.undo(() => leave(weight));
  }
  return () => {
    const audit = { watched: 0, changed: 0 };
    for (const weight of watched) {
      if (weight.disposed || !isWatched(weight)) continue;
      audit.watched += weight.locks.count;
      audit.changed += weight.locks.audit().changed;
    }
    for (const weight of own) leave(weight);
    return audit;
  };
};
