/* Tier: test. Precisions: f32, f64 of ^(?!a file of version 1, as|loading converts)[a-z\d]. */
/* Files of our own: what is saved is what is opened, to the bit, and training goes on as if nothing
 * had happened; weights by name; deltas that are put on and taken off. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  FormatError,
  GradlockError,
  init,
  LockedElementError,
  OptionError,
  ShapeError,
} from 'gradlock';
import {
  applyDelta,
  loadModel,
  loadWeights,
  MismatchError,
  readSafetensors,
  saveDelta,
  saveModel,
  saveWeights,
  writeSafetensors,
} from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { bitsOf, random, randomValues } from './support.js';

/** @typedef {import('gradlock/layers').Dense} Dense */

const make = async (seed = 1) => {
  const g = await init();
  return { g, nn: layers(g, { seed }) };
};

/** Layers with moving statistics, draws of their own and of all, and sequences. @param {any} nn */
const network = (nn) =>
  nn.sequential([
    nn.dense({ units: 8, inputShape: [6], activation: 'relu', name: 'base' }),
    nn.batchNormalization({ name: 'norm' }),
    nn.dropout({ rate: 0.25, seed: 5 }),
    nn.reshape({ targetShape: [4, 2] }),
    nn.gru({ units: 5, name: 'gru' }),
    nn.dropout({ rate: 0.5 }),
    nn.dense({ units: 3, activation: 'softmax', name: 'head' }),
  ]);

const next = random(7);
const xs = { data: randomValues(20 * 6, next), shape: [20, 6] };
const ys = Array.from({ length: 20 }, (_, i) => i % 3);

/** Bytes of a value: 8 in double precision. @param {any} model */
const widthOf = (model) => model.weights[0].view().BYTES_PER_ELEMENT;

/** @param {any} model @param {number} epochs */
const train = (model, epochs) =>
  model.fit(model.g.tensor(xs.data, xs.shape), ys, { epochs, batchSize: 8, yieldEvery: 'never' });

/** @param {any} model */
const bits = (model) =>
  model.weights.map((/** @type {any} */ weight) => [...bitsOf(weight.data())]);

/** @param {any} model Everything about locks. */
const locksOf = (model) =>
  model.weights.map((/** @type {any} */ { name, locks }) => [
    name,
    [...locks.own().toIndices()],
    ...locks.holders
      .sort()
      .map((/** @type {string} */ holder) => [
        holder,
        ...locks.holder(holder).toLocks().toIndices(),
      ]),
  ]);

/** @param {any} model */
const lockSome = (model) => {
  model.getLayer('base').kernel.lock({ cols: [0, 3] });
  model
    .getLayer('base')
    .kernel.locks.holder('drag')
    .lock([[1, 1]]);
  model.getLayer('gru').trainable = false;
  model.getLayer('head').bias.lock([2]);
};

const compiled = (/** @type {any} */ model, optimizer = 'adam') => {
  const loss = 'sparseCategoricalCrossentropy';
  model.compile({ optimizer, loss, metrics: ['accuracy'] });
  return model;
};

for (const optimizer of ['sgd', 'adam', 'adamW', 'rmsprop']) {
  test(`a model saved after ${optimizer} goes on to the bit in another instance, with locks changed since`, async () => {
    const { g, nn } = await make();
    const model = compiled(network(nn), optimizer);
    await train(model, 1);
    lockSome(model);
    await train(model, 2);
    const file = saveModel(model);
    const other = await make(3);
    const opened = await loadModel(other.nn, file, { compile: { metrics: ['accuracy'] } });
    assert.deepEqual(bits(opened), bits(model));
    assert.deepEqual(locksOf(opened), locksOf(model));
    assert.deepEqual(
      opened.layers.map((layer) => [layer.name, layer.trainable]),
      model.layers.map((/** @type {any} */ layer) => [layer.name, layer.trainable]),
    );
    assert.equal(opened.optimizer?.iterations, model.optimizer.iterations);
    for (const one of [model, opened]) one.getLayer('gru').trainable = true;
    const [a, b] = [await train(model, 2), await train(opened, 2)];
    assert.deepEqual(bits(opened), bits(model), 'trained on');
    assert.deepEqual(b.history, a.history);
    assert.deepEqual(bits(await loadModel(nn, saveModel(opened))), bits(opened), 'and once more');
    g.dispose();
    other.g.dispose();
  });
}

