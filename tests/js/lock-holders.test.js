/* Precisions: f32, f64. */
/* Holders, policies that lock while training goes on, and who is told: laws 17 and 20 from
 * JavaScript. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';
import { bitsOf, random, randomValues } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').LockPolicy} LockPolicy */
/** @typedef {import('gradlock').Variable} Variable */

const N = 40;

/** @param {Variable} x */
const locked = (x) => Array.from(x.locks.toIndices());

/** A problem, the same each time. @param {Gradlock} g @param {'sgd' | 'adam'} rule */
const problem = (g, rule = 'adam') => {
  const next = random(3);
  const x = g.variable(randomValues(N, next), { name: 'x' });
  const target = g.tensor(randomValues(N, next));
  const loss = g.compile(() => g.sum(g.square(g.sub(g.tanh(x), target))));
  return { x, loss, optimizer: g.optimizers[rule]({ learningRate: 0.05 }) };
};

test('a drag that ends leaves the pin under it', async () => {
  const g = await init();
  const x = g.variable([0, 0, 0]).lock([1]);
  const drag = x.locks.holder('drag');
  drag.lock([1, 2]);
  assert.deepEqual(locked(x), [1, 2]);
  assert.deepEqual([drag.count, x.locks.own().count], [2, 1]);
  assert.deepEqual(x.locks.holders, ['drag']);
  assert.throws(() => x.assign([0, 0, 5]), LockedElementError);
  x.unlock('all');
  assert.deepEqual(locked(x), [1, 2], 'only the holder itself lets go of what it holds');
  x.lock([1]);
  x.locks.holder('drag').clear();
  assert.deepEqual(locked(x), [1]);
  assert.deepEqual(x.locks.holders, []);
  assert.deepEqual([drag.count, drag.name], [0, 'drag']);
  drag.trainOnly([0]).toggle([0, 1]).unlock([2]);
  assert.deepEqual(Array.from(drag.toLocks().toIndices()), [0]);
  assert.deepEqual(locked(x), [0, 1]);
});

/**
 * Policies, and the same by hand: what to select at step t.
 * @type {[LockPolicy, (t: number) => any][]}
 */
const POLICIES = [
  [{ lock: { topK: { k: 9 } } }, () => ({ topK: { k: 9 } })],
  [
    { trainOnly: { topK: { fraction: 0.3, by: 'value', largest: false } }, every: 5 },
    () => ({ topK: { fraction: 0.3, by: 'value', largest: false } }),
  ],
  [
    { lock: { topK: { fraction: { from: 0, to: 1, steps: 8 }, by: 'magnitude' } }, every: 2 },
    (t) => ({ topK: { fraction: Math.min(t / 8, 1) } }),
  ],
  [
    { lock: { topK: { k: { from: N, to: 0, steps: 16 } } }, every: 4 },
    (t) => ({ topK: { k: Math.max(N - (N * t) / 16, 0) } }),
  ],
  [
    { lock: { random: { k: 3, seed: { seed: 2, step: 5 } } }, every: 3, step: 6 },
    (t) => ({ random: { k: 3, seed: { seed: 2, step: 5 + 2 + t / 3 } } }),
  ],
];

for (const [policy, select] of POLICIES) {
  test(`policy ${JSON.stringify(policy)} in a compiled loop is the same as locking by hand`, async () => {
    const g = await init();
    const a = problem(g);
    const b = problem(g);
    a.x.lock([0, 20]).lockPolicy(policy);
    b.x.lock([0, 20]);
    const { nodes } = a.loss;
    a.optimizer.minimize(a.loss, { steps: 20 });
    const every = 'at' in policy ? 1 : (policy.every ?? 1);
    for (let t = 0; t < 20; t++) {
      if (t % every === 0) {
        const holder = b.x.locks.holder('by hand');
        holder.clear();
        if (policy.lock) holder.lock(select(t));
        else holder.trainOnly(select(t));
      }
      b.optimizer.minimize(b.loss, { steps: 1 });
    }
    assert.deepEqual(bitsOf(a.x.data()), bitsOf(b.x.data()));
    assert.deepEqual(locked(a.x), locked(b.x));
    assert.equal(a.x.locks.holder('policy').steps, (policy.step ?? 0) + 20);
    assert.ok(a.loss.nodes - nodes < 100, 'recorded once');
  });
}

