/* Law 10 in JavaScript. The formulas are held against Keras's in tests/c/test_constraints.c. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConstraintError, IndexError, init, OptionError } from 'gradlock';
import { refuses, settle } from './support.js';

test('law 10: a lock beats a projection, element by element', async () => {
  const g = await init();
  const x = g.variable([1, 1, -5], { name: 'x' }).lock([2]);
  const sgd = g.optimizers.sgd({ learningRate: 1 }).constrain(x, { nonNegative: true });
  sgd.applyGradients([[[3, -3, 3], x]]);
  assert.deepEqual(Array.from(x.data()), [0, 4, -5]);
  sgd.constrain('x', { max: 2 }).applyGradients([[[1, 0, 1], x]]);
  assert.deepEqual(Array.from(x.data()), [-1, 2, -5]);
  sgd.constrain(x, { min: -1, max: 1 }).applyGradients([[[9, 0, 1], x]]);
  assert.deepEqual(Array.from(x.data()), [-1, 1, -5]);
  sgd.constrain(x, null).applyGradients([[[9, 0, 1], x]]);
  assert.deepEqual(Array.from(x.data()), [-10, 1, -5]);
});

test('law 10: norms are brought within their bound by the free part, in a compiled loop', async () => {
  const g = await init();
  const x = g.variable([
    [0.6, 3],
    [1, 4],
  ]);
  x.lock([[0, 0]]);
  const loss = g.compile(() => g.neg(g.sum(x)));
  const sgd = g.optimizers.sgd({ learningRate: 1 }).constrain(x, { maxNorm: 1, axis: 0 });
  sgd.minimize(loss, { steps: 5 });
  const [[a, b], [c, d]] = /** @type {number[][]} */ (x.array());
  assert.equal(a, Math.fround(0.6));
  assert.ok(Math.abs(c - 0.8) < 1e-6, `${c}`);
  assert.ok(Math.abs(Math.hypot(b, d) - 1) < 1e-6);
  sgd.constrain(x, { unitNorm: true, axis: [-1, 0] }).minimize(loss);
  const norm = Math.hypot(.../** @type {number[][]} */ (x.array()).flat());
  assert.ok(Math.abs(norm - 1) < 1e-6, `${norm}`);
});

test('law 10: what the free part cannot meet is a ConstraintError, and nothing changes', async () => {
  const g = await init();
  settle(g);
  const x = g.variable([3, 0, 0], { name: 'x' }).lock([0]);
  const loss = g.compile(() => g.sum(x));
  loss.value();
  for (const constraint of [{ maxNorm: 2 }, { unitNorm: /** @type {const} */ (true) }]) {
    const adam = g.optimizers.adam().constrain(x, constraint);
    const message = /variable 'x' \[3\]: the locked elements .* have norm 3/;
    assert.throws(() => adam.minimize(loss), ConstraintError); // makes room for gradients
    refuses(g, [x, adam], () => adam.minimize(loss), ConstraintError, message);
    refuses(g, [x, adam], () => adam.applyGradients([[[1, 1, 1], x]]), ConstraintError, message);
  }
});

test('bad constraints are refused', async () => {
  const g = await init();
  settle(g);
  const x = g.variable([1, 2]);
  const sgd = g.optimizers.sgd();
  const any = /** @type {any} */ (sgd);
  /** @type {[constraint: any, kind: Function, message: RegExp][]} */
  const cases = [
    [undefined, TypeError, /constraint/],
    ['nonNegative', TypeError, /constraint/],
    [{}, OptionError, /must be \{ nonNegative: true \}/],
    [{ axis: 0 }, OptionError, /must be/],
    [{ nonNegative: false }, OptionError, /must be/],
    [{ nonNegative: true, max: 1 }, OptionError, /must be/],
    [{ min: '0' }, TypeError, /min must be a number/],
    [{ min: 2, max: 1 }, OptionError, /low is 2 and high is 1/],
    [{ max: Number.NaN }, OptionError, /box/],
    [{ maxNorm: -1 }, OptionError, /maxNorm is -1/],
    [{ maxNorm: Number.NaN }, OptionError, /maxNorm is NaN/],
    [{ maxNorm: 1, axis: 1 }, IndexError, /axis 1 is out of range for shape \[2\]/],
    [{ unitNorm: true, axis: -2 }, IndexError, /axis -2/],
    [{ unitNorm: true, axis: 0.5 }, IndexError, /must be an integer/],
    [{ unitNorm: true, axis: '0' }, TypeError, /axis/],
  ];
  for (const [constraint, kind, message] of cases) {
    refuses(g, [x, sgd], () => any.constrain(x, constraint), kind, message);
  }
  refuses(g, [x, sgd], () => any.constrain(3, { max: 1 }), TypeError, /target must be a variable/);
});
