/* Models of all shapes whose pressure is measured, and what the tests of it share. */
import assert from 'node:assert/strict';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { bitsOf, random, randomValues } from './support.js';

/** @typedef {import('gradlock/layers').BatchNormalization} BatchNormalization */
/** @typedef {import('gradlock/layers').Dense} Dense */
/** @typedef {import('gradlock/layers').Embedding} Embedding */

export const make = async () => {
  const g = await init();
  return { g, nn: layers(g, { seed: 1 }) };
};

/** @typedef {Awaited<ReturnType<typeof make>>} Made */
/** @typedef {{ net: any, xs: any, ys: any, sampleWeight?: any }} Case */

/** @param {number} actual @param {number} expected @param {number} most @param {string} what */
export const near = (actual, expected, most, what) =>
  assert.ok(
    Math.abs(actual - expected) <= most * Math.max(1e-6, Math.abs(expected)),
    `${what}: ${actual}, expected ${expected}`,
  );

/** @param {Made['g']} g @param {number[]} shape @param {number} seed */
export const draw = (g, shape, seed) =>
  g.tensor(
    randomValues(
      shape.reduce((a, b) => a * b, 1),
      random(seed),
    ),
    shape,
  );

/** @param {number} count @param {number} classes */
const labels = (count, classes) => Array.from({ length: count }, (_, i) => (3 * i + 1) % classes);

/** Models of all shapes, compiled, with rows. @type {Record<string, (made: Made) => Case>} */
export const CASES = {
  'convolutions and batch normalisation': ({ g, nn }) => {
    const net = nn.sequential([
      nn.conv2d({ filters: 3, kernelSize: 2, activation: 'tanh', inputShape: [4, 4, 2] }),
      nn.batchNormalization({ name: 'norm' }),
      nn.depthwiseConv2d({ kernelSize: 2, depthMultiplier: 2, activation: 'sigmoid' }),
      nn.flatten(),
      nn.dense({ units: 3, activation: 'softmax', kernelRegularizer: 'l2', name: 'head' }),
    ]);
    net.compile({ optimizer: 'sgd', loss: 'sparseCategoricalCrossentropy' });
    const norm = net.getLayer('norm');
    /** @type {BatchNormalization} */ (norm).movingMean.assign([0.1, -0.2, 0.3]);
    /** @type {BatchNormalization} */ (norm).gamma.lock([1]);
    net.layers[0].trainable = false;
    /** @type {Dense} */ (net.getLayer('head')).kernel.lock({ cols: [1] });
    return { net, xs: draw(g, [10, 4, 4, 2], 2), ys: labels(10, 3) };
  },
  'two outputs of different weight, weights of samples': ({ g, nn }) => {
    const x = nn.input({ shape: [4] });
    const hidden = nn.dense({ units: 5, activation: 'tanh', name: 'hidden' }).apply(x);
    const net = nn.model({
      inputs: x,
      outputs: [
        nn.dense({ units: 3, activation: 'softmax', name: 'class' }).apply(hidden),
        nn.dense({ units: 1, activation: 'tanh', name: 'size' }).apply(hidden),
      ],
    });
    net.compile({
      optimizer: 'sgd',
      loss: { class: 'sparseCategoricalCrossentropy', size: 'meanSquaredError' },
      lossWeights: { class: 1, size: 0.3 },
    });
    net.lock('hidden');
    net.lock('class/kernel', (_, i) => i % 2 === 0);
    const ys = { class: labels(9, 3), size: draw(g, [9, 1], 4) };
    const sampleWeight = [1, 2, 0.5, 1, 1, 3, 1, 0, 1];
    return { net, xs: draw(g, [9, 4], 3), ys, sampleWeight };
  },
  'a layer that is applied twice': ({ g, nn }) => {
    const x = nn.input({ shape: [4] });
    const shared = nn.dense({ units: 4, activation: 'tanh', name: 'shared' });
    const net = nn.model({
      inputs: x,
      outputs: nn.dense({ units: 1, name: 'head' }).apply(shared.apply(shared.apply(x))),
    });
    net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    shared.trainable = false;
    return { net, xs: draw(g, [7, 4], 5), ys: draw(g, [7, 1], 6) };
  },
  'an embedding and what reads it in turns': ({ g, nn }) => {
    const net = nn.sequential([
      nn.embedding({ inputDim: 6, outputDim: 3, batchInputShape: [null, 4], name: 'words' }),
      nn.bidirectional({ layer: nn.gru({ units: 2 }) }),
      nn.dense({ units: 1, name: 'head' }),
    ]);
    net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    /** @type {Embedding} */ (net.getLayer('words')).embeddings.assign(randomValues(18, random(7)));
    /** @type {Embedding} */ (net.getLayer('words')).embeddings.lock({ rows: [1, 2] });
    const words = Array.from({ length: 8 }, (_, i) => [0, 1, 2, 3].map((k) => (i * 3 + k) % 5));
    return { net, xs: words, ys: draw(g, [8, 1], 8) };
  },
  'a model inside of a model': ({ g, nn }) => {
    const base = nn.sequential({
      name: 'base',
      layers: [
        nn.dense({ units: 4, activation: 'tanh', inputShape: [3], name: 'low' }),
        nn.dense({ units: 4, activation: 'sigmoid', name: 'high' }),
      ],
    });
    const net = nn.sequential([base, nn.dense({ units: 1, name: 'head' })]);
    net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    base.trainable = false;
    return { net, xs: draw(g, [6, 3], 9), ys: draw(g, [6, 1], 10) };
  },
};

