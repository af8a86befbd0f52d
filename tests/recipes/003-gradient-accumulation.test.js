/* Gradient accumulation over micro-batches.
 *
 * Article 003_09fec3fe32c26bef names it among the "advanced concepts"; here as it is commonly
 * written: add up the gradients of four parts of a batch, then step once. What really happens to a
 * lock in between: what an element collected before it was "locked" by a mask is pending, and is
 * applied. Keras's own gradient_accumulation_steps, in the golden file, moves the masked element
 * so. In gradlock gradients are judged when they are applied: a locked element takes none, however
 * they were collected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { Draws } from '../golden/golden.js';
import { assertTensorFlow, golden, moved, NOTHING } from './recipe.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const tensorflow = golden('003-gradient-accumulation');
const START = [[0.5], [-0.25], [1]];

/** @param {Gradlock} g */
const problem = (g) => {
  const w = g.variable(START, { name: 'w' });
  const features = g.tensor(new Draws(5).array([8, 3]), [8, 3]);
  const labels = g.tensor(new Draws(6).array([8, 1]), [8, 1]);
  /** The gradient of the mean squared residual of two rows. */
  const gradientOf = (/** @type {number} */ part) => {
    const [x, y] = [features, labels].map((t) => g.slice(t, [2 * part], [2]));
    return g.valueAndGrad(() => g.mean(g.square(g.sub(g.matMul(x, w), y))), [w]).grads[0];
  };
  return { w, gradientOf };
};

test("four micro-batches a step give TensorFlow's numbers", async () => {
  const g = await init();
  const { w, gradientOf } = problem(g);
  const optimizer = g.optimizers.adam({ learningRate: 0.01 });
  for (let step = 0; step < 5; step++) {
    /** @type {Tensor} */
    let accumulated = g.tensor([[0], [0], [0]]);
    for (let part = 0; part < 4; part++) {
      accumulated = g.add(accumulated, g.div(gradientOf(part), 4));
    }
    optimizer.applyGradients([[accumulated, w]]);
  }
  assertTensorFlow(w.data(), tensorflow.end, { path: 5 * 0.01 });
});

/**
 * One accumulated step, element 1 being held after two of four micro-batches.
 * @param {Gradlock} g
 * @param {'mask' | 'lock'} how
 */
const heldMidway = (g, how) => {
  const { w, gradientOf } = problem(g);
  const before = w.data();
  /** @type {Tensor} */
  let accumulated = g.tensor([[0], [0], [0]]);
  for (let part = 0; part < 4; part++) {
    if (how === 'lock' && part === 2) w.lock([1]);
    const mask = how === 'mask' && part >= 2 ? [[1], [0], [1]] : [[1], [1], [1]];
    accumulated = g.add(accumulated, g.mul(gradientOf(part), mask));
  }
  g.optimizers.sgd({ learningRate: 0.1 }).applyGradients([[g.div(accumulated, 4), w]]);
  return { before, after: w.data() };
};

test('masked after two parts, the element moves by what was pending; locked, it does not', async () => {
  const g = await init();
  const masked = heldMidway(g, 'mask');
  assertTensorFlow(masked.before, tensorflow.keras.locked);
  // The sums of two matrix products and of four parts are rounded in another order there.
  assertTensorFlow(masked.after, tensorflow.keras.end, { roundings: 16 });
  assert.equal(moved(masked.before, masked.after, [1]).elements, 1);

  const locked = heldMidway(g, 'lock');
  assert.deepEqual(moved(locked.before, locked.after, [1]), NOTHING);
  assert.equal(moved(locked.before, locked.after, [0, 2]).elements, 2);
});
