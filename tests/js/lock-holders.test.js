/* Holders, policies that lock while training goes on, and who is told: laws 17 and 20 from
 * JavaScript. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DisposedError,
  IndexError,
  init,
  LockedElementError,
  OptionError,
  RecordingError,
  ShapeError,
} from 'gradlock';
import { bitsOf, random, randomValues, refuses, settle } from './support.js';

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

test('holders have any names, and a set of its own has none', async () => {
  const g = await init();
  settle(g);
  const x = g.variable(new Float32Array(3));
  const names = ['a', 'äöü€', 'n'.repeat(63), ' '];
  names.forEach((name, i) => void x.locks.holder(name).lock([i % 3]));
  assert.deepEqual(x.locks.holders, names);
  for (const name of names) x.locks.holder(name).clear();
  for (const bad of ['', 'n'.repeat(64), '€'.repeat(22), 'a\0b']) {
    refuses(g, [x], () => x.locks.holder(bad), OptionError, /name must have 1 to 63 bytes/);
  }
  for (const bad of /** @type {any[]} */ ([undefined, null, 3, {}])) {
    refuses(g, [x], () => x.locks.holder(bad), TypeError, /name must be a string/);
  }
  const own = g.locks([3]);
  refuses(g, [x], () => own.holder('a'), TypeError, /belongs to no variable/);
  refuses(g, [x], () => own.holders, TypeError, /no holders/);
  refuses(g, [x], () => own.own(), TypeError, /no holders/);
  refuses(g, [x], () => own.onChange(() => {}), TypeError, /no listeners/);
  const holder = x.locks.holder('a');
  const other = g.locks([2], 'all');
  refuses(g, [x], () => holder.lock([3]), IndexError, /flat index 3/);
  refuses(g, [x], () => holder.lock(other), ShapeError, /does not fit/);
  assert.throws(() => g.compile(() => g.sum(holder.lock([0]) && x)), RecordingError);
  x.dispose();
  assert.throws(() => holder.lock([0]), DisposedError);
  assert.throws(() => holder.steps, DisposedError);
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
  [{ lock: { where: { below: 0.5 } } }, () => ({ where: { below: 0.5 } })],
  [
    { trainOnly: { random: { fraction: 0.3, seed: 11 } } },
    (t) => ({ random: { fraction: 0.3, seed: { seed: 11, step: t } } }),
  ],
  [
    { lock: { random: { k: 3, seed: { seed: 2, step: 5 } } }, every: 3, step: 6 },
    (t) => ({ random: { k: 3, seed: { seed: 2, step: 5 + 2 + t / 3 } } }),
  ],
];