test('a file has values once, though the optimizer keeps them too', async () => {
  const { nn } = await make();
  const model = nn.sequential([nn.dense({ units: 100, inputShape: [100] })]);
  model.compile({ optimizer: 'adam', loss: 'mse' });
  model.trainOnBatch([new Float32Array(100)], [new Float32Array(100)]);
  const weights = widthOf(model) * 10100;
  const [with_, without] = [saveModel(model), saveModel(model, { optimizer: false })];
  assert.ok(without.length < weights + 4000, `${without.length} bytes`);
  assert.ok(with_.length < 3 * weights + 8000, `${with_.length} bytes: values and two slots`);
});

test('a model with a loss of its own needs it again, or is opened without', async () => {
  const { g, nn } = await make();
  const model = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
  const loss = (/** @type {any} */ y, /** @type {any} */ p) => g.square(g.sub(y, p));
  model.compile({ optimizer: g.optimizers.sgd({ momentum: 0.9 }), loss });
  model.trainOnBatch([[1]], [[2]]);
  const file = saveModel(model);
  const before = g.memory().objects;
  await assert.rejects(loadModel(nn, file), OptionError);
  assert.equal(g.memory().objects, before, 'a refused model leaves nothing');
  const [opened, bare] = [
    await loadModel(nn, file, { compile: { loss } }),
    await loadModel(nn, file, { compile: false }),
  ];
  assert.equal(bare.optimizer, null);
  assert.equal(opened.optimizer?.rule, 'sgd');
  for (const one of [model, opened]) one.trainOnBatch([[1]], [[2]]);
  assert.deepEqual(bits(opened), bits(model));
});

test('a report says what was loaded, also of a file of saveModel, and what was left out', async () => {
  const { g, nn } = await make();
  const model = compiled(network(nn));
  await train(model, 1);
  lockSome(model);
  const [own, weights] = [saveModel(model), saveWeights(model)];
  const loaded = [...readSafetensors(weights).tensors.keys()].sort();
  const rest = { missing: [], unexpected: [], misshapen: [], converted: [] };
  const training = ['gradlock:optimizer'];
  for (const [compile, skipped] of /** @type {const} */ ([
    [undefined, []],
    [false, training],
  ])) {
    /** @type {any[]} */
    const reports = [];
    await loadModel(nn, own, { compile, onReport: (report) => void reports.push(report) });
    for (const report of reports) report.loaded.sort();
    assert.deepEqual(reports, [{ loaded, skipped, ...rest }]);
  }
  /** @type {[object, RegExp][]} */
  const refused = [
    [{ partial: true }, /a file of saveModel has all weights: leave partial out/],
    [{ partial: 1 }, /partial must be true or false/],
    [{ onReport: null }, /onReport must be a function/],
    [{ onReport: async () => {} }, /onReport must not be async/],
  ];
  const before = g.memory().objects;
  for (const [options, text] of refused) await assert.rejects(loadModel(nn, own, options), text);
  const keras = { modelTopology: JSON.parse(JSON.stringify(model)), weightsManifest: [] };
  const call = loadModel(nn, keras, { partial: true, compile: /** @type {any} */ (null) });
  await assert.rejects(call, /compile works only for files of saveModel/);
  assert.equal(g.memory().objects, before, 'nothing is left');
});

test('two models inside of one may have layers of one name', async () => {
  const { nn } = await make();
  const inner = () =>
    nn.sequential({ layers: [nn.dense({ units: 2, inputShape: [2], name: 'same' })] });
  const model = nn.sequential([inner(), inner()]);
  const { tensors } = readSafetensors(saveWeights(model));
  assert.deepEqual([...tensors.keys()].sort(), [
    'same/bias',
    'same/bias_1',
    'same/kernel',
    'same/kernel_1',
  ]);
  assert.deepEqual(bits(await loadModel(nn, saveModel(model))), bits(model));
});

