// Activations by Keras's names. Source: keras/src/activations/activations.py of Keras 3.15.
import { describe } from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { fold, lookUp, toSnake } from './names.js';
import { findNamed, readNamed } from './serial.js';

/** @typedef {import('./toolkit.js').Toolkit} Toolkit */
/** @typedef {import('../gradlock.js').Gradlock} Gradlock */
/** @typedef {import('../tensors/tensor.js').Tensor} Tensor */
/**
 * @typedef {{ name: string, apply: (g: Gradlock, x: Tensor) => Tensor }} NamedActivation `name` is
 *   empty for a function.
 */

/** Of selu. Source: Klambauer et al. 2017, arXiv:1706.02515. */
const SELU = { alpha: 1.6732632423543772, scale: 1.0507009873554805 };

/** The instance's, by their names. */
const OWN = ['relu', 'elu', 'softplus', 'tanh', 'sigmoid', 'silu', 'gelu', 'softmax', 'logSoftmax'];

/** @type {Record<string, NamedActivation['apply']>} */
const ACTIVATIONS = {
  ...Object.fromEntries(
    OWN.map((name) => [name, (/** @type {any} */ g, /** @type {Tensor} */ x) => g[name](x)]),
  ),
  linear: (_, x) => x,
  relu6: (g, x) => g.clipByValue(x, 0, 6),
  leakyRelu: (g, x) => g.leakyRelu(x, 0.2),
  selu: (g, x) =>
    g.mul(SELU.scale, g.where(g.greater(x, 0), x, g.mul(SELU.alpha, g.expm1(g.minimum(x, 0))))),
  softsign: (g, x) => g.div(x, g.add(g.abs(x), 1)),
  hardSigmoid: (g, x) => g.clipByValue(g.add(g.div(x, 6), 0.5), 0, 1),
  // Of TensorFlow.js and of Keras before 3, whose models are loaded.
  legacyHardSigmoid: (g, x) => g.clipByValue(g.add(g.mul(x, 0.2), 0.5), 0, 1),
  hardSilu: (g, x) => g.mul(x, g.clipByValue(g.add(g.div(x, 6), 0.5), 0, 1)),
  mish: (g, x) => g.mul(x, g.tanh(g.softplus(x))),
  exponential: (g, x) => g.exp(x),
};

/** Other names, folded; TensorFlow.js's among them. @type {Record<string, string>} */
const ALIASES = { swish: 'silu', hardswish: 'hardSilu' };

/**
 * @param {unknown} value A name, a function of a tensor, or null for none.
 * @param {string} what
 * @returns {NamedActivation}
 */
export const readActivation = (value, what) => {
  if (value === null) return { name: 'linear', apply: (_, x) => x };
  if (typeof value === 'function') {
    return { name: '', apply: (_, x) => /** @type {(x: Tensor) => Tensor} */ (value)(x) };
  }
  const { name } = readNamed(value, what);
  const [key, apply] = findNamed(ACTIVATIONS, lookUp(ALIASES, fold(name)) ?? name, what);
  return { name: key, apply };
};

/** @param {NamedActivation} activation */
export const writeActivation = ({ name }) => {
  if (name) return name === 'relu6' ? name : toSnake(name);
  throw new OptionError(`${describe(() => 0)} as activation has no form as JSON: give a name`);
};
