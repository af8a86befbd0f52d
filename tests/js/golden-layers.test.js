/* Tier: test. Precisions: f32, f64. */
/* Layers beside Keras 3: layers-*.json, written by tests/golden/layers_*.py. For every case: the
 * layer of Keras's configuration writes that configuration, has its weights (names, order, shapes,
 * which of them train, what they begin with), its shapes with open sizes, its outputs, their
 * gradients by inputs and weights, and moves what it moves in training.
 *
 * The reference is computed in f64 and rounded once, so what differs is gradlock's own error. Each
 * result comes with its scale S, the largest over its elements r of |r| + Σ |∂r/∂v · v| over all v
 * that were given: a relative error e of each v moves no r by more than e S. A sum has at most n
 * terms, n being the elements of the largest of what was given or comes out, each of which it
 * rounds n times at most; besides, a chain of 16 roundings: (n + 16) u S, u = 2^-24.
 *
 * In double precision u is 2^-53, and what is
 * left is that the reference is written in f32, and some of its constants are f32. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { assertNear, Draws, floats, printTable, readGolden } from '../golden/golden.js';

/** @typedef {import('../golden/golden.js').Result} Result */
/**
 * @typedef {[kind: string, first: number, second: number] | 'orthogonal' | { values: number[] }}
 *   Initial A draw by its
 *   range or by its mean and deviation; or what does not change from layer to layer.
 */
/**
 * @typedef {object} Case
 * @property {{ class_name: string, config: Record<string, any> }} layer
 * @property {string} about
 * @property {number} seed
 * @property {(number | null)[][]} shapes
 * @property {boolean} isList
 * @property {boolean} training
 * @property {[path: string, shape: number[], trainable: boolean, initial: Initial][]} weights
 * @property {(number | null)[][]} outputShapes
 * @property {Result[]} outputs
 * @property {(Result | null)[]} gradients
 * @property {[index: number, values: (number | string)[]][]} [moved]
 * @property {any} [mask]
 * @property {any[]} [outputMasks]
 * @property {any[]} [given]
 * @property {Record<string, any>} [call]
 */

