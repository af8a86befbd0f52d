/* 1,000 steps of every rule beside Keras 3 and Optax (tests/golden/trajectories.py), and a table of the largest errors.
 *
 * Tolerance: a step rounds x once, at most half a unit of |x|, on either side: T steps may part by T max|x| 2^-23 / 2
 * each. What a step adds differs by some roundings of the step itself and by the relative error of the averages that it
 * is made of. An average of decay b forgets an error at the rate 1 - b while it takes up a few roundings a step, so it is
 * right to a few 2^-24 / (1 - b); so are 1 - b^t in Keras's f32, whose b is rounded before it is subtracted from 1. The
 * sums of AdaGrad and FTRL forget nothing: b is 1 - 1/T. Times the length of the path, that is the second term. FTRL's x
 * is made anew from its sum z, whose terms are gradients and sigma x: both bounds are as large as its steps. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { Draws, floats, readGolden, UNIT } from '../golden/golden.js';

const golden = readGolden('trajectories.json');
/** @type {number[][]} */
const shapes = golden.shapes;
const steps = /** @type {number[]} */ (golden.steps);
const T = /** @type {number} */ (steps.at(-1));

/** @type {Map<string, { runs: number, error: number, share: number }>} */
const table = new Map();

/** The slowest decay of a run's averages. @param {any} optimizer */
const slowestDecay = (optimizer) => {
  if (optimizer.rule === 'adagrad' || optimizer.rule === 'ftrl') return 1 - 1 / T;
  return Math.max(...['momentum', 'beta1', 'beta2', 'rho'].map((name) => optimizer[name] ?? 0));
};

for (const { source, rule, options, snapshots } of golden.runs) {
  test(`${rule} ${JSON.stringify(options)}: 1,000 steps follow ${source}`, async () => {
    const g = await init();
    const draws = new Draws(golden.seed);
    const starts = shapes.map((shape) => draws.array(shape));
    const variables = starts.map((values, i) => g.variable(values, { shape: shapes[i] }));
    const optimizer = /** @type {any} */ (g.optimizers)[rule](options);
    const factor = 8 / (1 - slowestDecay(optimizer));
    /** @type {Float32Array[]} */
    let before = starts;
    const paths = starts.map((values) => new Float64Array(values.length));
    const largest = starts.map((values) => Float64Array.from(values, Math.abs));
    const key = `${rule}, ${source}`;
    const row = table.get(key) ?? { runs: 0, error: 0, share: 0 };
    table.set(key, { ...row, runs: row.runs + 1 });
    for (let t = 1; t <= T; t++) {
      optimizer.applyGradients(
        variables
          .map((x, i) => [draws.array(shapes[i]), x])
          .map(([values, x]) => [
            g.tensor(/** @type {Float32Array} */ (values), /** @type {any} */ (x).shape),
            x,
          ]),
      );
      const now = variables.map((x) => x.data());
      for (const [i, values] of now.entries()) {
        for (const [k, value] of values.entries()) {
          paths[i][k] += Math.abs(value - before[i][k]);
          largest[i][k] = Math.max(largest[i][k], Math.abs(value));
        }
      }
      before = now;
      const snapshot = snapshots[steps.indexOf(t)];
      if (!snapshot) continue;
      for (const [i, values] of now.entries()) {
        const want = floats(snapshot[i]);
        for (const [k, value] of values.entries()) {
          const error = Math.abs(value - want[k]);
          const tolerance = UNIT * (2 * t * largest[i][k] + factor * paths[i][k]);
          const where = `step ${t}, variable ${i}, element ${k}`;
          assert.ok(error <= tolerance, `${where}: ${value}, expected ${want[k]} ± ${tolerance}`);
          const entry = /** @type {typeof row} */ (table.get(key));
          entry.error = Math.max(entry.error, error / largest[i][k]);
          entry.share = Math.max(entry.share, error / tolerance);
        }
      }
    }
    g.dispose();
  });
}

test('every rule has a trajectory', async () => {
  const g = await init();
  const rules = new Set(golden.runs.map((/** @type {{ rule: string }} */ { rule }) => rule));
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(g.optimizers))) {
    const isRule = !['constructor', 'lbfgs', 'levenbergMarquardt'].includes(name);
    assert.equal(rules.has(name), isRule, name);
  }
});

after(() => {
  console.log(
    'Largest error over 1,000 steps, relative to the largest |x|, and its share of the tolerance:',
  );
  for (const [key, { runs, error, share }] of table) {
    const size = error === 0 ? 'same bits' : error.toExponential(1);
    console.log(
      `  ${key.padEnd(16)} ${runs} runs  ${size.padEnd(9)}  ${(100 * share).toFixed(1)} %`,
    );
  }
});
