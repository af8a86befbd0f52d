/* Tier: test. Precisions: f32, f64. */
/* compile and fit: what is settled and kept, and what is refused before anything is trained. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, init, OptionError } from 'gradlock';
import { layers } from 'gradlock/layers';
import { data, small, valuesOf } from './layers-small.js';

/** @typedef {import('gradlock/layers').Dense} Dense */
/** @typedef {import('gradlock').Gradlock} Gradlock */

const zeros = (/** @type {Gradlock} */ g, /** @type {number[]} */ shape) => g.broadcastTo(0, shape);

test('the same seed gives the same bits, another seed others, whatever yields', async () => {
  const run = async (/** @type {number} */ seed, /** @type {any} */ yieldEvery) => {
    const g = await init();
    const { net } = small(g, seed);
    const { x, y } = data(g);
    const { history } = await net.fit(x, y, { epochs: 3, batchSize: 8, yieldEvery });
    return JSON.stringify([history, valuesOf(net)]);
  };
  const one = await run(1, 'auto');
  assert.equal(await run(1, 'batch'), one);
  assert.equal(await run(1, 'never'), one);
  assert.notEqual(await run(2, 'auto'), one);
});

test('fit by rows of arrays, tensors and iterators of the same batches ends in the same bits', async () => {
  const rows = 10;
  /** @type {string[]} */
  const ends = [];
  for (const way of ['tensors', 'arrays', 'iterator', 'async', 'function', 'objects', 'steps']) {
    const g = await init();
    const { net } = small(g);
    const { x, y } = data(g, rows);
    const [a, b] = /** @type {any[][]} */ ([x.array(), y.array()]);
    const cut = (/** @type {any} */ from) => [a.slice(from, from + 4), b.slice(from, from + 4)];
    const batches = [0, 4, 8].map(cut);
    const options = { epochs: 2, batchSize: 4, shuffle: false };
    if (way === 'tensors') await net.fit(x, y, options);
    if (way === 'arrays') await net.fit(a, b, options);
    if (way === 'iterator')
      await net.fit([...batches, ...batches][Symbol.iterator](), { epochs: 2, stepsPerEpoch: 3 });
    if (way === 'async') {
      const stream = async function* () {
        for (const batch of batches) yield batch;
      };
      await net.fit(() => stream(), { epochs: 2 });
    }
    if (way === 'function') await net.fit(() => batches.values(), { epochs: 2 });
    if (way === 'objects')
      await net.fit(() => batches.map(([xs, ys]) => ({ xs, ys })).values(), { epochs: 2 });
    if (way === 'steps')
      for (let i = 0; i < 6; i++) net.trainOnBatch(batches[i % 3]?.[0], batches[i % 3]?.[1]);
    ends.push(JSON.stringify(valuesOf(net)));
  }
  assert.deepEqual(new Set(ends).size, 1);
});

test('locked elements keep their bits, and fit says so; locks may change between batches', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g);
  const base = /** @type {Dense} */ (net.getLayer('base'));
  base.kernel.lock({ cols: [0, 1] });
  const before = base.kernel.data();
  let batches = 0;
  const { audit } = await net.fit(x, y, {
    epochs: 4,
    batchSize: 5,
    callbacks: {
      onBatchEnd: () => {
        batches++;
        if (batches === 3) base.trainable = false;
        if (batches === 6) base.trainable = true;
      },
    },
  });
  assert.deepEqual(audit, { watched: 6, changed: 0 });
  assert.equal(batches, 16);
  for (const k of base.kernel.locks.toIndices())
    assert.ok(Object.is(base.kernel.data()[k], before[k]));
});

test('an audit finds what went past the locks', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g);
  const { kernel } = /** @type {Dense} */ (net.getLayer('base'));
  kernel.lock('all');
  const result = await net.fit(x, y, {
    callbacks: { onTrainEnd: () => void kernel.view().fill(7, 3, 4) },
  });
  assert.deepEqual(result.audit, { watched: 12, changed: 1 });
});

