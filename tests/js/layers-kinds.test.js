/* Precisions: f32, f64. */
/* What the golden files of layers cannot say: names of classes in JSON, what is random, activations
 * where Keras 3.15 is wrong, and the constraint of norms from a least to a largest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { loadWeights, pytorchMapping, writeSafetensors } from 'gradlock/formats';
import { layers } from 'gradlock/layers';

const setUp = async () => {
  const g = await init();
  return { g, nn: /** @type {any} */ (layers(g, { seed: 1 })) };
};

/** Other names of classes that Keras exports. @type {[string, string, Record<string, any>][]} */
const ALIASES = [
  ...['1D', '2D', '3D'].flatMap(
    (axes) =>
      /** @type {[string, string, Record<string, any>][]} */ ([
        [`MaxPool${axes}`, `MaxPooling${axes}`, {}],
        [`AvgPool${axes}`, `AveragePooling${axes}`, {}],
        [`GlobalMaxPool${axes}`, `GlobalMaxPooling${axes}`, {}],
        [`GlobalAvgPool${axes}`, `GlobalAveragePooling${axes}`, {}],
        [`Convolution${axes}`, `Conv${axes}`, { filters: 1, kernel_size: 2 }],
        [`Convolution${axes}Transpose`, `Conv${axes}Transpose`, { filters: 1, kernel_size: 2 }],
      ]),
  ),
  ['SeparableConvolution1D', 'SeparableConv1D', { filters: 1, kernel_size: 2 }],
  ['SeparableConvolution2D', 'SeparableConv2D', { filters: 1, kernel_size: 2 }],
];

test('JSON may call classes by the other names that Keras exports', async () => {
  const { g, nn } = await setUp();
  for (const [alias, name, config] of ALIASES) {
    const json = { class_name: 'Sequential', config: { layers: [{ class_name: alias, config }] } };
    assert.equal(nn.modelFromJSON(json).layers[0].serialize().class_name, name);
  }
  g.dispose();
});

test('dropouts and noise are random in training alone, with the mean and the variance that they state', async () => {
  const { g, nn } = await setUp();
  const x = g.randomNormal([200, 100], 0, 1, 5);
  /** @type {[string, object, number][]} */
  const kinds = [
    ['gaussianDropout', { rate: 0.2 }, 1.25],
    ['alphaDropout', { rate: 0.3 }, 1],
    ['gaussianNoise', { stddev: 0.5 }, 1.25],
  ];
  for (const [name, options, variance] of kinds) {
    const layer = nn[name](options);
    assert.equal(layer.isPure(true), false, name);
    assert.equal(layer.isPure(false), true, name);
    assert.deepEqual(layer.apply(x).data(), x.data(), name);
    const [one, other] = [layer.apply(x, { training: true }), layer.apply(x, { training: true })];
    assert.notDeepEqual(one.data(), other.data(), name);
    // Of 20,000 values, whose means are off by 0.007, variances by 0.01, six times as much.
    assert.ok(Math.abs(g.mean(one).data()[0] ?? 9) < 0.045, `${name}: mean ${g.mean(one)}`);
    assert.ok(Math.abs((g.variance(one).data()[0] ?? 9) - variance) < 0.1 * variance, name);
  }
  assert.equal(nn.spatialDropout3d({ rate: 0.5 }).isPure(true), false);
  assert.equal(nn.masking().isPure(false), false, 'masks are not kept with what was computed');
  g.dispose();
});

test('sparsemax is the nearest vector of numbers from 0 up whose sum is 1', async () => {
  const { g, nn } = await setUp();
  const x = g.randomNormal([50, 6], 0, 0.7, 3);
  const y = nn.activation({ activation: 'sparsemax' }).apply(x).array();
  /** @param {number[]} a @param {number[]} b */
  const distance = (a, b) => a.reduce((sum, value, i) => sum + (value - Number(b[i])) ** 2, 0);
  for (const [i, row] of y.entries()) {
    const given = /** @type {number[][]} */ (x.array())[Number(i)] ?? [];
    assert.ok(row.every((/** @type {number} */ value) => value >= 0));
    assert.ok(
      Math.abs(row.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b) - 1) < 1e-6,
    );
    const least = distance(row, given);
    // No step towards any corner of the simplex comes nearer.
    for (let corner = 0; corner < 6; corner++) {
      const other = row.map(
        (/** @type {number} */ value, /** @type {number} */ k) =>
          value + 0.01 * ((k === corner ? 1 : 0) - value),
      );
      assert.ok(distance(other, given) >= least - 1e-7, `row ${i}, corner ${corner}`);
    }
  }
  g.dispose();
});

