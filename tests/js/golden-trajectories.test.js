/* Tier: test. */
/* 1,000 steps of every rule beside Keras 3 (tests/golden/trajectories.py), which computes in
 * f32; and the reference (reference.js) beside both. Tolerances: trajectories.js. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { floats, printTable, readGolden } from '../golden/golden.js';
import { isLacking } from './reference.js';
import { RULES } from './rules.js';
import { play, toleranceOf } from './trajectories.js';

const golden = readGolden('trajectories.json');

/**
 * Largest errors, relative to the largest |x| of the element: between gradlock and Keras, and of
 * both beside the truth.
 * @typedef {{ runs: number, apart: number, share: number, own: number, theirs: number }} Row
 */
/** @type {Map<string, Row>} */
const table = new Map();

for (const run of golden.runs) {
  const { rule, options } = run;
  test(`${rule} ${JSON.stringify(options).replaceAll('"', '')}: 1,000 steps follow Keras`, async () => {
    const row = table.get(rule) ?? { runs: 0, apart: 0, share: 0, own: 0, theirs: 0 };
    table.set(rule, row);
    row.runs++;
    await play(golden, run, (seen) => {
      const snapshot = run.snapshots[golden.steps.indexOf(seen.step)];
      if (!snapshot) return;
      const allowed = toleranceOf(seen, 2);
      const allowedTruth = toleranceOf(seen, 1);
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
          row.theirs = Math.max(row.theirs, theirs / largest);
        }
      }
    });
  });
}

test('every rule has a trajectory of Keras, or the reference says that there is no such rule', () => {
  const ruled = new Set(golden.runs.map((/** @type {{ rule: string }} */ { rule }) => rule));
  for (const name of RULES) {
    const mend =
      'add a run to tests/golden/trajectories.py, or the name to LACKING in reference.js';
    assert.equal(ruled.has(name), !isLacking(name, 'keras'), `${name}: ${mend}, not both`);
  }
});

test('rules step where Keras ends in NaN or refuses, as docs/differences.md says', async () => {
  const { surprises } = golden;
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
    'Largest errors over 1,000 steps, relative to the largest |x|: between gradlock and Keras, what of the tolerance that\n' +
      'is, and how far gradlock and Keras are off a reference in double:',
    ['rule', 'runs', 'apart', 'share', 'gradlock', 'Keras'],
    [...table].map(([rule, { runs, apart, share, own, theirs }]) => [
      rule,
      String(runs),
      digits(apart),
      `${(100 * share).toFixed(1)} %`,
      digits(own),
      digits(theirs),
    ]),
  );
});
