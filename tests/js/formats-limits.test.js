/* Tier: all. */
/* What a file costs is known before it is paid: few bytes ask for gigabytes, for layers without
 * number or for rounds without end, and are refused before any of it; what is large and honest is
 * read in time that grows as it does. The timeouts are what a quadratic reader would not meet. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { FormatError, GradlockError, init } from 'gradlock';
import {
  loadModel,
  loadWeights,
  readSafetensors,
  saveModel,
  writeSafetensors,
} from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import * as hdf5 from 'h5wasm';

const MOST_BYTES = 64e6;

const make = async () => {
  const g = await init();
  return { g, nn: layers(g, { seed: 1 }) };
};

/** @param {object} config @param {number[]} size */
const dense = (config, size) => ({
  class_name: 'Dense',
  config: { name: 'd', batch_input_shape: [null, ...size], ...config },
});
/** @param {object[]} list */
const stack = (list) => ({ class_name: 'Sequential', config: { name: 's', layers: list } });
/** @param {string} name @param {object} config */
const input = (name, config = {}) => ({
  class_name: 'InputLayer',
  name,
  config: { name, batch_input_shape: [null, 1], ...config },
  inbound_nodes: [],
});

/** A model that applies another one twice, which does so, too. @param {number} depth */
const twice = (depth) => {
  let inner = /** @type {any} */ (stack([dense({ units: 1 }, [1])]));
  for (let i = 0; i < depth; i++) {
    const name = inner.config.name;
    const nodes = [[['i', 0, 0, {}]], [[name, 0, 0, {}]]];
    inner = {
      class_name: 'Functional',
      config: {
        name: `m${i}`,
        layers: [input('i'), { ...inner, name, inbound_nodes: nodes }],
        input_layers: [['i', 0, 0]],
        output_layers: [[name, 1, 0]],
      },
    };
  }
  return inner;
};

/** @type {Record<string, object>} */
const TOPOLOGIES = {
  'a kernel of 3.6 GB': stack([dense({ units: 3e4 }, [3e4])]),
  'an orthogonal kernel, which takes a minute': stack([
    dense({ units: 5000, kernel_initializer: 'Orthogonal' }, [5000]),
  ]),
  'an embedding of 16 GB': stack([
    {
      class_name: 'Embedding',
      config: { input_dim: 1e9, output_dim: 4, batch_input_shape: [null, 1] },
    },
  ]),
  'states of 4 GB': stack([
    {
      class_name: 'LSTM',
      config: { units: 1000, stateful: true, batch_input_shape: [1e6, 2, 1] },
    },
  ]),
  'models applied twice, 30 deep': twice(30),
  'models applied twice, 60 deep': twice(60),
  'a million layers': stack(Array.from({ length: 1e6 }, () => ({ class_name: 'ReLU' }))),
};

for (const [what, modelTopology] of Object.entries(TOPOLOGIES)) {
  test(`${what} in a topology without weights is refused before any of it`, {
    timeout: 600_000,
  }, async () => {
    const { g, nn } = await make();
    const before = g.memory();
    for (const partial of [false, true]) {
      const source = { modelTopology, weightsManifest: [] };
      await assert.rejects(loadModel(nn, source, { partial }), /if you trust/);
      assert.equal(g.memory().objects, before.objects);
      assert.ok(g.memory().wasmBytes - before.wasmBytes < MOST_BYTES);
    }
    assert.throws(() => nn.modelFromJSON(modelTopology, { maxBytes: 1e6 }), FormatError);
  });
}

