/* Multiply the gradient by a mask.
 *
 * Article 000_c16e0d084a115cbe, in words: "create a mask tensor that has the same shape as your
 * original tensor, with True values for the elements you want to lock", "multiplying the gradients
 * with the mask tensor before applying them to the optimizer". What really happens:
 * - The sense is reversed: a product with that mask keeps the gradients of exactly the elements
 *   that should be locked.
 * - TensorFlow 2.20 gives `float * bool` as a bool, without an error: the gradient becomes "not
 *   zero", and an optimizer takes that as 1. An integer mask raises InvalidArgumentError.
 * - With a mask of 0.0 and 1.0 it is exact for plain SGD. Momentum and Adam go on moving what they
 *   moved before, AdamW also decays it, and NaN * 0 is NaN. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, ShapeError } from 'gradlock';
import {
  assertRun,
  assertTensorFlow,
  FREE,
  golden,
  LOCKED_INDICES,
  moved,
  NOTHING,
  RULES,
  START,
  train,
} from './recipe.js';

const tensorflow = golden('000-mask-times-gradient');
const LOCK = FREE.map((row) => row.map((free) => free === 0));

test('taken at its word, the article trains the locked elements, by 1 instead of their gradients', async () => {
  const g = await init();
  assert.equal(tensorflow.boolean.dtype, 'bool');
  // gradient: 1.5 −3 6 / 3 −0.75 −3; as whole numbers, and then as booleans:
  const gradient = g.tensor(tensorflow.boolean.gradient, [2, 3]);
  const product = g.tensor(tensorflow.boolean.product);
  assert.deepEqual(
    product.array(),
    LOCK.map((row) => row.map(Number)),
  );

  const x = g.variable(START);
  RULES.sgd(g).applyGradients([[product, x]]);
  assertTensorFlow(x.data(), tensorflow.boolean.end);

  // Here booleans are the numbers 0 and 1, in any product.
  const lock = LOCK.map((row) => row.map(Number));
  assert.deepEqual(g.mul(gradient, lock).array(), [
    [0, -3, 0],
    [3, -0, -3],
  ]);
});

for (const run of tensorflow.runs) {
  test(`${run.rule}: gradient × mask gives TensorFlow's numbers`, async () => {
    const g = await init();
    const got = train(g, run.rule, { change: (gradient) => g.mul(gradient, FREE) });
    assertRun(run, got);

    const leak = moved(got.locked, got.end);
    if (run.rule === 'sgd') assert.deepEqual(leak, NOTHING);
    else assert.equal(leak.elements, 3, 'every "locked" element moved');
    // TensorFlow leaks as much.
    assert.equal(moved(...both(run)).elements, leak.elements);
  });

  test(`${run.rule}: x.lock moves none of their bits`, async () => {
    const g = await init();
    const got = train(g, run.rule, { hold: (x) => x.lock(LOCK) });
    assert.deepEqual(moved(got.locked, got.end), NOTHING);
  });
}

test('a NaN gradient of a locked element passes the mask, and no lock', async () => {
  const g = await init();
  const poisoned = FREE.map((row, i) => row.map((free, j) => (free ? START[i][j] : Number.NaN)));
  const change = (/** @type {import('gradlock').Tensor} */ gradient) => g.add(gradient, poisoned);
  const once = { warm: 0, steps: 1 };
  const masked = train(g, 'sgd', { ...once, change: (gradient) => g.mul(change(gradient), FREE) });
  assertTensorFlow(masked.end, tensorflow.nan);
  assert.equal(moved(masked.locked, masked.end).elements, 3);

  const locked = train(g, 'sgd', { ...once, change, hold: (x) => x.lock(LOCKED_INDICES) });
  assert.deepEqual(moved(locked.locked, locked.end), NOTHING);
});

test('an integer mask is an InvalidArgumentError there; here a mask of another shape is a ShapeError', async () => {
  const g = await init();
  assert.equal(tensorflow.integer.raises, 'InvalidArgumentError');
  assert.throws(() => g.variable(START).lock([[true, false, true]]), ShapeError);
});

/** @param {{ locked: number[], end: number[] }} run @returns {[Float32Array, Float32Array]} */
function both({ locked, end }) {
  return [Float32Array.from(locked), Float32Array.from(end)];
}
