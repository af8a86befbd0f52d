/** The library's optimizers of the page's settings, made or written as code. */

import { ruleOptions } from '../state/rules.js';

/** @import { Gradlock } from '../scenes/scene.js' */
/** @import { OptimizerSettings } from '../state/rules.js' */
/** @typedef {ReturnType<Gradlock['optimizers']['adam']> | ReturnType<Gradlock['optimizers']['sgd']>} Optimizer */

/** Returns the rule's options, which may change while it trains. @param {OptimizerSettings} settings */
const optionsOf = (settings) =>
  /** @type {const} */ (['learningRate', ...ruleOptions[settings.rule]]).map(
    (name) => /** @type {const} */ ([name, settings[name]]),
  );

/** Returns the library's name of a rule, and all options. @param {OptimizerSettings} settings */
function madeOf(settings) {
  const { rule } = settings;
  const ahead = rule === 'nesterov' ? [['nesterov', true]] : [];
  const name = rule === 'adam' || rule === 'adamW' ? rule : 'sgd';
  return /** @type {const} */ ({ name, options: [...optionsOf(settings), ...ahead] });
}

/** @param {Gradlock} g @param {OptimizerSettings} settings @returns {Optimizer} */
export function makeOptimizer(g, settings) {
  const { name, options } = madeOf(settings);
  return g.optimizers[name](Object.fromEntries(options));
}

/** Changes a live optimizer's options; its slots stay. @param {Optimizer} optimizer @param {OptimizerSettings} settings of the same rule */
export const adjustOptimizer = (optimizer, settings) =>
  Object.assign(optimizer, Object.fromEntries(optionsOf(settings)));

/** @param {OptimizerSettings} settings */
export function makingCode(settings) {
  const { name, options } = madeOf(settings);
  return `g.optimizers.${name}({ ${options.map((option) => option.join(': ')).join(', ')} })`;
}

/** @param {OptimizerSettings} settings of the same rule */
export const adjustingCode = (settings) =>
  optionsOf(settings)
    .map(([name, value]) => `optimizer.${name} = ${value};`)
    .join('\n');
