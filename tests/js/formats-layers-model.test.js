/* LayersModels of TensorFlow.js: what saveLayersModel refuses, since TensorFlow.js lacks it or
 * reads it differently, what it saves, and which lists of weights are read. tests/port asks
 * TensorFlow.js itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormatError, init, OptionError } from 'gradlock';
import { loadModel, loadWeights, saveLayersModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';

const g = await init();
const nn = layers(g);

const GRID = [4, 4, 2];
const conv = { filters: 2, kernelSize: 2 };
const named = (/** @type {string} */ className, config = {}) => ({ className, config });
const spread = named('VarianceScaling', { distribution: 'untruncated_normal' });

/** @type {[inputShape: number[], layer: string, options: object, refused: RegExp | null][]} */
const CASES = [
  [[3], 'dense', { units: 1, activation: 'hardSigmoid' }, /hard_sigmoid of slope 1\/6/],
  [[3], 'dense', { units: 1, activation: 'legacyHardSigmoid' }, null],
  [[3], 'dense', { units: 1, activation: 'hardSilu' }, /has activation "hard_silu".*known are elu/],
  [[3], 'dense', { units: 1, kernelInitializer: spread }, /untruncated_normal.*give truncated/],
  [[3], 'reLU', { negativeSlope: 0.5 }, /has negative_slope 0.5, TensorFlow.js has only 0: save/],
  [[3], 'reLU', { threshold: 1 }, /has threshold 1, TensorFlow.js has only 0/],
  [[3], 'reLU', { maxValue: 1 }, null],
  [[3], 'elu', { alpha: 2 }, /has alpha 2, TensorFlow.js has only 1/],
  [[3, 2], 'softmax', { axis: 1 }, /has axis 1, TensorFlow.js has only -1/],
  [[3, 2], 'layerNormalization', {}, null],
  [
    [3, 2],
    'globalMaxPooling1d',
    { keepdims: true },
    /has keepdims true, TensorFlow.js has only false/,
  ],
  [[3, 2], 'globalMaxPooling1d', {}, null],
  [[3, 2], 'gru', { units: 1 }, /has reset_after true, TensorFlow.js has only false/],
  [[3, 2], 'gru', { units: 1, resetAfter: false }, null],
  [[3, 2], 'gru', { units: 1, resetAfter: false, returnState: true }, /returns several tensors/],
  [GRID, 'depthwiseConv2d', { kernelSize: 2, dilationRate: 2 }, /dilation_rate .* only \[1, 1\]/],
  [GRID, 'depthwiseConv2d', { kernelSize: 2 }, null],
  [GRID, 'upSampling2d', { interpolation: 'bilinear' }, /has only "nearest"/],
  [GRID, 'conv2d', { ...conv, groups: 2 }, /has groups 2, TensorFlow.js has only 1/],
  [[4, 2], 'conv1d', { ...conv, padding: 'causal' }, /has causal padding.*pad by a layer before/],
  [[4, 2], 'conv1d', { ...conv, padding: 'same' }, null],
  [
    [4, 2],
    'separableConv1d',
    conv,
    /class SeparableConv1D, .*\{ classes: \['SeparableConv1D'\] \}/,
  ],
  [[3], 'flatten', {}, /flattens an input of two axes/],
  [[3, 2], 'flatten', {}, null],
  [[3, 2, 2, 2], 'batchNormalization', {}, /normalizes volumes/],
  [GRID, 'batchNormalization', {}, null],
  [GRID, 'batchNormalization', { axis: 3 }, null],
  [GRID, 'batchNormalization', { axis: 2 }, /normalizes axis 2, .*unless it is the last/],
];
for (const [inputShape, layer, options, refused] of CASES) {
  test(`${layer} on [${inputShape}] with ${JSON.stringify(options)} is ${refused ? 'refused' : 'saved'}`, async () => {
    const net = nn.sequential([/** @type {any} */ (nn)[layer]({ ...options, inputShape })]);
    if (refused) {
      const isRight = (/** @type {any} */ error) =>
        error instanceof OptionError && refused.test(error.message);
      assert.throws(() => saveLayersModel(net), isRight);
      return;
    }
    const { 'model.json': text, ...shards } = saveLayersModel(net);
    const again = await loadModel(nn, { modelJson: JSON.parse(text), shards });
    const x = g.random(1).normal([2, ...inputShape]);
    assert.deepEqual(again.predict(x).array(), net.predict(x).array());
  });
}

