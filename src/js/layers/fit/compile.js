// What `compile` settles: the optimizer, and per output a loss, its weight and metrics.
import { isRecord, ownProperties, readNumber, readOptions } from '../../base/check.js';
import { GradlockError, OptionError } from '../../base/errors.js';
import { toOptimizer } from '../config/constraints.js';
import { isNamed, readLoss, reduceLoss } from './losses.js';
import { readMetric } from './metrics.js';
import { readOptimizer } from './optimizers.js';
import { penaltyOf } from '../config/regularizers.js';
import { toList } from '../layer/symbolic.js';

/** @typedef {import('../layer/layer.js').Run} Run */
/** @typedef {import('./losses.js').NamedLoss} NamedLoss */
/** @typedef {import('./metrics.js').Metric} Metric */
/** @typedef {import('../model/model.js').Model} Model */
/** @typedef {import('../../optim/optimizer.js').Optimizer} Optimizer */
/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/**
 * For all outputs, as a list, or by the outputs' names.
 * @template T
 * @typedef {T | readonly T[] | { readonly [output: string]: T }} PerOutput
 */
/** @typedef {import('../config/serial.js').NamedConfig} NamedConfig */
/**
 * A loss by its name, with a configuration, or as a function of labels and predictions.
 * @typedef {string | NamedConfig | ((yTrue: Tensor, yPred: Tensor) => Tensor) | null} LayerLoss
 */
/**
 * A metric, likewise.
 * @typedef {string | NamedConfig | ((yTrue: Tensor, yPred: Tensor) => Tensor)} LayerMetric
 */
/**
 * Metrics for all outputs, or for each.
 * @typedef {PerOutput<LayerMetric | null> | readonly (readonly LayerMetric[])[]} LayerMetrics
 */
/**
 * @typedef {object} CompileOptions What `compile` takes.
 * @property {string | NamedConfig | Optimizer} optimizer A name, with Keras's defaults: 'adam' has
 *   a learning rate of 0.001; or what g.optimizers gives.
 * @property {PerOutput<LayerLoss>} loss One for all outputs, or one an output.
 * @property {PerOutput<number>} [lossWeights] Default: 1.
 * @property {LayerMetrics} [metrics] What else is told of batches and epochs; nothing is trained by
 *   it.
 * @property {LayerMetrics} [weightedMetrics] Metrics that take weights of samples.
 */
/**
 * @typedef {object} OutputPlan
 * @property {string} name
 * @property {NamedLoss | null} loss
 * @property {number} weight
 * @property {Metric[]} metrics
 * @property {Metric[]} weighted Metrics that take weights of samples.
 */
/**
 * @typedef {object} Plan
 * @property {Optimizer} optimizer
 * @property {OutputPlan[]} outputs
 */
/**
 * @typedef {object} BatchResult
 * @property {Tensor} loss A scalar.
 * @property {Tensor | null} sums What metrics add up, one after the other.
 * @property {number[]} lengths Of each.
 */

/**
 * What is given per output: for all, as a list, or by the outputs' names.
 * @param {unknown} given
 * @param {readonly string[]} names
 * @param {string} what
 * @returns {unknown[]}
 */
const perOutput = (given, names, what) => {
  if (Array.isArray(given)) {
    if (given.length === names.length) return [...given];
    throw new OptionError(`${what}: ${given.length} were given for ${names.length} outputs`);
  }
  if (!isRecord(given) || isNamed(given)) return names.map(() => given ?? null);
  const named = ownProperties(given);
  const unknown = Object.keys(named).find((key) => !names.includes(key));
  if (unknown !== undefined) {
    throw new OptionError(
      `${what}: there is no output '${unknown}', there are ${names.join(', ')}`,
    );
  }
  return names.map((name) => named[name] ?? null);
};

/**
 * Metrics per output: a list is for every output unless it is a list of lists, as long as the
 * outputs.
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

/**
 * @param {Model} model
 * @param {unknown} options
 * @returns {Plan}
 */
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
  if (!outputs.some(({ loss }) => loss)) throw new OptionError('compile needs a loss');
  return { optimizer: readOptimizer(model.g, given.optimizer), outputs };
};

/**
 * Names of a model's outputs: of the layers that they come from.
 * @param {Model} model
 */
export const outputNames = (model) => {
  if (model.outputs.length === 0) return ['output'];
  return model.outputs.map(({ node }) => node.layer.name);
};

/**
 * Let the optimizer keep weights to the constraints of their layers; called wherever a program for
 * training is recorded, by which time there are weights.
 * @param {Model} model
 * @param {Optimizer} optimizer
 */
export const applyConstraints = (model, optimizer) => {
  for (const layer of model.allLayers) {
    for (const [weight, constraint] of layer.constrained) {
      optimizer.constrain(weight, toOptimizer(constraint));
    }
  }
};

/**
 * The loss of a batch, and what metrics add up of it. To be called while recording, or not.
 * @param {Model} model
 * @param {Plan} plan
 * @param {any} x
 * @param {readonly Tensor[]} ys One an output.
 * @param {readonly (Tensor | null)[]} weights Of samples, one an output.
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
      const own = reduceLoss(g, loss.apply(g, y, p), w, mask);
      if (plan.outputs.length > 1) sums.push(g.reshape(own, [1]));
      const part = weight === 1 ? own : g.mul(weight, own);
      total = total ? g.add(total, part) : part;
      sums.push(...metrics.map((metric) => metric.sums(g, y, p, null, mask)));
      sums.push(...weighted.map((metric) => metric.sums(g, y, p, w, mask)));
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
  if (!total) throw new OptionError(`${model.name}: there are no labels for a loss`);
  const lengths = sums.map(({ size }) => size);
  return { loss: total, sums: sums.length > 0 ? g.concat(sums) : null, lengths };
};

/**
 * The first name that is not taken, or the last with a number, as Keras calls metrics of one name.
 * @param {Set<string>} taken
 * @param {string[]} names
 */
const freeName = (taken, names) => {
  let found = names.find((name) => !taken.has(name));
  for (let i = 1; found === undefined; i++) {
    const next = `${names.at(-1)}_${i}`;
    if (!taken.has(next)) found = next;
  }
  taken.add(found);
  return found;
};

/**
 * What the sums of a batch are, in order. Without a result: the loss of one of several outputs.
 * @param {Plan} plan
 * @returns {{ name: string, result: Metric['result'] | null }[]}
 */
export const entriesOf = (plan) => {
  const isMany = plan.outputs.length > 1;
  /** @type {Set<string>} */
  const taken = new Set();
  return plan.outputs.flatMap(({ name: output, loss, metrics, weighted }) => {
    if (!loss) return [];
    const prefix = isMany ? `${output}_` : '';
    const own = isMany ? [{ name: `${output}_loss`, result: null }] : [];
    return [
      ...own,
      ...metrics.map(({ name, result }) => ({ name: freeName(taken, [prefix + name]), result })),
      ...weighted.map(({ name, result }) => ({
        name: freeName(taken, [prefix + name, `${prefix}weighted_${name}`]),
        result,
      })),
    ];
  });
};

/**
 * @param {Plan | null} plan
 * @returns {Plan}
 */
export const expectPlan = (plan) => {
  if (plan) return plan;
  throw new GradlockError('compile the model before it is trained or evaluated');
};
