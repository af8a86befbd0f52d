/* g2p-en beside its own NumPy: fixtures/g2p.json, written by golden/g2p.py. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { assertNear } from '../claims.js';
import { encodeWords, golden, openG2p, spellOut } from '../g2p.js';

/** @type {string[]} */
const words = golden.rows.map((/** @type {any} */ row) => row.word);

test('a GRU of PyTorch has its gates in order: it reads words as its own NumPy does', async () => {
  const g = await init();
  const { net, encoder, report } = await openG2p(g);
  assert.deepEqual([report.missing, report.unexpected, report.misshapen], [[], [], []]);
  assert.equal(report.loaded.length, net.weights.length);
  const few = words.slice(0, golden.states.values.length / 256);
  const states = encoder.predict(g.tensor(encodeWords(few)));
  assertNear(states.data(), golden.states, 'state');
  g.dispose();
});

test('it spells 200 words as the package does, phoneme by phoneme', async () => {
  const g = await init();
  const networks = await openG2p(g);
  const found = spellOut(g, networks, words);
  assert.deepEqual(
    found,
    golden.rows.map((/** @type {any} */ row) => row.phonemes),
  );
  assert.equal(found.length, 200);
  // No two logits were so close that rounding could decide.
  assert.ok(golden.margin > 1000 * golden.states.off);
  g.dispose();
});
