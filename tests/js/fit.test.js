/* Tier: test. */
/* gradlock/fit: what locks, ties, prices, bands and profiles of a fit promise, and what is
 * refused. golden-fit.test.js compares numbers with other programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, LockedElementError, OptionError } from 'gradlock';
import * as entry from 'gradlock/fit';
import { chiSquareTail, fisherTail, fitting, studentQuantile } from 'gradlock/fit';
import { Linearization } from '../../src/js/fit/covariance.js';
import { LOSSES } from '../../src/js/fit/losses.js';
import { BUILDS } from './fit-builds.js';
import { assertMessages } from './messages.js';
import { random, settle } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const next = random(7);
const X = Array.from({ length: 24 }, (_, i) => i / 8);
/** A line that is bent a little, with noise. */
const Y = X.map((x) => 1 + 2 * x + 0.3 * x * x + 0.4 * (next() - 0.5));
const mean = X.reduce((sum, x) => sum + x, 0) / X.length;
const spread = X.reduce((sum, x) => sum + (x - mean) ** 2, 0);

/**
 * @param {number | undefined} got
 * @param {number} want
 * @param {number} most
 * @param {string} what
 */
const near = (got, want, most, what) => {
  const off = Math.abs(Number(got) - want);
  assert.ok(off <= most * Math.abs(want), `${what} is ${got}, expected ${want} ± ${most} of it`);
};

