// Reads the options of `compile`: the optimizer, and each output's loss, weight and metrics.
import { isRecord, ownProperties, readNumber, readOptions } from '../../base/check.js';
import { GradlockError, OptionError } from '../../base/errors.js';
import { toOptimizer } from '../config/constraints.js';
import { alignTo, isNamed, readLoss, reduceLoss } from './losses.js';
import { readMetric } from './metrics.js';
import { readOptimizer } from './optimizers.js';
import { penaltyOf } from '../config/regularizers.js';
import { toList } from '../layer/symbolic.js';

/** @import { Run } from '../layer/layer.js' */
/** @import { NamedLoss } from './losses.js' */
/** @import { Metric } from './metrics.js' */
/** @import { Model } from '../model/model.js' */
/** @import { Optimizer } from '../../optim/optimizer.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { NamedConfig } from '../config/serial.js' */
/**
 * A value for all outputs, a list of values, or an object by the outputs' names.
 * @template T
 * @typedef {T | readonly T[] | { readonly [output: string]: T }} PerOutput
 */
/**
 * A loss by its name, with a configuration, or as a function of labels and predictions.
 * @typedef {string | NamedConfig | ((yTrue: Tensor, yPred: Tensor) => Tensor) | null} LayerLoss
 */
/**
 * A metric by its name, with a configuration, or as a function of labels and predictions.
 * @typedef {string | NamedConfig | ((yTrue: Tensor, yPred: Tensor) => Tensor)} LayerMetric
 */
/**
 * The metrics for all outputs, or for each.
 * @typedef {PerOutput<LayerMetric | null> | readonly (readonly LayerMetric[])[]} LayerMetrics
 */
/**
 * @typedef {object} CompileOptions The options of `compile`.
 * @property {string | NamedConfig | Optimizer} optimizer A name, with Keras's defaults ('adam' has
 *   a learning rate of 0.001), or an optimizer of g.optimizers.
 * @property {PerOutput<LayerLoss>} loss One loss for all outputs, or one for each output.
 * @property {PerOutput<number>} [lossWeights] The factor of each output's loss. Default: 1.
 * @property {LayerMetrics} [metrics] More values to log, without influence on training.
 * @property {LayerMetrics} [weightedMetrics] The metrics that use sample weights.
 */
/**
 * @typedef {object} OutputPlan
 * @property {string} name
 * @property {NamedLoss | null} loss
 * @property {number} weight
 * @property {Metric[]} metrics
 * @property {Metric[]} weighted The metrics that use sample weights.
 */
/**
 * @typedef {object} Plan
 * @property {Optimizer} optimizer
 * @property {OutputPlan[]} outputs
 */
/**
 * @typedef {object} BatchResult
 * @property {Tensor} loss A scalar.
 * @property {Tensor | null} sums The sums of the metrics, concatenated.
 * @property {number[]} lengths The length of each metric's sums.
 */

/**
 * Reads a value for each output, given for all, as a list, or by the outputs' names.
 * @param {unknown} given
 * @param {readonly string[]} names
 * @param {string} what
 * @returns {unknown[]}
 */
const perOutput = (given, names, what) => {
  if (Array.isArray(given)) {
    if (given.length === names.length) return [...given];
    throw new OptionError(
      `${what}: got ${given.length} for ${names.length} outputs, give one for each`,
    );
  }
  if (!isRecord(given) || isNamed(given)) return names.map(() => given ?? null);
  const named = ownProperties(given);
  const unknown = Object.keys(named).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new OptionError(`${what}: unknown output '${unknown}'; known: ${names.join(', ')}`);
  }
  return names.map((name) => named[name] ?? null);
};

/**
 * Reads the metrics of each output. A list is for all outputs; a list of lists has one for each.
 * @param {unknown} given
 * @param {readonly string[]} names
 * @param {string} what
 * @returns {Metric[][]}
 */
const readMetrics = (given, names, what) => {
  const isForAll = Array.isArray(given) && !(names.length > 1 && given.length === names.length);
  const list = isForAll ? names.map(() => given) : perOutput(given, names, what);
  return list.map((metrics) =>
    toList(metrics)
      .filter((metric) => metric !== null)
      .map((metric) => readMetric(metric, what)),
  );
};

/** @param {Model} model @param {unknown} options @returns {Plan} */
export const readPlan = (model, options) => {
  const known = ['optimizer', 'loss', 'lossWeights', 'metrics', 'weightedMetrics'];
  const given = readOptions(options, known, 'compile options');
  const names = outputNames(model);
  const metrics = readMetrics(given.metrics, names, 'metrics');
  const weighted = readMetrics(given.weightedMetrics, names, 'weightedMetrics');
  const weights = perOutput(given.lossWeights, names, 'lossWeights');
  const outputs = perOutput(given.loss, names, 'loss').map((loss, i) => ({
    name: names[i],
    loss: loss === null ? null : readLoss(loss, 'loss'),
    weight: weights[i] === null ? 1 : readNumber(weights[i], 'lossWeights'),
    metrics: metrics[i],
    weighted: weighted[i],
  }));
  if (!outputs.some(({ loss }) => loss))
    throw new OptionError("compile needs a loss, such as 'mse'");
  return { optimizer: readOptimizer(model.g, given.optimizer), outputs };
};