test('glu multiplies one half of the last axis by the sigmoid of the other', async () => {
  const { g, nn } = await setUp();
  const y = nn.activation({ activation: 'glu' }).apply([[2, -3, 0, 100]]);
  assert.deepEqual(y.array(), [[1, -3]]);
  const net = nn.sequential([
    nn.dense({ units: 6, activation: 'glu', inputShape: [2] }),
    nn.dense({ units: 1 }),
  ]);
  assert.deepEqual(net.layers[1].kernel.shape, [3, 1]);
  assert.deepEqual(net.predict([[1, 2]]).shape, [1, 1]);
  assert.deepEqual(net.layers[0].computeOutputShape([null, null]), [null, 3]);
  const open = nn.activation({ activation: 'glu' }).computeOutputShape([null, null, 6]);
  assert.deepEqual(open, [null, null, 3]);
  g.dispose();
});

test('minMaxNorm keeps norms in its range, with locks, and through JSON', async () => {
  const { g, nn } = await setUp();
  const constraint = {
    className: 'MinMaxNorm',
    config: { minValue: 0.5, maxValue: 0.75, axis: 0 },
  };
  const net = nn.sequential([
    nn.dense({ units: 4, useBias: false, kernelConstraint: constraint, inputShape: [3] }),
  ]);
  const [{ kernel }] = net.layers;
  kernel.lock({ rows: [0] });
  kernel.assign(g.mul(0.05, kernel), { force: true });
  const before = kernel.array()[0];
  net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  const [small, large] = [1e-3, 9];
  for (const size of [small, large]) {
    net.trainOnBatch(g.broadcastTo(size, [8, 3]), g.broadcastTo(-size, [8, 4]));
    for (const norm of g.l2Norm(kernel, 0).data())
      assert.ok(norm > 0.5 - 1e-5 && norm < 0.75 + 1e-5, `${norm}`);
    assert.deepEqual(kernel.array()[0], before, 'what is locked');
  }
  const again = nn.modelFromJSON(JSON.stringify(net));
  assert.deepEqual(again.layers[0].getConfig(), net.layers[0].getConfig());
  assert.throws(
    () =>
      nn.dense({ units: 1, kernelConstraint: { className: 'MinMaxNorm', config: { rate: 0.5 } } }),
    /rate must be 1, the only supported value, got 0.5/,
  );
  g.dispose();
});

test('weights of PyTorch for volumes, transposed steps and norms come in its layouts', async () => {
  const { g, nn } = await setUp();
  /** @param {any} layer @param {number[]} shape @param {Record<string, any>} tensors */
  const load = async (layer, shape, tensors) => {
    const model = nn.sequential([layer]);
    model.ensureBuilt([null, ...shape]);
    const named = Object.fromEntries(
      Object.entries(tensors).map(([key, value]) => [`m.${key}`, value]),
    );
    const mapping = pytorchMapping(model, { m: layer.name });
    const { missing, unexpected } = await loadWeights(model, writeSafetensors(named), { mapping });
    assert.deepEqual([missing, unexpected], [[], []]);
    return model;
  };
  // torch.nn.Conv3d: [out, in, depth, height, width]; a window as large as its input.
  const [weight, bias] = [g.randomNormal([2, 3, 2, 2, 1], 0, 1, 1), g.tensor([0.5, -1])];
  const volumes = await load(nn.conv3d({ filters: 2, kernelSize: [2, 2, 1] }), [2, 2, 1, 3], {
    weight,
    bias,
  });
  const x = g.randomNormal([1, 2, 2, 1, 3], 0, 1, 2);
  const products = g.einsum('oidhw,ndhwi->no', weight, x);
  const wanted = g.add(products, bias).data();
  for (const [i, value] of volumes.predict(x).data().entries()) {
    assert.ok(Math.abs(value - Number(wanted[i])) < 1e-5, `${value}, expected ${wanted[i]}`);
  }
  // torch.nn.ConvTranspose1d: [in, out, size]; one step gives size steps.
  const back = g.randomNormal([3, 2, 4], 0, 1, 3);
  const steps = await load(nn.conv1dTranspose({ filters: 2, kernelSize: 4 }), [1, 3], {
    weight: back,
    bias,
  });
  const one = g.randomNormal([1, 1, 3], 0, 1, 4);
  const expected = g.add(g.einsum('iok,nti->nko', back, one), bias).data();
  for (const [i, value] of steps.predict(one).data().entries()) {
    assert.ok(Math.abs(value - Number(expected[i])) < 1e-5, `${value}, expected ${expected[i]}`);
  }
  const groups = await load(nn.groupNormalization({ groups: 2 }), [4], {
    weight: g.tensor([1, 2, 3, 4]),
    bias: g.tensor([5, 6, 7, 8]),
  });
  assert.deepEqual(groups.layers[0].gamma.array(), [1, 2, 3, 4]);
  assert.deepEqual(groups.layers[0].beta.array(), [5, 6, 7, 8]);
  const rms = await load(nn.rmsNormalization(), [2], { weight: g.tensor([1, 2]) });
  assert.deepEqual(rms.layers[0].scale.array(), [1, 2]);
  g.dispose();
});
