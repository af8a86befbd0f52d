/* Precisions: f32, f64. */
/* Lifting the locks that press most: what comes free, and what stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caseOf, draw, make, measure } from './pressure-cases.js';
import { bitsOf } from './support.js';

/** @typedef {import('gradlock/layers').Dense} Dense */

test('a filter is what one output of a kernel reads, and of an embedding a row', async () => {
  const { g, nn } = await make();
  /** @type {[any, number[], string, number, number[]][]} Elements of filter 1. */
  const kinds = [
    [nn.dense({ units: 3 }), [1, 2], 'kernel', 3, [1, 4]],
    [nn.conv2d({ filters: 2, kernelSize: 1 }), [1, 2, 2, 3], 'kernel', 2, [1, 3, 5]],
    [
      nn.conv2dTranspose({ filters: 2, kernelSize: [1, 2] }),
      [1, 2, 2, 3],
      'kernel',
      2,
      [3, 4, 5, 9, 10, 11],
    ],
    [
      nn.depthwiseConv2d({ kernelSize: [1, 2], depthMultiplier: 2 }),
      [1, 2, 2, 3],
      'kernel',
      6,
      [1, 7],
    ],
    [nn.separableConv2d({ filters: 5, kernelSize: [1, 2] }), [1, 2, 2, 3], 'kernel', 3, [1, 4]],
    [nn.embedding({ inputDim: 4, outputDim: 3 }), [1, 2], 'embeddings', 4, [3, 4, 5]],
  ];
  for (const [layer, shape, key, count, elements] of kinds) {
    const x = nn.input({ shape: shape.slice(1) });
    const y = nn.dense({ units: 1 }).apply(nn.flatten().apply(layer.apply(x)));
    const net = nn.model({ inputs: x, outputs: y });
    net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    net.trainable = false;
    const [xs, ys] = [g.broadcastTo(1, [2, ...shape.slice(1)]), [[1], [2]]];
    const pressure = await net.pressure(xs, ys, {
      by: 'filter',
      maxRows: 1000,
      secondOrder: false,
    });
    const { name } = layer[key];
    const own = pressure.rows.filter(({ weight }) => weight === name);
    assert.equal(own.length, count, name);
    const wanted = own.find(({ filter }) => filter === 1);
    assert.ok(wanted);
    const maskOf = () => layer[key].locks.toMask();
    assert.ok(pressure.lift(pressure.rows.indexOf(wanted)).length < pressure.rows.length);
    const before = maskOf();
    assert.deepEqual(pressure.lift(), [wanted]);
    const after = maskOf();
    const free = [...after.keys()].filter((i) => before[i] !== after[i]);
    assert.deepEqual(free, elements, name);
  }
});

test('lift frees one layer of a frozen model inside, and all else stays locked and frozen', async () => {
  const made = await make();
  const { net, xs, ys } = caseOf(made, 'a model inside of a model');
  const [base, head] = net.layers;
  base.getLayer('low').kernel.locks.holder('mine').lock([0]);
  head.bias.lock('all');
  const low = await measure({ net, xs, ys }, { sortBy: 'firstOrder' });
  const order = low.rows.filter(({ locked }) => locked).map(({ name }) => name);
  assert.deepEqual([...order].sort(), ['head', 'high', 'low']);
  const count = () =>
    net.weights.reduce((/** @type {number} */ n, /** @type {any} */ w) => n + w.locks.count, 0);
  assert.equal(count(), 12 + 4 + 16 + 4 + 1);
  assert.deepEqual(
    low.lift(3).map(({ name }) => name),
    order,
  );
  // The holder of another name keeps its element.
  assert.equal(count(), 1);
  assert.deepEqual(low.lift(), []);
  assert.deepEqual([base.trainable, base.getLayer('low').trainable], [true, true]);

  base.trainable = false;
  const again = await measure({ net, xs, ys });
  const [row] = again.lift();
  const [lifted, other] = ['low', 'high'].sort((name) => (name === row?.name ? -1 : 1));
  assert.equal(base.getLayer(lifted).frozen, false);
  assert.equal(base.getLayer(other).frozen, true);
  assert.equal(base.getLayer(other).kernel.locks.count, base.getLayer(other).kernel.size);
});

test('a part of a frozen layer can be lifted: the rest of the layer stays locked', async () => {
  const made = await make();
  const found = caseOf(made, 'a layer that is applied twice');
  const { kernel, bias } = found.net.getLayer('shared');
  for (const [by, free] of /** @type {const} */ ([
    ['filter', 4],
    ['weight', 16],
  ])) {
    found.net.getLayer('shared').trainable = false;
    const pressure = await measure(found, { by });
    const row = pressure.rows.find(({ locked, weight }) => locked && weight === kernel.name);
    for (let i = 0; i < 9 && kernel.locks.count === 16; i++) pressure.lift();
    assert.ok(row);
    assert.equal(found.net.getLayer('shared').frozen, false);
    assert.equal(kernel.size - kernel.locks.count, free, by);
    assert.ok(bias.locks.count > 0 || pressure.rows[0]?.weight === bias.name);
    found.net.unlock('shared');
  }
});

