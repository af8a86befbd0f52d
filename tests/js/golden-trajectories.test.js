/* 1,000 steps of every rule beside Keras 3 and Optax (tests/golden/trajectories.py), which compute in f32, and beside
 * PyTorch in f64 (tests/golden/pytorch.py); and a table of the largest errors. Tolerances: trajectories.js. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { floats, printTable, readGolden } from '../golden/golden.js';
import { play, toleranceOf } from './trajectories.js';

const FILES = ['trajectories.json', 'pytorch.json'].map(readGolden);

/** @type {Map<string, { runs: number, error: number, share: number, own: number }>} */
const table = new Map();

for (const golden of FILES) {
  const T = Math.max(...golden.steps);
  for (const run of golden.runs) {
    const { source, rule, options, how = {}, ownError = Number.NaN } = run;
    const text = JSON.stringify({ ...options, ...how }).replaceAll('"', '');
    test(`${rule} ${text}: 1,000 steps follow ${source}`, async () => {
      const key = `${rule}, ${source}`;
      const row = table.get(key) ?? { runs: 0, error: 0, share: 0, own: ownError };
      table.set(key, row);
      row.runs++;
      row.own = Math.max(row.own, ownError);
      await play(golden, run, (seen) => {
        const snapshot = run.snapshots[golden.steps.indexOf(seen.step)];
        if (!snapshot) return;
        const allowed = toleranceOf(seen, T, source === 'pytorch' ? 1 : 2);
        for (const [i, values] of seen.values.entries()) {
          const want = floats(snapshot[i]);
          for (const [k, value] of values.entries()) {
            const error = Math.abs(value - want[k]);
            const tolerance = allowed(i, k);
            const where = `step ${seen.step}, variable ${i}, element ${k}`;
            assert.ok(error <= tolerance, `${where}: ${value}, expected ${want[k]} ± ${tolerance}`);
            row.error = Math.max(row.error, error / seen.largest[i][k]);
            row.share = Math.max(row.share, error / tolerance);
          }
        }
      });
    });
  }
}

test('every rule has a trajectory, and those of PyTorch have one there', async () => {
  const g = await init();
  const [rules, torch] = FILES.map(
    ({ runs }) => new Set(runs.map((/** @type {{ rule: string }} */ { rule }) => rule)),
  );
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(g.optimizers))) {
    const isRule = !['constructor', 'lbfgs', 'levenbergMarquardt'].includes(name);
    assert.equal(rules.has(name), isRule, name);
    assert.equal(torch.has(name), isRule && !['lion', 'ftrl'].includes(name), name);
  }
});

after(() => {
  /** @param {number} value */
  const digits = (value) => (value === 0 ? 'same bits' : value.toExponential(1));
  printTable(
    'Largest error over 1,000 steps, relative to the largest |x|, and its share of the tolerance; what the peer in f32 is off itself:',
    ['rule, peer', 'runs', 'error', 'share', "peer's own"],
    [...table].map(([key, { runs, error, share, own }]) => [
      key,
      String(runs),
      digits(error),
      `${(100 * share).toFixed(1)} %`,
      Number.isNaN(own) ? '' : digits(own),
    ]),
  );
});