const fixture = () =>
  readFileSync(new URL('../golden/formats/version-1.safetensors', import.meta.url));

test('a file of version 1, as it was written then, opens, and trains on as it did then', async () => {
  const { nn } = await make();
  const model = await loadModel(nn, fixture());
  const text = JSON.parse(
    readFileSync(new URL('../golden/formats/version-1.json', import.meta.url), 'utf8'),
  );
  assert.deepEqual(bits(model), text.bits);
  assert.deepEqual(locksOf(model), text.locks);
  assert.equal(model.optimizer?.iterations, text.iterations);
  await model.fit(text.xs, text.ys, { epochs: 2, batchSize: 2 });
  assert.deepEqual(bits(model), text.after);
});

test('a file of a version to come is refused by its number, and so is one without', async () => {
  const { nn } = await make();
  const { tensors, metadata } = readSafetensors(fixture());
  for (const version of ['3', '17', '', '0', '1.5', 'NaN']) {
    const file = writeSafetensors(tensors, { ...metadata, 'gradlock.version': version });
    await assert.rejects(loadModel(nn, file), (error) => {
      assert.ok(error instanceof FormatError && error.message.includes(`"${version}"`));
      return true;
    });
  }
});

test('files of version 1 count the outputs of inner models from 0, and mean what they meant', async () => {
  const { g, nn } = await make();
  const x = nn.input({ shape: [2] });
  const a = nn.input({ shape: [2] });
  const inner = nn.model({ inputs: a, outputs: nn.dense({ units: 2 }).apply(a), name: 'inner' });
  const first = inner.apply(x);
  const second = inner.apply(nn.activation({ activation: 'relu' }).apply(first));
  const model = nn.model({ inputs: x, outputs: second });
  const { tensors, metadata } = readSafetensors(saveModel(model));
  const old = String(metadata['gradlock.topology']).replace('["inner",2,0]', '["inner",1,0]');
  assert.notEqual(old, metadata['gradlock.topology']);
  const words = { ...metadata, 'gradlock.topology': old, 'gradlock.version': '1' };
  const opened = await loadModel(nn, writeSafetensors(tensors, words));
  const rows = g.tensor([[1, -2]]);
  assert.deepEqual(opened.predict(rows).array(), model.predict(rows).array());
});

// ----------------------------------------------------------------------------------------- weights

/** @param {any} nn */
const small = (nn) =>
  nn.sequential([
    nn.dense({ units: 3, inputShape: [2], name: 'base' }),
    nn.dense({ units: 1, name: 'head' }),
  ]);

const WEIGHTS = ['base/kernel', 'base/bias', 'head/kernel', 'head/bias'];

test('weights go from one model to another by name, to the bit', async () => {
  const { nn } = await make();
  const [one, two] = [small(nn), small(nn)];
  one.weights[0].assign(Float32Array.of(-0, Number.NaN, Infinity, 1e-45, 1, 2));
  const report = await loadWeights(two, saveWeights(one, { metadata: { note: 'x' } }));
  assert.deepEqual(bits(two), bits(one));
  assert.deepEqual(report.loaded, WEIGHTS);
  const rest = [report.missing, report.unexpected, report.misshapen, report.converted];
  assert.deepEqual(rest, [[], [], [], []]);
  // What saveModel writes has weights, too, beside other things.
  await loadWeights(two, saveModel(one));
  assert.deepEqual(bits(two), bits(one));
});

/** @param {any} model @param {Record<string, any>} changes */
const fileWith = (model, changes) => {
  const { tensors } = readSafetensors(saveWeights(model));
  const all = { ...Object.fromEntries(tensors), ...changes };
  return writeSafetensors(
    new Map(Object.entries(all).filter(([, tensor]) => tensor !== undefined)),
  );
};

