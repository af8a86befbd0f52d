/* The two networks that the benchmark trains, in the words of each contestant: 784 inputs, two layers of relu, 10
 * classes, a batch of 32, Adam. */
import { randomValues, settle } from './values.mjs';

export const BATCH = 32;
const INPUTS = 784;
const CLASSES = 10;
export const RATE = 0.001;

/**
 * What all start from: shapes and values of the weights, a batch, and its classes as one-hot rows.
 * @param {number} width of the hidden layers
 */
export function makeNetwork(width) {
  const sizes = [INPUTS, width, width, CLASSES];
  const layers = [0, 1, 2].map((i) => ({
    shape: /** @type {[number, number]} */ ([sizes[i], sizes[i + 1]]),
    weights: randomValues(sizes[i] * sizes[i + 1]).map((w) => w / Math.sqrt(sizes[i])),
  }));
  const x = randomValues(BATCH * INPUTS);
  const y = new Float32Array(BATCH * CLASSES);
  for (let i = 0; i < BATCH; i++) y[i * CLASSES + (i % CLASSES)] = 1;
  return { layers, x, y };
}

/** @typedef {ReturnType<typeof makeNetwork>} Network */

/**
 * Operations of a step's products: forward, weights' gradients, and inputs' gradients of all layers but the first.
 * @param {Network} network
 */
export function operations({ layers }) {
  const products = layers.map(({ weights }) => 2 * BATCH * weights.length);
  return products.reduce((sum, product, i) => sum + product * (i ? 3 : 2), 0);
}

/** @param {Network} network */
export function parameters({ layers }) {
  return layers.reduce((sum, { shape, weights }) => sum + weights.length + shape[1], 0);
}

/**
 * @param {import('gradlock').Gradlock} g
 * @param {Network} network
 */
export function ownNetwork(g, { layers, x, y }) {
  const [input, target] = [g.tensor(x, [BATCH, INPUTS]), g.tensor(y, [BATCH, CLASSES])];
  const weights = layers.map((layer) => g.variable(layer.weights, { shape: layer.shape }));
  const biases = layers.map(({ shape }) => g.variable(new Float32Array(shape[1])));
  const loss = () => {
    let h = input;
    for (const [i, w] of weights.entries()) {
      h = g.add(g.matMul(h, w), biases[i]);
      if (i < 2) h = g.relu(h);
    }
    return g.mean(g.losses.categoricalCrossentropy(target, h, { fromLogits: true }));
  };
  const optimizer = g.optimizers.adam({ learningRate: RATE });
  return { loss, weights, biases, variables: [...weights, ...biases], optimizer };
}

/**
 * @param {import('./peers.mjs').TensorFlow} tf
 * @param {Network} network
 */
export function tensorFlowStep(tf, { layers, x, y }) {
  const [input, target] = [tf.tensor2d(x, [BATCH, INPUTS]), tf.tensor2d(y, [BATCH, CLASSES])];
  const weights = layers.map((layer) => tf.variable(tf.tensor2d(layer.weights, layer.shape)));
  const biases = layers.map(({ shape }) => tf.variable(tf.zeros([shape[1]])));
  const loss = () => {
    let h = input;
    for (const [i, w] of weights.entries()) {
      h = tf.add(tf.matMul(h, w), biases[i]);
      if (i < 2) h = tf.relu(h);
    }
    return /** @type {import('@tensorflow/tfjs-core').Scalar} */ (
      tf.losses.softmaxCrossEntropy(target, h)
    );
  };
  const optimizer = tf.train.adam(RATE);
  return () => optimizer.minimize(loss);
}

/** @typedef {import('@jax-js/jax').Array} Value */

/**
 * @param {import('./peers.mjs').Jax} jax
 * @param {Network} network
 */
export function jaxStep(jax, { layers, x, y }) {
  const { numpy, nn } = jax;
  const input = numpy.array(x).reshape([BATCH, INPUTS]);
  const target = numpy.array(y).reshape([BATCH, CLASSES]);
  const zeros = (/** @type {number[]} */ shape) => numpy.zeros(shape);
  const loss = (/** @type {Value[]} */ p, /** @type {Value} */ a, /** @type {Value} */ b) => {
    let h = a;
    for (let i = 0; i < 3; i++) {
      h = numpy.matmul(h, p[2 * i]).add(p[2 * i + 1]);
      if (i < 2) h = nn.relu(h);
    }
    return nn
      .logSoftmax(h)
      .mul(b)
      .sum()
      .mul(-1 / BATCH);
  };
  const start = layers.flatMap(({ shape, weights }) => [
    numpy.array(weights).reshape(shape),
    zeros([shape[1]]),
  ]);
  return jaxAdam(jax, loss, start, input, target);
}

/**
 * A step of Adam, compiled.
 * @param {import('./peers.mjs').Jax} jax
 * @param {(p: Value[], a: Value, b: Value) => Value} loss
 * @param {Value[]} start
 * @param {Value} input
 * @param {Value} target
 */
export function jaxAdam({ numpy, jit, grad, tree }, loss, start, input, target) {
  const gradient = grad(loss);
  const step = jit(
    (
      /** @type {Value[]} */ p,
      /** @type {Value[]} */ means,
      /** @type {Value[]} */ squares,
      /** @type {Value} */ a,
      /** @type {Value} */ b,
    ) => {
      const d = gradient(tree.ref(p), a, b);
      /** @type {Value[][]} */
      const next = [[], [], []];
      for (let i = 0; i < p.length; i++) {
        const m = means[i].mul(0.9).add(d[i].ref.mul(0.1));
        const v = squares[i].mul(0.999).add(d[i].ref.mul(d[i]).mul(0.001));
        next[0].push(p[i].sub(m.ref.mul(RATE).div(numpy.sqrt(v.ref).add(1e-7))));
        next[1].push(m);
        next[2].push(v);
      }
      return next;
    },
  );
  const zeros = (/** @type {number[]} */ shape) => numpy.zeros(shape);
  const likewise = () => start.map((p) => zeros(p.shape));
  let state = [start, likewise(), likewise()];
  return () => {
    state = step(state[0], state[1], state[2], input.ref, target.ref);
    settle(state[0][0].ref);
  };
}
