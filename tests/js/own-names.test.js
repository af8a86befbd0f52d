/* Tier: test. */
/* Names that every object has are names like any: no table takes `constructor` or `__proto__` for
 * one of its own, and what is handed in for a name, a number or a shape is refused in words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { loadModel, loadWeights, saveLayersModel, writeSafetensors } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { propertiesOf } from '../fuzz/json.js';
import { verdictOf } from '../hostile/verdict.js';

const NAMES = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...['constructor', 'value_of', 'to_string', 'has_own_property', 'is_prototype_of'],
];

const g = await init();
const nn = /** @type {any} */ (layers(g, { seed: 1 }));

/** @param {any} error @param {string} what */
const assertSaid = (error, what) =>
  assert.match(verdictOf(error, what), /^type/, `${what}: ${error?.stack}`);

/** @param {string} what @param {() => unknown} call */
const refuses = async (what, call) => {
  try {
    await call();
  } catch (error) {
    return assertSaid(error, what);
  }
  return assert.fail(`${what} was taken`);
};

const dense = (/** @type {object} */ options) => () =>
  nn.sequential([nn.dense({ units: 1, inputShape: [1], ...options })]).predict([[1]]);
const compile = (/** @type {object} */ options) => () => {
  const model = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
  model.compile({ optimizer: 'sgd', loss: 'mse', ...options });
  model.evaluate([[1]], [[1]]);
};
const json = (/** @type {any} */ entry) => () =>
  nn.modelFromJSON({ class_name: 'Sequential', config: { layers: [entry] } });

/** Where a name is looked up. @type {Record<string, (name: string) => () => unknown>} */
const TABLES = {
  activation: (name) => dense({ activation: name }),
  'activation of a layer': (name) => () => nn.activation({ activation: name }),
  initializer: (name) => dense({ kernelInitializer: name }),
  'mode of an initializer': (mode) =>
    dense({ kernelInitializer: { className: 'VarianceScaling', config: { mode } } }),
  regularizer: (name) => dense({ kernelRegularizer: name }),
  constraint: (name) => dense({ kernelConstraint: name }),
  loss: (loss) => compile({ loss }),
  'class of a loss': (className) => compile({ loss: { className, config: {} } }),
  'loss of an output': (name) => compile({ loss: { [name]: 'mse' } }),
  'reduction of a loss': (reduction) =>
    compile({ loss: { className: 'MeanSquaredError', config: { reduction } } }),
  metric: (name) => compile({ metrics: [name] }),
  optimizer: (optimizer) => compile({ optimizer }),
  schedule: (className) =>
    compile({
      optimizer: { className: 'SGD', config: { learningRate: { className, config: {} } } },
    }),
  'option of an optimizer': (name) =>
    compile({ optimizer: { className: 'SGD', config: Object.fromEntries([[name, 1]]) } }),
  'option of a layer': (name) => () =>
    nn.dense(
      Object.fromEntries([
        ['units', 1],
        [name, 1],
      ]),
    ),
  'merge mode': (mergeMode) => () => nn.bidirectional({ layer: nn.lstm({ units: 1 }), mergeMode }),
  padding: (padding) => () => nn.conv1d({ filters: 1, kernelSize: 1, padding }),
  interpolation: (interpolation) => () => nn.upSampling2d({ interpolation }),
  'class of JSON': (name) => json({ class_name: name, config: {} }),
  'class of a layer inside': (name) => () =>
    nn.timeDistributed({ layer: { class_name: name, config: {} } }),
  'op of JSON': (name) => json({ module: 'keras.src.ops.numpy', class_name: name, config: {} }),
  'layer of a graph': (name) => () =>
    nn.modelFromJSON({
      class_name: 'Functional',
      config: { layers: [], input_layers: [[name, 0, 0]], output_layers: [[name, 0, 0]] },
    }),
  'type of a tensor': (dtype) => () =>
    writeSafetensors({ w: { dtype: /** @type {any} */ (dtype), shape: [1], data: [1] } }),
  'type of a weight': (dtype) => () =>
    loadModel(nn, {
      modelTopology: {},
      weightSpecs: [{ name: 'w', shape: [], dtype }],
      weightData: new Uint8Array(8),
    }),
  quantization: (dtype) => () =>
    loadModel(nn, {
      modelTopology: {},
      weightSpecs: [
        { name: 'w', shape: [], dtype: 'float32', quantization: { dtype, scale: 1, min: 0 } },
      ],
      weightData: new Uint8Array(8),
    }),
  shard: (name) => () =>
    loadModel(nn, {
      modelTopology: {},
      weightsManifest: [{ paths: [name], weights: [] }],
      shards: {},
    }),
  'layer by name': (name) => () => nn.sequential([nn.dense({ units: 1 })]).getLayer(name),
};

for (const [what, call] of Object.entries(TABLES)) {
  test(`no name that every object has is taken for one: ${what}`, async () => {
    for (const name of NAMES) await refuses(`${what} ${name}`, call(name));
  });
}

test('layers, outputs and tensors may be called by such a name', async () => {
  for (const name of NAMES) {
    const x = nn.input({ shape: [1], name: `${name}_in` });
    const model = nn.model({ inputs: x, outputs: nn.dense({ units: 1, name }).apply(x) });
    model.compile({ optimizer: 'sgd', loss: { [name]: 'mse' }, metrics: ['mae'] });
    await model.fit([[1]], [[1]], { epochs: 1 });
    const again = nn.modelFromJSON(JSON.stringify(model));
    const { 'model.json': text, ...shards } = saveLayersModel(model);
    const report = await loadWeights(again, { modelJson: JSON.parse(text), shards });
    assert.equal(report.loaded.length, 2, name);
  }
});

/** What is no name, number or shape. */
const ODD = [
  { toString: 1 },
  { valueOf: 1, toString: null },
  Object.create(null),
  [[]],
  new Array(10),
  Symbol('x'),
  1n,
];
let deep = /** @type {any} */ ([]);
for (let i = 0; i < 5000; i++) deep = [deep];
ODD.push(deep, { a: deep });

test('files with such values anywhere are refused in words', async () => {
  const model = nn.sequential([nn.dense({ units: 1, inputShape: [1], name: 'd' })]);
  const { 'model.json': text, ...shards } = saveLayersModel(model);
  const { length } = propertiesOf(JSON.parse(text));
  for (let i = 0; i < length; i++) {
    for (const value of ODD) {
      const modelJson = JSON.parse(text);
      const [owner, key] = propertiesOf(modelJson)[i] ?? [{}, ''];
      owner[key] = value;
      for (const load of [
        () => loadModel(nn, { modelJson, shards }),
        () => nn.modelFromJSON(modelJson),
      ]) {
        try {
          await load();
        } catch (error) {
          assertSaid(error, key);
        }
      }
    }
  }
});
