/* L-BFGS and Levenberg-Marquardt: what they find, what locks keep, what callbacks see, what is
 * refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradientError, init, OptionError, RecordingError, ShapeError } from 'gradlock';
import { bitsOf, random, randomValues } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Variable} Variable */

/** Residuals of Rosenbrock's valley, chained. @param {Gradlock} g @param {Variable} x */
const valley = (g, x) => {
  const n = x.size;
  const a = g.slice(x, [0], [n - 1]);
  const b = g.slice(x, [1], [n - 1]);
  return g.concat([g.mul(g.sub(b, g.square(a)), 10), g.sub(1, a)], 0);
};

const METHODS = /** @type {const} */ (['lbfgs', 'levenbergMarquardt']);

/**
 * What a method minimises of the valley.
 * @param {Gradlock} g
 * @param {Variable} x
 * @param {string} method
 */
const problem = (g, x, method) => () =>
  method === 'lbfgs' ? g.sum(g.square(valley(g, x))) : valley(g, x);

for (const method of METHODS) {
  test(`${method}: locked elements keep their bits while the others go to the bottom of the valley`, async () => {
    const g = await init();
    const x = g.variable([-1.2, 1, 0.3, 0.1, 2]);
    x.lock([0, 4]);
    const held = bitsOf(x.data());
    const optimizer = g.optimizers[method]();
    const fn = problem(g, x, method);
    const loss = g.compile(fn);
    const before = optimizer.minimize(loss, { steps: 0 });
    const after = optimizer.minimize(loss, { steps: 200 });
    const end = bitsOf(x.data());
    assert.ok(after < before);
    assert.notEqual(optimizer.stopReason, 'steps');
    assert.ok(optimizer.largestGradient < 0.05, String(optimizer.largestGradient));
    assert.deepEqual([end[0], end[4]], [held[0], held[4]]);
    assert.equal(optimizer.minimize(fn, { variables: [x], steps: 0 }), after);
    assert.match(String(optimizer), new RegExp(`^Optimizer ${method} after \\d+ steps$`));
  });

  test(`${method}: one call, many calls, callbacks and plain functions give the same bits`, async () => {
    const start = randomValues(12, random(5));
    /** @type {((opt: any, loss: any, fn: any, x: Variable) => number)[]} */
    const ways = [
      (opt, loss) => opt.minimize(loss, { steps: 9 }),
      (opt, loss, _fn, x) => opt.minimize(loss, { variables: [x], steps: 9, onStep: () => {} }),
      (opt, loss) => Array.from({ length: 9 }, () => opt.minimize(loss, { steps: 1 }))[8],
      (opt, _loss, fn) => opt.minimize(fn, { steps: 9 }),
      (opt, _loss, fn) => opt.minimize(fn, { steps: 9, onStep: () => undefined }),
    ];
    const ends = [];
    for (const way of ways) {
      const g = await init();
      const x = g.variable(start.slice());
      x.lock([3]);
      const optimizer = g.optimizers[method]({ toleranceChange: 0 });
      const fn = problem(g, x, method);
      const value = way(optimizer, g.compile(fn), fn, x);
      assert.equal(optimizer.iterations, 9);
      ends.push([value, ...bitsOf(x.data())]);
    }
    for (const end of ends) assert.deepEqual(end, ends[0]);
  });

  test(`${method}: locks toggled by a callback hold at once, and what was learnt is dropped`, async () => {
    const g = await init();
    const next = random(7);
    const x = g.variable(randomValues(40, next));
    const optimizer = g.optimizers[method]();
    let before = bitsOf(x.data());
    /** @type {number[]} */
    let locked = [];
    const losses = [optimizer.minimize(problem(g, x, method), { steps: 0 })];
    optimizer.minimize(problem(g, x, method), {
      steps: 20,
      onStep: ({ step, loss }) => {
        assert.equal(step, losses.length);
        assert.ok(loss < losses[losses.length - 1]);
        losses.push(loss);
        const now = bitsOf(x.data());
        for (const i of locked) assert.equal(now[i], before[i]);
        if ('history' in optimizer) assert.equal(optimizer.history, 1);
        before = now;
        locked = Array.from({ length: 40 }, (_, i) => i).filter(() => next() < 0.3);
        x.unlock('all');
        x.lock(locked);
      },
    });
    assert.ok(losses.length > 5);
  });

  test(`${method}: a callback that returns false stops; all locked is no step and no callback`, async () => {
    const g = await init();
    const x = g.variable([-1.2, 1]);
    const optimizer = g.optimizers[method]();
    const loss = g.compile(problem(g, x, method));
    optimizer.minimize(loss, { steps: 50, onStep: ({ step }) => step < 3 });
    assert.equal(optimizer.iterations, 3);
    assert.equal(optimizer.stopReason, 'steps');
    x.lock('all');
    const held = bitsOf(x.data());
    optimizer.minimize(loss, { steps: 5, onStep: () => assert.fail('nothing moved') });
    assert.equal(optimizer.stopReason, 'locked');
    assert.deepEqual(bitsOf(x.data()), held);
  });

  test(`${method}: a loss that is no number stops it where it is`, async () => {
    const g = await init();
    const x = g.variable([-1, 2]);
    const held = bitsOf(x.data());
    const optimizer = g.optimizers[method]();
    const fn = () => (method === 'lbfgs' ? g.sum(g.log(x)) : g.log(x));
    assert.ok(Number.isNaN(optimizer.minimize(fn, { steps: 5 })));
    assert.equal(optimizer.stopReason, 'notFinite');
    assert.deepEqual(bitsOf(x.data()), held);
  });

  test(`${method}: what it cannot do is a typed error, and nothing changes`, async () => {
    const g = await init();
    const x = g.variable([1, 2], { name: 'x' });
    const y = g.variable([1, 2], { name: 'y', trainable: false });
    const optimizer = g.optimizers[method]();
    const loss = g.compile(problem(g, x, method));
    const things = [x, y];
    /** @type {[() => unknown, Function, RegExp][]} */
    const cases = [
      [() => optimizer.applyGradients(), GradientError, /takes no gradients.*use minimize/],
      [() => optimizer.minimize(loss, { variables: [y] }), GradientError, /nothing to train/],
      [() => optimizer.minimize(loss, { variables: [x, x] }), Error, /'x' is named twice/],
      [
        () => optimizer.minimize(() => g.sum(g.square(y)), { steps: 2 }),
        GradientError,
        /nothing to train/,
      ],
      [
        () => optimizer.minimize(/** @type {any} */ (5)),
        TypeError,
        /compiled program or a function/,
      ],
      [() => optimizer.minimize(loss, { steps: -1 }), OptionError, /steps must be/],
      [
        () => optimizer.minimize(loss, /** @type {any} */ ({ step: 1 })),
        TypeError,
        /have no 'step'/,
      ],
      [() => optimizer.setOptions({ maxEvaluations: 0 }), OptionError, /maxEvaluations is 0/],
      [() => optimizer.setOptions({ maxEvaluations: 2.5 }), OptionError, /a whole number/],
      [() => optimizer.setOptions({ momentum: 1 }), OptionError, /has no option 'momentum'/],
      [() => optimizer.setOptions({ toleranceChange: '1' }), TypeError, /must be a number/],
      [() => g.optimizers[method]({ toleranceGradient: Number.NaN }), OptionError, /is NaN|nan/i],
      [
        () =>
          optimizer.minimize(() => {
            const [first] = g.square(x).data();
            return g.mul(g.sum(x), first);
          }),
        RecordingError,
        /record/,
      ],
    ];
    for (const [call, Kind, message] of cases) {
      const objects = g.memory().objects;
      const bits = things.map((thing) => bitsOf(thing.data()));
      assert.throws(call, (error) => {
        assert.ok(error instanceof Kind, String(error));
        assert.match(/** @type {Error} */ (error).message, message);
        return true;
      });
      assert.equal(g.memory().objects, objects);
      assert.deepEqual(
        things.map((thing) => bitsOf(thing.data())),
        bits,
      );
    }
    assert.equal(optimizer.iterations, 0);
    optimizer.dispose();
    assert.throws(() => optimizer.minimize(loss), /is gone: it was disposed/);
    assert.match(String(optimizer), /disposed/);
  });
}

