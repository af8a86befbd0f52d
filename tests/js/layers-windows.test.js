/* Precisions: f32, f64. */
/* Layers of images, of noise and of single elements where Keras cannot be compared number by
 * number: what is random, what is refused, and configurations of older versions. Values beside
 * Keras are in golden-layers.test.js. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';

const BATCH = 8;
const CHANNELS = 16;

/** @param {object} [options] */
const setUp = async (options = { seed: 3 }) => {
  const g = await init();
  return { g, nn: /** @type {any} */ (layers(g, options)) };
};

/** How often each value occurs. @param {Iterable<number>} values */
const countsOf = (values) => {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

test('dropout keeps 1 − rate of the elements in training, scaled up, and all of them otherwise', async () => {
  const { g, nn } = await setUp();
  const layer = nn.dropout({ rate: 0.25 });
  const x = g.broadcastTo(3, [100, 100]);
  const counts = countsOf(layer.apply(x, { training: true }).data());
  assert.deepEqual([...counts.keys()].sort(), [0, 4]);
  // Five deviations of a binomial distribution.
  const off = Math.abs(Number(counts.get(0)) - 2500);
  assert.ok(off < 5 * Math.sqrt(1e4 * 0.25 * 0.75), `${off}`);
  assert.deepEqual(layer.apply(x).data(), x.data());
  g.dispose();
});

test('dropout by a seed of its own, or of all layers, is the same again, and not the same twice in a row', async () => {
  /** @param {any} options @param {any} config */
  const draw = async (options, config) => {
    const { g, nn } = await setUp(options);
    const layer = nn.dropout({ rate: 0.5, ...config });
    const x = g.broadcastTo(1, [64]);
    const found = [0, 1].map(() => layer.apply(x, { training: true }).data().join());
    g.dispose();
    return found;
  };
  const bySeed = await draw({}, { seed: 5 });
  assert.deepEqual(await draw({ seed: 1 }, { seed: 5 }), bySeed);
  const byAll = await draw({ seed: 5 }, {});
  assert.deepEqual(await draw({ seed: 5 }, {}), byAll);
  assert.notDeepEqual(await draw({ seed: 6 }, {}), byAll);
  for (const [first, second] of [bySeed, byAll]) assert.notEqual(first, second);
});

test('elements that share their noise are dropped together: along axes of size 1, and whole channels', async () => {
  const { g, nn } = await setUp();
  /** @type {[any, number[], (i: number[]) => string][]} */
  const cases = [
    [
      nn.dropout({ rate: 0.5, noiseShape: [null, 1, CHANNELS] }),
      [BATCH, 5, CHANNELS],
      ([b, , c]) => `${b} ${c}`,
    ],
    [nn.spatialDropout1d({ rate: 0.5 }), [BATCH, 5, CHANNELS], ([b, , c]) => `${b} ${c}`],
    [nn.spatialDropout2d({ rate: 0.5 }), [BATCH, 3, 2, CHANNELS], ([b, , , c]) => `${b} ${c}`],
    [nn.spatialDropout3d({ rate: 0.5 }), [BATCH, 2, 1, 2, CHANNELS], ([b, , , , c]) => `${b} ${c}`],
    [
      nn.alphaDropout({ rate: 0.5, noiseShape: [null, 1, CHANNELS] }),
      [BATCH, 3, CHANNELS],
      ([b, , c]) => `${b} ${c}`,
    ],
  ];
  for (const [layer, shape, keyOf] of cases) {
    const y = layer.apply(g.broadcastTo(1, shape), { training: true }).data();
    /** @type {Map<string, Set<number>>} */
    const found = new Map();
    y.forEach((/** @type {number} */ value, /** @type {number} */ at) => {
      const index = [...shape].reverse().reduce(
        (/** @type {{ rest: number, index: number[] }} */ { rest, index }, size) => ({
          rest: Math.floor(rest / size),
          index: [rest % size, ...index],
        }),
        { rest: at, index: [] },
      ).index;
      const key = keyOf(index);
      found.set(key, (found.get(key) ?? new Set()).add(value));
    });
    assert.equal(found.size, BATCH * CHANNELS);
    assert.ok(
      [...found.values()].every((values) => values.size === 1),
      layer.label,
    );
    // Of one sample some channels are dropped, and some are not.
    const ofOne = [...found].filter(([key]) => key.startsWith('0 ')).flatMap(([, set]) => [...set]);
    assert.equal(countsOf(ofOne).size, 2, layer.label);
  }
  g.dispose();
});

/** @type {[string, string, Record<string, any>, Record<string, any>][]} */
const OLDER = [
  ['LeakyReLU', 'Keras 2', { alpha: 0.1 }, { negative_slope: 0.1 }],
  ['BatchNormalization', 'TensorFlow 2', { axis: [3], fused: true }, { axis: 3 }],
  [
    'DepthwiseConv2D',
    'TensorFlow 2',
    { kernel_size: [3, 3], groups: 1, depthwise_initializer: 'he_normal' },
    { kernel_size: [3, 3] },
  ],
  [
    'SeparableConv2D',
    'TensorFlow 2',
    {
      filters: 2,
      kernel_size: [3, 3],
      groups: 1,
      kernel_constraint: null,
      kernel_regularizer: null,
      kernel_initializer: { class_name: 'GlorotUniform', config: { seed: null } },
    },
    { filters: 2, kernel_initializer: undefined },
  ],
  [
    'Conv2DTranspose',
    'TensorFlow 2',
    { filters: 2, kernel_size: 3, groups: 1 },
    { kernel_size: [3, 3] },
  ],
  ['ReLU', 'TensorFlow.js', { max_value: 6 }, { max_value: 6, negative_slope: 0 }],
  ['GlobalAveragePooling2D', 'TensorFlow.js', { data_format: 'channelsLast' }, { keepdims: false }],
  ['MaxPooling2D', 'TensorFlow.js', { pool_size: [2, 2], strides: null }, { strides: [2, 2] }],
];

test('configurations of older versions are read, and written as Keras 3 writes them', async () => {
  const { g, nn } = await setUp();
  for (const [className, from, config, expected] of OLDER) {
    const model = nn.modelFromJSON({
      class_name: 'Sequential',
      config: {
        name: 'm',
        layers: [{ class_name: className, config: { name: 'l', dtype: 'float32', ...config } }],
      },
    });
    const written = model.layers[0].getConfig();
    for (const [key, value] of Object.entries(expected)) {
      assert.deepEqual(written[key], value, `${className} of ${from}: ${key}`);
    }
    for (const key of ['fused', 'groups', 'alpha']) {
      assert.equal(written[key], undefined, `${className} of ${from}: ${key}`);
    }
  }
  g.dispose();
});

test("methods have TensorFlow.js's names, its other names too, and may be taken off", async () => {
  const { g, nn } = await setUp();
  const { conv2d, maxPool2d, avgPooling1d, cropping2D } = nn;
  const made = [
    conv2d({ filters: 1, kernelSize: 1 }),
    maxPool2d({}),
    avgPooling1d({}),
    cropping2D({ cropping: 1 }),
  ];
  assert.deepEqual(
    made.map((layer) => layer.serialize().class_name),
    ['Conv2D', 'MaxPooling2D', 'AveragePooling1D', 'Cropping2D'],
  );
  g.dispose();
});
