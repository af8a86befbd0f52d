/* Indexing as JavaScript offers it: masks that decide shapes, several results, and gradients of
 * gathers and scatters. Values and gradients are compared with TensorFlow's in
 * golden-indexing.test.js. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexError, init, LimitError, RecordingError } from 'gradlock';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const M = [
  [1, 2, 3],
  [4, 5, 6],
];

test('masks may be computed by ops, and elements that they choose have gradients', async () => {
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

test('gathering and scattering have second derivatives', async () => {
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

test('an index is at most 2^24, up to which f32 has every whole number', async () => {
  const g = await init();
  const long = g.tensor(new Uint8Array(), [2 ** 24 + 1, 0]);
  assert.throws(() => g.gather(long, [0]), LimitError);
  assert.throws(() => g.gather([1, 2], [2 ** 24 + 1]), IndexError); // read as 2 ** 24, and still refused
});
