/* where(mask, gradient, 0)
 *
 * Article 003_09fec3fe32c26bef, "Basic Gradient Masking":
 *   masked_gradients = tf.where(mask, gradients, tf.zeros_like(gradients))
 *   optimizer.apply_gradients(zip([masked_gradients], [var]))
 * Its listing runs and prints what it should. Unlike a product, a choice keeps NaN out. But
 * "preventing any weight adjustments" holds for plain SGD only: an optimizer takes 0 for a gradient
 * like any other, so momentum and Adam go on moving what they moved before, and AdamW decays all of
 * it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import {
  assertRun,
  assertTensorFlow,
  FREE,
  golden,
  moved,
  NOTHING,
  START,
  taken,
  train,
  zip,
} from './recipe.js';

const tensorflow = golden('003-where-mask-gradient');
/** The article's mask: "True for elements to be updated, False otherwise". */
const MASK = [
  [true, false, true],
  [false, true, false],
];

test("the article's listing gives TensorFlow's numbers; so does a lock", async () => {
  const g = await init();
  const variable = g.variable([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const mask = g.tensor(FREE);
  const optimizer = g.optimizers.sgd({ learningRate: 0.1 });
  const tape = g.tape(() => g.sum(variable));
  const gradients = taken(tape.gradient(tape.value, variable));
  const maskedGradients = g.where(mask, gradients, 0);
  optimizer.applyGradients(zip([maskedGradients], [variable]));
  assertTensorFlow(variable.data(), tensorflow.printed);

  const x = g.variable(START);
  x.trainOnly(MASK);
  g.optimizers.sgd({ learningRate: 0.1 }).minimize(() => g.sum(x), { variables: [x] });
  assert.deepEqual(x.array(), variable.array());
});

for (const run of tensorflow.runs) {
  test(`${run.rule}: where(mask, gradient, 0) gives TensorFlow's numbers, and x.trainOnly moves no bit`, async () => {
    const g = await init();
    const chosen = train(g, run.rule, { change: (gradient) => g.where(FREE, gradient, 0) });
    assertRun(run, chosen);
    assert.equal(moved(chosen.locked, chosen.end).elements, run.rule === 'sgd' ? 0 : 3);

    const lock = train(g, run.rule, { hold: (x) => x.trainOnly(MASK) });
    assert.deepEqual(lock.locked, chosen.locked);
    assert.deepEqual(moved(lock.locked, lock.end), NOTHING);
  });
}

test('NaN in what is not chosen stays out, as it does of a lock', async () => {
  const g = await init();
  const poisoned = FREE.map((row, i) => row.map((free, j) => (free ? START[i][j] : Number.NaN)));
  const once = { warm: 0, steps: 1 };
  const change = (/** @type {import('gradlock').Tensor} */ gradient) => g.add(gradient, poisoned);
  const chosen = train(g, 'sgd', {
    ...once,
    change: (gradient) => g.where(FREE, change(gradient), 0),
  });
  assertTensorFlow(chosen.end, tensorflow.nan);
  const lock = train(g, 'sgd', { ...once, change, hold: (x) => x.trainOnly(MASK) });
  assert.deepEqual(lock.end, chosen.end);
});
