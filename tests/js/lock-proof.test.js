/* Proofs and files of locks: audit (law 22), pressure (law 21), saved lock sets, and tied weights
 * (law 11). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormatError, GradientError, GradlockError, IndexError, init, ShapeError } from 'gradlock';
import { bitsOf, random, randomValues, refuses, settle } from './support.js';

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

test('the digest of an audit is the same in two instances that hold the same', async () => {
  const digests = [];
  for (let i = 0; i < 2; i++) {
    const g = await init();
    const x = g.variable([1, 2, 3, i]).lock([0, 2]);
    digests.push(x.locks.watch().audit().digest);
  }
  assert.equal(digests[0], digests[1]);
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

test('pressure refuses what has no gradient, and leaves nothing behind', async () => {
  const g = await init();
  settle(g);
  const x = g.variable([1, 2]).lock([0]);
  const y = g.variable([1, 2, 3]);
  const loss = g.compile(() => g.sum(g.square(x)));
  g.pressure(loss, [x]).forEach((t) => void t.dispose());
  refuses(g, [x], () => g.pressure(loss, [x, y]), GradientError, /does not depend/);
  refuses(g, [x], () => g.pressure(loss, [x, y], [2]), IndexError, /flat index 2/);
  refuses(g, [x], () => g.pressure(/** @type {any} */ (3), [x]), TypeError, /loss must be/);
  refuses(g, [x], () => g.pressure(loss, /** @type {any} */ (x)), TypeError, /array of variables/);
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

test('saved lock sets that are damaged, of another version or shape are refused', async () => {
  const g = await init();
  settle(g);
  const set = g.locks([40], [3, 9]);
  const bytes = set.toBytes();
  for (let i = 0; i < bytes.length; i++) {
    const wrong = bytes.slice();
    wrong[i] = Number(wrong[i]) ^ 1;
    refuses(g, [], () => g.locksFrom(wrong), FormatError, /lock set/);
    refuses(g, [], () => g.locksFrom(bytes.slice(0, i)), FormatError, /lock set/);
  }
  const shape = [40];
  const packed = btoa(String.fromCharCode(...bytes));
  const other = btoa(String.fromCharCode(...g.locks([41]).toBytes()));
  /** @type {[any, Function, RegExp][]} */
  const rows = [
    [{ version: 2, shape, indices: [] }, FormatError, /version 2/],
    [{ version: '1', shape, packed }, FormatError, /version "1"/],
    [{ version: 1, shape, packed: '#' }, FormatError, /base64/],
    [{ version: 1, shape, packed: 3 }, TypeError, /packed must be a string/],
    [{ version: 1, shape, packed: packed.slice(0, 8) }, FormatError, /lock set/],
    [{ version: 1, shape, packed: other }, FormatError, /another shape/],
    [{ version: 1, shape: [40.5], packed }, ShapeError, /shape\[0\]/],
    [{ version: 1, shape }, TypeError, /selection must be/],
    [{}, TypeError, /locksFrom takes/],
    [null, TypeError, /got null/],
    ['GLKL', TypeError, /got "GLKL"/],
  ];
  for (const [saved, kind, message] of rows) {
    refuses(g, [], () => g.locksFrom(saved), kind, message);
  }
  const x = g.variable(new Float32Array(41));
  refuses(g, [x], () => x.lock({ version: 1, shape, packed }), ShapeError, /\[40\] does not fit/);
});

/* ----------------------------------------------------------------------------------------- ties */

test('tied weights are one variable used twice: one lock, one gradient, the sum of both uses', async () => {
  const g = await init();
  const next = random(9);
  const values = randomValues(12, next);
  const input = g.tensor(randomValues(8, next), [2, 4]);
  const tied = g.variable(values, { shape: [4, 3], name: 'embedding' });
  // Encoder and decoder share their weights, the second use transposed: a view does not lose the
  // lock.
  const loss = g.compile(() => {
    const code = g.tanh(g.matMul(input, tied));
    const decoded = g.matMul(code, g.transpose(tied));
    return g.sum(g.square(g.sub(decoded, input)));
  });
  const apart = [g.variable(values, { shape: [4, 3] }), g.variable(values, { shape: [4, 3] })];
  const untied = g.compile(() => {
    const code = g.tanh(g.matMul(input, apart[0]));
    const decoded = g.matMul(code, g.transpose(apart[1]));
    return g.sum(g.square(g.sub(decoded, input)));
  });
  const [whole] = g.valueAndGrad(loss, [tied]).grads;
  const parts = g.valueAndGrad(untied, apart).grads;
  const sum = g.add(parts[0], parts[1]).data();
  whole.data().forEach((value, i) => {
    assert.ok(Math.abs(value - Number(sum[i])) <= 1e-5 * (1 + Math.abs(value)));
  });
  tied.lock({ rows: [1] });
  const before = bitsOf(tied.data());
  g.optimizers.adamW({ learningRate: 0.1 }).minimize(loss, { steps: 20 });
  const after = bitsOf(tied.data());
  for (let i = 0; i < 12; i++)
    assert.equal(after[i] === before[i], i >= 3 && i < 6, `element ${i}`);
});
