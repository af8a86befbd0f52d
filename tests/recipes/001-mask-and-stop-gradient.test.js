/* mask * x + stop_gradient((1 - mask) * x)
 *
 * Article 001_9476b80f7934358b, the first answer:
 *   x = tf.Variable(tf.zeros([2, 2]))
 *   mask = tf.constant([[1, 0], [0, 1]], dtype=x.dtype)
 *   x = mask * x + tf.stop_gradient((1 - mask) * x)
 * What really happens today: the last line makes x a tensor. Computed before the tape it has no
 * gradient to the variable (None), and no optimizer takes it (AttributeError); without dtype= the
 * mask is int32 and the product raises InvalidArgumentError. Computed inside of the tape, under a
 * name of its own, it makes the gradients of the masked elements 0, so it leaks like a zeroed
 * gradient: to momentum and Adam once they moved, to AdamW at once, and to NaN. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradientError, init } from 'gradlock';
import {
  assertRun,
  assertTensorFlow,
  FREE,
  golden,
  halfSquare,
  LOCKED_INDICES,
  moved,
  NOTHING,
  START,
  TARGET,
  train,
} from './recipe.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const TARGET_2X2 = [
  [1, 2],
  [3, 4],
];
const tensorflow = golden('001-mask-and-stop-gradient');

/**
 * The trick's line.
 * @param {Gradlock} g
 * @param {Tensor} x
 * @param {import('gradlock').TensorLike} mask
 */
const masked = (g, x, mask) => g.add(g.mul(mask, x), g.stopGradient(g.mul(g.sub(1, mask), x)));

test('computed once, before the loss, it leaves nothing to train', async () => {
  const g = await init();
  const x = g.variable([
    [0, 0],
    [0, 0],
  ]);
  const mask = g.tensor([
    [1, 0],
    [0, 1],
  ]);
  const tensor = masked(g, x, mask);
  const tape = g.tape(() => g.mean(g.square(g.sub(tensor, TARGET_2X2))));
  assert.equal(tape.gradient(tape.value, x), null);
  // minimize asks for more than null.
  const loss = () => g.sum(tensor);
  assert.throws(() => g.optimizers.sgd().minimize(loss, { variables: [x] }), GradientError);

  assert.equal(tensorflow.asWritten.gradientIsNone, true);
  assert.equal(tensorflow.asWritten.type, 'EagerTensor');
  assert.equal(tensorflow.asWritten.apply.raises, 'AttributeError');
  assert.equal(tensorflow.maskWithoutDtype.raises, 'InvalidArgumentError');
});

for (const run of tensorflow.runs) {
  test(`${run.rule}: inside of the loss it gives TensorFlow's numbers`, async () => {
    const g = await init();
    const got = train(g, run.rule, { warm: 0, lossThen: (x) => halfSquare(g, masked(g, x, FREE)) });
    assertRun(run, got);
    assert.equal(moved(got.locked, got.end).elements, run.rule === 'adamW' ? 3 : 0);
  });

  test(`${run.rule}: after a few free steps it leaks, and x.lock does not`, async () => {
    const g = await init();
    const trick = train(g, run.rule, { lossThen: (x) => halfSquare(g, masked(g, x, FREE)) });
    assert.equal(moved(trick.locked, trick.end).elements, run.rule === 'sgd' ? 0 : 3);

    const lock = train(g, run.rule, { hold: (x) => x.lock(LOCKED_INDICES) });
    assert.deepEqual(lock.locked, trick.locked);
    assert.deepEqual(moved(lock.locked, lock.end), NOTHING);
  });
}

test('NaN * 0 is NaN: one bad target spoils the masked elements, and no locked one', async () => {
  const g = await init();
  const target = FREE.map((row, i) => row.map((free, j) => (free ? TARGET[i][j] : Number.NaN)));
  const loss = (/** @type {Tensor} */ x) => g.div(g.sum(g.square(g.sub(x, target))), 2);
  const trick = train(g, 'sgd', { warm: 0, steps: 1, lossThen: (x) => loss(masked(g, x, FREE)) });
  assertTensorFlow(trick.end, tensorflow.nan);
  assert.equal(moved(trick.locked, trick.end).elements, 3);

  const hold = (/** @type {import('gradlock').Variable} */ x) => x.lock(LOCKED_INDICES);
  const lock = train(g, 'sgd', { warm: 0, steps: 1, hold, lossThen: loss });
  assert.deepEqual(moved(lock.locked, lock.end), NOTHING);
  assert.deepEqual(Array.from(lock.locked), START.flat());
});
