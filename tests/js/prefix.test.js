/* Tier: test. Precisions: f32, f64 of ^(?!a budget|the prefix runs once)[a-z\d]. */
/* Law 24: what wholly locked, deterministic first layers make of a row is computed once; the bits
 * are those of computing it anew, and any change of locks, weights or data ends that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { random } from './support.js';

/** @typedef {any} Any */
/**
 * @typedef {object} Setting
 * @property {(nn: Any) => Any} make
 * @property {(net: Any, batch: number, g: Any) => void} [onBatch] Called after each batch, counted
 *   from 1 over all epochs.
 * @property {(g: Any, x: Any, y: Any, count: number) => Any} [source]
 * @property {object} [options]
 * @property {string[]} [cached] Names of the layers that are computed once.
 * @property {RegExp} [reason]
 */

const ROWS = 44;
const SIDE = 6;

/** @param {Setting} setting @param {unknown} cache */
const train = async ({ make, onBatch, source, options }, cache) => {
  const g = await init();
  const nn = layers(g, { seed: 7 });
  const next = random(11);
  const net = make(nn);
  const inputs = net.inputs.map((/** @type {Any} */ { shape }) => {
    const sizes = shape.slice(1).map((/** @type {number | null} */ size) => size ?? 5);
    const count = sizes.reduce(
      (/** @type {number} */ n, /** @type {number} */ size) => n * size,
      ROWS,
    );
    return g.tensor(
      Float32Array.from({ length: count }, () => next() - 0.5),
      [ROWS, ...sizes],
    );
  });
  const y = g.tensor(Float32Array.from({ length: ROWS }, () => Math.floor(next() * 3)));
  const optimizer = g.optimizers.adam({ learningRate: 0.01 });
  net.compile({ optimizer, loss: 'sparseCategoricalCrossentropy', metrics: ['accuracy'] });
  let batch = 0;
  const onBatchEnd = () => onBatch?.(net, ++batch, g);
  const x = inputs.length === 1 ? inputs[0] : inputs;
  const given = { epochs: 5, cache, callbacks: { onBatchEnd }, ...options };
  const { history, cached, audit } = source
    ? await net.fit(source(g, x, y, ROWS), given)
    : await net.fit(x, y, { batchSize: 8, validationSplit: 0.25, ...given });
  assert.equal(audit?.changed ?? 0, 0);
  const bits = net
    .getWeights()
    .map((/** @type {Any} */ w) => new Uint32Array(w.data().slice().buffer));
  const { text, cached: told } = net.summary({ print: null });
  return { bits, history, cached, text, told };
};

/** @param {Any} nn @param {number} frozen How many of its layers. @param {Any[]} more */
const stack = (nn, frozen, more = []) => {
  const net = nn.sequential([
    nn.conv2d({
      inputShape: [SIDE, SIDE, 1],
      filters: 3,
      kernelSize: 3,
      activation: 'relu',
      name: 'one',
    }),
    nn.batchNormalization({ name: 'norm' }),
    nn.maxPooling2d({ poolSize: 2, name: 'pool' }),
    nn.flatten({ name: 'flat' }),
    ...more,
    nn.dropout({ rate: 0.3, name: 'drop' }),
    nn.dense({ units: 5, activation: 'tanh', name: 'two' }),
    nn.dense({ units: 3, activation: 'softmax', name: 'head' }),
  ]);
  for (const layer of net.layers.slice(0, frozen)) layer.trainable = false;
  return net;
};

/** @param {Any} nn @param {string[]} frozen */
const residual = (nn, frozen) => {
  const input = nn.input({ shape: [SIDE, SIDE, 1] });
  const made = {
    first: nn.conv2d({ filters: 2, kernelSize: 3, padding: 'same', name: 'first' }),
    second: nn.conv2d({ filters: 2, kernelSize: 3, padding: 'same', name: 'second' }),
  };
  const a = made.first.apply(input);
  const b = nn.add({ name: 'sum' }).apply([a, made.second.apply(a)]);
  const out = nn
    .dense({ units: 3, activation: 'softmax', name: 'head' })
    .apply(nn.flatten().apply(b));
  const net = nn.model({ inputs: input, outputs: out });
  for (const name of frozen) net.getLayer(name).trainable = false;
  return net;
};

