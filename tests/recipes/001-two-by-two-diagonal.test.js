/* The question: train x[0,0] and x[1,1] of a 2×2 variable, hold x[0,1] and x[1,0].
 *
 * Article 001_9476b80f7934358b: x = tf.Variable(tf.zeros([2, 2])); "trainable=False or
 * tf.stop_gradient() ... will make the all element in x as non-trainable. My question is how to
 * obtain this selectivity?" That much is true: the tape gives None for the whole variable.
 * TensorFlow's numbers here are those of the problem that has only the two elements, since
 * TensorFlow has no variable of which a part trains. gradlock has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradientError, init } from 'gradlock';
import { assertTensorFlow, golden, moved, NOTHING } from './recipe.js';

const tensorflow = golden('001-two-by-two-diagonal');
const TARGET = [
  [1, 2],
  [3, 4],
];

test('trainable: false and stopGradient hold the whole variable', async () => {
  const g = await init();
  const x = g.variable(
    [
      [0, 0],
      [0, 0],
    ],
    { trainable: false },
  );
  const sgd = g.optimizers.sgd();
  assert.throws(() => sgd.minimize(() => g.mean(g.square(g.sub(x, TARGET)))), GradientError);
  const stopped = () => g.mean(g.square(g.sub(g.stopGradient(x), TARGET)));
  const tape = g.tape(stopped);
  assert.equal(tape.gradient(tape.value, x), null);
  assert.equal(tensorflow.gradientOfUntrainable, null);
});

test('x.trainOnly trains the diagonal, as the problem that has only the diagonal', async () => {
  const g = await init();
  const x = g.variable([
    [0, 0],
    [0, 0],
  ]);
  x.trainOnly({
    indices: [
      [0, 0],
      [1, 1],
    ],
  });
  const before = x.data();
  const sgd = g.optimizers.sgd({ learningRate: 0.25, momentum: 0.5 });
  sgd.minimize(() => g.mean(g.square(g.sub(x, TARGET))), { variables: [x], steps: 20 });
  const after = x.data();
  assertTensorFlow([after[0], after[3]], tensorflow.diagonal);
  assert.deepEqual(moved(before, after, [1, 2]), NOTHING);
});
