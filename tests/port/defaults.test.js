/* What docs/from-tensorflow-js.md says of defaults: what layers say of themselves, there and here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { open } from './gradlock.js';
import { LAYERS, MERGES } from './layer-table.js';
import { openTensorFlow } from './tensorflow.js';

const page = readFileSync(new URL('../../docs/from-tensorflow-js.md', import.meta.url), 'utf8');
const { core, tf: tensorflow } = await openTensorFlow();

/** Options of layers; what they wrap is compared by itself. @type {Record<string, any>} */
const OPTIONS = {
  ...MERGES,
  cropping2D: { cropping: [0, 0].map(() => [0, 0]) }, // TensorFlow.js has no default.
  embedding: { inputDim: 5, outputDim: 2, maskZero: false },
};
for (const [name, [, options]] of Object.entries(LAYERS)) {
  if (typeof options === 'object' && name in tensorflow.layers) OPTIONS[name] ??= options;
}

/** @param {string} key */
const camel = (key) => key.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Initializers that both have, under other names. @type {Record<string, string>} */
const SAME = {
  'VarianceScaling 1 fanAvg normal': 'glorotNormal',
  'VarianceScaling 1 fanAvg uniform': 'glorotUniform',
  GlorotUniform: 'glorotUniform',
};

/** A value of a configuration in words that do not depend on who wrote it. @param {any} value @returns {string} */
const say = (value) => {
  if (value === undefined || value === null) return 'none';
  const name = value.className ?? value.class_name;
  if (name) {
    const { seed: _, ...config } = value.config ?? {};
    const words = [name, ...Object.values(config).filter((entry) => entry !== null)].join(' ');
    return SAME[words] ?? words;
  }
  const isRepeated = Array.isArray(value) && value.every((entry) => say(entry) === say(value[0]));
  if (isRepeated && value.length > 0) return say(value[0]);
  return typeof value === 'string' ? camel(value) : JSON.stringify(value);
};

/** @param {any} lib @param {string} name @returns {Record<string, unknown>} */
const configOf = (lib, name) => {
  const config = lib.layers[name]({ ...OPTIONS[name], name: 'n' }).getConfig();
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [camel(key), value]));
};

test('defaults of layers differ from those of TensorFlow.js where the page says so, and nowhere else', async () => {
  const { tf } = await open();
  const found = Object.keys(OPTIONS).flatMap((name) => {
    const [theirs, ours] = [configOf(tensorflow, name), configOf(tf, name)];
    return Object.keys(theirs)
      .filter((key) => key in ours && say(theirs[key]) !== say(ours[key]))
      .map((key) => `${name} ${key}: ${say(theirs[key])}, here ${say(ours[key])}`);
  });
  const convolutions = ['conv1d', 'conv2d', 'conv3d', 'conv2dTranspose', 'conv3dTranspose'];
  const kernels = [...convolutions, 'dense', 'gru', 'lstm', 'simpleRNN'];
  assert.deepEqual(
    found.sort(),
    [
      ...kernels.map((name) => `${name} kernelInitializer: glorotNormal, here glorotUniform`),
      'depthwiseConv2d depthwiseInitializer: glorotNormal, here glorotUniform',
      'gru recurrentActivation: hardSigmoid, here sigmoid',
      'gru resetAfter: false, here true',
      'lstm recurrentActivation: hardSigmoid, here sigmoid',
      'lstm unitForgetBias: none, here true',
      'softmax axis: 1, here -1',
    ].sort(),
  );
  const table = page.slice(page.indexOf('## Defaults that differ'));
  for (const line of found) {
    const [, name = '', option = ''] = line.match(/^(\w+) (\w+):/) ?? [];
    const row = table.split('\n').find((entry) => {
      const [, of = '', what = ''] = entry.split('|');
      return of.split(/[\s,]+/).includes(name) && what.includes(`\`${option}\``);
    });
    assert.ok(row, `the page has a row of ${line}`);
  }
});