const ALL = ['one', 'norm', 'pool', 'flat'];

/** @type {Record<string, Setting>} */
const SETTINGS = {
  'nothing is frozen': {
    make: (nn) => stack(nn, 0),
    cached: [],
    reason: /^one is not fully locked$/,
  },
  'frozen layers up to a dropout': {
    make: (nn) => stack(nn, 6),
    cached: ALL,
    reason: /^drop is random or mixes the rows of a batch$/,
  },
  'without shuffling': { make: (nn) => stack(nn, 4), options: { shuffle: false }, cached: ALL },
  'one batch of all rows': { make: (nn) => stack(nn, 4), options: { batchSize: 99 }, cached: ALL },
  'locked element by element': {
    make: (nn) => {
      const net = stack(nn, 0);
      net.getLayer('one').kernel.lock('all');
      net.getLayer('one').bias.lock('all');
      return net;
    },
    cached: ['one'],
    reason: /^norm is not fully locked$/,
  },
  'batch normalization that still looks at batches': {
    make: (nn) => {
      const net = stack(nn, 1);
      for (const weight of net.getLayer('norm').weights) weight.lock('all');
      return net;
    },
    cached: ['one'],
    reason: /^norm is random or mixes/,
  },
  'all but one element': {
    make: (nn) => {
      const net = stack(nn, 0);
      net.lock(/one/);
      net.getLayer('one').kernel.unlock([4]);
      return net;
    },
    cached: [],
  },
  'steps in time whose number the data says': {
    make: (nn) => {
      const net = nn.sequential([
        nn.dense({ units: 4, activation: 'tanh', inputShape: [null, 3], name: 'low' }),
        nn.globalAveragePooling1d({ name: 'mean' }),
        nn.dense({ units: 4, name: 'high' }),
        nn.dense({ units: 3, activation: 'softmax', name: 'head' }),
      ]);
      net.layers[0].trainable = false;
      return net;
    },
    cached: ['low', 'mean'],
  },
  'a frozen model with ops between its layers, one of them over the batch': {
    make: (nn) => {
      const net = nn.sequential([
        nn.dense({ units: 4, activation: 'tanh', inputShape: [3], name: 'low' }),
        nn.dense({ units: 3, name: 'head' }),
      ]);
      const json = nn.model({ inputs: net.inputs[0], outputs: net.outputs[0] }).toJSON();
      const [input, low, head] = json.config.layers;
      const from = head.inbound_nodes[0].args[0];
      const keras = (/** @type {string} */ name) => ({
        class_name: '__keras_tensor__',
        config: { shape: [null, 4], dtype: 'float32', keras_history: [name, 0, 0] },
      });
      const op = (/** @type {string} */ name, /** @type {any[]} */ args, kwargs = {}) => ({
        module: 'keras.src.ops.numpy',
        class_name: name,
        config: { name: name.toLowerCase() },
        registered_name: name,
        name: name.toLowerCase(),
        inbound_nodes: [{ args, kwargs }],
      });
      const mean = op('Mean', [from]);
      mean.config = /** @type {any} */ ({ name: 'mean', axis: 0, keepdims: true });
      const difference = op('Subtract', [from, keras('mean')]);
      head.inbound_nodes[0].args = [keras('subtract')];
      json.config.layers = [input, low, mean, difference, head];
      const made = nn.modelFromJSON(json);
      made.trainable = false; // whole, and yet it may not be kept as a whole
      return nn.sequential([made, nn.dense({ units: 3, activation: 'softmax' })]);
    },
    cached: ['low'],
  },
  'everything is frozen': {
    make: (nn) => {
      const net = nn.sequential([
        nn.flatten({ inputShape: [SIDE, SIDE, 1], name: 'flat' }),
        nn.dense({ units: 3, activation: 'softplus', name: 'head' }),
      ]);
      net.trainable = false;
      return net;
    },
    cached: ['flat', 'head'],
    reason: /^$/,
  },
  'everything is frozen, and the loss needs the logits': {
    make: (nn) => {
      const net = nn.sequential([
        nn.flatten({ inputShape: [SIDE, SIDE, 1], name: 'flat' }),
        nn.dense({ units: 3, activation: 'softmax', name: 'head' }),
      ]);
      net.trainable = false;
      return net;
    },
    cached: [],
    reason: /^head makes the output that the loss uses$/,
  },
  'a residual whose first half is frozen': {
    make: (nn) => residual(nn, ['first']),
    cached: ['first'],
  },
  'a residual whose second half alone is frozen': {
    make: (nn) => residual(nn, ['second']),
    cached: [],
  },
  'a residual of which both are': {
    make: (nn) => residual(nn, ['first', 'second']),
    cached: ['first', 'second', 'sum', 'flatten'],
  },
  'two inputs, one of them behind frozen layers': {
    make: (nn) => {
      const [a, b] = [nn.input({ shape: [9] }), nn.input({ shape: [4] })];
      const base = nn.dense({ units: 6, activation: 'relu', name: 'base' });
      const joined = nn.concatenate({ name: 'join' }).apply([base.apply(a), b]);
      const out = nn.dense({ units: 3, activation: 'softmax', name: 'head' }).apply(joined);
      base.trainable = false;
      return nn.model({ inputs: [a, b], outputs: out });
    },
    cached: ['base', 'join'],
  },
  'a model inside, frozen whole': {
    make: (nn) => {
      const base = nn.sequential({
        name: 'base',
        layers: [
          nn.conv2d({ inputShape: [SIDE, SIDE, 1], filters: 2, kernelSize: 3 }),
          nn.flatten(),
        ],
      });
      base.trainable = false;
      return nn.sequential([base, nn.dense({ units: 3, activation: 'softmax' })]);
    },
    cached: ['base'],
  },
  'a model inside, frozen in part': {
    make: (nn) => {
      const base = nn.sequential([
        nn.conv2d({ inputShape: [SIDE, SIDE, 1], filters: 2, kernelSize: 3, name: 'a' }),
        nn.conv2d({ filters: 2, kernelSize: 3, name: 'b' }),
        nn.flatten(),
      ]);
      base.layers[0].trainable = false;
      return nn.sequential([
        base,
        nn.dropout({ rate: 0.5 }),
        nn.dense({ units: 3, activation: 'softmax' }),
      ]);
    },
    cached: ['a'],
    reason: /^b is not/,
  },
  'a model inside that is applied twice is not looked into': {
    make: (nn) => {
      const [a, b] = [nn.input({ shape: [4] }), nn.input({ shape: [4] })];
      const inner = nn.sequential([
        nn.dense({ units: 4, inputShape: [4], name: 'low' }),
        nn.dense({ units: 4, name: 'high' }),
      ]);
      inner.layers[0].trainable = false;
      const joined = nn.concatenate().apply([inner.apply(a), inner.apply(b)]);
      const out = nn.dense({ units: 3, activation: 'softmax' }).apply(joined);
      return nn.model({ inputs: [a, b], outputs: out });
    },
    cached: [],
  },
  'a frozen layer applied twice': {
    make: (nn) => {
      const [a, b] = [nn.input({ shape: [4] }), nn.input({ shape: [4] })];
      const shared = nn.dense({ units: 4, name: 'shared' });
      const joined = nn.concatenate({ name: 'join' }).apply([shared.apply(a), shared.apply(b)]);
      const out = nn.dense({ units: 3, activation: 'softmax' }).apply(joined);
      shared.trainable = false;
      return nn.model({ inputs: [a, b], outputs: out });
    },
    cached: ['shared', 'join'],
  },
  'a softmax and a normalization along the axis of batches, from either end': {
    make: (nn) => {
      const a = nn.input({ shape: [4] });
      const base = nn.dense({ units: 4, name: 'base' });
      const low = base.apply(a);
      const plain = { center: false, scale: false };
      const mixed = [
        nn.softmax({ axis: 0 }),
        nn.softmax({ axis: -2 }),
        nn.softmax({ axis: [0, 1] }),
        nn.layerNormalization({ axis: 0, ...plain }),
        nn.sequential([nn.softmax({ axis: 0, inputShape: [4] })]),
      ].map((layer) => layer.apply(low));
      const joined = nn.concatenate({ name: 'join' }).apply([low, ...mixed]);
      const out = nn.dense({ units: 3, activation: 'softmax' }).apply(joined);
      base.trainable = false;
      return nn.model({ inputs: a, outputs: out });
    },
    cached: ['base'],
    reason: /mixes the rows of a batch/,
  },
  'a softmax of numbers that have no axis but that of batches': {
    make: (nn) => {
      const soft = () => [
        nn.reshape({ targetShape: [], inputShape: [1] }),
        nn.activation({ activation: 'softmax' }),
        nn.reshape({ targetShape: [1] }),
      ];
      const a = nn.input({ shape: [4] });
      const base = nn.dense({ units: 1, name: 'base' });
      const low = base.apply(a);
      const outside = soft().reduce((x, layer) => layer.apply(x), low);
      const joined = nn.concatenate().apply([low, outside, nn.sequential(soft()).apply(low)]);
      const out = nn.dense({ units: 3, activation: 'softmax' }).apply(joined);
      base.trainable = false;
      return nn.model({ inputs: a, outputs: out });
    },
    cached: ['base'],
    reason: /mixes the rows of a batch/,
  },
  'a layer of your own says nothing, and is computed anew': {
    make: (nn) => {
      class Double extends nn.Layer {
        static className = 'Double';
        call(/** @type {Any} */ x) {
          return this.g.mul(x, 2);
        }
      }
      return stack(nn, 4, [new /** @type {Any} */ (Double)({ name: 'double' })]);
    },
    cached: ALL,
    reason: /^double is random or mixes/,
  },
  'a layer of your own says that it may be kept': {
    make: (nn) => {
      class Double extends nn.Layer {
        static className = 'Double';
        isPure() {
          return true;
        }
        call(/** @type {Any} */ x) {
          return this.g.mul(x, 2);
        }
      }
      return stack(nn, 4, [new /** @type {Any} */ (Double)({ name: 'double' })]);
    },
    cached: [...ALL, 'double'],
  },
  'penalties of activities are of each batch': {
    make: (nn) => stack(nn, 5, [nn.dense({ units: 4, activityRegularizer: 'l2', name: 'pen' })]),
    cached: ALL,
    reason: /^pen is random or mixes/,
  },
  'masked steps in time': {
    make: (nn) => {
      const net = nn.sequential([
        nn.embedding({ inputDim: 5, outputDim: 4, maskZero: true, inputShape: [7] }),
        nn.gru({ units: 4 }),
        nn.dense({ units: 3, activation: 'softmax' }),
      ]);
      for (const layer of net.layers.slice(0, 2)) layer.trainable = false;
      return net;
    },
    source: (g, x, y) =>
      function* () {
        yield [g.abs(g.floor(g.mul(x, 6))), y];
      },
    cached: [],
  },
  'a policy begins to free elements': {
    make: (nn) => stack(nn, 1),
    onBatch: (net, batch) => {
      const { kernel } = net.getLayer('one');
      if (batch !== 8) return;
      net.getLayer('one').trainable = true;
      kernel.lock('all');
      kernel.locks
        .holder('some')
        .policy({ lock: { random: { fraction: 0.5, seed: 3 } }, every: 2 });
    },
    cached: [],
  },
  'batches that come from an iterator': {
    make: (nn) => stack(nn, 4),
    source: (_, x, y) =>
      function* () {
        yield [x, y];
      },
    cached: [],
    reason: /^batches come from an iterator$/,
  },
};

