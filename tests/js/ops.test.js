/* The ops as JavaScript offers them: which operands, axes and options a call may have, what is
 * left out, and that it reaches its row; each method's example shows the plain call
 * (examples.test.js). Values and gradients are held by C's samples and beside TensorFlow's in
 * the golden tests, messages by messages-ops.test.js. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, ShapeError } from 'gradlock';
import { testResults } from './op-tables.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const M = [0, 3].map((from) => [from + 1, from + 2, from + 3]);
const EYE = [0, 1].map((i) => [1 - i, i]);
const ROW = [1, 2, 3, 4, 5];
const EMPTY = new Float32Array(0);
const NAN = Number.NaN;
const MASK = [0, 1].map((i) => [1 - i, i, 1]);
const BOOLEANS = MASK.map((row) => row.map(Boolean));
const IMAGE = [0, 1, 2].map((i) => [1, 2, 3].map((k) => [3 * i + k]));
/** Filters of 2 × 2 and 1 × 1, from one channel to one. */
const SQUARE = [0, 2].map((i) => [[[10 ** i]], [[10 ** (i + 1)]]]);
const SINGLE = [[[[2]]]];

testResults([
  [(g) => g.add(1, 2), '3'],
  [(g) => g.sub(10, g.tensor(M)), '[[9,8,7],[6,5,4]]'],
  [(g) => g.div(g.tensor(M), [[1], [2]]), '[[1,2,3],[2,2.5,3]]'],
  [(g) => g.minimum(Float32Array.of(1, 9), 5), '[1,5]'],
  [(g) => g.where([1, 0, 1], [1, 2, 3], NAN), '[1,NaN,3]'],
  [(g) => g.where([[true], [false]], [1, 2], 0), '[[1,2],[0,0]]'],
  [(g) => g.where(BOOLEANS), '[[0,0],[0,2],[1,1],[1,2]]'],
  [(g) => g.where(MASK), '[[0,0],[0,2],[1,1],[1,2]]'],
  [(g) => g.where(Uint8Array.of(0, 1)), '[[1]]'],
  [(g) => g.where([0, 0]), '[]'],
  [(g) => g.gelu([0, 100], true), '[0,100]'],
  [(g) => g.leakyRelu([1, -1], 0.5), '[1,-0.5]'],
  [(g) => g.elu([2, -Infinity], 3), '[2,-3]'],
  [(g) => g.clip([1, -1], 0, Infinity), '[1,0]'],
  [(g) => g.logicalAnd([true, false], true), '[1,0]'],
  [(g) => g.atan2([[0], [-0]], [1, 2, Infinity]), '[[0,0,0],[-0,-0,-0]]'],
  [(g) => g.sum(M), '21'],
  [(g) => g.sum(M, -1), '[6,15]'],
  [(g) => g.sum(M, [0, 1]), '21'],
  [(g) => g.sum(M, [1], true), '[[6],[15]]'],
  [(g) => g.sum(M, null, true), '[[21]]'],
  [(g) => g.sum(M, []), '[[1,2,3],[4,5,6]]'],
  [(g) => g.sum(g.reshape(EMPTY, [0, 3]), 0), '[0,0,0]'],
  [(g) => g.mean(M, [], true), '[[1,2,3],[4,5,6]]'],
  [(g) => g.max(M, null, true), '[[6]]'],
  [(g) => g.min(M, [0]), '[1,2,3]'],
  [(g) => g.prod(M, [-1], true), '[[6],[120]]'],
  [(g) => g.all([2, 0], []), '[1,0]'],
  [(g) => g.any(g.greater(M, 5), 0, true), '[[0,0,1]]'],
  [(g) => g.logSumExp([2, -3], []), '[2,-3]'],
  [(g) => g.variance(M, 0, true), '[[2.25,2.25,2.25]]'],
  [(g) => g.l2Norm([[3], [4]], 0), '[5]'],
  [(g) => g.argMax(M), '[1,1,1]'],
  [(g) => g.argMin(M, 1), '[0,0]'],
  [(g) => g.cumsum([1, 2, 3], 0, true), '[0,1,3]'],
  [(g) => g.cumsum([1, 2, 3], -1, false, true), '[6,5,3]'],
  [(g) => g.matMul(M, M, { transposeB: true }), '[[14,32],[32,77]]'],
  [(g) => g.matMul(M, [[1], [1]], { transposeA: true }), '[[5],[7],[9]]'],
  [(g) => g.einsum('ij,j', M, [1, 0, -1]), '[-2,-2]'],
  [(g) => g.einsum('ba', M), '[[1,4],[2,5],[3,6]]'],
  [(g) => g.einsum('->', 5), '5'],
  [(g) => g.einsum(' i j -> j ', M), '[5,7,9]'],
  [
    (g) =>
      g.softmax(
        EYE.map(() => [0, 5]),
        0,
      ),
    '[[0.5,0.5],[0.5,0.5]]',
  ],
  [(g) => g.layerNorm([1, 3], { epsilon: 3 }), '[-0.5,0.5]'],
  [(g) => g.layerNorm([[1, 3]], { epsilon: 3, gamma: [2, 4], beta: [10, 20] }), '[[9,22]]'],
  [(g) => g.layerNorm([[1], [3]], { epsilon: 3, axis: 0, gamma: [2, 4] }), '[[-1],[2]]'],
  [(g) => g.reshape(M, [3, -1]), '[[1,2],[3,4],[5,6]]'],
  [(g) => g.reshape([7], []), '7'],
  [(g) => g.transpose(M), '[[1,4],[2,5],[3,6]]'],
  [(g) => g.transpose(M, [0, 1]), '[[1,2,3],[4,5,6]]'],
  [(g) => g.slice(M, 1), '[[4,5,6]]'],
  [(g) => g.slice(M, [0, 1]), '[[2,3],[5,6]]'],
  [(g) => g.slice(g.tensor(M), [1, 0], [-1, 2]), '[[4,5]]'],
  [(g) => g.slice([1, 2, 3], 1, 1), '[2]'],
  [(g) => g.zeros([2, 0]), '[[],[]]'],
  [(g) => g.ones([]), '1'],
  [(g) => g.zerosLike(7), '0'],
  [(g) => g.eye(2, 3), '[[1,0,0],[0,1,0]]'],
  [(g) => g.eye(1, 1, [2, 1]), '[[[[1]]],[[[1]]]]'],
  [(g) => g.eye(0), '[]'],
  [(g) => g.linspace(0.5, 0.25, 1), '[0.5]'],
  [(g) => g.flatten(7), '[7]'],
  [(g) => g.expandDims([1, 2]), '[[1,2]]'],
  [(g) => g.expandDims([1, 2], -1), '[[1],[2]]'],
  [(g) => g.squeeze([[[1], [2]]], 0), '[[1],[2]]'],
  [(g) => g.squeeze([[[1], [2]]], [0, -1]), '[1,2]'],
  [(g) => g.stridedSlice(ROW, [0], [5], [2]), '[1,3,5]'],
  [(g) => g.stridedSlice(ROW, 1, -1), '[2,3,4]'],
  [(g) => g.stridedSlice(ROW, -1, 0, -2), '[5,3]'],
  [(g) => g.stridedSlice(ROW, 9, 3, -1, 0, 0), '[5]'],
  [(g) => g.stridedSlice(ROW, 2, 3, -1, 0, 1), '[3,2,1]'],
  [(g) => g.stridedSlice(ROW, 2, 4, 1, 1), '[1,2,3,4]'],
  [(g) => g.stridedSlice(M, [0, 1], [9, 9], [1, 2], 1, 2), '[[2],[5]]'],
  [(g) => g.stridedSlice(M, [], []), '[[1,2,3],[4,5,6]]'],
  [(g) => g.pad([1, 2], [[1, 2]]), '[0,1,2,0,0]'],
  [(g) => g.pad([1], [[1, 0]], NAN), '[NaN,1]'],
  [(g) => g.pad(7, []), '7'],
  [(g) => g.mirrorPad([1, 2, 3], [[2, 1]], 'symmetric'), '[2,1,1,2,3,3]'],
  [(g) => g.tile([1, 2], [2]), '[1,2,1,2]'],
  [(g) => g.broadcastTo(7, [2]), '[7,7]'],
  [(g) => g.reverse(M), '[[6,5,4],[3,2,1]]'],
  [(g) => g.reverse(M, 1), '[[3,2,1],[6,5,4]]'],
  [(g) => g.roll(ROW, -6, -1), '[2,3,4,5,1]'],
  [(g) => g.roll(M, [1, 1], [0, 1]), '[[6,4,5],[3,1,2]]'],
  [(g) => g.concat([[1], [2, 3], EMPTY, [4]]), '[1,2,3,4]'],
  [(g) => g.concat([M, [[7], [8]]], -1), '[[1,2,3,7],[4,5,6,8]]'],
  [(g) => g.stack([1, 2, 3]), '[1,2,3]'],
  [(g) => g.stack([[1, 2], g.tensor([3, 4])], -1), '[[1,3],[2,4]]'],
  [(g) => g.unstack(M, -1), '[[1,4],[2,5],[3,6]]'],
  [(g) => g.split(M, 3, 1), '[[[1],[4]],[[2],[5]],[[3],[6]]]'],
  [(g) => g.split(ROW, [2, 0, 3]), '[[1,2],[],[3,4,5]]'],
  [(g) => g.split(ROW, [1, -1, 1]), '[[1],[2,3,4],[5]]'],
  [(g) => g.conv2d([IMAGE], SQUARE, 1, 'valid', 'NHWC'), '[[[[5421],[6532]],[[8754],[9865]]]]'],
  [(g) => g.conv2d(IMAGE, SQUARE, 2, 'same'), '[[[5421],[603]],[[87],[9]]]'],
  [(g) => g.conv2d(IMAGE, SINGLE, [2, 1]), '[[[2],[4],[6]],[[14],[16],[18]]]'],
  [(g) => g.conv2d(IMAGE, SQUARE, 1, 'valid', 'NHWC', [1, 2]), '[[[6431]],[[9764]]]'],
  [(g) => g.conv2dTranspose([[[1]]], SQUARE, [2, 2, 1]), '[[[1],[10]],[[100],[1000]]]'],
  [
    (g) => g.conv2dTranspose([[[1], [2]]], SINGLE, [1, 4, 1], [1, 2], 'same'),
    '[[[2],[0],[4],[0]]]',
  ],
  [(g) => g.maxPool(IMAGE, 2), '[[[5]]]'],
  [(g) => g.maxPool(IMAGE, [1, 3], 1, 'same'), '[[[2],[3],[3]],[[5],[6],[6]],[[8],[9],[9]]]'],
  [(g) => g.avgPool(g.tensor([], [0, 5, 5, 2]), [2, 1]), '[]'],
  [(g) => g.avgPool(IMAGE, 2 ** 29, 2, 'same'), '[[[5],[5]],[[5],[5]]]'],
  [(g) => g.gather(M, [2, 0], 1), '[[3,1],[6,4]]'],
  [(g) => g.gather(M, [[2], [0]], -1, 1), '[[3],[4]]'],
  [(g) => g.gather(M, new Uint8Array([1])), '[[4,5,6]]'],
  [(g) => g.gatherNd(M, [[1, 2], ...[[0, 0]]]), '[6,1]'],
  [(g) => g.scatterNd([[1], [1]], [5, 6], [3]), '[0,11,0]'],
  [(g) => g.tensorScatterNdUpdate([1, 2, 3], [[2], [0]], [8, 9]), '[9,2,8]'],
  [(g) => g.unsortedSegmentSum([1, 2, 3], [1, 0, 1], 3), '[2,4,0]'],
  [(g) => g.oneHot([1, 3], 3), '[[0,1,0],[0,0,0]]'],
  [(g) => g.oneHot([1, 0], 2, 5, -1, 0), '[[-1,5],[5,-1]]'],
  [(g) => g.sort(M, { axis: 0, direction: 'DESCENDING' }), '[[4,5,6],[1,2,3]]'],
  [(g) => g.argSort([3, NAN, 1], { direction: 'DESCENDING' }), '[0,2,1]'],
  [(g) => g.topK([3, NAN, 1, 3], 3).values, '[3,3,1]'],
  [(g) => g.topK([3, NAN, 1, 3], 3).indices, '[0,3,2]'],
  [(g) => g.topK(M).values, '[[3],[6]]'],
  [(g) => g.booleanMask(M, BOOLEANS), '[1,3,5,6]'],
  [(g) => g.booleanMask(M, [0, 1]), '[[4,5,6]]'],
  [(g) => g.booleanMask(M, [true, false, true], -1), '[[1,3],[4,6]]'],
  [(g) => g.booleanMask(M, [0, 0]), '[]'],
]);