test('the page names every layer that TensorFlow.js does not have, and no other', async () => {
  const { tf } = await open();
  const theirs = new Set(Object.keys(tensorflow.layers).map((name) => name.toLowerCase()));
  const made = /** @type {Record<string, any>} */ (tf.layers);
  // Two aliases, and what is no layer of Keras's.
  const aside = ['globalMaxPool3d', 'maxPool3d', 'lambda', 'initializer', 'registerClass'];
  const left = new Set([...aside, 'modelFromJSON', 'callbacks']);
  const ours = Object.keys(made).filter(
    (name) => !theirs.has(name.toLowerCase()) && !left.has(name),
  );
  const [, list = ''] = page.match(/does not have the layers ([^.]*)\./) ?? [];
  assert.deepEqual(
    [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(),
    ours.sort(),
    'name the layers that TensorFlow.js lacks in docs/from-tensorflow-js.md',
  );
});

test("what else the page says of values is so: forget gates, hardSigmoid, optimizers' rates, Adam's epsilon, logs", async () => {
  const { g, tf } = await open();
  const bias = (/** @type {any} */ lib) => {
    const model = lib.sequential({ layers: [lib.layers.lstm({ units: 1, inputShape: [2, 1] })] });
    const [, , last] = model.getWeights();
    return [...(last.dataSync?.() ?? last.data())];
  };
  assert.deepEqual(
    [bias(tensorflow), bias(tf)],
    [
      [0, 0, 0, 0],
      [0, 1, 0, 0],
    ],
  );
  const activation = (/** @type {any} */ lib, /** @type {any} */ x, name = 'hardSigmoid') => {
    const y = lib.layers.activation({ activation: name }).apply(x);
    return Number((y.dataSync?.() ?? y.data())[0]);
  };
  assert.equal(activation(tensorflow, core.tensor([1])), Math.fround(0.7));
  assert.equal(activation(tf, g.tensor([1])), Math.fround(2 / 3));
  for (const x of [-4, -2.5, -1, 0, 1, 2, 3]) {
    assert.equal(
      activation(tf, g.tensor([x]), 'legacyHardSigmoid'),
      activation(tensorflow, core.tensor([x])),
    );
  }
  /** How far one step goes, from 1, on 2 x. */
  const step = async (
    /** @type {any} */ lib,
    /** @type {any} */ optimizer,
    /** @type {any} */ matrix,
  ) => {
    const dense = lib.layers.dense({
      units: 1,
      useBias: false,
      kernelInitializer: 'ones',
      inputShape: [1],
    });
    const model = lib.sequential({ layers: [dense] });
    model.compile({ optimizer, loss: 'meanSquaredError', metrics: ['accuracy'] });
    const { history } = await model.fit(matrix([[1]]), matrix([[0]]), { verbose: 0 });
    const [kernel] = dense.getWeights();
    return {
      by: 1 - Number((kernel.dataSync?.() ?? kernel.data())[0]),
      logs: Object.keys(history),
    };
  };
  const [there, here] = [
    (/** @type {any} */ optimizer) => step(tensorflow, optimizer, core.tensor2d),
    (/** @type {any} */ optimizer) => step(tf, optimizer, (/** @type {any} */ x) => g.tensor(x)),
  ];
  const rates = { adagrad: 0.01, adamax: 0.002 };
  for (const [name, learningRate] of Object.entries(rates)) {
    const rule = /** @type {any} */ (g.optimizers)[name];
    assert.equal(rule().learningRate, 0.001, name);
    const [theirs, ours] = [await there(name), await here(rule({ learningRate }))];
    assert.ok(Math.abs(theirs.by / ours.by - 1) < 0.01, `${name}: ${theirs.by}, ${ours.by}`);
  }
  // There it divides by the average of squares before this one is in it: by the root of epsilon.
  const first = [await there('adadelta'), await here(g.optimizers.adadelta({ learningRate: 1 }))];
  assert.ok(Math.abs(Number(first[0]?.by) - 2) < 1e-6, `${first[0]?.by}`);
  assert.ok(Math.abs(Number(first[1]?.by) - 2 * Math.sqrt(1e-7 / 0.2)) < 1e-6, `${first[1]?.by}`);
  assert.equal(g.optimizers.adadelta().learningRate, 0.001);
  const large = { epsilon: 2 };
  const [theirs, ours] = [
    await there(core.train.adam(0.1, 0.9, 0.999, large.epsilon)),
    await here(g.optimizers.adam({ learningRate: 0.1, ...large })),
  ];
  // The gradient is 2: with epsilon beside √v̂ the step is a half, beside √v far less.
  assert.ok(Math.abs(theirs.by - 0.05) < 1e-6, `${theirs.by}`);
  const corrected = (0.1 * Math.sqrt(1 - 0.999)) / (1 - 0.9);
  const expected = (corrected * 0.1 * 2) / (2 * Math.sqrt(1 - 0.999) + 2);
  assert.ok(Math.abs(ours.by - expected) < 1e-6, `${ours.by}, ${expected}`);
  assert.deepEqual(
    [theirs.logs, ours.logs],
    [
      ['loss', 'acc'],
      ['loss', 'accuracy'],
    ],
  );
});