for (const [name, setting] of Object.entries(SETTINGS)) {
  test(`${name}: the bits of computing everything anew`, async () => {
    const [kept, anew] = [await train(setting, 'auto'), await train(setting, false)];
    assert.deepEqual(kept.bits, anew.bits);
    assert.deepEqual(kept.history, anew.history);
    if (setting.cached) assert.deepEqual(kept.cached.layers, setting.cached);
    if (setting.reason) assert.match(kept.cached.reason, setting.reason);
    assert.deepEqual(anew.cached.layers, []);
    assert.equal(kept.cached.bytes > 0, kept.cached.layers.length > 0);
    if (!setting.source) {
      assert.deepEqual(kept.told.layers, kept.cached.layers);
      for (const layer of kept.cached.layers) assert.match(kept.text, new RegExp(`once.*${layer}`));
    }
  });
}

test('layers are frozen, freed and written at random, and the bits stay those of computing anew', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    /** @type {Setting} */
    const setting = {
      make: (nn) => stack(nn, seed % 5),
      onBatch: (net, batch, g) => {
        const next = random(100 * seed + batch);
        const layer = net.layers[Math.floor(next() * net.layers.length)];
        const [weight] = layer.weights;
        const chance = next();
        if (chance < 0.2) layer.trainable = !layer.trainable;
        else if (chance < 0.3 && weight) weight.lock('all');
        else if (chance < 0.4 && weight) weight.unlock({ random: { fraction: 0.5, seed } });
        else if (chance < 0.45 && weight) weight.assign(g.mul(weight, 1.5), { force: true });
      },
      options: { audit: false },
    };
    const [kept, anew] = [await train(setting, 'auto'), await train(setting, false)];
    assert.deepEqual(kept.bits, anew.bits, `seed ${seed}`);
    assert.deepEqual(kept.history, anew.history, `seed ${seed}`);
  }
});

