// One forward pass through a model: the masks, penalties and state updates of its layers.

/** @import { Variable } from '../../locks/variable.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/**
 * @typedef {object} Run The state of one forward pass through a model.
 * @property {boolean} training
 * @property {Map<Tensor, Tensor>} masks The masks of time steps: 1 where a step exists.
 * @property {import('../fit/frozen-prefix.js').PrefixRun} [prefix] The frozen prefix, if any.
 * @property {Tensor[]} penalties Scalars that are added to the loss.
 * @property {[variable: Variable, value: Tensor, decay?: number][]} moves Updates of statistics and
 *   states, applied after the whole pass.
 */

/** A new pass's state. @param {boolean} training @param {Run['prefix']} [prefix] @returns {Run} */
export const newRun = (training, prefix) => ({
  training,
  masks: new Map(),
  penalties: [],
  moves: [],
  prefix,
});
