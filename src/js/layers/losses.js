// Losses by Keras's names, sample by sample, and what is left of them for a batch.
// Source: keras/src/losses/{losses,loss}.py of Keras 3.15.
import { describe, ownProperties, isRecord } from '../base/check.js';
import { OptionError, ShapeError } from '../base/errors.js';
import { toSnake } from './names.js';
import { findNamed, readNamed } from './serial.js';

/** @typedef {import('../gradlock.js').Gradlock} Gradlock */
/** @typedef {import('../tensors/tensor.js').Tensor} Tensor */
/**
 * @typedef {(g: Gradlock, y: Tensor, p: Tensor, options: any) => Tensor} PerSample One axis, the
 *   last, less.
 */
/**
 * @typedef {object} NamedLoss
 * @property {string} name As messages and JSON have it; empty for a function.
 * @property {Record<string, unknown>} config
 * @property {(g: Gradlock, y: Tensor, p: Tensor) => Tensor} apply A loss per sample, or a scalar of
 *   all.
 */

/** What keeps Keras's logarithms and quotients finite. */
const EPSILON = 1e-7;

/** @param {(g: Gradlock, y: Tensor, p: Tensor) => Tensor} fn @returns {PerSample} */
const meanOf = (fn) => (g, y, p) => g.mean(fn(g, y, p), -1);

/** @type {Record<string, PerSample>} */
const LOSSES = {
  meanSquaredError: (g, y, p) => g.losses.meanSquaredError(y, p, { reduction: 'none' }),
  meanAbsoluteError: (g, y, p) => g.losses.meanAbsoluteError(y, p, { reduction: 'none' }),
  meanAbsolutePercentageError: meanOf((g, y, p) =>
    g.mul(100, g.abs(g.div(g.sub(y, p), g.maximum(g.abs(y), EPSILON)))),
  ),
  meanSquaredLogarithmicError: meanOf((g, y, p) =>
    g.squaredDifference(g.log1p(g.maximum(y, EPSILON)), g.log1p(g.maximum(p, EPSILON))),
  ),
  huber: (g, y, p, { delta = 1 }) => g.losses.huber(y, p, { reduction: 'none', delta }),
  logCosh: meanOf((g, y, p) => {
    const x = g.sub(p, y);
    return g.sub(g.add(x, g.softplus(g.mul(-2, x))), Math.LN2);
  }),
  hinge: (g, y, p) => g.losses.hinge(y, p, { reduction: 'none' }),
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
  cosineSimilarity: (g, y, p, { axis = -1 }) =>
    g.losses.cosineSimilarity(y, p, { reduction: 'none', axis }),
  binaryCrossentropy: (g, y, p, { fromLogits = false, labelSmoothing = 0 }) =>
    g.losses.binaryCrossentropy(y, p, { reduction: 'none', fromLogits, labelSmoothing }),
  categoricalCrossentropy: (g, y, p, { fromLogits = false, labelSmoothing = 0 }) =>
    g.losses.categoricalCrossentropy(y, p, { reduction: 'none', fromLogits, labelSmoothing }),
  sparseCategoricalCrossentropy: (g, y, p, { fromLogits = false }) =>
    g.losses.sparseCategoricalCrossentropy(y, p, { reduction: 'none', fromLogits }),
};

/**
 * Labels that are all 0 or 1 are taken for −1 and 1, as in Keras.
 * @param {Gradlock} g
 * @param {Tensor} y
 */
const signs = (g, y) => {
  const isBinary = g.all(g.logicalOr(g.equal(y, 0), g.equal(y, 1)));
  return g.where(isBinary, g.sub(g.mul(2, y), 1), y);
};

/** Short and older names. @type {Record<string, string>} */
export const SHORT = {
  mse: 'meanSquaredError',
  mae: 'meanAbsoluteError',
  mape: 'meanAbsolutePercentageError',
  msle: 'meanSquaredLogarithmicError',
  bce: 'binaryCrossentropy',
  logcosh: 'logCosh',
  kld: 'klDivergence',
  kullbackleiblerdivergence: 'klDivergence',
  cosineproximity: 'cosineSimilarity',
};

/** Options that a loss may have; Keras's JSON has others with a single value here. */
const OPTIONS = ['delta', 'axis', 'fromLogits', 'labelSmoothing'];

/**
 * Labels of predictions' shape: [n] for [n, 1].
 * @param {Gradlock} g
 * @param {Tensor} y
 * @param {Tensor} p
 */
export const fitLabels = (g, y, p) =>
  y.rank === p.rank - 1 && p.shape.at(-1) === 1 ? g.reshape(y, [...y.shape, 1]) : y;

/**
 * @param {string} name
 * @param {Record<string, unknown>} config
 * @param {string} what
 * @returns {NamedLoss}
 */
export const findLoss = (name, config, what) => {
  const short = SHORT[name.replace(/_/g, '').toLowerCase()];
  const [key, perSample] = findNamed(LOSSES, short ?? name, what);
  for (const [option, value] of Object.entries(config)) {
    if (OPTIONS.includes(option) || option === 'name' || option === 'dtype') continue;
    if (option === 'reduction' && (value === 'sum_over_batch_size' || value === 'sumOverBatchSize'))
      continue;
    if (value === null) continue;
    throw new OptionError(`${what}: ${key} has no option ${option} = ${describe(value)} here`);
  }
  const isSparse = key === 'sparseCategoricalCrossentropy';
  return {
    name: toSnake(key),
    config,
    apply: (g, y, p) => perSample(g, isSparse ? y : fitLabels(g, y, p), p, config),
  };
};

/**
 * @param {unknown} value A name, a class with options, or a function of truth and prediction.
 * @param {string} what
 * @returns {NamedLoss}
 */
export const readLoss = (value, what) => {
  if (typeof value === 'function') {
    return {
      name: '',
      config: {},
      apply: (_, y, p) => {
        const loss = value(y, p);
        if (typeof loss?.shape === 'object') return loss;
        throw new TypeError(`${what} must return a tensor, it returned ${describe(loss)}`);
      },
    };
  }
  const { name, config } = readNamed(value, what);
  return findLoss(name, config, what);
};

/**
 * The mean of a loss over a batch, by weights of its samples and by a mask, as Keras takes it.
 * @param {Gradlock} g
 * @param {Tensor} values A loss per sample, or a scalar.
 * @param {Tensor | null} weights Of shape [batch], or as the losses.
 * @param {Tensor | null} mask Of steps in time, [batch, time].
 */
export const reduceLoss = (g, values, weights, mask) => {
  if (values.rank === 0) {
    if (!weights) return values;
    throw new ShapeError(
      'samples have weights, but the loss function gives one number for all: let it give one a sample',
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
 * Weights of fewer axes than what they weigh, with axes of 1 behind them; those of one more that is
 * 1, without it.
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
