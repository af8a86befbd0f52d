/* MiniLM beside NumPy's f64: fixtures/minilm.json, written by golden/minilm.py. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { assertNear } from '../claims.js';
import { golden, openMinilm, padded } from '../minilm.js';

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
  const [, vectors] = net.predict([g.tensor(tokens), g.tensor(mask)]);
  const { values, off } = golden.vectors;
  assertNear(vectors.data(), { values: values.slice(0, 384), off }, 'vector');
  g.dispose();
});
