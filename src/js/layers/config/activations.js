// Activations under Keras's names. Source: keras/src/activations/activations.py of Keras 3.15.
import { OptionError, ShapeError } from '../../base/errors.js';
import { keepLogits } from './logits.js';
import { fold, lookUp, toSnake } from './names.js';
import { findNamed, readNamed } from './serial.js';
import { formatOpen } from './open-shapes.js';

/** @import { Gradlock } from '../../gradlock.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { OpenShape } from './open-shapes.js' */
/** @typedef {(g: Gradlock, x: Tensor) => Tensor} Apply */
/**
 * @typedef {{ name: string, apply: Apply, shapeOf: (shape: OpenShape) => OpenShape }}
 *   NamedActivation `name` is empty for a function.
 */

/**
 * An activation: its name, a function of a tensor, or null for none. `'hardSigmoid'` is Keras 3's,
 * x / 6 + 0.5; that of Keras 2 and TensorFlow.js, 0.2 x + 0.5, is `'legacyHardSigmoid'`.
 * @typedef {'linear' | 'relu' | 'relu6' | 'leakyRelu' | 'elu' | 'selu' | 'softplus' | 'softsign'
 *   | 'tanh' | 'sigmoid' | 'hardSigmoid' | 'legacyHardSigmoid' | 'hardSilu' | 'silu' | 'swish'
 *   | 'gelu' | 'mish' | 'exponential' | 'celu' | 'glu' | 'hardShrink' | 'hardTanh' | 'logSigmoid'
 *   | 'softShrink' | 'sparsePlus' | 'sparseSigmoid' | 'sparsemax' | 'squareplus' | 'tanhShrink'
 *   | 'softmax' | 'logSoftmax' | (string & {}) | ((x: Tensor) => Tensor) | null} Activation
 */

/** The constants of selu. Source: Klambauer et al. 2017, arXiv:1706.02515. */
export const SELU = { alpha: 1.6732632423543772, scale: 1.0507009873554805 };

/** The names of the instance's own activations. */
const OWN = ['relu', 'elu', 'softplus', 'tanh', 'silu', 'gelu', 'hardSigmoid', 'logSoftmax'];

/** @type {Record<string, Apply>} */
const ACTIVATIONS = {
  ...Object.fromEntries(
    OWN.map((name) => [name, (/** @type {any} */ g, /** @type {Tensor} */ x) => g[name](x)]),
  ),
  softmax: (g, x) => keepLogits('softmax', g.softmax(x), x),
  sigmoid: (g, x) => keepLogits('sigmoid', g.sigmoid(x), x),
  linear: (_, x) => x,
  // As in TensorFlow, its slope at 0 and at 6 is 0.
  relu6: (g, x) => g.where(g.greaterEqual(x, 6), 6, g.relu(x)),
  leakyRelu: (g, x) => g.leakyRelu(x, 0.2),
  selu: (g, x) =>
    g.mul(SELU.scale, g.where(g.greater(x, 0), x, g.mul(SELU.alpha, g.expm1(g.minimum(x, 0))))),
  softsign: (g, x) => g.div(x, g.add(g.abs(x), 1)),
  // TensorFlow.js and Keras before 3 define it so, and their models are loaded.
  legacyHardSigmoid: (g, x) => g.clipByValue(g.add(g.mul(x, 0.2), 0.5), 0, 1),
  hardSilu: (g, x) => g.mul(x, g.hardSigmoid(x)),
  mish: (g, x) => g.mul(x, g.tanh(g.softplus(x))),
  exponential: (g, x) => g.exp(x),
  celu: (g, x) => g.add(g.relu(x), g.expm1(g.minimum(x, 0))),
  glu: (g, x) => {
    const [a, b] = /** @type {[Tensor, Tensor]} */ (g.split(x, 2, -1));
    return g.mul(a, g.sigmoid(b));
  },
  hardShrink: (g, x) => g.where(g.greater(g.abs(x), 0.5), x, 0),
  hardTanh: (g, x) => g.clipByValue(x, -1, 1),
  logSigmoid: (g, x) => g.neg(g.softplus(g.neg(x))),
  softShrink: (g, x) => g.mul(g.sign(x), g.relu(g.sub(g.abs(x), 0.5))),
  // 0 for x ≤ −1, x for x ≥ 1, and (x + 1)² / 4 between.
  sparsePlus: (g, x) => g.where(g.less(x, 1), g.mul(0.25, g.square(g.relu(g.add(x, 1)))), x),
  sparseSigmoid: (g, x) => g.clipByValue(g.mul(0.5, g.add(x, 1)), 0, 1),
  sparsemax: (g, x) => sparsemax(g, x),
  squareplus: (g, x) => g.div(g.add(x, g.sqrt(g.add(g.square(x), 4))), 2),
  tanhShrink: (g, x) => g.sub(x, g.tanh(x)),
};

/**
 * Computes the nearest vector of non-negative numbers whose sum is 1, along the last axis. Source:
 * Martins & Astudillo 2016, arXiv:1602.02068, Algorithm 1.
 * @type {Apply}
 */
const sparsemax = (g, x) => {
  const sorted = g.sort(x, { direction: 'DESCENDING' });
  const sums = g.sub(g.cumsum(sorted, -1), 1);
  const counts = g.cumsum(g.broadcastTo(1, x.shape), -1);
  const support = g.greater(g.mul(counts, sorted), sums);
  const size = g.sum(support, -1, true);
  const total = g.sub(g.sum(g.where(support, sorted, 0), -1, true), 1);
  return g.relu(g.sub(x, g.div(total, size)));
};

/** @param {OpenShape} shape */
const same = (shape) => shape;

/** Glu joins both halves of the last axis. @param {OpenShape} shape @returns {OpenShape} */
const halved = (shape) => {
  const size = shape.at(-1) ?? null;
  if (size !== null && size % 2 !== 0) {
    throw new ShapeError(
      `glu halves the last axis, so its size must be even, got ${formatOpen(shape)}`,
    );
  }
  return [...shape.slice(0, -1), size && size / 2];
};

/** Wraps a function, which must keep shapes. @param {(x: Tensor) => Tensor} fn @returns {Apply} */
const keeping = (fn) => (_, x) => {
  const y = fn(x);
  if (formatOpen(y.shape) === formatOpen(x.shape)) return y;
  throw new ShapeError(
    `an activation must keep the shape, this one turns ${formatOpen(x.shape)} into ${formatOpen(y.shape)}: use a lambda layer`,
  );
};

/** Other names, folded, including those of TensorFlow.js. @type {Record<string, string>} */
const ALIASES = { swish: 'silu', hardswish: 'hardSilu' };

/**
 * @param {unknown} value A name, a function of a tensor, or null for none.
 * @param {string} what
 * @returns {NamedActivation}
 */
export const readActivation = (value, what) => {
  if (value === null) return { name: 'linear', apply: (_, x) => x, shapeOf: same };
  if (typeof value === 'function') {
    return { name: '', apply: keeping(/** @type {any} */ (value)), shapeOf: same };
  }
  const { name } = readNamed(value, what);
  const [key, apply] = findNamed(ACTIVATIONS, lookUp(ALIASES, fold(name)) ?? name, what);
  return { name: key, apply, shapeOf: key === 'glu' ? halved : same };
};

/** @param {NamedActivation} activation */
export const writeActivation = ({ name }) => {
  if (name) return name === 'relu6' ? name : toSnake(name);
  throw new OptionError(
    'an activation that is a function cannot be saved as JSON: use one that has a name',
  );
};
