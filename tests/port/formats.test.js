/* LayersModels between TensorFlow.js 4.22 and gradlock: each loads what the other saved and predicts
 * the same. Its CPU backend sums partly in f64, and in other orders; numbers are of size 1, so
 * 2^-18 is some dozen roundings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, ShapeError } from 'gradlock';
import { loadModel, loadWeights, saveLayersModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { openTensorFlow } from './tensorflow.js';

const { tf, backend, core } = await openTensorFlow();
const ALLOWED = 2 ** -18;

const make = async () => {
  const g = await init();
  return { g, nn: layers(g, { seed: 1 }) };
};

/**
 * Models in lines that both understand; Keras's names of inputs and options differ.
 * @type {Record<string, (l: any, all: any) => any>}
 */
const MODELS = {
  image: (l, { sequential }) =>
    sequential({
      layers: [
        l.conv2d({ filters: 2, kernelSize: 3, inputShape: [6, 6, 1], activation: 'swish' }),
        l.batchNormalization({}),
        l.depthwiseConv2d({ kernelSize: 2, depthMultiplier: 2 }),
        l.maxPooling2d({ poolSize: 2, strides: 1 }),
        l.separableConv2d({ filters: 3, kernelSize: 2, activation: 'relu' }),
        l.flatten({}),
        l.dense({ units: 2, activation: 'softmax' }),
      ],
    }),
  sequence: (l, { sequential }) =>
    sequential({
      layers: [
        l.lstm({ units: 3, returnSequences: true, inputShape: [4, 2] }),
        l.gru({ units: 2, returnSequences: true, resetAfter: false }),
        l.bidirectional({
          layer: l.lstm({ units: 2, returnSequences: true }),
          mergeMode: 'concat',
        }),
        l.timeDistributed({ layer: l.dense({ units: 2 }) }),
        l.simpleRNN({ units: 2 }),
        l.dropout({ rate: 0.5 }),
        l.prelu({}),
      ],
    }),
  graph: (l, { input, model, sequential }) => {
    const x = input({ shape: [4, 4, 2] });
    const inner = sequential({
      layers: [l.dense({ units: 3, inputShape: [4, 4, 3] }), l.layerNormalization({})],
    });
    const a = l.separableConv2d({ filters: 3, kernelSize: 2, padding: 'same' }).apply(x);
    const b = l.conv2d({ filters: 3, kernelSize: 1 }).apply(x);
    const p = l.globalAveragePooling2d({}).apply(l.add({}).apply([a, inner.apply(b)]));
    return model({
      inputs: x,
      outputs: [
        l.dense({ units: 2, activation: 'softmax' }).apply(p),
        l.dense({ units: 1 }).apply(p),
      ],
    });
  },
  words: (l, { sequential }) =>
    sequential({
      layers: [
        l.embedding({ inputDim: 5, outputDim: 3, inputShape: [4] }),
        l.globalAveragePooling1d({}),
        l.dense({ units: 2 }),
      ],
    }),
};

/** @param {string} name @param {any} model */
const inputOf = (name, model) => {
  const shape = model.inputs[0].shape.map((/** @type {number | null} */ size) => size ?? 2);
  const size = shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
  const at = (/** @type {number} */ i) => (name === 'words' ? i % 5 : Math.sin(3 * i));
  return { shape, data: Float32Array.from({ length: size }, (_, i) => at(i)) };
};

/** @param {string} name @param {any} g @param {any} ours @param {any} theirs */
const assertSame = (name, g, ours, theirs) => {
  const { shape, data } = inputOf(name, ours);
  const want = [theirs.predict(core.tensor(data, shape))].flat();
  const got = [ours.predict(g.tensor(data, shape))].flat();
  assert.equal(got.length, want.length);
  got.forEach((output, i) => {
    const values = want[i].dataSync();
    assert.deepEqual(output.shape, want[i].shape);
    for (const [k, value] of output.data().entries()) {
      assert.ok(Math.abs(value - values[k]) <= ALLOWED, `${value}, TensorFlow.js ${values[k]}`);
    }
  });
};

/** What TensorFlow.js hands to a handler that saves. @param {any} model */
const artifactsOf = async (model) => {
  /** @type {any} */
  let found;
  await model.save({
    save: async (/** @type {any} */ given) => {
      found = given;
      return { modelArtifactsInfo: {} };
    },
  });
  return found;
};

/** The files that it writes. @param {any} artifacts @param {number} [size] Of shards. */
const filesOf = ({ weightData, weightSpecs, ...rest }, size = 64) => {
  const bytes = new Uint8Array(weightData);
  /** @type {Record<string, Uint8Array>} */
  const shards = {};
  for (let at = 0; at < bytes.length; at += size) {
    shards[`group1-shard${at / size + 1}.bin`] = bytes.subarray(at, at + size);
  }
  const weightsManifest = [{ paths: Object.keys(shards), weights: weightSpecs }];
  return { modelJson: { ...rest, weightsManifest }, shards };
};

