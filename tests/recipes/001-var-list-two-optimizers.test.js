/* A list of variables for each optimizer.
 *
 * Article 001_9476b80f7934358b, the second answer: v1 is frozen in one op, v2 in another, v3 always
 * trains,
 *   optimizer = tf.train.GradientDescentOptimizer(0.1)
 *   op1 = optimizer.minimize(loss, var_list=[v for v in tf.get_collection(tf.TRAINABLE_VARIABLES) if v != v1])
 *   op2 = optimizer.minimize(loss, var_list=[v for v in tf.get_collection(tf.TRAINABLE_VARIABLES) if v != v2])
 * "this might require 2 separate optimizers if you are using Adam ... (and you will end up with
 * separate statistics per optimizer!)". What really happens today: tf.train and tf.get_collection
 * are gone (AttributeError; the numbers come from tf.compat.v1); v != v1 compares values in
 * TensorFlow 2, so it also drops whatever equals v1 at the moment, and raises ValueError for
 * arrays. With Adam, two optimizers keep two sets of statistics for v3; one optimizer keeps one,
 * but counts the steps of v1 and v2 as taken while they were frozen. With locks there is one set,
 * and every element has its own count. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { assertTensorFlow, golden, moved, NOTHING } from './recipe.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */

const tensorflow = golden('001-var-list-two-optimizers');

/** @param {Gradlock} g */
const problem = (g) => {
  const v1 = g.variable([1, -2], { name: 'v1' }); // we want to freeze it in one op
  const v2 = g.variable([0.5, 3], { name: 'v2' }); // we want to freeze it in another op
  const v3 = g.variable([3, -1], { name: 'v3' }); // we always want to train this one
  const loss = g.compile(() => g.sum(g.square(g.sub(g.add(v1, g.mul(v2, 2)), v3))));
  return { v1, v2, v3, loss, all: [v1, v2, v3] };
};

// TensorFlow 1 adds 1e-8 where Keras 3 and gradlock add 1e-7.
const adam = (/** @type {Gradlock} */ g) =>
  g.optimizers.adam({ learningRate: 0.05, epsilon: 1e-8 });

/**
 * The answer's two ops, run in turn, three times each: all values after each.
 * @param {(g: Gradlock) => import('gradlock').Optimizer} make
 */
async function inTurn(make) {
  const g = await init();
  const { v1, v2, loss, all } = problem(g);
  const [first, second] = [make(g), make(g)];
  /** @type {number[]} */
  const rows = [];
  for (let i = 0; i < 3; i++) {
    first.minimize(loss, { variables: all.filter((v) => v !== v1) });
    rows.push(...all.flatMap((v) => Array.from(v.data())));
    second.minimize(loss, { variables: all.filter((v) => v !== v2) });
    rows.push(...all.flatMap((v) => Array.from(v.data())));
  }
  return rows;
}

test("two lists give TensorFlow's numbers, with gradient descent and with Adam", async () => {
  const sgd = await inTurn((g) => g.optimizers.sgd({ learningRate: 0.05 }));
  assertTensorFlow(sgd, tensorflow.sgd);
  assertTensorFlow(await inTurn(adam), tensorflow.adamTwo, { path: 6 * 0.05 });
});

test('the listing itself no longer runs, and its != compares values', () => {
  assert.equal(tensorflow.asWritten.raises, 'AttributeError');
  assert.equal(tensorflow.collection.raises, 'AttributeError');
  // Of three scalars 1, 1 and 2, leaving out the first leaves out the second as well.
  assert.deepEqual(tensorflow.indicesOfScalarsNotEqualToTheFirst, [2]);
  assert.equal(tensorflow.arrays.raises, 'ValueError');
});

test('with Adam each way has other statistics: v3 ends elsewhere with one optimizer than with two', async () => {
  const [two, one] = [tensorflow.adamTwo, tensorflow.adamOne].map((rows) => rows.slice(-2));
  for (const i of [0, 1]) assert.ok(Math.abs(two[i] - one[i]) > 1e-4);

  // Two optimizers: v3 has two first moments, neither of which saw all gradients.
  const g = await init();
  const { v1, v2, v3, loss, all } = problem(g);
  const [first, second] = [adam(g), adam(g)];
  first.minimize(loss, { variables: all.filter((v) => v !== v1) });
  second.minimize(loss, { variables: all.filter((v) => v !== v2) });
  assert.notDeepEqual(first.slot(v3, 'm'), second.slot(v3, 'm'));
  assert.deepEqual(
    [first, second].map((optimizer) => optimizer.clock(v3)[0]),
    [1, 1],
  );
});

test('one optimizer and locks: one set of statistics, frozen variables to the bit, each with its own count', async () => {
  const g = await init();
  const { v1, v2, loss, all } = problem(g);
  const optimizer = adam(g);
  for (let i = 0; i < 6; i++) {
    const [frozen, free] = i % 2 === 0 ? [v1, v2] : [v2, v1];
    free.unlock('all');
    frozen.lock('all');
    const before = frozen.data();
    optimizer.minimize(loss, { variables: all });
    assert.deepEqual(moved(before, frozen.data(), [0, 1]), NOTHING);
  }
  const clocks = all.map((v) => Array.from(optimizer.clock(v)));
  assert.deepEqual(clocks, [
    [3, 3],
    [3, 3],
    [6, 6],
  ]);
});

test('below a whole variable a list cannot go, and a lock can', async () => {
  const g = await init();
  const { v1, loss, all } = problem(g);
  const before = v1.data();
  v1.lock([0]);
  adam(g).minimize(loss, { variables: all, steps: 5 });
  assert.deepEqual(moved(before, v1.data(), [0]), NOTHING);
  assert.equal(moved(before, v1.data(), [1]).elements, 1);
});
