/* Tier: test. Precisions: f32, f64. */
/* Files that Keras 3.15, h5py and safetensors wrote, by tests/golden/formats.py: what they hold,
 * and what the models in them compute. Outputs are sums of a few dozen products, in another order,
 * of numbers of size 1: within 2^-20 of Keras's f32. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FormatError, init, LoadError } from 'gradlock';
import {
  loadModel,
  loadWeights,
  pytorchMapping,
  readSafetensors,
  saveLayersModel,
  saveModel,
  writeSafetensors,
} from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import * as hdf5 from 'h5wasm';
import { floats, readGolden } from '../golden/golden.js';
import { bitsOf } from './support.js';

/** @typedef {import('gradlock/layers').Dense} Dense */

const golden = readGolden('formats.json');
const ALLOWED = 2 ** -20;

/** @param {string} name */
const fixture = (name) =>
  new Uint8Array(readFileSync(new URL(`../golden/formats/${name}`, import.meta.url)));

/** @param {string} key */
const rowsWith = (key) =>
  golden.rows.filter((/** @type {object} */ row) => Object.hasOwn(row, key));

const make = async () => {
  const g = await init();
  return { g, nn: layers(g, { seed: 1 }) };
};

/** @param {string} name */
const rowOf = (name) => rowsWith('model').find((/** @type {any} */ row) => row.model === name);

/**
 * @param {any} g
 * @param {any} model
 * @param {any} row
 */
const assertSame = (g, model, row) => {
  const found = model.weights.map((/** @type {any} */ weight) => weight.data());
  assert.deepEqual(
    found.map((/** @type {Float32Array} */ values) => [...bitsOf(Float32Array.from(values))]),
    row.weights.map((/** @type {any} */ [, , values]) => [...bitsOf(floats(values))]),
    'weights, in order, to the bit',
  );
  for (const values of found) assert.deepEqual([...values], [...Float32Array.from(values)]);
  const outputs = [model.predict(g.tensor(floats(row.x), row.shape))].flat();
  outputs.forEach((output, i) => {
    const [shape, values] = row.outputs[i];
    assert.deepEqual(output.shape, shape);
    const want = floats(values);
    for (const [k, value] of output.data().entries()) {
      const off = Math.abs(value - Number(want[k]));
      assert.ok(off <= ALLOWED, `output ${i}: ${value}, Keras ${want[k]}`);
    }
  });
  assert.equal(outputs.length, row.outputs.length);
};

for (const { model: name } of rowsWith('model')) {
  for (const kind of ['keras', 'h5']) {
    test(`${name}.${kind} of Keras 3 is the model that it was`, async () => {
      const { g, nn } = await make();
      /** @type {any} */
      let report;
      const model = await loadModel(nn, fixture(`${name}.${kind}`), {
        hdf5,
        onReport: (given) => {
          report = given;
        },
      });
      assert.equal(model.name, name);
      assertSame(g, model, rowOf(name));
      assert.equal(report.loaded.length, model.weights.length);
      const slots = report.skipped.filter((/** @type {string} */ path) => /^optimizer/.test(path));
      assert.equal(slots.length, name === 'dense' ? 10 : 0, 'variables of the optimizer');
    });
  }

  test(`${name}.weights.h5 goes into a model of other names, by class and order`, async () => {
    const { g, nn } = await make();
    const model = await loadModel(nn, fixture(`${name}.keras`), { hdf5 });
    const text = JSON.stringify(model).replace(
      /"(base|head|wide|deep|words|heads|one)"/g,
      '"my_$1"',
    );
    const other = nn.modelFromJSON(text);
    const report = await loadWeights(other, fixture(`${name}.weights.h5`), { hdf5, force: true });
    assert.deepEqual([report.missing, report.unexpected, report.misshapen], [[], [], []]);
    assertSame(g, other, rowOf(name));
  });
}

/** What loadModel takes of what saveLayersModel gave. @param {Record<string, any>} files */
const partsOf = ({ 'model.json': text, ...shards }) => ({ modelJson: JSON.parse(text), shards });

/** As graph_of in formats.py. @param {any} json @returns {any} */
const graphOf = ({ class_name: kind, config }) =>
  kind !== 'Functional'
    ? null
    : {
        in: config.input_layers,
        out: config.output_layers,
        nodes: config.layers.map((/** @type {any} */ { name, inbound_nodes: nodes }) => {
          const found = JSON.stringify(nodes).matchAll(/"keras_history":(\[[^\]]*\])/g);
          return [name, [...found].map(([, history]) => history?.replaceAll(',', ', '))];
        }),
        inner: config.layers
          .filter((/** @type {any} */ layer) => layer.class_name === 'Functional')
          .map(graphOf),
      };

