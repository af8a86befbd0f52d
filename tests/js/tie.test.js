/* Precisions: f32, f64. */
/* Law 11: a lock belongs to storage. Tied variables are one variable under two names: the reference
 * is one variable used twice, and everything must be equal to the bit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DisposedError,
  GradlockError,
  HandleError,
  init,
  LockedElementError,
  ShapeError,
} from 'gradlock';
import { bitsOf, random, randomValues, refuses, settle } from './support.js';

/** @typedef {import('gradlock').RuleName} RuleName */
/** @typedef {import('gradlock').Variable} Variable */

for (const rule of /** @type {const} */ (['adam', 'ftrl'])) {
  test(`tied variables train under ${rule} as one variable used twice, locks and all`, async () => {
    const g = await init();
    const next = random(11);
    const values = randomValues(12, next);
    const make = () => g.variable(values, { shape: [3, 4] });
    const [a, b, one] = [make(), make(), make()];
    a.tie(b);
    const loss = (/** @type {Variable} */ x, /** @type {Variable} */ y) =>
      g.compile(() => g.add(g.sum(g.square(g.sub(x, 2))), g.sum(g.tanh(g.transpose(y)))));
    const [tied, single] = [loss(a, b), loss(one, one)];
    const [left, right] = [g.optimizers[rule](), g.optimizers[rule]()];
    for (let step = 0; step < 12; step++) {
      const mask = Uint8Array.from(values, () => Number(next() < 0.4));
      const name = step % 2 ? a : b; // either name locks
      name.unlock('all').lock(mask);
      one.unlock('all').lock(mask);
      assert.equal(left.minimize(tied), right.minimize(single));
      assert.deepEqual(bitsOf(b.data()), bitsOf(one.data()));
      assert.deepEqual(bitsOf(a.data()), bitsOf(one.data()));
      assert.deepEqual(left.clock(b), right.clock(one));
      for (const slot of left.slots) {
        assert.deepEqual(bitsOf(left.slot(b, slot)), bitsOf(right.slot(one, slot)));
      }
    }
    const twice = g.valueAndGrad(tied, [a, b]).grads;
    assert.equal(twice[0].digest(), twice[1].digest());
  });
}

test('the first gives values, name and slots; what either had locked is locked', async () => {
  const g = await init();
  const a = g.variable([1, 2, 3], { name: 'a' }).lock([0]);
  const b = g.variable([9, 2, 9], { name: 'b', trainable: false }).lock([1]);
  const objects = g.memory().objects;
  assert.equal(a.tie(b), a);
  assert.equal(g.memory().objects, objects - 1);
  assert.deepEqual(Array.from(b.data()), [1, 2, 3]);
  assert.deepEqual(Array.from(b.locks.toIndices()), [0, 1]);
  assert.deepEqual([b.name, b.trainable], ['a', true]);
  b.assign([1, 2, 7]);
  assert.deepEqual(Array.from(a.data()), [1, 2, 7]);
  assert.throws(() => b.assign([0, 2, 7]), LockedElementError);
  a.tie(b).tie(a); // again is no change
  const c = g.variable([0, 0, 0]);
  b.tie(c); // chains
  c.fix(2, 5);
  assert.deepEqual(Array.from(a.locks.toIndices()), [0, 1, 2]);
  assert.equal(a.data()[2], 5);
  b.dispose();
  assert.deepEqual(Array.from(a.data()), [1, 2, 5]);
  a.dispose();
  for (const gone of [a, b, c]) {
    assert.ok(gone.disposed);
    assert.throws(() => gone.data(), DisposedError);
  }
  assert.equal(g.memory().objects, 0);
});

test('listeners of either name hear of locks by either name, once', async () => {
  const g = await init();
  const [a, b, c] = [g.variable([1, 2]), g.variable([1, 2]), g.variable([1, 2])];
  /** @type {string[]} */
  const heard = [];
  a.locks.onChange(() => heard.push('a'));
  const end = b.locks.onChange(() => heard.push('b'));
  a.tie(b); // a change as well
  assert.deepEqual(heard.splice(0), ['a', 'b']);
  b.lock([0]);
  assert.deepEqual(heard.splice(0), ['a', 'b']);
  a.lock([1]);
  assert.deepEqual(heard.splice(0), ['a', 'b']);
  end();
  b.unlock('all');
  assert.deepEqual(heard.splice(0), ['a']);
  c.locks.onChange(() => heard.push('c'));
  const d = g.variable([1, 2]).tie(c);
  heard.length = 0;
  d.lock([0]);
  assert.deepEqual(heard, ['c']);
});

test('a program that was recorded before refuses to run, and ties are refused while recording', async () => {
  const g = await init();
  const [a, b] = [g.variable([1, 2]), g.variable([3, 4], { name: 'b' })];
  const program = g.compile(() => g.sum(g.mul(a, b)));
  assert.throws(() => g.compile(() => g.sum(a.tie(b))), /while.*recording|recording/);
  assert.equal(program.value(), 11);
  a.tie(b);
  assert.throws(() => program.value(), HandleError);
});

test('bad ties change nothing', async () => {
  const g = await init();
  const other = await init();
  settle(g);
  const a = g.variable([1, 2], { name: 'a' });
  const b = g.variable([1, 3], { name: 'b' }).lock([1]);
  const c = g.variable([1, 2]);
  c.locks.holder('drag').lock([0]);
  const short = g.variable([1]);
  const foreign = other.variable([1, 2]);
  const any = /** @type {any} */ (a);
  refuses(g, [a, b], () => a.tie(b), LockedElementError, /tie would change 1 locked element/);
  refuses(g, [a, c], () => a.tie(c), GradlockError, /has holders/);
  refuses(g, [a], () => any.tie([1, 2]), TypeError, /tie takes a variable/);
  refuses(g, [a], () => a.tie(short), ShapeError, /\[1\]/);
  refuses(g, [a], () => a.tie(foreign), HandleError, /another gradlock instance/);
  const gone = g.variable([1, 2]);
  gone.dispose();
  refuses(g, [a], () => a.tie(gone), DisposedError, /disposed/);
});
