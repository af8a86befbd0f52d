// Metrics under Keras's names: sums that are added up over batches, and results computed from them.
// Source: keras/src/metrics/{accuracy,confusion,regression}_metrics.py of Keras 3.15.
import { ALIASES, alignTo, checked, expectOptions, findLoss, fitLabels } from './losses.js';
import { fold, lookUp } from '../config/names.js';
import { readNamed } from '../config/serial.js';

/** @import { Gradlock } from '../../gradlock.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/**
 * @typedef {object} Metric
 * @property {string} name The name in logs.
 * @property {(g: Gradlock, y: Tensor, p: Tensor, weights: Tensor | null, mask: Tensor | null) =>
 *   Tensor} sums Returns the sums of a batch, of rank 1. Means apply the mask of time steps.
 * @property {(sums: ArrayLike<number>) => number} result Returns the metric from the added sums.
 */
/** @typedef {(g: Gradlock, y: Tensor, p: Tensor) => Tensor} Values */

const EPSILON = 1e-7;

/** @param {ArrayLike<number>} sums */
const quotient = (sums) => (sums[1] === 0 ? 0 : sums[0] / sums[1]);

/** A mean, weighted as in Keras. @param {string} name @param {Values} values @returns {Metric} */
const meanMetric = (name, values) => ({
  name,
  sums: (g, y, p, weights, mask) => {
    const v = values(g, y, p);
    const given = [weights, mask].filter((one) => one !== null);
    if (given.length === 0) return g.concat([g.reshape(g.sum(v), [1]), g.tensor([v.size])]);
    const [first, second = 1] = given.map((one) => g.broadcastTo(alignTo(g, one, v), v.shape));
    const w = g.mul(/** @type {Tensor} */ (first), second);
    return g.stack([g.sum(g.mul(v, w)), g.sum(w)]);
  },
  result: quotient,
});

/** @param {Gradlock} g @param {Tensor} y The labels, of shape [n, 1] or [n]. @param {Tensor} p */
const flatLabels = (g, y, p) =>
  y.rank === p.rank && y.shape.at(-1) === 1 ? g.squeeze(y, [-1]) : y;

/** @type {Values} */
const sparseAccuracy = (g, y, p) => g.equal(flatLabels(g, y, p), g.argMax(p, -1));
/** @type {Values} */
const categoricalAccuracy = (g, y, p) => g.equal(g.argMax(y, -1), g.argMax(p, -1));
/** @type {(threshold: number) => Values} */
const binaryAccuracy = (threshold) => (g, y, p) =>
  g.mean(g.equal(fitLabels(g, y, p), g.greater(p, threshold)), -1);

/** Chooses one of three accuracies by the shapes, as in Keras. @type {Values} */
const accuracy = (g, y, p) => {
  if (p.shape.at(-1) === 1) return binaryAccuracy(0.5)(g, y, p);
  const isSparse = y.rank < p.rank || (y.shape.at(-1) === 1 && Number(p.shape.at(-1)) > 1);
  return isSparse ? sparseAccuracy(g, y, p) : categoricalAccuracy(g, y, p);
};

/** 1 if the right class is among the k best. @type {(k: number, isSparse: boolean) => Values} */
const topK = (k, isSparse) => (g, y, p) => {
  const classes = Number(p.shape.at(-1));
  const label = isSparse ? flatLabels(g, y, p) : g.argMax(y, -1);
  const own = g.sum(g.where(g.equal(g.oneHot(label, classes), 1), p, 0), -1, true);
  return g.lessEqual(g.sum(g.greater(p, own), -1), k - 1);
};

/**
 * Counts true and false positives and negatives at each threshold.
 * @param {Gradlock} g
 * @param {Tensor} y
 * @param {Tensor} p
 * @param {Tensor | null} weights
 * @param {readonly number[]} thresholds
 */
const confusion = (g, y, p, weights, thresholds) => {
  const labels = g.reshape(g.notEqual(fitLabels(g, y, p), 0), [1, -1]);
  const above = g.greater(g.reshape(p, [1, -1]), g.tensor(thresholds.map((t) => [t])));
  const w = weights ? g.reshape(g.broadcastTo(alignTo(g, weights, p), p.shape), [1, -1]) : null;
  /** @param {Tensor} hits */
  const count = (hits) => g.sum(w ? g.mul(hits, w) : hits, -1);
  const [yes, no] = [labels, g.sub(1, labels)];
  const not = g.sub(1, above);
  return {
    tp: count(g.mul(yes, above)),
    fp: count(g.mul(no, above)),
    fn: count(g.mul(yes, not)),
    tn: count(g.mul(no, not)),
  };
};

