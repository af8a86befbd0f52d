/* `fit` of gradlock/layers: an epoch of batches beside the same model written by hand (the same data in the same order, by
 * the same optimizer, in a compiled program that gathers its own batches), and beside TensorFlow.js's `fit`. */
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { measureAsync } from '../harness.mjs';
import { cnn, mlp, transfer, TRANSFER_FEATURES } from '../models.mjs';
import { loadTensorFlow } from '../peers.mjs';
import { randomValues } from '../values.mjs';

/** How much longer `fit` may take than what is written by hand. */
const OVERHEAD = 0.03;
const RATE = 0.001;

/** @param {readonly number[]} shape */
const sizeOf = (shape) => shape.reduce((size, n) => size * n, 1);

/**
 * @typedef {object} Task
 * @property {string} what
 * @property {import('../models.mjs').ModelOfRow} model
 * @property {number} batchSize
 * @property {number} batches of an epoch
 * @property {number} [frozen] How many layers are.
 * @property {boolean} isTrainable whether TensorFlow.js can train it on WebAssembly, where filters have no gradient
 * @property {number} rounds
 */

/** @type {Task[]} */
const TASKS = [
  { what: '784-128-128-10', model: mlp, batchSize: 32, batches: 64, isTrainable: true, rounds: 15 },
  {
    what: '8c3-p2-16c3-p2-64-10',
    model: cnn,
    batchSize: 32,
    batches: 32,
    isTrainable: false,
    rounds: 15,
  },
  {
    what: 'mnist-transfer-cnn, all free',
    model: transfer,
    batchSize: 128,
    batches: 4,
    isTrainable: false,
    rounds: 9,
  },
  {
    what: 'mnist-transfer-cnn, features frozen',
    model: transfer,
    batchSize: 128,
    batches: 4,
    frozen: TRANSFER_FEATURES,
    isTrainable: true,
    rounds: 9,
  },
];

/** What a task is trained on. @param {Task} task */
const dataOf = ({ model: { shape, classes }, batchSize, batches }) => {
  const count = batchSize * batches;
  const x = randomValues(count * sizeOf(shape));
  const y = new Float32Array(count * classes);
  for (let i = 0; i < count; i++) y[i * classes + (i % classes)] = 1;
  return { count, x, y };
};

/**
 * Epochs as a user would write them: the program is recorded once.
 * @param {import('gradlock').Gradlock} g
 * @param {Task} task
 * @param {import('gradlock').Variable[]} weights
 * @param {import('gradlock').Tensor} x
 * @param {import('gradlock').Tensor} y
 */
const trainByHand = (g, { model, batchSize, batches }, weights, x, y) => {
  const order = g.variable(new Float32Array(batchSize * batches), { trainable: false });
  const start = g.variable(0, { trainable: false });
  const range = Float32Array.from({ length: batchSize }, (_, i) => i);
  const seeds = g.random(1);
  const program = g.compile(() => {
    const rows = g.gather(order, g.add(start, range));
    const logits = model.byHand(g, weights, g.gather(x, rows));
    const options = /** @type {const} */ ({ fromLogits: true, reduction: 'none' });
    return g.mean(g.losses.categoricalCrossentropy(g.gather(y, rows), logits, options));
  });
  const adam = g.optimizers.adam({ learningRate: RATE });
  return {
    shuffle: () => g.tidy(() => void order.assign(g.randomPermutation(order.size, seeds))),
    keepOrder: () => void order.assign(Float32Array.from({ length: order.size }, (_, i) => i)),
    epoch() {
      let sum = 0;
      for (let batch = 0; batch < batches; batch++) {
        start.assign(batch * batchSize);
        sum += adam.minimize(program, { variables: weights, steps: 1 });
      }
      return sum / batches;
    },
  };
};

/** @param {Task} task @param {ReturnType<typeof dataOf>} data */
const openOwn = async (task, data) => {
  const g = await init();
  const { model, batchSize, frozen = 0 } = task;
  const nn = layers(g, { seed: 1 });
  const net = nn.sequential(model.layers(nn));
  for (const layer of net.layers.slice(0, frozen)) layer.trainable = false;
  net.compile({
    optimizer: g.optimizers.adam({ learningRate: RATE }),
    loss: 'categoricalCrossentropy',
  });
  const x = g.tensor(data.x, [data.count, ...model.shape]);
  const y = g.tensor(data.y, [data.count, model.classes]);
  const weights = net.weights.map((weight) => {
    const copy = g.variable(weight);
    if (weight.locks.count > 0) copy.lock('all');
    return copy;
  });
  const hand = trainByHand(g, task, weights, x, y);
  const fit = (
    /** @type {number} */ epochs,
    shuffle = true,
    cache = /** @type {false | 'auto'} */ (false),
  ) => net.fit(x, y, { batchSize, epochs, shuffle, cache });
  // Overhead is only that of the same work: in the same order both end on the same bits.
  await fit(1, false);
  hand.keepOrder();
  hand.epoch();
  net.weights.forEach((weight, i) => {
    if (weight.digest() !== weights[i].digest())
      throw new Error(`${task.what}: ${weight.name} differs from what is written by hand`);
  });
  return { g, fit, hand };
};