test('weights that do not match are listed, and nothing is loaded, unless a part is asked for', async () => {
  const { nn } = await make();
  const [one, two] = [small(nn), small(nn)];
  const file = fileWith(one, {
    'head/kernel': { shape: [1, 3], data: [1, 2, 3] },
    'head/bias': undefined,
    'tail/bias': { shape: [1], data: [1] },
  });
  const before = bits(two);
  await assert.rejects(loadWeights(two, file), (/** @type {any} */ error) => {
    assert.ok(error instanceof MismatchError && error instanceof ShapeError);
    assert.match(error.message, /does not contain head\/bias/);
    assert.match(error.message, /no tail\/bias/);
    assert.match(error.message, /head\/kernel \[3, 1\] is \[1, 3\] in the file/);
    assert.deepEqual(error.report.missing, ['head/bias']);
    return true;
  });
  assert.deepEqual(bits(two), before);
  const report = await loadWeights(two, file, { partial: true });
  assert.deepEqual(report, {
    loaded: ['base/kernel', 'base/bias'],
    missing: ['head/bias'],
    unexpected: ['tail/bias'],
    misshapen: [{ name: 'head/kernel', expected: [3, 1], got: [1, 3] }],
    skipped: [],
    converted: [],
  });
  assert.deepEqual(bits(two).slice(0, 2), bits(one).slice(0, 2));
  assert.deepEqual(bits(two).slice(2), before.slice(2));
});

test('a locked element that would change refuses all of a file (law 9), unless forced', async () => {
  const { nn } = await make();
  const [one, two] = [small(nn), small(nn)];
  two.getLayer('head').kernel.lock([1]);
  const before = bits(two);
  const file = saveWeights(one);
  await assert.rejects(loadWeights(two, file), LockedElementError);
  assert.deepEqual(bits(two), before);
  const kept = one.getLayer('head').kernel.data();
  kept[1] = two.getLayer('head').kernel.data()[1];
  one.getLayer('head').kernel.assign(kept);
  await loadWeights(two, saveWeights(one));
  assert.deepEqual(bits(two), bits(one), 'equal bits are no change');
  await loadWeights(two, file, { force: true });
  assert.notDeepEqual(bits(two), bits(one));
  assert.equal(two.getLayer('head').kernel.locks.count, 1);
});

test('a refused file leaves weights alone that it might have changed, too', async () => {
  const { nn } = await make();
  const [one, two] = [small(nn), small(nn)];
  const { kernel } = two.getLayer('base');
  kernel.lock([[0, 0]]);
  const values = one.getLayer('base').kernel.data();
  values[0] = kernel.data()[0];
  one.getLayer('base').kernel.assign(values);
  two.getLayer('head').bias.assign([1]).lock([0]);
  const before = bits(two);
  await assert.rejects(loadWeights(two, saveWeights(one)), LockedElementError);
  assert.deepEqual(bits(two), before);
});

test('holders are in a file without an optimizer, too', async () => {
  const { nn } = await make();
  const model = network(nn);
  lockSome(model);
  assert.deepEqual(locksOf(await loadModel(nn, saveModel(model))), locksOf(model));
});

test('a layer that there is not here is named, and so is what is odd in a topology', async () => {
  const { nn } = await make();
  const { tensors, metadata } = readSafetensors(saveModel(small(nn)));
  const topology = String(metadata['gradlock.topology']).replace('"Dense"', '"Denser"');
  const file = writeSafetensors(tensors, { ...metadata, 'gradlock.topology': topology });
  await assert.rejects(loadModel(nn, file), (error) => {
    assert.ok(error instanceof OptionError);
    assert.match(error.message, /Denser/);
    return true;
  });
  const odd = topology.replace('"Denser"', '"Dense"').replace('"units":3', '"units":"x"');
  const other = writeSafetensors(tensors, { ...metadata, 'gradlock.topology': odd });
  await assert.rejects(loadModel(nn, other), (error) => {
    assert.ok(error instanceof FormatError && error.cause instanceof TypeError);
    assert.match(error.message, /topology is not of a model: Dense: units/);
    return true;
  });
});