test('liftPressure unlocks what is pressed most, epoch after epoch, without compiling anew', async () => {
  const { g, nn } = await make();
  const net = nn.sequential([
    nn.dense({ units: 6, activation: 'tanh', inputShape: [4], name: 'a' }),
    nn.batchNormalization({ name: 'norm' }),
    nn.dense({ units: 5, activation: 'tanh', name: 'b' }),
    nn.dense({ units: 1, name: 'c' }),
  ]);
  net.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
  net.trainable = false;
  const [xs, ys] = [draw(g, [24, 4], 1), draw(g, [24, 1], 2)];
  const lifting = nn.callbacks.liftPressure({ data: [xs, ys], every: 2, count: 1, batchSize: 8 });
  const start = net.weights.map((/** @type {any} */ w) => [...bitsOf(w.data())]);
  /** @type {string[][]} Layers whose weights have moved, by epochs. */
  const moving = [];
  /** @type {string[]} */
  const expected = [];
  const onEpochBegin = async (/** @type {number} */ epoch) => {
    if (epoch % 2 !== 0) return;
    const { rows } = await net.pressure(xs, ys, { batchSize: 8 });
    expected.push(String(rows.find(({ locked }) => locked)?.name));
  };
  const onEpochEnd = () => {
    const names = net.weights
      .filter(
        (/** @type {any} */ w, /** @type {number} */ i) =>
          `${[...bitsOf(w.data())]}` !== `${start[i]}`,
      )
      .map((/** @type {any} */ w) => w.name.split('/')[0]);
    moving.push([...new Set(names)]);
  };
  const { audit } = await net.fit(xs, ys, {
    epochs: 5,
    callbacks: [{ onEpochBegin }, lifting, { onEpochEnd }],
  });
  assert.deepEqual(
    lifting.lifted.map(({ name }) => name),
    expected,
  );
  assert.deepEqual(
    lifting.lifted.map(({ epoch }) => epoch),
    [0, 2, 4],
  );
  assert.equal(new Set(expected).size, 3);
  assert.deepEqual(
    moving.map((names) => names.length),
    [1, 1, 2, 2, 3],
  );
  assert.deepEqual(moving[1], [expected[0]]);
  assert.equal(audit?.changed, 0);
  await net.fit(xs, ys, { epochs: 4, callbacks: lifting });
  assert.equal(lifting.lifted.length, 1, 'what is left; then there is nothing to lift');
  const pressure = () => assert.fail('there is nothing to measure');
  Object.defineProperty(net, 'pressure', { value: pressure });
  await net.fit(xs, ys, { epochs: 1, callbacks: lifting });
  assert.deepEqual(lifting.lifted, []);
});

test('layers of one name in two models inside are two, each with its own curvature and lock', async () => {
  const { g, nn } = await make();
  /** @param {string} name @param {number} inputs @param {number} units */
  const part = (name, inputs, units) =>
    nn.sequential({
      name,
      layers: [nn.dense({ units, activation: 'tanh', inputShape: [inputs], name: 'same' })],
    });
  const [low, high] = [part('low', 3, 3), part('high', 3, 3)];
  const net = nn.sequential([low, high]);
  net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  net.trainable = false;
  const [xs, ys] = [draw(g, [5, 3], 1), draw(g, [5, 3], 2)];
  const both = await net.pressure(xs, ys);
  assert.equal(both.rows.length, 2);
  low.layers[0].trainable = true;
  for (const { locked, curvature } of (await net.pressure(xs, ys)).rows) {
    const alike = both.rows.filter((row) => row.curvature === curvature);
    assert.equal(alike.length, 1, `${locked}: ${curvature}`);
  }
  assert.equal(new Set(both.rows.map(({ curvature }) => curvature)).size, 2);
  low.layers[0].trainable = false;
  (await net.pressure(xs, ys)).lift();
  const locked = [low, high].map(
    ({ layers: [layer] }) => /** @type {Dense} */ (layer).kernel.locks.count,
  );
  assert.deepEqual(locked.sort(), [0, 9]);
});

test('a model that was made frozen hands it down to its other layers', async () => {
  const { g, nn } = await make();
  const base = nn.sequential({
    trainable: false,
    layers: [
      nn.dense({ units: 3, inputShape: [3], name: 'low' }),
      nn.dense({ units: 3, name: 'high' }),
    ],
  });
  const net = nn.sequential([base]);
  net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  const [row] = (await net.pressure(draw(g, [5, 3], 1), draw(g, [5, 3], 2))).lift();
  for (const layer of base.layers) {
    assert.equal(layer.frozen, layer.name !== row?.name);
    assert.equal(/** @type {Dense} */ (layer).kernel.locks.count, layer.name === row?.name ? 0 : 9);
  }
});
