/* What optimizers do beside their rule, as Keras 3 does it: moving averages and writing them
 * back, gradients that are accumulated, weight decay that leaves a variable out. driver.json was
 * written by tests/golden/driver.py.
 *
 * SGD is the same f32 expressions on both sides, so its bits are equal; but for
 * - a clip norm, which sums n squares in another order: (n/2 + 4)u of every step, u = 2^-24, and
 *   4u of the weight;
 * - averages of calls that take no step, where x is its own average: Keras adds momentum x and
 *   (1 - momentum) x, 3 roundings a call, and with overwriting they reach the weights;
 * - constraints on norms: the factor of each projection, as for a clip norm;
 * - Adam's bias correction: Keras raises the f32 nearest to beta to the t-th power in f32,
 *   gradlock uses f64. The power is off by t |f32(beta) - beta| beta^(t - 1) and 2u, 1 - beta^t
 *   relatively by that / (1 - beta^t): for beta2 = 0.999 at t = 1, through the root, below
 *   1.4e-4 of a step; and a step is at most about the rate. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { Draws, floats, readGolden, sameBits, UNIT } from '../golden/golden.js';

const golden = readGolden('driver.json');

/** @param {{ rule: string, options: Record<string, any> }} run */
const toleranceOf = ({ rule, options }) => {
  const calls = Math.max(...golden.steps);
  const roundings = calls * 4 * UNIT * 8; // weights stay below 8
  if (rule === 'adam') return roundings + calls * 1.4e-4 * options.learningRate;
  if (options.clipNorm || options.constraint?.axis === 0) return roundings;
  return options.gradientAccumulationSteps && options.useEma ? roundings : 0;
};

for (const run of golden.runs) {
  const { rule, options } = run;
  const text = JSON.stringify(options).replaceAll('"', '');
  test(`${rule} ${text}: ${Math.max(...golden.steps)} calls follow Keras`, async () => {
    const g = await init();
    const draws = new Draws(golden.seed);
    /** @type {number[][]} */
    const shapes = golden.shapes;
    const names = ['kernel', 'bias'];
    const variables = shapes.map((shape, i) =>
      g.variable(draws.array(shape), { shape, name: names[i] }),
    );
    const { exclude, constraint, ...own } = options;
    const optimizer = /** @type {any} */ (g.optimizers)[rule](own);
    if (exclude) optimizer.excludeFromWeightDecay('bias');
    if (constraint) optimizer.constrain(variables, constraint);
    const tolerance = toleranceOf(run);
    for (let call = 1; call <= Math.max(...golden.steps); call++) {
      optimizer.applyGradients(
        variables.map((x, i) => [g.tensor(draws.array(shapes[i]), shapes[i]), x]),
      );
      const at = golden.steps.indexOf(call);
      if (at < 0) continue;
      for (const [i, x] of variables.entries()) {
        const got = [x.data(), optimizer.average(x)];
        for (const [k, values] of got.entries()) {
          const want = floats(run.snapshots[at][i][k]);
          const what = `${k ? 'average' : 'weights'} of '${x.name}' after call ${call}`;
          if (tolerance === 0) {
            assert.ok(sameBits(values, want), `${what}: ${values}, Keras ${want}`);
          } else {
            const worst = Math.max(...want.map((value, j) => Math.abs(value - values[j])));
            assert.ok(worst <= tolerance, `${what}: off by ${worst}, expected ${tolerance}`);
          }
        }
      }
    }
    assert.equal(optimizer.iterations, run.iterations);
  });
}
