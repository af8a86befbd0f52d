/* tensor_scatter_nd_update with where and boolean_mask.
 *
 * Article 000_c16e0d084a115cbe, its second listing, "update locked values in a tensor during
 * backpropagation":
 *   mask = tf.constant([[0, 1, 0], [1, 0, 1]])  # "to specify which values are locked"
 *   updated_tensor = tf.tensor_scatter_nd_update(initial_tensor, tf.where(mask), tf.boolean_mask(updates, mask))
 * What really happens: the call works, and overwrites exactly the "locked" values. tf.Session is
 * gone (AttributeError). Nothing flows back: the tensors are int32, which have no gradient (None).
 * With floats it has one, to `updates` where the mask is 1 and to the initial tensor elsewhere, so
 * it can hold values: those of a constant, scattered into. What the model sees is then exact; the
 * variable behind it drifts on, unseen, until it is used again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';
import {
  assertTensorFlow,
  FREE,
  golden,
  halfSquare,
  LOCKED_INDICES,
  moved,
  NOTHING,
  RULES,
  START,
  taken,
  train,
} from './recipe.js';

/** @typedef {import('gradlock').Tensor} Tensor */

const tensorflow = golden('000-tensor-scatter-nd-update');
const INITIAL = [
  [1, 2, 3],
  [4, 5, 6],
];
const MASK = [
  [0, 1, 0],
  [1, 0, 1],
];
const UPDATES = [
  [9, 8, 7],
  [6, 5, 4],
];

test("the article's call gives TensorFlow's numbers: the masked values are the ones overwritten", async () => {
  const g = await init();
  const updatedTensor = g.tensorScatterNdUpdate(
    INITIAL,
    g.where(MASK),
    g.booleanMask(UPDATES, MASK),
  );
  assert.deepEqual(updatedTensor.array(), tensorflow.updated);
  assert.deepEqual(g.where(MASK).array(), tensorflow.where);
  assert.equal(tensorflow.session.raises, 'AttributeError');
  assert.deepEqual(tensorflow.integerGradients, [true, true]);
});

test("with floats its gradients are TensorFlow's", async () => {
  const g = await init();
  const [initial, updates] = [g.variable(INITIAL), g.variable(UPDATES)];
  const tape = g.tape(() => {
    const values = g.booleanMask(updates, MASK);
    return g.sum(g.mul(g.tensorScatterNdUpdate(initial, g.where(MASK), values), INITIAL));
  });
  const gradients = tape.gradient(tape.value, [initial, updates]);
  for (const [i, gradient] of gradients.entries()) {
    assertTensorFlow(taken(gradient).data(), tensorflow.gradients[i]);
  }
});

for (const rule of /** @type {const} */ (['sgd', 'momentum', 'adam', 'adamW'])) {
  test(`${rule}: scattered into a constant, what the model sees holds and the variable drifts; x.lock holds both`, async () => {
    const g = await init();
    let constant = g.tensor(START);
    const seen = (/** @type {Tensor} */ x) =>
      g.tensorScatterNdUpdate(constant, g.where(FREE), g.booleanMask(x, FREE));
    const trick = train(g, rule, {
      hold: (x) => {
        constant = g.tensor(x);
      },
      lossThen: (x) => halfSquare(g, seen(x)),
    });
    const end = seen(g.tensor(trick.end, [2, 3])).data();
    assert.deepEqual(moved(trick.locked, end), NOTHING);
    assert.equal(moved(trick.locked, trick.end).elements, rule === 'sgd' ? 0 : 3);

    const lock = train(g, rule, { hold: (x) => x.lock(LOCKED_INDICES) });
    assert.deepEqual(lock.locked, trick.locked);
    assert.deepEqual(moved(lock.locked, lock.end), NOTHING);
    // What is free goes the same way: nothing of a locked element leaks into it.
    assert.deepEqual(lock.end, end);
  });
}

test('to overwrite a locked element is an error, and to leave it out is one word', async () => {
  const g = await init();
  const x = g.variable(INITIAL, { name: 'x' });
  x.lock([[1, 0]]);
  const [indices, values] = [g.where(MASK), g.booleanMask(UPDATES, MASK)];
  assert.throws(() => x.scatterNdUpdate(indices, values), LockedElementError);
  assert.deepEqual(x.array(), INITIAL);

  // Training it meanwhile is no error: it stays.
  RULES.adam(g).minimize(() => g.sum(x), { variables: [x] });
  assert.equal(x.data()[3], 4);
  x.scatterNdUpdate(indices, values, { force: true });
  assert.equal(x.data()[3], 6);
});
