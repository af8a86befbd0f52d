/* What happens to who modifies a locked value.
 *
 * Article 000_c16e0d084a115cbe: "The default behavior when attempting to modify a locked value in
 * TensorFlow is to throw an error." What really happens:
 * - A variable with trainable=False can be assigned to, and an optimizer that is handed it trains
 *   it: no error.
 * - A constant has no assign at all (AttributeError), and neither it nor a variable takes x[0] = 3
 *   (TypeError). That is no lock: nothing in TensorFlow can be locked.
 * gradlock does what the article says: changing a locked element is an error that names it and
 * writes nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';
import { assertTensorFlow, golden, RULES } from './recipe.js';

const tensorflow = golden('000-modifying-a-locked-value');

test('trainable=False stops neither assign nor applyGradients, there or here', async () => {
  const g = await init();
  const fixed = g.variable([1, 2], { trainable: false });
  fixed.assign([3, 4]);
  assertTensorFlow(fixed.data(), tensorflow['assign to a variable with trainable=False'].returns);
  RULES.sgd(g).applyGradients([[[1, 1], fixed]]);
  assertTensorFlow(fixed.data(), tensorflow['the same variable, given to an optimizer']);
});

test('a constant has no assign, there or here', async () => {
  const g = await init();
  assert.equal(tensorflow['constant.assign'].raises, 'AttributeError');
  assert.equal(tensorflow['constant[0] = 3'].raises, 'TypeError');
  assert.equal(tensorflow['variable[0] = 3'].raises, 'TypeError');
  assert.ok(!('assign' in g.tensor([1, 2])));
});

test('assigning to a locked element throws LockedElementError, names it, and writes nothing', async () => {
  const g = await init();
  const x = g.variable([1, 2], { name: 'x' });
  x.lock([1]);
  assert.throws(
    () => x.assign([3, 4]),
    (error) => {
      assert.ok(error instanceof LockedElementError);
      assert.deepEqual(error.index, [1]);
      assert.match(error.message, /1 locked element of Variable 'x'/);
      return true;
    },
  );
  assert.deepEqual(x.array(), [1, 2]);

  // Equal bits are no change; an optimizer trains what is free and throws nothing.
  x.assign([3, 2]);
  RULES.sgd(g).applyGradients([[[1, 1], x]]);
  assert.deepEqual(Array.from(x.data()), [Math.fround(3 - Math.fround(0.1)), 2]);

  // Whoever means it says so.
  x.assign([3, 4], { force: true });
  x.fix([1], 5);
  assert.deepEqual(x.array(), [3, 5]);
});