test('regularizers of frozen weights count (law 8): the loss and all free weights are as without', async () => {
  /** @type {any[]} */
  const ends = [];
  for (const frozen of [false, true]) {
    const g = await init();
    const nn = layers(g, { seed: 3 });
    const net = nn.sequential([
      nn.dense({
        units: 3,
        inputShape: [2],
        kernelRegularizer: { className: 'L1L2', config: { l1: 0.5, l2: 0.25 } },
      }),
      nn.dense({ units: 1, useBias: false, kernelInitializer: 'zeros' }),
    ]);
    const [first] = net.layers;
    if (!first) throw new Error();
    first.trainable = !frozen;
    net.compile({ optimizer: 'sgd', loss: 'mse' });
    const { history } = await net.fit([[1, 2]], [[1]], { epochs: 1 });
    const kernel = first.weights[0];
    ends.push([history.loss?.[0], net.weights.at(-1)?.array()]);
    if (!frozen) continue;
    const own = g
      .add(
        g.mul(0.5, g.sum(g.abs(/** @type {any} */ (kernel)))),
        g.mul(0.25, g.sum(g.square(/** @type {any} */ (kernel)))),
      )
      .item();
    assert.ok(Math.abs(Number(history.loss?.[0]) - (1 + own)) < 1e-6);
  }
  assert.deepEqual(ends[0], ends[1]);
});

test('freezing, unfreezing and compiling again with the same optimizer keep what it learned (law 4)', async () => {
  const run = async (/** @type {boolean} */ again) => {
    const g = await init();
    const { net } = small(g);
    const { x, y } = data(g);
    const optimizer = g.optimizers.adam({ learningRate: 0.1 });
    const compile = () => net.compile({ optimizer, loss: 'mse' });
    compile();
    const options = { shuffle: false, batchSize: 20 };
    await net.fit(x, y, { ...options, epochs: 3 });
    net.getLayer('base').trainable = false;
    if (again) compile();
    await net.fit(x, y, { ...options, epochs: 2 });
    net.getLayer('base').trainable = true;
    if (again) compile();
    await net.fit(x, y, options);
    return valuesOf(net);
  };
  assert.deepEqual(await run(true), await run(false));
});

test('memory is flat over many epochs, and what fit made is given back', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g);
  // The table of handles grows at first.
  for (let i = 0; i < 10; i++) await net.fit(x, y, { validationSplit: 0.2, epochs: 10 });
  const before = g.memory();
  /** @type {number[]} */
  const during = [];
  await net.fit(x, y, {
    epochs: 200,
    validationSplit: 0.2,
    yieldEvery: 'never',
    callbacks: { onEpochEnd: (epoch) => void (epoch % 50 === 49 && during.push(g.memory().bytes)) },
  });
  assert.equal(new Set(during).size, 1);
  const after = g.memory();
  assert.deepEqual([after.bytes, after.objects], [before.bytes, before.objects]);
});

test('validationSplit takes the last rows before shuffling; weights of classes and samples count', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g, 10);
  net.compile({
    optimizer: g.optimizers.sgd({ learningRate: 0 }),
    loss: 'mse',
    weightedMetrics: ['mse'],
    metrics: ['mse'],
  });
  const { history } = await net.fit(x, y, { validationSplit: 0.3, batchSize: 4 });
  const last = await net.evaluate(g.slice(x, [7, 0], [3, 3]), g.slice(y, [7, 0], [3, 2]));
  assert.ok(Math.abs(Number(history.val_loss?.[0]) - Number(last.loss)) < 1e-6);
  const weights = [1, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  const logs = await net.evaluate(x, y, { sampleWeight: weights, batchSize: 10 });
  const losses = /** @type {number[]} */ (
    g.mean(g.squaredDifference(net.predict(x), y), -1).array()
  );
  const [a, b] = [Number(losses[0]), Number(losses[9])];
  assert.ok(Math.abs(Number(logs.loss) - (a + b) / 10) < 1e-6, 'divided by the batch, as in Keras');
  const names = Object.keys(logs);
  assert.deepEqual(names, ['loss', 'mse', 'weighted_mse'], 'as Keras calls them');
  assert.ok(
    Math.abs(Number(logs.weighted_mse) - (a + b) / 2) < 1e-6,
    'weighted metrics are divided by the weights',
  );
});

