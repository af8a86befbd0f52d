/* A small model with random layers, locks and an optimizer; what its training and the layers made next come to; and arguments
 * with which each method of models and formats does what it is for. */
import * as formats from 'gradlock/formats';
import { layers } from 'gradlock/layers';

/** @typedef {any} Any */

const X = [
  [1, 2],
  [3, 4],
  [5, 7],
];
const Y = [0, 1, 1];

/** @param {Any} g */
export const open = (g) => /** @type {Any} */ (layers(g, { seed: 1 }));

/** Names and weights of what is made next. @param {Any} nn */
export const follow = (nn) => {
  const net = nn.sequential([
    nn.dense({ units: 2, inputShape: [2] }),
    nn.dropout({ rate: 0.5 }),
    nn.dense({ units: 2, activation: 'softmax' }),
  ]);
  return net;
};

/** @param {Any} net */
export const trainOn = (net) => {
  for (let i = 0; i < 2; i++) net.trainOnBatch(X, Y);
  const digest = net.weights.map(
    (/** @type {Any} */ w) => `${w.name} ${w.digest()} ${w.locks.toIndices()} ${w.locks.holders}`,
  );
  return digest.join('; ');
};

/** @param {Any} net */
const compile = (net) =>
  net.compile({
    optimizer: 'adam',
    loss: 'sparseCategoricalCrossentropy',
    metrics: ['accuracy'],
  });

/** Names, weights, and a training. @param {Any} nn */
export const digestOfNext = (nn) => {
  const net = follow(nn);
  compile(net);
  const digest = trainOn(net);
  net.optimizer.dispose();
  net.dispose();
  return digest;
};

/** A model that has been trained, and elements of which are locked. @param {Any} nn */
export const trained = (nn) => {
  const net = follow(nn);
  compile(net);
  net.trainOnBatch(X, Y);
  net.layers[0].kernel.lock([[0, 1]]);
  return net;
};

/** Files of a model. @param {Any} g */
export const writeFiles = (g) => {
  const net = trained(open(g));
  return {
    model: formats.saveModel(net),
    weights: formats.saveWeights(net),
    tfjs: formats.saveLayersModel(net),
    json: JSON.stringify(net),
  };
};

/** Arguments with which each method of a model does what it is for. @type {Record<string, (nn: Any, net: Any, files: Any) => unknown[]>} */
export const OF_MODELS = {
  compile: () => [
    { optimizer: 'sgd', loss: 'mse', metrics: ['mae'], lossWeights: [1], weightedMetrics: ['mae'] },
  ],
  fit: () => [
    X,
    Y,
    {
      epochs: 1,
      batchSize: 2,
      validationData: [X, Y],
      classWeight: { 0: 2 },
      callbacks: [],
      signal: undefined,
      onProgress: undefined,
      yieldEvery: 'never',
      stepsPerEpoch: undefined,
      cache: 'auto',
      sampleWeight: undefined,
      shuffle: true,
      audit: true,
    },
  ],
  evaluate: () => [X, Y, { batchSize: 2, sampleWeight: [1, 1, 1] }],
  predict: () => [X, { batchSize: 2 }],
  trainOnBatch: () => [X, Y, { sampleWeight: [1, 1, 1] }],
  testOnBatch: () => [X, Y, { sampleWeight: [1, 1, 1] }],
  pressure: () => [X, Y, { by: 'layer', sortBy: 'relativeNorm' }],
  schedule: () => [[{ atEpoch: 0, lock: 'dense', trainOnly: undefined, rates: { dense: 1 } }]],
  lock: () => ['dense', 'all'],
  unlock: () => ['dense', 'all'],
  trainOnly: () => ['dense'],
  getLayer: () => ['dense'],
  setWeights: (_, net) => [net.getWeights(), { force: true }],
  summary: () => [{ print: null }],
  apply: () => [X, { training: true, mask: undefined }],
  ensureBuilt: () => [[null, 2]],
  add: (nn) => [nn.dense({ units: 1, name: 'given' })],
};

/** Methods of all that formats give, with what they take. @type {Record<string, (nn: Any, net: Any, files: Any) => unknown[]>} */
export const OF_FORMATS = {
  loadModel: (nn, _, files) => [
    nn,
    files.model,
    {
      compile: { metrics: ['accuracy'] },
      partial: false,
      fetch: undefined,
      hdf5: undefined,
      onReport: undefined,
    },
  ],
  loadWeights: (_, net, files) => [
    net,
    files.weights,
    { force: true, partial: true, mapping: undefined, fetch: undefined, hdf5: undefined },
  ],
  saveModel: (_, net) => [net, { optimizer: true, metadata: {} }],
  saveWeights: (_, net) => [net, { metadata: {} }],
  saveLayersModel: (_, net) => [net, {}],
};
