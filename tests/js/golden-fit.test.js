/* Tier: test. Precisions: f32, f64. */
/* Fits beside lmfit, SciPy and NIST's certified standard deviations (tests/golden/fits.py), on
 * every precision of the library.
 *
 * Let u be half the distance from 1 to the next number. A standard error is computed from a
 * Jacobian whose elements are off by some u of the largest terms that they are made of. Where κ is
 * the root of the largest variance inflation factor, by which the columns depend on each other,
 * that changes an error by up to κ times as much. The point where a fit ends is off likewise. Terms
 * are up to a hundred times what is left of them, so 1024 κ u is allowed; where doubles are
 * compared with the peers, at least PEERS, since lmfit differences, and a fit may end within 1e-8
 * of the minimum. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as fits from 'gradlock/fit';
import { factorize, solveLeast } from '../../src/js/fit/qr.js';
import { printTable, readGolden, sample } from '../golden/golden.js';
import { BUILDS } from './fit-builds.js';
import { MODELS, tensors } from './nist-models.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */
/** @typedef {import('gradlock/fit').Fit<string>} Fit */

const golden = readGolden('fits.json');
const { sets } = readGolden('nist.json');

const PEERS = 1e-6;
/** What an f32 cannot hold: it is exact to 13 digits. */
const BEYOND_F32 = 'Lanczos1';

/** How much the free parameters depend on each other. @param {Fit} fit */
const inflation = ({ correlations }) => {
  const factors = factorize(correlations, 0);
  const variances = correlations.map((row, i) => {
    const unit = row.map((_, j) => Number(i === j));
    return Number(solveLeast(factors, unit)[i]);
  });
  return Math.sqrt(Math.max(1, ...variances));
};

/**
 * What rounding of parameters and of residuals makes of standard errors.
 * @param {number} unit
 * @param {Fit} fit
 * @param {readonly number[]} [y] Their size, if their rounding counts.
 */
const tolerance = (unit, fit, y = []) =>
  Math.max(
    PEERS,
    1024 * unit * inflation(fit),
    (4 * unit * Math.hypot(...y)) / Math.sqrt(fit.chiSquare),
  );

/**
 * @param {number | undefined} got
 * @param {number} want
 * @param {number} most
 * @param {string} what
 */
const near = (got, want, most, what) => {
  const off = Math.abs(Number(got) - want) / Math.abs(want);
  assert.ok(off <= most, `${what} is ${got}, expected ${want}: off by ${off}, allowed ${most}`);
  return off;
};

/** @type {string[][]} */
const table = [];

for (const [precision, { create, unit }] of Object.entries(BUILDS)) {
  for (const { name, x, y, starts, certified } of sets) {
    if (precision === 'f32' && name === BEYOND_F32) continue;
    test(`${precision}, ${name}: standard errors are those that NIST certifies`, async () => {
      const g = await create();
      const columns = Array.isArray(x[0]) ? x : [x];
      const names = certified.map(
        (/** @type {number} */ _, /** @type {number} */ i) => `b${i + 1}`,
      );
      const start = names.map((/** @type {string} */ b, /** @type {number} */ i) => [
        b,
        starts[1][i],
      ]);
      const model = MODELS[name];
      const fit = fits.fitting(g).curve(
        (at, p) =>
          model(
            tensors(g),
            names.map((/** @type {string} */ b) => p[b]),
            Object.values(at),
          ),
        {
          x: Object.fromEntries(
            columns.map((/** @type {number[]} */ c, /** @type {number} */ i) => [i, c]),
          ),
          y: name === 'Nelson' ? y.map(Math.log) : y,
          parameters: Object.fromEntries(start),
        },
      );
      assert.ok(fit.converged, fit.message);
      assert.deepEqual(fit.undetermined, []);
      const { deviations } = golden.certified.find((/** @type {any} */ row) => row.name === name);
      const most = tolerance(unit, fit, y);
      const worst = names.map((/** @type {string} */ b, /** @type {number} */ i) =>
        near(fit.parameters[b]?.error, deviations[i], most, `the error of ${b}`),
      );
      table.push([precision, name, Math.max(...worst).toExponential(1), most.toExponential(1)]);
    });
  }
}

