/* Moving averages: variables that follow a value after each run, as running statistics do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';

const f = Math.fround;
/** Keras's form, each operation rounded. */
const average = (
  /** @type {number} */ old,
  /** @type {number} */ value,
  /** @type {number} */ decay,
) => f(f(f(old) * f(decay)) + f(f(value) * f(1 - f(decay))));

test('outside of a recording a variable follows at once, and its locked elements keep their bits', async () => {
  const g = await init();
  const v = g.variable([1, 2, Number.NaN, -0, 5], { trainable: false });
  v.lock([2, 3]);
  const before = v.data();
  g.assignMovingAverage(v, [10, 20, 30, 40, 50], 0.9);
  const after = v.data();
  assert.deepEqual(
    [after[0], after[1], after[4]],
    [average(1, 10, 0.9), average(2, 20, 0.9), average(5, 50, 0.9)],
  );
  assert.deepEqual(new Uint32Array(after.buffer)[2], new Uint32Array(before.buffer)[2]);
  assert.ok(Object.is(after[3], -0));
  g.assignMovingAverage(v, [1, 1, 1, 1, 1], 1);
  assert.deepEqual(v.data(), after, 'a decay of 1 changes nothing');
  g.assignMovingAverage(v, [Number.NaN, 7, 7, 7, Number.POSITIVE_INFINITY]);
  assert.deepEqual([...v.data()].map(Object.is.bind(null, Number.NaN)).slice(0, 1), [true]);
  assert.deepEqual(
    [...v.data()].slice(-1),
    [Number.POSITIVE_INFINITY],
    'of a decay of 0, whatever was there',
  );
});

test('a program moves it after each run, so that a run sees the value from before it', async () => {
  const g = await init();
  const count = g.variable(0, { trainable: false });
  const program = g.compile(() => {
    const next = g.add(count, 1);
    g.assignMovingAverage(count, next);
    return [g.mul(count, 1), next];
  });
  for (let run = 0; run < 3; run++) {
    assert.deepEqual(
      program.run().map((t) => t.item()),
      [run, run + 1],
    );
    assert.equal(count.item(), run + 1);
  }
  program.value();
  assert.equal(count.item(), 4);
});

test('a step of training moves it once, whatever is locked; measuring a loss does not', async () => {
  const g = await init();
  const w = g.variable([1, 2, 3]);
  const mean = g.variable(0, { trainable: false });
  const loss = g.compile(() => {
    const y = g.mul(w, [1, 2, 3]);
    g.assignMovingAverage(mean, g.mean(y), 0.5);
    return g.mean(g.square(y));
  });
  const optimizer = g.optimizers.sgd({ learningRate: 0.01 });
  optimizer.minimize(loss, { steps: 0 });
  assert.equal(mean.item(), 0);
  const first = g.mean(g.mul(w, [1, 2, 3])).item();
  optimizer.minimize(loss, { steps: 1 });
  assert.equal(mean.item(), average(0, first, 0.5), 'of the values before the step');
  w.lock('all');
  const second = g.mean(g.mul(w, [1, 2, 3])).item();
  const expected = average(average(mean.item(), second, 0.5), second, 0.5);
  optimizer.minimize(loss, { steps: 2, variables: [w] });
  assert.equal(mean.item(), expected);
  mean.lock('all');
  optimizer.minimize(loss, { steps: 2, variables: [w] });
  assert.equal(mean.item(), expected, 'held');
});

test('valueAndGrad moves it once, and gradients are as without', async () => {
  const g = await init();
  const w = g.variable([1, -2]);
  const kept = g.variable([0, 0], { trainable: false });
  const plain = () => g.sum(g.square(w));
  const moving = g.compile(() => {
    g.assignMovingAverage(kept, g.square(w));
    return plain();
  });
  const { grads } = g.valueAndGrad(moving, [w]);
  assert.deepEqual(grads[0]?.array(), [2, -4]);
  assert.deepEqual(kept.array(), [1, 4]);
  const eager = g.valueAndGrad(() => {
    g.assignMovingAverage(kept, g.mul(w, 3));
    return plain();
  }, [w]);
  assert.deepEqual(eager.grads[0]?.array(), [2, -4]);
  assert.deepEqual(kept.array(), [3, -6]);
});
