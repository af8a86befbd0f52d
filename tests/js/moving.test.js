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
