/* mini-XCEPTION from the file that its package has: HDF5, as Keras 2.0.5 wrote it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { loadModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { bitsOf } from '../../js/support.js';
import { assertNear, readBytes } from '../claims.js';
import { pathIn } from '../packages.js';
import { golden, images, openXception, reference } from '../xception.js';

test('the HDF5 of Keras 2.0.5 is the model that predicts what it did, and whose weights are committed', async () => {
  const g = await init();
  /** @type {any} */
  let report;
  const bytes = readBytes(pathIn('fer', 'fer/data/emotion_model.hdf5'));
  const net = await loadModel(layers(g), bytes, { onReport: (given) => (report = given) });
  assert.equal(report.loaded.length, 80);
  assert.ok(report.skipped.every((/** @type {string} */ path) => path.startsWith('optimizer')));
  assertNear(net.predict(g.tensor(images(), golden.shape)).data(), reference('y'), 'prediction');
  const { net: committed } = await openXception(g);
  for (const [i, weight] of net.weights.entries()) {
    const other = /** @type {any} */ (committed.weights[i]);
    assert.deepEqual([weight.name, bitsOf(weight.data())], [other.name, bitsOf(other.data())]);
  }
  g.dispose();
});