/** What TensorFlow.js has not. */
const REFUSED = new Map([
  ['attention', /saveLayersModel: heads is of class MultiHeadAttention/],
  ['recurrent', /saveLayersModel: /],
  ['spaces', /saveLayersModel: separable_conv1d is of class SeparableConv1D/],
]);

for (const { model: name, graph } of rowsWith('graph')) {
  test(`${name}: the graph is written as Keras writes it, and read again`, async () => {
    const { g, nn } = await make();
    const model = await loadModel(nn, fixture(`${name}.keras`), { hdf5 });
    assert.deepEqual(graphOf(JSON.parse(JSON.stringify(model))), graph);
    assertSame(g, await loadModel(nn, saveModel(model)), rowOf(name));
    const refused = REFUSED.get(name);
    if (refused) assert.throws(() => saveLayersModel(model), refused);
    else assertSame(g, await loadModel(nn, partsOf(saveLayersModel(model))), rowOf(name));
  });
}

test('a deflated .keras, and an .h5 of Keras 2, are the same model', async () => {
  const { g, nn } = await make();
  for (const file of ['deflated.keras', 'keras2.h5']) {
    assertSame(g, await loadModel(nn, fixture(file), { hdf5 }), rowOf('dense'));
  }
});

test('an .h5 goes into a model with other names of layers, by their order', async () => {
  const { g, nn } = await make();
  const other = nn.sequential([
    nn.dense({ units: 4, inputShape: [3], activation: 'relu', name: 'a' }),
    nn.dense({ units: 2, activation: 'softmax', name: 'b' }),
  ]);
  for (const file of ['keras2.h5', 'dense.h5']) {
    other.setWeights(other.weights.map((weight) => new Float32Array(weight.size)));
    await loadWeights(other, fixture(file), { hdf5 });
    assertSame(g, other, rowOf('dense'));
  }
});

test('an .h5 goes by names of layers where these are the same, in whatever order', async () => {
  const { nn } = await make();
  const [a, b] = [nn.input({ shape: [4] }), nn.input({ shape: [3] })];
  const head = nn.dense({ units: 2, name: 'head' }).apply(a);
  const model = nn.model({
    inputs: [a, b],
    outputs: [head, nn.dense({ units: 4, name: 'base' }).apply(b)],
  });
  assert.deepEqual(model.weights.map(({ name }) => name).at(0), 'head/kernel');
  const { loaded } = await loadWeights(model, fixture('dense.h5'), { hdf5 });
  assert.equal(loaded.length, 4);
});

test('partial loading of an .h5 takes layers by name, and leaves those that the model lacks', async () => {
  const { nn } = await make();
  for (const file of ['keras2.h5', 'dense.h5']) {
    const model = nn.sequential([nn.dense({ units: 4, inputShape: [3], name: 'base' })]);
    await assert.rejects(loadWeights(model, fixture(file), { hdf5 }), /the model has no/);
    const report = await loadWeights(model, fixture(file), { hdf5, partial: true });
    assert.deepEqual(report.loaded, ['base/kernel', 'base/bias'], file);
    assert.equal(report.unexpected.length, 2, file);
    assert.ok(
      report.unexpected.every((name) => name === name.trim()),
      'as the file calls them',
    );
  }
});

test("a mapping goes by the file's names, also for what no weight of the model is called", async () => {
  const { nn } = await make();
  const want = await loadModel(nn, fixture('dense.h5'), { hdf5 });
  for (const file of ['keras2.h5', 'dense.h5', 'dense.weights.h5']) {
    const model = nn.sequential([nn.dense({ units: 2, inputShape: [4], name: 'other' })]);
    const { unexpected } = await loadWeights(model, fixture(file), {
      hdf5,
      partial: true,
      force: true,
    });
    const head = unexpected.filter((name) => /head|dense_1/.test(name));
    const names = head.length > 0 ? head : unexpected;
    /** @type {Record<string, string | null>} */
    const table = Object.fromEntries(
      names.map((name) => [name, /kernel|\/0$/.test(name) ? 'other/kernel' : 'other/bias']),
    );
    table['layers/dense/vars/0'] = null; // of the layer before it
    table['layers/dense/vars/1'] = null;
    for (const mapping of [
      table,
      new Map(Object.entries(table)),
      (/** @type {string} */ name) => table[name],
    ]) {
      model.setWeights(model.weights.map((weight) => new Float32Array(weight.size)));
      const report = await loadWeights(model, fixture(file), { hdf5, mapping, partial: true });
      assert.deepEqual(report.loaded.sort(), ['other/bias', 'other/kernel'], file);
      assert.deepEqual(
        model.weights[0].array(),
        /** @type {Dense} */ (want.getLayer('head')).kernel.array(),
        file,
      );
    }
    const without = await loadWeights(model, fixture(file), {
      hdf5,
      mapping: () => null,
      partial: true,
    });
    assert.deepEqual([without.loaded, without.skipped.length >= 4], [[], true], file);
  }
});