test('a budget that is too small keeps nothing and says so; one that is none is refused', async () => {
  const setting = { make: (/** @type {Any} */ nn) => stack(nn, 4) };
  const [small, anew] = [await train(setting, 1000), await train(setting, false)];
  assert.deepEqual(small.bits, anew.bits);
  assert.deepEqual(small.cached.layers, []);
  assert.match(small.cached.reason, /would need 1584 bytes, but has only/);
  await assert.rejects(train(setting, -1), /cache/);
  await assert.rejects(train(setting, 'all'), /cache/);
});

test('a budget for one cache is enough for the next one, too, when a weight has changed', async () => {
  const setting = {
    make: (/** @type {Any} */ nn) => stack(nn, 4),
    onBatch: (/** @type {Any} */ net, /** @type {number} */ batch, /** @type {Any} */ g) => {
      const [kernel] = net.weights;
      if (batch % 8 === 0) kernel.assign(g.mul(kernel, 1.5), { force: true });
    },
    options: { audit: false, validationSplit: undefined },
  };
  const [kept, anew] = [await train(setting, 44 * 4 * 12), await train(setting, false)];
  assert.equal(kept.cached.bytes, 44 * 4 * 12);
  assert.deepEqual(kept.bits, anew.bits);
});

test('the prefix runs once a row, and what is kept is given back', async () => {
  const g = await init();
  const nn = /** @type {Any} */ (layers(g, { seed: 1 }));
  let calls = 0;
  class Count extends nn.Layer {
    static className = 'Count';
    isPure() {
      return true;
    }
    call(/** @type {Any} */ x) {
      calls++;
      return x;
    }
  }
  const net = stack(nn, 4, [new /** @type {Any} */ (Count)({ name: 'count' })]);
  const x = g.tensor(new Float32Array(32 * SIDE * SIDE).fill(0.1), [32, SIDE, SIDE, 1]);
  const y = g.tensor(new Float32Array(32));
  net.compile({ optimizer: 'adam', loss: 'sparseCategoricalCrossentropy' });
  const { objects, bytes } = g.memory();
  calls = 0;
  const { cached } = await net.fit(x, y, { epochs: 3, batchSize: 8 });
  assert.equal(calls, 2); // recorded twice: to see whether fit is refused, and in the program that fills
  assert.equal(cached.bytes, 4 * 32 * 12);
  assert.equal(g.memory().objects, objects);
  assert.ok(g.memory().bytes - bytes < 20_000); // the optimizer's slots
});
