/* Tier: test. */
/* Models in double precision: their files keep every bit, those of the other precision are widened
 * exactly or refused, and what counts bytes counts 8 for each value. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as single from 'gradlock';
import * as double from 'gradlock/double';
import {
  applyDelta,
  loadModel,
  loadWeights,
  readSafetensors,
  saveDelta,
  saveLayersModel,
  saveModel,
  saveWeights,
  writeSafetensors,
} from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import * as hdf5 from 'h5wasm/node';
import { bitsOf } from './support.js';

/** @type {() => Promise<any>} */
const initDouble = double.init;
const open = async (init = initDouble) => {
  const g = await init();
  return { g, nn: layers(g, { seed: 3 }) };
};

/** @param {any} nn */
const network = (nn) =>
  nn.sequential({
    name: 'net',
    layers: [
      nn.dense({ units: 3, inputShape: [2], activation: 'tanh', name: 'base' }),
      nn.dense({ units: 1, name: 'head' }),
    ],
  });

/** @param {any} model @returns {number[][]} */
const valuesOf = (model) =>
  model.weights.map((/** @type {any} */ weight) => Array.from(weight.data()));
/** @param {any} model */
const bits = (model) =>
  model.weights.map((/** @type {any} */ weight) => [...bitsOf(weight.data())]);

/** Values that f32 does not have. */
const FINE = Float64Array.of(1 / 3, -0, 1e300, 5e-324, Number.NaN, 1 + 2 ** -52);

/** @param {any} model @param {number} [times] */
const train = (model, times = 3) => {
  for (let i = 0; i < times; i++) model.trainOnBatch([[1, 2]], [[1 / 3]]);
};

test('a model computes and learns in f64', async () => {
  const { g, nn } = await open();
  const model = network(nn);
  const y = model.predict(g.tensor([[0.1, 0.2]])).data();
  assert.ok(y instanceof Float64Array && y[0] !== Math.fround(y[0]));
  model.compile({ optimizer: 'adam', loss: 'mse' });
  train(model);
  for (const values of valuesOf(model).slice(0, 2)) {
    assert.ok(values.every((value) => value !== Math.fround(value)));
  }
});

test('files of a model in f64 are F64, and keep every bit', async () => {
  const { nn } = await open();
  const model = network(nn);
  model.getLayer('base').kernel.assign(FINE);
  const [whole, weights] = [saveModel(model), saveWeights(model)];
  const kernel = readSafetensors(weights).tensors.get('base/kernel');
  assert.equal(kernel?.dtype, 'F64');
  assert.deepEqual(bitsOf(kernel?.toFloat64().values), bitsOf(FINE));
  assert.deepEqual(bits(await loadModel(nn, whole)), bits(model));
  const other = network(nn);
  const report = await loadWeights(other, weights);
  assert.deepEqual([bits(other), report.converted], [bits(model), []]);
});

test('weights of f32 become the same numbers in f64, and their training is refused', async () => {
  const f = await open(single.init);
  const model = network(f.nn);
  model.compile({ optimizer: 'adam', loss: 'mse' });
  train(model);
  const { g, nn } = await open();
  const before = g.memory().objects;
  const whole = saveModel(model);
  await assert.rejects(loadModel(nn, whole), (error) => {
    assert.ok(error instanceof double.FormatError);
    assert.match(error.message, /training in f32.*\{ compile: false \}/);
    return true;
  });
  assert.equal(g.memory().objects, before);
  const opened = await loadModel(nn, whole, { compile: false });
  assert.deepEqual(valuesOf(opened), valuesOf(model));
  const other = network(nn);
  const report = await loadWeights(other, saveWeights(model));
  assert.deepEqual(valuesOf(other), valuesOf(model));
  assert.deepEqual(
    report.converted.map(({ dtype, rounded }) => [dtype, rounded]),
    Array.from({ length: 4 }, () => ['F32', 0]),
  );
});

test('weights of f64 go to f32 only by loadWeights, which counts what it rounds', async () => {
  const model = network((await open()).nn);
  model.getLayer('base').kernel.assign([
    [1, 2, 3],
    [4, 5, 0.1],
  ]);
  const { nn } = await open(single.init);
  await assert.rejects(loadModel(nn, saveModel(model)), (error) => {
    assert.ok(error instanceof single.FormatError);
    assert.match(error.message, /is F64 \[2, ?3\], expected F32.*gradlock\/double.*loadWeights/);
    return true;
  });
  const other = network(nn);
  const { converted } = await loadWeights(other, saveWeights(model));
  assert.deepEqual(converted[0], { name: 'base/kernel', dtype: 'F64', rounded: 1 });
  assert.equal(other.getLayer('base').kernel.data()[5], Math.fround(0.1));
});

test('integers, halves and stacked tensors of a file become f64 as exactly as f64 can', async () => {
  const { nn } = await open();
  const model = network(nn);
  const file = writeSafetensors({
    a: { shape: [3], data: BigInt64Array.of(2n ** 53n + 1n, 2n ** 24n + 1n, -3n) },
    b: { dtype: 'BF16', shape: [3], data: Uint16Array.of(0x3f80, 0x4049, 0x8000) },
    'head/kernel': { dtype: 'F16', shape: [3, 1], data: Uint16Array.of(0x3555, 1, 0xc000) },
    'base/bias': { shape: [3], data: Float64Array.of(0.1, 0.2, 0.3) },
    'head/bias': { shape: [1], data: Float32Array.of(0.1) },
  });
  const mapping = { a: { to: 'base/kernel', part: 0 }, b: { to: 'base/kernel', part: 1 } };
  const { converted } = await loadWeights(model, file, { mapping });
  assert.deepEqual(valuesOf(model), [
    [2 ** 53, 2 ** 24 + 1, -3, 1, 3.140625, -0],
    [0.1, 0.2, 0.3],
    [0x555 / 2 ** 12, 2 ** -24, -2],
    [Math.fround(0.1)],
  ]);
  assert.deepEqual(
    converted.map(({ name, rounded }) => [name, rounded]),
    [
      ['base/kernel', 1],
      ['head/kernel', 0],
      ['head/bias', 0],
    ],
  );
});

