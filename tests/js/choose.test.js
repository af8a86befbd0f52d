/* One choice among several variables: the same as one among all their elements, and refusals that
 * change nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, init, OptionError } from 'gradlock';
import { random, randomValues, refuses, settle } from './support.js';

/** @typedef {import('gradlock').Choice} Choice */

test('a choice among several variables is the choice among all their elements', async () => {
  const g = await init();
  const next = random(9);
  /** @type {Choice[]} */
  const choices = [
    { topK: { fraction: 0.1, largest: false } },
    { topK: { k: 17, by: 'value' } },
    { where: { below: 0.5 } },
    { random: { k: 30, seed: 4 } },
  ];
  const values = randomValues(60, next);
  const all = g.tensor(values);
  const cuts = [0, 6, 6, 40, 60];
  const parts = cuts.slice(1).map((end, i) => g.variable(values.slice(cuts[i], end)));
  for (const choice of choices) {
    const [whole] = g.choose([all], choice);
    const sets = g.choose(parts, choice);
    const masks = sets.flatMap((set) => Array.from(set.toMask()));
    assert.deepEqual(masks, Array.from(whole.toMask()), JSON.stringify(choice));
    assert.deepEqual(Array.from(g.variable(values).lock(choice).locks.toMask()), masks);
  }
  assert.deepEqual(g.choose([], { topK: { fraction: 0.5 } }), []);
});

test('the smallest weights of a network, wherever they are, are pruned and stay 0', async () => {
  const g = await init();
  const next = random(10);
  const layers = [0.1, 1, 10].map((size) =>
    g.variable(randomValues(40, next).map((value) => value * size)),
  );
  const sets = g.choose(layers, { topK: { fraction: 0.5, largest: false } });
  assert.equal(
    sets.reduce((sum, set) => sum + set.count, 0),
    60,
  );
  for (const [i, x] of layers.entries()) {
    const mask = sets[i].toMask();
    x.assign(x.data().map((value, k) => (mask[k] ? 0 : value))).lock(sets[i]);
  }
  const adam = g.optimizers.adam({ learningRate: 0.1 });
  adam.minimize(() => g.sum(g.square(g.sub(g.concat(layers), 3))), { steps: 20 });
  for (const [i, x] of layers.entries()) {
    const mask = sets[i].toMask();
    assert.ok(x.data().every((value, k) => !mask[k] === (value !== 0)));
  }
});

test('of equals the earlier variable comes first', async () => {
  const g = await init();
  const [x, y] = [g.variable([1, 2]), g.variable([2, 1])];
  const indices = (/** @type {Choice} */ choice) =>
    g.choose([x, y], choice).map((set) => Array.from(set.toIndices()));
  assert.deepEqual(indices({ topK: { k: 1 } }), [[1], []]);
  assert.deepEqual(indices({ topK: { k: 3 } }), [[0, 1], [0]]);
  assert.deepEqual(indices({ topK: { k: 1, largest: false } }), [[0], []]);
});

test('what cannot be chosen is refused', async () => {
  const g = await init();
  settle(g);
  const x = g.variable([1, 2]);
  const any = /** @type {any} */ (g);
  const choice = { topK: { k: 1 } };
  const by = { topK: { k: 1, by: 'gradient', gradient: g.tensor([1, 2]) } };
  refuses(g, [x], () => any.choose(x, choice), TypeError, /takes an array/);
  refuses(g, [x], () => any.choose([x, [1]], choice), TypeError, /tensors\[1\] must be/);
  refuses(g, [x], () => any.choose([x], 'all'), TypeError, /one of topK, where and random/);
  refuses(g, [x], () => any.choose([x], by), OptionError, /pass the gradients/);
  const y = g.variable([3, 4]);
  refuses(
    g,
    [x],
    () => any.choose([x, y], { topK: { k: 5 } }),
    OptionError,
    /0 to 4, the number of elements/,
  );
  refuses(
    g,
    [x],
    () => any.choose([y, x, x], choice),
    GradlockError,
    /tensors\[2\] is tensors\[1\]/,
  );
  x.assign(y).tie(y);
  refuses(g, [x], () => any.choose([x, y], choice), GradlockError, /would count twice/);
});
