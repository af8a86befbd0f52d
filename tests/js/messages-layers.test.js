/* What layers, models and fit say of what they cannot take: one row a message (messages.js). That
 * nothing changes is held by tests/hostile/layers.test.js and layers-failures.test.js; here the
 * weights of a model stay what they were. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { data, small, valuesOf } from './layers-small.js';
import { says } from './messages.js';

/** @typedef {import('./messages.js').Text} Text */
/** @typedef {[call: () => any, text: Text][]} Rows */

const g = await init();
const made = small(g);
const nn = /** @type {any} */ (made.nn);
const net = /** @type {any} */ (made.net);
const { x, y } = data(g, 8);

/** @param {Rows} rows */
const check = async (rows) => {
  const wrong = [];
  const before = JSON.stringify(valuesOf(net));
  for (const [call, text] of rows) {
    const message = await Promise.resolve()
      .then(call)
      .then(() => 'nothing was thrown', String);
    if (!says(message, text)) wrong.push(`${call}: ${message}\n    expected ${text}`);
  }
  assert.equal(wrong.length, 0, `\n  ${wrong.join('\n  ')}`);
  assert.equal(JSON.stringify(valuesOf(net)), before);
};

const input = (/** @type {any[]} */ ...shape) => nn.input({ batchShape: shape });
const one = nn.input({ shape: [2], name: 'x' });
const d = nn.dense({ units: 1, name: 'd' }).apply(one);
const dense = (/** @type {object} */ options) => nn.dense({ units: 2, ...options });
const conv = (/** @type {object} */ options) =>
  nn.conv2d({ filters: 1, kernelSize: 1, ...options });
const wide = { filters: 1, kernelSize: 2, strides: 2, padding: 'same', outputPadding: 5 };
const built = conv({});
built.apply(input(null, 3, 3, 2));

/** @type {Rows} */
const MAKERS = [
  [() => nn.dense({}), 'TypeError: …units'],
  [() => nn.dense(3), 'TypeError: …object'],
  [() => dense({ units: 2.5 }), 'OptionError: …units'],
  [() => dense({ unit: 2 }), "TypeError: …unit'"],
  [() => dense({ activation: 'rely' }), 'OptionError: …rely…relu'],
  [() => dense({ kernelInitializer: 'glorot' }), 'OptionError: …glorot'],
  [() => dense({ kernelRegularizer: { className: 'L2', config: { l2: -1 } } }), 'OptionError: …l2'],
  [() => dense({ name: '' }), 'TypeError: …name'],
  [() => dense({ inputShape: [-1] }), 'OptionError: …inputShape'],
  [() => dense({ inputShape: 2 }), 'TypeError: …inputShape'],
  [() => nn.input({}), 'OptionError: …shape'],
  [() => nn.model({ inputs: one, outputs: [] }), 'OptionError: …outputs'],
  [() => nn.model({ inputs: [], outputs: d }), 'OptionError: …inputs'],
  [() => nn.model({ inputs: one, outputs: g.tensor([1]) }), 'TypeError: …Tensor'],
  [() => nn.model({ inputs: nn.input({ shape: [2] }), outputs: d }), "OptionError: …'x'"],
  [() => nn.model({ inputs: one, outputs: dense({ name: 'd' }).apply(d) }), "OptionError: …'d'"],
  [() => nn.sequential([dense({}), 3]), 'TypeError: …layer'],
  [() => nn.sequential({ layer: [] }), "TypeError: …layer'"],
  [() => dense({}).apply([one, g.tensor([[1, 2]])]), 'TypeError: …values'],
  [() => net.getLayer('bas'), 'OptionError: …base, head'],
  [() => net.apply([[1, 2, 3, 4]]), 'ShapeError: …base'],
  [() => nn.sequential([]).apply([[1]]), 'GradlockError: …no layers'],
  [() => layers(/** @type {any} */ ({})), 'TypeError: …init'],
  [() => nn.conv2d({ kernelSize: 3 }), 'TypeError: …Conv2D needs the option filters'],
  [() => conv({ kernelSize: 0 }), 'OptionError: …kernelSize must be an integer from 1'],
  [() => conv({ kernelSize: [3, 3, 3] }), 'TypeError: …an integer or 2 of them'],
  [() => conv({ dataFormat: 'channelsFirst' }), "OptionError: …must be 'channelsLast'"],
  [() => conv({ padding: 'causal' }), "OptionError: …padding must be 'valid' or 'same'"],
  [
    () => conv({ filters: 4, groups: 2 }).apply(input(null, 3, 3, 3)),
    'OptionError: …3 channels and 4 filters cannot be split into 2 groups',
  ],
  [() => conv({}).apply(input(null, 28, 28)), 'ShapeError: …(Conv2D) takes an input with 4 axes'],
  [
    () => built.apply(input(null, 3, 3, 5)),
    'ShapeError: …axis -1 of [null, 3, 3, 5] has size 5, but the weights were made for size 2',
  ],
  [
    () => nn.conv2dTranspose({ filters: 1, kernelSize: 2, dilationRate: 2 }),
    'OptionError: …dilationRate must be an integer from 1 to 1',
  ],
  [
    () => nn.conv2dTranspose(wide).apply(input(null, 3, 3, 1)),
    'ShapeError: …outputPadding of 5 does not fit kernelSize 2 and strides of 2',
  ],
  [
    () => nn.depthwiseConv2d({ kernelSize: 1 }).apply(input(null, 3, 3, null)),
    'ShapeError: …unknown size of the input',
  ],
  [() => nn.upSampling2d({ interpolation: 'bicubic' }), "OptionError: …'nearest' or 'bilinear'"],
  [() => nn.dropout({ rate: 1.5 }), 'OptionError: …rate must be a finite number from 0 to 1'],
  [() => nn.dropout({ rate: 0.5, p: 0.5 }), "TypeError: …no option 'p'"],
  [() => nn.leakyReLU({ alpha: -1 }), 'OptionError: …negativeSlope'],
  [() => nn.batchNormalization({ renorm: true }), 'OptionError: …renorm'],
  [() => nn.batchNormalization({ synchronized: true }), 'OptionError: …synchronized'],
  [() => nn.batchNormalization({ virtual_batch_size: 8 }), 'OptionError: …'],
  [() => nn.batchNormalization({ axis: [1, 2] }), 'TypeError: …axis'],
  [() => nn.batchNormalization({ momentum: 1.5 }), 'OptionError: …momentum'],
  [() => nn.layerNormalization({ rmsScaling: true }), 'OptionError: …rmsScaling must be false'],
];

