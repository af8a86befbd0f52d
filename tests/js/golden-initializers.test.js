/* Initializers beside Keras: initializers.json, written by tests/golden/initializers.py. What is
 * deterministic is exact: the ranges that Keras's layers ask for, constants. What is random is
 * compared as distributions, with fixed seeds, so that a test passes always or never; were it an
 * accident, one of chance 1e-6 each:
 * - Kolmogorov and Smirnov: n numbers are off the distribution by more than c / sqrt(n) with chance
 *   2 exp(-2 c^2), and off m others by more than c sqrt(1 / n + 1 / m); c = 2.7 (Massart 1990);
 * - the mean by more than 5 sigma / sqrt(n); the variance by more than 5 sqrt((kurtosis - 1) / n)
 *   of it, where no kurtosis here exceeds a normal's, 3.
 * Q of an orthogonal matrix is rounded once, u = 2^-24, and once more when it is multiplied by the
 * gain: products of its columns are off by 2 times 2 u gain^2, since columns have length 1. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { floats, printTable, readGolden, sameBits, UNIT } from '../golden/golden.js';

/** @typedef {'uniform' | 'normal' | 'truncatedNormal'} Draw */
/** @typedef {[Draw, number, number]} Asked */

const golden = readGolden('initializers.json');

test("initializers draw from the ranges that Keras's layers ask for, and for odd ranks", async () => {
  const g = await init();
  const layers = new Set();
  for (const { layer, initializer, shape, asked } of golden.layers) {
    layers.add(layer);
    const [kind, first, second] = /** @type {Asked} */ (asked);
    const got = /** @type {any} */ (g.initializers)[initializer]({ seed: 3 })(shape);
    const isRange = kind === 'uniform';
    const options = isRange ? { minval: first, maxval: second } : { mean: first, stddev: second };
    const want = g.random(3)[kind](shape, options);
    assert.equal(got.digest(), want.digest(), `${initializer} of ${layer}'s kernel [${shape}]`);
  }
  assert.equal(layers.size, 9);
  g.dispose();
});

test('constant initializers give the bits of Keras', async () => {
  const g = await init();
  for (const { initializer, args, shape, values } of golden.constants) {
    const got = /** @type {any} */ (g.initializers)[initializer](...args)(shape);
    assert.deepEqual(got.shape, shape);
    assert.ok(sameBits(got.data(), floats(values)), `${initializer}(${args}) of [${shape}]`);
  }
  g.dispose();
});

/** P(Z < z), to 1e-7: Abramowitz & Stegun 7.1.26. @param {number} z */
const normalBelow = (z) => {
  const t = 1 / (1 + (0.3275911 * Math.abs(z)) / Math.SQRT2);
  const terms = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const tail = terms.reduce((sum, a) => (sum + a) * t, 0) * Math.exp((-z * z) / 2);
  return z < 0 ? tail / 2 : 1 - tail / 2;
};

/** Distribution, mean and variance of what was asked for. @param {Asked} asked */
const lawOf = ([kind, first, second]) => {
  if (kind === 'uniform') {
    const width = second - first;
    const below = (/** @type {number} */ x) => Math.min(1, Math.max(0, (x - first) / width));
    return { below, mean: (first + second) / 2, variance: width ** 2 / 12, range: [first, second] };
  }
  const cut = kind === 'truncatedNormal' ? 2 : Infinity;
  const whole = 1 - 2 * normalBelow(-cut);
  // What is left of a normal's variance between two of its deviations on either side: 1 - 2 z
  // phi(z) / whole.
  const density = Math.exp(-2) / Math.sqrt(2 * Math.PI);
  return {
    below: (/** @type {number} */ x) => {
      const z = (x - first) / second;
      return Math.min(1, Math.max(0, (normalBelow(z) - normalBelow(-cut)) / whole));
    },
    mean: first,
    variance: second ** 2 * (cut === 2 ? 1 - (4 * density) / whole : 1),
    range: [first - cut * second, first + cut * second],
  };
};

/** @type {string[][]} */
const table = [];