test('a result that would be too large is refused before memory is asked for', async () => {
  const g = await init();
  const row = g.tensor(new Float32Array(2 ** 15), [1, 2 ** 15]);
  const { objects, wasmBytes } = g.memory();
  assert.throws(() => g.add(row, g.transpose(row)), ShapeError);
  assert.deepEqual([g.memory().objects, g.memory().wasmBytes], [objects + 1, wasmBytes]);
});

test('linspace ends exactly at its ends, and does not turn back on the way', async () => {
  const g = await init();
  for (const [start, stop, num] of [
    [0.1, 0.7, 7],
    [-1 / 3, 1e30, 1001],
    [1e-40, 3e38, 77],
    [2 / 3, -5e-7, 12345],
    [0, 1, 2 ** 16 + 1],
  ]) {
    const values = g.linspace(start, stop, num).data();
    assert.equal(values.length, num);
    assert.equal(values[0], Math.fround(start));
    assert.equal(values[num - 1], Math.fround(stop));
    const sign = Math.sign(stop - start);
    assert.ok(values.every((value, i) => i === 0 || sign * (value - values[i - 1]) >= 0));
  }
});

test('joining and parting leave only their results, and undo each other with their gradients', async () => {
  const g = await init();
  const x = g.variable([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ]);
  const { objects } = g.memory();
  const rows = g.unstack(x);
  assert.equal(g.memory().objects, objects + 3);
  const whole = g.stack(rows);
  assert.equal(g.memory().objects, objects + 4);
  assert.deepEqual(whole.array(), x.array());
  const joined = g.concat(g.split(x, [1, 2], 1), 1);
  assert.deepEqual(joined.array(), x.array());
  const loss = () =>
    g.sum(g.mul(g.concat([...g.unstack(x, 1)].reverse()), ROW.concat([6, 7, 8, 9])));
  const { grads } = g.valueAndGrad(loss, [x]);
  assert.deepEqual(grads[0]?.array(), [
    [7, 4, 1],
    [8, 5, 2],
    [9, 6, 3],
  ]);
});

