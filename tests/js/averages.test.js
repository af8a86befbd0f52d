/* Laws 15 and 16 in JavaScript: averages of locked elements, gradients that are pending. Their
 * arithmetic is compared with Keras's in golden-driver.test.js, and over all rules in
 * tests/c/test_averages.c. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, HandleError, init, OptionError } from 'gradlock';
import { refuses, settle } from './support.js';

test('law 16: the average of a locked element is the element, also right after locking', async () => {
  const g = await init();
  const x = g.variable([1, 2, 3]).lock([0]);
  const sgd = g.optimizers.sgd({ learningRate: 1, useEma: true, emaMomentum: 0.5 });
  assert.deepEqual(Array.from(sgd.average(x)), [1, 2, 3]);
  sgd.applyGradients([[[9, 1, 1], x]]);
  sgd.applyGradients([[[9, 1, 1], x]]);
  assert.deepEqual(Array.from(x.data()), [1, 0, 1]);
  assert.deepEqual(Array.from(sgd.average(x)), [1, 0.5, 1.5]);
  x.lock([2]);
  assert.deepEqual(Array.from(sgd.average(x)), [1, 0.5, 1]);
  x.fix(1, 7);
  assert.deepEqual(Array.from(sgd.average(x)), [1, 7, 1]);
});

test('law 16: overwriting by the average respects locks, in a compiled loop too', async () => {
  const g = await init();
  const x = g.variable([5, 5]).lock([0]);
  const loss = g.compile(() => g.sum(g.square(x)));
  const sgd = g.optimizers.sgd({
    learningRate: 0.25,
    useEma: true,
    emaMomentum: 0.5,
    emaOverwriteFrequency: 2,
  });
  sgd.minimize(loss, { steps: 2 });
  // 5, 2.5, 1.25, whose average after two steps is 1.875
  assert.deepEqual(Array.from(x.data()), [5, 1.875]);
  assert.deepEqual(Array.from(sgd.average(x)), [5, 1.875]);
});

test('law 15: what is pending for an element is dropped when it is locked', async () => {
  const g = await init();
  const x = g.variable([0, 0, 0]);
  const sgd = g.optimizers.sgd({ learningRate: 1, gradientAccumulationSteps: 2 });
  sgd.applyGradients([[[2, 2, 2], x]]);
  assert.deepEqual([Array.from(x.data()), sgd.iterations], [[0, 0, 0], 0]);
  x.lock([1]);
  sgd.applyGradients([[[4, 4, 4], x]]);
  assert.deepEqual([Array.from(x.data()), sgd.iterations], [[-3, 0, -3], 1]);
  sgd.applyGradients([[[2, 2, 2], x]]); // for element 1, dropped
  x.unlock('all');
  sgd.applyGradients([[[4, 4, 4], x]]);
  assert.deepEqual(Array.from(x.data()), [-6, -2, -6]);
});

test('a step trains the variables of the call that completes it; others lose what is pending', async () => {
  const g = await init();
  const [a, b] = [g.variable([0]), g.variable([0])];
  const sgd = g.optimizers.sgd({ learningRate: 1, gradientAccumulationSteps: 2 });
  for (const x of [a, b, a]) sgd.applyGradients([[[2], x]]);
  assert.deepEqual([a.item(), b.item(), sgd.iterations], [0, -1, 1]);
  sgd.applyGradients([[[4], a]]);
  assert.deepEqual([a.item(), b.item(), sgd.iterations], [-3, -1, 2]);
});

test('averages and constraints follow every call, also one that takes no step', async () => {
  const g = await init();
  const x = g.variable([-4, 4, -4]).lock([2]);
  const options = { learningRate: 1, useEma: true, emaMomentum: 0.5 };
  const sgd = g.optimizers.sgd(options).constrain(x, { max: 2 });
  sgd.applyGradients([[[0, 0, 0], x]]);
  assert.deepEqual(Array.from(sgd.average(x)), [-4, 4, -4]); // before the constraint
  assert.deepEqual(Array.from(x.data()), [-4, 2, -4]);
  sgd.applyGradients([[[-2, 0, 0], x]]);
  assert.deepEqual(Array.from(sgd.average(x)), [-3, 3, -4]);
  sgd.setOptions({ gradientAccumulationSteps: 2 });
  sgd.constrain(x, { nonNegative: true }).applyGradients([[[1, 1, 1], x]]);
  assert.deepEqual(Array.from(sgd.average(x)), [-2.5, 2.5, -4]);
  assert.deepEqual([Array.from(x.data()), sgd.iterations], [[0, 2, -4], 2]);
});

test('accumulated steps of minimize are steps on the mean, compiled or not', async () => {
  const g = await init();
  for (const compile of [true, false]) {
    const x = g.variable([4]);
    const fn = () => g.sum(g.square(x));
    const sgd = g.optimizers.sgd({ learningRate: 0.25, gradientAccumulationSteps: 3 });
    sgd.minimize(compile ? g.compile(fn) : fn, { steps: 7, variables: [x] });
    assert.deepEqual([x.data()[0], sgd.iterations], [1, 2]);
  }
});

test('options of averages and accumulation are live, and out of range refused', async () => {
  const g = await init();
  settle(g);
  const adam = g.optimizers.adam({ useEma: true, emaMomentum: 0.5 });
  adam.emaOverwriteFrequency = 10;
  adam.gradientAccumulationSteps = 4;
  assert.deepEqual(
    [adam.useEma, adam.emaMomentum, adam.emaOverwriteFrequency, adam.gradientAccumulationSteps],
    [true, 0.5, 10, 4],
  );
  /** @type {[options: any, kind: Function, message: RegExp][]} */
  const cases = [
    [{ useEma: 1 }, TypeError, /useEma must be a boolean, got 1/],
    [{ emaMomentum: 1 }, OptionError, /emaMomentum is 1, expected at least 0 and below 1/],
    [{ emaMomentum: Number.NaN }, OptionError, /emaMomentum is NaN/],
    [{ emaOverwriteFrequency: 1.5 }, OptionError, /is 1.5, expected a whole number/],
    [{ emaOverwriteFrequency: -1 }, OptionError, /is -1/],
    [{ gradientAccumulationSteps: 0 }, OptionError, /is 0, expected at least 1/],
    [{ gradientAccumulationSteps: 2.5 }, OptionError, /is 2.5, expected a whole number/],
    [{ gradientAccumulationSteps: null }, TypeError, /must be a number, got null/],
  ];
  for (const [options, kind, message] of cases) {
    refuses(g, [adam], () => adam.setOptions(options), kind, message);
    refuses(g, [adam], () => g.optimizers.sgd(options), kind, message);
  }
  const [x, other] = [g.variable([1]), (await init()).variable([1])];
  const any = /** @type {any} */ (adam);
  refuses(g, [adam, x], () => any.average(3), TypeError, /must be a variable, got 3/);
  refuses(g, [adam, x], () => any.average(other), HandleError, /another gradlock/);
  x.dispose();
  refuses(g, [adam], () => adam.average(x), DisposedError, /Variable is gone/);
});
