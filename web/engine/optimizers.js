/** Makes the library's optimizers from the page's settings. */

/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */
/** @typedef {import('../state/rules.js').OptimizerSettings} Settings */
/** @typedef {ReturnType<Gradlock['optimizers']['adam']> | ReturnType<Gradlock['optimizers']['sgd']>} Optimizer */

/** @type {Record<Settings['rule'], (g: Gradlock, settings: Settings) => Optimizer>} */
const makers = {
  sgd: (g, { learningRate }) => g.optimizers.sgd({ learningRate }),
  momentum: (g, { learningRate, momentum }) => g.optimizers.sgd({ learningRate, momentum }),
  nesterov: (g, { learningRate, momentum }) =>
    g.optimizers.sgd({ learningRate, momentum, nesterov: true }),
  adam: (g, { learningRate }) => g.optimizers.adam({ learningRate }),
  adamW: (g, { learningRate, weightDecay }) => g.optimizers.adamW({ learningRate, weightDecay }),
};

/** @param {Gradlock} g @param {Settings} settings @returns {Optimizer} */
export const makeOptimizer = (g, settings) => makers[settings.rule](g, settings);

/**
 * Changes a live optimizer's options; its rule stays, and so do its slots.
 * @param {Optimizer} optimizer
 * @param {Settings} settings of the same rule
 */
export function adjustOptimizer(optimizer, settings) {
  const options = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (optimizer));
  options.learningRate = settings.learningRate;
  if (settings.rule === 'momentum' || settings.rule === 'nesterov') {
    options.momentum = settings.momentum;
  }
  if (settings.rule === 'adamW') options.weightDecay = settings.weightDecay;
}
