/* The recipe docs/recipes/sentences.mjs, run short: what it says of locks and learning holds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../docs/recipes/sentences.mjs';

test('MiniLM learns tenses by a head, a block, its biases or three new words, and nothing else moves', async () => {
  const { found, words } = await run({ epochs: 3 });
  for (const [name, { accuracy, moved }] of Object.entries(found)) {
    assert.equal(moved, 0, name);
    assert.ok(accuracy > 0.7, `${name}: ${accuracy}`);
  }
  assert.equal(found['head alone'].free, 3 * 384 + 3);
  assert.ok(found['head alone'].cached > found['last block'].cached);
  assert.ok(found['last block'].cached > found['all biases'].cached);
  assert.deepEqual([words.free, words.moved, words.kept], [3 * 384, 0, words.old]);
  assert.ok(words.learned > words.guessed + 0.3, `${words.guessed} to ${words.learned}`);
});
