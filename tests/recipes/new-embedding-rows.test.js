/* New words for a trained embedding table: only their rows learn. Elsewhere people zero the
 * gradient of the old rows, and weight decay erodes them all the same. Here every old row keeps its
 * bits, under AdamW, whatever is looked up.
 *
 * `make pictures` draws what either changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { makeWords, NEW, SIZE, WORDS } from './words.js';

test('only the new rows of an embedding table learn; the old ones keep every bit', async () => {
  const g = await init();
  const { table, loss, maskedStep } = makeWords(g);
  const before = table.data();

  // The recipe.
  table.trainOnly({ rows: NEW });
  const optimizer = g.optimizers.adamW({ learningRate: 0.05, weightDecay: 0.1 });
  const start = optimizer.minimize(loss, { steps: 1 });
  const end = optimizer.minimize(loss, { steps: 300 });
  assert.ok(end < start / 20, `the loss went from ${start} to ${end}`);
  const [old, now] = [before, table.data()].map((values) => new Uint32Array(values.buffer));
  for (let row = 0; row < WORDS; row++) {
    const same = old
      .slice(row * SIZE, (row + 1) * SIZE)
      .every((bits, k) => bits === now[row * SIZE + k]);
    assert.equal(same, !NEW.includes(row), `row ${row}`);
  }

  // Beside it: gradients of old rows zeroed, decay on. All old rows shrink.
  table.unlock('all');
  maskedStep();
  const first = table.data().slice(0, SIZE);
  assert.notDeepEqual(first, before.slice(0, SIZE), 'decay erodes frozen rows');
});