/**
 * @type {Record<string, (g: Gradlock, x: Tensor, p: Readonly<Record<string, Tensor>>) => Tensor>}
 */
const CURVES = {
  enzyme: (g, x, { speed, half }) => g.div(g.mul(speed, x), g.add(half, x)),
  decay: (g, x, { height, rate, level }) =>
    g.add(g.mul(height, g.exp(g.neg(g.mul(rate, x)))), level),
  peaks: (g, x, p) => {
    /** @param {number} i */
    const bell = (i) => {
      const off = g.div(g.sub(x, p[`centre${i}`]), p[`width${i}`]);
      return g.mul(p[`height${i}`], g.exp(g.neg(g.square(off))));
    };
    const ground = g.mul(p.level, g.exp(g.neg(g.mul(p.decay, x))));
    return g.add(ground, g.add(bell(1), bell(2)));
  },
};

/** The golden file's expressions. @type {Record<string, (g: Gradlock, p: any) => Tensor>} */
const TIES = {
  width1: (_, { width1 }) => width1,
  'height1 * width1 * sqrt(pi)': (g, { height1, width1 }) =>
    g.mul(g.mul(height1, width1), Math.sqrt(Math.PI)),
};

/** @param {Gradlock} g @param {any} given */
const readTies = (g, given) =>
  Object.fromEntries(
    Object.entries(given).map(([name, spec]) => [
      name,
      spec.tie ? { tie: (/** @type {any} */ p) => TIES[spec.tie]?.(g, p) } : spec,
    ]),
  );

for (const [precision, { create, unit }] of Object.entries(BUILDS)) {
  for (const { name, curve, found, parameters, ...options } of golden.cases) {
    test(`${precision}, ${name}: values, errors and statistics are the peer's`, async () => {
      const g = await create();
      const { x, y, sigma, scale, loss, lossScale } = options;
      const fit = fits.fitting(g).curve((at, p) => /** @type {any} */ (CURVES[curve])(g, at, p), {
        x,
        y,
        sigma,
        scale,
        loss,
        lossScale,
        parameters: readTies(g, parameters),
      });
      assert.ok(fit.converged, fit.message);
      assert.equal(fit.isScaled, scale);
      const most = tolerance(unit, fit);
      for (const [key, value] of Object.entries(found.values)) {
        const { error = 0, value: got } = /** @type {any} */ (fit.parameters[key]);
        // A method that compares losses tells points apart from where they differ by a rounding.
        const span = precision === 'f32' ? 2e-3 : PEERS;
        assert.ok(Math.abs(got - value) <= span * error + most * Math.abs(value), `${key}: ${got}`);
      }
      for (const [key, value] of Object.entries(found.errors)) {
        near(fit.parameters[key]?.error, value, most, `the error of ${key}`);
      }
      for (const [pair, value] of Object.entries(found.correlations ?? {})) {
        const [a, b] = pair.split(' ');
        assert.ok(Math.abs(fit.correlation(a, b) - value) <= most, `${pair}: ${value}`);
      }
      for (const key of ['chiSquare', 'reducedChiSquare', 'aic', 'bic']) {
        if (found[key] === undefined) continue;
        near(/** @type {any} */ (fit)[key], found[key], most, key);
      }
      for (const [i, row] of (found.covariance ?? []).entries()) {
        for (const [j, value] of row.entries()) {
          const size = Math.sqrt(found.covariance[i][i] * found.covariance[j][j]);
          assert.ok(Math.abs(fit.covariance[i][j] - value) <= 2 * most * size, `${i}, ${j}`);
        }
      }
      for (const [key, interval] of Object.entries(found.intervals ?? {})) {
        const { interval: got } = fit.profile(key);
        const { error = 0 } = /** @type {any} */ (fit.parameters[key]);
        for (const [i, end] of interval.entries()) {
          // lmfit ends its search at a thousandth of a confidence level.
          assert.ok(Math.abs(got[i] - end) <= 0.01 * error, `${key}: ${got}, lmfit ${interval}`);
        }
      }
    });
  }
}

