// Losses under Keras's names, computed per sample and reduced to one number per batch.
// Source: keras/src/losses/{losses,loss}.py of Keras 3.15.
import { describe, ownProperties, isRecord } from '../../base/check.js';
import { OptionError, ShapeError } from '../../base/errors.js';
import { logitsOf } from '../config/logits.js';
import { fold, lookUp, toSnake } from '../config/names.js';
import { findNamed, readNamed } from '../config/serial.js';

/** @import { Gradlock } from '../../gradlock.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/**
 * @typedef {(g: Gradlock, y: Tensor, p: Tensor, options: any) => Tensor} PerSample A loss per
 *   sample. It removes the last axis.
 */
/**
 * @typedef {object} NamedLoss
 * @property {string} name The name in messages and JSON; empty for a function of the user.
 * @property {Record<string, unknown>} config
 * @property {(g: Gradlock, y: Tensor, p: Tensor) => Tensor} apply One loss per sample, or a scalar.
 */

/** Keras's epsilon, which keeps logarithms and quotients finite. */
const EPSILON = 1e-7;

/** @param {(g: Gradlock, y: Tensor, p: Tensor) => Tensor} fn @returns {PerSample} */
const meanOf = (fn) => (g, y, p) => g.mean(fn(g, y, p), -1);

/**
 * Wraps a loss of g.losses, without its reduction.
 * @param {string} name
 * @param {...string} known The names of its options.
 * @returns {PerSample}
 */
const builtIn =
  (name, ...known) =>
  (g, y, p, config) => {
    const given = known.map((option) => [option, config[option] ?? undefined]);
    const options = { ...Object.fromEntries(given), reduction: 'none' };
    return /** @type {any} */ (g.losses)[name](y, p, options);
  };

/** @type {Record<string, PerSample>} */
const LOSSES = {
  meanSquaredError: builtIn('meanSquaredError'),
  meanAbsoluteError: builtIn('meanAbsoluteError'),
  meanAbsolutePercentageError: meanOf((g, y, p) =>
    g.mul(100, g.abs(g.div(g.sub(y, p), g.maximum(g.abs(y), EPSILON)))),
  ),
  meanSquaredLogarithmicError: meanOf((g, y, p) =>
    g.squaredDifference(g.log1p(g.maximum(y, EPSILON)), g.log1p(g.maximum(p, EPSILON))),
  ),
  huber: builtIn('huber', 'delta'),
  logCosh: meanOf((g, y, p) => {
    const x = g.sub(p, y);
    return g.sub(g.add(x, g.softplus(g.mul(-2, x))), Math.LN2);
  }),
  hinge: builtIn('hinge'),
  squaredHinge: meanOf((g, y, p) => g.square(g.maximum(g.sub(1, g.mul(signs(g, y), p)), 0))),
  categoricalHinge: (g, y, p) => {
    const right = g.sum(g.mul(y, p), -1);
    const wrong = g.max(g.mul(g.sub(1, y), p), -1);
    return g.maximum(g.add(g.sub(wrong, right), 1), 0);
  },
  klDivergence: (g, y, p) => {
    const [a, b] = [g.clipByValue(y, EPSILON, 1), g.clipByValue(p, EPSILON, 1)];
    return g.sum(g.mul(a, g.log(g.div(a, b))), -1);
  },
  poisson: meanOf((g, y, p) => g.sub(p, g.mul(y, g.log(g.add(p, EPSILON))))),
  cosineSimilarity: builtIn('cosineSimilarity', 'axis'),
  binaryCrossentropy: builtIn('binaryCrossentropy', 'fromLogits', 'labelSmoothing'),
  categoricalCrossentropy: builtIn('categoricalCrossentropy', 'fromLogits', 'labelSmoothing'),
  sparseCategoricalCrossentropy: builtIn('sparseCategoricalCrossentropy', 'fromLogits'),
};

/** Maps labels of only 0 and 1 to −1 and 1, as in Keras. @param {Gradlock} g @param {Tensor} y */
const signs = (g, y) => {
  const isBinary = g.all(g.logicalOr(g.equal(y, 0), g.equal(y, 1)));
  return g.where(isBinary, g.sub(g.mul(2, y), 1), y);
};

/** The activation before each crossentropy. @type {Record<string, 'sigmoid' | 'softmax'>} */
const ACTIVATIONS = {
  binaryCrossentropy: 'sigmoid',
  categoricalCrossentropy: 'softmax',
  sparseCategoricalCrossentropy: 'softmax',
};

/** Keras's short and older names. @type {Record<string, string>} */
export const ALIASES = {
  mse: 'meanSquaredError',
  mae: 'meanAbsoluteError',
  mape: 'meanAbsolutePercentageError',
  msle: 'meanSquaredLogarithmicError',
  bce: 'binaryCrossentropy',
  kld: 'klDivergence',
  kullbackleiblerdivergence: 'klDivergence',
  cosineproximity: 'cosineSimilarity',
};