test('a timetable frees rows one after another, and null ends any policy', async () => {
  const g = await init();
  const x = g.variable(new Float32Array(6), { shape: [3, 2] });
  const loss = g.compile(() => g.sum(g.square(g.sub(x, 1))));
  const sgd = g.optimizers.sgd({ learningRate: 0.1 });
  x.lockPolicy({ at: [0, 2, 4], lock: ['all', { rows: [0, 1] }, { rows: [0] }] });
  /** @type {number[]} */
  const counts = [];
  sgd.minimize(loss, { steps: 6, onStep: () => void counts.push(x.locks.count) });
  assert.deepEqual(counts, [6, 6, 4, 4, 2, 2]);
  assert.deepEqual([x.data()[0], x.data()[1]], [0, 0]);
  x.lockPolicy({ at: [0], trainOnly: [[0]] });
  sgd.minimize(loss, { steps: 1 });
  assert.equal(x.locks.count, 5);
  x.lockPolicy(null);
  x.locks.holder('policy').clear();
  sgd.minimize(loss, { steps: 1 });
  assert.equal(x.locks.count, 0);
});

/* ------------------------------------------------------------------------------------ listeners */

test('listeners are told after every way to change locks, once, with the set as it is', async () => {
  const g = await init();
  const x = g.variable([0, 0, 0]);
  /** @type {number[]} */
  const told = [];
  const stop = x.locks.onChange((locks) => {
    assert.equal(locks, x.locks);
    told.push(locks.count);
  });
  x.lock([0]);
  x.unlock([0]);
  x.toggle('all');
  x.trainOnly([1]);
  x.fix(1, 5);
  x.unlock('all');
  x.locks.holder('drag').lock([2]);
  x.locks.holder('drag').clear();
  assert.deepEqual(told, [1, 0, 3, 2, 3, 0, 1, 0]);
  assert.throws(() => x.lock([3]));
  x.assign([1, 1, 1]);
  x.locks.or([1]).dispose();
  const sgd = g.optimizers.sgd();
  sgd.minimize(() => g.sum(x), { steps: 3 });
  assert.equal(told.length, 8, 'no change, no call');
  x.lockPolicy({ lock: { topK: { k: 2 } } });
  sgd.minimize(
    g.compile(() => g.sum(x)),
    { steps: 5 },
  );
  assert.deepEqual(told.slice(8), [2], 'once a call that trained');
  stop();
  stop();
  x.lock('all');
  assert.equal(told.length, 9);
});

test('an error of a listener is reported and stops neither the change nor other listeners', async () => {
  const g = await init();
  const x = g.variable([0, 0]);
  /** @type {unknown[]} */
  const reported = [];
  const before = globalThis.reportError;
  globalThis.reportError = (error) => void reported.push(error);
  try {
    const error = new Error('from a listener');
    let calls = 0;
    x.locks.onChange(() => {
      throw error;
    });
    x.locks.onChange(() => calls++);
    assert.equal(x.lock([0]), x);
    assert.deepEqual([x.locks.count, calls, reported.length, reported[0]], [1, 1, 1, error]);
  } finally {
    globalThis.reportError = before;
  }
});

test('a listener may change locks, end its subscription and dispose the variable', async () => {
  const g = await init();
  const x = g.variable([0, 0, 0]);
  let calls = 0;
  const stop = x.locks.onChange((locks) => {
    calls++;
    if (locks.count < 3) x.lock([locks.count]);
    else stop();
  });
  x.lock([0]);
  assert.deepEqual([x.locks.count, calls], [3, 3]);
  x.unlock('all');
  assert.equal(calls, 3);
  x.locks.onChange(() => x.dispose());
  x.lock([0]);
  assert.ok(x.disposed);
  for (const bad of /** @type {any[]} */ ([undefined, null, 'log', {}])) {
    assert.throws(() => g.variable(1).locks.onChange(bad), TypeError);
  }
});
