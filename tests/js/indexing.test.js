/* Indexing as JavaScript offers it: masks that decide shapes, several results, writing to places of a variable, and what is
 * refused. Values and gradients are compared with TensorFlow's in golden-indexing.test.js. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DisposedError,
  GradlockError,
  IndexError,
  init,
  LimitError,
  LockedElementError,
  OptionError,
  RecordingError,
  ShapeError,
} from 'gradlock';
import { random, refuses, settle } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const NAN = Number.NaN;
const M = [
  [1, 2, 3],
  [4, 5, 6],
];
const MASK = [
  [1, 0, 1],
  [0, 1, 1],
];
const BOOLEANS = MASK.map((row) => row.map((one) => one === 1));

/** @type {[call: (g: Gradlock) => Tensor, expected: any][]} */
const RESULTS = [
  [(g) => g.gather(M, 1), [4, 5, 6]],
  [
    (g) => g.gather(M, [2, 0], 1),
    [
      [3, 1],
      [6, 4],
    ],
  ],
  [(g) => g.gather(M, [[2], [0]], -1, 1), [[3], [4]]],
  [(g) => g.gather(M, new Uint8Array([1])), [[4, 5, 6]]],
  [
    (g) =>
      g.embeddingLookup(M, [
        [1, 1],
        [0, 1],
      ]),
    [
      [M[1], M[1]],
      [M[0], M[1]],
    ],
  ],
  [
    (g) =>
      g.gatherNd(M, [
        [1, 2],
        [0, 0],
      ]),
    [6, 1],
  ],
  [(g) => g.scatterNd([[1], [1]], [5, 6], [3]), [0, 11, 0]],
  [(g) => g.tensorScatterNdUpdate([1, 2, 3], [[2], [0]], [8, 9]), [9, 2, 8]],
  [(g) => g.tensorScatterNdUpdate([1, 2], [[0], [0]], [8, 9], { duplicates: 'last' }), [9, 2]],
  [(g) => g.tensorScatterNdUpdate([1, 2], [[0], [0]], [8, 9], { duplicates: 'sum' }), [17, 2]],
  [(g) => g.tensorScatterNdAdd([1, 2], [[0], [0]], [8, 9]), [18, 2]],
  [(g) => g.tensorScatterNdSub([1, 2], [[0], [0]], [8, 9]), [-16, 2]],
  [(g) => g.tensorScatterNdMin([1, 2], [[0], [1]], [8, -9]), [1, -9]],
  [(g) => g.tensorScatterNdMax([1, 2], [[0], [1]], [8, NAN]), [8, NAN]],
  [(g) => g.unsortedSegmentSum([1, 2, 3], [1, 0, 1], 3), [2, 4, 0]],
  [
    (g) => g.oneHot([1, 3], 3),
    [
      [0, 1, 0],
      [0, 0, 0],
    ],
  ],
  [
    (g) => g.oneHot([1, 0], 2, 5, -1, 0),
    [
      [-1, 5],
      [5, -1],
    ],
  ],
  [(g) => g.sort([3, NAN, 1]), [1, 3, NAN]],
  [(g) => g.sort(M, { axis: 0, direction: 'DESCENDING' }), [M[1], M[0]]],
  [(g) => g.argSort([3, NAN, 1], { direction: 'DESCENDING' }), [0, 2, 1]],
  [(g) => g.topK([3, NAN, 1, 3], 3).values, [3, 3, 1]],
  [(g) => g.topK([3, NAN, 1, 3], 3).indices, [0, 3, 2]],
  [(g) => g.topK(M).values, [[3], [6]]],
  [(g) => g.topK([[], []], 0).indices, [[], []]],
  [
    (g) => g.where(BOOLEANS),
    [
      [0, 0],
      [0, 2],
      [1, 1],
      [1, 2],
    ],
  ],
  [
    (g) => g.where(MASK),
    [
      [0, 0],
      [0, 2],
      [1, 1],
      [1, 2],
    ],
  ],
  [(g) => g.where(Uint8Array.of(0, 1)), [[1]]],
  [(g) => g.where([0, 0]), []],
  [
    (g) => g.where(MASK, M, 0),
    [
      [1, 0, 3],
      [0, 5, 6],
    ],
  ],
  [(g) => g.booleanMask(M, BOOLEANS), [1, 3, 5, 6]],
  [(g) => g.booleanMask(M, [0, 1]), [[4, 5, 6]]],
  [
    (g) => g.booleanMask(M, [true, false, true], 1),
    [
      [1, 3],
      [4, 6],
    ],
  ],
  [
    (g) => g.booleanMask(M, [true, false, true], -1),
    [
      [1, 3],
      [4, 6],
    ],
  ],
  [(g) => g.booleanMask([M], [[1, 0]], 0), [[1, 2, 3]]],
  [(g) => g.booleanMask(M, [0, 0]), []],
];