test('float64 of HDF5 is read to the bit, float32 exactly', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradlock-double-'));
  try {
    await hdf5.ready;
    const file = new hdf5.File(join(folder, 'x.weights.h5'), 'w');
    /** @param {string} path @param {any} data @param {number[]} shape @param {string} dtype */
    const add = (path, data, shape, dtype) => {
      let group = /** @type {any} */ (file);
      const parts = path.split('/');
      for (const part of parts.slice(0, -1)) group = group.get(part) ?? group.create_group(part);
      group.create_dataset({ name: parts.at(-1), data, shape, dtype });
    };
    add('layers/dense/vars/0', FINE, [2, 3], '<d');
    add('layers/dense/vars/1', Float32Array.of(0.1, 0.2, 0.3), [3], '<f');
    add('layers/dense_1/vars/0', Float64Array.of(1, 2, 1 / 7), [3, 1], '<d');
    add('layers/dense_1/vars/1', Float64Array.of(0.7), [1], '<d');
    file.close();
    const bytes = new Uint8Array(readFileSync(join(folder, 'x.weights.h5')));
    const model = network((await open()).nn);
    const { converted } = await loadWeights(model, bytes, { hdf5 });
    assert.deepEqual(bitsOf(model.getLayer('base').kernel.data()), bitsOf(FINE));
    assert.deepEqual(valuesOf(model).slice(1), [
      [...Float32Array.of(0.1, 0.2, 0.3)],
      [1, 2, 1 / 7],
      [0.7],
    ]);
    assert.deepEqual(converted, [{ name: 'base/bias', dtype: 'float32', rounded: 0 }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('files for TensorFlow.js, which has no f64, are rounded to f32, and read exactly', async () => {
  const { nn } = await open();
  const model = network(nn);
  const { 'model.json': text, ...shards } = saveLayersModel(model);
  const opened = await loadModel(nn, { modelJson: JSON.parse(text), shards });
  assert.deepEqual(
    valuesOf(opened),
    valuesOf(model).map((values) => values.map(Math.fround)),
  );
});

test('a delta in f64 has the bits that changed, comes off to the bit, and is refused in f32', async () => {
  const { nn } = await open();
  const base = network(nn);
  base.getLayer('base').kernel.assign(FINE);
  const [file, start] = [saveModel(base), bits(base)];
  const model = await loadModel(nn, file);
  const { kernel } = /** @type {import('gradlock/layers').Dense} */ (model.getLayer('base'));
  kernel?.assign(/** @type {any} */ (Float64Array.of(1 / 3, 0, 1e300, 1e-323, Number.NaN, 1)));
  for (const delta of [saveDelta(model, base), saveDelta(model, file)]) {
    const applied = applyDelta(base, delta);
    assert.equal(applied.count, 3);
    assert.deepEqual(bits(base), bits(model));
    applied.remove();
    assert.deepEqual(bits(base), start);
  }
  const f = network((await open(single.init)).nn);
  const before = bits(f);
  assert.throws(
    () => applyDelta(f, saveDelta(model, base)),
    /is "F64", the model is F32: apply a delta in the precision it was made in/,
  );
  assert.deepEqual(bits(f), before);
});

test('a locked element whose low word alone would change refuses a file (law 9)', async () => {
  const { nn } = await open();
  const [one, two] = [network(nn), network(nn)];
  await loadWeights(two, saveWeights(one));
  const values = one.getLayer('base').kernel.data();
  values[1] *= 1 + 2 ** -52;
  one.getLayer('base').kernel.assign(values);
  two.getLayer('base').kernel.lock([[0, 1]]);
  const before = bits(two);
  await assert.rejects(loadWeights(two, saveWeights(one)), double.LockedElementError);
  assert.deepEqual(bits(two), before);
});

test('a summary, a limit for weights and a cache count 8 bytes for each value', async () => {
  const [f, d] = [await open(single.init), await open()];
  const size = { units: 512, inputShape: [512] };
  const [one, two] = [f, d].map(({ nn }) => nn.sequential([nn.dense(size)]));
  const [text, wide] = [one, two].map(
    (model) => /\(([\d.]+) MB\)/.exec(model.summary({ print: null }).text)?.[1],
  );
  assert.deepEqual([text, wide], ['1.00', '2.00']);
  const json = JSON.stringify(two);
  const most = { maxBytes: 6 * (512 * 512 + 512) };
  f.nn.modelFromJSON(json, most);
  assert.throws(() => d.nn.modelFromJSON(json, most), /exceeds the limit for all weights/);
  const perRow = [f, d].map(({ nn }) => {
    const model = network(nn);
    model.getLayer('base').trainable = false;
    return model.summary({ print: null }).cached.bytesPerRow;
  });
  assert.deepEqual(perRow, [12, 24]);
});