/** Returns the names of a model's outputs, which are those of their layers. @param {Model} model */
export const outputNames = (model) => {
  if (model.outputs.length === 0) return ['output'];
  return model.outputs.map(({ node }) => node.layer.name);
};

/** Constrain weights, which exist by then. @param {Model} model @param {Optimizer} optimizer */
export const applyConstraints = (model, optimizer) => {
  for (const layer of model.allLayers) {
    for (const [weight, constraint] of layer.constrained) {
      optimizer.constrain(weight, toOptimizer(constraint));
    }
  }
};

/**
 * Take samples of weight 0 out by selection: whatever their labels and outputs are, NaN included,
 * they change neither the loss nor a gradient. Every loss is finite for what they get.
 * @param {Model['g']} g
 * @param {Tensor} y
 * @param {Tensor} p
 * @param {Tensor} weights
 * @returns {[y: Tensor, p: Tensor]}
 */
const withoutUnweighted = (g, y, p, weights) => {
  const counts = g.notEqual(weights, 0);
  return [g.where(alignTo(g, counts, y), y, 0), g.where(alignTo(g, counts, p), p, 0.5)];
};

/**
 * Compute the loss of a batch and its sums for the metrics. Works while recording and without.
 * @param {Model} model
 * @param {Plan} plan
 * @param {any} x
 * @param {readonly Tensor[]} ys The labels, one tensor for each output.
 * @param {readonly (Tensor | null)[]} weights The sample weights, one tensor for each output.
 * @param {Run} run
 * @returns {BatchResult}
 */
export const evaluateBatch = (model, plan, x, ys, weights, run) => {
  const { g } = model;
  const outputs = toList(model.run(x, run));
  /** @type {Tensor[]} */
  const sums = [];
  /** @type {Tensor | null} */
  let total = null;
  plan.outputs.forEach(({ name, loss, weight, metrics, weighted }, i) => {
    const [y, p, w] = [ys[i], outputs[i], weights[i]];
    if (!loss || !y) return;
    try {
      const mask = run.masks.get(p) ?? null;
      const [labels, found] = w ? withoutUnweighted(g, y, p, w) : [y, p];
      const own = reduceLoss(g, loss.apply(g, labels, found), w, mask);
      if (plan.outputs.length > 1) sums.push(g.reshape(own, [1]));
      const part = weight === 1 ? own : g.mul(weight, own);
      total = total ? g.add(total, part) : part;
      sums.push(...metrics.map((metric) => metric.sums(g, y, p, null, mask)));
      sums.push(...weighted.map((metric) => metric.sums(g, labels, found, w, mask)));
    } catch (error) {
      if (error instanceof GradlockError) {
        error.message = `output '${name}' [${p.shape}], labels [${y.shape}]: ${error.message}`;
      }
      throw error;
    }
  });
  for (const layer of model.allLayers) {
    for (const [weight, regularizer] of layer.regularized) {
      run.penalties.push(penaltyOf(g, regularizer, weight));
    }
  }
  for (const penalty of run.penalties) total = total ? g.add(total, penalty) : penalty;
  if (!total) throw new OptionError(`${model.name}: no output has both a loss and labels`);
  const lengths = sums.map(({ size }) => size);
  return { loss: total, sums: sums.length > 0 ? g.concat(sums) : null, lengths };
};

/** The first free name, or the last with _1… @param {Set<string>} used @param {string[]} names */
const freeName = (used, names) => {
  let found = names.find((name) => !used.has(name));
  for (let i = 1; found === undefined; i++) {
    const next = `${names.at(-1)}_${i}`;
    if (!used.has(next)) found = next;
  }
  used.add(found);
  return found;
};

/**
 * Describes the sums of a batch, in order. An entry without `result` is one output's loss.
 * @param {Plan} plan
 * @returns {{ name: string, result: Metric['result'] | null }[]}
 */
export const entriesOf = (plan) => {
  const isMany = plan.outputs.length > 1;
  /** @type {Set<string>} */
  const used = new Set();
  return plan.outputs.flatMap(({ name: output, loss, metrics, weighted }) => {
    if (!loss) return [];
    const prefix = isMany ? `${output}_` : '';
    const own = isMany ? [{ name: `${output}_loss`, result: null }] : [];
    return [
      ...own,
      ...metrics.map(({ name, result }) => ({ name: freeName(used, [prefix + name]), result })),
      ...weighted.map(({ name, result }) => ({
        name: freeName(used, [prefix + name, `${prefix}weighted_${name}`]),
        result,
      })),
    ];
  });
};

/** @param {Plan | null} plan */
export const expectPlan = (plan) => {
  if (plan) return plan;
  throw new GradlockError('compile the model before you train or evaluate it');
};
