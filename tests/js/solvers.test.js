/* L-BFGS and Levenberg-Marquardt: what they find, what locks keep, what callbacks see, what is
 * refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradientError, init } from 'gradlock';
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

test('random ops draw the same numbers throughout a call', async () => {
  const g = await init();
  const x = g.variable(randomValues(50, random(1)));
  const loss = g.compile(() => g.mean(g.square(g.sub(x, g.randomNormal([50], 0, 1, 3)))));
  const optimizer = g.optimizers.lbfgs();
  assert.ok(optimizer.minimize(loss, { steps: 20 }) < 1e-6);
  assert.ok(optimizer.minimize(loss, { steps: 0 }) > 0.1);
});

test('a second-order method without steps goes on until it stops by itself', async () => {
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
