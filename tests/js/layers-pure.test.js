/* Precisions: f32, f64. */
/* Which layers `fit` may compute once while they are locked: those that say so, and those that say
 * so compute the same bits each time, of a row alone as well. Every layer takes part, by its cases
 * of the golden files; a layer without a case fails. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { readGolden } from '../golden/golden.js';

const FOLDER = new URL('../golden/', import.meta.url);
const cases = readdirSync(FOLDER)
  .filter((name) => /^layers-(?!fit|shapes).*\.json$/.test(name))
  .flatMap((name) => readGolden(name).cases ?? []);

/** @param {any} value @returns {any[]} */
const toList = (value) => (Array.isArray(value) ? value : [value]);

test('a layer that says it is pure in training computes the same bits twice, and of a row alone', async () => {
  const g = await init();
  const nn = layers(g, { seed: 5 });
  /** @type {Set<string>} */
  const pure = new Set();
  for (const { layer: json, shapes, isList, call, seed } of cases) {
    if (call) continue;
    const what = `${json.class_name} ${JSON.stringify(json.config)}, case ${seed}`;
    const config = { class_name: 'Sequential', config: { layers: [json] } };
    const layer = nn.modelFromJSON(config).layers[0];
    const inputs = shapes.map((/** @type {(number | null)[]} */ [, ...sizes]) => {
      const shape = [3, ...sizes.map((size) => size ?? 4)];
      return json.class_name === 'Embedding'
        ? g.floor(g.randomUniform(shape, 0, json.config.input_dim, seed))
        : g.randomUniform(shape, -1, 1, seed);
    });
    /** @param {any[]} given */
    const run = (given) => toList(layer.apply(isList ? given : given[0], { training: true }));
    layer.ensureBuilt(isList ? inputs.map((/** @type {any} */ x) => x.shape) : inputs[0].shape);
    if (!layer.isPure(true)) continue;
    pure.add(json.class_name);
    const once = run(inputs);
    for (const [i, output] of run(inputs).entries())
      assert.deepEqual(output.data(), once[i].data(), `${what}: drawn twice`);
    const rows = inputs.map((/** @type {any} */ x) => g.slice(x, [1], [1]));
    for (const [i, output] of run(rows).entries())
      assert.deepEqual(output.data(), g.slice(once[i], [1], [1]).data(), `${what}: a row alone`);
  }
  const random = [...new Set(cases.map(({ layer }) => layer.class_name))].filter(
    (name) => !pure.has(name),
  );
  // Most layers of models gain from the cache; a class that lost it would be missing here.
  const expected = [
    ...['AlphaDropout', 'Dropout', 'GaussianDropout', 'GaussianNoise', 'Masking'],
    ...['SpatialDropout1D', 'SpatialDropout2D', 'SpatialDropout3D'],
  ];
  assert.deepEqual(
    random.sort(),
    expected,
    `never pure in training: ${random}. Extend RowWise, or add a random layer to this list`,
  );
  g.dispose();
});

test('a layer is impure unless its class says otherwise', async () => {
  const g = await init();
  const nn = layers(g);
  class Own extends nn.Layer {
    /** @override */
    static className = 'Own';
  }
  assert.equal(new Own().isPure(false), false);
  assert.equal(nn.lambda((x) => x).isPure(false), false);
  g.dispose();
});

test('every layer of layers() has a case in the golden files', async () => {
  const g = await init();
  const nn = layers(g);
  const known = new Set(cases.map(({ layer }) => layer.class_name.toLowerCase()));
  /** @param {string} name Of a method, aliases such as avgPool2d among them. */
  const classOf = (name) =>
    name
      .toLowerCase()
      .replace('avg', 'average')
      .replace(/pool(?!ing)/, 'pooling');
  const methods = Object.keys(nn);
  assert.ok(methods.length > 60);
  const missing = methods.filter((name) => !known.has(classOf(name)));
  assert.deepEqual(
    missing,
    [],
    `no case has ${missing}: add one to a layers_*.py in tests/golden, and run that file`,
  );
  g.dispose();
});