test('makers of layers and models say which option or input does not fit', () => check(MAKERS));

const line = [null, 3];
/** What does not fit, and the sizes in the message. @type {[string, any, any, Text][]} */
const SHAPES = [
  ['maxPooling1d', { poolSize: 30 }, [null, 29, 1], '…window of 30 …size 29'],
  ['conv1d', { filters: 1, kernelSize: 3, dilationRate: 4 }, [null, 8, 1], '…window of 9 …size 8'],
  ['cropping1d', { cropping: 166 }, [null, 332, 1], '…turns [null, 332, 1] into [null, 0, 1]'],
  ['reshape', { targetShape: [-1, 4] }, [null, 7, 2], '…[null, 7, 2] …[null, -1, 4]'],
  ['reshape', { targetShape: [-1, -1] }, [null, 4], '…[null, 4] …[null, -1, -1]'],
  ['permute', { dims: [1, 3] }, [null, 4, 5], '…[1,3] …[null, 4, 5]'],
  ['repeatVector', { n: 2 }, [null, 4, 5], '…takes an input with 2 axes'],
  ['dense', { units: 1 }, [null], '…at least [batch, inputs], got [null]'],
  [
    'conv2d',
    { filters: 1, kernelSize: 1 },
    [null, 3, 3],
    '…an input with 4 axes, got [null, 3, 3]',
  ],
  ['dense', { units: 1 }, [line, line], '…takes one input, got a list of 2'],
  ['softmax', { axis: 3 }, line, '…axis 3 …[null, 3]'],
  ['unitNormalization', { axis: 3 }, line, '…axis 3 is out of range for [null, 3]'],
  ['batchNormalization', { axis: -4 }, line, '…axis -4 is out of range for [null, 3]'],
  ['groupNormalization', { axis: 3 }, line, '…axis 3 is out of range for [null, 3]'],
  ['rmsNormalization', { axis: 3 }, line, '…axis 3 is out of range for [null, 3]'],
  ['layerNormalization', { axis: 3 }, line, '…axis 3 is out of range for [null, 3]'],
  ['layerNormalization', { axis: [1, -1] }, line, '…axis of [null, 3] is named twice: 1,-1'],
  ['prelu', { sharedAxes: 3 }, [null, 2, 2], '…axis 3, but [null, 2, 2] has rank 3'],
  ['prelu', { sharedAxes: [1, -1] }, [null, 2, 2], '…axis -1, but [null, 2, 2] has rank 3'],
  ['activation', { activation: 'glu' }, [null, 5], '…[null, 5]'],
  ['add', {}, [line, [null, 4]], '…[3] and [4]'],
  ['subtract', {}, [line, line, line], '…expected 2 inputs, got 3'],
  ['subtract', {}, [line], '…expected 2 inputs, got 1'],
  ['dot', { axes: 1 }, [line, line, line], '…expected 2 inputs, got 3'],
  [
    'concatenate',
    { axis: 1 },
    [[...line, 2], ...[[null, 4, 5]]],
    '…axis 2 must agree, got 2 and 5',
  ],
  ['lstm', { units: 2 }, line, '…[batch, steps, inputs], got [null, 3]'],
  ['attention', {}, [[...line, 4], ...[[null, 2, 5]]], '…query and key must agree, got 4 and 5'],
  ['timeDistributed', { units: 2 }, line, '…[batch, steps, ...], got [null, 3]'],
];