for (const [precision, { create, unit }] of Object.entries(BUILDS)) {
  // Sums of 24 terms, of columns that depend on each other by a factor of 10, each rounded.
  const most = 4096 * unit;

  /** @param {Gradlock} g */
  const parabola =
    (g) =>
    (/** @type {Tensor} */ x, /** @type {any} */ { level, slope, bend }) =>
      g.add(level, g.mul(x, g.add(slope, g.mul(bend, x))));
  const ALL = { level: 1, slope: 2, bend: 0.3 };
  const HELD = { ...ALL, bend: { value: 0.25, lock: true } };

  test(`${precision}: a locked parameter keeps its bits, has no error, and the others have those of the reduced problem`, async () => {
    const g = await create();
    const { curve, parameters } = fitting(g);
    const p = parameters(HELD);
    const before = p.variable.data()[2];
    p.variable.locks.watch();
    const fit = curve(parabola(g), { x: X, y: Y, parameters: p });
    assert.ok(Object.is(p.variable.data()[2], before));
    assert.ok(p.variable.locks.audit().ok);
    assert.equal(fit.parameters.bend.status, 'locked');
    assert.ok(!('error' in fit.parameters.bend));
    assert.deepEqual(fit.free, ['level', 'slope']);
    const reduced = curve(
      (x, { level, slope }) => g.add(level, g.mul(x, g.add(slope, g.mul(0.25, x)))),
      { x: X, y: Y, parameters: { level: 1, slope: 2 } },
    );
    for (const name of /** @type {const} */ (['level', 'slope'])) {
      near(fit.parameters[name].error, Number(reduced.parameters[name].error), most, name);
    }
    near(fit.aic, X.length * Math.log(fit.chiSquare / X.length) + 2 * 2, most, 'AIC');
    near(fit.aic, reduced.aic, most, 'AIC');
    assert.match(fit.report(), /bend +0\.25 +locked: exact/);
    assert.deepEqual(p.values, fit.values);
  });

  test(`${precision}: the price of a lock is what chi square loses when it is freed, with F's significance`, async () => {
    const g = await create();
    const { curve } = fitting(g);
    const held = curve(parabola(g), { x: X, y: Y, parameters: HELD });
    const freed = curve(parabola(g), { x: X, y: Y, parameters: ALL });
    const { gain, stepGain, estimate, error, pValue } = /** @type {any} */ (held.prices.bend);
    const fall = held.chiSquare - freed.chiSquare;
    // A difference of two sums.
    const share = (most * held.chiSquare) / fall;
    near(gain, fall, share, 'the gain');
    near(stepGain, fall, share, 'the gain by a step');
    near(estimate, freed.values.bend, most, 'the estimate');
    near(error, Number(freed.parameters.bend.error), most, 'its error');
    const dof = freed.degreesOfFreedom;
    near(pValue, fisherTail((fall * dof) / freed.chiSquare, 1, dof), 8 * share, 'the p value');
    const known = curve(parabola(g), { x: X, y: Y, sigma: 0.1, parameters: HELD });
    const price = /** @type {any} */ (known.prices.bend);
    near(price.pValue, chiSquareTail(price.gain, 1), 1e-12, 'the p value where sigma is known');
    assert.deepEqual(Object.keys(freed.prices), []);
    assert.match(held.report(), /The price of knowing/);
  });

  test(`${precision}: what the data cannot tell apart is named, with infinite errors, and what they tell is not`, async () => {
    const g = await create();
    const fit = fitting(g).curve((x, { a, b, level }) => g.add(g.mul(g.mul(a, b), x), level), {
      x: X,
      y: Y,
      parameters: {
        a: 1,
        b: 2,
        level: 0,
        product: { tie: ({ a, b }) => g.mul(a, b) },
      },
    });
    const { parameters, undetermined } = fit;
    assert.deepEqual([parameters.a.error, parameters.b.error], [Infinity, Infinity]);
    assert.ok(Number.isFinite(parameters.level.error));
    assert.equal(undetermined.length, 1);
    const [{ a, b }] = /** @type {any} */ (undetermined);
    assert.deepEqual(Object.keys(undetermined[0] ?? {}), ['a', 'b']);
    near(a / b, -fit.values.a / fit.values.b, most, 'the direction of no change');
    const line = fitting(g).curve((x, p) => g.add(g.mul(p.slope, x), p.level), {
      x: X,
      y: Y,
      parameters: { slope: 1, level: 0 },
    });
    // There one parameter is more, which a fit of lines has not.
    const more = Math.sqrt(fit.reducedChiSquare / line.reducedChiSquare);
    near(parameters.product.error, Number(line.parameters.slope.error) * more, most, 'a b');
    assert.match(fit.report(), /The data cannot tell apart\n +\S+ a +\S+ b/);
    assert.throws(() => fit.profile('a'), /do not determine 'a'/);
  });

  test(`${precision}: the data tell columns apart that differ by more than 64 roundings`, async () => {
    const g = await create();
    const least = 64 * 2 * unit;
    for (const [apart, count] of /** @type {const} */ ([
      [0.75 * least, 1],
      [1.5 * least, 0],
    ])) {
      const { undetermined, parameters } = fitting(g).curve(
        (x, { a, b }) => g.add(g.mul(a, x.one), g.mul(b, x.other)),
        {
          x: { one: [1, 1, 1, 1], other: [1, -1, 1, -1].map((sign) => 1 + sign * apart) },
          y: [1, 2, 3, 5],
          parameters: { a: 1, b: 1 },
        },
      );
      assert.equal(undetermined.length, count);
      assert.equal(parameters.a.error === Infinity, count > 0);
    }
  });

  test(`${precision}: a tie has the error of what it refers to, and none if that is locked`, async () => {
    const g = await create();
    const { curve } = fitting(g);
    const fit = curve((x, { level, twice }) => g.add(level, g.mul(x, twice)), {
      x: X,
      y: Y,
      parameters: {
        twice: { tie: ({ slope }) => g.mul(2, slope) },
        level: { value: 1, lock: true },
        slope: 1,
        below: { tie: ({ level }) => g.neg(level) },
        again: { tie: ({ twice }) => g.div(twice, 2) },
        three: { tie: () => 3 },
      },
    });
    const { slope, twice, below, again, three } = fit.parameters;
    near(twice.error, 2 * Number(slope.error), most, 'twice the slope');
    near(again.error, Number(slope.error), most, 'a tie to a tie');
    near(twice.value, 2 * slope.value, most, 'twice the slope');
    assert.deepEqual([below.status, below.error, below.value], ['tied', undefined, -1]);
    assert.deepEqual([three.error, three.value], [undefined, 3]);
  });

  test(`${precision}: bands of a line are those of the textbook`, async () => {
    const g = await create();
    const line = (/** @type {Tensor} */ x, /** @type {any} */ p) => g.add(g.mul(p.a, x), p.b);
    const { curve } = fitting(g);
    const fit = curve(line, { x: X, y: Y, parameters: { a: 1, b: 0 } });
    const at = [-1, mean, 7];
    const band = fit.band(at, { level: 0.9 });
    const t = studentQuantile(0.9, X.length - 2);
    for (const [i, x] of at.entries()) {
      const share = 1 / X.length + (x - mean) ** 2 / spread;
      const value = fit.values.a * x + fit.values.b;
      near(band.values[i], value, most, 'the curve');
      const errors = [share, 1 + share].map((part) => Math.sqrt(part * fit.reducedChiSquare));
      near(Number(band.upper[i]) - value, t * Number(errors[0]), 16 * most, 'confidence');
      near(value - Number(band.lower[i]), t * Number(errors[0]), 16 * most, 'confidence');
      near(
        Number(band.prediction?.upper[i]) - value,
        t * Number(errors[1]),
        most * 16,
        'prediction',
      );
    }
    const sigma = X.map((x) => 0.1 + x / 10);
    const known = curve(line, { x: X, y: Y, sigma, parameters: { a: 1, b: 0 } });
    assert.equal(known.band([1]).prediction, null, 'the sigma of a further reading is unknown');
    const further = known.band([1], { sigma: 3 });
    const width = Math.hypot(3, Number(further.errors[0])) * studentQuantile(0.95, Infinity);
    near(Number(further.prediction?.upper[0]) - Number(further.values[0]), width, most, 'sigma 3');
  });

  test(`${precision}: a profile of a linear model ends at value ± t error, and moves nothing`, async () => {
    const g = await create();
    const { curve, parameters } = fitting(g);
    const p = parameters(HELD);
    const fit = curve(parabola(g), { x: X, y: Y, parameters: p });
    const [digest, objects] = [p.variable.digest(), g.memory().objects];
    const { interval, values, chiSquares } = fit.profile('slope', { level: 0.9 });
    const { value, error = 0 } = fit.parameters.slope;
    const t = studentQuantile(0.9, fit.degreesOfFreedom);
    for (const [i, side] of [-1, 1].entries()) {
      // Chi square is flat: a rounding of it is more of its root.
      near((Number(interval[i]) - value) * side, t * error, 1e-3 + most, 'half the interval');
    }
    assert.deepEqual(
      values,
      [...values].sort((a, b) => a - b),
    );
    assert.ok(Math.min(...chiSquares) >= fit.chiSquare * (1 - most));
    assert.equal(p.variable.digest(), digest);
    assert.deepEqual(p.locked, ['bend']);
    assert.equal(g.memory().objects, objects, 'nothing is left');
  });

  test(`${precision}: a result is of its moment, whatever becomes of its parameters, and leaves nothing behind`, async () => {
    const g = await create();
    const { curve, parameters } = fitting(g);
    const before = g.memory().objects;
    curve(parabola(g), { x: X, y: Y, parameters: HELD });
    assert.equal(g.memory().objects, before, 'parameters of one call go with it');
    const p = parameters(HELD);
    const fit = curve(parabola(g), { x: X, y: Y, parameters: p });
    const [report, band, profile] = [fit.report(), fit.band([1, 2]), fit.profile('level')];
    p.unlock('bend').set({ bend: 3, level: 9 });
    p.dispose();
    assert.deepEqual(
      [fit.report(), fit.band([1, 2]), fit.profile('level')],
      [report, band, profile],
    );
  });

  test(`${precision}: residuals of robust losses have squares C² ρ, and are smooth at 0`, async () => {
    const g = await create();
    const at = [-40, -3, -1.25, -0.5, -1e-3, 0, 1e-12, 0.3, 1.3, 20];
    for (const [name, { rho, transform }] of Object.entries(LOSSES)) {
      const bent = (/** @type {any} */ r) =>
        /** @type {any} */ (transform(/** @type {any} */ (g), r, 1.25));
      const residuals = bent(g.tensor(at)).data();
      for (const [i, r] of at.entries()) {
        const [value] = rho((r / 1.25) ** 2);
        const want = Math.sign(r) * 1.25 * Math.sqrt(value);
        assert.ok(
          Math.abs(Number(residuals[i]) - want) <= 64 * unit * Math.abs(want),
          `${name}(${r})`,
        );
      }
      const [slope] = g.grad(bent)([0]).data();
      near(slope, 1, 64 * unit, `the slope of ${name} at 0`);
    }
  });

  test(`${precision}: any holder's lock makes a parameter known; all locked is a fit of nothing`, async () => {
    const g = await create();
    const { leastSquares, parameters } = fitting(g);
    const p = parameters({ a: 1, b: 2 });
    p.variable.locks.holder('colleague').lock([1]);
    const residuals = (/** @type {any} */ { a, b }) => g.stack([g.sub(a, 5), g.sub(b, 5)]);
    const fit = leastSquares(residuals, { parameters: p });
    assert.deepEqual(
      [fit.parameters.b.status, fit.values.b, fit.rSquared],
      ['locked', 2, undefined],
    );
    assert.throws(() => fit.band([1]), /a band needs a curve/);
    p.lock('a');
    const none = leastSquares(residuals, { parameters: p });
    assert.deepEqual([none.stopReason, none.converged, none.free], ['locked', true, []]);
    assert.match(String(none), /all parameters are locked/);
    assert.match(String(p), /a = \S+ \(locked\)\n {2}b = 2 \(locked\)/);
  });

  test(`${precision}: with as many points as parameters there are no errors to estimate, and nothing hangs`, async () => {
    const g = await create();
    const fit = fitting(g).curve(parabola(g), {
      x: [0, 1],
      y: [1, 3],
      parameters: { level: 0, slope: 1, bend: { value: 0, lock: true } },
    });
    assert.ok(Number.isNaN(fit.reducedChiSquare) && Number.isNaN(fit.parameters.slope.error));
    const { gain, error, pValue } = /** @type {any} */ (fit.prices.bend);
    assert.deepEqual([gain, error, pValue], [0, Infinity, 1], 'two points say nothing of a bend');
    assert.ok(Number.isNaN(fisherTail(Number.NaN, 1, 3)));
  });

  test(`${precision}: a report has words where a number would be none, and correlations from 0.1 on`, async () => {
    const g = await create();
    const { curve } = fitting(g);
    const line = (/** @type {Tensor} */ x, /** @type {any} */ p) => g.add(g.mul(p.a, x), p.b);
    /** @type {[what: string, options: any, want: RegExp][]} */
    const cases = [
      ['two points', { x: [0, 1], y: [1, 3] }, / a +2 +no points left for its error, from 1\n/],
      ['two points', { x: [0, 1], y: [1, 3] }, /reduced chi square +none: no degrees/],
      [
        'exact data',
        { x: [0, 1, 2], y: [0, 0, 0], parameters: { a: 0, b: 0 } },
        / a +0 +± 0\.0 +from 0\n/,
      ],
      ['exact data but for rounding', { x: [0, 1, 2], y: [0.1, 0.3, 0.5] }, / a +0\.(2|19)/],
      ['a flat line', { x: [0, 1, 2], y: [0.1, 0.1, 0.1] }, /R squared, centred +none: all resp/],
      [
        'a bound at 0',
        { x: [0, 1, 2], y: [2, 1, -1], parameters: { a: { value: 1, min: 0 }, b: 0 } },
        / a +0 +\+ \S+ +at its min/,
      ],
      [
        'a lock that two points say nothing of',
        { x: [0, 1], y: [1, 3], parameters: { a: 1, b: 1, c: { value: 0, lock: true } } },
        /c +the data would not determine it\n?/,
      ],
    ];
    for (const [what, options, want] of cases) {
      const fit = curve(line, { parameters: { a: 1, b: 1 }, ...options });
      const report = fit.report();
      assert.match(`${report}\n`, want, what);
      assert.doesNotMatch(report, /NaN|Infinity/, what);
      if (Number(fit.parameters.a.error) > 64 * unit) continue;
      assert.throws(() => fit.profile('a'), /the error of 'a' is \S+: no profile without/, what);
    }
    const fit = curve(line, { x: X, y: Y, parameters: { a: 1, b: 1 } });
    fit.correlations[0][1] = 0.1;
    assert.match(fit.report(), /Correlations of 0\.1 and above\n +a, b +0\.100/);
  });

  test(`${precision}: onStep ends a fit, and a report as HTML escapes names`, async () => {
    const g = await create();
    const fit = fitting(g).curve((x, p) => g.exp(g.mul(x, p['<b>'])), {
      x: X,
      y: X.map(Math.exp),
      parameters: { '<b>': 0.2 },
      onStep: () => false,
    });
    assert.deepEqual([fit.steps, fit.converged], [1, false]);
    assert.match(fit.toHTML(), /<th scope="row">&#60;b&#62;<\/th>/);
    assert.doesNotMatch(fit.toHTML(), /<b>/);
  });

  test(`${precision}: a parameter at its bound is held by it, has a one-sided error, and is let go when the fit ends`, async () => {
    const g = await create();
    const { curve, parameters } = fitting(g);
    for (const [side, limits, sign] of /** @type {const} */ ([
      ['min', { min: 0.5 }, 1],
      ['max', { max: 0.1 }, -1],
    ])) {
      const value = side === 'min' ? 0.75 : 0;
      const p = parameters({ ...ALL, bend: { value, ...limits } });
      const fit = curve(parabola(g), { x: X, y: Y, parameters: p });
      const { status, value: end, error = 0 } = fit.parameters.bend;
      assert.equal(status, side);
      near(end, side === 'min' ? 0.5 : 0.1, 2 * unit, 'the bound');
      assert.deepEqual([fit.free, fit.freeCount], [['level', 'slope'], 3]);
      assert.deepEqual([p.variable.locks.count, p.variable.locks.holders], [0, []]);
      // So far inside, chi square is higher by one unit of what errors are measured in.
      const inside = { ...ALL, bend: { value: end + sign * error, lock: true } };
      const { chiSquare } = curve(parabola(g), { x: X, y: Y, parameters: inside });
      near(
        chiSquare - fit.chiSquare,
        fit.reducedChiSquare,
        64 * most,
        'what chi square changes by',
      );
      assert.match(fit.report(), new RegExp(`at its ${side}, one-sided`));
      const { interval } = fit.profile('bend', { level: 0.6 });
      assert.equal(interval[side === 'min' ? 0 : 1], limits[side]);
      const held = { value: Number(interval[side === 'min' ? 1 : 0]), lock: true };
      const there = curve(parabola(g), { x: X, y: Y, parameters: { ...ALL, bend: held } });
      const t = studentQuantile(0.6, fit.degreesOfFreedom);
      const risen = (there.chiSquare - fit.chiSquare) / fit.reducedChiSquare;
      near(risen, t ** 2, 1e-5 + 64 * most, 'by what chi square rises to the other end');
      assert.equal(fit.prices.bend, undefined, 'a bound is no lock of yours');
    }
  });

  test(`${precision}: bounds that hold nothing change nothing, and a profile ends at a bound`, async () => {
    const g = await create();
    const { curve } = fitting(g);
    const free = curve(parabola(g), { x: X, y: Y, parameters: ALL });
    const { value, error = 0 } = free.parameters.slope;
    const max = value + error;
    const slope = { value: 2, min: -100, max };
    const wide = curve(parabola(g), { x: X, y: Y, parameters: { ...ALL, slope } });
    assert.deepEqual(wide.values, free.values);
    const { interval } = wide.profile('slope');
    assert.equal(interval[1], max);
    near(
      interval[0] - value,
      -error * studentQuantile(0.95, X.length - 3),
      1e-3 + 16 * most,
      'low',
    );
  });

  test(`${precision}: a profile that bounds end at once has looked for a lower minimum, too`, async () => {
    const g = await create();
    const fit = fitting(g).curve((x, { level, rate }) => g.add(level, g.cos(g.mul(rate, x))), {
      x: X,
      y: X.map((x) => Math.cos(3 * x)),
      parameters: { level: { value: 0.12, min: 0.1, max: 0.14 }, rate: 6 },
    });
    near(fit.values.rate, 5.81, 1e-3, 'the rate');
    near(fit.profile('level').better?.values.rate, 3, 0.01, 'the rate of a lower minimum');
  });

  const bend = (/** @type {any} */ given) => ({ parameters: { ...ALL, bend: given } });
  const toBend = (/** @type {any} */ p) => p.bend;
  /** @type {[options: any, text: import('./messages.js').Text][]} */
  const REFUSED = [
    [{ x: [1, 2], y: [1, 2] }, 'OptionError: …too few points (2) for 3 free parameters (level, sl'],
    [
      { sigma: X.map((_, i) => Number(i !== 4)) },
      'OptionError: …sigma[4] must be above 0 and finite, got 0',
    ],
    [{ sigma: -1 }, 'OptionError: …sigma must be above 0'],
    [{ y: Y.with(3, Number.NaN) }, 'OptionError: …y[3] is NaN: leave row 3 out'],
    [{ x: X.with(5, Infinity) }, 'OptionError: …x[5] is Infinity'],
    [{ y: [1, 2] }, 'ShapeError: …y has 2 values, expected 24'],
    [{ y: ['1'] }, 'TypeError: …y[0] must be a number'],
    [{ x: { a: X, b: [1] } }, 'ShapeError: …x.b has 1 values'],
    [bend({ value: 1, min: 2, max: 0 }), "OptionError: …parameter 'bend': min 2 is above max 0"],
    [
      bend({ value: -1, min: 0 }),
      "OptionError: …'bend': -1 is outside of its bounds, 0 to Infinity",
    ],
    [bend(Number.NaN), "OptionError: …parameter 'bend': value must be a finite number"],
    [bend({ value: 1, vary: false }), "TypeError: …parameter 'bend' have no 'vary'"],
    [
      { parameters: { ...ALL, bend: { tie: (/** @type {any} */ p) => p.k }, k: { tie: toBend } } },
      "OptionError: …parameter 'bend': its tie refers to itself, bend → k → bend",
    ],
    [
      bend({ tie: (/** @type {any} */ p) => p.bent }),
      "OptionError: …unknown parameter 'bent'; known",
    ],
    [bend({ tie: () => [1, 2] }), "TypeError: …parameter 'bend': its tie must give a tensor"],
    [bend({ tie: () => Number.NaN }), 'TypeError: …its tie must give …got NaN: compute with ops'],
    [
      bend('4'),
      "TypeError: …parameter 'bend' must be a number or an object with value or tie, got",
    ],
    [{ lossScale: 2 }, 'OptionError: …lossScale needs a loss'],
    [{ parameters: {} }, 'OptionError: …parameters need one'],
    [{ loss: 'tukey' }, 'OptionError: …loss must be one of linear, huber'],
    [{ loss: 'huber', lossScale: 0 }, 'OptionError: …lossScale must be above 0'],
    [{ sigmas: 1 }, "TypeError: …curve options have no 'sigmas'"],
    [{ solver: { damping: 1 } }, '…damping'],
  ];
  /** @type {typeof REFUSED} */
  const BEYOND_F32 = [
    [
      { y: Y.with(3, 1e39) },
      'OptionError: …y[3] is 1e+39, and f32 has magnitudes …gradlock/double',
    ],
    [{ x: X.with(0, -1e39) }, 'OptionError: …x[0] is -1e'],
    [{ sigma: 1e39 }, 'OptionError: …sigma is 1e+39, and f32 has'],
    [{ sigma: X.map(() => 1e-50) }, 'OptionError: …[0] is 1e-50'],
  ];
  if (precision === 'f32') REFUSED.push(...BEYOND_F32);
  else {
    test('f64: data that f32 cannot hold are fitted', async () => {
      const g = await create();
      const { curve } = fitting(g);
      const [y, sigma] = [Y.map((one) => one * 1e39), 1e39];
      const fit = curve(parabola(g), { x: X, y, sigma, parameters: ALL });
      const { values } = curve(parabola(g), { x: X, y: Y, parameters: ALL });
      near(fit.values.slope / 1e39, values.slope, 1e-9, 'slope');
    });
  }
  /**
   * What a model may return instead.
   * @type {[(g: any) => any, import('./messages.js').Text][]}
   */
  const MODELS = [
    [
      (g) => () => g.tensor([1, 2]),
      'ShapeError: …the model must return shape [24], it returned [2]',
    ],
    [
      () => () => 3,
      'TypeError: …must return a tensor, it returned 3: compute with ops such as g.mul',
    ],
    [
      (g) => (/** @type {any} */ x, /** @type {any} */ p) => g.log(g.sub(x, g.mul(p.slope, 0.25))),
      'OptionError: …residual 0 is NaN where the fit starts, at level = 1, slope = 2',
    ],
    [
      () => (/** @type {any} */ _, /** @type {any} */ p) => p.slop,
      "OptionError: …parameter 'slop'; kn",
    ],
  ];
  test(`${precision}: data, options and models that do not fit say why, and nothing is left or changed`, async () => {
    const g = await create();
    const { curve, parameters } = fitting(g);
    const p = parameters(ALL);
    const given = { x: X, y: Y, parameters: p };
    settle(g);
    assertMessages(
      g,
      [p.variable],
      [
        ...REFUSED.map(
          ([options, text]) =>
            /** @type {const} */ ([text, () => curve(parabola(g), { ...given, ...options }), text]),
        ),
        ...MODELS.map(
          ([model, text]) => /** @type {const} */ ([text, () => curve(model(g), given), text]),
        ),
      ],
    );
  });

  test(`${precision}: a value that was read back at its bound may be given again`, async () => {
    const { parameters } = fitting(await create());
    const p = parameters({ share: { value: 0.1, max: 0.1 } });
    const { share } = p.values;
    p.set({ share });
    assert.equal(parameters({ share: { value: share, max: 0.1 } }).values.share, share);
    assert.throws(() => p.set({ share: 0.1001 }), OptionError);
  });

  test(`${precision}: a polluted Object.prototype neither bounds, locks nor ties a parameter`, async () => {
    const g = await create();
    const { curve } = fitting(g);
    const line = (/** @type {any} */ x, /** @type {any} */ { slope }) => g.mul(x, slope);
    const polluted = /** @type {any} */ (Object.prototype);
    const evil = { min: 9, max: 9, lock: true, tie: () => 9, loss: 'huber', sigma: 9, steps: 0 };
    Object.assign(polluted, evil);
    try {
      const { parameters, loss } = curve(line, { x: [1, 2], y: [2, 4], parameters: { slope: 1 } });
      assert.equal(parameters.slope.status, 'free');
      assert.equal(parameters.slope.value, 2);
      assert.equal(loss, 'linear');
    } finally {
      for (const key of Object.keys(evil)) delete polluted[key];
    }
  });

  test(`${precision}: parameters disposed of in the middle of a fit end it with a typed error`, async () => {
    const g = await create();
    const { curve, parameters } = fitting(g);
    const { objects } = g.memory();
    const p = parameters(ALL);
    const onStep = () => p.dispose();
    assert.throws(() => curve(parabola(g), { x: X, y: Y, parameters: p, onStep }), {
      name: 'DisposedError',
    });
    assert.throws(() => curve(parabola(g), { x: X, y: Y, parameters: p }), {
      name: 'DisposedError',
      message: /Variable 'parameters'.* is gone: it was disposed/,
    });
    assert.equal(g.memory().objects, objects);
  });

  test(`${precision}: parameters are set all or none, within bounds, and locks guard them`, async () => {
    const g = await create();
    const p = fitting(g).parameters({
      a: { value: 1, min: 0, max: 4 },
      b: 2,
      sum: { tie: ({ a, b }) => g.add(a, b) },
    });
    p.set({ a: 3, b: 4 }).lock('b');
    assert.deepEqual(p.values, { a: 3, b: 4, sum: 7 });
    assert.throws(() => p.set({ b: 9, a: 2 }), LockedElementError);
    assert.throws(() => p.set({ a: 5 }), /parameter 'a': 5 is outside of its bounds, 0 to 4/);
    assert.throws(() => p.set(/** @type {any} */ ({ c: 5 })), /unknown parameter 'c'/);
    assert.throws(() => p.lock('sum'), /parameter 'sum' is a tie/);
    assert.throws(() => p.fix('a', Number.NaN), /parameter 'a' must be a finite number/);
    assert.deepEqual(p.values, { a: 3, b: 4, sum: 7 });
    p.fix('b', 6).unlock('b');
    assert.deepEqual([p.values.b, p.locked, p.names], [6, [], ['a', 'b', 'sum']]);
    p.dispose();
    const { leastSquares } = fitting(g);
    assert.throws(() => leastSquares(() => g.tensor([1]), { parameters: p }), GradlockError);
  });
}

test('a column of any size leaves the others their errors; without a square in doubles it is undetermined', () => {
  const [values, one, other] = [X, Y, X.map(() => 1)].map((list) => Float64Array.from(list));
  /** @param {number[]} scales */
  const errorsOf = (...scales) => {
    // As the peak exp(−(x − 25)²) is far from its data.
    const far = scales.map((scale) => values.map((x) => Math.exp(3 * x) * scale));
    const columns = [one, other, ...far];
    const free = columns.map((_, i) => i);
    const problem = { loss: LOSSES.linear, lossScale: 1 };
    const linear = new Linearization({ values, columns }, free, problem, 2 ** -52);
    const variances = free.map((i) => linear.variance(free.map((j) => Number(i === j))));
    return { variances, nulls: linear.nulls.map(({ direction }) => direction.indexOf(1)) };
  };
  const [least, seen] = [errorsOf(), errorsOf(1)];
  for (const scale of [1e-320, 1e-300, 1e-200, 1e-165]) {
    const { variances, nulls } = errorsOf(scale);
    assert.deepEqual([variances, nulls], [[...least.variances, Infinity], [2]], `${scale}`);
  }
  for (const scale of [1e-120, 1e-30, 1e120]) {
    const { variances, nulls } = errorsOf(scale);
    near(variances[0], Number(seen.variances[0]), 1e-9, `with ${scale}`);
    near(variances[2], Number(seen.variances[2]) / scale ** 2, 1e-9, `of ${scale}`);
    assert.deepEqual(nulls, []);
  }
});

const { fitting: _, ...distributions } = entry;
for (const [name, distribution] of Object.entries(distributions)) {
  test(`${name} refuses what is no number, and is NaN where no freedom is left`, () => {
    const takes = name.startsWith('fisher') ? 3 : 2;
    const call = (/** @type {any[]} */ ...args) =>
      /** @type {(...args: any[]) => number} */ (distribution)(...args.slice(0, takes));
    for (const value of [1n, Symbol('s'), null, '1', Object.create(null)]) {
      assert.throws(() => call(value, 5, 5), TypeError);
      assert.throws(() => call(0.5, value, 5), /must be a number, got a value of type/);
    }
    for (const dof of [0, -1, Number.NaN]) assert.ok(Number.isNaN(call(0.5, dof, 5)), `${dof}`);
  });
}
