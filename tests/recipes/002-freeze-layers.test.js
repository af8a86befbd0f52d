/* Freeze the first ten layers.
 *
 * Article 002_93df073378376907, its first listing: for layer in model.layers[:10]: layer.trainable
 * = False; compile with Adam and categorical cross-entropy; fit. First with gradlock/layers, as it
 * stands there; then with the variables underneath: twelve dense layers of two, tanh, the last one
 * softmax, as in tests/golden/recipes.py. What really happens:
 * - "compilation *after* setting trainable = False is crucial": before the first fit it is not;
 *   after it, it is, and who forgets gets no error: the layer goes on training.
 * - Freezing a layer takes its weight penalties out of the reported loss, which changes though
 *   nothing moved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { Draws } from '../golden/golden.js';
import {
  articleModel,
  assertTensorFlow,
  golden,
  movedWeights,
  X_TRAIN,
  Y_TRAIN,
} from './recipe.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */
/** @typedef {import('gradlock').Variable} Variable */

const tensorflow = golden('002-freeze-layers');

/**
 * Dense layers, tanh between them, and the loss of a softmax over the last.
 * @param {Gradlock} g
 * @param {number} count
 */
const model = (g, count) => {
  const draws = new Draws(2);
  const layers = Array.from({ length: count }, (_, i) => ({
    kernel: g.variable(draws.array([2, 2]), { shape: [2, 2], name: `dense_layer_${i}/kernel` }),
    bias: g.variable(draws.array([2]), { name: `dense_layer_${i}/bias` }),
  }));
  const predict = () =>
    layers.reduce((/** @type {Tensor} */ x, { kernel, bias }, i) => {
      const z = g.add(g.matMul(x, kernel), bias);
      return i + 1 < count ? g.tanh(z) : g.softmax(z);
    }, g.tensor(X_TRAIN));
  const loss = () => g.losses.categoricalCrossentropy(Y_TRAIN, predict());
  return { layers, loss };
};

/** @param {{ kernel: Variable, bias: Variable }[]} layers */
const weights = (layers) => layers.flatMap(({ kernel, bias }) => [kernel, bias]);

/**
 * @param {(layers: { kernel: Variable, bias: Variable }[]) => Variable[]} freeze Gives what
 *   minimize is handed.
 */
async function fit(freeze) {
  const g = await init();
  const { layers, loss } = model(g, 12);
  const variables = freeze(layers);
  const before = weights(layers.slice(0, 10)).map((v) => v.digest());
  /** @type {number[]} */
  const losses = [];
  g.optimizers.adam().minimize(g.compile(loss), {
    variables,
    steps: 10,
    onStep: ({ loss: value }) => losses.push(value),
  });
  assert.deepEqual(
    weights(layers.slice(0, 10)).map((v) => v.digest()),
    before,
  );
  return { losses, ends: weights(layers.slice(10)).map((v) => v.data()) };
}

test("the listing as it stands gives TensorFlow's numbers", async () => {
  const model = articleModel(await init(), 12);
  for (const layer of model.layers.slice(0, 10)) {
    layer.trainable = false;
  }
  model.compile({ optimizer: 'adam', loss: 'categorical_crossentropy' });
  const before = model.weights.map((w) => w.data());
  const { history } = await model.fit(X_TRAIN, Y_TRAIN, {
    epochs: 10,
    batchSize: 4,
    shuffle: false,
  });
  for (const [i, weight] of model.weights.slice(20).entries()) {
    assertTensorFlow(weight.data(), tensorflow.weights[i], { path: 10 * 0.001 });
  }
  assertTensorFlow(history.loss ?? [], tensorflow.losses, { path: 10 * 0.001 });
  assert.deepEqual(movedWeights(model, before), tensorflow.moved);
});

test('frozen after a fit, without compiling again, a layer is frozen from the next batch on', async () => {
  const model = articleModel(await init(), 3);
  model.compile({ optimizer: 'adam', loss: 'categorical_crossentropy' });
  const fit = () => model.fit(X_TRAIN, Y_TRAIN, { batchSize: 4, shuffle: false });
  await fit();
  const [first] = model.layers;
  first.trainable = false;
  const before = model.weights.map((w) => w.data());
  await fit();
  assert.deepEqual(movedWeights(model, before), weightsOf([1, 2]));
  const { loss } = await model.evaluate(X_TRAIN, Y_TRAIN);
  first.trainable = true;
  assert.equal((await model.evaluate(X_TRAIN, Y_TRAIN)).loss, loss);
});

test("a list of the last layers' variables gives TensorFlow's numbers", async () => {
  const { losses, ends } = await fit((layers) => weights(layers.slice(10)));
  // Ten steps of Adam; tanh, exp and log of both sides are off by a rounding or two more.
  for (const [i, end] of ends.entries()) {
    assertTensorFlow(end, tensorflow.weights[i], { path: 10 * 0.001 });
  }
  assertTensorFlow(losses, tensorflow.losses, { path: 10 * 0.001 });
  assert.deepEqual(tensorflow.moved, weightsOf([10, 11]));
});

test('locking the first layers gives the same bits, and needs no list', async () => {
  const listed = await fit((layers) => weights(layers.slice(10)));
  const locked = await fit((layers) => {
    for (const variable of weights(layers.slice(0, 10))) variable.lock('all');
    return weights(layers);
  });
  assert.deepEqual(locked, listed);
});

test('frozen after a fit but not compiled again, the layer trains on in Keras; a lock acts from the next step', async () => {
  assert.deepEqual(tensorflow.movedIfFrozenAfterCompile, weightsOf([1, 2]));
  assert.deepEqual(tensorflow.movedIfFrozenAfterFit, weightsOf([0, 1, 2]));

  const g = await init();
  const { layers, loss } = model(g, 3);
  const [program, adam] = [g.compile(loss), g.optimizers.adam()];
  adam.minimize(program, { steps: 1 });
  for (const variable of weights(layers.slice(0, 1))) variable.lock('all');
  const before = weights(layers).map((v) => v.digest());
  adam.minimize(program, { steps: 5 });
  const after = weights(layers).map((v) => v.digest());
  assert.deepEqual(
    after.map((digest, i) => digest !== before[i]),
    [false, false, true, true, true, true],
  );
});

test('freezing changes the loss that Keras reports; locking does not change the loss', async () => {
  const g = await init();
  const { layers, loss } = model(g, 3);
  // L2(0.1) of the kernels that Keras counts.
  const penalized = (/** @type {typeof layers} */ counted) => () => {
    const penalties = counted.map(({ kernel }) => g.mul(0.1, g.sum(g.square(kernel))));
    return penalties.reduce((a, b) => g.add(a, b), loss());
  };
  const program = g.compile(penalized(layers));
  const before = program.run().item();
  const ifFrozen = penalized(layers.slice(1))().item();
  assertTensorFlow([before, ifFrozen], tensorflow.penalizedLoss, { roundings: 32 });
  assert.ok(before - ifFrozen > 0.05);

  layers[0].kernel.lock('all');
  assert.equal(program.run().item(), before);
});

/** @param {number[]} layers */
function weightsOf(layers) {
  return layers.flatMap((i) => [`dense_layer_${i}/kernel`, `dense_layer_${i}/bias`]);
}
