/* Tier: test. Precisions: f32, f64. */
/* Training under constraints beside Keras where nothing is locked, and beside equations in f64
 * where elements are (law 10): constraints.json, written by tests/golden/constraints.py, which also
 * says how far a side in f32 may be off. Keras is a second one. The compiled loop is held to the
 * same bits as steps with given gradients. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { Draws, floats, printTable, readGolden, sameBits } from '../golden/golden.js';

const golden = readGolden('constraints.json');
const STEPS = Math.max(...golden.steps);

/** @type {Map<string, { runs: number, off: number, share: number }>} */
const table = new Map();

/**
 * Free values are in their box, norms over the axes as the constraint says, to `slack`.
 * @param {any} g @param {any} x @param {Record<string, any>} constraint @param {number} slack
 * @param {Uint8Array} masks
 */
const assertMet = (g, x, constraint, slack, masks) => {
  const { min = -Infinity, max = Infinity, maxNorm, minNorm = 0, axis = 0 } = constraint;
  if (maxNorm === undefined && !constraint.unitNorm) {
    const low = constraint.nonNegative ? 0 : min;
    const data = x.data();
    for (const [i, value] of data.entries()) assert.ok(masks[i] || (value >= low && value <= max));
    return;
  }
  const frees = g
    .any(
      g.tensor(
        Float32Array.from(masks, (m) => 1 - m),
        x.shape,
      ),
      axis,
    )
    .data();
  for (const [i, norm] of g.l2Norm(x, axis).data().entries()) {
    const limit = maxNorm ?? 1;
    const least = maxNorm === undefined ? limit : minNorm;
    const isMet = norm <= limit + slack && norm >= least - slack;
    assert.ok(!frees[i] || isMet, `norm ${norm} of group ${i}`);
  }
};

for (const { rule, options, shape, constraint, locks, masks, bounds, snapshots } of golden.runs) {
  const source = locks === 'none' ? 'Keras' : 'the equations in f64';
  const text = `${JSON.stringify(constraint)} on [${shape}], locks ${locks}`.replaceAll('"', '');
  test(`${rule} under ${text}: ${STEPS} steps follow ${source}`, async () => {
    const g = await init();
    const draws = new Draws(golden.seed);
    const start = draws.array(shape).map((value) => value / 4);
    const toggles = new Map(masks);
    const both = ['given', 'compiled'].map(() => {
      const x = g.variable(start, { shape });
      return {
        x,
        optimizer: /** @type {any} */ (g.optimizers)[rule](options).constrain(x, constraint),
      };
    });
    const [{ x }, { x: y }] = both;
    const gradient = g.variable(start, { shape, trainable: false });
    const loss = g.compile(() => g.sum(g.mul(y, gradient)));
    let mask = new Uint8Array(start.length);
    for (let step = 1; step <= STEPS; step++) {
      const toggled = toggles.get(step);
      if (toggled) {
        mask = Uint8Array.from(/** @type {string} */ (toggled), Number);
        for (const { x: one } of both) one.unlock('all').lock(mask);
      }
      const before = x.data();
      const drawn = draws.array(shape);
      both[0].optimizer.applyGradients([[g.tensor(drawn, shape), x]]);
      gradient.assign(drawn);
      both[1].optimizer.minimize(loss);
      const now = x.data();
      assert.ok(sameBits(now, y.data()), `step ${step}: the compiled loop differs`);
      const at = [...mask.keys()].filter((i) => mask[i]);
      const held = (/** @type {Float32Array} */ all) => Float32Array.from(at, (i) => all[i]);
      assert.ok(sameBits(held(now), held(before)), `step ${step}: a locked element moved`);
      // What the roundings of a projection leave, and its epsilon of 1e-7 beside norms that are
      // above 2^-11 here.
      g.tidy(() => assertMet(g, x, constraint, 2 ** -12, mask));
      const index = golden.steps.indexOf(step);
      if (index < 0) continue;
      const limit = bounds[index] * (locks === 'none' ? 2 : 1);
      const want = floats(snapshots[index]);
      const off = want.reduce((worst, value, i) => Math.max(worst, Math.abs(value - now[i])), 0);
      assert.ok(
        off <= limit,
        `step ${step}: off by ${off}, expected ${limit}: ${now}, not ${want}`,
      );
      const key = `${Object.keys(constraint)[0]}, locks ${locks}`;
      const row = table.get(key) ?? { runs: 0, off: 0, share: 0 };
      table.set(key, {
        runs: row.runs + Number(index === 0),
        off: Math.max(row.off, off),
        share: Math.max(row.share, off / limit),
      });
    }
    g.dispose();
  });
}

after(() => {
  printTable(
    `${STEPS} steps under constraints: the largest error, and the largest share of its tolerance:`,
    ['constraint', 'runs', 'error', 'share'],
    [...table].map(([key, { runs, off, share }]) => [
      key,
      String(runs),
      off.toExponential(1),
      `${(100 * share).toFixed(1)} %`,
    ]),
  );
});
