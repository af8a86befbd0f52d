/* Where models once differed from Keras 3.15, and what they say of locks, sizes and audits. The
 * networks of layers-networks.test.js cover values; here are the causes, one by one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, init, LockedElementError } from 'gradlock';
import { layers } from 'gradlock/layers';

/** @typedef {import('gradlock/layers').BatchNormalization} BatchNormalization */

const g = await init();

/** @param {any} layer */
const steps = (layer) => {
  const nn = layers(g, { seed: 1 });
  return nn.sequential([nn.timeDistributed({ inputShape: [2, 1], layer: layer(nn) })]);
};
const X = [
  [[0], [10]],
  [[2], [14]],
];

test('batch normalization in timeDistributed follows each step in time, one after the other', () => {
  const makers = [
    (/** @type {any} */ nn) => nn.batchNormalization({ momentum: 0.5 }),
    (/** @type {any} */ nn) => nn.sequential([nn.batchNormalization({ momentum: 0.5 })]),
  ];
  for (const make of makers) {
    const net = steps(make);
    const y = net.apply(g.tensor(X), { training: true });
    // Steps have means 1 and 12 and variances 1 and 4.
    const [mean, variance] = net.weights.slice(2).map((weight) => weight.data()[0]);
    assert.equal(mean, (0 / 2 + 1 / 2) / 2 + 12 / 2);
    assert.equal(variance, (1 / 2 + 1 / 2) / 2 + 4 / 2);
    const near = [-1, -1, 1, 1].map(
      (v, i) => v * (i % 2 ? 2 / Math.sqrt(4.001) : 1 / Math.sqrt(1.001)),
    );
    for (const [i, v] of y.data().entries()) assert.ok(Math.abs(v - Number(near[i])) < 1e-6);
    net.trainable = false;
    net.apply(g.tensor(X), { training: true });
    assert.equal(net.weights[2].data()[0], mean);
  }
});

test('layers of your own in timeDistributed see one step at a time, unless they keep rows apart', () => {
  for (const isPure of [false, true]) {
    /** @type {number[]} */
    const rows = [];
    const net = steps((/** @type {any} */ nn) => {
      class Own extends nn.Layer {
        static className = 'Own';
        isPure() {
          return isPure;
        }
        /** @param {any} shape */
        computeOutputShape(shape) {
          return shape;
        }
        /** @param {any} x */
        call(x) {
          rows.push(x.shape[0]);
          return g.sub(x, g.mean(x, 0));
        }
      }
      return new Own();
    });
    net.predict(g.tensor(X));
    assert.deepEqual(rows, isPure ? [4] : [2, 2]);
  }
});

/** A model of one number, whose labels are 0 and 1. */
const classifier = () => {
  const nn = layers(g, { seed: 1 });
  const net = nn.sequential([nn.dense({ units: 2, inputShape: [2], activation: 'softmax' })]);
  net.compile({
    optimizer: 'sgd',
    loss: 'sparseCategoricalCrossentropy',
    weightedMetrics: ['accuracy'],
  });
  return net;
};
const ROWS = Array.from({ length: 8 }, (_, i) => [Math.sin(i), Math.cos(3 * i)]);
const LABELS = ROWS.map((_, i) => i % 2);

test('classWeight weighs what is trained on, not validation', async () => {
  const [plain, weighted] = [classifier(), classifier()];
  const options = { validationSplit: 0.5, shuffle: false, batchSize: 4 };
  const frozen = { ...options, epochs: 1 };
  for (const net of [plain, weighted]) net.trainable = false;
  const a = await plain.fit(ROWS, LABELS, frozen);
  const b = await weighted.fit(ROWS, LABELS, { ...frozen, classWeight: { 0: 10, 1: 10 } });
  assert.equal(b.history.val_loss[0], a.history.val_loss[0]);
  assert.ok(Math.abs(b.history.loss[0] / a.history.loss[0] - 10) < 1e-5);
});

test('classWeight weighs batches of an iterator, and sampleWeight there is refused', async () => {
  const batches = /** @type {any} */ (() => [[ROWS, LABELS]][Symbol.iterator]());
  const [plain, weighted] = [classifier(), classifier()];
  const a = await plain.fit(batches, /** @type {any} */ (undefined), {});
  const b = await weighted.fit(batches, /** @type {any} */ (undefined), {
    classWeight: { 0: 10, 1: 10 },
  });
  assert.ok(Math.abs(b.history.loss[0] / a.history.loss[0] - 10) < 1e-5);
  const sampleWeight = LABELS.map(() => 1);
  await assert.rejects(
    plain.fit(batches, /** @type {any} */ (undefined), { sampleWeight }),
    /let the iterator return \[x, y, sampleWeight\]/,
  );
});

