/* Precisions: f32, f64. */
/* Models: how they are put together, what is frozen, what is written, and what they refuse. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, init, LockedElementError, OptionError, ShapeError } from 'gradlock';
import { layers } from 'gradlock/layers';

/** @typedef {import('gradlock/layers').Dense} Dense */

const make = async () => {
  const g = await init();
  return { g, nn: layers(g, { seed: 1 }) };
};

/** @param {Awaited<ReturnType<typeof make>>['nn']} nn */
const small = (nn) =>
  nn.sequential([
    nn.dense({ units: 3, inputShape: [2], activation: 'relu', name: 'base' }),
    nn.dense({ units: 1, name: 'head' }),
  ]);

const names = (/** @type {readonly { name: string }[]} */ list) => list.map(({ name }) => name);

test('weights come in the order of Keras, named by layer and weight, whatever is frozen', async () => {
  const { nn } = await make();
  const net = small(nn);
  const all = ['base/kernel', 'base/bias', 'head/kernel', 'head/bias'];
  assert.deepEqual(names(net.weights), all);
  net.getLayer('base').trainable = false;
  assert.deepEqual(names(net.weights), all);
  assert.deepEqual(names(net.trainableWeights), ['head/kernel', 'head/bias']);
  assert.deepEqual(names(net.nonTrainableWeights), ['base/kernel', 'base/bias']);
});

test('trainable = false is a holder of its own (law 20): true lets go of that one only, and a second time changes nothing', async () => {
  const { nn } = await make();
  const base = /** @type {Dense} */ (small(nn).getLayer('base'));
  base.kernel.lock([[0, 1]]);
  base.kernel.locks.holder('drag').lock([[1, 1]]);
  let changes = 0;
  base.kernel.locks.onChange(() => changes++);
  for (let times = 0; times < 2; times++) base.trainable = false;
  assert.equal(base.kernel.locks.count, 6);
  assert.deepEqual(base.kernel.locks.holders.sort(), ['drag', 'frozen']);
  base.trainable = true;
  assert.deepEqual([...base.kernel.locks.toIndices()], [1, 4]);
  assert.equal(changes, 2);
});

test('a layer frozen before it has weights has them frozen', async () => {
  const { nn } = await make();
  const layer = nn.dense({ units: 2, trainable: false });
  layer.apply([[1, 2, 3]]);
  assert.equal(layer.kernel?.locks.count, 6);
  const other = nn.dense({ units: 2 });
  other.trainable = false;
  nn.sequential([nn.dense({ units: 2, inputShape: [2] }), other]);
  assert.equal(other.kernel?.locks.count, 4);
});

test('a frozen model holds what is in it, and beats a layer that says it is trainable', async () => {
  const { nn } = await make();
  const inner = small(nn);
  const outer = nn.sequential([inner, nn.dense({ units: 2 })]);
  inner.trainable = false;
  assert.equal(inner.getLayer('head').trainable, false, 'as in Keras, layers inside follow');
  inner.getLayer('head').trainable = true;
  assert.equal(inner.getLayer('head').frozen, true);
  assert.equal(/** @type {Dense} */ (inner.getLayer('head')).kernel.locks.count, 3);
  assert.equal(names(outer.trainableWeights).length, 2);
  outer.trainable = true;
  assert.equal(outer.trainableWeights.length, 6);
});

test('layers frozen by an outer model are written as frozen, for Keras forgets that of a Sequential', async () => {
  const { nn } = await make();
  const inner = small(nn);
  const x = nn.input({ shape: [2] });
  const outer = nn.model({ inputs: x, outputs: inner.apply(x) });
  inner.trainable = false;
  inner.getLayer('head').trainable = true;
  const json = JSON.parse(JSON.stringify(outer.toJSON()));
  const [, { config }] = json.config.layers;
  assert.equal(json.config.trainable, true);
  assert.deepEqual(
    config.layers.slice(1).map((/** @type {any} */ layer) => layer.config.trainable),
    [false, false],
  );
  config.trainable = true; // as Keras has read it
  assert.deepEqual(nn.modelFromJSON(json).trainableWeights, []);
});