test('classWeight weighs samples by their label, sparse or one-hot', async () => {
  const g = await init();
  const nn = layers(g, { seed: 2 });
  const x = g.randomNormal([6, 2], 0, 1, 3);
  const labels = [0, 1, 2, 2, 1, 0];
  /** @type {number[]} */
  const losses = [];
  for (const [loss, y] of /** @type {[string, any][]} */ ([
    ['sparseCategoricalCrossentropy', labels],
    ['sparse_categorical_crossentropy', labels.map((k) => [k])],
    ['categoricalCrossentropy', g.oneHot(labels, 3)],
  ])) {
    const net = nn.sequential([
      nn.dense({ units: 3, inputShape: [2], kernelInitializer: 'ones', activation: 'softmax' }),
    ]);
    net.compile({ optimizer: 'sgd', loss });
    const { history } = await net.fit(x, y, { classWeight: { 0: 2, 2: 0 }, shuffle: false });
    losses.push(Number(history.loss?.[0]));
  }
  const expected = (Math.log(3) * (2 + 1 + 0 + 0 + 1 + 2)) / 6;
  for (const loss of losses) assert.ok(Math.abs(loss - expected) < 1e-5, `${loss}`);
});

test('labels that name no class are refused in the batch where they turn up, before its step', async () => {
  const g = await init();
  const nn = layers(g, { seed: 2 });
  const net = nn.sequential([nn.dense({ units: 3, inputShape: [2], activation: 'softmax' })]);
  net.compile({ optimizer: 'sgd', loss: 'sparseCategoricalCrossentropy' });
  const before = valuesOf(net);
  await assert.rejects(
    net.fit(zeros(g, [2, 2]), [0, 3]),
    (/** @type {any} */ e) => e instanceof GradlockError && /3/.test(e.message),
  );
  assert.deepEqual(valuesOf(net), before);
});

test('optimizers and losses come as Keras writes them, schedules of rates too', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g, 4);
  const rateOf = async (/** @type {any} */ learning_rate) => {
    const config = { name: 'SGD', learning_rate, momentum: 0, nesterov: false, weight_decay: null };
    net.compile({
      optimizer: { module: 'keras.optimizers', class_name: 'SGD', config },
      loss: { class_name: 'MeanSquaredError', config: {} },
    });
    await net.fit(x, y, { epochs: 3 });
    return Number(net.optimizer?.learningRate);
  };
  assert.equal(await rateOf(0.25), 0.25);
  const decay = {
    initial_learning_rate: 1,
    decay_steps: 1,
    decay_rate: 0.5,
    staircase: false,
    name: 'ExponentialDecay',
  };
  assert.equal(await rateOf({ class_name: 'ExponentialDecay', config: decay }), 0.125);
  const steps = { boundaries: [1], values: [0.5, 0.125], name: 'PiecewiseConstant' };
  assert.equal(await rateOf({ class_name: 'PiecewiseConstantDecay', config: steps }), 0.125);
  await assert.rejects(rateOf({ class_name: 'Zigzag', config: {} }), OptionError);
});