for (const [policy, select] of POLICIES) {
  test(`in a compiled loop, ${JSON.stringify(policy)} is the same as locking by hand`, async () => {
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

test('by gradient, each step locks by its own gradient', async () => {
  const g = await init();
  const a = problem(g, 'sgd');
  a.x.lockPolicy({ trainOnly: { topK: { k: 5, by: 'gradient' } } });
  for (let t = 0; t < 10; t++) {
    const [gradient] = g.valueAndGrad(a.loss, [a.x]).grads;
    const before = a.x.data();
    a.optimizer.minimize(a.loss, { steps: 1 });
    const free = a.x.locks.not().toIndices();
    const expected = g.locks([N], { topK: { k: 5, by: 'gradient', gradient } }).toIndices();
    assert.deepEqual(free, expected);
    const moved = a.x.data().map((v, i) => Number(v !== before[i]));
    for (let i = 0; i < N; i++) assert.ok(!moved[i] || free.includes(i));
  }
});

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

test('policies act on steps with plain functions and with given gradients', async () => {
  const g = await init();
  const x = g.variable(new Float32Array(8));
  const sgd = g.optimizers.sgd({ learningRate: 0.1 });
  x.lockPolicy({ lock: { random: { k: 3, seed: 1 } } });
  sgd.minimize(() => g.sum(g.square(g.sub(x, 1))));
  const first = locked(x);
  assert.equal(first.length, 3);
  for (const i of first) assert.equal(x.data()[i], 0);
  sgd.applyGradients([[new Float32Array(8), x]]);
  assert.deepEqual(
    locked(x),
    Array.from(g.locks([8], { random: { k: 3, seed: { seed: 1, step: 1 } } }).toIndices()),
  );
});

/** @type {[what: string, policy: any, kind: Function, message: RegExp][]} */
const REFUSED = [
  ['nothing', undefined, TypeError, /(policy options must be an object|a policy needs either)/],
  ['a word', 'topK', TypeError, /(policy options must be an object|a policy needs either)/],
  ['no sense', { every: 2 }, TypeError, /either lock or trainOnly/],
  ['two senses', { lock: { topK: { k: 1 } }, trainOnly: { topK: { k: 1 } } }, TypeError, /either/],
  ['a misspelt option', { lock: { topK: { k: 1 } }, evry: 2 }, TypeError, /no 'evry'/],
  ['a plain selection', { lock: [0] }, TypeError, /selects by one of topK/],
  ['two choices', { lock: { topK: { k: 1 }, where: { below: 1 } } }, TypeError, /topK,where/],
  [
    'every 0',
    { lock: { topK: { k: 1 } }, every: 0 },
    OptionError,
    /every must be an integer from 1/,
  ],
  ['every 1.5', { lock: { topK: { k: 1 } }, every: 1.5 }, OptionError, /every/],
  ['every a word', { lock: { topK: { k: 1 } }, every: '2' }, TypeError, /every must be a number/],
  ['a step beyond 32 bits', { lock: { topK: { k: 1 } }, step: 2 ** 32 }, OptionError, /step/],
  ['too many', { lock: { topK: { k: 9 } } }, OptionError, /k is 9/],
  [
    'too many at the end',
    { lock: { topK: { k: { from: 0, to: 9, steps: 2 } } } },
    OptionError,
    /k is 9/,
  ],
  [
    'a ramp of no steps',
    { lock: { topK: { k: { from: 0, to: 1, steps: 0 } } } },
    OptionError,
    /k.steps/,
  ],
  [
    'half a ramp',
    { lock: { topK: { k: { from: 0, steps: 2 } } } },
    TypeError,
    /k.to must be a number/,
  ],
  [
    'a ramp to NaN',
    { lock: { topK: { fraction: { from: 0, to: Number.NaN, steps: 2 } } } },
    OptionError,
    /fraction is nan/i,
  ],
  [
    'a gradient',
    { lock: { topK: { k: 1, by: 'gradient', gradient: 1 } } },
    OptionError,
    /a policy takes no gradient/,
  ],
  ['no seed', { lock: { random: { k: 1 } } }, TypeError, /seed/],
  ['an empty timetable', { at: [], lock: [] }, OptionError, /at least one/],
  ['a timetable that is no list', { at: 3, lock: ['all'] }, TypeError, /arrays of steps/],
  ['a timetable of other length', { at: [0, 1], lock: ['all'] }, OptionError, /2 steps and 1/],
  ['a timetable that goes back', { at: [2, 1], lock: ['all', []] }, OptionError, /must ascend/],
  ['a timetable with a bad place', { at: [0], lock: [[9]] }, IndexError, /flat index 9/],
  ['a timetable with every', { at: [0], lock: ['all'], every: 2 }, TypeError, /no 'every'/],
];

for (const [what, policy, kind, message] of REFUSED) {
  test(`${what} is refused as a policy and changes nothing`, async () => {
    const g = await init();
    settle(g);
    const x = g.variable(new Float32Array(8)).lock([1]);
    x.locks.holder('policy').lock([2]).clear(); // holders have their memory
    refuses(g, [x], () => x.lockPolicy(policy), kind, message);
    assert.deepEqual(x.locks.holders, []);
  });
}

test('second-order methods refuse a variable with a policy, since their locks stand still', async () => {
  const g = await init();
  const { x, loss } = problem(g);
  const before = bitsOf(x.data());
  x.lockPolicy({ lock: { topK: { k: 3 } } });
  for (const solver of [g.optimizers.lbfgs(), g.optimizers.levenbergMarquardt()]) {
    assert.throws(() => solver.minimize(loss, { steps: 2 }), /has a lock policy/);
  }
  assert.deepEqual(bitsOf(x.data()), before);
  x.lockPolicy(null);
  g.optimizers.lbfgs().minimize(loss, { steps: 2 });
  assert.notDeepEqual(bitsOf(x.data()), before);
});

test('a generator is refused as a policy’s seed, and stays where it is', async () => {
  const g = await init();
  const seed = g.random(1);
  const x = g.variable([1, 2]);
  const policy = /** @type {any} */ ({ lock: { random: { k: 1, seed } } });
  assert.throws(() => x.lockPolicy(policy), TypeError);
  assert.equal(seed.step, 0);
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

test('what a listener throws is reported and stops neither the change nor other listeners', async () => {
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