test('lbfgs wants a scalar loss; levenbergMarquardt takes residuals of any shape', async () => {
  const g = await init();
  const x = g.variable([
    [1, 2],
    [3, 4],
  ]);
  const residuals = () => g.sub(x, 2);
  assert.throws(() => g.optimizers.lbfgs().minimize(residuals), GradientError);
  const optimizer = g.optimizers.levenbergMarquardt();
  const loss = optimizer.minimize(residuals, { steps: 30 });
  assert.ok(loss < 1e-12);
  assert.deepEqual(
    [...x.data()].map((v) => Math.abs(v - 2) < 1e-6),
    [true, true, true, true],
  );
  assert.ok(optimizer.damping > 0);
});

test('a thousand steps of either leave no object and no byte behind', async () => {
  const g = await init();
  const x = g.variable(randomValues(20, random(3)));
  for (const method of METHODS) {
    const optimizer = g.optimizers[method]({ toleranceGradient: 0, toleranceChange: 0 });
    const loss = g.compile(problem(g, x, method));
    const values = randomValues(20, random(4));
    x.assign(values);
    for (let i = 0; i < 200; i++) optimizer.minimize(loss, { steps: 1 });
    const { bytes, objects } = g.memory();
    for (let i = 0; i < 800; i++) {
      if (i % 100 === 0) x.assign(values);
      optimizer.minimize(loss, { steps: 1 });
    }
    assert.equal(g.memory().objects, objects);
    assert.equal(g.memory().bytes, bytes);
  }
});

