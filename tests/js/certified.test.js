/* Levenberg-Marquardt on data sets of the National Institute of Standards and Technology, whose solutions are certified to 11
 * digits: Statistical Reference Datasets, Nonlinear Regression (https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml).
 *
 * Residuals are f32: each comes out of some 8 roundings, so it is off by up to e = 8 2^-24 max|y|. Points are told apart by
 * their sums of squares, F, which that makes uncertain by |r| e; and F rises by 1/2 (s d)^2 where a parameter goes off by d
 * along the flattest direction, of singular value s. So d may be sqrt(2 |r| e) / s: below 1e-3 of a parameter for these
 * sets (Misra1a: |r| = 0.35, e = 4e-5, s = 5.9 per b1: 9e-4; the standard deviation certified for b1 is 1e-2). The errors
 * found are printed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { bitsOf } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const TOLERANCE = 1e-3;

/**
 * @typedef {object} Dataset
 * @property {string} name
 * @property {number[]} x
 * @property {number[]} y
 * @property {(g: Gradlock, b: Tensor[], x: Tensor) => Tensor} model
 * @property {number[][]} starts
 * @property {number[]} certified
 * @property {number} squares Certified residual sum of squares.
 */

/** @type {Dataset[]} */
const DATASETS = [
  {
    name: 'Misra1a',
    x: [
      77.6, 114.9, 141.1, 190.8, 239.9, 289, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760,
    ],
    y: [
      10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.4, 75.47,
      81.78,
    ],
    model: (g, [b1, b2], x) => g.mul(b1, g.sub(1, g.exp(g.neg(g.mul(b2, x))))),
    starts: [
      [500, 0.0001],
      [250, 0.0005],
    ],
    certified: [2.3894212918e2, 5.5015643181e-4],
    squares: 1.2455138894e-1,
  },
  {
    name: 'DanWood',
    x: [1.309, 1.471, 1.49, 1.565, 1.611, 1.68],
    y: [2.138, 3.421, 3.597, 4.34, 4.882, 5.66],
    model: (g, [b1, b2], x) => g.mul(b1, g.pow(x, b2)),
    starts: [
      [1, 5],
      [0.7, 4],
    ],
    certified: [7.6886226176e-1, 3.8604055871],
    squares: 4.3173084083e-3,
  },
  {
    name: 'MGH09',
    x: [4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625],
    y: [0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246],
    model: (g, [b1, b2, b3, b4], x) => {
      const squared = g.square(x);
      const below = g.add(g.add(squared, g.mul(x, b3)), b4);
      return g.div(g.mul(b1, g.add(squared, g.mul(x, b2))), below);
    },
    starts: [[0.25, 0.39, 0.415, 0.39]],
    certified: [1.9280693458e-1, 1.9128232873e-1, 1.2305650693e-1, 1.3606233068e-1],
    squares: 3.0750560385e-4,
  },
];

/**
 * @param {Dataset} set
 * @param {number[]} start
 * @param {number[]} locked
 */
const fit = async ({ x, y, model }, start, locked) => {
  const g = await init();
  const b = g.variable(start);
  const at = g.tensor(x);
  const seen = g.tensor(y);
  b.lock(locked);
  const held = bitsOf(b.data());
  const residuals = g.compile(() =>
    g.sub(
      seen,
      model(
        g,
        start.map((_, i) => g.slice(b, [i], [1])),
        at,
      ),
    ),
  );
  const optimizer = g.optimizers.levenbergMarquardt();
  const loss = optimizer.minimize(residuals, { variables: [b], steps: 500 });
  const end = bitsOf(b.data());
  for (const i of locked) assert.equal(end[i], held[i]);
  return { found: [...b.data()], loss, steps: optimizer.iterations, reason: optimizer.stopReason };
};

for (const set of DATASETS) {
  const { name, certified, squares, starts } = set;
  test(`${name}: the certified parameters are found, from every start and with any of them locked`, async (t) => {
    const runs = starts.map((start) => ({ start, locked: /** @type {number[]} */ ([]) }));
    for (const i of certified.keys()) {
      const start = starts[0].slice();
      start[i] = certified[i];
      runs.push({ start, locked: [i] });
    }
    for (const { start, locked } of runs) {
      const { found, loss, steps, reason } = await fit(set, start, locked);
      const errors = found.map((value, i) => Math.abs(value / certified[i] - 1));
      const largest = Math.max(...errors);
      t.diagnostic(
        `${name} from ${start.join(', ')} with ${locked.length ? `b${locked[0] + 1}` : 'none'} locked: ` +
          `${steps} steps, error ${largest.toExponential(1)}, ${reason}`,
      );
      assert.ok(largest < TOLERANCE, `parameters ${found.join(', ')}`);
      assert.ok(Math.abs((2 * loss) / squares - 1) < 1e-4, `sum of squares ${2 * loss}`);
      assert.notEqual(reason, 'steps');
    }
  });
}
