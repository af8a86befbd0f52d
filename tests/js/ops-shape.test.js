/* Shape ops as JavaScript offers them; C's samples hold every row to exact values, gradients and
 * refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, IndexError, init, OptionError, ShapeError } from 'gradlock';
import { testRefusals, testResults } from './op-tables.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const M = [
  [1, 2, 3],
  [4, 5, 6],
];
const ROW = [1, 2, 3, 4, 5];
const EMPTY = new Float32Array(0);

testResults([
  [(g) => g.flatten(M), '[1,2,3,4,5,6]'],
  [(g) => g.flatten(7), '[7]'],
  [(g) => g.expandDims([1, 2]), '[[1,2]]'],
  [(g) => g.expandDims([1, 2], -1), '[[1],[2]]'],
  [(g) => g.squeeze([[[1], [2]]]), '[1,2]'],
  [(g) => g.squeeze([[[1], [2]]], 0), '[[1],[2]]'],
  [(g) => g.squeeze([[[1], [2]]], [0, -1]), '[1,2]'],
  [(g) => g.stridedSlice(ROW, [0], [5], [2]), '[1,3,5]'],
  [(g) => g.stridedSlice(ROW, 1, -1), '[2,3,4]'],
  [(g) => g.stridedSlice(ROW, -1, 0, -2), '[5,3]'],
  [(g) => g.stridedSlice(ROW, 7, -9, -1), '[5,4,3,2,1]'],
  [(g) => g.stridedSlice(ROW, 9, 3, -1, 0, 0), '[5]'],
  [(g) => g.stridedSlice(ROW, 2, 3, -1, 0, 1), '[3,2,1]'],
  [(g) => g.stridedSlice(ROW, 2, 4, 1, 1), '[1,2,3,4]'],
  [(g) => g.stridedSlice(M, [0, 1], [9, 9], [1, 2], 1, 2), '[[2],[5]]'],
  [(g) => g.stridedSlice(M, [1], [2]), '[[4,5,6]]'],
  [(g) => g.stridedSlice(M, [], []), '[[1,2,3],[4,5,6]]'],
  [(g) => g.stridedSlice(ROW, 3, 1), '[]'],
  [(g) => g.pad([1, 2], [[1, 2]]), '[0,1,2,0,0]'],
  [
    (g) =>
      g.pad(
        [[1]],
        [
          [1, 0],
          [0, 1],
        ],
        Number.NaN,
      ),
    '[[NaN,NaN],[1,NaN]]',
  ],
  [(g) => g.pad(7, []), '7'],
  [(g) => g.mirrorPad([1, 2, 3], [[2, 1]], 'reflect'), '[3,2,1,2,3,2]'],
  [(g) => g.mirrorPad([1, 2, 3], [[2, 1]], 'symmetric'), '[2,1,1,2,3,3]'],
  [(g) => g.tile([1, 2], [2]), '[1,2,1,2]'],
  [(g) => g.tile([[1, 2]], [2, 1]), '[[1,2],[1,2]]'],
  [(g) => g.broadcastTo([[1], [2]], [2, 2]), '[[1,1],[2,2]]'],
  [(g) => g.broadcastTo(7, [2]), '[7,7]'],
  [(g) => g.reverse(M), '[[6,5,4],[3,2,1]]'],
  [(g) => g.reverse(M, 1), '[[3,2,1],[6,5,4]]'],
  [(g) => g.reverse(M, [0]), '[[4,5,6],[1,2,3]]'],
  [(g) => g.roll(ROW, 2, 0), '[4,5,1,2,3]'],
  [(g) => g.roll(ROW, -6, -1), '[2,3,4,5,1]'],
  [(g) => g.roll(M, [1, 1], [0, 1]), '[[6,4,5],[3,1,2]]'],
  [(g) => g.concat([[1], [2, 3], EMPTY, [4]]), '[1,2,3,4]'],
  [(g) => g.concat([M, [[7], [8]]], -1), '[[1,2,3,7],[4,5,6,8]]'],
  [(g) => g.concat([g.tensor(M)]), '[[1,2,3],[4,5,6]]'],
  [(g) => g.stack([1, 2, 3]), '[1,2,3]'],
  [(g) => g.stack([[1, 2], g.tensor([3, 4])]), '[[1,2],[3,4]]'],
  [
    (g) =>
      g.stack(
        [
          [1, 2],
          [3, 4],
        ],
        -1,
      ),
    '[[1,3],[2,4]]',
  ],
  [(g) => g.stack([[1, 2]]), '[[1,2]]'],
  [(g) => g.unstack(M), '[[1,2,3],[4,5,6]]'],
  [(g) => g.unstack(M, -1), '[[1,4],[2,5],[3,6]]'],
  [(g) => g.unstack([7]), '[7]'],
  [(g) => g.split(M, 3, 1), '[[[1],[4]],[[2],[5]],[[3],[6]]]'],
  [(g) => g.split(ROW, [2, 0, 3]), '[[1,2],[],[3,4,5]]'],
  [(g) => g.split(ROW, [1, -1, 1]), '[[1],[2,3,4],[5]]'],
  [(g) => g.split(ROW, 1), '[[1,2,3,4,5]]'],
]);

testRefusals([
  [(g) => g.reshape(M, [6, 2]), ShapeError, /^reshape: \[2,3\] holds 6 .* the new shape \[6,2\]/],
  [
    (g) => g.reshape(M, [4, -1]),
    ShapeError,
    /6 elements, not a multiple of 4, the product of the other/,
  ],
  [
    (g) =>
      g.pad(M, [
        [0, -1],
        [0, 0],
      ]),
    ShapeError,
    /^pad: a padding is -1, expected 0 to 536870912$/,
  ],
  [
    (g, any) => g.slice(any([[1], [2, 3]]), 0),
    ShapeError,
    /^slice: the first operand\[1\] has length 2/,
  ],
  [(g, any) => g.stack(any([1, 'x'])), TypeError, /^stack: tensors\[1\] must be a tensor/],
  [(g) => g.expandDims(M, 3), IndexError, /^expandDims: an axis is 3, expected -3 to 2/],
  [(g) => g.expandDims([[[[[[[1]]]]]]]), ShapeError, /^expandDims: rank 8 is above the highest, 7/],
  [(g) => g.squeeze(M, 0), ShapeError, /^squeeze: axis 0 of shape \[2,3\] has size 2, expected 1/],
  [(g) => g.squeeze([[1]], [0, -2]), IndexError, /^squeeze: axis 0 is named twice/],
  [(g) => g.transpose(M, [1, -1]), IndexError, /^transpose: axis 1 is named twice/],
  [(g) => g.stridedSlice(M, [0, 0, 0], [1, 1, 1]), ShapeError, /^stridedSlice .* up to 2 .* got 3/],
  [(g) => g.stridedSlice(M, [0], [1, 1]), ShapeError, /^stridedSlice .* got 1, 2 and 1/],
  [(g) => g.stridedSlice(M, 0, 1, 0), IndexError, /stride along axis 0 of shape \[2,3\] is 0/],
  [(g) => g.stridedSlice(M, 0.5, 1), IndexError, /begin must be an integer, got 0.5/],
  [(g, any) => g.stridedSlice(M, 0, any()), TypeError, /end must be an array of integers/],
  [(g) => g.pad(M, [[1, 1]]), ShapeError, /^pad takes a pair .* each of 2 axes, got lists of 2$/],
  [(g) => g.pad([1], [[1]]), ShapeError, /^pad takes a pair .* got lists of 1$/],
  [(g) => g.pad([1], [[-1, 0]]), ShapeError, /^pad: a padding is -1/],
  [(g, any) => g.pad([1], any(1)), TypeError, /paddings must be an array of pairs .* got 1/],
  [(g, any) => g.pad([1], [[1, 1]], any('0')), TypeError, /constantValue must be a number/],
  [
    (g) => g.mirrorPad([1, 2], [[2, 0]], 'reflect'),
    ShapeError,
    /^mirrorPad: axis 0 of shape \[2\] can mirror at most 1 elements, the padding is 2/,
  ],
  [(g) => g.mirrorPad([1], [[0, 2]], 'symmetric'), ShapeError, /can mirror at most 1 elements/],
  [(g, any) => g.mirrorPad([1], [[0, 1]], any('REFLECT')), OptionError, /'reflect' or 'symmetric'/],
  [(g, any) => g.mirrorPad([1], [[0, 1]], any()), TypeError, /'reflect' or .* got undefined/],
  [(g) => g.tile(M, [2]), ShapeError, /^tile: 1 repeats do not fit shape \[2,3\]/],
  [(g) => g.tile(M, [-1, 1]), ShapeError, /^tile: a repeat is -1/],
  [(g) => g.broadcastTo(M, [2, 2]), ShapeError, /^broadcastTo: shapes \[2,3\] and \[2,2\]/],
  [(g) => g.broadcastTo(M, [3]), ShapeError, /^broadcastTo: shape \[2,3\] does not .* \[3\]/],
  [(g) => g.reverse(M, 2), IndexError, /^reverse: an axis is 2, expected -2 to 1/],
  [(g) => g.reverse(M, [1, 1]), IndexError, /^reverse: axis 1 is named twice/],
  [(g) => g.roll(M, [1, 2], 0), ShapeError, /^roll takes .* got 2 shifts and 1 axes/],
  [(g) => g.roll(M, 1, 2), IndexError, /^roll: an axis is 2, expected -2 to 1/],
  [(g) => g.concat([]), ShapeError, /^concat takes at least one tensor, got an empty array/],
  [(g, any) => g.concat(any(7)), TypeError, /^concat takes an array of tensors, got 7/],
  [(g, any) => g.concat([1, any('2')]), TypeError, /tensors\[1\] must be a tensor, .* got "2"/],
  [(g) => g.concat([1, 2]), IndexError, /^concat: a tensor of rank 0 has no axes/],
  [(g) => g.concat([M], 2), IndexError, /^concat: an axis is 2, expected -2 to 1/],
  [
    (g) => g.concat([M, M, [[1, 2]]]),
    ShapeError,
    /^concat: shapes \[2, 3\] and \[2, 3\] and \[1, 2\] differ outside of axis 0, first at tensors\[2\]/,
  ],
  [(g) => g.concat([M, [1, 2, 3]]), ShapeError, /shapes \[2, 3\] and \[3\] differ/],
  [(g) => g.stack([[1], [1, 2]]), ShapeError, /^stack: shapes \[1\] and \[2\] differ, first at/],
  [(g) => g.stack([[1], [2]], 2), IndexError, /^stack: an axis is 2, expected -2 to 1/],
  [(g) => g.unstack(7), IndexError, /^unstack: a tensor of rank 0 has no axes/],
  [(g) => g.unstack(M, -3), IndexError, /^unstack: an axis is -3, expected -2 to 1/],
  [
    (g) => g.split(ROW, 2),
    ShapeError,
    /^split: axis 0 of shape \[5\] has size 5, which cannot be split into 2 equal parts/,
  ],
  [(g) => g.split(ROW, 0), ShapeError, /cannot be split into 0 equal parts/],
  [(g) => g.split(ROW, [2, 2]), ShapeError, /has size 5, but the sizes \[2, 2\] do not add up/],
  [(g) => g.split(ROW, [6, -1]), ShapeError, /the sizes \[6, -1\] do not add up/],
  [(g) => g.split(M, 3, 2), IndexError, /^split: an axis is 2, expected -2 to 1/],
]);

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

test('joining a thousand tensors gives them in order', async () => {
  const g = await init();
  const parts = Array.from({ length: 1000 }, (_, i) => g.tensor([i, -i]));
  const joined = g.concat(parts).data();
  assert.ok(joined.every((value, i) => value === (i % 2 ? -1 : 1) * (i >> 1)));
});

test('a getter that disposes an operand of a list ends in its typed error and leaves nothing', async () => {
  const g = await init();
  const x = g.tensor([1]);
  const trap = [1];
  const get = () => {
    x.dispose();
    return 1;
  };
  Object.defineProperty(trap, 0, { get });
  assert.throws(() => g.concat([x, trap]), DisposedError);
  assert.equal(g.memory().objects, 0);
});