test("batch normalisation inside of a wrapper or a layer of one's own is in inference mode from the batch on before which it is frozen", async () => {
  /** @type {Record<string, (nn: any, bn: any) => any>} */
  const ways = {
    'in the model': (_, bn) => bn,
    'in a wrapper': (nn, bn) => nn.timeDistributed({ layer: bn }),
    "in a layer of one's own": (nn, bn) => {
      class Outer extends nn.Layer {
        static className = 'Outer';
        inner = /** @type {any} */ (this).track(bn);
        build(/** @type {any} */ shape) {
          this.inner.ensureBuilt(shape);
        }
        call(/** @type {any} */ x, /** @type {any} */ { run }) {
          return this.inner.run(x, run);
        }
      }
      return new Outer();
    },
  };
  for (const [way, wrap] of Object.entries(ways)) {
    /** @type {string[]} */
    const ends = [];
    for (const isOneFit of [true, false]) {
      const g = await init();
      const nn = layers(g, { seed: 1 });
      const bn = nn.batchNormalization({ momentum: 0.5 });
      const net = nn.sequential();
      net.add(/** @type {any} */ (nn.input({ shape: [2, 3] })).node.layer);
      net.add(wrap(nn, bn));
      net.add(nn.dense({ units: 1 }));
      net.compile({ optimizer: 'sgd', loss: 'mse' });
      const [x, y] = [g.randomNormal([8, 2, 3], 0, 1, 5), g.randomNormal([8, 2, 1], 0, 1, 6)];
      const freeze = () => {
        bn.trainable = false;
      };
      const options = { batchSize: 4, shuffle: false };
      if (isOneFit) {
        const onEpochBegin = (/** @type {number} */ epoch) => epoch === 1 && freeze();
        await net.fit(x, y, { ...options, epochs: 2, callbacks: { onEpochBegin } });
      } else {
        await net.fit(x, y, options);
        freeze();
        await net.fit(x, y, options);
      }
      ends.push(JSON.stringify(valuesOf(net)));
    }
    assert.equal(ends[0], ends[1], way);
  }
});

test('means of metrics leave out what a mask does, as Keras does, and counts do not; weights come on top', async () => {
  const g = await init();
  const nn = layers(g);
  const words = [
    [1, 2, 0, 0],
    [3, 0, 0, 0],
  ];
  const answers = [
    [0, 1, 1, 1],
    [1, 1, 1, 1],
  ].map((row) => row.map((answer) => [answer]));
  const net = nn.sequential([
    nn.embedding({ inputDim: 5, outputDim: 1, maskZero: true, inputLength: 4 }),
  ]);
  net.compile({
    optimizer: 'sgd',
    loss: 'meanSquaredError',
    metrics: ['accuracy', 'mae', 'precision'],
    weightedMetrics: ['binaryAccuracy'],
  });
  net.ensureBuilt([null, 4]);
  // Predicted: 1 for every word but 3.
  net.setWeights([[[1], [1], [1], [0], [1]]]);
  const sampleWeight = [1, 3];
  const logs = await net.evaluate(words, answers, { sampleWeight });
  // Of the three words that there are, the second alone is right.
  assert.equal(logs.accuracy, Math.fround(1) / 3);
  assert.equal(logs.mae, 2 / 3);
  assert.equal(logs.precision, 6 / 7);
  assert.equal(logs.binaryAccuracy, 1 / (1 + 1 + 3));
});

test('AUC refuses the options of Keras that it would not heed', async () => {
  const { net } = small(await init());
  const compile = (/** @type {object} */ config) =>
    net.compile({
      optimizer: 'sgd',
      loss: 'mse',
      metrics: [{ className: 'AUC', config: { name: 'auc', ...config } }],
    });
  compile({ curve: 'ROC', num_thresholds: 200, thresholds: null, multi_label: false });
  compile({ fromLogits: false, summationMethod: 'interpolation' });
  for (const refused of [
    { curve: 'PR' },
    { numThresholds: 50 },
    { summationMethod: 'majoring' },
    { multiLabel: true },
    { from_logits: true },
  ]) {
    assert.throws(() => compile(refused), OptionError, JSON.stringify(refused));
  }
});

