/* Every layer with every option, activation, initializer, regularizer and constraint, one at a time:
 * what saveLayersModel writes TensorFlow.js 4.22 loads and predicts alike, or saveLayersModel
 * refuses it by an OptionError that says what and what to do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, OptionError } from 'gradlock';
import { saveLayersModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { sharedLayers } from './gradlock.js';
import { LAYERS, MERGES } from './layer-table.js';
import { loadSaved, openTensorFlow } from './tensorflow.js';

const { backend, core, tf } = await openTensorFlow();
const g = await init();
/** Sums of a few dozen products of numbers up to 10, in other orders. */
const ALLOWED = 1e-4;

const ACTIVATIONS = (
  'relu elu softplus tanh sigmoid silu gelu softmax logSoftmax linear relu6 leakyRelu selu ' +
  'softsign hardSigmoid legacyHardSigmoid hardSilu mish exponential'
).split(' ');
const INITIALIZERS = [
  ...'Zeros Ones RandomUniform RandomNormal TruncatedNormal GlorotUniform GlorotNormal'.split(' '),
  ...'HeUniform HeNormal LecunUniform LecunNormal VarianceScaling Orthogonal Identity'.split(' '),
  { className: 'Constant', config: { value: 0.5 } },
  { className: 'VarianceScaling', config: { distribution: 'untruncated_normal' } },
];
const REGULARIZERS = [
  { className: 'L1', config: { l1: 0.1 } },
  { className: 'L2', config: { l2: 0.1 } },
  { className: 'L1L2', config: { l1: 0.1, l2: 0.2 } },
];
const CONSTRAINTS = ['maxNorm', 'unitNorm', 'nonNeg', 'minMaxNorm'];

/** Values of options; a layer that has none of the kind refuses it. @type {Record<string, any[]>} */
const OPTIONS = {
  activation: ACTIVATIONS,
  recurrentActivation: ACTIVATIONS,
  activityRegularizer: REGULARIZERS,
  alpha: [0.5],
  axis: [1, -1, [1, 2]],
  center: [false],
  cropping: [
    1,
    [
      [1, 0],
      [0, 1],
    ],
  ],
  depthMultiplier: [2],
  dilationRate: [2],
  dropout: [0.3],
  epsilon: [0.1],
  goBackwards: [true],
  groups: [2],
  interpolation: ['bilinear', 'nearest'],
  keepdims: [true],
  maskZero: [true],
  maxValue: [1],
  mergeMode: ['concat', 'sum', 'mul', 'ave', null],
  momentum: [0.5],
  negativeSlope: [0.1, 0.3],
  noiseShape: [[1, 1]],
  offset: [1],
  outputPadding: [1],
  padding: ['same', 'causal', 1],
  poolSize: [3],
  rate: [0.1],
  recurrentDropout: [0.3],
  resetAfter: [false, true],
  returnSequences: [true],
  returnState: [true],
  scale: [false, 3, [1, 2, 3, 4]],
  sharedAxes: [[1]],
  size: [3, [2, 1]],
  stateful: [true],
  strides: [2],
  threshold: [0.5],
  trainable: [false],
  unitForgetBias: [false],
  useBias: [false],
};
for (const weight of 'kernel bias recurrent depthwise pointwise gamma beta movingMean movingVariance alpha embeddings'.split(
  ' ',
)) {
  OPTIONS[`${weight}Initializer`] = INITIALIZERS;
  OPTIONS[`${weight}Regularizer`] = REGULARIZERS;
  OPTIONS[`${weight}Constraint`] = CONSTRAINTS;
}

/** @param {any} given */
const flat = (given) => [given].flat();

/**
 * Save a model and let TensorFlow.js predict with it, too.
 * @param {any} model
 * @param {boolean} isWords
 * @returns {Promise<boolean>} Whether it was saved.
 */
const compare = async (model, isWords) => {
  let files;
  try {
    files = saveLayersModel(model);
  } catch (error) {
    assert.ok(error instanceof OptionError, String(error));
    assert.match(error.message, /^saveLayersModel: .+(: | or )/, 'says what to do');
    return false;
  }
  const back = await loadSaved(backend, files);
  const shape = model.inputs[0].shape.map((/** @type {number | null} */ size) => size ?? 2);
  const length = shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b);
  const data = Float32Array.from({ length }, (_, i) => (isWords ? i % 5 : 4 * Math.sin(3 * i)));
  if (!isWords) data.set([0.25, -0.25]);
  const ours = flat(model.predict(g.tensor(data, shape)));
  const theirs = flat(back.predict(core.tensor(data, shape)));
  assert.deepEqual(
    ours.map((y) => y.shape),
    theirs.map((y) => y.shape),
  );
  for (const [i, y] of ours.entries()) {
    const want = theirs[i].dataSync();
    for (const [k, value] of y.data().entries()) {
      const isSame =
        Object.is(value, want[k]) ||
        Math.abs(value - want[k]) <= ALLOWED * Math.max(1, Math.abs(value));
      assert.ok(isSame, `${value}, TensorFlow.js ${want[k]}`);
    }
  }
  return true;
};