/** The supported values of losses' options; null: any. @type {Record<string, unknown[] | null>} */
const SUPPORTED = {
  delta: null,
  axis: null,
  fromLogits: null,
  labelSmoothing: null,
  reduction: ['sum_over_batch_size', 'sumOverBatchSize'],
};

/**
 * Throws for options that would have no effect.
 * @param {Record<string, unknown>} config
 * @param {Record<string, unknown[] | null>} known
 * @param {string} what
 */
export const expectOptions = (config, known, what) => {
  for (const [option, value] of Object.entries(config)) {
    if (value === null || option === 'name' || option === 'dtype') continue;
    const values = known[option];
    if (values === null || values?.includes(value)) continue;
    throw new OptionError(`${what}: ${option} = ${describe(value)} is not supported`);
  }
};

/**
 * Wraps a function of labels and predictions, and checks that it returns a tensor.
 * @param {Function} fn
 * @param {string} what
 * @returns {(g: Gradlock, y: Tensor, p: Tensor) => Tensor}
 */
export const checked = (fn, what) => (_, y, p) => {
  const found = fn(y, p);
  if (typeof found?.shape === 'object') return found;
  throw new TypeError(`${what} must return a tensor, it returned ${describe(found)}`);
};

/** Labels [n] become [n, 1] to match p. @param {Gradlock} g @param {Tensor} y @param {Tensor} p */
export const fitLabels = (g, y, p) =>
  y.rank === p.rank - 1 && p.shape.at(-1) === 1 ? g.reshape(y, [...y.shape, 1]) : y;

/**
 * @param {string} name
 * @param {Record<string, unknown>} config
 * @param {string} what
 * @returns {NamedLoss}
 */
export const findLoss = (name, config, what) => {
  const short = lookUp(ALIASES, fold(name));
  const [key, perSample] = findNamed(LOSSES, short ?? name, what);
  expectOptions(config, SUPPORTED, `${what}: ${key}`);
  const isSparse = key === 'sparseCategoricalCrossentropy';
  return {
    name: toSnake(key),
    config,
    apply: (g, y, p) => {
      const labels = isSparse ? y : fitLabels(g, y, p);
      const logits = config.fromLogits ? null : logitsOf(p, lookUp(ACTIVATIONS, key));
      return logits
        ? perSample(g, labels, logits, { ...config, fromLogits: true })
        : perSample(g, labels, p, config);
    },
  };
};

/**
 * @param {unknown} value A name, a class with options, or a function of labels and predictions.
 * @param {string} what
 * @returns {NamedLoss}
 */
export const readLoss = (value, what) => {
  if (typeof value === 'function') return { name: '', config: {}, apply: checked(value, what) };
  const { name, config } = readNamed(value, what);
  return findLoss(name, config, what);
};

/**
 * Returns the mean of a loss over a batch, with sample weights and a mask, computed as in Keras.
 * @param {Gradlock} g
 * @param {Tensor} values One loss per sample, or a scalar.
 * @param {Tensor | null} weights The sample weights, of shape [batch] or of the losses' shape.
 * @param {Tensor | null} mask The mask of time steps, [batch, time].
 */
export const reduceLoss = (g, values, weights, mask) => {
  if (values.rank === 0) {
    if (!weights) return values;
    throw new ShapeError(
      'with sample weights, the loss function must return one number for each sample, not a scalar',
    );
  }
  let weighted = values;
  if (mask) {
    const fitted = alignTo(g, mask, values);
    const share = g.div(fitted.size, g.add(g.sum(fitted), EPSILON));
    weighted = g.mul(weighted, g.mul(fitted, share));
  }
  if (weights) weighted = g.mul(weighted, alignTo(g, weights, values));
  return g.mean(weighted);
};

/**
 * Matches the rank of weights to the values. Appends axes of size 1 if there are too few, and
 * removes a last axis of size 1 if there is one too many.
 * @param {Gradlock} g
 * @param {Tensor} weights
 * @param {Tensor} values
 */
export const alignTo = (g, weights, values) => {
  if (weights.rank === values.rank + 1 && weights.shape.at(-1) === 1)
    return g.reshape(weights, values.shape);
  if (weights.rank >= values.rank) return weights;
  return g.reshape(weights, [...weights.shape, ...new Array(values.rank - weights.rank).fill(1)]);
};

/** @param {unknown} value */
export const isNamed = (value) => {
  const given = isRecord(value) ? ownProperties(value) : {};
  return typeof (given.className ?? given.class_name) === 'string';
};
