/* Precisions: f32, f64. */
/* Scatter methods of a variable: guarded by locks, with a mode for duplicates, atomic on errors.
 * golden-indexing.test.js has their values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';
import { refuses, settle } from './support.js';

test('scatterNd methods of a variable return it, and its update may name an element twice if told how', async () => {
  const g = await init();
  const x = g.variable([1, 2, 3]);
  assert.equal(x.scatterNdUpdate([[0], [0]], [1, 5], { duplicates: 'last' }), x);
  x.scatterNdUpdate([[2], [2]], [1, 2], { duplicates: 'sum' });
  x.scatterNdUpdate([[1]], g.slice(x, [0], [1]));
  assert.deepEqual(x.array(), [5, 5, 3]);
  assert.equal(g.memory().objects, 2); // x and the slice: no intermediate is left
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