for (const [name, [shape, config]] of Object.entries(LAYERS)) {
  test(`${name}: TensorFlow.js predicts alike with every option, or it is refused`, async () => {
    let saved = 0;
    /** @param {Record<string, any>} option */
    const tryOne = async (option) => {
      const nn = layers(g, { seed: 1 });
      const base = { ...(typeof config === 'function' ? config(nn) : config), ...OTHERS[name] };
      const input = option.stateful ? { batchInputShape: [2, ...shape] } : { inputShape: shape };
      let model;
      try {
        model = nn.sequential([/** @type {any} */ (nn)[name]({ ...base, ...input, ...option })]);
      } catch {
        return; // no such option, or not of that value
      }
      try {
        saved += Number(await compare(model, name === 'embedding'));
      } catch (error) {
        const { message } = /** @type {Error} */ (error);
        assert.fail(`${JSON.stringify(option)}: ${message}`);
      }
    };
    await tryOne({});
    for (const [key, values] of Object.entries(OPTIONS)) {
      for (const value of values) await tryOne({ [key]: value });
    }
    if (name !== 'spatialDropout2d') assert.ok(saved > 0, 'some of it is saved');
  });
}

/** Layers of several tensors that TensorFlow.js lacks. */
const REFUSED = ['subtract', 'attention'];
/** Options of what is saved, where TensorFlow.js has another default and not ours. @type {Record<string, any>} */
const OTHERS = { gru: { resetAfter: false } };

test('layers between several tensors are saved alike, or refused', async () => {
  const nn = /** @type {any} */ (layers(g, { seed: 1 }));
  const saved = [];
  for (const name of [...Object.keys(MERGES), ...REFUSED]) {
    const x = nn.input({ shape: [3, 2] });
    const y = nn.dense({ units: 2 }).apply(x);
    const layer = nn[name](MERGES[name] ?? {});
    if (await compare(nn.model({ inputs: x, outputs: layer.apply([x, y]) }), false))
      saved.push(name);
  }
  assert.deepEqual(saved, Object.keys(MERGES));
});

test('layers of more axes than TensorFlow.js computes are refused by name', () => {
  const nn = layers(g, { seed: 1 });
  const image = nn.input({ shape: [2, 2, 3] });
  const volume = nn.input({ shape: [2, 2, 2, 3] });
  /** @type {[any, any, RegExp][]} */
  const cases = [
    [
      image,
      nn.dot({ axes: -1, name: 'a' }).apply([image, image]),
      /: a multiplies more than three/,
    ],
    [volume, nn.layerNormalization({ name: 'b' }).apply(volume), /: b normalizes volumes/],
    [volume, nn.batchNormalization({ name: 'c' }).apply(volume), /: c normalizes volumes/],
  ];
  for (const [inputs, outputs, message] of cases)
    assert.throws(() => saveLayersModel(nn.model({ inputs, outputs })), message);
});

test('every layer that TensorFlow.js has, too, is tried', () => {
  const missing = sharedLayers(tf.layers, layers(g)).filter(
    (name) => !(name in LAYERS) && !(name in MERGES),
  );
  assert.deepEqual(missing, [], `add to tests/port/layer-table.js: ${missing}`);
});

test('a layer of your own is saved if you say that TensorFlow.js knows it', async () => {
  const nn = layers(g, { seed: 1 });
  class Twice extends nn.Layer {
    /** @override */
    static className = 'Twice';
    /** @override @param {any} x */
    call(x) {
      return g.mul(x, 2);
    }
  }
  const model = nn.sequential([nn.dense({ units: 1, inputShape: [1] }), new Twice()]);
  assert.throws(() => saveLayersModel(model), /give \{ classes: \['Twice'\] \}/);
  const { 'model.json': text } = saveLayersModel(model, { classes: ['Twice'] });
  assert.match(text, /"class_name":"Twice"/);
  assert.throws(() => saveLayersModel(model, /** @type {any} */ ({ classes: 'Twice' })), TypeError);
});