test('sizes that do not fit are a ShapeError that names the layer and the sizes, and make no weights', async () => {
  const zeros = (/** @type {(number | null)[]} */ sizes) => g.zeros(sizes.map((n) => n ?? 1));
  for (const [name, options, shape, text] of SHAPES) {
    const given = name === 'timeDistributed' ? { layer: nn.dense(options) } : options;
    const layer = nn[name](given);
    await check([[() => layer.computeOutputShape(shape), `ShapeError: …${layer.label}${text}`]]);
    const values = Array.isArray(shape[0]) ? shape.map(zeros) : zeros(shape);
    assert.throws(() => layer.apply(values), { name: /Error$/ }, name);
    assert.equal(layer.weights.length, 0, name);
  }
});

const zeros = (/** @type {number[]} */ ...shape) => g.broadcastTo(0, shape);
const fit = (/** @type {any} */ options) => net.fit(x, y, options);
const compile = (/** @type {any} */ options) =>
  net.compile({ optimizer: 'adam', loss: 'mse', ...options });
const none = () => [].values();

/** @type {Rows} */
const TRAINING = [
  [() => nn.sequential([dense({ inputShape: [3] })]).fit(x, y), 'GradlockError: …compile'],
  [() => net.fit(zeros(8, 4), y), 'ShapeError: …[null, 3]…[8, 4]'],
  [() => net.fit(x, zeros(7, 2)), 'ShapeError: …labels must have 8 rows…[7, 2]'],
  [() => net.fit(x, zeros(8, 3)), "ShapeError: …'head' [8,2], labels [8,3]"],
  [() => net.fit(zeros(0, 3), zeros(0, 2)), 'ShapeError: …no samples'],
  [() => net.fit('x', y), 'TypeError: …array'],
  [() => net.fit(x), 'TypeError: …labels'],
  [() => net.fit([x, x], y), 'OptionError: …one value each for input_layer, got'],
  [() => fit({ batchSize: 0 }), 'OptionError: …batchSize'],
  [() => fit({ epochs: -1 }), 'OptionError: …epochs'],
  [() => fit({ epoch: 1 }), "TypeError: …'epoch'"],
  [() => fit({ validationSplit: 1 }), 'OptionError: …validationSplit'],
  [() => fit({ validationSplit: 0.99 }), 'OptionError: …empty part'],
  [() => fit({ validationSplit: 1e-17 }), 'OptionError: …empty part'],
  [() => fit({ validationBatchSize: 4 }), 'OptionError: …needs validationData or'],
  [() => fit({ validationSplit: 0.5, validationData: [x, y] }), 'OptionError: …both given: leave'],
  [() => fit({ validationData: 3 }), 'TypeError: …validationData'],
  [() => fit({ sampleWeight: [1] }), 'ShapeError: …sampleWeight'],
  [() => fit({ classWeight: { 0: 1 }, sampleWeight: [1] }), 'OptionError: …not both'],
  [() => fit({ classWeight: { a: 1 } }), 'OptionError: …class'],
  [() => fit({ callbacks: 3 }), 'TypeError: …callback'],
  [() => fit({ callbacks: { on_epoch_end() {} } }), 'OptionError: …unknown method on_epoch_end; k'],
  [() => fit({ signal: 3 }), 'TypeError: …signal'],
  [() => fit({ yieldEvery: 'often' }), 'OptionError: …yieldEvery'],
  [() => fit({ stepsPerEpoch: 2 }), 'OptionError: …iterator'],
  [() => net.fit(none, { batchSize: 4 }), 'OptionError: …batchSize has no effect'],
  [() => net.fit(none, { shuffle: true }), 'OptionError: …shuffle has no effect'],
  [() => net.fit(none()), 'OptionError: …stepsPerEpoch'],
  [() => net.fit(() => 3), 'TypeError: …iterator'],
  [() => net.fit(() => [3].values()), 'TypeError: …batch'],
  [() => net.evaluate(x, y, { batchSize: 1.5 }), 'OptionError: …batchSize'],
  [() => net.predict(zeros(2, 4)), 'ShapeError: …[null, 3]'],
  [() => net.compile({ loss: 'mse' }), 'OptionError: …optimizer'],
  [() => compile({ optimizer: 'adm' }), 'OptionError: …adm…adam'],
  [
    () => compile({ optimizer: g.optimizers.adam }),
    'OptionError: …one made by g.optimizers.adam()',
  ],
  [() => compile({ loss: 'msa' }), 'OptionError: …msa'],
  [() => compile({ loss: undefined }), 'OptionError: …loss'],
  [() => compile({ metrics: ['nothing'] }), 'OptionError: …nothing'],
  [() => compile({ loss: { body: 'mse' } }), "OptionError: …'body'…head"],
  [() => compile({ optimizer: g.optimizers.lbfgs() }), '…solver'],
  [() => net.pressure(x, y, { by: 'row' }), 'OptionError: …by'],
  [() => net.pressure(x, y, { sortBy: 'norm' }), 'OptionError: …sortBy'],
  [() => net.pressure(x, y, { maxRows: 0 }), 'OptionError: …maxRows'],
  [() => net.pressure(x, y, { learningRate: -1 }), 'OptionError: …learningRate'],
  [() => net.pressure(x, y, { rate: 1 }), "TypeError: …no 'rate'"],
  [
    () => net.pressure(x, y, { sortBy: 'optimal', secondOrder: false }),
    'OptionError: …needs { secondOrder: true }',
  ],
  [() => net.pressure(x, [[1]]), 'ShapeError: …rows'],
  [() => nn.callbacks.liftPressure({ data: [x] }), 'TypeError: …data'],
  [() => nn.callbacks.liftPressure({ data: [x, y], every: 0 }), 'OptionError: …every'],
];

