/* New words for a trained embedding table: only their rows learn. Elsewhere people zero the gradient of the old rows,
 * and weight decay erodes them all the same. Here every old row keeps its bits, under AdamW, whatever is looked up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';

const WORDS = 50;
const NEW = [47, 48, 49];
const SIZE = 8;

test('only the new rows of an embedding table learn; the old ones keep every bit', async () => {
  const g = await init();
  const table = g.variable(g.random(1).normal([WORDS, SIZE]), { name: 'embedding' });
  const head = g.variable(g.random(2).normal([SIZE, 1]), { name: 'head', trainable: false });
  const before = table.data();

  // Sentences of three words, each with a new one; what they should mean.
  const ids = [
    [47, 3, 12],
    [48, 3, 40],
    [49, 12, 5],
    [47, 48, 49],
  ];
  const meant = [[1], [-1], [2], [0.5]];
  const loss = g.compile(() => {
    const sentence = g.mean(g.embeddingLookup(table, ids), 1);
    return g.losses.meanSquaredError(meant, g.matMul(sentence, head));
  });

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
  const { grads } = g.valueAndGrad(loss, [table]);
  const rows = g.tensor(Array.from({ length: WORDS }, (_, row) => [NEW.includes(row) ? 1 : 0]));
  g.optimizers
    .adamW({ learningRate: 0.05, weightDecay: 0.1 })
    .applyGradients([[g.mul(grads[0], rows), table]]);
  assert.notDeepEqual(
    table.data().slice(0, SIZE),
    before.slice(0, SIZE),
    'decay erodes frozen rows',
  );
});