test('options are spelt and completed as TensorFlow.js reads them', () => {
  const net = nn.sequential([
    nn.reshape({ targetShape: [-1, 2], inputShape: [3, 4] }),
    nn.leakyReLU({ negativeSlope: 0.5 }),
    ...['L1', 'L2'].map((name) => nn.dense({ units: 1, kernelRegularizer: named(name) })),
  ]);
  const { modelTopology } = JSON.parse(saveLayersModel(net)['model.json']);
  const [reshape, leaky, first, second] = modelTopology.model_config.config.layers
    .slice(-4)
    .map((/** @type {any} */ { config }) => config);
  assert.deepEqual(reshape.target_shape, [6, 2], 'it does not compute a size of -1');
  assert.deepEqual([leaky.alpha, leaky.negative_slope], [0.5, undefined]);
  const [l1, l2] = [first, second].map((config) => config.kernel_regularizer);
  assert.deepEqual(l1, { class_name: 'L1L2', config: { l1: 0.01, l2: 0 } });
  assert.deepEqual(l2, { class_name: 'L1L2', config: { l1: 0, l2: 0.01 } });
});

/** Each with a value that puts a kernel [2, 2, 2] at its bound, and the steps beyond. */
const BOUNDS = /** @type {const} */ ([
  ['UnitNorm', { axis: 0 }, Math.SQRT1_2, [-0.01, 0.01]],
  ['UnitNorm', { axis: [0, 2] }, 0.5, [-0.01, 0.01]],
  ['UnitNorm', { axis: [0, 1, 2] }, Math.sqrt(1 / 8), [-0.01, 0.01]],
  ['MaxNorm', { axis: 1, maxValue: 3 }, 3 * Math.SQRT1_2, [0.01]],
  ['MinMaxNorm', { axis: 2, minValue: 2, maxValue: 3 }, 2 * Math.SQRT1_2, [-0.01]],
  ['MinMaxNorm', { axis: 2, minValue: 2, maxValue: 3 }, 3 * Math.SQRT1_2, [0.01]],
  ['MaxNorm', {}, 0, [3]],
  ['NonNeg', {}, 0, [-0.01]],
]);
for (const [className, config, value, out] of BOUNDS) {
  test(`a kernel at the bound of ${className} ${JSON.stringify(config)} is saved, and refused beyond it`, () => {
    const net = nn.sequential([
      nn.conv1d({
        ...{ ...conv, inputShape: [4, 2], useBias: false },
        kernelConstraint: named(className, config),
      }),
    ]);
    const [kernel] = net.weights;
    const values = new Float32Array(8).fill(value);
    kernel.assign(values);
    assert.ok(saveLayersModel(net));
    for (const by of out) {
      for (const i of values.keys()) {
        kernel.assign(values.with(i, value + by));
        const message = new RegExp(`/kernel breaks its constraint ${className}, .*train it`);
        assert.throws(() => saveLayersModel(net), { name: 'OptionError', message });
      }
    }
  });
}

/** A model with a kernel [2, 1] and a bias [1]. */
const line = nn.sequential([nn.dense({ units: 1, inputShape: [2], name: 'd' })]);
const [kernel, bias] = [
  { name: 'd/kernel', shape: [2, 1], dtype: 'float32' },
  { name: 'd/bias', shape: [1], dtype: 'float32' },
];

/** @param {string} dtype @param {number} [scale] @param {number} [min] */
const packed = (dtype, scale, min) => ({ quantization: { dtype, scale, min } });

