/* mini-XCEPTION beside Keras 3, which is what it was trained in: fixtures/mini-xception.json, written
 * by golden/xception.py, on the weights of the package fer. claims.js says what is allowed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { bitsOf } from '../js/support.js';
import { assertNear } from './claims.js';
import { golden, images, openXception, reference } from './xception.js';

/** @typedef {import('gradlock/layers').Dense} Dense */

test('a network that was trained in Keras has all of its weights and predicts what it did', async () => {
  const g = await init();
  const { net, report } = await openXception(g);
  assert.equal(report.loaded.length, 80);
  assert.equal(net.countParams(), 58_423);
  assertNear(net.predict(g.tensor(images(), golden.shape)).data(), reference('y'), 'prediction');
  g.dispose();
});

test('the head of mini-XCEPTION learns as in Keras while the rest is frozen to the bit', async () => {
  const g = await init();
  const { net } = await openXception(g);
  const x = g.tensor(images(), golden.shape);
  const head = net.getLayer(golden.head);
  for (const layer of net.layers) layer.trainable = layer === head;
  const others = net.weights.filter((weight) => !head.weights.includes(weight));
  const before = others.map((weight) => bitsOf(weight.data()));
  const optimizer = g.optimizers.sgd(golden.optimizer);
  net.compile({ optimizer, loss: 'sparseCategoricalCrossentropy' });
  const losses = Array.from({ length: golden.steps }, () => net.trainOnBatch(x, golden.labels));
  // Penalties of what is frozen are of the loss here (law 8), Keras drops them.
  const found = losses.map(({ loss }) => Number(loss) - golden.penalty);
  const { off, values } = reference('losses');
  assertNear(found, { values, off: off + 2 ** -24 * Number(values[0]) }, 'loss');
  assertNear(/** @type {Dense} */ (head).kernel.data(), reference('kernel'), 'kernel');
  assertNear(/** @type {Dense} */ (head).bias.data(), reference('bias'), 'bias');
  assertNear(net.predict(x).data(), reference('tuned'), 'prediction of what was tuned');
  assert.deepEqual(
    others.map((weight) => bitsOf(weight.data())),
    before,
    'what is frozen',
  );
  assert.equal(others.length, 78);
  g.dispose();
});
