/* Losses as JavaScript offers them: options and defaults; and where they are better than a
 * formula written down as it stands. Values and gradients beside Keras's are in
 * golden-losses.test.js. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexError, init } from 'gradlock';
import { refuses } from './support.js';

const Y = [
  [1, 0],
  [0, 1],
];
const P = [
  [0.5, 0.5],
  [0.25, 0.75],
];

test('every loss gives the mean over samples, their sum, or each, by the name of the reduction', async () => {
  const g = await init();
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(g.losses))) {
    if (name === 'constructor') continue;
    const loss = /** @type {any} */ (g.losses)[name];
    const truth = name.startsWith('sparse') ? [0, 1] : Y;
    const each = loss(truth, P, { reduction: 'none' }).array();
    assert.equal(each.length, 2, name);
    const sum = loss(truth, P, { reduction: 'sum' }).array();
    assert.equal(sum, Math.fround(each[0] + each[1]), name);
    for (const options of [
      { reduction: 'mean' },
      { reduction: 'sumOverBatchSize' },
      {},
      undefined,
    ]) {
      assert.equal(loss(truth, P, options).array(), sum / 2, name);
    }
  }
});

test('[n] and [n, 1] meet sample by sample, not each with all', async () => {
  const g = await init();
  for (const [a, b] of [
    [
      [1, 2],
      [[1], [4]],
    ],
    [
      [[1], [2]],
      [1, 4],
    ],
  ]) {
    assert.equal(g.losses.meanSquaredError(a, b).array(), 2);
    assert.deepEqual(g.losses.meanSquaredError(a, b, { reduction: 'none' }).array(), [0, 4]);
  }
});

test('a loss of no samples is 0', async () => {
  const g = await init();
  const none = g.tensor(new Float32Array(0), [0, 3]);
  assert.equal(g.losses.meanSquaredError(none, none).array(), 0);
  assert.equal(g.losses.categoricalCrossentropy(none, none, { fromLogits: true }).array(), 0);
  assert.equal(g.losses.sparseCategoricalCrossentropy(new Float32Array(0), none).array(), 0);
});

test('losses from logits and their gradients are finite and exact however large the logits', async () => {
  const g = await init();
  const x = g.variable([100, -100, 20, 0]);
  const truth = [0, 1, 1, 1];
  const options = /** @type {const} */ ({ fromLogits: true, reduction: 'sum' });
  // 4 times the mean along the last axis; e^-20 is not lost beside 20.
  const { value, grads } = g.valueAndGrad(
    () => g.losses.binaryCrossentropy(truth, x, options),
    [x],
  );
  assert.ok(Math.abs(4 * value - (200 + Math.exp(-20) + Math.LN2)) < 1e-5);
  const [d] = grads;
  const slopes = [...d.data()].map((slope) => 4 * slope);
  assert.deepEqual([slopes[0], slopes[1], slopes[3]], [1, -1, -0.5]);
  assert.ok(Math.abs(slopes[2] / -Math.exp(-20) - 1) < 1e-6, `${slopes[2]}`);
  const [tail] = g.losses.binaryCrossentropy([1], [20], options).data();
  assert.ok(Math.abs(Number(tail) / Math.exp(-20) - 1) < 1e-6, `${tail}`);
});

test('a logit of -Infinity rules a class out', async () => {
  const g = await init();
  const x = g.variable([[0, Number.NEGATIVE_INFINITY, 0]]);
  const loss = () => g.losses.sparseCategoricalCrossentropy([0], x, { fromLogits: true });
  const { value, grads } = g.valueAndGrad(loss, [x]);
  assert.equal(value, Math.fround(Math.LN2));
  assert.deepEqual(grads[0].array(), [[-0.5, 0, 0.5]]);
});

test('the gradient of cosine similarity at a vector of zeros is finite', async () => {
  const g = await init();
  const x = g.variable([0, 0]);
  const { value, grads } = g.valueAndGrad(() => g.losses.cosineSimilarity([1, 0], x), [x]);
  assert.equal(value, 0);
  assert.ok(grads[0].data().every(Number.isFinite));
});

test('a label that names no class stops a program each time, and leaves its result as it was', async () => {
  const g = await init();
  const labels = g.variable([0, 1], { trainable: false });
  const x = g.variable(P);
  const program = g.compile(() => g.losses.sparseCategoricalCrossentropy(labels, x));
  const optimizer = g.optimizers.sgd({ learningRate: 0 });
  optimizer.minimize(program, { variables: [x] }); // plans the gradient
  const before = program.value();
  labels.assign([0, 2]);
  const says =
    /sparseCategoricalCrossentropy: label 1 of \[2\] is 2, expected a whole number from 0 to 1/;
  refuses(g, [x, labels], () => program.run(), IndexError, says);
  refuses(g, [x, labels], () => optimizer.minimize(program, { variables: [x] }), IndexError, says);
  labels.assign([0, 1]);
  assert.equal(program.value(), before);
});