/** @type {[spec: object, values: { buffer: ArrayBuffer }, expected: number[]][]} */
const STORED = [
  [{}, Float32Array.of(1.5, -2), [1.5, -2]],
  [{ dtype: 'int32' }, Int32Array.of(7, -9), [7, -9]],
  [{ dtype: 'bool' }, Uint8Array.of(1, 0), [1, 0]],
  [packed('float16'), Uint16Array.of(0x3e00, 0xc000), [1.5, -2]],
  [packed('uint8', 0.5, -1), Uint8Array.of(3, 255), [0.5, 126.5]],
  [packed('uint16', 0.25, 1), Uint16Array.of(3, 65535), [1.75, 16384.75]],
  [{ dtype: 'int32', ...packed('uint8', 0.3, -1) }, Uint8Array.of(7, 13), [1, 3]],
];
for (const [spec, { buffer }, expected] of STORED) {
  test(`a weight that is stored as ${JSON.stringify(spec)} is read, and no value is rounded`, async () => {
    const source = {
      modelTopology: {},
      weightSpecs: [bias, { ...kernel, ...spec }],
      weightData: [new Uint8Array(4), buffer],
    };
    const { converted } = await loadWeights(line, source);
    assert.deepEqual([...line.weights[0].data()], expected);
    assert.ok(converted.every(({ rounded }) => rounded === 0));
  });
}

/** @type {[what: string, source: object, refused: RegExp][]} */
const WRONG = [
  ...[[-2], [0.5], ['2'], [2 ** 53], [2 ** 52, 0]].map(
    (shape) =>
      /** @type {[string, object, RegExp]} */ ([
        `the shape ${JSON.stringify(shape)}`,
        { weightSpecs: [{ ...kernel, shape }, bias] },
        /kernel has the invalid shape/,
      ]),
  ),
  [
    'type',
    { weightSpecs: [{ ...kernel, dtype: 'string' }, bias] },
    /supported: float32, int32 and/,
  ],
  ...[packed('uint4', 1, 0), packed('uint8', 1), packed('uint8', Number.NaN, 0)].map(
    (spec) =>
      /** @type {[string, object, RegExp]} */ ([
        JSON.stringify(spec),
        { weightSpecs: [{ ...kernel, ...spec }, bias] },
        /kernel (is quantized to "uint4"; supported: uint8|has scale .*, expected numbers)/,
      ]),
  ),
  ['too few bytes', { weightData: new Uint8Array(11) }, /d\/bias has 4 bytes, 3 are left/],
  ['too many bytes', { weightData: new Uint8Array(13) }, /1 bytes of shards belong to no weight/],
  ['one name twice', { weightSpecs: [bias, bias, bias] }, /there are two weights d\/bias/],
  ['a graph', { format: 'graph-model' }, /this is a graph model, which has no layers/],
  ['nodes', { modelTopology: { node: [] } }, /this is a graph model, which has no layers/],
];
for (const [what, given, refused] of WRONG) {
  test(`a LayersModel with ${what} is refused, and nothing is loaded`, async () => {
    const specs = { modelTopology: {}, weightSpecs: [kernel, bias] };
    const source = { ...specs, weightData: new Uint8Array(12), ...given };
    line.setWeights([[[3], [4]], [5]]);
    await assert.rejects(
      loadWeights(line, source),
      (/** @type {any} */ error) => error instanceof FormatError && refused.test(error.message),
    );
    assert.deepEqual(
      line.weights.flatMap((weight) => [...weight.data()]),
      [3, 4, 5],
    );
  });
}

test('shards are found by their paths, or by the last part, and may end within a weight', async () => {
  const bytes = new Uint8Array(Float32Array.of(1, 2, 3).buffer);
  const weightsManifest = [{ paths: ['at/a.bin', 'at/b.bin'], weights: [kernel, bias] }];
  const parts = [bytes.slice(0, 5), bytes.slice(5)];
  for (const names of [
    ['at/a.bin', 'at/b.bin'],
    ['a.bin', 'b.bin'],
  ]) {
    const shards = Object.fromEntries(names.map((name, i) => [name, parts[i]]));
    line.setWeights([[[0], [0]], [0]]);
    await loadWeights(line, { modelJson: { modelTopology: {}, weightsManifest }, shards });
    assert.deepEqual(
      line.weights.flatMap((weight) => [...weight.data()]),
      [1, 2, 3],
    );
  }
  const lost = loadWeights(line, {
    modelTopology: {},
    weightsManifest,
    shards: { 'a.bin': parts[0] },
  });
  await assert.rejects(lost, { name: 'OptionError', message: /no shard at\/b.bin; known: a.bin/ });
});
