/* MiniLM beside NumPy's f64: fixtures/minilm.json, written by golden/minilm.py. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { assertNear } from '../claims.js';
import { freezeAllBut, golden, openClassifier, openMinilm, padded, tokensOf } from '../minilm.js';

/** @type {number[][]} */
const rows = golden.pairs.flatMap((/** @type {any} */ pair) => pair.tokens);

test('MiniLM has all of its weights and gives sentences the vectors that it gave them', async () => {
  const g = await init();
  const { net, report } = await openMinilm(g);
  assert.deepEqual([report.missing, report.unexpected, report.misshapen], [[], [], []]);
  assert.deepEqual(report.skipped.sort(), [
    'embeddings.position_ids',
    'pooler.dense.bias',
    'pooler.dense.weight',
  ]);
  assert.equal(net.countParams(), 22_565_376);
  const { tokens, mask } = padded(rows);
  /** @type {import('gradlock').Tensor[]} */
  const [last, vectors] = net.predict([g.tensor(tokens), g.tensor(mask)]);
  const first = g.slice(last, [0, 0, 0], [1, Number(rows[0]?.length), 384]);
  assertNear(first.data(), golden.tokens, 'tokens of the first sentence');
  assertNear(vectors.data(), golden.vectors, 'vectors');
  const [a, b] = [0, 1].map((side) => {
    return g.gather(
      vectors,
      golden.pairs.map((/** @type {any} */ _, /** @type {number} */ i) => 2 * i + side),
    );
  });
  const similarities = g.sum(g.mul(/** @type {any} */ (a), /** @type {any} */ (b)), -1);
  const worst = assertNear(similarities.data(), golden.similarities, 'similarities');
  assert.ok(worst <= 1e-5);
  g.dispose();
});

test('padding of MiniLM is not looked at: a sentence alone has the vector that it has among others', async () => {
  const g = await init();
  const { net } = await openMinilm(g);
  const { tokens, mask } = padded(rows.slice(0, 1));
  /** @type {import('gradlock').Tensor[]} */
  const [, vectors] = net.predict([g.tensor(tokens), g.tensor(mask)]);
  const { values, off } = golden.vectors;
  assertNear(vectors.data(), { values: values.slice(0, 384), off }, 'vector');
  g.dispose();
});

/**
 * Two epochs of what is free.
 * @param {RegExp} free
 * @param {'auto' | false} cache
 */
const train = async (free, cache) => {
  const g = await init();
  const net = await openClassifier(g, 8);
  const { x, y } = tokensOf(g, 12, 8);
  const before = net.weights.map((weight) => weight.digest());
  freezeAllBut(net, free);
  net.compile({
    optimizer: g.optimizers.adam({ learningRate: 1e-3 }),
    loss: 'sparseCategoricalCrossentropy',
  });
  const result = await net.fit(x, y, { epochs: 2, batchSize: 4, cache });
  const after = net.weights.map((weight) => weight.digest());
  const names = net.weights.map(({ name }) => name);
  const moved = names.filter((_, i) => before[i] !== after[i]);
  g.dispose();
  return { ...result, after, moved, names };
};

test('biases of MiniLM alone learn, and no bit of its matrices moves', async () => {
  const free = /\/(bias|beta)$/;
  const { names, moved, audit, cached } = await train(free, 'auto');
  // Softmax does not see the biases of keys: their gradients are roundings.
  const isSeen = (/** @type {string} */ name) => free.test(name) && !name.endsWith('key/bias');
  assert.deepEqual(moved.filter(isSeen), names.filter(isSeen));
  assert.ok(moved.every((name) => free.test(name)));
  assert.equal(names.filter(isSeen).length, 1 + 6 * 7 + 1);
  assert.equal(audit?.changed, 0);
  // The table of words is below all that learns.
  assert.deepEqual(/** @type {any} */ (cached).layers, ['words', 'positions']);
});

test('the last block learns the same bits, whether the five before are computed once or each time', async () => {
  const free = /^(head|block_5\/\w+)\//;
  const kept = await train(free, 'auto');
  const anew = await train(free, false);
  assert.deepEqual(kept.after, anew.after);
  assert.equal(/** @type {any} */ (kept.cached).layers.length, 38);
  assert.ok(kept.moved.every((name) => free.test(name)) && kept.moved.length > 0);
});
