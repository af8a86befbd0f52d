/* Tier: test. */
/* Functional models with Keras's ops between their layers: operations.json, written by
 * tests/golden/operations.py. Each is read from Keras's JSON, computes Keras's values and gradients
 * by inputs and weights (golden-layers.test.js says how near), eager and compiled, and is written
 * as the JSON that it came from, which Keras reads: the generator saw it do so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { assertNear, Draws, readGolden } from '../golden/golden.js';
import { assertMessages } from './messages.js';
import { settle } from './support.js';

const golden = readGolden('operations.json');

/**
 * JSON with what both write alike: neither shapes of weights nor arguments of calls that say
 * nothing, and one type of numbers, as there is no other here.
 * @param {any} model
 */
const plain = (model) =>
  JSON.parse(JSON.stringify(model), (key, value) => {
    if (key === 'dtype' && typeof value === 'string' && value !== 'float16') return 'float32';
    const saysNothing = (key === 'mask' && value === null) || (key === 'training' && !value);
    return key === 'build_config' || saysNothing ? undefined : value;
  });

for (const row of golden.models) {
  test(`Keras's ${row.about}: values, gradients, JSON`, async () => {
    const g = await init();
    const nn = layers(g);
    const model = nn.modelFromJSON(structuredClone(row.model));
    const written = plain(model);
    assert.deepEqual(written.config, plain(row.model).config);
    assert.deepEqual(plain(nn.modelFromJSON(JSON.stringify(model))), written);

    const draws = new Draws(row.seed);
    model.setWeights(model.weights.map(({ shape }) => g.tensor(draws.array([...shape]), shape)));
    const inputs = model.inputs.map(({ shape }) => {
      const sizes = shape.map((size, axis) => size ?? (axis === 0 ? golden.batch : golden.open));
      return g.variable(draws.array(sizes), { shape: sizes });
    });
    /** @type {import('gradlock').TensorLike} */
    const given = inputs.length > 1 ? /** @type {any} */ (inputs) : inputs[0];
    const outputs = [model.apply(given)].flat();
    assert.equal(outputs.length, row.outputs.length);
    model.outputs.forEach(({ shape }, i) => {
      const sizes = outputs[i].shape;
      assert.equal(shape.length, sizes.length);
      shape.forEach((size, axis) => void (size !== null && assert.equal(size, sizes[axis])));
    });
    const terms = Math.max(...[...model.weights, ...inputs, ...outputs].map(({ size }) => size));
    outputs.forEach((output, i) => void assertNear(output, row.outputs[i], terms, `output ${i}`));

    const cotangents = outputs.map(({ size }) => g.tensor(draws.array([size])));
    const all = [...inputs, ...model.weights];
    const sources = all.filter((_, i) => row.gradients[i] !== null);
    const wanted = row.gradients.filter((/** @type {any} */ want) => want !== null);
    // What is 0 whatever is given has no scale.
    const largest = Math.max(...wanted.map((/** @type {any} */ [, scale]) => scale));
    const loss = () => {
      const parts = [model.apply(given)].flat();
      const sums = parts.map((y, i) => g.sum(g.mul(g.flatten(y), cotangents[i] ?? 0)));
      return sums.reduce((a, b) => g.add(a, b));
    };
    const { grads } = g.valueAndGrad(g.compile(loss), sources);
    grads.forEach((grad, i) => {
      const [values, scale] = wanted[i];
      assertNear(grad, [values, scale < 1e-12 ? largest : scale], terms, `gradient ${i}`);
    });
    g.dispose();
  });
}

/** @param {object} entry @param {any[]} args @param {object} [kwargs] */
const modelWith = (entry, args, kwargs = {}) => {
  const given = {
    module: 'keras.src.ops.numpy',
    config: { name: 'op' },
    name: 'op',
    registered_name: null,
    inbound_nodes: [{ args, kwargs }],
    ...entry,
  };
  return {
    class_name: 'Functional',
    config: {
      name: 'm',
      layers: [
        {
          class_name: 'InputLayer',
          config: { batch_shape: [null, 3], name: 'x' },
          name: 'x',
          inbound_nodes: [],
        },
        given,
      ],
      input_layers: ['x', 0, 0],
      output_layers: ['op', 0, 0],
    },
  };
};
const x = {
  class_name: '__keras_tensor__',
  config: { shape: [null, 3], dtype: 'float32', keras_history: ['x', 0, 0] },
};
/** @param {number} step */
const sliced = (step) => ({
  class_name: '__slice__',
  config: { start: null, stop: null, step },
});

const [MAX, CUMSUM, CAST] = [{ axis: 1, initial: 3 }, { axis: null }, { dtype: 'float16' }].map(
  (config) => ({ config: { name: 'op', ...config } }),
);
const nn = 'keras.src.ops.nn';

/** @type {[name: string, model: object, text: import('./messages.js').Text][]} */
const REFUSED = [
  ['Fft2', modelWith({}, [x]), "OptionError: …op 'op': Fft2 is not supported"],
  ['CtcDecode', modelWith({ module: nn }, [x]), 'OptionError: …\'op\': unknown name "CtcDecode"'],
  ['Dispose', modelWith({}, [x]), 'OptionError: …Dispose is not supported'],
  ['constructor', modelWith({}, [x]), 'OptionError: …constructor is not supported'],
  ['Max', modelWith(MAX, [x]), 'OptionError: …op (Max): the argument initial is not supported'],
  [
    'Exp',
    modelWith({}, [x], { dtype: 'float64' }),
    'OptionError: …op (Exp): the argument dtype is',
  ],
  ['Cumsum', modelWith(CUMSUM, [x]), 'TypeError: …axis'],
  ['Cast', modelWith(CAST, [x]), 'OptionError: …float16'],
  ['GetItem', modelWith({}, [x, [sliced(1), [0, 1]]]), 'OptionError: …an index must be'],
  ['GetItem', modelWith({}, [x, [sliced(1), 3]]), 'ShapeError: …op (GetItem)'],
  ['GetItem', modelWith({}, [x, [sliced(1), 0, 0]]), 'ShapeError: …op (GetItem)'],
];

test('ops, options and indices that are not supported are refused by name, and nothing is left', async () => {
  const g = await init();
  const nn = layers(g);
  settle(g);
  const rows = REFUSED.map(([name, model, text]) => {
    const given = structuredClone(/** @type {any} */ (model));
    given.config.layers[1].class_name = name;
    return /** @type {const} */ ([`${name}: ${text}`, () => nn.modelFromJSON(given), text]);
  });
  assertMessages(g, [], rows);
});

test('ops are layers without weights, in summaries and under their names', async () => {
  const g = await init();
  const model = layers(g).modelFromJSON(modelWith({ class_name: 'Multiply' }, [x, 2]));
  assert.deepEqual(model.getLayer('op').weights, []);
  assert.match(model.summary({ print: null }).text, /op \(Multiply\)/);
  assert.deepEqual(model.predict([[1, 2, 3]]).array(), [[2, 4, 6]]);
});
