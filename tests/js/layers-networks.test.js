/* Networks drawn at random, layers and options alike, some layers frozen: Keras's JSON read, what
 * they predict, and losses, metrics and weights of two epochs of fit. networks.json, written by
 * tests/golden/networks.py.
 *
 * Both sides compute in f32, in other orders: predictions may differ by 2^-16 of the largest, what
 * two epochs make of such differences by 2^-11. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { Draws, floats, readGolden } from '../golden/golden.js';

const golden = readGolden('networks.json');
const OF_PREDICTIONS = 2 ** -16;
const OF_TRAINING = 2 ** -11;

/**
 * @param {ArrayLike<number>} got
 * @param {Float32Array} want
 * @param {number} tolerance
 * @param {string} what
 */
const assertNear = (got, want, tolerance, what) => {
  assert.equal(got.length, want.length, what);
  const largest = want.reduce((a, b) => Math.max(a, Math.abs(b)), 1 / 64);
  for (const [i, value] of want.entries()) {
    const off = Math.abs(Number(got[i]) - value);
    assert.ok(off <= tolerance * largest, `${what}[${i}]: ${got[i]}, Keras ${value}`);
  }
};

for (const row of golden.networks) {
  const names = row.model.config.layers.map((/** @type {any} */ l) => l.class_name).join(', ');
  test(`network ${row.seed} follows Keras: ${names}`, async () => {
    const g = await init();
    const model = layers(g).modelFromJSON(row.model);
    const draws = new Draws(row.seed);
    const { samples, batchSize } = golden;
    const shapeOf = (/** @type {any} */ symbol) => [samples, ...symbol.shape.slice(1)];
    const shape = shapeOf(model.inputs[0]);
    const count = shape.reduce((a, b) => a * b, 1);
    const numbers = draws.array(shape);
    const words = () => Float32Array.from({ length: count }, () => (draws.next() >>> 8) % 6);
    const x = g.tensor(row.words ? words() : numbers, shape);
    const labels = shapeOf(model.outputs[0]);
    const y = g.tensor(draws.array(labels), labels);
    const weights = model.weights.map(({ name, shape: dims, size }) => {
      const values = draws.array([size]).map((v) => v / 4);
      const isScale = /\/(gamma|moving_variance)$/.test(name);
      return g.tensor(isScale ? values.map((v) => Math.abs(v) + 0.75) : values, dims);
    });
    model.setWeights(weights, { force: true });
    assertNear(model.predict(x).data(), floats(row.predicted), OF_PREDICTIONS, 'prediction');
    model.compile({ optimizer: row.optimizer, loss: row.loss, metrics: ['mae'] });
    const { history, audit } = await model.fit(x, y, { epochs: 2, batchSize, shuffle: false });
    for (const [key, values] of Object.entries(row.history)) {
      assertNear(history[key] ?? [], floats(/** @type {any} */ (values)), OF_TRAINING, key);
    }
    model.weights.forEach((weight, i) => {
      assertNear(weight.data(), floats(row.weights[i]), OF_TRAINING, weight.name);
    });
    assert.equal(audit?.changed, 0);
    const again = JSON.parse(JSON.stringify(model.toJSON()));
    assert.deepEqual(JSON.parse(JSON.stringify(layers(g).modelFromJSON(again).toJSON())), again);
    g.dispose();
  });
}