test('an orthogonal kernel that the file lacks counts by how long it takes to make', async () => {
  const { g, nn } = await make();
  const before = g.memory();
  /** @param {number} size */
  const source = (size) => ({
    modelTopology: stack([dense({ units: size, kernel_initializer: 'Orthogonal' }, [size])]),
    weightsManifest: [],
  });
  // Of 7 MB, as long to make as 62 MB.
  await assert.rejects(
    loadModel(nn, source(1300), { partial: true }),
    /kernel \[1300, 1300\] takes as long to make as 61685000 bytes, .* larger \{ maxBytes \}/,
  );
  assert.equal(g.memory().objects, before.objects);
  const { modelTopology } = source(128);
  const bytes = 4 * 128 ** 2 * (1 + 128 / 160) + 4 * 128;
  assert.throws(() => nn.modelFromJSON(modelTopology, { maxBytes: bytes - 1 }), FormatError);
  nn.modelFromJSON(modelTopology, { maxBytes: bytes });
  nn.modelFromJSON(modelTopology, { maxBytes: bytes - 1, initialize: false });
  const found = await loadModel(nn, source(128), { partial: true });
  assert.equal(found.weights.length, 2);
});

test('a file of our own is compared with its topology before memory is had for it', async () => {
  const { g, nn } = await make();
  const small = saveModel(nn.sequential([nn.dense({ units: 1, inputShape: [1], name: 'd' })]));
  const { tensors, metadata } = readSafetensors(small);
  const topology = String(metadata['gradlock.topology'])
    .replaceAll('"units":1', '"units":30000')
    .replaceAll('[null,1]', '[null,30000]');
  const words = { ...metadata, 'gradlock.topology': topology };
  const before = g.memory().wasmBytes;
  await assert.rejects(loadModel(nn, writeSafetensors(tensors, words)), /if you trust/);
  assert.ok(g.memory().wasmBytes - before < MOST_BYTES);
});

test('a model that is loaded draws no random numbers: only what the file lacks is initialized', async () => {
  const { g, nn } = await make();
  const model = nn.sequential([
    nn.dense({ units: 3, inputShape: [2], name: 'a' }),
    nn.dense({ units: 3, name: 'b', kernelInitializer: 'heNormal' }),
  ]);
  const bytes = saveModel(model);
  const seed = g.random(5);
  const other = layers(g, { seed });
  await loadModel(other, bytes);
  assert.equal(seed.step, 0);
  const [kernel] = model.weights;
  const source = {
    modelTopology: JSON.parse(JSON.stringify(model)),
    weightSpecs: [{ name: 'a/kernel', shape: [2, 3], dtype: 'float32' }],
    weightData: new Uint8Array(kernel.data().buffer),
  };
  const found = await loadModel(other, source, { partial: true });
  assert.deepEqual([...found.weights[0].data()], [...kernel.data()]);
  assert.notDeepEqual([...found.weights[1].data()], new Array(9).fill(0));
  const drawn = seed.step;
  layers(g, { seed: g.random(5) }).sequential([
    nn.dense({ units: 3, inputShape: [3], kernelInitializer: 'heNormal' }),
  ]);
  assert.ok(drawn > 0, 'by its initializer');
});

/**
 * A .keras file with one entry of zeros, which the directory has under two names and more.
 * @param {string} name
 * @param {number} size
 * @param {number} [more] The number of other names.
 */