test('loading converts and counts other types; a mapping renames, transposes, leaves out', async () => {
  const { nn } = await make();
  const model = small(nn);
  const file = writeSafetensors({
    w: { shape: [3, 2], data: Float64Array.of(1, 2, 3, 4, 5, 0.1) },
    'base/bias': { dtype: 'F16', shape: [3], data: Uint16Array.of(0x3c00, 0, 0) },
    'head/kernel': { shape: [3, 1], data: BigInt64Array.of(1n, 2n, 2n ** 24n + 1n) },
    'head/bias': { dtype: 'BOOL', shape: [1], data: Uint8Array.of(1) },
    step: { shape: [], data: Int32Array.of(3) },
  });
  const before = bits(model);
  const wrong = [
    { w: { to: 'base/kernel', transpose: [0, 0] } },
    { w: { to: 'base/kernel', reshape: [5] } },
    { w: { to: 'base/kernel', blocks: [0, 2] } },
    { w: { to: 'base/kernel', turn: [1, 0] } },
    { w: { transpose: [1, 0] } },
    { w: 'base/bias' },
    'w',
  ];
  for (const mapping of wrong) {
    await assert.rejects(loadWeights(model, file, { mapping: /** @type {any} */ (mapping) }));
  }
  assert.deepEqual(bits(model), before);
  /** @type {import('gradlock/formats').Mapping} */
  const mapping = { w: { to: 'base/kernel', transpose: [1, 0] }, step: null };
  const report = await loadWeights(model, file, { mapping });
  assert.deepEqual(model.getLayer('base').kernel.array(), [
    [1, 3, 5],
    [2, 4, Math.fround(0.1)],
  ]);
  assert.deepEqual(report.skipped, ['step']);
  assert.deepEqual(report.converted, [
    { name: 'base/kernel', dtype: 'F64', rounded: 1 },
    { name: 'base/bias', dtype: 'F16', rounded: 0 },
    { name: 'head/kernel', dtype: 'I64', rounded: 1 },
    { name: 'head/bias', dtype: 'BOOL', rounded: 0 },
  ]);
  const same = await loadWeights(model, file, {
    mapping: (name) =>
      name === 'w' ? { to: 'base/kernel', transpose: [1, 0] } : name === 'step' ? null : undefined,
  });
  assert.deepEqual(same, report);
});

// ------------------------------------------------------------------------------------------ deltas

test('deltas of one base are put on and taken off in turn, to the bit', async () => {
  const { nn } = await make();
  const base = small(nn);
  const file = saveModel(base);
  const start = bits(base);
  /** @type {Uint8Array[]} */
  const deltas = [];
  /** @type {any[]} */
  const trained = [];
  for (const target of [1, -3]) {
    const model = await loadModel(nn, file);
    model.getLayer('base').trainable = false;
    /** @type {Dense} */ (model.getLayer('head')).kernel.lock([2]);
    model.compile({ optimizer: 'adam', loss: 'mse' });
    for (let i = 0; i < 5; i++) model.trainOnBatch([[1, 2]], [[target]]);
    trained.push(bits(model));
    deltas.push(saveDelta(model), saveDelta(model, file), saveDelta(model, base));
    const words = [saveDelta(model, saveWeights(base)), saveDelta(model, file)];
    assert.deepEqual(
      Buffer.from(/** @type {any} */ (words[0])),
      Buffer.from(/** @type {any} */ (words[1])),
    );
  }
  for (const i of [0, 3, 1, 4, 2, 5, 0, 1]) {
    const applied = applyDelta(base, /** @type {Uint8Array} */ (deltas[i]));
    assert.deepEqual(bits(base), trained[i < 3 ? 0 : 1]);
    assert.equal(applied.count, 3, 'two of the kernel, and the bias');
    assert.equal(applied.applied, true);
    applied.remove();
    assert.deepEqual(bits(base), start);
    assert.equal(applied.applied, false);
    applied.remove();
    assert.deepEqual(bits(base), start, 'a second time does nothing');
  }
});