test('compile, fit and pressure say what does not fit, and train nothing', () => check(TRAINING));

const layer = (/** @type {string} */ name, /** @type {string} */ from, config = {}) => ({
  class_name: 'Dense',
  name,
  config: { name, units: 2, ...config },
  inbound_nodes: [
    {
      args: [{ class_name: '__keras_tensor__', config: { keras_history: [from, 0, 0] } }],
      kwargs: {},
    },
  ],
});
const first = {
  class_name: 'InputLayer',
  name: 'i',
  config: { batch_shape: [null, 2], name: 'i' },
  inbound_nodes: [],
};
const graph = (/** @type {any[]} */ list, /** @type {any} */ out = ['a', 0, 0]) => ({
  class_name: 'Functional',
  config: {
    name: 'm',
    layers: [first, ...list],
    input_layers: ['i', 0, 0],
    output_layers: out,
  },
});
const stack = (/** @type {any[]} */ ...list) => ({
  class_name: 'Sequential',
  config: { layers: list },
});
const LAYER_NODE = 'FormatError: …must be [layer, node, index], it is';

/** @type {[json: any, text: Text][]} */
const JSONS = [
  ['{', 'FormatError: …not JSON'],
  [3, 'FormatError: …object'],
  [{}, 'FormatError: …class_name'],
  [{ class_name: 'Dense', config: { units: 1 } }, 'FormatError: …not a model'],
  [{ format: 'graph-model' }, 'FormatError: …graph model'],
  [stack({ class_name: 'Nothing', config: {} }), 'OptionError: …Nothing'],
  [graph([layer('a', 'b'), layer('b', 'a')]), 'FormatError: …cycle'],
  [graph([layer('a', 'z')]), "FormatError: …no layer 'z'"],
  [graph([layer('a', 'i'), layer('a', 'i')]), 'FormatError: …two layers'],
  [graph([layer('a', 'i')], ['q', 0, 0]), "FormatError: …no layer 'q'"],
  [graph([], [5]), 'FormatError: …must be an array'],
  ...[['i'], [0, 0, 0], ['i', 0.5, 0], ['i', 0, '0'], ['i', 0, 0.5]].map(
    (from) => /** @type {[any, Text]} */ ([graph([], [from]), LAYER_NODE]),
  ),
  [graph([layer('a', 'i', { nothing: 1 })]), 'TypeError: …nothing'],
];

test('JSON that is no model says why', async () => {
  await check(JSONS.map(([json, text]) => [() => nn.modelFromJSON(json), text]));
  const polluted = '{"class_name":"Sequential","config":{"__proto__":{"layers":[]},"layers":[]}}';
  assert.equal(nn.modelFromJSON(JSON.parse(polluted)).layers.length, 0);
});