test('constraints hold whenever a layer got its weights, and a model that grew is the one that is trained', async () => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  const kernel = { useBias: false, kernelInitializer: 'ones', kernelConstraint: 'nonNeg' };
  const net = nn.sequential([nn.dense({ units: 1, ...kernel })]);
  net.compile({ optimizer: g.optimizers.sgd({ learningRate: 1 }), loss: 'mse' });
  const [x, y] = [
    [
      [1, 2],
      [2, 1],
    ],
    [[-9], [-9]],
  ];
  await net.fit(x, y, { epochs: 3 });
  assert.deepEqual(valuesOf(net), [[0, 0]]);
  const before = net.testOnBatch(x, y).loss;
  net.add(nn.dense({ units: 1, ...kernel, kernelInitializer: 'zeros', biasInitializer: 'ones' }));
  assert.equal(net.testOnBatch(x, y).loss, before, 'still nothing but zeros');
  net.add(nn.dense({ units: 1, kernelInitializer: 'zeros', biasInitializer: 'ones' }));
  assert.equal(net.testOnBatch(x, y).loss, 100);
});

test('fits of models that share a frozen layer, and locks that nobody watches any more, end well', async () => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  const base = nn.dense({ units: 2, inputShape: [3] });
  const models = [1, 2].map(() => {
    const net = nn.sequential([base, nn.dense({ units: 2 })]);
    net.compile({ optimizer: 'sgd', loss: 'mse' });
    return net;
  });
  base.trainable = false;
  const { x, y } = data(g);
  const options = { batchSize: 5, yieldEvery: /** @type {'batch'} */ ('batch') };
  const results = await Promise.all(
    models.map((net, i) => net.fit(x, y, { ...options, epochs: 1 + i })),
  );
  for (const { audit } of results) assert.deepEqual(audit, { watched: 8, changed: 0 });
  const { objects } = g.memory();
  const boom = new Error('boom');
  const onBatchBegin = () => {
    base.kernel?.locks.unwatch();
    throw boom;
  };
  const stream = () => [[[[1, 2, 3]], [[1, 2]]]].values();
  for (let i = 0; i < 5; i++) {
    await assert.rejects(
      Number(models[0]?.weights.length) > 0
        ? /** @type {any} */ (models[0]).fit(stream, { callbacks: { onBatchBegin } })
        : null,
      boom,
    );
  }
  assert.equal(g.memory().objects, objects);
});

test('a loss that throws leaves no tensors; metrics may be called anything; classes must be classes', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g, 4);
  net.compile({
    optimizer: 'sgd',
    loss: () => {
      throw new Error('no loss');
    },
  });
  const { objects } = g.memory();
  for (let i = 0; i < 5; i++) assert.throws(() => net.trainOnBatch(x, y), /no loss/);
  assert.equal(g.memory().objects, objects);
  const metric = (/** @type {any} */ a, /** @type {any} */ b) => g.sub(a, b);
  Object.defineProperty(metric, 'name', { value: 'toString' });
  net.compile({ optimizer: 'sgd', loss: 'mse', metrics: [metric] });
  assert.equal((await net.fit(x, y, { epochs: 2 })).history.toString.length, 2);
  for (const classWeight of /** @type {any[]} */ ([{ 9007199254740991: 1 }, { 1e9: 1 }])) {
    await assert.rejects(net.fit(x, y, { classWeight }), GradlockError);
  }
});

