/* Reductions as JavaScript offers them; C's samples hold every row to exact values, gradients and
 * refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, IndexError, init, ShapeError } from 'gradlock';
import { testRefusals, testResults } from './op-tables.js';

const M = [
  [1, 5, 3],
  [4, 2, 6],
];
const EMPTY = new Float32Array(0);

testResults([
  [(g) => g.sum(g.reshape(EMPTY, [0, 3]), 0), '[0,0,0]'],
  [(g) => g.prod(M), '720'],
  [(g) => g.prod(M, 0), '[4,10,18]'],
  [(g) => g.prod(M, [-1], true), '[[15],[48]]'],
  [(g) => g.prod(EMPTY), '1'],
  [(g) => g.max(M), '6'],
  [(g) => g.max(M, 1), '[5,6]'],
  [(g) => g.max(M, null, true), '[[6]]'],
  [(g) => g.max([1, Number.NaN]), 'NaN'],
  [(g) => g.min(M, [0]), '[1,2,3]'],
  [(g) => g.min(M, [0, 1]), '1'],
  [(g) => g.min(7), '7'],
  [(g) => g.argMax(M), '[1,0,1]'],
  [(g) => g.argMax(M, -1), '[1,2]'],
  [(g) => g.argMax([2, 7, Number.NaN, 7]), '1'],
  [(g) => g.argMin(M, 1), '[0,1]'],
  [(g) => g.argMin([Number.NaN, Number.NaN]), '0'],
  [(g) => g.cumsum([1, 2, 3]), '[1,3,6]'],
  [(g) => g.cumsum([1, 2, 3], 0, true), '[0,1,3]'],
  [(g) => g.cumsum([1, 2, 3], -1, false, true), '[6,5,3]'],
  [(g) => g.cumsum(M, 0), '[[1,5,3],[5,7,9]]'],
  [(g) => g.all(M), '1'],
  [
    (g) =>
      g.all(
        [
          [1, 0],
          [1, 1],
        ],
        0,
      ),
    '[1,0]',
  ],
  [(g) => g.all(EMPTY), '1'],
  [
    (g) =>
      g.any(
        [
          [1, 0],
          [0, 0],
        ],
        1,
      ),
    '[1,0]',
  ],
  [(g) => g.any(g.greater(M, 5), 0, true), '[[0,0,1]]'],
  [(g) => g.any(EMPTY), '0'],
  [(g) => g.sum(M, []), '[[1,5,3],[4,2,6]]'],
  [(g) => g.mean(M, [], true), '[[1,5,3],[4,2,6]]'],
  [(g) => g.max(M, []), '[[1,5,3],[4,2,6]]'],
  [(g) => g.min(7, []), '7'],
  [(g) => g.prod([2, -0], []), '[2,-0]'],
  [(g) => g.all([2, 0], []), '[1,0]'],
  [(g) => g.any([2, 0], []), '[1,0]'],
  [(g) => g.logSumExp([2, -3], []), '[2,-3]'],
  [(g) => g.variance([2, -3], []), '[0,0]'],
  [(g) => g.l2Norm([2, -3], []), '[2,3]'],
  [(g) => g.sum(M, null), '21'],
  [(g) => g.logSumExp([1000, Number.NEGATIVE_INFINITY]), '1000'],
  [(g) => g.logSumExp([[0], [0]], 1), '[0,0]'],
  [(g) => g.variance([1, 2, 3, 4]), '1.25'],
  [(g) => g.variance(M, 0, true), '[[2.25,2.25,2.25]]'],
  [(g) => g.l2Norm([3, -4]), '5'],
  [
    (g) =>
      g.l2Norm(
        [
          [3, 5],
          [4, 12],
        ],
        0,
      ),
    '[5,13]',
  ],
]);

testRefusals([
  [(g) => g.max(EMPTY), ShapeError, /^max: shape \[0\] has nothing to choose from/],
  [(g) => g.min([[], []], -1), ShapeError, /^min: shape \[2,0\] has nothing/],
  [(g) => g.logSumExp(EMPTY), ShapeError, /^logSumExp: shape \[0\] has nothing/],
  [(g) => g.argMax(EMPTY), ShapeError, /^argMax: shape \[0\] has nothing/],
  [(g) => g.argMin([[], []], 1), ShapeError, /^argMin: shape \[2,0\] has nothing/],
  [(g) => g.max(M, 2), IndexError, /^max: an axis is 2, expected -2 to 1/],
  [(g) => g.prod(M, [0, -2]), IndexError, /^prod: axis 0 is named twice/],
  [(g) => g.argMax(3), IndexError, /^argMax: a tensor of rank 0 has no axes/],
  [(g) => g.argMax(M, -3), IndexError, /^argMax: an axis is -3, expected -2 to 1/],
  [(g) => g.argMin(M, 0.5), IndexError, /axis must be an integer, got 0.5/],
  [(g, any) => g.argMin(M, any([0])), TypeError, /axis must be a number, got an array/],
  [(g) => g.cumsum(1), IndexError, /^cumsum: a tensor of rank 0 has no axes/],
  [(g, any) => g.cumsum(M, 0, any(1)), TypeError, /exclusive must be true or false, got 1/],
  [(g, any) => g.cumsum(M, 0, false, any('no')), TypeError, /reverse must be true or false/],
  [
    (g, any) => g.l2Norm(M, null, any(0)),
    TypeError,
    /^l2Norm: keepDims must be true or false, got 0/,
  ],
]);

test('every refusal of a reduction is a GradlockError with the code of C', async () => {
  const g = await init();
  assert.throws(
    () => g.max(EMPTY),
    (error) => error instanceof GradlockError && error.code === 'GLK_ERROR_SHAPE',
  );
});

test('what ties for the largest shares its gradient, and a product knows its slope at zeros', async () => {
  const g = await init();
  const x = g.variable([3, 1, 3]);
  assert.deepEqual(g.valueAndGrad(() => g.max(x), [x]).grads[0]?.array(), [0.5, 0, 0.5]);
  x.assign([2, 0, 3]);
  assert.deepEqual(g.valueAndGrad(() => g.prod(x), [x]).grads[0]?.array(), [0, 6, 0]);
});

test('second derivatives of reductions follow: a product knows them beside zeros too', async () => {
  const g = await init();
  // Row by row the products of the third: [0, 3, 0], [3, 0, 2], [0, 2, 0].
  assert.deepEqual(g.hvp((x) => g.prod(x), [2, 0, 3], [1, 1, 1]).array(), [3, 5, 2]);
  assert.deepEqual(g.hvp((x) => g.square(g.max(x)), [1, 4, 2], [1, 1, 1]).array(), [0, 2, 0]);
  // p (v - p v) with p = softmax.
  assert.deepEqual(g.hvp((x) => g.logSumExp(x), [7, 7], [1, 0]).array(), [0.25, -0.25]);
  // 2 (v - mean v) / n.
  assert.deepEqual(
    g.hvp((x) => g.variance(x), [1, 5, 2, 3], [4, 0, 0, 0]).array(),
    [1.5, -0.5, -0.5, -0.5],
  );
});

test('where a norm overflows its gradient is 0, as in TensorFlow', async () => {
  const g = await init();
  const slopes = (/** @type {number[]} */ x) =>
    g
      .grad((t) => g.l2Norm(t))(g.tensor(x))
      .array();
  // tf.math.reduce_euclidean_norm, TensorFlow 2.20
  assert.deepEqual(slopes([3e38, 0]), [0, 0]);
  assert.deepEqual(slopes([1e30, -1e30]), [0, -0]);
  assert.deepEqual(slopes([Infinity, 1]), [Number.NaN, 0]);
  assert.deepEqual(slopes([0, 0]), [Number.NaN, Number.NaN]);
});