/** Losses of saturated probabilities. @type {[string, any, any, number][]} */
const SATURATED = [
  [
    'softmax of a dense layer',
    (/** @type {any} */ nn) => [nn.activation({ activation: 'softmax' })],
    'categoricalCrossentropy',
    60,
  ],
  [
    'softmax, sparse',
    (/** @type {any} */ nn) => [nn.activation({ activation: 'softmax' })],
    'sparseCategoricalCrossentropy',
    60,
  ],
  ['a softmax layer', (/** @type {any} */ nn) => [nn.softmax()], 'categoricalCrossentropy', 60],
  [
    'sigmoid',
    (/** @type {any} */ nn) => [nn.activation({ activation: 'sigmoid' })],
    'binaryCrossentropy',
    30,
  ],
  [
    'softmax that is handed on',
    (/** @type {any} */ nn) => [nn.softmax(), nn.activation({ activation: 'linear' })],
    'categoricalCrossentropy',
    60,
  ],
  [
    'softmax, then another layer',
    (/** @type {any} */ nn) => [nn.softmax(), nn.rescaling({ scale: 1 })],
    'categoricalCrossentropy',
    -Math.log(1e-7),
  ],
];

for (const [name, ends, loss, want] of SATURATED) {
  test(`a crossentropy of saturated ${name} is computed from what is known`, () => {
    const nn = layers(g, { seed: 1 });
    const net = nn.sequential([nn.dense({ units: 2, inputShape: [1] }), ...ends(nn)]);
    const isSigmoid = loss === 'binaryCrossentropy';
    net.setWeights([[[0, 0]], isSigmoid ? [-60, -60] : [-30, 30]]);
    const y = loss.startsWith('sparse') ? [0] : [[1, 0]];
    net.compile({ optimizer: g.optimizers.sgd({ learningRate: 1 }), loss, metrics: [loss] });
    const logs = net.trainOnBatch([[0]], y);
    assert.ok(Math.abs(Number(logs.loss) - want) < 1e-4, `${logs.loss}`);
    assert.ok(Math.abs(Number(logs[loss]) - want) < 1e-4, `${logs[loss]}`);
    const [first] = net.weights[1].data();
    if (want > 20) assert.ok(first > (isSigmoid ? -60 : -30), 'there is a gradient');
  });
}

test('the root mean squared error counts steps under masks, as Keras does', async () => {
  const nn = layers(g, { seed: 1 });
  const dense = () => nn.dense({ units: 1, useBias: false });
  for (const layer of [nn.timeDistributed({ layer: dense() }), dense()]) {
    const net = nn.sequential([nn.masking({ inputShape: [2, 1] }), layer]);
    net.setWeights([[[1]]]);
    net.compile({
      optimizer: 'sgd',
      loss: 'meanSquaredError',
      metrics: ['rootMeanSquaredError', 'mse'],
    });
    const logs = await net.evaluate([[[2], [0]]], [[[0], [0]]]);
    assert.equal(logs.rootMeanSquaredError, Math.sqrt(2));
    assert.equal(logs.mse, 4);
  }
});

test('setWeights writes what trainable = false holds, and nothing that is locked otherwise', () => {
  const nn = layers(g, { seed: 1 });
  const json = nn.sequential([nn.dense({ units: 1, inputShape: [2] })]).toJSON();
  /** @type {any} */ (json).config.layers[1].config.trainable = false;
  const net = nn.modelFromJSON(JSON.stringify(json));
  net.setWeights([[[1], [2]], [3]]);
  assert.deepEqual([...net.weights[0].data()], [1, 2]);
  assert.equal(net.weights[0].locks.count, 2);
  net.weights[0].lock([0]);
  assert.throws(() => net.setWeights([[[5], [2]], [3]]), LockedElementError);
  assert.deepEqual([...net.weights[0].data()], [1, 2]);
  net.setWeights([[[5], [2]], [3]], { force: true });
  net.weights[0].unlock('all');
  net.weights[0].locks.holder('drag').lock([1]);
  assert.throws(() => net.setWeights([[[5], [7]], [3]]), LockedElementError);
  assert.throws(() => net.weights[1].assign([4]), LockedElementError);
});

