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

test('lock sets survive bytes and JSON, and stay small', async () => {
  const g = await init();
  const next = random(5);
  /** @type {[number[], (i: number) => boolean, number][]} */
  const rows = [
    [[], () => true, 14],
    [[0], () => true, 16],
    [[1000, 1000], (i) => i < 5e5, 27],
    [[300, 100], (i) => i % 100 < 50, 1000],
    [[3000], () => next() < 0.5, 400],
    [[400], (i) => i === 7, 22],
  ];
  for (const [shape, isLocked, most] of rows) {
    const size = shape.reduce((a, b) => a * b, 1);
    const set = g.locks(
      shape,
      Uint8Array.from({ length: size }, (_, i) => Number(isLocked(i))),
    );
    const bytes = set.toBytes();
    assert.ok(bytes.length <= most, `${bytes.length} bytes`);
    const json = JSON.parse(JSON.stringify(set));
    for (const back of [g.locksFrom(bytes), g.locksFrom(json), g.locks(shape, json)]) {
      assert.deepEqual(back.shape, shape);
      assert.deepEqual(back.toMask(), set.toMask());
    }
    assert.equal('packed' in json, set.count > 256);
  }
  const x = g.variable(new Float32Array(3000)).lock('all');
  x.unlock('all').lock(g.locks([3000], 'all').toJSON());
  assert.equal(x.locks.count, 3000);
});