test('net.lock, unlock and trainOnly act on trainable weights by name, and on nothing is an error', async () => {
  const { nn } = await make();
  const net = small(nn);
  assert.deepEqual(names(net.lock(/kernel$/)), ['base/kernel', 'head/kernel']);
  assert.deepEqual(names(net.unlock('head')), ['head/kernel', 'head/bias']);
  const count = () => net.weights.map((w) => w.locks.count);
  assert.deepEqual(count(), [6, 0, 0, 0]);
  assert.deepEqual(names(net.trainOnly((w) => w.name.endsWith('bias'))), [
    'base/bias',
    'head/bias',
  ]);
  assert.deepEqual(count(), [6, 0, 3, 0]);
  assert.deepEqual(names(net.lock('base', [[0]].flat())), ['base/kernel', 'base/bias']);
  assert.throws(
    () => net.lock(/nothing/),
    (/** @type {any} */ e) => e instanceof GradlockError && /base\/kernel/.test(e.message),
  );
  assert.throws(() => net.trainOnly('bas'), GradlockError);
  assert.throws(() => net.lock(/** @type {any} */ (3)), TypeError);
});

test('setWeights writes all or nothing, guarded by locks unless forced', async () => {
  const { nn } = await make();
  const net = small(nn);
  const before = net.weights.map((w) => w.array());
  const values = net.getWeights().map((w, i) => (i === 3 ? [9] : w.array()));
  const ones = [
    [
      [1, 1, 1],
      [1, 1, 1],
    ],
    [1, 1, 1],
    [[1], [1], [1]],
    [1],
  ];
  /** @type {Dense} */ (net.getLayer('head')).bias.lock('all');
  assert.throws(() => net.setWeights(ones), LockedElementError);
  assert.deepEqual(
    net.weights.map((w) => w.array()),
    before,
  );
  assert.throws(() => net.setWeights(/** @type {any} */ (values)), LockedElementError);
  assert.throws(() => net.setWeights(ones.slice(1)), ShapeError);
  assert.throws(
    () => net.setWeights([ones[1], ones[0], ones[2], ones[3]]),
    (/** @type {any} */ e) => e instanceof ShapeError && /base\/kernel/.test(e.message),
  );
  assert.deepEqual(
    net.weights.map((w) => w.array()),
    before,
  );
  net.setWeights(ones, { force: true });
  assert.deepEqual(
    net.weights.map((w) => w.array()),
    ones,
  );
});

test('a model is a function of tensors, in programs and under gradients too', async () => {
  const { g, nn } = await make();
  const net = small(nn);
  const x = g.tensor([
    [1, 2],
    [3, 4],
  ]);
  const direct = net.apply(x);
  assert.deepEqual(direct.shape, [2, 1]);
  const program = g.compile(() => net.apply(x));
  assert.deepEqual(program.run().array(), direct.array());
  assert.deepEqual(net.predict(x).array(), direct.array());
  const { grads } = g.valueAndGrad(() => g.mean(g.square(net.apply(x))), net.weights);
  assert.deepEqual(
    grads.map(({ shape }) => shape),
    net.weights.map(({ shape }) => shape),
  );
});

test('shapes are known while a model is put together, open sizes stay open', async () => {
  const { nn } = await make();
  const x = nn.input({ shape: [null, 4] });
  const y = nn.dense({ units: 3 }).apply(x);
  assert.deepEqual(y.shape, [null, null, 3]);
  assert.equal(/** @type {any} */ (x).node.layer.output, x);
  assert.throws(() => nn.dense({ units: 3 }).apply(nn.flatten().apply(x)), ShapeError);
});

test('a layer used twice has one set of weights, and gradients from both calls', async () => {
  const { g, nn } = await make();
  const shared = nn.dense({ units: 2, useBias: false, kernelInitializer: 'ones' });
  const [a, b] = [nn.input({ shape: [2] }), nn.input({ shape: [2] })];
  const net = nn.model({ inputs: [a, b], outputs: [shared.apply(a), shared.apply(b)] });
  assert.equal(net.weights.length, 1);
  const { grads } = g.valueAndGrad(() => {
    /** @type {import('gradlock').Tensor[]} */
    const [y, z] = net.apply([g.tensor([[1, 2]]), g.tensor([[10, 20]])]);
    return g.sum(g.add(y, z));
  }, net.weights);
  assert.deepEqual(grads[0]?.array(), [
    [11, 11],
    [22, 22],
  ]);
});

