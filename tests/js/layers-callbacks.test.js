/* Precisions: f32, f64. */
/* What happens during a fit: callbacks, schedules, and how it ends early. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, GradlockError, init, ShapeError } from 'gradlock';
import { layers } from 'gradlock/layers';
import { data, small, valuesOf } from './layers-small.js';

/** @typedef {import('gradlock/layers').Dense} Dense */
/** @typedef {import('gradlock').Gradlock} Gradlock */

test('callbacks come at the moments of TensorFlow.js, awaited, with logs', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g, 5);
  /** @type {any[]} */
  const seen = [];
  const record =
    (/** @type {string} */ name) =>
    async (/** @type {any[]} */ ...args) => {
      await null;
      seen.push([name, ...args.map((a) => (typeof a === 'object' ? Object.keys(a).join() : a))]);
    };
  const moments = [
    'onTrainBegin',
    'onTrainEnd',
    'onEpochBegin',
    'onEpochEnd',
    'onBatchBegin',
    'onBatchEnd',
  ];
  const callbacks = Object.fromEntries(moments.map((name) => [name, record(name)]));
  await net.fit(x, y, {
    batchSize: 3,
    epochs: 2,
    initialEpoch: 1,
    callbacks,
    validationData: [x, y],
  });
  assert.deepEqual(seen, [
    ['onTrainBegin', ''],
    ['onEpochBegin', 1, ''],
    ['onBatchBegin', 0, 'batch,size'],
    ['onBatchEnd', 0, 'batch,size,loss,mae'],
    ['onBatchBegin', 1, 'batch,size'],
    ['onBatchEnd', 1, 'batch,size,loss,mae'],
    ['onEpochEnd', 1, 'loss,mae,val_loss,val_mae'],
    ['onTrainEnd', ''],
  ]);
});

test('fit stops within a batch by a signal or stopTraining, and says where', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g);
  const controller = new AbortController();
  let count = 0;
  const onBatchEnd = () => {
    count++;
    if (count === 7) controller.abort();
  };
  const options = { epochs: 9, batchSize: 4, callbacks: { onBatchEnd }, signal: controller.signal };
  const { stopped, epoch, unfinished, history } = await net.fit(x, y, options);
  assert.equal(stopped, 'signal');
  assert.deepEqual(epoch, [0]);
  assert.equal(history.loss?.length, 1);
  assert.equal(unfinished?.epoch, 1);
  assert.equal(unfinished?.batches, 2);
  const at = valuesOf(net);
  assert.equal(
    (await net.fit(x, y, { ...options, epochs: 9 })).stopped,
    'signal',
    'aborted before',
  );
  assert.deepEqual(valuesOf(net), at);
  const again = await net.fit(x, y, {
    callbacks: { onEpochEnd: () => void Object.assign(net, { stopTraining: true }) },
    epochs: 5,
  });
  assert.equal(again.stopped, 'stopTraining');
  assert.deepEqual(again.epoch, [0]);
});

test('a loss that is no number ends training with a reason, if asked', async () => {
  const g = await init();
  const { net, nn } = small(g);
  const { x, y } = data(g);
  const bad = g.add(y, Number.NaN);
  const callbacks = [nn.callbacks.terminateOnNaN()];
  const { stopped, unfinished } = await net.fit(x, bad, { epochs: 3, callbacks });
  assert.equal(stopped, 'nan');
  assert.ok(unfinished && Number.isNaN(unfinished.logs.loss));
});

