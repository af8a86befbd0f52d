/* A quantized LayersModel beside TensorFlow.js 4.22, which loads it by itself. Its two backends, cpu
 * and wasm, differ by some roundings; so may gradlock (claims.js). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { loadTensorFlow } from '../../bench/peers.mjs';
import { openTensorFlow } from '../../port/tensorflow.js';
import { assertNear } from '../claims.js';
import { images, openMobilenet, openTheirs, SIZE } from '../mobilenet.js';

test('MobileNetV2 of bytes has the weights that TensorFlow.js makes of them, and its outputs', async () => {
  const { backend, core } = await openTensorFlow();
  const theirs = await openTheirs(backend.loadLayersModel);
  const g = await init();
  const { net, report } = await openMobilenet(g);
  assert.equal(report.loaded.length, net.weights.length);
  assert.equal(net.countParams(), theirs.countParams());
  for (const { name, weights } of /** @type {any[]} */ (net.layers)) {
    const want = theirs.getLayer(name).getWeights();
    const read = (/** @type {any} */ tensor) => tensor.dataSync();
    assert.deepEqual(
      weights.map((/** @type {any} */ weight) => weight.data()),
      want.map(read),
      name,
    );
  }
  const x = images();
  const shape = [2, SIZE, SIZE, 3];
  const predict = () => theirs.predict(core.tensor(x, shape)).dataSync();
  const values = [...predict()];
  // Makes wasm the backend of all copies of TensorFlow.js in this process.
  await loadTensorFlow();
  const others = predict();
  const off = Math.max(...values.map((value, i) => Math.abs(value - others[i])));
  assert.ok(off > 0 && off < 1e-5);
  assertNear(net.predict(g.tensor(x, shape)).data(), { values, off }, 'output');
  g.dispose();
});