for (const { initializer, shape, asked, quantiles, range } of golden.distributions) {
  test(`${initializer}'s numbers are distributed as Keras says, and as its own are`, async () => {
    const g = await init();
    const seeded = /** @type {any} */ (g.initializers)[initializer]({ seed: 20261128 });
    const values = Float64Array.from(seeded(shape).data()).sort();
    const n = values.length;
    const { below, mean, variance, range: bounds } = lawOf(asked);
    assert.ok(
      values[0] >= bounds[0] && values[n - 1] <= bounds[1],
      `${values[0]}, ${values[n - 1]}`,
    );
    assert.ok(range[0] >= bounds[0] - 4 * UNIT && range[1] <= bounds[1] + 4 * UNIT, "Keras's too");
    let apart = 0;
    for (const [i, value] of values.entries()) {
      const at = below(value);
      apart = Math.max(apart, Math.abs(at - i / n), Math.abs(at - (i + 1) / n));
    }
    const limit = 2.7 / Math.sqrt(n) + 2e-7; // and the formula's own error
    assert.ok(apart < limit, `off its distribution by ${apart}, expected less than ${limit}`);

    const probabilities = floats(quantiles).map(
      (quantile) => values.filter((value) => value < quantile).length / n,
    );
    const between = Math.max(...probabilities.map((p, k) => Math.abs(p - (k + 1) / 32)));
    const most = 2.7 * Math.sqrt(2 / n) + 1 / n;
    assert.ok(between < most, `off Keras's by ${between}, expected less than ${most}`);

    const average = values.reduce((a, b) => a + b, 0) / n;
    const spread = values.reduce((a, b) => a + (b - mean) ** 2, 0) / n;
    const sigmas = Math.abs(average - mean) / Math.sqrt(variance / n);
    assert.ok(sigmas < 5, `mean ${average}, expected ${mean}: ${sigmas} sigma`);
    const ratio = Math.abs(spread / variance - 1) / Math.sqrt(2 / n);
    assert.ok(ratio < 5, `variance ${spread}, expected ${variance}: ${ratio} sigma`);
    const share = (/** @type {number} */ x) => `${(100 * x).toFixed(0)} %`;
    const shares = [apart / limit, between / most, sigmas / 5, ratio / 5];
    table.push([initializer, ...shares.map(share)]);
    g.dispose();
  });
}

test('the factor of truncated normals makes their variance what it is meant to be', async () => {
  const g = await init();
  // Keras's 0.87962566103423978 is the deviation of a unit normal cut at 2, which lawOf has from
  // its formula.
  const { variance } = lawOf(['truncatedNormal', 0, 1 / 0.87962566103423978]);
  assert.ok(Math.abs(variance - 1) < 1e-6, `${variance}`);
  const values = g.initializers.heNormal({ seed: 1 })([32, 2048]).data();
  const found = values.reduce((a, b) => a + b * b, 0) / values.length;
  assert.ok(Math.abs(found / (2 / 32) - 1) < 5 * Math.sqrt(2 / values.length), `${found}`);
  g.dispose();
});

/** @type {[shape: number[], gain: number][]} */
const ORTHOGONAL = [
  [[1, 1], 1],
  [[16, 16], 1],
  [[24, 7], 2],
  [[7, 24], 0.5],
  [[3, 3, 4, 8], 1],
  [[2, 3, 64], Math.SQRT2],
  [[64, 48], 3],
];

for (const [shape, gain] of ORTHOGONAL) {
  test(`orthogonal of [${shape}] with gain ${gain.toFixed(3)} is orthogonal, to its roundings`, async () => {
    const g = await init();
    const columns = Number(shape.at(-1));
    const values = g.initializers.orthogonal({ gain, seed: 8 })(shape).data();
    const rows = values.length / columns;
    const isWide = rows < columns;
    const [count, length] = isWide ? [rows, columns] : [columns, rows];
    const at = (/** @type {number} */ vector, /** @type {number} */ i) =>
      Number(values[isWide ? vector * columns + i : i * columns + vector]);
    for (let a = 0; a < count; a++) {
      for (let b = a; b < count; b++) {
        let dot = 0;
        for (let i = 0; i < length; i++) dot += at(a, i) * at(b, i);
        const off = Math.abs(dot - (a === b ? Math.fround(gain) ** 2 : 0));
        assert.ok(off <= 4.5 * UNIT * gain ** 2, `${a} and ${b}: ${dot}`);
      }
    }
    g.dispose();
  });
}

after(() => {
  printTable(
    'Initializers: what of their limits the distances are (from the distribution, from Keras, of mean and variance):',
    ['initializer', 'distribution', 'Keras', 'mean', 'variance'],
    table,
  );
});
