/* The convolutional network that the benchmark trains, in the words of each contestant: images of 28 × 28, 8 filters of
 * 3 × 3, the largest of 2 × 2, 16 filters, the largest, 64 hidden, 10 classes; a batch of 32, Adam. */
import { BATCH, jaxAdam, RATE } from './networks.mjs';
import { randomValues } from './values.mjs';

const CLASSES = 10;
const SIZE = 28;
/** Shapes of the weights: two layers of filters, two dense ones. */
const SHAPES = [
  [3, 3, 1, 8],
  [3, 3, 8, 16],
  [5 * 5 * 16, 64],
  [64, CLASSES],
];
/** How often each is applied to an example: windows of the filters. */
const POSITIONS = [26 * 26, 11 * 11, 1, 1];

/** @param {readonly number[]} shape */
const sizeOf = (shape) => shape.reduce((size, n) => size * n, 1);

/** What all start from: values of the weights, a batch, and its classes as one-hot rows. */
export function makeCnn() {
  const layers = SHAPES.map((shape) => {
    const fanIn = sizeOf(shape.slice(0, -1));
    const weights = randomValues(sizeOf(shape)).map((w) => (2 * w) / Math.sqrt(fanIn));
    return { shape, weights, outputs: shape[shape.length - 1] };
  });
  const x = randomValues(BATCH * SIZE * SIZE);
  const y = new Float32Array(BATCH * CLASSES);
  for (let i = 0; i < BATCH; i++) y[i * CLASSES + (i % CLASSES)] = 1;
  return { layers, x, y };
}

/** @typedef {ReturnType<typeof makeCnn>} Cnn */

/** Operations of a step's products: forward, weights' gradients, and inputs' gradients of all layers but the first. */
export const OPERATIONS = SHAPES.map((shape, i) => 2 * BATCH * POSITIONS[i] * sizeOf(shape)).reduce(
  (sum, product, i) => sum + product * (i ? 3 : 2),
  0,
);

export const PARAMETERS = SHAPES.reduce(
  (sum, shape) => sum + sizeOf(shape) + shape[shape.length - 1],
  0,
);

/**
 * @param {import('gradlock').Gradlock} g
 * @param {Cnn} network
 */
export function ownCnn(g, { layers, x, y }) {
  const [input, target] = [g.tensor(x, [BATCH, SIZE, SIZE, 1]), g.tensor(y, [BATCH, CLASSES])];
  const weights = layers.map((layer) => g.variable(layer.weights, { shape: layer.shape }));
  const biases = layers.map(({ outputs }) => g.variable(new Float32Array(outputs)));
  const loss = () => {
    let h = input;
    for (let i = 0; i < 2; i++) {
      h = g.maxPool(g.relu(g.add(g.conv2d(h, weights[i]), biases[i])), 2);
    }
    h = g.reshape(h, [BATCH, -1]);
    h = g.relu(g.add(g.matMul(h, weights[2]), biases[2]));
    h = g.add(g.matMul(h, weights[3]), biases[3]);
    return g.mean(g.losses.categoricalCrossentropy(target, h, { fromLogits: true }));
  };
  const optimizer = g.optimizers.adam({ learningRate: RATE });
  return { loss, variables: [...weights, ...biases], optimizer };
}

/**
 * @param {import('./peers.mjs').TensorFlow} tf
 * @param {Cnn} network
 */
export function tensorFlowCnnStep(tf, { layers, x, y }) {
  const input = tf.tensor4d(x, [BATCH, SIZE, SIZE, 1]);
  const target = tf.tensor2d(y, [BATCH, CLASSES]);
  const variable = (/** @type {number} */ i) =>
    tf.variable(tf.tensor(layers[i].weights, layers[i].shape));
  const filters = [0, 1].map(
    (i) => /** @type {import('@tensorflow/tfjs-core').Tensor4D} */ (variable(i)),
  );
  const matrices = [2, 3].map(variable);
  const biases = layers.map(({ outputs }) => tf.variable(tf.zeros([outputs])));
  const loss = () => {
    let h = input;
    for (const [i, filter] of filters.entries()) {
      h = tf.maxPool(tf.relu(tf.add(tf.conv2d(h, filter, 1, 'valid'), biases[i])), 2, 2, 'valid');
    }
    const flat = tf.reshape(h, [BATCH, -1]);
    const hidden = tf.relu(tf.add(tf.matMul(flat, matrices[0]), biases[2]));
    const logits = tf.add(tf.matMul(hidden, matrices[1]), biases[3]);
    return /** @type {import('@tensorflow/tfjs-core').Scalar} */ (
      tf.losses.softmaxCrossEntropy(target, logits)
    );
  };
  const optimizer = tf.train.adam(RATE);
  return () => optimizer.minimize(loss);
}

/**
 * Channels come first there, in images and filters.
 * @param {import('./peers.mjs').Jax} jax
 * @param {Cnn} network
 */
export function jaxCnnStep(jax, { layers, x, y }) {
  const { numpy, nn, lax } = jax;
  /** @typedef {import('@jax-js/jax').Array} Value */
  const input = numpy.array(x).reshape([BATCH, 1, SIZE, SIZE]);
  const target = numpy.array(y).reshape([BATCH, CLASSES]);
  const start = layers.flatMap(({ shape, weights, outputs }) => {
    const w = numpy.array(weights).reshape([...shape]);
    const isFilter = shape.length === 4;
    return [
      isFilter ? numpy.transpose(w, [3, 2, 0, 1]) : w,
      numpy.zeros(isFilter ? [outputs, 1, 1] : [outputs]),
    ];
  });
  const loss = (/** @type {Value[]} */ p, /** @type {Value} */ a, /** @type {Value} */ b) => {
    let h = a;
    for (let i = 0; i < 2; i++) {
      h = nn.relu(lax.conv(h, p[2 * i], [1, 1], 'VALID').add(p[2 * i + 1]));
      h = lax.reduceWindow(h, (/** @type {Value} */ w) => numpy.max(w), [2, 2], [2, 2]);
    }
    h = h.reshape([BATCH, -1]);
    h = nn.relu(numpy.matmul(h, p[4]).add(p[5]));
    h = numpy.matmul(h, p[6]).add(p[7]);
    return nn
      .logSoftmax(h)
      .mul(b)
      .sum()
      .mul(-1 / BATCH);
  };
  return jaxAdam(jax, loss, start, input, target);
}