/* A spectrum of three Gaussian peaks, whose widths are known from the instrument: amplitudes and
 * centres are fitted. */
test('L-BFGS, Levenberg-Marquardt and Adam fit a spectrum with its known widths locked, and agree', async () => {
  const next = random(2024);
  const points = 120;
  const truth = [
    [4, 2.5, 0.4],
    [2, 5, 0.6],
    [3, 7.2, 0.5],
  ];
  const at = Float32Array.from({ length: points }, (_, i) => (10 * i) / (points - 1));
  const seen = at.map((t) => {
    const noise = (next() + next() + next() - 1.5) * 0.05;
    return truth.reduce((sum, [a, c, w]) => sum + a * Math.exp(-(((t - c) / w) ** 2) / 2), noise);
  });
  /** @type {Float32Array[]} */
  const fits = [];
  const losses = [];
  for (const method of /** @type {const} */ (['lbfgs', 'levenbergMarquardt', 'adam'])) {
    const g = await init();
    const peaks = g.variable([
      [3, 2.2, 0.4],
      [3, 5.3, 0.6],
      [3, 7, 0.5],
    ]);
    peaks.lock({ cols: [2] });
    const held = bitsOf(peaks.data());
    const t = g.tensor(at, [points, 1]);
    const y = g.tensor(seen);
    const residuals = () => {
      const [a, c, w] = g.split(peaks, 3, 1).map((column) => g.reshape(column, [1, 3]));
      const bells = g.exp(g.mul(-0.5, g.square(g.div(g.sub(t, c), w))));
      return g.sub(g.sum(g.mul(a, bells), 1), y);
    };
    const loss = () => g.mul(0.5, g.sum(g.square(residuals())));
    const options = { variables: [peaks] };
    if (method === 'adam') {
      const adam = g.optimizers.adam({ learningRate: 0.02 });
      adam.minimize(g.compile(loss), { ...options, steps: 1500 });
      adam.learningRate = 0.001;
      losses.push(adam.minimize(g.compile(loss), { ...options, steps: 500 }));
    } else if (method === 'lbfgs') {
      const lbfgs = g.optimizers.lbfgs();
      losses.push(lbfgs.minimize(g.compile(loss), { ...options, steps: 100 }));
      assert.ok(lbfgs.iterations < 60, `${lbfgs.iterations} steps`);
    } else {
      const levenberg = g.optimizers.levenbergMarquardt();
      losses.push(levenberg.minimize(g.compile(residuals), { ...options, steps: 100 }));
      assert.ok(levenberg.iterations < 25, `${levenberg.iterations} steps`);
    }
    const fit = peaks.data();
    for (const i of [2, 5, 8]) assert.equal(bitsOf(fit)[i], held[i]);
    fits.push(fit);
  }
  for (const [i, value] of fits[1].entries()) {
    // Losses in f32 tell points apart to the root of their rounding.
    assert.ok(Math.abs(fits[0][i] - value) < 2e-3, `lbfgs ${i}: ${fits[0][i]}, ${value}`);
    assert.ok(Math.abs(fits[2][i] - value) < 2e-3, `adam ${i}: ${fits[2][i]}, ${value}`);
    assert.ok(Math.abs(truth.flat()[i] - value) < 0.05, `${i}: ${value}`);
  }
  for (const loss of losses) assert.ok(Math.abs(loss - losses[1]) < 1e-5 * losses[1] + 1e-6);
});

