/* Moving averages: variables that follow a value after each run, as running statistics do. What
 * they become, and what locks keep of them, is tests/c/test_moving_average.c's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';

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
