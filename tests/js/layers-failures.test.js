/* Tier: test. Precisions: f32, f64. */
/* What of layers fails leaves nothing behind: no variable, no tensor, no layer half made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormatError, init, OptionError, OutOfMemoryError, ShapeError } from 'gradlock';
import { layers } from 'gradlock/layers';
import { initWithin } from './support.js';

/** With layers of one's own: one whose call fails, and one that fails while it is built. */
const make = async () => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  class Failing extends nn.Layer {
    /** @override */
    static className = 'Failing';

    /** @override */
    build() {
      this.addWeight('w', [3], { initializer: nn.initializer('ones') });
    }

    /** @override @returns {any} */
    call() {
      throw new OptionError('not today');
    }
  }
  class Inside extends nn.Layer {
    /** @override */
    static className = 'Inside';

    /** @override @param {any} shape */
    build(shape) {
      this.track(nn.dense({ units: 2 })).ensureBuilt(shape);
      this.track(nn.lstm({ units: 2, stateful: true })).ensureBuilt(shape);
    }
  }
  nn.registerClass(Failing);
  nn.registerClass(Inside);
  return { g, nn, Failing, Inside };
};

const dense = (units = 2) => ({ class_name: 'Dense', config: { units } });
const first = { class_name: 'Dense', config: { units: 2, batch_input_shape: [null, 3] } };
const steps = { class_name: 'InputLayer', config: { batch_shape: [2, 4, 3] } };
/** @param {...object} list */
const stack = (...list) => ({ class_name: 'Sequential', config: { layers: list } });
/** @param {object} [last] */
const graph = (last) => ({
  class_name: 'Functional',
  config: {
    layers: [
      { class_name: 'InputLayer', name: 'x', config: { name: 'x', batch_shape: [null, 3] } },
      { ...dense(), name: 'a', inbound_nodes: [[['x', 0, 0, {}]]] },
      { ...dense(), name: 'b', inbound_nodes: [[['a', 0, 0, {}]]], ...last },
    ],
    input_layers: [['x', 0, 0]],
    output_layers: [['b', 0, 0]],
  },
});

/**
 * Each gives JSON, or a list of layers, of which no model can be made.
 * @type {[what: string, Function, RegExp, (nn: any) => any][]}
 */
const FAILURES = [
  [
    'a list of layers whose last is refused',
    ShapeError,
    /an input with 4 axes/,
    (nn) => [nn.dense({ units: 2, inputShape: [3] }), nn.conv2d({ filters: 1, kernelSize: 1 })],
  ],
  [
    'JSON of a stack with a layer that there is not',
    OptionError,
    /class 'Nothing'/,
    () => stack(first, dense(), { class_name: 'Nothing', config: {} }),
  ],
  [
    'JSON of a stack with an option that there is not',
    TypeError,
    /no option 'unit'/,
    () => stack(first, stack(dense(), dense()), { class_name: 'Dense', config: { unit: 1 } }),
  ],
  [
    'JSON of a stack whose layer fails when it is called',
    OptionError,
    /not today/,
    () => stack(first, { class_name: 'Failing', config: {} }),
  ],
  [
    'JSON of a stack whose stateful layer fails after its states were made',
    ShapeError,
    /an input with 4 axes/,
    () =>
      stack(
        steps,
        { class_name: 'LSTM', config: { units: 2, stateful: true } },
        { class_name: 'Conv2D', config: { filters: 1, kernel_size: 1 } },
      ),
  ],
  [
    'JSON of a stack with a layer of which one inside fails',
    OptionError,
    /batchInputShape/,
    () =>
      stack(
        { class_name: 'InputLayer', config: { batch_shape: [null, 4, 3] } },
        { class_name: 'Inside', config: {} },
      ),
  ],
  [
    'JSON of a graph that ends in what nothing makes',
    FormatError,
    /'b'/,
    () => graph({ name: 'c' }),
  ],
  [
    'JSON of a graph whose last layer waits for itself',
    FormatError,
    /form a cycle through/,
    () => graph({ inbound_nodes: [[['b', 0, 0, {}]]] }),
  ],
  [
    'JSON of a graph whose last layer has weights that do not fit',
    ShapeError,
    /1 weights|was given/,
    () => graph({ config: { units: 2, weights: [[[1]]] } }),
  ],
];