for (const [call, expected] of RESULTS) {
  const name = String(call).replace(/^\(g\) => /, '');
  test(`${name} is ${JSON.stringify(expected)}, at once and in a program`, async () => {
    const g = await init();
    assert.deepEqual(
      g.tidy(() => call(g).array()),
      expected,
    );
    const { objects } = g.memory();
    g.tidy(() =>
      assert.deepEqual(
        g
          .compile(() => call(g))
          .run()
          .array(),
        expected,
      ),
    );
    assert.ok(g.memory().objects <= objects + 1, 'no constant is left behind');
  });
}

test('masks may be computed by ops, and what they choose has gradients', async () => {
  const g = await init();
  const x = g.variable(M);
  const loss = () => g.sum(g.square(g.booleanMask(x, g.greater(x, 2))));
  const { value, grads } = g.valueAndGrad(loss, [x]); // on a tape, where values are known
  assert.equal(value, 9 + 16 + 25 + 36);
  assert.deepEqual(grads[0].array(), [
    [0, 0, 6],
    [8, 10, 12],
  ]);
  const { objects } = g.memory();
  const chosen = g.booleanMask(x, g.tensor([0, 1]));
  assert.deepEqual(chosen.array(), [[4, 5, 6]]);
  chosen.dispose();
  assert.equal(g.memory().objects, objects + 1); // the mask
});

