// Whether training kept its promise: what was locked, held against what it was (docs/laws.md, law
// 22).

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('../locks/variable.js').Variable} Variable */

/** Whether someone watches a variable's locks already. @param {Variable} weight */
const isWatched = (weight) => {
  try {
    weight.locks.audit();
    return true;
  } catch {
    return false;
  }
};

/**
 * Watch what is locked of a model; the function that it returns says how much of that moved.
 * @param {Model} model
 */
export const watchLocks = (model) => {
  const watched = model.weights.filter((weight) => weight.locks.count > 0);
  const own = watched.filter((weight) => !isWatched(weight));
  for (const weight of own) weight.locks.watch();
  return () => {
    const audit = { watched: 0, changed: 0 };
    for (const weight of watched) {
      if (weight.disposed) continue;
      audit.watched += weight.locks.count;
      audit.changed += weight.locks.audit().changed;
    }
    for (const weight of own) if (!weight.disposed) weight.locks.unwatch();
    return audit;
  };
};
