/* A constant beside two variables, and stop_gradient.
 *
 * Article 000_c16e0d084a115cbe, its first listing: minimize (variable1 − locked_value)² +
 * variable2² by Adam, and call locked_value = tf.stop_gradient(locked_value) after every step, "to
 * exclude it from the list of trainable variables". What really happens: a constant never was in
 * that list; without stop_gradient all numbers are the same bits. It holds whole tensors only, and
 * holds them for good. In gradlock a value that is held is an element like the others, until it is
 * unlocked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { assertTensorFlow, golden, moved, NOTHING, zip } from './recipe.js';

const tensorflow = golden('000-constant-and-stop-gradient');
/**
 * The steps whose numbers the golden file has: loss, variable1, variable2, locked_value. @type
 * {number[]}
 */
const STEPS = tensorflow.steps;

/** @param {boolean} stops */
async function loop(stops) {
  const g = await init();
  let lockedValue = g.tensor(5);
  const variable1 = g.variable(1);
  const variable2 = g.variable(2);
  const lossFunction = () => g.add(g.square(g.sub(variable1, lockedValue)), g.square(variable2));

  const optimizer = g.optimizers.adam();
  /** @type {number[]} */
  const rows = [];
  for (let i = 0; i < 100; i++) {
    const tape = g.tape(() => lossFunction());
    const loss = tape.value;
    const gradients = tape.gradient(loss, [variable1, variable2]);
    optimizer.applyGradients(zip(gradients, [variable1, variable2]));
    if (stops) lockedValue = g.stopGradient(lockedValue);
    if (STEPS.includes(i + 1)) {
      rows.push(loss.item(), variable1.item(), variable2.item(), lockedValue.item());
    }
  }
  return rows;
}

test("the article's loop gives TensorFlow's numbers, with stop_gradient and without", async () => {
  const rows = await loop(true);
  // The loss is a sum of squares of what Adam moved: its slope, at most 8, comes on top of the
  // path.
  assertTensorFlow(rows, tensorflow.rows, { path: 8 * 0.1 });
  assert.equal(tensorflow.sameWithoutStopGradient, true);
  assert.deepEqual(await loop(false), rows);
});

test('one variable with a locked element trains the same, and can be unlocked', async () => {
  const g = await init();
  const x = g.variable([1, 2, 5]);
  x.lock([2]);
  const at = (/** @type {number} */ i) => g.slice(x, i, 1);
  const loss = () => g.sum(g.add(g.square(g.sub(at(0), at(2))), g.square(at(1))));
  const before = x.data();
  const last = g.optimizers.adam().minimize(loss, { variables: [x], steps: 100 });
  assert.deepEqual([last, ...x.data()], (await loop(true)).slice(-4));
  assert.deepEqual(moved(before, x.data(), [2]), NOTHING);

  x.unlock('all');
  g.optimizers.adam().minimize(loss, { variables: [x] });
  assert.equal(moved(before, x.data(), [2]).elements, 1);
});