test('an error of a callback or an iterator rejects fit, and the model can be trained again', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g);
  const boom = new Error('boom');
  const objects = g.memory().objects;
  const callbacks = {
    onBatchEnd: () => {
      throw boom;
    },
  };
  await assert.rejects(net.fit(x, y, { callbacks }), boom);
  const broken = function* () {
    yield [[[1, 2, 3]], [[1, 2]]];
    throw boom;
  };
  await assert.rejects(
    net.fit(() => broken()),
    boom,
  );
  await assert.rejects(
    net.fit([[[[1, 2, 3]], [[1, 2]]]].values(), { stepsPerEpoch: 2 }),
    (/** @type {any} */ e) => e instanceof ShapeError && /1 of 2/.test(e.message),
  );
  let closed = false;
  const endless = function* () {
    try {
      for (;;) yield [[[1, 2, 3]], [[1, 2]]];
    } finally {
      closed = true;
    }
  };
  await net.fit(endless(), { stepsPerEpoch: 2, epochs: 2 });
  assert.ok(closed, 'iterators are told that no more is wanted');
  assert.equal(g.memory().objects, objects, 'only what the optimizer keeps is left');
  await net.fit(x, y);
});

test('a model can be disposed in a callback; two fits at a time are refused', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g);
  const first = net.fit(x, y, { epochs: 3, yieldEvery: 'batch', batchSize: 4 });
  await assert.rejects(
    net.fit(x, y),
    (/** @type {any} */ e) => e instanceof GradlockError && /already/.test(e.message),
  );
  await first;
  await assert.rejects(
    net.fit(x, y, { epochs: 3, callbacks: { onEpochEnd: () => net.dispose() } }),
    (/** @type {any} */ e) => e instanceof GradlockError,
  );
  assert.throws(
    () => net.predict(x),
    (/** @type {any} */ e) => e instanceof DisposedError || e instanceof GradlockError,
  );
});

test('earlyStopping restores the best weights, but for what is locked', async () => {
  const g = await init();
  const { net, nn } = small(g);
  const { x, y } = data(g);
  net.compile({ optimizer: g.optimizers.sgd({ learningRate: 0.1 }), loss: 'mse' });
  const head = /** @type {Dense} */ (net.getLayer('head'));
  /** @type {any[]} */
  const kept = [];
  const stop = nn.callbacks.earlyStopping({
    monitor: 'loss',
    patience: 2,
    restoreBestWeights: true,
  });
  await net.fit(x, y, {
    epochs: 30,
    callbacks: [
      {
        onEpochEnd: (epoch, logs) => {
          kept.push(valuesOf(net));
          if (epoch === 2) {
            head.bias.assign([5, 6]);
            head.bias.lock([[0]].flat());
          }
          if (epoch > 2 && logs) logs.loss = 99;
        },
      },
      stop,
    ],
  });
  assert.equal(stop.stoppedEpoch, 4);
  const now = valuesOf(net);
  assert.deepEqual(now.slice(0, 3), kept[2].slice(0, 3));
  assert.equal(now[3][0], 5, 'locked');
});

test('learning rates follow schedules of epochs and plateaus', async () => {
  const g = await init();
  const { net, nn } = small(g);
  const { x, y } = data(g);
  /** @type {number[]} */
  const rates = [];
  const look = { onEpochEnd: () => void rates.push(Number(net.optimizer?.learningRate)) };
  await net.fit(x, y, {
    epochs: 3,
    callbacks: [
      nn.callbacks.learningRateScheduler((epoch, rate) => (epoch === 1 ? rate / 2 : rate)),
      look,
    ],
  });
  assert.deepEqual(rates, [0.001, 0.0005, 0.0005]);
  rates.length = 0;
  const plateau = nn.callbacks.reduceLROnPlateau({
    monitor: 'loss',
    factor: 0.5,
    patience: 1,
    minLr: 0.0001,
    minDelta: 100,
  });
  await net.fit(x, y, { epochs: 5, callbacks: [plateau, look] });
  assert.deepEqual(
    rates.map((r) => r.toFixed(7)),
    ['0.0005000', '0.0002500', '0.0001250', '0.0001000', '0.0001000'],
  );
});

