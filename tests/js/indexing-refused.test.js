/* What indexing refuses, with what it says, and that nothing is left behind: at once, and in
 * programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, IndexError, init, LimitError, OptionError, ShapeError } from 'gradlock';
import { refuses, settle } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */

const NAN = Number.NaN;
const M = [
  [1, 2, 3],
  [4, 5, 6],
];

/** @type {[call: (g: Gradlock, any: any) => unknown, kind: Function, message: RegExp][]} */
const REFUSED = [
  [(g) => g.gather(M, [0, 2]), IndexError, /gather: indices\[1\] is 2, .*at least 0 and below 2/],
  [(g) => g.gather(M, [-1]), IndexError, /gather: indices\[0\] is -1/],
  [(g) => g.gather(M, 0.5), IndexError, /gather: indices\[\] is 0.5/],
  [(g) => g.gather(M, NAN), IndexError, /gather: indices\[\] is NaN/],
  [(g) => g.gather(M, 0, 2), IndexError, /gather: the axis is 2, expected -2 to 1/],
  [(g) => g.gather(M, 0, 0.5), IndexError, /axis must be an integer/],
  [(g) => g.gather(M, [0], 1, 1), ShapeError, /gather: shapes \[2,3\] and \[1\] differ/],
  [(g) => g.gather(5, 0), IndexError, /gather: a tensor of rank 0 has no axes/],
  [(g, any) => g.gather(M, any(true)), TypeError, /the second operand .* got true/],
  [(g) => g.embeddingLookup(M, [2]), IndexError, /embeddingLookup: indices\[0\] is 2/],
  [(g) => g.gatherNd(M, [[0, 3]]), IndexError, /gatherNd: indices\[0,1\] is 3/],
  [(g) => g.gatherNd(M, [[0, 0, 0]]), ShapeError, /gatherNd: .*\[1,3\] name 3 axes.*\[2,3\] has 2/],
  [(g) => g.scatterNd([[4]], [1], [4]), IndexError, /scatterNd: indices\[0,0\] is 4/],
  [(g) => g.scatterNd([[1]], [1, 2], [4]), ShapeError, /updates of shape \[2\].*\[1,1\].*\[4\]/],
  [(g, any) => g.scatterNd([[1]], [1], any(4)), TypeError, /shape must be an array/],
  [
    (g) => g.tensorScatterNdUpdate([1, 2], [[1], [1]], [3, 4]),
    GradlockError,
    /tensorScatterNdUpdate: index \[1\] appears again at number 1/,
  ],
  [
    (g, any) => g.tensorScatterNdUpdate([1], [[0]], [3], { duplicates: any('first') }),
    OptionError,
    /duplicates must be 'last' or 'sum', got "first"/,
  ],
  [
    (g, any) => g.tensorScatterNdUpdate([1], [[0]], [3], { duplicates: any(1) }),
    TypeError,
    /duplicates must be 'last' or 'sum', got 1/,
  ],
  [(g, any) => g.tensorScatterNdUpdate([1], [[0]], [3], any({ mode: 1 })), TypeError, /no 'mode'/],
  [(g) => g.tensorScatterNdAdd([1], [[1]], [3]), IndexError, /tensorScatterNdAdd: indices\[0,0\]/],
  [
    (g) => g.unsortedSegmentSum([1], [-1], 2),
    IndexError,
    /unsortedSegmentSum: segmentIds\[0\] is -1/,
  ],
  [(g) => g.unsortedSegmentSum([1], [0, 0], 2), ShapeError, /\[2\] do not fit data of shape \[1\]/],
  [(g) => g.unsortedSegmentSum([1], [0], 1.5), IndexError, /numSegments must be an integer/],
  [(g) => g.oneHot([0.5], 2), IndexError, /oneHot: index 0 is 0.5/],
  [(g) => g.oneHot([0], -1), ShapeError, /oneHot: depth is -1/],
  [(g, any) => g.oneHot([0], 1, any('on')), TypeError, /onValue must be a number, got "on"/],
  [(g) => g.oneHot([0], 1, 1, 0, 2), IndexError, /oneHot: the axis is 2, expected -2 to 1/],
  [(g) => g.sort(5), IndexError, /sort: a tensor of rank 0/],
  [(g) => g.argSort(M, { axis: 2 }), IndexError, /argSort: the axis is 2/],
  [
    (g, any) => g.sort(M, { direction: any('descending') }),
    OptionError,
    /direction must be 'ASCENDING' or 'DESCENDING', got "descending"/,
  ],
  [(g) => g.topK(M, 4), ShapeError, /^topK: k is 4, expected 0 to 3, .*\[2, 3\]/],
  [(g) => g.topK(M, -1), ShapeError, /topK: k is -1/],
  [(g) => g.topK(5, 1), ShapeError, /^topK: a tensor of rank 0 has no axes/],
  [(g) => g.topK(M, 1.5), IndexError, /k must be an integer/],
  [(g) => g.where([1, 0.5]), TypeError, /where: the mask of shape \[2\] .* at \[1\] it holds 0.5/],
  [(g) => g.where(g.tensor([[1], [NAN]])), TypeError, /where: .* at \[1, 0\] it holds NaN/],
  [(g) => g.where(1), ShapeError, /where: the mask has rank 0/],
  [(g) => g.where(true), ShapeError, /where: the mask has rank 0/],
  [(g, any) => g.where(any([true, 1])), TypeError, /where: the mask\[1\] must be a boolean, got 1/],
  [(g) => g.where([[true], [true, false]]), ShapeError, /ragged/],
  [(g, any) => g.where(any('mask')), TypeError, /where: the mask must be .* got "mask"/],
  [(g, any) => g.where([1, 0], 1, any(undefined)), TypeError, /the third operand .* got undefined/],
  [(g) => g.booleanMask(M, M), TypeError, /booleanMask: the mask .* at \[0, 1\] it holds 2/],
  [
    (g) => g.booleanMask(M, [1, 0, 1]),
    ShapeError,
    /shape \[3\] does not fit shape \[2, 3\] from axis 0/,
  ],
  [
    (g) => g.booleanMask(M, [1, 0], 1),
    ShapeError,
    /shape \[2\] does not fit shape \[2, 3\] from axis 1/,
  ],
  [(g) => g.booleanMask(M, [1, 0], 7), ShapeError, /from axis 7/],
  [(g) => g.booleanMask(M, [1, 0], -3), ShapeError, /from axis -3/],
  [(g) => g.booleanMask(M, []), ShapeError, /shape \[0\] does not fit/],
  [(g) => g.booleanMask(M, true), ShapeError, /booleanMask: the mask has rank 0/],
];

