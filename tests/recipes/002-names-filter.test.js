/* Leave variables out by their names.
 *
 * Article 002_93df073378376907, its third listing: trainable_variables = [var for var in
 * model.trainable_variables if var.name not in ['dense_layer_1/kernel:0', 'conv_layer_2/bias:0']],
 * tape.gradient for these, apply_gradients. What really happens in Keras 3: the names are 'kernel'
 * and 'bias', three of each here. The filter matches none, all variables train, and nothing says
 * so: "Careful attention to variable naming is essential". By var.path, or by identity as in
 * tests/golden/recipes.py, it works, for whole variables. First with gradlock/layers, then with the
 * variables underneath, three dense layers of two. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, init } from 'gradlock';
import { Draws } from '../golden/golden.js';
import {
  articleModel,
  assertTensorFlow,
  golden,
  moved,
  NOTHING,
  X_TRAIN,
  Y_TRAIN,
  zip,
} from './recipe.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */
/** @typedef {import('gradlock').Variable} Variable */

const tensorflow = golden('002-names-filter');
const FROZEN = ['dense_layer_1/kernel', 'conv_layer_2/bias'];

/** @param {Gradlock} g */
const model = (g) => {
  const draws = new Draws(2);
  const variables = ['dense_layer_1', 'conv_layer_2', 'dense_layer_3'].flatMap((layer) => [
    g.variable(draws.array([2, 2]), { shape: [2, 2], name: `${layer}/kernel` }),
    g.variable(draws.array([2]), { name: `${layer}/bias` }),
  ]);
  const lossFunction = () => {
    /** @type {Tensor} */
    let x = g.tensor(X_TRAIN);
    for (let i = 0; i < variables.length; i += 2) {
      const z = g.add(g.matMul(x, variables[i]), variables[i + 1]);
      x = i < 4 ? g.tanh(z) : g.softmax(z);
    }
    return g.mean(g.square(g.sub(x, Y_TRAIN)));
  };
  return { variables, lossFunction };
};

test("the listing, with a model and a tape, gives TensorFlow's numbers; trainOnly names the same", async () => {
  const g = await init();
  const names = ['dense_layer_1', 'conv_layer_2', 'dense_layer_3'];
  const model = articleModel(g, 3, names);
  const optimizer = g.optimizers.adam();
  for (let epoch = 0; epoch < 10; epoch++) {
    const tape = g.tape(() => g.mean(g.square(g.sub(model.apply(g.tensor(X_TRAIN)), Y_TRAIN))));
    const trainable = model.trainableWeights.filter((v) => !FROZEN.includes(v.name));
    optimizer.applyGradients(zip(tape.gradient(tape.value, trainable), trainable));
  }
  for (const [i, weight] of model.weights.entries()) {
    const isFrozen = FROZEN.includes(weight.name);
    assertTensorFlow(weight.data(), tensorflow.weights[i], isFrozen ? {} : { path: 0.01 });
  }
  const other = articleModel(g, 3, names);
  const free = other.trainOnly((w) => !FROZEN.includes(w.name));
  assert.deepEqual(free.length, 4);
  const loss = g.compile(() => g.mean(g.square(g.sub(other.apply(g.tensor(X_TRAIN)), Y_TRAIN))));
  g.optimizers.adam().minimize(loss, { steps: 10 });
  assert.deepEqual(
    other.weights.map((w) => w.digest()),
    model.weights.map((w) => w.digest()),
  );
  assert.throws(() => other.trainOnly('dense_layer_9'), GradlockError, 'a name that nothing has');
});

test("the article's loop over the variables that are left gives TensorFlow's numbers", async () => {
  const g = await init();
  const { variables, lossFunction } = model(g);
  const optimizer = g.optimizers.adam();
  let loss = Number.NaN;
  for (let epoch = 0; epoch < 10; epoch++) {
    const trainable = variables.filter((v) => !FROZEN.includes(v.name));
    const tape = g.tape(lossFunction);
    loss = tape.value.item();
    const gradients = tape.gradient(tape.value, trainable);
    optimizer.applyGradients(zip(gradients, trainable));
  }
  assertTensorFlow([loss], tensorflow.loss, { path: 10 * 0.001 });
  for (const [i, variable] of variables.entries()) {
    const isFrozen = FROZEN.includes(variable.name);
    assertTensorFlow(variable.data(), tensorflow.weights[i], isFrozen ? {} : { path: 0.01 });
  }
});

test('as written, the filter matches nothing in Keras 3, and everything trains', () => {
  assert.deepEqual([...new Set(tensorflow.names)], ['kernel', 'bias']);
  assert.equal(tensorflow.keptAsWritten, tensorflow.names.length);
  // Their paths are what the article means. (Renaming a layer does not rename them.)
  const layers = ['dense_layer_0', 'dense_layer_1', 'dense_layer_2'];
  assert.deepEqual(tensorflow.paths, weightsOf(layers));
});

test('a misspelt variable cannot be locked by accident: a lock is a call on the variable, elements included', async () => {
  const g = await init();
  const { variables, lossFunction } = model(g);
  const [kernel, , , bias] = variables;
  kernel.lock({ cols: [1] });
  bias.lock('all');
  const before = variables.map((v) => v.data());
  g.optimizers.adam().minimize(lossFunction, { steps: 10 });
  assert.deepEqual(moved(before[0], kernel.data(), [1, 3]), NOTHING);
  assert.equal(moved(before[0], kernel.data(), [0, 2]).elements, 2);
  assert.deepEqual(moved(before[3], bias.data(), [0, 1]), NOTHING);
});

/** @param {string[]} layers */
function weightsOf(layers) {
  return layers.flatMap((layer) => [`${layer}/kernel`, `${layer}/bias`]);
}