test('a layer in two models is one layer: locks and training are of both', async () => {
  const { nn } = await make();
  const base = nn.dense({ units: 2, inputShape: [2] });
  const [one, other] = [
    nn.sequential([base, nn.dense({ units: 1 })]),
    nn.sequential([base, nn.dense({ units: 3 })]),
  ];
  one.getLayer(0).trainable = false;
  assert.equal(other.weights[0]?.locks.count, 4);
});

test('JSON is Keras 3: a model comes back from its own, and from TensorFlow.js in its old form', async () => {
  const { g, nn } = await make();
  const x = nn.input({ shape: [4], name: 'x' });
  const shared = nn.dense({ units: 4, name: 'shared', kernelRegularizer: 'l2' });
  const net = nn.model({
    inputs: x,
    outputs: [shared.apply(shared.apply(x)), nn.activation({ activation: 'tanh' }).apply(x)],
    name: 'net',
  });
  const again = nn.modelFromJSON(JSON.stringify(net.toJSON()));
  assert.deepEqual(
    JSON.parse(JSON.stringify(again.toJSON())),
    JSON.parse(JSON.stringify(net.toJSON())),
  );
  const bare = nn.modelFromJSON(JSON.stringify(net), { initialize: false });
  for (const weight of bare.getWeights()) assert.equal(g.any(weight).item(), 0, 'left at 0');
  again.setWeights(net.getWeights());
  const [a, b] = [net, again].map((m) => [m.apply([[1, 2, 3, 4]])].flat().map((t) => t.array()));
  assert.deepEqual(a, b);
  const old = {
    class_name: 'Model',
    config: {
      name: 'm',
      layers: [
        {
          name: 'i',
          class_name: 'InputLayer',
          config: { batch_input_shape: [null, 3], dtype: 'float32', sparse: false, name: 'i' },
          inbound_nodes: [],
        },
        {
          name: 'd',
          class_name: 'Dense',
          config: {
            units: 2,
            activation: 'relu',
            use_bias: true,
            kernel_initializer: {
              class_name: 'VarianceScaling',
              config: { scale: 1, mode: 'fan_avg', distribution: 'normal', seed: null },
            },
            bias_initializer: { class_name: 'Zeros', config: {} },
            kernel_regularizer: null,
            name: 'd',
            trainable: true,
          },
          inbound_nodes: [[['i', 0, 0, {}]]],
        },
      ],
      input_layers: [['i', 0, 0]],
      output_layers: [['d', 0, 0]],
    },
    keras_version: 'tfjs-layers 4.22.0',
    backend: 'tensor_flow.js',
  };
  const ported = nn.modelFromJSON({ modelTopology: { model_config: old } });
  assert.deepEqual(ported.predict([[1, 2, 3]]).shape, [1, 2]);
});

test('a model in a wrapper comes back from JSON, frozen as it was', async () => {
  const { g, nn } = await make();
  const x = nn.input({ shape: [3] });
  /** @type {[string, any][]} */
  const inner = [
    [
      'Sequential',
      nn.sequential([nn.dense({ units: 2, inputShape: [3] }), nn.dropout({ rate: 0.5 })]),
    ],
    ['Functional', nn.model({ inputs: x, outputs: nn.dense({ units: 2 }).apply(x) })],
  ];
  for (const [name, layer] of inner) {
    layer.trainable = false;
    const net = nn.sequential([nn.timeDistributed({ layer, inputShape: [4, 3] }), nn.flatten()]);
    const again = nn.modelFromJSON(JSON.stringify(net));
    assert.equal(JSON.stringify(again), JSON.stringify(net), name);
    again.setWeights(net.getWeights());
    const data = g.randomNormal([2, 4, 3], 0, 1, 1);
    assert.deepEqual(again.predict(data).data(), net.predict(data).data(), name);
    assert.equal(again.trainableWeights.length, 0, name);
  }
  const unknown = { class_name: 'TimeDistributed', config: { layer: { class_name: 'Own' } } };
  const json = { class_name: 'Sequential', config: { layers: [unknown] } };
  assert.throws(() => nn.modelFromJSON(json), /TimeDistributed: layer: unknown layer class 'Own'/);
  g.dispose();
});

