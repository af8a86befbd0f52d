/* The fixed training run of tests/c/test_digest.c, once more through JavaScript: the Emscripten build, the WASI SDK's
 * reactor, and what the native and WASI programs printed must end on the same bytes, for every rule. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { init } from 'gradlock';
import { run, runWasi } from '../c/wasi.js';

/** @typedef {import('gradlock').RuleName} RuleName */

/** The options of each rule's run beside its rate, as in tests/c/test_digest.c. @type {[RuleName, Record<string, unknown>][]} */
const RUNS = [
  ['sgd', { momentum: 0.875, weightDecay: 0.125 }],
  ['adam', { globalClipNorm: 0.125 }],
  ['adamW', { weightDecay: 0.125 }],
  ['adagrad', { weightDecay: 0.125 }],
  ['adadelta', { learningRate: 4, epsilon: 0.0009765625 }],
  ['rmsprop', { centered: true, momentum: 0.875, learningRate: 0.0078125 }],
  ['adamax', { globalClipNorm: 0.125 }],
  ['nadam', { weightDecay: 0.125 }],
  ['lion', { learningRate: 0.0078125 }],
  ['ftrl', { learningRatePower: -0.75, l1RegularizationStrength: 0.0009765625 }],
  ['adam', { amsgrad: true }],
  ['rmsprop', { clipValue: 0.125 }],
];

const root = new URL('../../', import.meta.url);
const BATCH = 16;
const IN = 8;
const HIDDEN = 12;
const OUT = 3;
const STEPS = 60;

/**
 * Integers in, exact f32s out: -1 <= value < 1.
 * @param {number} i
 * @param {number} salt
 */
const number = (i, salt) => {
  const mixed = (Math.imul(i + 1, 2654435761) + Math.imul(salt, 40503)) >>> 0;
  return (((mixed >>> 16) & 0xffff) - 32768) / 32768;
};

/**
 * @param {number} count
 * @param {number} salt
 */
const numbers = (count, salt) => Float32Array.from({ length: count }, (_, i) => number(i, salt));

/**
 * @param {import('gradlock').Gradlock} g
 * @param {RuleName} rule
 * @param {object} options
 */
const train = (g, rule, options) => {
  const x = g.tensor(numbers(BATCH * IN, 1), [BATCH, IN]);
  const y = g.tensor(numbers(BATCH * OUT, 2), [BATCH, OUT]);
  const w1 = g.variable(numbers(IN * HIDDEN, 3), { shape: [IN, HIDDEN] });
  const b = g.variable(numbers(HIDDEN, 4), { shape: [HIDDEN] });
  const w2 = g.variable(numbers(HIDDEN * OUT, 5), { shape: [HIDDEN, OUT] });
  const loss = g.compile(() => {
    const hidden = g.tanh(g.add(g.matMul(x, w1), b));
    const error = g.sub(g.sigmoid(g.matMul(hidden, w2)), y);
    const softplus = g.log(g.add(1, g.exp(w2)));
    return g.add(g.mean(g.square(error)), g.mul(g.mean(softplus), 0.015625));
  });
  const variables = [w1, b, w2];
  const optimizer = g.optimizers[rule]({
    learningRate: 0.0625,
    ...options,
  });
  optimizer.minimize(loss, { variables, steps: STEPS / 3 });
  for (const round of [0, 1]) {
    for (const [k, variable] of variables.entries()) {
      variable.toggle(
        Uint8Array.from({ length: variable.size }, (_, i) =>
          Number(number(i, 10 + 3 * round + k) < 0),
        ),
      );
    }
    optimizer.minimize(loss, { variables, steps: STEPS / 3 });
  }
  return `digest ${rule} ${variables.map((v) => v.digest()).join(' ')}`;
};

/** @param {string} name */
const trainIn = async (name) => {
  const g = await init({ wasm: await readFile(new URL(`build/wasm/${name}`, root)) });
  return RUNS.map(([rule, options]) => train(g, rule, options));
};

/**
 * @param {import('../c/wasi.js').Outcome} outcome
 * @param {string} [word] What lines begin with.
 */
const digestsOf = ({ stdout }, word = 'digest') =>
  stdout.split('\n').filter((line) => line.startsWith(`${word} `));

/** @param {string} name */
const drawIn = async (name) => {
  const g = await init({ wasm: await readFile(new URL(`build/wasm/${name}`, root)) });
  const from = g.random(2 ** 40 + 3);
  const shape = [50001];
  const normal = g.randomNormal(shape, 0.25, 3, { seed: from.seed, step: 1 });
  /** @type {[string, () => { digest(): string }][]} */
  const draws = [
    ['uniform', () => from.uniform(shape, { minval: -0.1, maxval: 0.7 })],
    ['normal', () => from.normal(shape, { mean: 0.25, stddev: 3 })],
    ['truncatedNormal', () => from.truncatedNormal(shape)],
    ['bernoulli', () => from.bernoulli(shape, { p: 0.3 })],
    ['permutation', () => from.permutation(50001)],
  ];
  const digests = draws.map(([name, draw]) => `drawn ${name} ${draw().digest()}`);
  const program = g.compile(() => from.dropout(normal, 0.1));
  for (let i = 0; i < 3; i++) digests.push(`drawn dropout ${program.run().digest()}`);
  const orthogonal = g.initializers.orthogonal({ seed: from })([40, 30]);
  return [...digests, `drawn orthogonal ${orthogonal.digest()}`];
};

test('a training run ends on the same bytes in Emscripten, WASI and native builds', async () => {
  const program = fileURLToPath(new URL('build/tests/', root));
  const native = digestsOf(await run(`${program}native/test_digest`, {}));
  assert.equal(native.length, RUNS.length);
  const ends = new Set(native.map((line) => line.split(' ')[2]));
  assert.equal(ends.size, RUNS.length, 'rules end differently');
  assert.deepEqual(digestsOf(await runWasi(`${program}wasi/test_digest.wasm`)), native);
  assert.deepEqual(await trainIn('gradlock.wasm'), native);
  assert.deepEqual(await trainIn('gradlock.wasi.wasm'), native);
});

test('random draws have the same bytes in Emscripten, WASI and native builds', async () => {
  const program = fileURLToPath(new URL('build/tests/', root));
  const native = digestsOf(await run(`${program}native/test_digest`, {}), 'drawn');
  assert.equal(native.length, 9);
  assert.equal(new Set(native).size, 9, 'each draw is another');
  assert.deepEqual(digestsOf(await runWasi(`${program}wasi/test_digest.wasm`), 'drawn'), native);
  assert.deepEqual(await drawIn('gradlock.wasm'), native);
  assert.deepEqual(await drawIn('gradlock.wasi.wasm'), native);
});