test('a delta is refused on another base, over locks, and from under another', async () => {
  const { nn } = await make();
  const base = small(nn);
  const model = await loadModel(nn, saveModel(base));
  /** @type {Dense} */ (model.getLayer('head')).kernel.assign([[5], [6], [7]]);
  const delta = saveDelta(model, base);
  const biased = await loadModel(nn, saveModel(base));
  /** @type {Dense} */ (biased.getLayer('head')).bias.assign([9]);
  const second = saveDelta(biased, base);

  base.getLayer('base').kernel.assign([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const other = bits(base);
  assert.throws(() => applyDelta(base, delta), GradlockError);
  assert.deepEqual(bits(base), other);
  await loadWeights(base, saveWeights(model));
  base.getLayer('head').kernel.assign([[0], [0], [0]]);
  applyDelta(base, delta).remove();
  assert.throws(() => applyDelta(small(nn), delta), GradlockError);

  await loadWeights(base, saveWeights(model));
  applyDelta(base, delta).remove();
  base.getLayer('head').kernel.assign([[0], [0], [0]]);
  base.getLayer('head').kernel.lock('all');
  assert.throws(() => applyDelta(base, delta), LockedElementError);
  assert.deepEqual(base.getLayer('head').kernel.array(), [[0], [0], [0]]);
  const forced = applyDelta(base, delta, { force: true });
  assert.deepEqual(base.getLayer('head').kernel.array(), [[5], [6], [7]]);
  forced.remove();
  assert.deepEqual(base.getLayer('head').kernel.array(), [[0], [0], [0]]);

  base.getLayer('head').kernel.unlock('all');
  const below = applyDelta(base, delta);
  assert.throws(() => applyDelta(base, second), GradlockError, 'the kernel is not its base');
  base.getLayer('head').kernel.assign([[5], [6], [8]]);
  assert.throws(() => below.remove(), GradlockError, 'trained since');
  below.remove({ force: true });
  assert.deepEqual(base.getLayer('head').kernel.array(), [[0], [0], [0]]);
  assert.throws(() => applyDelta(base, saveModel(base)), FormatError);
  assert.throws(() => applyDelta(base, saveWeights(base)), FormatError);
  const says = /no base\/kernel of shape \[2, 3\]/;
  for (const none of /** @type {any[]} */ ([{}, { 'base/kernel': { shape: [1], data: [0] } }]))
    assert.throws(() => saveDelta(base, writeSafetensors(none)), says);
});

/** Bytes of a delta by those of its weights, with a share of elements free. */
const shareOf = async (/** @type {any} */ selection) => {
  const { g, nn } = await make();
  const model = nn.sequential([nn.embedding({ inputDim: 4000, outputDim: 100, inputShape: [1] })]);
  model.weights[0]?.trainOnly(selection(g));
  return saveDelta(model).length / (widthOf(model) * 400_000);
};

test('a delta of 1 % of the elements takes 1.04 % of the weights in rows, 1.6 % at random', async () => {
  const rows = await shareOf(() => ({ rows: Array.from({ length: 40 }, (_, i) => 50 * i) }));
  const anywhere = await shareOf(() => ({ random: { fraction: 0.01, seed: 3 } }));
  assert.ok(rows < 0.0104, `rows: ${rows}`);
  assert.ok(anywhere < 0.016, `random: ${anywhere}`);
});

test('a layer is no model, and is told so', async () => {
  const { nn } = await make();
  const layer = /** @type {any} */ (small(nn).getLayer('head'));
  const bytes = saveWeights(small(nn));
  for (const call of [saveWeights, saveModel, saveDelta])
    assert.throws(() => call(layer), TypeError);
  assert.throws(() => applyDelta(layer, bytes), TypeError);
  await assert.rejects(loadWeights(layer, bytes), /takes a model of gradlock\/layers, got a Layer/);
});
