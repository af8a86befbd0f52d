// Which elements of which weights of a model a call means: by name, pattern, list or predicate with
// one selection, or by a record of selections.
import { describe, isRecord, ownProperties, refusePromise, typeError } from '../../base/check.js';
import { GradlockError } from '../../base/errors.js';

/** @import { Model } from './model.js' */
/** @import { Selection } from '../../locks/locks.js' */
/** @import { Variable } from '../../locks/variable.js' */
/**
 * Selects weights.
 * - `'all'`: every trainable weight
 * - `'head'` or `'head/kernel'`: a layer's weights, or one of them
 * - `/kernel$/`: the weights whose names match
 * - a list of such names and patterns, each of which must match
 * - `(weight) => boolean`: a predicate of the weight
 *
 * A filter that matches nothing is an error.
 * @typedef {string | RegExp | readonly (string | RegExp)[] | ((weight: Variable) => boolean)}
 *   WeightFilter
 */
/**
 * Selections by the names of layers or weights: `{ 'head/kernel': { cols: [3] }, base: 'all' }`.
 * @typedef {{ readonly [name: string]: Selection }} WeightSelections
 */

/** @param {Model} model @param {unknown} filter */
const noMatch = (model, filter) => {
  const names = model.weights.filter(({ trainable }) => trainable).map(({ name }) => name);
  const unbuilt = model.allLayers.filter((layer) => !layer.built).map(({ name }) => name);
  const hints = [
    `known: ${names.join(', ') || 'none'}`,
    ...(typeof filter === 'function'
      ? ["a filter is given weights; a predicate of values is the second argument, after 'all'"]
      : []),
    ...(unbuilt.length > 0
      ? [
          `${unbuilt.join(', ')} have no weights yet: give the first layer an inputShape, or call build() or predict() first`,
        ]
      : []),
  ];
  return new GradlockError(
    `${model.name}: no weight matches ${String(filter)}; ${hints.join('. ')}`,
  );
};

/**
 * Returns the trainable weights, frozen or not, that a filter matches. Throws if there are none.
 * @param {Model} model
 * @param {unknown} filter
 * @returns {Variable[]}
 */
export const findWeights = (model, filter) => {
  const all = model.weights.filter(({ trainable }) => trainable);
  if (Array.isArray(filter) && filter.every((one) => !Array.isArray(one))) {
    const found = new Set(filter.flatMap((one) => findWeights(model, one)));
    return all.filter((weight) => found.has(weight));
  }
  /** @param {Variable} weight */
  const matches = (weight) => {
    if (filter instanceof RegExp) return weight.name.search(filter) >= 0;
    if (typeof filter === 'string')
      return filter === 'all' || weight.name === filter || weight.name.startsWith(`${filter}/`);
    if (typeof filter !== 'function')
      throw typeError(
        'the filter of weights',
        "'all', a name, a regular expression, a list of these or a function",
        filter,
      );
    const answer = filter(weight);
    refusePromise(answer, 'a filter of weights');
    return Boolean(answer);
  };
  const found = all.filter(matches);
  if (found.length > 0) return found;
  if (filter === 'all' && model.allLayers.every(({ built }) => built)) return found;
  throw noMatch(model, filter);
};

/**
 * Reads the arguments of `lock`, `unlock` and `trainOnly`.
 * @param {Model} model
 * @param {unknown} filter A filter, or a record of selections.
 * @param {Selection | undefined} selection Default: all elements.
 * @returns {Map<Variable, Selection[]>} The selections of each weight that was named.
 */
export const readTargets = (model, filter, selection) => {
  /** @type {Map<Variable, Selection[]>} */
  const found = new Map();
  const isMany = isRecord(filter) && !(filter instanceof RegExp);
  if (isMany && selection !== undefined) {
    throw new TypeError(
      `a record names a selection for each weight, so it takes no second argument, got ${describe(selection)}`,
    );
  }
  const given = isMany ? Object.entries(ownProperties(filter)) : [[filter, selection ?? 'all']];
  for (const [filter, elements] of given) {
    for (const weight of findWeights(model, filter)) {
      const before = found.get(weight) ?? [];
      found.set(weight, [...before, /** @type {Selection} */ (elements)]);
    }
  }
  return found;
};