test('weights stay in Keras order: of each layer, those that train before those that do not', () => {
  const nn = layers(g, { seed: 1 });
  class Own extends nn.Layer {
    /** @override */
    static className = 'Own';
    /** @override */
    build() {
      /** @type {any} */ (this).addWeight('fixed', [1], { trainable: false });
      /** @type {any} */ (this).addWeight('a', [1]);
      /** @type {any} */ (this).addWeight('still', [1], { trainable: false });
      /** @type {any} */ (this).addWeight('b', [1]);
    }
  }
  const own = new Own({ inputShape: [1] });
  nn.sequential([own]);
  const names = own.weights.map(({ name }) => name.split('/').at(-1));
  assert.deepEqual(names, ['a', 'b', 'fixed', 'still']);
});

test('inputLength is the shape of what an embedding takes first', () => {
  const nn = layers(g, { seed: 1 });
  /** @param {any} more */
  const shapeOf = (more) =>
    nn.sequential([nn.embedding({ inputDim: 5, outputDim: 2, ...more })]).outputs[0]?.shape;
  assert.deepEqual(shapeOf({ inputLength: 3 }), [null, 3, 2]);
  assert.deepEqual(shapeOf({ inputLength: [3, null] }), [null, 3, null, 2]);
  assert.deepEqual(shapeOf({ inputLength: 3, inputShape: [4] }), [null, 4, 2]);
  assert.deepEqual(shapeOf({}), undefined);
  assert.throws(() => shapeOf({ inputLength: -1 }), GradlockError);
});

test('a filter that matches nothing of a model without weights says how to build it', () => {
  const nn = layers(g, { seed: 1 });
  const net = nn.sequential([nn.embedding({ inputDim: 5, outputDim: 2, name: 'embed' })]);
  assert.throws(
    () => net.lock(/embed/),
    /known: none.* embed have no weights yet: give .*inputShape/,
  );
  net.predict([[1, 2]]);
  assert.equal(net.lock(/embed/).length, 1);
  assert.throws(
    () => net.lock(/nothing/),
    /no weight matches \/nothing\/; known: embed\/embeddings$/,
  );
});

test('the audit of fit counts what is locked while it runs, from then on', async () => {
  const net = classifier();
  const options = {
    epochs: 3,
    callbacks: {
      onEpochEnd: (/** @type {number} */ epoch) => {
        if (epoch === 0) net.weights[0].lock([[0, 0]]);
        if (epoch === 1) net.weights[1].lock('all');
      },
    },
  };
  const { audit } = await net.fit(ROWS, LABELS, options);
  assert.deepEqual(audit, { watched: 3, changed: 0 });
  assert.throws(() => net.weights[0].locks.audit(), GradlockError);
  const none = await classifier().fit(ROWS, LABELS);
  assert.deepEqual(none.audit, { watched: 0, changed: 0 });
});

test('trainOnly of a head lets moving statistics move: the audit is of what is locked, and it and the summary say so', async () => {
  const nn = layers(g, { seed: 1 });
  const net = nn.sequential([
    nn.batchNormalization({ inputShape: [2], name: 'norm' }),
    nn.dense({ units: 1, name: 'head' }),
  ]);
  net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  net.trainOnly('head');
  const { audit } = await net.fit(ROWS, LABELS);
  const note =
    'moving statistics follow the data although the weights are locked: norm; trainable = false holds them';
  assert.deepEqual(audit, { watched: 4, changed: 0, note });
  assert.ok(net.summary({ print: null }).text.endsWith(note));
  assert.notEqual(/** @type {BatchNormalization} */ (net.getLayer('norm')).movingMean.data()[0], 0);
  net.getLayer('norm').trainable = false;
  const before = /** @type {BatchNormalization} */ (net.getLayer('norm')).movingMean.data();
  const again = await net.fit(ROWS, LABELS);
  assert.deepEqual(again.audit, { watched: 8, changed: 0 });
  assert.ok(!net.summary({ print: null }).text.includes('follow'));
  assert.deepEqual(
    /** @type {BatchNormalization} */ (net.getLayer('norm')).movingMean.data(),
    before,
  );
});
