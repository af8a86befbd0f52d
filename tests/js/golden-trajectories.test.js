/* 1,000 steps of every rule beside Keras 3 and Optax (tests/golden/trajectories.py), which compute
 * in f32, and beside PyTorch in f64 (tests/golden/pytorch.py); and the reference (reference.js)
 * beside all of them. Tolerances: trajectories.js. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { floats, printTable, readGolden } from '../golden/golden.js';
import { isLacking } from './reference.js';
import { RULES } from './rules.js';
import { play, toleranceOf } from './trajectories.js';

const FILES = ['trajectories.json', 'pytorch.json'].map(readGolden);

/**
 * Largest errors, relative to the largest |x| of the element: between gradlock and the peer, and of
 * both beside the truth.
 * @typedef {{ runs: number, apart: number, share: number, own: number, theirs: number }} Row
 */
/** @type {Map<string, Row>} */
const table = new Map();

for (const golden of FILES) {
  for (const run of golden.runs) {
    const { source, rule, options, how = {}, ownError = 0 } = run;
    const text = JSON.stringify({ ...options, ...how }).replaceAll('"', '');
    test(`${rule} ${text}: 1,000 steps follow ${source}`, async () => {
      const key = `${rule}, ${source}`;
      const row = table.get(key) ?? { runs: 0, apart: 0, share: 0, own: 0, theirs: 0 };
      table.set(key, row);
      row.runs++;
      // PyTorch computed these in f64, and said how far its f32 is off.
      const sides = source === 'pytorch' ? 0 : 1;
      row.theirs = Math.max(row.theirs, ownError);
      // Its clip_grad_norm_ divides by norm + 1e-6, and norms are above the limit where they clip.
      const relative = source === 'pytorch' && how.clipNorm ? 1e-6 / how.clipNorm : 0;
      await play(golden, run, (seen) => {
        const snapshot = run.snapshots[golden.steps.indexOf(seen.step)];
        if (!snapshot) return;
        const allowed = toleranceOf(seen, sides === 0 ? 1 : 2, relative);
        const allowedTruth = toleranceOf(seen, sides, relative);
        for (const [i, values] of seen.values.entries()) {
          const want = floats(snapshot[i]);
          for (const [k, value] of values.entries()) {
            const truth = seen.truth[i][k];
            const [apart, theirs] = [value, truth].map((other) => Math.abs(other - want[k]));
            const where = `step ${seen.step}, variable ${i}, element ${k}`;
            const limit = allowed(i, k);
            assert.ok(apart <= limit, `${where}: ${value}, expected ${want[k]} ± ${limit}`);
            assert.ok(theirs <= allowedTruth(i, k), `${where}: the reference has ${truth}`);
            const largest = seen.largest[i][k];
            row.apart = Math.max(row.apart, apart / largest);
            row.share = Math.max(row.share, apart / limit);
            row.own = Math.max(row.own, Math.abs(value - truth) / largest);
            if (sides) row.theirs = Math.max(row.theirs, theirs / largest);
          }
        }
      });
    });
  }
}

test('every rule has a trajectory of Keras and one of PyTorch, or the reference says that there is no such rule', () => {
  const [keras, pytorch] = FILES.map(
    ({ runs }) => new Set(runs.map((/** @type {{ rule: string }} */ { rule }) => rule)),
  );
  for (const name of RULES) {
    assert.equal(keras.has(name), !isLacking(name, 'keras'), `${name} in Keras`);
    assert.equal(pytorch.has(name), !isLacking(name, 'pytorch'), `${name} in PyTorch`);
  }
});

test('where Keras ends in NaN or refuses, as docs/differences.md says, gradlock steps', async () => {
  const { surprises } = FILES[0];
  const g = await init();
  /** @param {any} optimizer @param {number[]} gradient @param {number} steps */
  const stepsOf = (optimizer, gradient, steps) => {
    const x = g.variable([1, 2]);
    for (let i = 0; i < steps; i++) optimizer.applyGradients([[gradient, x]]);
    return Array.from(x.data());
  };
  assert.deepEqual(surprises['ftrl with rate 0'], ['NaN', 'NaN']);
  assert.deepEqual(stepsOf(g.optimizers.ftrl({ learningRate: 0 }), [1, 0.5], 1), [1, 2]);
  assert.deepEqual(surprises['rmsprop centered on constant gradients'], ['NaN', 'NaN']);
  const centered = g.optimizers.rmsprop({ rho: 0.8, centered: true });
  assert.ok(stepsOf(centered, [1e4 / 3, 7.7], 200).every(Number.isFinite));
  assert.match(surprises['lion with beta1 0'], /beta_1/);
  const lion = g.optimizers.lion({ beta1: 0, learningRate: 0.5 });
  assert.deepEqual(stepsOf(lion, [3, -0.1], 2), [0, 3]);
});

after(() => {
  /** @param {number} value */
  const digits = (value) => (value === 0 ? 'same bits' : value.toExponential(1));
  printTable(
    'Largest errors over 1,000 steps, relative to the largest |x|: between gradlock and the peer, what of the tolerance that\n' +
      'is, and how far gradlock and the peer in f32 are off a reference in double:',
    ['rule, peer', 'runs', 'apart', 'share', 'gradlock', 'peer'],
    [...table].map(([key, { runs, apart, share, own, theirs }]) => [
      key,
      String(runs),
      digits(apart),
      `${(100 * share).toFixed(1)} %`,
      digits(own),
      digits(theirs),
    ]),
  );
});
