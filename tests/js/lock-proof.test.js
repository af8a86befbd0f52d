/* Proofs and files of locks: audit (law 22), pressure (law 21) and saved lock sets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, init } from 'gradlock';
import { random, randomValues } from './support.js';

/* ---------------------------------------------------------------------------------------- audit */

test('an audit holds through training, and finds bytes poked through a view', async () => {
  const g = await init();
  const x = g.variable(randomValues(12, random(1)), { shape: [3, 4], name: 'x' });
  const { locks } = x;
  assert.throws(
    () => locks.audit(),
    (error) => error instanceof GradlockError && /not watched/.test(error.message),
  );
  assert.equal(locks.watch(), locks);
  x.lock({ rows: [1] });
  const adam = g.optimizers.adamW({ learningRate: 0.1 });
  adam.minimize(() => g.sum(g.square(x)), { steps: 5 });
  const before = locks.audit();
  assert.deepEqual(
    { ...before, digest: '' },
    { ok: true, changed: 0, flatIndex: null, index: null, digest: '' },
  );
  assert.match(before.digest, /^[0-9a-f]{16}$/);
  x.fix(11, 3).assign(x.data(), { force: true });
  assert.ok(locks.audit().ok, 'what was written with consent is right');
  const { digest } = locks.audit();
  assert.notEqual(digest, before.digest);
  const view = x.view();
  view[6] = Number(view[6]) + 1;
  view[0] = 9; // free
  view[7] = -0;
  assert.deepEqual(locks.audit(), { ok: false, changed: 2, flatIndex: 6, index: [1, 2], digest });
  assert.ok(locks.watch().audit().ok, 'watched anew from what is there');
  locks.unwatch();
  assert.throws(() => locks.audit(), GradlockError);
  assert.throws(() => g.locks([2]).audit(), TypeError);
  assert.throws(() => g.locks([2]).watch(), TypeError);
});

/* ------------------------------------------------------------------------------------- pressure */

test('pressure is the gradient where locked and 0 elsewhere, and vanishes where the optimum is', async () => {
  const g = await init();
  const x = g.variable([0, 0, 0, 0]).lock([1, 3]);
  const y = g.variable([[2]]);
  const target = g.tensor([1, -2, 3, 0]);
  const loss = g.compile(() => g.add(g.sum(g.square(g.sub(x, target))), g.sum(g.square(y))));
  const [ofX, ofY] = g.pressure(loss, [x, y]);
  assert.deepEqual(ofX.data(), Float32Array.of(0, 4, 0, 0));
  assert.deepEqual([ofY.shape, ofY.data()], [[1, 1], Float32Array.of(0)]);
  assert.deepEqual(g.pressure(loss, [x], [0, 1])[0].data(), Float32Array.of(-2, 4, 0, 0));
  assert.deepEqual(
    g.pressure(loss, [x], 'all')[0].data(),
    g.valueAndGrad(loss, [x]).grads[0].data(),
  );
  x.unlock([1]);
  g.optimizers.sgd({ learningRate: 0.25 }).minimize(loss, { steps: 100 });
  assert.deepEqual(g.pressure(loss, [x], 'all')[0].data().map(Math.abs), new Float32Array(4));
  assert.deepEqual(g.pressure(() => g.sum(g.square(x)), [x])[0].data(), new Float32Array(4));
});

/* ---------------------------------------------------------------------------------------- files */

test('lock sets survive bytes and JSON, packed from 257 elements on', async () => {
  const g = await init();
  for (const count of [0, 256, 257, 3000]) {
    const set = g.locks([3000], { slice: [[3000 - count, 3000]] });
    const json = JSON.parse(JSON.stringify(set));
    assert.equal('packed' in json, count > 256);
    for (const back of [g.locksFrom(set.toBytes()), g.locksFrom(json), g.locks([3000], json)]) {
      assert.deepEqual(back.toMask(), set.toMask());
    }
    assert.equal(g.variable(new Float32Array(3000)).lock(json).locks.count, count);
  }
});
