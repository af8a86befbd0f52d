/* Losses beside Keras over all of their options, shapes and edge values: tests/golden/losses.json,
 * written by losses.py.
 *
 * Keras computed in f64 and rounded once; in f32 where a probability meets the clipping, at numbers
 * that are f32's own. Each value is a sum of n terms, each of them a chain of operations on the
 * operands: differences and products, rounded once, u = 2^-24; a sum of a row (of probabilities,
 * squares or exponentials), up to n u; exp, log and rsqrt, which are right to 2 ulp, 4 u; and at
 * most 8 more of one rounding (smoothing, clipping, means, the upstream gradient). The same of a
 * gradient. So an error is at most (2 n + 16) u times the terms' magnitudes, which the file says
 * (`scales`, see losses.py), n the size of the longest sum; below the normal numbers, a unit of
 * these. Keras in f32 may be off by as much once more. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { Draws, floats, printTable, readGolden, sameBits, UNIT } from '../golden/golden.js';

/** @typedef {(number | string)[]} Values */
/**
 * @typedef {{ loss: string, inputs: string, options: Record<string, any>, weights?: number[], f32?:
 *   boolean, shape: number[], value: Values, gradient: Values, scales: [number[], number[]] }} Case
 */

const golden = readGolden('losses.json');

/** @type {Map<string, { cases: number, share: number, what: string }>} */
const table = new Map();

/**
 * @param {Float32Array} got @param {Float32Array} want @param {number[]} scales @param {number}
 *   roundings
 * @param {string} what
 */
const largestShare = (got, want, scales, roundings, what) => {
  assert.equal(got.length, want.length, `${what}: number of elements`);
  let share = 0;
  for (const [i, value] of want.entries()) {
    if (Object.is(got[i], value)) continue;
    const limit = roundings * (UNIT * scales[i] + 2 ** -149);
    const off = Math.abs(got[i] - value);
    assert.ok(off <= limit, `${what}, element ${i}: ${got[i]}, Keras ${value} ± ${limit}`);
    share = Math.max(share, off / limit);
  }
  return share;
};

/** @param {import('gradlock').Gradlock} g @param {Case} row */
const check = (g, row) => {
  const { loss, options, weights, shape } = row;
  const [truth, prediction] = golden.inputs[row.inputs].map(
    (/** @type {[number[], Values]} */ [dims, values]) => ({ dims, values: floats(values) }),
  );
  const y = g.tensor(truth.values, truth.dims);
  const p = g.variable(prediction.values, { shape: prediction.dims });
  const apply = () => {
    const losses = /** @type {any} */ (g.losses);
    if (!weights) return losses[loss](y, p, options);
    // Keras's sample_weight, for which there is `reduction: 'none'`.
    const each = g.mul(losses[loss](y, p, { ...options, reduction: 'none' }), weights);
    if (options.reduction === 'none') return each;
    return options.reduction === 'sum' ? g.sum(each) : g.mean(each);
  };
  const value = apply();
  assert.deepEqual([...value.shape], shape);
  const program = g.compile(apply);
  assert.ok(sameBits(program.run().data(), value.data()), 'compiled, the value has the same bits');

  const upstream = g.tensor(new Draws(41).array(shape), shape);
  const { grads } = g.valueAndGrad(() => g.sum(g.mul(apply(), upstream)), [p]);
  const longest = Math.max(truth.values.length, prediction.values.length);
  const roundings = (2 * longest + 16) * (row.f32 ? 2 : 1);
  const shares = [
    largestShare(value.data(), floats(row.value), row.scales[0], roundings, 'value'),
    largestShare(grads[0].data(), floats(row.gradient), row.scales[1], roundings, 'gradient'),
  ];
  const found = table.get(loss) ?? { cases: 0, share: 0, what: '' };
  const share = Math.max(...shares);
  if (share > found.share) found.what = `${row.inputs} ${JSON.stringify(options)}`;
  table.set(loss, { ...found, cases: found.cases + 1, share: Math.max(share, found.share) });
};

/** @type {Map<string, Case[]>} */
const byLoss = new Map();
for (const row of golden.cases) byLoss.set(row.loss, [...(byLoss.get(row.loss) ?? []), row]);

for (const [loss, rows] of byLoss) {
  test(`losses.${loss} over all options and its gradient are Keras's`, async (t) => {
    const g = await init();
    for (const row of rows) {
      const weighted = row.weights ? `, samples weighted by ${row.weights}` : '';
      const options = JSON.stringify(row.options).replaceAll('"', '');
      await t.test(`${row.inputs} ${options}${weighted}`, () => g.tidy(() => check(g, row)));
    }
    g.dispose();
  });
}

test('every loss is compared, with every option that it has', async () => {
  const g = await init();
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(g.losses));
  assert.deepEqual([...byLoss.keys()].sort(), names.filter((n) => n !== 'constructor').sort());
  for (const [loss, rows] of byLoss) {
    const given = new Set(rows.flatMap(({ options }) => Object.keys(options)));
    /** @type {any} */
    const nothing = { nothing: 1 };
    assert.throws(
      () => /** @type {any} */ (g.losses)[loss](1, 1, nothing),
      (error) => {
        const known = String(error).split(/, |they have |it has /);
        for (const option of ['delta', 'axis', 'fromLogits', 'labelSmoothing', 'reduction']) {
          assert.equal(
            given.has(option),
            known.some((word) => word.includes(option)),
            `${loss}: ${error}`,
          );
        }
        return true;
      },
    );
  }
  g.dispose();
});

after(() => {
  printTable(
    "Losses beside Keras: the largest error's share of its tolerance, and where that is:",
    ['loss', 'cases', 'share', 'where'],
    [...table].map(([loss, { cases, share, what }]) => [
      loss,
      String(cases),
      `${(100 * share).toFixed(1)} %`,
      what,
    ]),
  );
});