for (const [what, kind, message, given] of FAILURES) {
  test(`${what} leaves nothing behind`, async () => {
    const { g, nn } = await make();
    const { objects } = g.memory();
    const json = given(nn);
    for (let i = 0; i < 2; i++) {
      assert.throws(
        () => (Array.isArray(json) ? nn.sequential(json) : nn.modelFromJSON(json)),
        (/** @type {any} */ error) => error instanceof kind && message.test(String(error)),
      );
      assert.equal(g.memory().objects, objects);
    }
  });
}

test('layers that a model was not made of are as they were: weights, calls, locks and shapes', async () => {
  const { g, nn, Failing } = await make();
  const known = nn.dense({ units: 2, inputShape: [3] });
  known.apply([[1, 2, 3]]);
  const kernel = known.kernel?.array();
  const fresh = nn.dense({ units: 4 });
  const inner = nn.sequential([nn.dense({ units: 3 }), nn.dense({ units: 5 })]);
  const { objects } = g.memory();
  /** @type {any[]} */
  const list = [known, fresh, inner, new Failing()];
  for (const trainable of [true, false]) {
    assert.throws(() => nn.sequential({ layers: list, trainable }), /not today/);
    assert.equal(g.memory().objects, objects);
    assert.deepEqual(known.kernel?.array(), kernel);
    assert.equal(known.kernel?.locks.count, 0);
    assert.deepEqual(
      list.slice(0, 3).map((layer) => [layer.built, layer.nodes.length]),
      [
        [true, 0],
        [false, 0],
        [false, 0],
      ],
    );
    assert.deepEqual([fresh.kernel, fresh.weights, inner.weights], [undefined, [], []]);
    for (const layer of list) assert.equal(layer.parents.size, 0);
  }
  assert.deepEqual(inner.apply(g.broadcastTo(0, [2, 7])).shape, [2, 5]);
  assert.deepEqual(fresh.apply(g.broadcastTo(0, [2, 6])).shape, [2, 4]);
});

test('a model to which a layer could not be added is the one that it was', async () => {
  const { g, nn, Failing } = await make();
  for (const inputShape of [[3], undefined]) {
    const shared = nn.dense({ units: 3, inputShape });
    const net = nn.sequential([shared, nn.dense({ units: 2 })]);
    const before = [g.memory().objects, net.weights.length, net.layers.length];
    const last = nn.sequential([nn.dense({ units: 3 }), new Failing()]);
    if (inputShape) {
      assert.throws(() => net.add(last), /not today/);
      assert.throws(() => net.add(shared), ShapeError); // Its kernel takes three, not two.
    } else {
      net.add(last);
      assert.throws(() => net.apply([[1, 2, 3]]), /not today/);
      net.pop();
    }
    assert.deepEqual([g.memory().objects, net.weights.length, net.layers.length], before);
    net.add(nn.dense({ units: 5 }));
    assert.deepEqual(net.predict([[1, 2, 3]]).shape, [1, 5]);
    assert.equal(net.weights.length, 6);
    net.trainable = false;
    assert.equal(shared.kernel?.locks.count, 9);
  }
});

test('a stateful layer gives its states back, alone and inside of models', async () => {
  const { g, nn } = await make();
  const x = g.broadcastTo(1, [2, 3, 3]);
  const { objects } = g.memory();
  /** @type {(() => any)[]} */
  const makers = [nn.lstm, nn.gru, nn.simpleRNN].map(
    (maker) => () => maker({ units: 2, stateful: true, batchInputShape: [2, 3, 3] }),
  );
  for (const layer of makers) {
    const alone = layer();
    alone.apply(x).dispose();
    alone.dispose();
    assert.equal(g.memory().objects, objects);
    const within = nn.sequential([nn.sequential([nn.bidirectional({ layer: layer() })])]);
    within.ensureBuilt([2, 3, 3]);
    within.apply(x).dispose();
    assert.ok(g.memory().objects > objects);
    within.dispose();
    assert.equal(g.memory().objects, objects);
  }
});

test('weights are all that layers make', async () => {
  const { g, nn } = await make();
  const { objects } = g.memory();
  const x = nn.input({ shape: [5, 4] });
  const made = [
    nn.lstm({ units: 2 }),
    nn.gru({ units: 2 }),
    nn.bidirectional({ layer: nn.lstm({ units: 2 }) }),
    nn.conv1d({ filters: 2, kernelSize: 2 }),
    nn.batchNormalization(),
  ];
  for (const layer of made) layer.apply(x);
  const count = made.reduce((sum, layer) => sum + layer.weights.length, 0);
  assert.equal(g.memory().objects, objects + count);
});