for (const [call, kind, message] of REFUSED) {
  test(`${String(call).replace(/^\(g.*?\) => /, '')} is refused and leaves nothing behind`, async () => {
    const g = await init();
    settle(g);
    const identity = (/** @type {unknown} */ value) => value;
    const refused = () => g.tidy(() => call(g, identity));
    refuses(g, [], refused, kind, message);
  });
}

test('indices end where f32 stops counting', async () => {
  const g = await init();
  const long = g.tensor(new Uint8Array(), [2 ** 24 + 1, 0]);
  assert.throws(() => g.gather(long, [0]), LimitError);
  assert.throws(() => g.gather([1, 2], [2 ** 24 + 1]), IndexError); // read as 2 ** 24, and still refused
});

test('an index that turns up wrong in a program stops it, and the next run is as good as ever', async () => {
  const g = await init();
  settle(g);
  const x = g.variable([1, 2, 3], { name: 'x' });
  const at = g.variable([0, 2], { name: 'at', trainable: false });
  const adam = g.optimizers.adam();
  const program = g.compile(() => g.sum(g.square(g.gather(x, at))));
  adam.minimize(program, { variables: [x], steps: 1 });
  x.assign([1, 2, 3]);
  at.assign([1, 3]);
  const message = /gather: indices\[1\] is 3/;
  refuses(g, [x, at, adam], () => program.run(), IndexError, message);
  refuses(g, [x, at, adam], () => g.valueAndGrad(program, [x]), IndexError, message);
  const step = () => adam.minimize(program, { variables: [x], steps: 3 });
  refuses(g, [x, at, adam], step, IndexError, message);
  at.assign([2, 2]);
  assert.equal(program.value(), 18);
});
