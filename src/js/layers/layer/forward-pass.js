// One pass through a model: what its layers find beside their results.

/** @typedef {import('../../locks/variable.js').Variable} Variable */
/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/**
 * @typedef {object} Run What one pass through a model carries along.
 * @property {boolean} training
 * @property {Map<Tensor, Tensor>} masks Of tensors of steps in time: 1 where there is one.
 * @property {import('../fit/frozen-prefix.js').PrefixRun} [prefix] What need not be computed.
 * @property {Tensor[]} penalties Scalars that are added to the loss.
 * @property {[variable: Variable, value: Tensor, decay?: number][]} moves Statistics and states
 *   that follow values, once all is computed.
 */

/**
 * A run through a model that begins.
 * @param {boolean} training
 * @param {Run['prefix']} [prefix]
 * @returns {Run}
 */
export const newRun = (training, prefix) => ({
  training,
  masks: new Map(),
  penalties: [],
  moves: [],
  prefix,
});