const SEED = 7;
const FOLDER = new URL('../golden/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => /^layers-(?!fit|shapes).*\.json$/.test(name));

/**
 * Makes a layer of a class by the method of layers() with that name, whatever its letters' case.
 * @param {any} nn
 * @param {string} name The class.
 * @param {Record<string, any>} config
 */
const make = (nn, name, config) => {
  const method = Object.keys(nn).find((one) => one.toLowerCase() === name.toLowerCase());
  assert.ok(method, `add ${name} to LAYERS in src/js/layers/factory.js: layers() cannot make it`);
  return nn[method](config);
};

/** @param {string} name */
const toCamel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** Classes with constants that TensorFlow rounds to f32, whatever it computes in; gelu has one. */
const CONSTANTS =
  /^(Activation|BatchNormalization|LeakyReLU|MultiHeadAttention|Rescaling|UpSampling2D)$/;
/** What each such constant, and a rounded result, may move of the scale. */
const ROUNDINGS = 4;

/**
 * Of each class the largest share of its tolerance that was needed.
 * @type {Map<string, [number, number]>}
 */
const shares = new Map();

/**
 * @param {import('gradlock').Gradlock} g
 * @param {number[]} shape
 * @param {Initial} initial
 * @returns {Float32Array}
 */
const expectInitial = (g, shape, initial) => {
  if (initial === 'orthogonal') return g.initializers.orthogonal({ seed: SEED })(shape).data();
  if (!Array.isArray(initial)) return floats(initial.values);
  const [kind, first, second] = initial;
  const isRange = kind === 'uniform';
  const options = isRange ? { minval: first, maxval: second } : { mean: first, stddev: second };
  return /** @type {any} */ (g.random(SEED))[kind](shape, options).data();
};

/**
 * @param {Case} row
 * @param {number} open
 * @param {number} batch
 */
const check = async (row, open, batch) => {
  const { layer: keras, shapes, isList, training } = row;
  const g = await init();
  // Every weight is drawn from the beginning of the same random numbers.
  const nn = /** @type {any} */ (layers(g, { seed: { seed: SEED, step: 0 } }));
  const layer = make(nn, keras.class_name, structuredClone(keras.config));
  const options = Object.fromEntries(
    Object.entries(row.call ?? {}).map(([key, value]) => [toCamel(key), value]),
  );

  const symbols = shapes.map((shape) => nn.input({ batchShape: shape }));
  const output = layer.apply(isList ? symbols : symbols[0], options);
  const outputShapes = [output].flat().map((symbol) => [...symbol.shape]);
  assert.deepEqual(outputShapes, row.outputShapes, 'shapes of outputs');

  const { build_config: _, ...written } = layer.serialize();
  assert.deepEqual(JSON.parse(JSON.stringify(written)), keras, 'configuration');
  const again = make(nn, keras.class_name, layer.getConfig());
  assert.deepEqual(again.serialize(), layer.serialize(), 'configuration, read again');

  const trainable = new Set(layer.trainableWeights);
  assert.deepEqual(
    layer.weights.map((/** @type {any} */ w) => [w.name, [...w.shape], trainable.has(w)]),
    row.weights.map(([path, shape, trains]) => [path, shape, trains]),
    'weights',
  );
  row.weights.forEach(([path, shape, , initial], i) => {
    const found = layer.weights[i].data();
    const wanted = expectInitial(g, shape, initial);
    assert.deepEqual([...found], [...wanted], `what ${path} begins with`);
  });

  const draws = new Draws(row.seed);
  const values = row.weights.map(([path, shape]) => {
    const drawn = draws.array(shape);
    return g.tensor(path.endsWith('variance') ? drawn.map((v) => Math.abs(v) + 0.5) : drawn, shape);
  });
  layer.setWeights(values, { force: true });
  const sizes = shapes.map((shape) =>
    shape.map((size, axis) => size ?? (axis === 0 ? batch : open)),
  );
  const drawn = sizes.map((size) => draws.array(size));
  const inputs = sizes.map((size, i) =>
    g.variable(row.given ? row.given[i] : drawn[i], row.given ? {} : { shape: size }),
  );
  const cotangents = row.outputs.map(([flat]) => g.tensor(draws.array([flat.length])));
  const maskOf = (/** @type {any} */ mask) => mask && g.tensor(mask);
  if (row.mask) options.mask = isList ? row.mask.map(maskOf) : maskOf(row.mask);
  const applied = () => layer.apply(isList ? inputs : inputs[0], { ...options, training });
  const tape = g.tape(applied);
  const outputs = [tape.value].flat();
  const terms = Math.max(
    ...[...values, ...inputs, ...outputs].map((/** @type {any} */ tensor) => tensor.size),
  );
  assert.equal(outputs.length, row.outputs.length, 'number of outputs');
  layer.resetStates();
  const isRounded = CONSTANTS.test(keras.class_name);
  /** @param {any} got @param {Result} want @param {string} what */
  const near = (got, want, what) => assertNear(got, want, terms, what, isRounded ? ROUNDINGS : 0);
  const offs = row.outputs.map((want, i) => near(outputs[i], want, `output ${i}`));
  // What is 0 whatever is given, as a softmax's gradient by what is added to all scores, has no
  // scale.
  const largest = Math.max(...row.gradients.map((want) => want?.[1] ?? 0));
  const scaled = (/** @type {Result} */ [wanted, scale]) =>
    /** @type {Result} */ ([wanted, scale < 1e-12 ? largest : scale]);
  const before = new Map(row.moved);
  for (const [i, weight] of layer.weights.entries()) {
    const moved = before.get(i);
    if (moved) offs.push(near(weight, [moved, 2], `${weight.name}, moved`));
    else assert.deepEqual(weight.data(), values[i]?.data(), `${weight.name} did not move`);
  }

  const run = { training, masks: new Map(), penalties: [], moves: [] };
  const inputMasks = isList ? (row.mask ?? []) : [row.mask];
  inputMasks.forEach((/** @type {any} */ mask, /** @type {number} */ i) => {
    if (mask) run.masks.set(inputs[i], g.tensor(mask));
  });
  const { mask: _mask, attentionMask: _attention, ...rest } = options;
  const masks = [layer.run(isList ? inputs : inputs[0], run, rest)]
    .flat()
    .map((y) => run.masks.get(y)?.array() ?? null);
  if (row.outputMasks) assert.deepEqual(masks, row.outputMasks, 'masks of outputs');
  layer.resetStates();

  layer.setWeights(values, { force: true });
  const sources = [...(row.given ? [] : inputs), ...layer.trainableWeights];
  assert.equal(sources.length, row.gradients.length, 'number of gradients');
  const loss = () => {
    const parts = [applied()].flat().map((y, i) => g.sum(g.mul(g.flatten(y), cotangents[i] ?? 0)));
    return parts.reduce((a, b) => g.add(a, b));
  };
  const { grads } = g.valueAndGrad(g.compile(loss), sources);
  row.gradients.forEach((want, i) => {
    const result = want
      ? scaled(want)
      : /** @type {Result} */ ([new Array(sources[i].size).fill(0), 0]);
    offs.push(
      near(/** @type {any} */ (grads[i]), result, `gradient by ${sources[i].name || `input ${i}`}`),
    );
  });
  const [worst, count] = shares.get(keras.class_name) ?? [0, 0];
  shares.set(keras.class_name, [Math.max(worst, ...offs), count + 1]);

  if (!isList) {
    const model = nn.sequential([
      make(nn, keras.class_name, { ...keras.config, batch_input_shape: shapes[0] }),
    ]);
    const read = nn.modelFromJSON(JSON.stringify(model));
    assert.deepEqual(
      read.layers[0].serialize(),
      model.layers[0].serialize(),
      'through JSON of a model',
    );
    assert.deepEqual(read.output.shape, model.output.shape, 'through JSON of a model');
  }
  g.dispose();
};

for (const file of FILES) {
  const { cases = [], standards = [], open, batch } = readGolden(file);
  for (const [name, needed, written] of standards) {
    test(`${name} has Keras's defaults`, async () => {
      const g = await init();
      const layer = make(layers(g), name, needed);
      assert.deepEqual(JSON.parse(JSON.stringify(layer.serialize())), written);
      g.dispose();
    });
  }
  /** @type {Map<string, Case[]>} */
  const byClass = new Map();
  for (const row of cases) {
    const name = row.layer.class_name;
    byClass.set(name, [...(byClass.get(name) ?? []), row]);
  }
  for (const [name, rows] of byClass) {
    test(`${name} is Keras's: configuration, weights, shapes, values and gradients`, async (t) => {
      for (const row of rows) {
        const mode = `${row.training ? ', training' : ''}${row.mask ? ', masked' : ''}`;
        await t.test(`${row.about || `case ${row.seed}`}${mode}`, () => check(row, open, batch));
      }
    });
  }
}

after(() => {
  const rows = [...shares].map(([name, [share, count]]) => [
    name,
    `${count}`,
    `${(100 * share).toFixed(1)} %`,
  ]);
  printTable(
    'Layers: how much of their tolerance the largest error takes',
    ['layer', 'cases', 'share'],
    rows,
  );
});