test("a layer of one's own is a class or a function of tensors", async () => {
  const { g, nn } = await make();
  class Scale extends nn.Layer {
    /** @override */
    static className = 'Scale';

    /** @override */
    build() {
      this.factor = this.addWeight('factor', [], { initializer: nn.initializer('ones') });
    }

    /** @override */
    call(/** @type {any} */ x) {
      return g.mul(x, /** @type {any} */ (this.factor));
    }
  }
  nn.registerClass(Scale);
  const net = nn.sequential([
    nn.dense({ units: 2, inputShape: [2] }),
    new Scale(),
    nn.lambda((x) => g.mul(x, 2)),
  ]);
  assert.deepEqual(names(net.weights).slice(2), ['scale/factor']);
  assert.deepEqual(/** @type {any} */ (net.layers[2]).output.shape, [null, 2]);
  const y = net.apply([[1, 2]]).array();
  net.weights[2]?.assign(3);
  assert.deepEqual(net.apply([[1, 2]]).array(), [
    [...g.tensor(y[0].map((/** @type {number} */ v) => v * 3)).data()],
  ]);
  assert.throws(() => net.toJSON(), OptionError);
});

test("a weight of a layer of one's own begins as Keras's do, or as it is told", async () => {
  const { nn } = await make();
  /** @param {any} [options] */
  const weightWith = (options) => {
    class Own extends nn.Layer {
      /** @override */
      build() {
        this.addWeight('w', [2, 3], options);
      }
    }
    return /** @type {any} */ (nn.sequential([new Own({ inputShape: [2] })]).weights[0]);
  };
  const kernel = /** @type {any} */ (weightWith().data());
  // Glorot & Bengio's uniform: within the root of 6 / (2 + 3).
  assert.ok(kernel.some(Boolean) && kernel.every((/** @type {number} */ v) => v * v <= 6 / 5));
  assert.equal(new Set(kernel).size, 6);
  for (const initializer of ['ones', nn.initializer('ones'), { className: 'Ones', config: {} }]) {
    const weight = weightWith({ initializer, trainable: false });
    assert.deepEqual([...weight.data()], [1, 1, 1, 1, 1, 1]);
    assert.equal(weight.trainable, false);
  }
  assert.throws(() => weightWith({ initializer: 'one' }), OptionError);
});

test('summary says what is free and locked, as an object and as a table', async () => {
  const { nn } = await make();
  const net = small(nn);
  net.getLayer('base').trainable = false;
  /** @type {Dense} */ (net.getLayer('head')).kernel.lock([[0, 0]]);
  /** @type {string[]} */
  const printed = [];
  const { total, layers: rows, text } = net.summary({ print: (line) => void printed.push(line) });
  assert.deepEqual(total, { params: 13, free: 3, locked: 10, statistics: 0 });
  assert.deepEqual(
    rows.map(({ name, inputs, outputShapes, free, locked, frozen }) => {
      return [name, inputs, outputShapes, free, locked, frozen];
    }),
    [
      ['base', ['input_layer'], [[null, 3]], 0, 9, true],
      ['head', ['base'], [[null, 1]], 3, 1, false],
    ],
  );
  assert.deepEqual(printed, [text]);
  const lines = text.split('\n').filter((line) => /^[┌│├└]/.test(line));
  assert.equal(new Set(lines.map((line) => line.length)).size, 1, 'all lines are as wide');
  assert.match(String(net), /2 layers, 13 parameters, 3 free, 10 locked/);
  assert.match(net.plot(), /^<svg.*base 🔒.*<\/svg>$/s);
});

test('layers stand on an instance of gradlock/external too; errors are those of either entry', async () => {
  const external = await import('gradlock/external');
  const g = await external.init();
  const nn = layers(g);
  assert.deepEqual(nn.dense({ units: 2 }).apply([[1, 2, 3]]).shape, [1, 2]);
  for (const kind of [OptionError, external.OptionError]) {
    assert.throws(() => nn.dense({ units: 0 }), kind);
    assert.ok(!(new external.ShapeError('x') instanceof OptionError));
    assert.ok(
      new kind('x') instanceof GradlockError && new kind('x') instanceof external.GradlockError,
    );
  }
  const other = await init();
  assert.throws(() => nn.dense({ units: 2 }).apply(other.tensor([[1, 2]])), GradlockError);
});

