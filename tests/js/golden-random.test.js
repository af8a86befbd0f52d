/* Random draws and initializers beside TensorFlow and Keras, as recorded in
 * tests/golden/random.json by generate.py.
 *
 * TensorFlow's uniform numbers are random bits and at most one product and one sum, each rounded
 * once: ours have the same bits. Normal ones go through log, sin and cos, which both sides
 * approximate: a log to 2 ulp (its root halves that), a sine to 2, with two roundings more make
 * less than 4 ulp on either side, so z is within 8 ulp = 16u, u = 2^-24; z stddev + mean is rounded
 * twice more. Q of a QR in f32 is off by at most n^1.5 u times the condition of the matrix, for
 * Keras; ours is rounded once. That it is orthogonal, and how numbers are distributed, is
 * tests/c/test_random.c's business. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { floats, readGolden, sameBits, UNIT } from '../golden/golden.js';

/** @typedef {'uniform' | 'normal' | 'truncatedNormal'} Draw */
/**
 * @typedef {{ draw: Draw, seed: number, args: Record<string, number>, count?: number,
 *   every?: number, step?: number, run?: number, values: number[] }} DrawRow
 */
/**
 * @typedef {'glorotUniform' | 'glorotNormal' | 'heUniform' | 'heNormal' | 'lecunUniform' |
 *   'lecunNormal' | 'randomUniform' | 'randomNormal' | 'truncatedNormal'} InitializerName
 */
/**
 * @typedef {{ initializer: InitializerName, shape: number[], asked: [Draw, number, number],
 *   layer?: string }} InitializerRow
 */
/**
 * @typedef {{ seed: number, shape: number[], gain: number, condition: number, values: number[] }}
 *   OrthogonalRow
 */

const golden = readGolden('random.json');
const ofLayers = readGolden('initializers.json');

for (const row of /** @type {DrawRow[]} */ (golden.draws)) {
  const { draw, seed, args, count = row.values.length, every = 1, step = 0, run = 0, values } = row;
  const exact = draw === 'uniform' ? ', bit for bit' : '';
  const stream = step || run ? `, step ${step}, run ${run},` : '';
  test(`${draw} of seed ${seed}${stream} with ${JSON.stringify(args)}: ${count} numbers as in TensorFlow${exact}`, async () => {
    const g = await init();
    const source = g.random(seed);
    source.step = step;
    const program = g.compile(() => source[draw]([count], args));
    for (let i = 0; i < run; i++) program.run();
    const got = program
      .run()
      .data()
      .filter((_, i) => i % every === 0);
    const want = floats(values);
    assert.equal(got.length, want.length);
    if (draw === 'uniform') {
      assert.ok(sameBits(got, want), `${got}\n${want}`);
      return;
    }
    const { mean = 0 } = args;
    for (const [i, value] of want.entries()) {
      const tolerance = UNIT * (16 * Math.abs(value - mean) + 4 * Math.abs(value));
      const off = Math.abs(got[i] - value);
      assert.ok(off <= tolerance, `${i}: ${got[i]}, expected ${value}, off by ${off}`);
    }
  });
}

test('initializers draw from the ranges that Keras does, for every rank and its layers', async () => {
  const g = await init();
  /** @type {InitializerRow[]} */
  const rows = [...golden.initializers, ...ofLayers.layers];
  assert.equal(new Set(rows.map(({ layer }) => layer)).size, 10);
  for (const { initializer, shape, asked, layer } of rows) {
    const [kind, first, second] = asked;
    const got = g.initializers[initializer]({ seed: 3 })(shape);
    const options =
      kind === 'uniform' ? { minval: first, maxval: second } : { mean: first, stddev: second };
    const want = g.random(3)[kind](shape, options);
    assert.deepEqual(got.shape, shape);
    assert.equal(got.digest(), want.digest(), `${initializer} of [${shape}] of ${layer}`);
  }
});

test('constant initializers give the bits of Keras', async () => {
  const g = await init();
  for (const { initializer, args, shape, values } of ofLayers.constants) {
    const got = /** @type {any} */ (g.initializers)[initializer](...args)(shape);
    assert.deepEqual(got.shape, shape);
    assert.ok(sameBits(got.data(), floats(values)), `${initializer}(${args}) of [${shape}]`);
  }
});

test('orthogonal initializers are what Keras makes of the same normal numbers', async () => {
  const g = await init();
  for (const row of /** @type {OrthogonalRow[]} */ (golden.orthogonal)) {
    const { seed, shape, gain, condition, values } = row;
    const got = g.initializers.orthogonal({ gain, seed })(shape);
    assert.deepEqual(got.shape, shape);
    const most = Math.max(...shape) ** 1.5 * condition * UNIT * 16 * gain;
    for (const [i, value] of got.data().entries()) {
      assert.ok(Math.abs(value - values[i]) <= most, `[${shape}] at ${i}: ${value}, ${values[i]}`);
    }
  }
});