test('a model draws the same numbers whatever else is made or trained', async () => {
  const g = await init();
  const { x, y } = data(g);
  const options = { epochs: 1, batchSize: 4 };
  const nn = layers(g);
  const net = nn.sequential([
    nn.dense({ units: 4, inputShape: [3] }),
    nn.dropout({ rate: 0.5 }),
    nn.dense({ units: 2 }),
  ]);
  const json = JSON.stringify(net);
  const weights = net.getWeights();
  /** @param {() => Promise<unknown>} meanwhile */
  const train = async (meanwhile) => {
    const nn = layers(g, { seed: 9 });
    await meanwhile.call(nn);
    const own = nn.modelFromJSON(json);
    own.setWeights(weights);
    own.compile({ optimizer: 'adam', loss: 'mse' });
    await own.fit(x, y, options);
    await meanwhile.call(nn);
    await own.fit(x, y, options);
    return JSON.stringify(valuesOf(own));
  };
  const alone = await train(async () => {});
  /** @this {import('gradlock/layers').Layers} */
  async function much() {
    const other = this.sequential([
      this.dense({ units: 3, inputShape: [2] }),
      this.dropout({ rate: 0.5 }),
      this.dense({ units: 1 }),
    ]);
    other.compile({ optimizer: 'sgd', loss: 'mse' });
    await other.fit([[1, 2]], [[1]], { epochs: 3 });
    g.randomUniform([3]);
  }
  assert.equal(await train(much), alone);
});

test('a sample of weight 0 changes nothing, whatever its label: it is left out by selection', async () => {
  const losses = ['mse', 'mae', 'huber', 'binaryCrossentropy', 'kullbackLeiblerDivergence'];
  for (const loss of [...losses, 'poisson', 'cosineSimilarity', 'hinge', 'logcosh']) {
    const ends = [0.25, Number.NaN, Number.POSITIVE_INFINITY].map((label) => {
      const g = /** @type {Gradlock} */ (shared);
      const nn = layers(g, { seed: 1 });
      const net = nn.sequential([
        nn.dense({ units: 3, inputShape: [2] }),
        nn.dense({ units: 2, activation: 'sigmoid' }),
      ]);
      net.compile({ optimizer: 'adam', loss, weightedMetrics: ['mae'] });
      const labels = [
        [0.2, 0.7],
        [label, 0.1],
      ];
      const sampleWeight = [1, 0];
      const logs = net.trainOnBatch(points, labels, { sampleWeight });
      return JSON.stringify([logs, valuesOf(net)]);
    });
    assert.ok(!/null|NaN/.test(String(ends[0])), loss);
    assert.deepEqual([ends[1], ends[2]], [ends[0], ends[0]], loss);
  }
});
const shared = await init();
const points = [
  [1, 2],
  [3, -1],
];

test('fit and minimize say once that nothing is free, and which batch is the first without a number', async (t) => {
  const warned = t.mock.method(console, 'warn', () => {});
  const texts = () => warned.mock.calls.map(({ arguments: [text] }) => String(text));
  const { net } = small(shared, 1);
  const { x, y } = data(shared);
  net.lock('all');
  const { warnings } = await net.fit(x, y, { epochs: 2, batchSize: 8 });
  assert.match(String(warnings), /^nothing trains: all \d+ elements of \d+ variables are locked/);
  assert.equal(texts().length, 1);
  assert.match(String(texts()[0]), /gradlock: .*nothing trains/);
  const frozen = small(shared, 1).net;
  frozen.trainable = false;
  frozen.trainOnBatch(x, y);
  frozen.trainOnBatch(x, y);
  assert.match(String(texts()[1]), /trainable = true of their layers/);
  net.unlock('all');
  const rows = y.array();
  rows[9] = [Number.NaN, 0];
  const found = await net.fit(x, rows, { epochs: 2, batchSize: 4, shuffle: false });
  assert.deepEqual(found.warnings, ['the loss is NaN from epoch 0, batch 2 on, counted from 0']);
  assert.equal(texts().length, 3);
  const w = shared.variable([1, 2]).lock('all');
  const sgd = shared.optimizers.sgd();
  for (let i = 0; i < 2; i++) sgd.minimize(() => shared.sum(w), { variables: [w] });
  assert.equal(texts().length, 4);
});
