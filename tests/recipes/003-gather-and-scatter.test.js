/* Gather the gradients of some elements, scatter −lr·g.
 *
 * Article 003_09fec3fe32c26bef, "Custom Training Loop with Selective Updates":
 *   selected_gradients = tf.gather_nd(gradients, indices_to_update)
 *   var.scatter_nd_update(indices_to_update, -optimizer.learning_rate * selected_gradients)
 * What really happens: scatter_nd_update replaces. After the first of ten epochs the two elements
 * are −0.01, and stay there: nothing is subtracted from anything. With scatter_nd_add the loop does
 * what it says; but the Adam it makes is asked for its learning rate only. No moments, no bias
 * correction, no clipping: it is plain gradient descent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { assertTensorFlow, golden, moved, NOTHING, taken } from './recipe.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */

const tensorflow = golden('003-gather-and-scatter');
const INDICES_TO_UPDATE = [
  [0, 0],
  [1, 1],
];
/** Flat, of the elements that are not among them. */
const OTHERS = [1, 2, 3, 5];

/** @param {Gradlock} g */
const makeVariable = (g) =>
  g.variable([
    [1, 2, 3],
    [4, 5, 6],
  ]);

/** @param {boolean} adds */
async function loop(adds) {
  const g = await init();
  const variable = makeVariable(g);
  const optimizer = g.optimizers.adam({ learningRate: 0.01 });
  for (let epoch = 0; epoch < 10; epoch++) {
    const tape = g.tape(() => g.sum(variable));
    const gradients = taken(tape.gradient(tape.value, variable));
    const selected = g.gatherNd(gradients, INDICES_TO_UPDATE);
    const step = g.mul(-optimizer.learningRate, selected);
    if (adds) variable.scatterNdAdd(INDICES_TO_UPDATE, step);
    else variable.scatterNdUpdate(INDICES_TO_UPDATE, step);
  }
  assert.equal(optimizer.iterations, 0);
  return variable.data();
}

test("as written the loop gives TensorFlow's numbers: the elements are replaced by −lr·g", async () => {
  const end = await loop(false);
  assertTensorFlow(end, tensorflow.printed);
  assert.equal(end[0], Math.fround(-0.01));
});

test("added instead, it gives TensorFlow's numbers, which are those of plain SGD and not of Adam", async () => {
  const end = await loop(true);
  assertTensorFlow(end, tensorflow.added);

  const g = await init();
  const [sgd, adam] = [
    g.optimizers.sgd({ learningRate: 0.01 }),
    g.optimizers.adam({ learningRate: 0.01 }),
  ].map((optimizer) => {
    const x = makeVariable(g);
    x.trainOnly(INDICES_TO_UPDATE);
    // A gradient that changes tells the rules apart.
    optimizer.minimize(() => g.sum(x), { variables: [x], steps: 10 });
    return x.data();
  });
  assert.deepEqual(sgd, end);
  assert.notDeepEqual(adam, end);
});

test('x.trainOnly and Adam train these elements with all of Adam, and move no bit of the others', async () => {
  const g = await init();
  const x = makeVariable(g);
  x.trainOnly(INDICES_TO_UPDATE);
  const before = x.data();
  const adam = g.optimizers.adam({ learningRate: 0.01 });
  adam.minimize(
    g.compile(() => g.sum(g.square(x))),
    { steps: 10 },
  );
  assert.deepEqual(moved(before, x.data(), OTHERS), NOTHING);
  assert.equal(moved(before, x.data(), [0, 4]).elements, 2);
  assert.ok(adam.slot(x, 'v')[0] > 0);
});
