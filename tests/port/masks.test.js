/* Masks and states in TensorFlow.js 4.22: what saveLayersModel writes it predicts alike, or
 * saveLayersModel refuses it by the name of the layer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, OptionError } from 'gradlock';
import { loadModel, saveLayersModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { loadSaved, openTensorFlow } from './tensorflow.js';

const { backend, core } = await openTensorFlow();
const g = await init();
const nn = /** @type {any} */ (layers(g, { seed: 1 }));
/** Sums of a few dozen products, in other orders. */
const ALLOWED = 1e-5;

/** @param {any} x */
const lstm = (x) => nn.lstm({ units: 2 }).apply(x);
/** @param {any} x */
const dense = (x) => nn.dense({ units: 2 }).apply(x);
/** @param {any} x */
const masking = (x) => nn.masking({ maskValue: 0 }).apply(x);

/** Ends of models: x of shape [4, 2] has a mask, y has none. @type {Record<string, (x: any, y: any) => any>} */
const SAVED = {
  lstm,
  gru: (x) => nn.gru({ units: 2, resetAfter: false }).apply(x),
  'layers that pass a mask on': (x) =>
    [
      nn.layerNormalization(),
      nn.batchNormalization(),
      nn.rescaling({ scale: 2 }),
      nn.elu(),
      nn.leakyReLU(),
      nn.prelu(),
      nn.reLU(),
      nn.dropout({ rate: 0.5 }),
      nn.spatialDropout1d({ rate: 0.5 }),
      nn.alphaDropout({ rate: 0.5 }),
      nn.gaussianNoise({ stddev: 0.5 }),
      nn.activation({ activation: 'tanh' }),
      nn.timeDistributed({ layer: nn.dense({ units: 2 }) }),
      nn.bidirectional({ layer: nn.lstm({ units: 2, returnSequences: true }) }),
      nn.simpleRNN({ units: 2 }),
    ].reduce((value, layer) => layer.apply(value), x),
  'two of a mask': (x) => lstm(nn.concatenate().apply([x, dense(x)])),
  'no steps any more': (x) => nn.add().apply([lstm(x), lstm(x)]),
  'a flat mask': (x, y) => nn.add().apply([nn.flatten().apply(x), nn.flatten().apply(y)]),
  'a maximum of steps': (x) => nn.globalMaxPooling1d().apply(x),
};

/** With the layer that is to blame; z has a mask of its own. @type {Record<string, [end: (x: any, y: any, z?: any) => any, name: RegExp]>} */
const REFUSED = {
  'a mean of steps': [(x) => nn.globalAveragePooling1d().apply(x), /global_average.* averages/],
  'another without a mask': [(x, y) => nn.add().apply([lstm(x), lstm(y)]), /lstm.* gets none/],
  'a softmax behind it': [(x) => nn.softmax().apply(lstm(x)), /softmax.* gets none/],
  'steps in another shape': [
    (x) => lstm(nn.permute({ dims: [2, 1] }).apply(x)),
    /lstm.* gets none/,
  ],
  'windows of steps': [(x) => lstm(nn.maxPooling1d().apply(x)), /lstm.* gets none/],
  'a sum': [(x) => lstm(nn.add().apply([x, dense(x)])), /add.* merges/],
  'a maximum': [(x, y) => nn.maximum().apply([x, y]), /maximum.* merges/],
  'an input without one': [(x, y) => lstm(nn.concatenate().apply([x, y])), /concatenate.* none/],
  'another, joined': [
    (x, _, z) => lstm(nn.concatenate().apply([x, z])),
    /concatenate.* joins several/,
  ],
  'another, and an elu': [
    (x, _, z) => nn.concatenate().apply([lstm(nn.elu().apply(x)), lstm(z)]),
    /elu.* several masks/,
  ],
  'a model inside': [
    (x) => nn.sequential([nn.dense({ units: 2, inputShape: [4, 2] })]).apply(x),
    /sequential.* is a model/,
  ],
};