for (const name of /** @type {const} */ (['split', 'unstack'])) {
  /** @param {Gradlock} g @param {Tensor} x @returns {Tensor[]} */
  const partsOf = (g, x) => (name === 'split' ? g.split(x, x.shape[0] ?? 0) : g.unstack(x));

  test(`twice as many parts of ${name} take twice the memory with their gradients, not four times`, async () => {
    const peaks = [];
    for (const count of [500, 1000]) {
      const g = await init();
      const x = g.variable(
        Float32Array.from({ length: 8 * count }, (_, i) => i),
        {
          shape: [count, 8],
        },
      );
      const { grads } = g.valueAndGrad(
        () => g.sum(g.concat(partsOf(g, x).map((part, i) => g.mul(part, i)))),
        [x],
      );
      assert.ok(grads[0]?.data().every((slope, i) => slope === i >> 3));
      peaks.push(g.memory().peakBytes);
    }
    assert.ok(Number(peaks[1]) < 3 * Number(peaks[0]), `${peaks[0]} and ${peaks[1]} bytes`);
  });

  test(`parts of ${name}, however many, have second derivatives, at once and in a program`, async () => {
    const g = await init();
    for (const count of [1, 2, 4, 5, 7, 33]) {
      const x = g.variable(
        Float32Array.from({ length: count }, (_, i) => i + 1),
        { shape: [count, 1] },
      );
      // The sum of i · part³, whose second derivatives are 6 · i · part.
      const f = (/** @type {Tensor} */ y) =>
        g.sum(g.stack(partsOf(g, y).map((part, i) => g.mul(i + 1, g.sum(g.pow(part, 3))))));
      const second = () => g.hvp(f, x, g.broadcastTo(1, [count, 1]));
      const expected = Array.from({ length: count }, (_, i) => [6 * (i + 1) ** 2]);
      assert.deepEqual(second().array(), expected, `${count} parts`);
      assert.deepEqual(g.compile(second).run().array(), expected, `${count} parts, compiled`);
    }
  });
}

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

test('the gradient of a norm that overflows is 0, as in TensorFlow', async () => {
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
