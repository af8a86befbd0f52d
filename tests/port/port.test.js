/* Models of TensorFlow.js's examples, the same lines run by TensorFlow.js 4.22 and here: weights of
 * the same names and shapes, and from the same values the same losses, metrics and weights.
 *
 * Both compute in f32, in other orders: they may differ by 2^-18 of the largest, or of
 * 1/16 where all are smaller. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Draws } from '../golden/golden.js';
import { open } from './gradlock.js';
import { addition, iris, mnist, sentiment, transfer } from './models.js';
import { openTensorFlow } from './tensorflow.js';

const TOLERANCE = 2 ** -18;

const { core, tf: tensorflow } = await openTensorFlow();

/**
 * @typedef {{ name: string, build: (tf: any) => any, x: number[], y: number[], ids?: number,
 *   classes?: number }} Port
 */
/** @type {Port[]} */
const PORTS = [
  { name: 'iris', build: iris, x: [12, 4], y: [12, 3] },
  { name: 'mnist', build: mnist, x: [6, 28, 28, 1], y: [6, 10] },
  { name: 'mnist-transfer-cnn', build: transfer, x: [6, 28, 28, 1], y: [6, 5] },
  { name: 'addition-rnn', build: addition, x: [6, 5, 12], y: [6, 3, 12] },
  ...['cnn', 'simpleRNN', 'both'].map((kind) => {
    const build = (/** @type {any} */ tf) => sentiment(tf, kind);
    return { name: `sentiment, ${kind}`, build, x: [8, 10], y: [8, 1], ids: 20 };
  }),
];

/** @param {readonly number[]} shape */
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

/** @param {ArrayLike<number>} got @param {ArrayLike<number>} want @param {string} what */
const assertNear = (got, want, what) => {
  assert.equal(got.length, want.length, what);
  const largest = Array.from(want).reduce((a, b) => Math.max(a, Math.abs(b)), 1 / 16);
  for (let i = 0; i < want.length; i++) {
    const off = Math.abs(Number(got[i]) - Number(want[i]));
    assert.ok(off <= TOLERANCE * largest, `${what}[${i}]: ${got[i]}, TensorFlow.js ${want[i]}`);
  }
};

for (const { name, build, x, y, ids } of PORTS) {
  test(`${name}: the same lines make the same model, and train it alike`, async () => {
    const draws = new Draws(7);
    const { g, tf } = await open();
    const [theirs, ours] = [build(tensorflow), build(tf)];
    const data = ids
      ? Float32Array.from({ length: sizeOf(x) }, () => (draws.next() >>> 8) % ids)
      : draws.array(x);
    const classes = Number(y.at(-1));
    const labels = new Float32Array(sizeOf(y));
    for (let i = 0; i < labels.length; i += classes) {
      if (classes === 1) labels[i] = draws.next() >>> 31;
      else labels[i + ((draws.next() >>> 8) % classes)] = 1;
    }
    ours.ensureBuilt([null, ...x.slice(1)]);
    // TensorFlow.js lists what is frozen last; here, as in Keras, the order stays.
    for (const layer of theirs.layers) layer.trainable = true;
    const shapes = theirs.getWeights().map((/** @type {any} */ w) => w.shape);
    assert.deepEqual(
      ours.weights.map((/** @type {any} */ w) => [...w.shape]),
      shapes,
    );
    const values = shapes.map((/** @type {number[]} */ shape) =>
      draws.array(shape).map((v) => v / 4),
    );
    theirs.setWeights(
      values.map((/** @type {any} */ v, /** @type {number} */ i) => core.tensor(v, shapes[i])),
    );
    ours.setWeights(
      values.map((/** @type {any} */ v, /** @type {number} */ i) => g.tensor(v, shapes[i])),
      { force: true },
    );
    for (const layer of theirs.layers)
      layer.trainable = ours.getLayer(theirs.layers.indexOf(layer)).trainable;
    const [tx, ty] = [core.tensor(data, x), core.tensor(labels, y)];
    const [gx, gy] = [g.tensor(data, x), g.tensor(labels, y)];
    assertNear(ours.predict(gx).data(), theirs.predict(tx).dataSync(), 'prediction');
    const options = { epochs: 2, batchSize: 4, shuffle: false };
    const want = await theirs.fit(tx, ty, options);
    const got = await ours.fit(gx, gy, options);
    assertNear(got.history.loss, want.history.loss, 'loss');
    const metric = Object.keys(got.history).find((key) => key !== 'loss');
    assertNear(got.history[String(metric)] ?? [], want.history.acc, 'accuracy');
    for (const layer of theirs.layers) layer.trainable = true;
    const ends = theirs.getWeights();
    ours.weights.forEach((/** @type {any} */ w, /** @type {number} */ i) => {
      assertNear(w.data(), ends[i].dataSync(), w.name);
    });
    assert.equal(got.audit?.changed, 0);
  });
}

test('TensorFlow.js: the same Adam after a freeze takes the moments of another variable; here each keeps its own', async () => {
  /**
   * How far the head goes in a step without a gradient, after one in which all of the gradient went
   * to the layer before it, which is then frozen.
   */
  const drift = async (
    /** @type {any} */ lib,
    /** @type {any} */ optimizer,
    /** @type {(values: number[][]) => any} */ matrix,
  ) => {
    const body = lib.layers.dense({
      units: 1,
      inputShape: [1],
      kernelInitializer: 'ones',
      biasInitializer: 'zeros',
    });
    const head = lib.layers.dense({ units: 1, useBias: false, kernelInitializer: 'ones' });
    const model = lib.sequential({ layers: [body, head] });
    body.setWeights([matrix([[1]]), matrix([[-1]]).reshape?.([1]) ?? [-1]]);
    const compile = () => model.compile({ optimizer, loss: 'meanSquaredError' });
    const read = (/** @type {any} */ t) => Number((t.dataSync?.() ?? t.data())[0]);
    compile();
    await model.trainOnBatch(matrix([[1]]), matrix([[1]]));
    body.trainable = false;
    compile();
    const before = read(head.getWeights()[0]);
    await model.trainOnBatch(matrix([[2]]), model.predict(matrix([[2]])));
    return read(head.getWeights()[0]) - before;
  };
  const { g, tf } = await open();
  assert.equal(
    await drift(tf, g.optimizers.adam({ learningRate: 0.01 }), (values) => g.tensor(values)),
    0,
  );
  const theirs = await drift(tensorflow, core.train.adam(0.01), (values) => core.tensor2d(values));
  assert.ok(Math.abs(theirs) > 0.005, `TensorFlow.js moved it by ${theirs}`);
});