/**
 * Computes precision or recall: true positives relative to all predicted, or all actual, positives.
 * @param {'fp' | 'fn'} wrong The errors in the denominator: 'fp' for precision, 'fn' for recall.
 * @returns {(name: string, options: any) => Metric}
 */
const rightOf =
  (wrong) =>
  (name, { thresholds }) => ({
    name,
    sums: (g, y, p, w) => {
      const { tp, [wrong]: other } = confusion(g, y, p, w, [thresholds ?? 0.5]);
      return g.concat([tp, g.add(tp, other)]);
    },
    result: quotient,
  });

/** The number of thresholds on AUC's curve, as Keras chooses it. */
const AUC_POINTS = 200;
/** The supported options of AUC, each with its only value. @type {Record<string, unknown[]>} */
const AUC = {
  numThresholds: [AUC_POINTS],
  curve: ['ROC'],
  summationMethod: ['interpolation'],
  multiLabel: [false],
  fromLogits: [false],
};
const AUC_THRESHOLDS = [
  -EPSILON,
  ...Array.from({ length: AUC_POINTS - 2 }, (_, i) => (i + 1) / (AUC_POINTS - 1)),
  1 + EPSILON,
];

/** The area under true over false positives, by trapezoids. @param {ArrayLike<number>} sums */
const areaOf = (sums) => {
  /** @param {number} kind @param {number} i */
  const at = (kind, i) => sums[kind * AUC_POINTS + i];
  /** @param {number} a @param {number} b */
  const share = (a, b) => (a + b === 0 ? 0 : a / (a + b));
  let area = 0;
  let [x, y] = [share(at(1, 0), at(3, 0)), share(at(0, 0), at(2, 0))];
  for (let i = 1; i < AUC_POINTS; i++) {
    const [nextX, nextY] = [share(at(1, i), at(3, i)), share(at(0, i), at(2, i))];
    area += ((x - nextX) * (y + nextY)) / 2;
    [x, y] = [nextX, nextY];
  }
  return area;
};

const squaredError = meanMetric('', (g, y, p) => g.squaredDifference(fitLabels(g, y, p), p));

/** Makers of metrics by name. @type {Record<string, (name: string, options: any) => Metric>} */
const METRICS = {
  accuracy: (name) => meanMetric(name, accuracy),
  acc: (name) => meanMetric(name, accuracy),
  binaryaccuracy: (name, { threshold = 0.5 }) => meanMetric(name, binaryAccuracy(threshold)),
  categoricalaccuracy: (name) => meanMetric(name, categoricalAccuracy),
  sparsecategoricalaccuracy: (name) => meanMetric(name, sparseAccuracy),
  topkcategoricalaccuracy: (name, { k = 5 }) => meanMetric(name, topK(k, false)),
  sparsetopkcategoricalaccuracy: (name, { k = 5 }) => meanMetric(name, topK(k, true)),
  cosinesimilarity: (name, { axis = -1 }) =>
    meanMetric(name, (g, y, p) =>
      g.neg(g.losses.cosineSimilarity(y, p, { reduction: 'none', axis })),
    ),
  precision: rightOf('fp'),
  recall: rightOf('fn'),
  auc: (name, config) => {
    expectOptions(config, AUC, 'AUC');
    return {
      name,
      sums: (g, y, p, w) => {
        const { tp, fp, fn, tn } = confusion(g, y, p, w, AUC_THRESHOLDS);
        return g.concat([tp, fp, fn, tn]);
      },
      result: areaOf,
    };
  },
  // As in Keras, masks have no effect here.
  rootmeansquarederror: (name) => ({
    name,
    sums: (g, y, p, weights) => squaredError.sums(g, y, p, weights, null),
    result: (sums) => Math.sqrt(quotient(sums)),
  }),
};

/**
 * @param {unknown} value A name, a class with options, or a function of labels and predictions.
 * @param {string} what
 * @returns {Metric}
 */
export const readMetric = (value, what) => {
  if (typeof value === 'function') {
    return meanMetric(value.name || 'metric', checked(value, what));
  }
  const { name, config } = readNamed(value, what);
  const label = typeof config.name === 'string' ? config.name : name;
  const make = lookUp(METRICS, fold(name));
  if (make) return make(label, config);
  const { name: _, dtype: __, ...options } = config;
  const loss = findLoss(lookUp(ALIASES, fold(name)) ?? name, options, what);
  return meanMetric(label, loss.apply);
};