test('random ops draw the same numbers throughout a call', async () => {
  const g = await init();
  const x = g.variable(randomValues(50, random(1)));
  const loss = g.compile(() => g.mean(g.square(g.sub(x, g.randomNormal([50], 0, 1, 3)))));
  const optimizer = g.optimizers.lbfgs();
  assert.ok(optimizer.minimize(loss, { steps: 20 }) < 1e-6);
  assert.ok(optimizer.minimize(loss, { steps: 0 }) > 0.1);
});

test('what L-BFGS learnt under other locks is in no state, and goes with the next step', async () => {
  const g = await init();
  const x = g.variable([3, -2, 1], { name: 'x' }).lock([0]);
  const loss = g.compile(() => g.sum(g.square(g.square(x))));
  const lbfgs = g.optimizers.lbfgs();
  const restored = () => {
    const other = g.optimizers.lbfgs();
    other.setState(lbfgs.toBytes({ also: [loss] }), { variables: [x], also: [loss] });
    return other.history;
  };
  lbfgs.minimize(loss, { steps: 4 });
  assert.deepEqual([lbfgs.history, restored()], [4, 4]);
  x.lock([1]);
  assert.deepEqual([lbfgs.history, restored()], [4, 0]);
  lbfgs.minimize(loss, { steps: 1 });
  assert.deepEqual([lbfgs.history, restored()], [1, 1]);
});

test('without steps a second-order method goes on until it stops by itself', async () => {
  const g = await init();
  for (const method of METHODS) {
    const x = g.variable([-1.2, 1]);
    const optimizer = g.optimizers[method]();
    optimizer.minimize(problem(g, x, method));
    assert.match(optimizer.stopReason, /^(gradient|change|resolution)$/, method);
    assert.ok(optimizer.iterations > 5 && optimizer.iterations < 100, method);
    for (const value of x.data()) assert.ok(Math.abs(value - 1) < 1e-3, `${method}: ${value}`);
  }
  const y = g.variable([0]);
  const adam = g.optimizers.adam();
  adam.minimize(() => g.sum(y));
  assert.equal(adam.iterations, 1);
});

test('levenbergMarquardt refuses a scalar loss and says what to give; one residual is [1]', async () => {
  const g = await init();
  const x = g.variable([3]);
  const fit = g.optimizers.levenbergMarquardt();
  const squares = () => g.sum(g.square(g.sub(x, 1)));
  assert.throws(
    () => fit.minimize(squares),
    (error) => error instanceof ShapeError && /residuals themselves.*\[1\]/.test(error.message),
  );
  assert.deepEqual([...x.data(), fit.iterations, fit.evaluations], [3, 0, 0]);
  assert.ok(fit.minimize(() => g.sub(x, 1)) < 1e-9);
});