test('while compiling a mask must be a constant, and the error says what to do instead', async () => {
  const g = await init();
  const x = g.variable([1, 0, 1]);
  const constant = g.tensor([1, 0, 1]);
  const program = g.compile(() => {
    for (const mask of [x, g.greater(x, 0), g.greater(constant, 0)]) {
      for (const call of [() => g.where(mask), () => g.booleanMask(x, mask)]) {
        assert.throws(call, (error) => {
          assert.ok(error instanceof RecordingError);
          assert.match(
            error.message,
            /^(where|booleanMask): .*\[3\] must be a constant.*where\(c.*topK/,
          );
          return true;
        });
      }
    }
    return g.booleanMask(x, constant);
  });
  assert.deepEqual(program.run().array(), [1, 1]);
  x.assign([5, 6, 7]);
  assert.deepEqual(program.run().array(), [5, 7]);
  assert.deepEqual(g.booleanMask([1, 2, 3], g.sub(x, [5, 6, 6])).array(), [3]); // recording is over
});

test('topK is sorted, chooses the first of equals, and its gradient goes where values came from', async () => {
  const g = await init();
  const next = random(7);
  for (let round = 0; round < 50; round++) {
    const n = 1 + Math.floor(next() * 40);
    const k = Math.floor(next() * (n + 1));
    const data = Float32Array.from({ length: n }, () => Math.floor(next() * 8));
    const order = [...data.keys()].sort((a, b) => data[b] - data[a] || a - b).slice(0, k);
    const x = g.variable(data);
    const { values, indices } = g.topK(x, k);
    assert.deepEqual([...indices.data()], order);
    assert.deepEqual(
      [...values.data()],
      order.map((i) => data[i]),
    );
    const { grads } = g.valueAndGrad(() => g.sum(g.topK(x, k).values), [x]);
    assert.deepEqual(
      [...grads[0].data()],
      [...data.keys()].map((i) => Number(order.includes(i))),
    );
    x.dispose();
  }
});

test('a list of duplicates has one meaning for values and gradients', async () => {
  const g = await init();
  const x = g.variable([1, 2, 3]);
  const u = g.variable([10, 20, 30]);
  const at = [[1], [0], [1]];
  for (const [duplicates, value, dx, du] of /** @type {const} */ ([
    ['last', [20, 30, 3], [0, 0, 3], [0, 1, 2]],
    ['sum', [20, 40, 3], [0, 0, 3], [2, 1, 2]],
  ])) {
    const y = () => g.tensorScatterNdUpdate(x, at, u, { duplicates });
    assert.deepEqual(y().array(), value);
    const { grads } = g.valueAndGrad(
      g.compile(() => g.sum(g.mul(y(), [1, 2, 3]))),
      [x, u],
    );
    assert.deepEqual(
      grads.map((d) => d.array()),
      [dx, du],
    );
  }
});

test('what is picked and placed by index has second derivatives', async () => {
  const g = await init();
  const x = g.tensor([1, 2, 3]);
  /** @type {[(y: Tensor) => Tensor, number[], number[]][]} */
  const cases = [
    // y0³ + y0² y1 + y2³
    [(y) => g.sum(g.mul(g.square(g.gather(y, [0, 0, 2])), g.sort(y))), [1, 0, 0], [10, 2, 0]],
    // y1² + y1⁴ + y2⁴
    [
      (y) =>
        g.sum(g.square(g.tensorScatterNdMax(g.square(y), [[0], [1]], g.gatherNd(y, [[1], [2]])))),
      [0, 1, 0],
      [0, 50, 0],
    ],
    // y2⁴ + y1² + y2²
    [
      (y) => {
        const updates = g.gather(g.square(y), [1, 2]);
        const at = [[0], [0]];
        return g.sum(g.square(g.tensorScatterNdUpdate(y, at, updates, { duplicates: 'last' })));
      },
      [0, 0, 1],
      [0, 0, 110],
    ],
    // (y0 + y2)³
    [
      (y) => {
        const sums = g.unsortedSegmentSum(y, [1, 0, 1], 2);
        return g.sum(g.mul(g.mul(sums, g.square(sums)), [0, 1]));
      },
      [1, 0, 0],
      [24, 0, 24],
    ],
  ];
  for (const [f, v, expected] of cases) assert.deepEqual(g.hvp(f, x, v).array(), expected);
});

test('the gradient of a lookup adds up in the order of the ids, the same bits every time', async () => {
  const g = await init();
  const next = random(3);
  const table = g.variable(Float32Array.from({ length: 64 * 8 }, next), { shape: [64, 8] });
  const ids = Float32Array.from({ length: 500 }, () => Math.floor(next() * 40));
  const weights = g.tensor(Float32Array.from({ length: 500 * 8 }, next), [500, 8]);
  const loss = () => g.sum(g.mul(g.embeddingLookup(table, ids), weights));
  const expected = new Float32Array(64 * 8);
  const back = weights.data();
  ids.forEach((id, k) => {
    for (let i = 0; i < 8; i++) expected[id * 8 + i] += back[k * 8 + i];
  });
  for (const way of [loss, g.compile(loss)]) {
    assert.deepEqual(g.valueAndGrad(way, [table]).grads[0].data(), expected);
  }
});

test('rows that are looked up train while locked ones among them keep their bits', async () => {
  const g = await init();
  const table = g.variable([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  table.lock({ rows: [1] });
  const adam = g.optimizers.adam({ learningRate: 0.1 });
  const loss = g.compile(() => g.sum(g.square(g.embeddingLookup(table, [1, 2]))));
  adam.minimize(loss, { variables: [table], steps: 5 });
  const [first, second, third] = /** @type {number[][]} */ (table.array());
  assert.deepEqual(
    [first, second],
    [
      [1, 1],
      [2, 2],
    ],
  );
  assert.ok(third[0] < 3 && third[1] < 3);
});

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
    /tensorScatterNdUpdate: index \[1\] is named again by number 1/,
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

/* ---------------------------------------------------------------------------------- on variables */

test('scatterNd methods of a variable write to places and return it', async () => {
  const g = await init();
  const x = g.variable(M);
  assert.equal(
    x.scatterNdUpdate(
      [
        [1, 2],
        [0, 0],
      ],
      [7, 8],
    ),
    x,
  );
  assert.deepEqual(x.array(), [
    [8, 2, 3],
    [4, 5, 7],
  ]);
  x.scatterNdAdd(
    [[0], [0]],
    [
      [1, 1, 1],
      [2, 2, 2],
    ],
  );
  assert.deepEqual(x.array(), [
    [11, 5, 6],
    [4, 5, 7],
  ]);
  x.scatterNdSub(
    [
      [1, 0],
      [1, 0],
    ],
    g.tensor([1, 1]),
  );
  x.scatterNdMin([[1, 1]], [-1]);
  x.scatterNdMax([[1, 2]], [9]);
  assert.deepEqual(x.array(), [
    [11, 5, 6],
    [2, -1, 9],
  ]);
  x.scatterNdUpdate(
    [
      [0, 1],
      [0, 1],
    ],
    [1, 2],
    { duplicates: 'last' },
  );
  x.scatterNdUpdate(
    [
      [0, 2],
      [0, 2],
    ],
    [1, 2],
    { duplicates: 'sum' },
  );
  assert.deepEqual(x.array(), [
    [11, 2, 3],
    [2, -1, 9],
  ]);
  x.scatterNdUpdate([[0]], g.slice(x, [1, 0], [1, 3]));
  assert.deepEqual(x.array(), [
    [2, -1, 9],
    [2, -1, 9],
  ]);
  assert.equal(g.memory().objects, 3); // x, the tensor and the slice: nothing else is left
});

test('what would change a locked element is refused whole, by name, unless forced', async () => {
  const g = await init();
  settle(g);
  const x = g.variable(
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    { name: 'x' },
  );
  x.lock([
    [1, 0],
    [1, 1],
    [2, 0],
  ]);
  const at = [[0], [2], [1]];
  const rows = [
    [0, 0],
    [5, 0],
    [3, 0],
  ]; // equal bits at [1, 0] and [2, 0] are no change
  refuses(
    g,
    [x],
    () => x.scatterNdUpdate(at, rows),
    LockedElementError,
    /scatterNdUpdate would change 1 locked.*\[1, 1\]/,
  );
  refuses(
    g,
    [x],
    () => x.scatterNdAdd(at, rows),
    LockedElementError,
    /scatterNdAdd would change 2 locked.*\[1, 0\]/,
  );
  refuses(
    g,
    [x],
    () => x.scatterNdMax([[2]], [[9, 9]]),
    LockedElementError,
    /scatterNdMax would change 1 /,
  );
  assert.throws(
    () => x.scatterNdSub(at, rows),
    (error) => {
      assert.ok(error instanceof LockedElementError);
      assert.deepEqual([error.index, error.flatIndex, error.count], [[1, 0], 2, 2]);
      return true;
    },
  );
  x.scatterNdMin(at, [
    [0, 0],
    [9, 0],
    [3, 4],
  ]);
  assert.deepEqual(x.array(), [
    [0, 0],
    [3, 4],
    [5, 0],
  ]);
  x.scatterNdUpdate(at, rows, { force: true });
  assert.deepEqual(x.array(), [
    [0, 0],
    [3, 0],
    [5, 0],
  ]);
  assert.deepEqual([...x.locks.toIndices()], [2, 3, 4]); // forced or not, they stay locked
  x.scatterNdAdd(
    [
      [1, 0],
      [1, 0],
    ],
    [1, -1],
  ); // it ends with the bits that it had
});

test('bad arguments of scatterNd methods write nothing, even by force', async () => {
  const g = await init();
  settle(g);
  const x = g.variable([1, 2, 3], { name: 'x' });
  const gone = g.tensor([[0]]);
  gone.dispose();
  /** @type {any} */
  const any = x;
  const force = { force: true };
  /** @type {[call: () => unknown, kind: Function, message: RegExp][]} */
  const refused = [
    [
      () => x.scatterNdUpdate([[3]], [1], force),
      IndexError,
      /scatterNdUpdate: indices\[0,0\] is 3/,
    ],
    [() => x.scatterNdAdd([[-1]], [1], force), IndexError, /scatterNdAdd: indices\[0,0\] is -1/],
    [() => x.scatterNdSub([[0.5]], [1], force), IndexError, /scatterNdSub: .* is 0.5/],
    [() => x.scatterNdMin([[NAN]], [1], force), IndexError, /scatterNdMin: .* is NaN/],
    [
      () => x.scatterNdMax([[0]], [1, 2], force),
      ShapeError,
      /scatterNdMax: updates of shape \[2\]/,
    ],
    [
      () => x.scatterNdUpdate([[1], [1]], [5, 6], force),
      GradlockError,
      /index \[1\] is named again by number 1/,
    ],
    [() => x.scatterNdUpdate([0], x), GradlockError, /'x' would be read while it is written/],
    [() => x.scatterNdUpdate(gone, [1]), DisposedError, /gone/],
    [() => any.scatterNdUpdate([[0]]), TypeError, /updates must be .* got undefined/],
    [() => any.scatterNdUpdate('all', [1]), TypeError, /indices must be .* got "all"/],
    [() => any.scatterNdAdd([[0]], [1], { duplicates: 'last' }), TypeError, /no 'duplicates'/],
    [() => any.scatterNdUpdate([[0]], [1], { force: 1 }), TypeError, /force must be true or false/],
  ];
  for (const [call, kind, message] of refused) refuses(g, [x], call, kind, message);
  g.compile(() => {
    assert.throws(() => x.scatterNdUpdate([[0]], [1]), RecordingError);
    return g.sum(x);
  });
  assert.deepEqual(x.array(), [1, 2, 3]);
  x.dispose();
  assert.throws(() => x.scatterNdUpdate([[0]], [1]), DisposedError);
});