const inside = { class_name: 'TimeDistributed', config: { layer: dense() } };
const again = { inbound_nodes: [1, 2].map(() => [['a', 0, 0, {}]]) };
/** @type {[what: string, json: object, layers: number][]} */
const COUNTED = [
  ['a stack', stack(first, dense(), dense()), 3],
  ['a stack in a stack, which counts as one more', stack(first, stack(dense(), dense())), 4],
  ['a layer in a layer', stack(steps, inside), 3],
  ['a graph', graph(), 3],
  ['a graph that applies its last layer twice', graph(again), 4],
];
for (const [what, json, count] of COUNTED) {
  test(`${what} has ${count} layers, and is read if as many are allowed`, async () => {
    const { nn } = await make();
    nn.modelFromJSON(json, { maxLayers: count });
    const message = new RegExp(`the model runs ${count} layers, at most ${count - 1} are read`);
    const load = () => nn.modelFromJSON(json, { maxLayers: count - 1 });
    assert.throws(load, { name: 'FormatError', message });
  });
}

test('a fit that has no memory to watch all locked elements watches none, now or later', async () => {
  const g = await initWithin(512); // 32 MB
  const nn = layers(g);
  class Idle extends nn.Layer {
    /** @override */
    static className = 'Idle';

    /** @override */
    build() {
      this.addWeight('w', [1 << 19]);
    }

    /** @override @param {any} x */
    call(x) {
      return x;
    }
  }
  const line = nn.dense({ units: 1, inputShape: [1] });
  const net = nn.sequential([line, new Idle()]);
  net.compile({ optimizer: 'sgd', loss: 'mse' });
  const [kernel, bias, idle] = net.weights;
  bias.lock('all');
  idle.lock('all');
  /** @type {any[]} */
  const filler = [];
  assert.throws(() => {
    for (;;) filler.push(g.zeros([1 << 18]));
  }, OutOfMemoryError);
  filler.pop().dispose(); // There is room for all but a copy of 2 MB.
  await assert.rejects(net.fit([[1]], [[1]]), OutOfMemoryError);
  kernel.lock('all');
  for (const { locks } of [kernel, bias]) assert.throws(() => locks.audit(), /is not watched/);
});

const MANY = 20_000;
/** @param {string} open @param {string} shut @param {string} [core] */
const nest = (open, shut, core = '') => open.repeat(MANY) + core + shut.repeat(MANY);
const nested = nest('[', ']');
/** @param {string} node @param {string} end */
const deepGraph = (node, end = '["d",0,0]') =>
  `{"class_name":"Functional","config":{"layers":[
    {"class_name":"InputLayer","name":"x","config":{"name":"x","batch_shape":[null,3]}},
    {"class_name":"Dense","name":"d","config":{"units":1},"inbound_nodes":${node}}],
    "input_layers":["x",0,0],"output_layers":${end}}}`;
/** @type {[what: string, json: string][]} */
const DEEP = [
  ['models inside of models', nest('{"class_name":"Sequential","config":{"layers":[', ']}}')],
  ['layers around layers', nest('{"class_name":"TimeDistributed","config":{"layer":', '}}', '1')],
  ['the arguments of a call', deepGraph(`[{"args":${nested},"kwargs":{}}]`)],
  ['named arguments of a call', deepGraph(`[{"args":[],"kwargs":{"a":${nested}}}]`)],
  ['nodes', deepGraph(nested)],
  ['outputs', deepGraph('[[["x",0,0,{}]]]', nested)],
  [
    'an option',
    `{"class_name":"Sequential","config":{"layers":[
    {"class_name":"Reshape","config":{"target_shape":${nested}}}]}}`,
  ],
];

for (const [what, json] of DEEP) {
  test(`JSON that nests ${what} without end is a FormatError`, async () => {
    const { g, nn } = await make();
    const { objects } = g.memory();
    for (const given of [json, JSON.parse(json)]) {
      assert.throws(
        () => nn.modelFromJSON(given),
        (/** @type {any} */ e) => e instanceof FormatError && /levels deep/.test(e.message),
      );
    }
    assert.equal(g.memory().objects, objects);
  });
}

test('an object that is inside of itself is a FormatError, and models may be inside of sixty others', async () => {
  const { nn } = await make();
  const round = stack(first);
  round.config.layers.push(round);
  assert.throws(() => nn.modelFromJSON(round), FormatError);
  let deep = stack(first);
  for (let i = 0; i < 60; i++) deep = stack(deep);
  const net = nn.modelFromJSON(deep);
  assert.deepEqual(nn.modelFromJSON(JSON.stringify(net)).predict([[1, 2, 3]]).shape, [1, 2]);
});