test('masks that Keras 3 writes out as ops are left to the layers; other ops are refused', async () => {
  const { nn } = await make();
  const from = (/** @type {string} */ name) => ({
    class_name: '__keras_tensor__',
    config: { keras_history: [name, 0, 0] },
  });
  const graph = (/** @type {object} */ kwargs, last = 'e', op = 'NotEqual') => ({
    class_name: 'Functional',
    config: {
      name: 'm',
      layers: [
        {
          class_name: 'InputLayer',
          name: 'i',
          config: { batch_shape: [null, 3], name: 'i' },
          inbound_nodes: [],
        },
        {
          module: 'keras.layers',
          class_name: 'Embedding',
          name: 'e',
          config: { name: 'e', input_dim: 5, output_dim: 2, mask_zero: true },
          inbound_nodes: [{ args: [from('i')], kwargs: {} }],
        },
        {
          module: 'keras.src.ops.numpy',
          class_name: op,
          name: 'n',
          config: { name: 'n' },
          inbound_nodes: [{ args: [from('i'), 0], kwargs: {} }],
        },
        {
          module: 'keras.layers',
          class_name: 'GlobalAveragePooling1D',
          name: 'p',
          config: { name: 'p' },
          inbound_nodes: [{ args: [from(last)], kwargs }],
        },
      ],
      input_layers: ['i', 0, 0],
      output_layers: ['p', 0, 0],
    },
  });
  const net = nn.modelFromJSON(graph({ mask: from('n') }));
  net.setWeights([
    [
      [9, 9],
      [1, 2],
      [3, 4],
      [0, 0],
      [0, 0],
    ],
  ]);
  assert.deepEqual(net.predict([[1, 2, 0]]).array(), [[2, 3]], 'the mean over words');
  assert.throws(
    () => nn.modelFromJSON(graph({}, 'n', 'Fft')),
    (/** @type {any} */ e) => e instanceof OptionError && /op 'n'/.test(e.message),
  );
  nn.modelFromJSON(graph({ mask: from('n') }, 'e', 'Fft'));
});

test('a model that is frozen when it is made holds layers that were free before', async () => {
  const { nn } = await make();
  const input = nn.input({ shape: [2] });
  const layer = nn.dense({ units: 2 });
  const net = nn.model({ inputs: input, outputs: layer.apply(input), trainable: false });
  assert.equal(layer.kernel?.locks.count, 4);
  net.trainable = true;
  assert.equal(layer.kernel?.locks.count, 0);
});

test('a failure half-way leaves nothing half made: weights, models inside of themselves, written weights', async () => {
  const { g, nn } = await make();
  let fails = true;
  const biasInitializer = (/** @type {readonly number[]} */ shape) => {
    if (fails) throw new Error('no bias today');
    return g.broadcastTo(0, shape);
  };
  const layer = nn.dense({ units: 2, biasInitializer });
  const { objects } = g.memory();
  assert.throws(() => layer.apply([[1, 2]]), /no bias/);
  assert.equal(g.memory().objects, objects);
  fails = false;
  layer.apply([[1, 2]]);
  assert.deepEqual(names(layer.weights), ['dense/kernel', 'dense/bias']);
  const given = nn.dense({ units: 1, weights: [[[1]]] });
  for (let i = 0; i < 2; i++) assert.throws(() => given.apply([[1, 2]]), ShapeError);
  const net = nn.sequential([
    nn.dense({ units: 2, inputShape: [2], useBias: false }),
    nn.dense({ units: 2, useBias: false }),
  ]);
  assert.throws(
    () => net.add(net),
    (/** @type {any} */ e) => e instanceof GradlockError && /contains this model/.test(e.message),
  );
  const [a, b] = net.weights.map((w) => w.array());
  net.setWeights([...net.weights].reverse());
  assert.deepEqual(
    net.weights.map((w) => w.array()),
    [b, a],
  );
  const identity = nn.sequential([nn.dropout({ rate: 0.5, inputShape: [2] })]);
  assert.deepEqual(identity.predict([[1, 2]]).array(), [[1, 2]]);
  const x = g.tensor([[3, 4]]);
  identity.predict(x).dispose();
  assert.ok(!x.disposed);
});
