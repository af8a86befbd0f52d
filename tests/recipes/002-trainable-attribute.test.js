/* Set `trainable` on a layer's weights.
 *
 * Article 002_93df073378376907, its second listing: weights = dense_layer.kernel; weights.trainable
 * = False; biases.trainable = True; compile; fit. It calls that freezing "specific weights within a
 * layer". What really happens:
 * - In Keras 3 the kernel is a Keras variable and the assignment works; on a tf.Variable it raises
 *   AttributeError, and tf.Variables are what the kernels of Keras 2 were.
 * - It freezes the whole kernel. No attribute freezes some of its weights.
 * - Setting it back to True does nothing until the model is compiled again, and nothing says so.
 * First with gradlock/layers, then with the variables underneath: two dense layers of two, tanh,
 * softmax, squared error. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { Draws } from '../golden/golden.js';
import {
  articleModel,
  assertTensorFlow,
  golden,
  moved,
  movedWeights,
  NOTHING,
  X_TRAIN,
  Y_TRAIN,
} from './recipe.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */

const tensorflow = golden('002-trainable-attribute');
const ALL_BUT_THE_KERNEL = ['dense_layer_0/kernel', 'dense_layer_0/bias', 'dense_layer_1/bias'];

/** @param {Gradlock} g */
const model = (g) => {
  const draws = new Draws(2);
  const dense = (/** @type {number} */ i) => ({
    kernel: g.variable(draws.array([2, 2]), { shape: [2, 2], name: `dense_layer_${i}/kernel` }),
    bias: g.variable(draws.array([2]), { name: `dense_layer_${i}/bias` }),
  });
  const [first, last] = [dense(0), dense(1)];
  const loss = g.compile(() => {
    const hidden = g.tanh(g.add(g.matMul(X_TRAIN, first.kernel), first.bias));
    const predictions = g.softmax(g.add(g.matMul(hidden, last.kernel), last.bias));
    return g.losses.meanSquaredError(Y_TRAIN, predictions);
  });
  return { first, last, loss };
};

test("get_layer('dense_layer_1').kernel and .bias, with compile and fit, give TensorFlow's numbers", async () => {
  const model = articleModel(await init(), 2);
  const denseLayer = /** @type {import('gradlock/layers').Dense} */ (
    model.getLayer('dense_layer_1')
  );
  const { kernel, bias } = denseLayer;
  kernel.lock('all');
  bias.unlock('all');
  model.compile({ optimizer: 'adam', loss: 'mse', metrics: ['mae'] });
  const before = model.weights.map((w) => w.data());
  const fit = (epochs = 1) => model.fit(X_TRAIN, Y_TRAIN, { epochs, batchSize: 4, shuffle: false });
  await fit(10);
  assert.deepEqual(movedWeights(model, before), tensorflow.moved);
  assertTensorFlow(kernel.data(), tensorflow.ends[0]);
  assertTensorFlow(bias.data(), tensorflow.ends[1], { path: 10 * 0.001 });
  kernel.unlock('all');
  const thawed = kernel.data();
  await fit();
  assert.equal(moved(thawed, kernel.data(), [0, 1, 2, 3]).elements, 4, 'noticed at once');
});

test("a locked kernel beside a free bias gives TensorFlow's numbers", async () => {
  const g = await init();
  const { last, loss } = model(g);
  last.kernel.lock('all');
  const before = last.kernel.data();
  g.optimizers.adam().minimize(loss, { steps: 10 });
  assertTensorFlow(last.kernel.data(), tensorflow.ends[0]);
  assertTensorFlow(last.bias.data(), tensorflow.ends[1], { path: 10 * 0.001 });
  assert.deepEqual(moved(before, last.kernel.data(), [0, 1, 2, 3]), NOTHING);
  assert.deepEqual(tensorflow.moved, ALL_BUT_THE_KERNEL);
});

test('the attribute can be set in Keras 3, not on a tf.Variable, and not here', async () => {
  assert.deepEqual(tensorflow.keras, { returns: null, type: 'Variable' });
  assert.equal(tensorflow.tensorflow.raises, 'AttributeError');
  const g = await init();
  const x = /** @type {any} */ (g.variable([1, 2]));
  assert.throws(() => {
    x.trainable = false;
  }, TypeError);
});

test('thawed again, the kernel stays frozen in Keras without a word; unlock acts from the next step', async () => {
  assert.deepEqual(tensorflow.movedAfterThawing, ALL_BUT_THE_KERNEL);
  const g = await init();
  const { last, loss } = model(g);
  const adam = g.optimizers.adam();
  last.kernel.lock('all');
  adam.minimize(loss);
  const before = last.kernel.data();
  last.kernel.unlock('all');
  adam.minimize(loss);
  assert.equal(moved(before, last.kernel.data(), [0, 1, 2, 3]).elements, 4);
});

test('"specific weights within a layer" is one line: a row of the kernel', async () => {
  const g = await init();
  const { last, loss } = model(g);
  last.kernel.lock({ rows: [0] });
  const before = last.kernel.data();
  g.optimizers.adamW().minimize(loss, { steps: 10 });
  assert.deepEqual(moved(before, last.kernel.data(), [0, 1]), NOTHING);
  assert.equal(moved(before, last.kernel.data(), [2, 3]).elements, 2);
});
