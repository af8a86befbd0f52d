/* Precisions: f32, f64. */
/* Scatter methods of a variable: guarded by locks, with a mode for duplicates, atomic on errors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';
import { refuses, settle } from './support.js';

const MATRIX = [
  [1, 2, 3],
  [4, 5, 6],
];

test('scatterNd methods of a variable write to elements and return it', async () => {
  const g = await init();
  const x = g.variable(MATRIX);
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
  assert.equal(g.memory().objects, 3); // x, the tensor and the slice: no intermediate is left
});

test('a scatter that would change a locked element throws and writes nothing, unless forced', async () => {
  const g = await init();
  settle(g);
  const x = g.variable([1, 2, 3], { name: 'x' }).lock([1, 2]);
  const indices = [[0], [2], [1]];
  for (const name of /** @type {const} */ (['scatterNdUpdate', 'scatterNdAdd', 'scatterNdSub'])) {
    const message = new RegExp(`${name} would change 2 locked.*\\[1\\]`);
    refuses(g, [x], () => x[name](indices, [5, 6, 7]), LockedElementError, message);
  }
  refuses(g, [x], () => x.scatterNdMax([[2]], [9]), LockedElementError, /Max would change 1 /);
  assert.throws(() => x.scatterNdMin(indices, [0, 0, 0]), {
    ...{ name: 'LockedElementError', index: [1], flatIndex: 1, count: 2 },
  });
  x.scatterNdUpdate(indices, [5, 6, 7], { force: true });
  assert.deepEqual(x.array(), [5, 7, 6]);
  assert.deepEqual([...x.locks.toIndices()], [1, 2]); // forced or not, they stay locked
});
