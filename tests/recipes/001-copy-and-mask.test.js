/* X'·M + (1 − M)·X, with a copy X' that does not train.
 *
 * Article 001_9476b80f7934358b, the end of the second answer, M being 1 "where you want to stop
 * updates":
 *   x = tf.Variable( ... )
 *   xp= tf.Variable( ..., trainable=False)
 *   m = tf.Constant( ... ) # mask
 *   cp= tf.Assign(x, xp)
 *   with tf.control_dependencies([cp]):
 *     x_frozen = m*xp + (1-m)*x
 * What really happens: there is no tf.Constant and no tf.Assign (AttributeError; tf.constant and
 * tf.compat.v1.assign there are), and the assignment goes the wrong way. It overwrites x with xp
 * before every step, so nothing trains: SGD and Adam end where their first step ended. As meant, xp
 * takes the values of x; then each step copies the whole variable, and since all that is stopped is
 * a gradient, momentum, Adam and decay leak into x and, by the copy, into x_frozen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
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
  train,
} from './recipe.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const tensorflow = golden('001-copy-and-mask');
const M = FREE.map((row) => row.map((free) => 1 - free));

/**
 * @param {Gradlock} g
 * @param {Tensor} x
 * @param {Tensor} xp
 */
const frozen = (g, x, xp) => g.add(g.mul(M, xp), g.mul(g.sub(1, M), x));

/** The rules of TensorFlow 1: its Adam adds 1e-8. */
const MAKERS = /** @type {const} */ ({
  sgd: RULES.sgd,
  momentum: RULES.momentum,
  adam: (/** @type {Gradlock} */ g) => g.optimizers.adam({ learningRate: 0.01, epsilon: 1e-8 }),
});

/**
 * Four steps, each behind a copy: x after each.
 * @param {keyof typeof MAKERS} rule
 * @param {'asWritten' | 'asMeant'} copy
 */
async function run(rule, copy) {
  const g = await init();
  const x = g.variable(START);
  const xp = g.variable(g.mul(START, 10), { trainable: false });
  const optimizer = MAKERS[rule](g);
  /** @type {number[]} */
  const rows = [];
  for (let i = 0; i < 4; i++) {
    if (copy === 'asWritten') x.assign(xp);
    else xp.assign(x);
    optimizer.minimize(() => halfSquare(g, frozen(g, x, xp)));
    rows.push(...x.data());
  }
  return rows;
}

for (const rule of /** @type {const} */ (['sgd', 'momentum', 'adam'])) {
  // TensorFlow 1 accumulates gradients and multiplies by the rate last, Keras and gradlock
  // accumulate steps: three roundings a step differ.
  const slack = { sgd: {}, momentum: { roundings: 4 * 3 }, adam: { path: 4 * 0.01 } }[rule];

  test(`${rule}: as written it gives TensorFlow's numbers, and never gets further than a step`, async () => {
    const rows = await run(rule, 'asWritten');
    assertTensorFlow(rows, tensorflow.asWritten[rule], slack);
    if (rule === 'sgd') assert.deepEqual(rows.slice(0, 6), rows.slice(-6));
    assert.equal(tensorflow.constant.raises, 'AttributeError');
    assert.equal(tensorflow.assign.raises, 'AttributeError');
  });

  test(`${rule}: with the copy as meant it gives TensorFlow's numbers`, async () => {
    const rows = await run(rule, 'asMeant');
    assertTensorFlow(rows, tensorflow.asMeant[rule], slack);
  });
}

for (const rule of /** @type {const} */ (['sgd', 'momentum', 'adam', 'adamW'])) {
  test(`${rule}: after a few free steps the copy leaks what x leaks, and x.lock nothing`, async () => {
    const g = await init();
    const xp = g.variable(START, { trainable: false });
    const trick = train(g, rule, {
      beforeStep: (x) => xp.assign(x),
      lossThen: (x) => halfSquare(g, frozen(g, x, xp)),
    });
    assert.equal(moved(trick.locked, trick.end).elements, rule === 'sgd' ? 0 : 3);

    const lock = train(g, rule, { hold: (x) => x.lock(LOCKED_INDICES) });
    assert.deepEqual(moved(lock.locked, lock.end), NOTHING);
  });
}

test('even a copy made once is a product: −0 becomes 0, and NaN in x comes through', async () => {
  const g = await init();
  const kept = g.tensor([
    [-0, 2],
    [3, 4],
  ]);
  const [mask, none] = [
    [
      [1, 1],
      [1, 1],
    ],
    [
      [0, 0],
      [0, 0],
    ],
  ];
  const x = g.tensor([
    [1, Number.NaN],
    [Infinity, 0],
  ]);
  const sum = g.add(g.mul(mask, kept), g.mul(none, x));
  assert.deepEqual(moved(kept.data(), sum.data(), [0, 1, 2, 3]).elements, 3);
  assert.ok(Object.is(sum.data()[0], 0) && Number.isNaN(sum.data()[1]));
});
