/* Prune, lock at zero, fine-tune: the small weights of a trained network become 0 and stay 0, to
 * the bit, while the rest learns on. Pruning by magnitude as in Han et al. 2015, "Learning both
 * Weights and Connections for Efficient Neural Networks"; there a mask is multiplied in after every
 * step, since momentum would revive what was pruned.
 *
 * `make pictures` draws the first layer before and after. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { makeNetwork } from './digits.js';

test('pruned weights stay 0 to the bit while the rest is fine-tuned, under Adam and weight decay', async () => {
  const g = await init();
  const { w1, loss, accuracy } = makeNetwork(g);
  const adam = g.optimizers.adamW({ learningRate: 0.01 });
  adam.minimize(loss, { steps: 120 });
  const trained = accuracy();
  assert.ok(trained > 0.88, `it learns: ${trained}`);

  // The recipe: the smallest four fifths become 0, and are locked there.
  w1.lock({ topK: { fraction: 0.8, by: 'magnitude', largest: false } });
  const small = w1.locks.toIndices();
  const pruned = w1.data();
  for (const i of small) pruned[i] = 0;
  w1.assign(pruned, { force: true });
  const cut = accuracy();

  // Adam's moments of what was pruned still push; what is locked does not feel them.
  adam.minimize(loss, { steps: 120 });
  const tuned = accuracy();
  assert.ok(tuned > 0.85 && tuned > cut, `pruned ${cut}, fine-tuned ${tuned}`);
  const bits = new Uint32Array(w1.data().buffer);
  assert.equal(small.filter((i) => bits[i] !== 0).length, 0, 'no bit of a pruned weight moved');
  assert.equal(w1.locks.count, Math.round(0.8 * w1.size));

  // Beside it: the same with the gradient's mask, in the same optimizer. Its zeros move.
  w1.unlock('all').assign(pruned, { force: true });
  const mask = Float32Array.from(pruned, (value) => (value === 0 ? 0 : 1));
  const { grads } = g.valueAndGrad(loss, [w1]);
  adam.applyGradients([[g.mul(grads[0], g.tensor(mask, w1.shape)), w1]]);
  const revived = new Uint32Array(w1.data().buffer);
  assert.ok(
    small.some((i) => revived[i] !== 0),
    'a mask on the gradient revives pruned weights',
  );
});