/**
 * @param {(x: any, y: any, z: any) => any} end
 * @param {(x: any) => any} [mask]
 */
const modelOf = (end, mask = masking) => {
  const inputs = [nn.input({ shape: [4, 2] }), nn.input({ shape: [4, 2] })];
  const [x, y] = inputs;
  // A layer of z only where the end has one.
  const outputs = end.length > 2 ? end(mask(x), y, mask(y)) : end(mask(x), y, null);
  return nn.model({ inputs, outputs: [outputs, dense(y)] });
};

/**
 * Let TensorFlow.js, and this library, predict with a model as it is saved.
 * @param {any} model
 * @param {boolean} [isWords] True if its input is words, of which number 0 is masked.
 */
const compare = async (model, isWords = false) => {
  const files = saveLayersModel(model);
  const back = await loadSaved(backend, files);
  const { 'model.json': text, ...shards } = files;
  const again = /** @type {any} */ (
    await loadModel(layers(g), { modelJson: JSON.parse(text), shards })
  );
  /** @type {{ shape: number[], data: number[] }[]} */
  const given = model.inputs.map(
    (/** @type {any} */ { shape: [, ...sizes] }, /** @type {number} */ n) => {
      const shape = [3, ...sizes];
      const length = shape.reduce((a, b) => a * b);
      // Some steps are 0, and so masked.
      const data = Array.from({ length }, (_, i) =>
        i % 6 < 2 ? 0 : isWords ? i % 5 : Math.sin(i + n),
      );
      return { shape, data };
    },
  );
  /** @param {(data: number[], shape: number[]) => any} tensor */
  const inputs = (tensor) => {
    const list = given.map(({ data, shape }) => tensor(data, shape));
    return list.length > 1 ? list : list[0];
  };
  /** @param {any} outputs */
  const values = (outputs) => [outputs].flat().map((y) => [...(y.dataSync?.() ?? y.data())]);
  const ours = values(model.predict(inputs((data, shape) => g.tensor(data, shape))));
  const theirs = values(back.predict(inputs(core.tensor)));
  assert.deepEqual(values(again.predict(inputs((data, shape) => g.tensor(data, shape)))), ours);
  for (const [i, list] of ours.entries())
    for (const [k, value] of list.entries())
      assert.ok(Math.abs(value - theirs[i][k]) <= ALLOWED, `${value}, there ${theirs[i][k]}`);
};

for (const [what, end] of Object.entries(SAVED))
  test(`a mask and ${what}: TensorFlow.js predicts alike`, () => compare(modelOf(end)));

for (const [what, [end, message]] of Object.entries(REFUSED)) {
  test(`a mask and ${what} are refused, since TensorFlow.js computes them otherwise`, async () => {
    const model = modelOf(end);
    assert.throws(
      () => saveLayersModel(model),
      (error) => error instanceof OptionError && message.test(error.message),
    );
    await compare(modelOf(end, (x) => x)); // without a mask
  });
}

test('a mean of embedded words is refused, their recurrent layer is saved', async () => {
  const words = () => nn.embedding({ inputDim: 5, outputDim: 2, maskZero: true, inputShape: [4] });
  const mean = nn.sequential([words(), nn.globalAveragePooling1d(), nn.dense({ units: 1 })]);
  assert.throws(() => saveLayersModel(mean), /global_average.* averages the steps of a mask/);
  await compare(nn.sequential([words(), nn.lstm({ units: 2 }), nn.dense({ units: 1 })]), true);
});

for (const kind of ['lstm', 'gru', 'simpleRNN']) {
  test(`the states that a ${kind} begins with are saved`, async () => {
    const options = kind === 'gru' ? { units: 2, resetAfter: false } : { units: 2 };
    const [x, y] = [nn.input({ shape: [4, 2] }), nn.input({ shape: [5, 3] })];
    const [out, ...states] = nn[kind]({ ...options, returnState: true }).apply(x);
    const next = nn[kind](options).apply(y, { initialState: states });
    await compare(nn.model({ inputs: [x, y], outputs: [next, out] }));
  });
}