/**
 * @param {Case} found
 * @param {import('gradlock/layers').PressureOptions} [options]
 * @returns {Promise<import('gradlock/layers').Pressure>}
 */
export const measure = ({ net, xs, ys, sampleWeight }, options = {}) =>
  net.pressure(xs, ys, { batchSize: 4, sampleWeight, learningRate: 0.1, ...options });

/** @param {Case} found @returns {Promise<number>} */
export const lossOf = async ({ net, xs, ys, sampleWeight }) =>
  (await net.evaluate(xs, ys, { sampleWeight })).loss;

/** Weights that a row is about. @param {any} net @param {any} row */
export const weightsOf = (net, row) =>
  row.weight
    ? net.weights.filter((/** @type {any} */ w) => w.name === row.weight)
    : net.allLayers
        .find((/** @type {any} */ layer) => layer.name === row.layer)
        .weights.filter((/** @type {any} */ w) => w.trainable);

/**
 * Write weights moved along vectors, through all locks, and put them back.
 * @template T
 * @param {any[]} weights
 * @param {ArrayLike<number>[]} along
 * @param {number} by
 * @param {() => Promise<T>} use
 */
export const moved = async (weights, along, by, use) => {
  const before = weights.map((w) => w.data());
  weights.forEach((w, i) => {
    const values = before[i].map(
      (/** @type {number} */ v, /** @type {number} */ k) => v + by * along[i][k],
    );
    w.assign(values, { force: true });
  });
  try {
    return await use();
  } finally {
    weights.forEach((w, i) => void w.assign(before[i], { force: true }));
  }
};

/** Everything of a model that pressure might move, as text. @param {any} net */
export const everything = (net) =>
  JSON.stringify([
    net.weights.map((/** @type {any} */ w) => [...bitsOf(w.data())]),
    net.weights.map((/** @type {any} */ w) => [w.locks.holders, [...w.locks.toMask()]]),
    net.weights.map((/** @type {any} */ w) => [w.version, w.locks.version]),
    net.allLayers.map((/** @type {any} */ layer) => layer.trainable),
    net.optimizer.iterations,
  ]);

/** What a case's model was compiled with. @param {Case} found */
export const compiled = ({ net }) => ({
  loss: net.plan.outputs.map((/** @type {any} */ { loss }) => loss.name),
  lossWeights: net.plan.outputs.map((/** @type {any} */ { weight }) => weight),
});

/** @param {Made} made @param {string} name @returns {Case} */
export const caseOf = (made, name) => {
  const build = CASES[name];
  assert.ok(build, name);
  return build(made);
};