test('a missing or wrong h5wasm is named in the error', async () => {
  const { nn } = await make();
  const wrong = /** @type {any} */ ({});
  await assert.rejects(loadModel(nn, fixture('dense.h5'), { hdf5: wrong }), TypeError);
  // It is installed here, so it is found by itself.
  await loadModel(nn, fixture('dense.h5'));
  assert.ok(new LoadError('x', { hint: 'y' }) instanceof Error);
  await assert.rejects(loadModel(nn, fixture('torch.safetensors')), FormatError);
});

test('all types of safetensors become the nearest f32, and say how many were rounded', async () => {
  const { tensors, metadata } = readSafetensors(fixture('dtypes.safetensors'));
  assert.deepEqual({ ...metadata }, { note: 'every type' });
  assert.equal(Object.getPrototypeOf(metadata), null);
  const rows = rowsWith('dtype');
  assert.equal(rows.length, 13);
  for (const { dtype, values, rounded } of rows) {
    const found = tensors.get(dtype)?.toFloat32();
    assert.deepEqual([...(found?.values ?? [])], [...floats(values)], dtype);
    assert.equal(found?.rounded, rounded, `${dtype}: rounded`);
  }
  assert.deepEqual(tensors.get('empty')?.shape, [0, 3]);
  assert.deepEqual([...(tensors.get('__proto__')?.toFloat32().values ?? [])], [3]);
  assert.deepEqual([...(tensors.get('größe/π')?.toFloat32().values ?? [])], [4]);
  assert.deepEqual(tensors.get('scalar')?.shape, []);
});

test("a file written anew has the bytes of safetensors' own library", () => {
  for (const name of ['dtypes.safetensors', 'torch.safetensors']) {
    const bytes = fixture(name);
    const { tensors, metadata } = readSafetensors(bytes);
    assert.deepEqual(Buffer.from(writeSafetensors(tensors, metadata)), Buffer.from(bytes), name);
    const backwards = new Map([...tensors].reverse());
    assert.deepEqual(Buffer.from(writeSafetensors(backwards, metadata)), Buffer.from(bytes), name);
  }
});

/** How each module of PyTorch is made here. @type {Record<string, (nn: any) => any>} */
const MODULES = {
  'rnn.lstm': (nn) => nn.lstm({ units: 2, inputShape: [4, 3], name: 'layer' }),
  'rnn.gru': (nn) => nn.gru({ units: 2, inputShape: [4, 3], name: 'layer' }),
  fc: (nn) => nn.dense({ units: 4, inputShape: [3], name: 'layer' }),
  conv: (nn) => nn.conv2d({ filters: 3, kernelSize: [2, 3], inputShape: [4, 4, 2], name: 'layer' }),
  deep: (nn) =>
    nn.depthwiseConv2d({
      kernelSize: [2, 3],
      depthMultiplier: 3,
      inputShape: [4, 4, 2],
      name: 'layer',
    }),
  norm: (nn) => nn.batchNormalization({ epsilon: 1e-5, inputShape: [2], name: 'layer' }),
};

for (const { torch, shape, x, y } of rowsWith('torch')) {
  test(`weights of PyTorch in the layout of ${torch} compute what PyTorch's equations do`, async () => {
    const { g, nn } = await make();
    const model = nn.sequential([MODULES[torch]?.(nn)]);
    const mapping = pytorchMapping(model, { [torch]: 'layer' });
    const all = await loadWeights(model, fixture('torch.safetensors'), { mapping, partial: true });
    assert.deepEqual([all.missing, all.misshapen], [[], []]);
    assert.ok(all.unexpected.length > 0, 'those of other modules');
    assert.deepEqual(all.skipped, torch === 'norm' ? ['norm.num_batches_tracked'] : []);
    const want = floats(y);
    const got = model.predict(g.tensor(floats(x), shape)).data();
    assert.equal(got.length, want.length);
    for (const [i, value] of got.entries()) {
      const allowed = ALLOWED * Math.max(1, Math.abs(Number(want[i])));
      assert.ok(Math.abs(value - Number(want[i])) <= allowed, `${value}, expected ${want[i]}`);
    }
  });
}