/** @param {Task} task @param {ReturnType<typeof dataOf>} data */
const openTensorFlow = async ({ model, batchSize, frozen = 0 }, data) => {
  const tf = await loadTensorFlow();
  const net = tf.sequential({ layers: model.layers(tf.layers) });
  for (const layer of net.layers.slice(0, frozen)) layer.trainable = false;
  net.compile({ optimizer: tf.train.adam(RATE), loss: 'categoricalCrossentropy' });
  const x = tf.tensor(data.x, [data.count, ...model.shape]);
  const y = tf.tensor(data.y, [data.count, model.classes]);
  return {
    fit: (/** @type {number} */ epochs) => net.fit(x, y, { batchSize, epochs, verbose: 0 }),
    dispose: () => {
      net.dispose();
      tf.dispose([x, y]);
    },
  };
};

/** A sample, so that of small models it is a fit of several epochs: a fit records its program anew. */
const SECONDS = 0.2;

/** @param {Task} task @returns {Promise<import('../harness.mjs').Result>} */
async function measureTask(task) {
  const data = dataOf(task);
  const { g, fit, hand } = await openOwn(task, data);
  const tf = task.isTrainable ? await openTensorFlow(task, data) : null;
  const seconds = await measureAsync(
    {
      gradlock: async (epochs) => void (await fit(epochs)),
      'by hand': async (epochs) => {
        for (let i = 0; i < epochs; i++) {
          hand.shuffle();
          hand.epoch();
        }
      },
      ...(tf && { 'TF.js wasm': async (epochs) => void (await tf.fit(epochs)) }),
    },
    { rounds: task.rounds, seconds: SECONDS, patience: 2 },
  );
  tf?.dispose();
  g.dispose();
  const overhead = seconds.gradlock / seconds['by hand'] - 1;
  return {
    what: `${task.what}, ${task.batches} batches of ${task.batchSize}`,
    unit: 'ms',
    values: Object.fromEntries(Object.entries(seconds).map(([who, took]) => [who, took * 1e3])),
    ratios: tf ? { 'TF.js wasm': seconds['TF.js wasm'] / seconds.gradlock } : {},
    expected: `≤ ${100 * OVERHEAD} % over by hand: ${(100 * overhead).toFixed(1)} %`,
    met: overhead <= OVERHEAD,
  };
}

/** Epochs of a fit that computes what is frozen once: the first of them fills the cache. */
const CACHED_EPOCHS = 50;
/** How many times faster than TensorFlow.js's, which computes it in each. */
const CACHED_GOAL = 20;

/** The frozen features, computed once. @returns {Promise<import('../harness.mjs').Result>} */
async function measureCached() {
  const task = /** @type {Task} */ (TASKS.find(({ frozen }) => frozen));
  const data = dataOf(task);
  const { g, fit } = await openOwn(task, data);
  const tf = await openTensorFlow(task, data);
  const seconds = await measureAsync(
    {
      gradlock: async (repeats) => void (await fit(CACHED_EPOCHS * repeats, true, 'auto')),
      'computed anew': async (epochs) => void (await fit(epochs)),
      'TF.js wasm': async (epochs) => void (await tf.fit(epochs)),
    },
    { rounds: task.rounds, seconds: SECONDS, patience: 2 },
  );
  tf.dispose();
  g.dispose();
  seconds.gradlock /= CACHED_EPOCHS;
  const ratio = seconds['TF.js wasm'] / seconds.gradlock;
  return {
    what: `${task.what} and computed once, an epoch of ${CACHED_EPOCHS}`,
    unit: 'ms',
    values: Object.fromEntries(Object.entries(seconds).map(([who, took]) => [who, took * 1e3])),
    ratios: {
      'computed anew': seconds['computed anew'] / seconds.gradlock,
      'TF.js wasm': ratio,
    },
    expected: `≥ ${CACHED_GOAL}× TF.js`,
    met: ratio >= CACHED_GOAL,
  };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'An epoch of fit, Adam, categorical cross-entropy',
  async run() {
    const results = [];
    for (const task of TASKS) results.push(await measureTask(task));
    results.push(await measureCached());
    return results;
  },
};