const zipOf = (name, size, more = 0) => {
  const packed = deflateRawSync(Buffer.alloc(size), { level: 9 });
  const label = Buffer.from(name);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(label.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(size, 24);
  const begin = 30 + label.length + packed.length;
  const other = name === 'config.json' ? 'model.weights.h5' : 'config.json';
  const names = [name, other, ...Array(more).keys()].map(String);
  const directory = names.flatMap((one) => {
    const own = Buffer.from(entry);
    own.writeUInt16LE(one.length, 28);
    return [own, Buffer.from(one)];
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(begin, 16);
  return new Uint8Array(Buffer.concat([local, label, packed, ...directory, end]));
};

test('a .keras file that unpacks to a thousand times its size is refused, unless an option allows it', async () => {
  const { nn } = await make();
  const file = zipOf('config.json', 30e6);
  assert.ok(file.length < 40_000);
  await assert.rejects(loadModel(nn, file, { hdf5 }), /unpacks to more than .* maxBytes/);
  // Then it is read, and found to be something else.
  await assert.rejects(loadModel(nn, file, { hdf5, maxBytes: 31e6 }), /ZIP: entry .* is damaged/);
});

test('an archive may have four entries for each layer that is allowed, and no more', async () => {
  const { nn } = await make();
  for (const [more, message] of /** @type {[number, RegExp][]} */ ([
    [6, /entry .* is damaged/],
    [7, /more than 8 entries in the archive; .* a larger \{ maxLayers \}/],
  ])) {
    const file = zipOf('config.json', 9, more);
    await assert.rejects(loadModel(nn, file, { hdf5, maxLayers: 2 }), message);
  }
});

test('2,000 layers are added in a loop, written and read, in order or in reverse', {
  timeout: 600_000,
}, async () => {
  const { nn } = await make();
  const model = nn.sequential();
  for (let i = 0; i < 2000; i++) {
    model.add(nn.dense({ units: 1, name: `d${i}`, ...(i > 0 ? {} : { inputShape: [1] }) }));
  }
  assert.deepEqual(nn.modelFromJSON(JSON.stringify(model)).layers.length, 2000);
  const list = Array.from({ length: 2000 }, (_, i) => ({
    class_name: 'Dense',
    name: `d${i}`,
    config: { name: `d${i}`, units: 1 },
    inbound_nodes: [[[i > 0 ? `d${i - 1}` : 'i', 0, 0, {}]]],
  }));
  for (const all of [
    [input('i'), ...list],
    [...list.reverse(), input('i')],
  ]) {
    const read = nn.modelFromJSON({
      class_name: 'Functional',
      config: { layers: all, input_layers: [['i', 0, 0]], output_layers: [['d1999', 0, 0]] },
    });
    assert.equal(read.layers.length, 2001);
    assert.equal(read.layers.at(-1)?.name, 'd1999');
  }
});

test('layers that are added one by one, and refused in between, are those that are left', async () => {
  const { nn } = await make();
  const model = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'a' })]);
  model.add(nn.dense({ units: 4, name: 'b' }));
  assert.throws(() => model.add(nn.dense({ units: 4, name: 'b' })), /two layers/);
  assert.throws(() => model.add(nn.conv2d({ filters: 1, kernelSize: 1 })), GradlockError);
  const shared = nn.dense({ units: 4, name: 'c' });
  for (const layer of [shared, shared, nn.dense({ units: 1, name: 'd' })]) model.add(layer);
  assert.deepEqual(model.outputs[0]?.shape, [null, 1]);
  assert.equal(model.countParams(), 8 + 12 + 20 + 5);
  assert.deepEqual(model.predict([[1, 2, 3]]).shape, [1, 1]);
  const again = /** @type {any} */ (nn).modelFromJSON(
    JSON.stringify(nn.sequential([nn.dense({ units: 2, inputShape: [3] })])),
  );
  again.trainable = false;
  again.add(nn.dense({ units: 1, name: 'late' }));
  assert.equal(again.getLayer('late').kernel.locks.count, 2, 'frozen with the model');
});

test('100,000 names of tensors are matched', { timeout: 600_000 }, async () => {
  const { nn } = await make();
  const model = nn.sequential([nn.dense({ units: 1, inputShape: [1], name: 'd' })]);
  const none = { shape: [0], data: [] };
  const tensors = new Map(Array.from({ length: 1e5 }, (_, i) => [`w${i}`, none]));
  const words = readSafetensors(saveModel(model)).metadata;
  const own = { ...words, 'gradlock.weights': JSON.stringify([...tensors.keys()]) };
  for (const metadata of [{}, own]) {
    const file = writeSafetensors(tensors, metadata);
    const report = await loadWeights(model, file, { partial: true });
    assert.equal(report.unexpected.length, 1e5);
  }
});