test('a schedule locks and frees by epochs, and sets rates', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g);
  net.schedule([
    { atEpoch: 2, unlock: 'base', learningRate: 0.01, rates: { base: 0 } },
    { atEpoch: 0, trainOnly: /^head/ },
  ]);
  /** @type {any[]} */
  const seen = [];
  const before = valuesOf(net);
  await net.fit(x, y, {
    epochs: 3,
    callbacks: {
      onEpochEnd: () =>
        void seen.push([
          /** @type {Dense} */ (net.getLayer('base')).kernel.locks.count,
          net.optimizer?.learningRate,
        ]),
    },
  });
  assert.deepEqual(seen, [
    [12, 0.001],
    [12, 0.001],
    [0, 0.01],
  ]);
  assert.deepEqual(valuesOf(net).slice(0, 2), before.slice(0, 2), 'a rate of 0 holds');
  assert.throws(() => net.schedule(/** @type {any} */ ([{ epoch: 1 }])), TypeError);
});

test('progress tells time left', async () => {
  const g = await init();
  const { net } = small(g);
  const { x, y } = data(g);
  /** @type {any[]} */
  const seen = [];
  await net.fit(x, y, { epochs: 2, batchSize: 10, onProgress: (p) => void seen.push(p) });
  assert.deepEqual(
    seen.map(({ epoch, batch, batches }) => [epoch, batch, batches]),
    [
      [0, 1, 2],
      [0, 2, 2],
      [1, 1, 2],
      [1, 2, 2],
    ],
  );
  assert.equal(seen.at(-1).timeLeft, 0);
  assert.ok(seen[0].timeLeft > 0 && seen[0].logs.loss > 0);
});

test('ready-made callbacks heed all of their options', async () => {
  const { callbacks } = layers(await init());
  /** @param {any} callback @param {number[]} losses */
  const drive = async (callback, losses) => {
    const model = { stopTraining: false, optimizer: { learningRate: 1 } };
    callback.setModel(model);
    callback.onTrainBegin();
    const rates = [];
    for (const [epoch, loss] of losses.entries()) {
      await callback.onEpochEnd(epoch, { val_loss: loss });
      rates.push(model.optimizer.learningRate);
      if (model.stopTraining) break;
    }
    return rates;
  };
  const waits = callbacks.earlyStopping({ patience: 2, startFromEpoch: 2, minDelta: -0.5 });
  await drive(waits, [1, 2, 3, 2.6, 2.6, 1, 0]);
  assert.equal(waits.stoppedEpoch, 4, 'what is 0.5 better at most is not, from the third on');
  const strict = callbacks.earlyStopping({ patience: 3, baseline: 0 });
  await drive(strict, [4, 3, 2, 1, 2, 3]);
  assert.equal(strict.stoppedEpoch, 4, 'better, but never below the baseline');
  const slow = callbacks.reduceLROnPlateau({ factor: 0.5, patience: 1, cooldown: 2 });
  assert.deepEqual(await drive(slow, [1, 1, 1, 1, 1]), [1, 0.5, 0.5, 0.25, 0.25]);
  /** @type {number[]} */
  const saved = [];
  const save = (/** @type {any} */ _, /** @type {number} */ epoch) => void saved.push(epoch);
  await drive(callbacks.modelCheckpoint({ save }), [1, 2]);
  await drive(callbacks.modelCheckpoint({ save, saveBestOnly: true, mode: 'max' }), [1, 2, 1, 3]);
  assert.deepEqual(saved, [0, 1, 0, 1, 3]);
  const wrong = /** @type {any} */ (callbacks);
  assert.throws(() => wrong.modelCheckpoint({}), /save must be a function/);
  assert.throws(() => wrong.earlyStopping({ mode: 'up' }), /mode must be 'auto' or 'min'/);
  assert.throws(() => callbacks.reduceLROnPlateau({ factor: 1 }), /factor must be above 0/);
  assert.throws(() => wrong.earlyStopping({ patient: 1 }), /options have no 'patient'/);
});
