/* Writing to places of a variable: guarded by its locks, in a declared order, or refused whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DisposedError,
  GradlockError,
  IndexError,
  init,
  LockedElementError,
  RecordingError,
  ShapeError,
} from 'gradlock';
import { refuses, settle } from './support.js';

const NAN = Number.NaN;
const M = [
  [1, 2, 3],
  [4, 5, 6],
];

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
      /index \[1\] appears again at number 1/,
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