/** profiles.py's. @type {Record<string, (g: Gradlock, x: Tensor, p: any) => Tensor>} */
const PROFILED = {
  line: (g, x, { a, b }) => g.add(a, g.mul(b, x)),
  decay: (g, x, { a, k, c }) => g.add(g.mul(a, g.exp(g.neg(g.mul(k, x)))), c),
  saturation: (g, x, { a, k }) => g.mul(a, g.sub(1, g.exp(g.neg(g.mul(k, x))))),
  enzyme: (g, x, { v, h }) => g.div(g.mul(v, x), g.add(h, x)),
  bell: (g, x, { h, m, w }) => g.mul(h, g.exp(g.neg(g.square(g.div(g.sub(x, m), w))))),
  logistic: (g, x, { a, r, m }) => g.mul(a, g.sigmoid(g.mul(r, g.sub(x, m)))),
  power: (g, x, { a, p }) => g.mul(a, g.exp(g.mul(p, g.log(x)))),
  two: (g, x, { a, k, b, l }) =>
    g.add(g.mul(a, g.exp(g.neg(g.mul(k, x)))), g.mul(b, g.exp(g.neg(g.mul(l, x))))),
  wave: (g, x, { a, f, s, c }) => g.add(g.mul(a, g.sin(g.add(g.mul(f, x), s))), c),
};

/** Of tau. The file has 9 digits of an end, and 3 of the slope of tau there. */
const MOST_OFF = 1e-4;
const profiled = sample(readGolden('profiles.json').rows, 3);

for (const [model, curve] of Object.entries(PROFILED)) {
  test(`f64, profiles of ${model}: each end is SciPy's, and a lower chi square is reported`, async () => {
    const g = await BUILDS.f64.create();
    const rows = profiled.filter((/** @type {any} */ row) => row.model === model);
    assert.ok(rows.length > 0);
    /** @type {string[]} */
    const differing = [];
    for (const { x, y, level, parameters, chiSquare, ends, ...options } of rows) {
      const described = Object.entries(parameters).map(([name, spec]) => {
        const [factor, other] = /** @type {any} */ (spec).tie ?? [];
        return [name, other ? { tie: (/** @type {any} */ p) => g.mul(factor, p[other]) } : spec];
      });
      const { sigma, loss, lossScale } = options;
      const fit = fits.fitting(g).curve((at, p) => curve(g, at, p), {
        ...{ x, y, sigma, loss, lossScale },
        parameters: Object.fromEntries(described),
      });
      const which = `${JSON.stringify(parameters)} at ${level}`;
      near(fit.chiSquare, chiSquare, 1e-8, `chi square of ${which}`);
      for (const [name, want] of Object.entries(ends)) {
        const { interval } = fit.profile(name, { level });
        for (const [i, got] of (want === null ? [] : interval).entries()) {
          const [end, slope] = [Number(want[2 * i]), want[2 * i + 1]];
          const most = slope === null ? 1e-6 * Math.abs(end) : MOST_OFF / Math.abs(slope);
          const isEnd = got === end || (slope !== 0 && Math.abs(got - end) <= most);
          if (!isEnd) differing.push(`${name} of ${which}: ${got}, SciPy ${end}`);
        }
      }
      if (!Object.values(ends).includes(null)) continue;
      if (!(Number(fit.better?.chiSquare) < chiSquare)) differing.push(`better of ${which}`);
      else assert.match(fit.report(), /A better fit, with chi square/);
    }
    assert.deepEqual(differing, []);
  });
}

for (const kind of /** @type {const} */ (['quantiles', 'tails'])) {
  test(`${kind} of Student's t, F and chi-square have 12 digits`, () => {
    const suffix = kind === 'quantiles' ? 'Quantile' : 'Tail';
    for (const [name, given, want] of golden[kind]) {
      const got = /** @type {any} */ (fits)[`${name}${suffix}`](...given);
      if (want === 0) assert.ok(got < 1e-300, `${name}(${given}): ${got}`);
      else near(got, want, 1e-12, `${name}(${given})`);
    }
  });
}

test('quantiles with a known sigma are of the normal distribution, the limit of the others', () => {
  near(fits.studentQuantile(0.95, Infinity), 1.959963984540054, 1e-14, 'normal');
  near(fits.fisherTail(3, 2, Infinity), fits.chiSquareTail(6, 2), 1e-15, 'F');
});

after(() => {
  const headings = ['precision', 'set', 'worst relative difference', 'allowed'];
  printTable(`Standard errors beside NIST's`, headings, table);
});