for (const [name, build] of Object.entries(MODELS)) {
  test(`${name}: what TensorFlow.js saved, gradlock loads, and what gradlock saves again, TensorFlow.js`, async () => {
    const { g, nn } = await make();
    const theirs = build(tf.layers, tf);
    for (const weight of theirs.weights) {
      const { shape } = weight;
      weight.val.assign(core.randomUniform(shape, 0.25, 1, 'float32', 5));
    }
    const artifacts = await artifactsOf(theirs);
    const ours = await loadModel(nn, artifacts);
    assertSame(name, g, ours, theirs);
    assertSame(name, g, await loadModel(nn, filesOf(artifacts)), theirs);
    const files = saveLayersModel(ours);
    const json = JSON.parse(files['model.json']);
    assert.deepEqual(json.weightsManifest[0].paths, ['group1-shard1of1.bin']);
    const back = await backend.loadLayersModel({
      load: async () => ({
        modelTopology: json.modelTopology,
        weightSpecs: json.weightsManifest[0].weights,
        weightData: files['group1-shard1of1.bin'].buffer,
      }),
    });
    assertSame(name, g, ours, back);
    const again = await loadModel(nn, { modelJson: json, shards: files });
    assertSame(name, g, again, back);
  });

  test(`${name}: a LayersModel with a topology as Keras 3 writes it is read`, async () => {
    const { nn } = await make();
    const ours = build(nn, nn);
    const files = saveLayersModel(ours);
    const { weightsManifest } = JSON.parse(files['model.json']);
    const model = await loadModel(nn, {
      modelTopology: { keras_version: '3.15.1', model_config: JSON.parse(JSON.stringify(ours)) },
      weightsManifest,
      weightData: files['group1-shard1of1.bin'],
    });
    assert.deepEqual(
      model.weights.map((weight) => [...weight.data()]),
      ours.weights.map((/** @type {any} */ weight) => [...weight.data()]),
    );
  });
}

test('quantized weights are q · scale + min, and f16 is f16, as TensorFlow.js reads them', async () => {
  const { nn } = await make();
  const modelTopology = {
    class_name: 'Sequential',
    config: {
      layers: [
        {
          class_name: 'Dense',
          config: { units: 2, name: 'd', batch_input_shape: [null, 2], use_bias: true },
        },
      ],
    },
  };
  const q = [0, 1, 100, 255];
  const cases = /** @type {[any, Uint8Array | Uint16Array, (q: number) => number][]} */ ([
    [
      { dtype: 'uint8', scale: 0.1, min: -3.7 },
      Uint8Array.from(q),
      (v) => Math.fround(v * 0.1 - 3.7),
    ],
    [
      { dtype: 'uint16', scale: 1e-3, min: 2 },
      Uint16Array.from(q),
      (v) => Math.fround(v * 1e-3 + 2),
    ],
    [{ dtype: 'float16' }, Uint16Array.from(q, (v) => v + 0x3c00), (v) => 1 + v / 1024],
  ]);
  for (const [quantization, stored, value] of cases) {
    const weights = [
      { name: 'd/kernel', shape: [2, 2], dtype: 'float32', quantization },
      { name: 'd/bias', shape: [2], dtype: 'int32' },
    ];
    const bytes = new Uint8Array(stored.byteLength + 8);
    bytes.set(new Uint8Array(stored.buffer));
    new DataView(bytes.buffer).setInt32(stored.byteLength + 4, -7, true);
    const source = { modelTopology, weightSpecs: weights, weightData: bytes };
    const model = await loadModel(nn, source);
    assert.deepEqual([...model.weights[0].data()], q.map(value), quantization.dtype);
    assert.deepEqual([...model.weights[1].data()], [0, -7]);
    const theirs = core.io.decodeWeights(bytes.buffer, weights);
    assert.deepEqual([...theirs['d/kernel'].dataSync()], q.map(value));
  }
});

test('a GRU that says nothing of reset_after has none, as there', async () => {
  const { nn } = await make();
  const gru = {
    class_name: 'GRU',
    config: { units: 2, name: 'g', batch_input_shape: [null, 3, 1] },
  };
  const modelTopology = { class_name: 'Sequential', config: { layers: [gru] } };
  const model = await loadModel(nn, { modelTopology, weightsManifest: [] }, { partial: true });
  assert.deepEqual(model.weights[2].shape, [6]);
});

test('names with prefixes, cells and suffixes find their weights', async () => {
  const { nn } = await make();
  const model = nn.sequential([
    nn.dense({ units: 2, inputShape: [3, 2], name: 'a' }),
    nn.gru({ units: 1, name: 'g', resetAfter: false }),
  ]);
  const files = saveLayersModel(model);
  const { weightsManifest } = JSON.parse(files['model.json']);
  /** @param {(name: string) => string} rename */
  const load = (rename) => {
    const weights = weightsManifest[0].weights.map((/** @type {any} */ spec) => ({
      ...spec,
      name: rename(spec.name),
    }));
    const other = nn.modelFromJSON(JSON.stringify(model));
    return loadWeights(other, {
      modelTopology: {},
      weightSpecs: weights,
      weightData: files['group1-shard1of1.bin'],
    });
  };
  for (const rename of [
    (/** @type {string} */ name) => `${name}_1`,
    (/** @type {string} */ name) => `${name}:0`,
    (/** @type {string} */ name) => `outer/${name}`,
    (/** @type {string} */ name) => name.replace(/\/(?=\w+$)/, '/my_cell_3/'),
  ]) {
    const { loaded } = await load(rename);
    assert.equal(loaded.length, 5);
  }
  await assert.rejects(
    load((name) => name.replace(/^a\//, 'b/')),
    ShapeError,
  );
});
