/* What a lock promises, over every rule: laws 1 to 7, 12 and 17 in steps, then 4, 8, 9, 12, 13 and
 * 17 by themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';
import { checkLockLaws, PATTERNS, SIZES } from './lock-laws.js';
import { OPTION_SETS } from './rules.js';
import { bitsOf, fromBits, random, randomValues, refuses, settle } from './support.js';

/** @typedef {import('./lock-laws.js').RuleName} RuleName */

/** @type {[RuleName, Record<string, unknown>][]} */
const RULES = [
  ['sgd', { learningRate: 0.1, momentum: 0.9 }],
  ['adam', { learningRate: 0.1 }],
  ['adamW', { learningRate: 0.1 }],
];

/**
 * What is beside the rule; every rule has one of each kind in C.
 * @type {[rule: RuleName, options: Record<string, unknown>,
 *   extra?: import('./lock-laws.js').Extra][]}
 */
const EXTRAS = [
  ['adam', { learningRate: 0.1, useEma: true, emaMomentum: 0.75 }],
  ['adadelta', { learningRate: 1, useEma: true, emaOverwriteFrequency: 2 }],
  ['nadam', { learningRate: 0.1, gradientAccumulationSteps: 2 }],
  ['ftrl', { learningRate: 0.1, gradientAccumulationSteps: 3, useEma: true, onUnlock: 'reset' }],
  ['sgd', { learningRate: 0.1, momentum: 0.9 }, { constraint: { nonNegative: true } }],
  ['lion', { learningRate: 0.1 }, { constraint: { min: -0.5, max: 1 }, scalesRates: true }],
  ['rmsprop', { learningRate: 0.1 }, { scalesRates: true }],
  ['adamax', { learningRate: 0.1, gradientAccumulationSteps: 2 }, { scalesRates: true }],
  ['adamW', { learningRate: 0.1, weightDecay: 0.5 }, { excludesDecay: true }],
];

for (const [order, [rule, options, extra]] of EXTRAS.entries()) {
  const title = JSON.stringify({ ...options, ...extra });
  test(`${rule} ${title} keeps the laws of locks`, async () => {
    const g = await init();
    checkLockLaws(g, rule, options, 2000 + order, [1, 2, 5, 33, 64], extra);
    assert.equal(g.memory().objects, 0);
  });
}

test('a schedule of the learning rate keeps the laws of locks', async () => {
  const g = await init();
  const learningRate = g.schedules.exponentialDecay({
    initialLearningRate: 0.1,
    decaySteps: 2,
    decayRate: 0.5,
  });
  checkLockLaws(g, 'adagrad', { learningRate }, 3000, [1, 2, 5, 33, 64]);
});

for (const [order, [rule, options]] of OPTION_SETS.entries()) {
  test(`${rule} ${JSON.stringify(options)} keeps the laws of locks`, async () => {
    const g = await init();
    // C runs every size for every rule; here each rule in turn has every fifth.
    const sizes = SIZES.filter((_, i) => (i + order) % 5 === 0);
    checkLockLaws(g, rule, options, 1000 + order, sizes);
    assert.equal(g.memory().objects, 0);
  });
}

for (const onUnlock of /** @type {const} */ (['hold', 'reset'])) {
  test(`law 4: after 1,000 locked steps an element's first Adam step is one learning rate (${onUnlock})`, async () => {
    const g = await init();
    const x = g.variable([0, 0], { name: 'x' });
    const loss = g.compile(() => g.sum(g.square(g.sub(x, [5, 5]))));
    const adam = g.optimizers.adam({ learningRate: 0.01, onUnlock });
    x.lock([1]);
    adam.minimize(loss, { steps: 1000 });
    assert.equal(x.data()[1], 0);
    assert.deepEqual(Array.from(adam.clock(x)), [1000, 0]);
    x.unlock([1]);
    adam.minimize(loss);
    assert.ok(Math.abs(x.data()[1] - 0.01) < 1e-6, `the step was ${x.data()[1]}`);
    assert.deepEqual(Array.from(adam.clock(x)), [1001, 1]);
  });
}

test("law 2: 'reset' starts anew what was locked in a step, and nothing else", async () => {
  const g = await init();
  const x = g.variable([0, 0]);
  const adam = g.optimizers.adam({ onUnlock: 'reset', gradientAccumulationSteps: 2 });
  const call = () => adam.applyGradients([[[1, 1], x]]);
  for (let i = 0; i < 3; i++) call();
  x.lock([0]).unlock([0]);
  call();
  assert.deepEqual(Array.from(adam.clock(x)), [2, 2]);
  x.lock([0]);
  call(); // only adds to the pending gradient
  x.unlock([0]);
  call();
  assert.deepEqual(Array.from(adam.clock(x)), [3, 3]);
  call();
  x.lock([0]);
  call();
  x.unlock([0]);
  for (let i = 0; i < 2; i++) call();
  assert.deepEqual(Array.from(adam.clock(x)), [1, 5]);
});

for (const size of [1, 31, 32, 33, 4099]) {
  test(`law 8: locks change neither the loss nor any gradient, ${size} elements`, async () => {
    const g = await init();
    const next = random(size);
    const x = g.variable(randomValues(size, next));
    const y = g.variable(randomValues(size, next));
    // With a regularizer, which must count locked elements too.
    const loss = g.compile(() =>
      g.add(g.sum(g.square(g.sub(g.mul(x, y), 0.5))), g.mul(g.mean(g.square(x)), 0.1)),
    );
    const free = g.valueAndGrad(loss, [x, y]);
    const state = [x.digest(), y.digest()];
    for (const [pattern, isLocked] of Object.entries(PATTERNS)) {
      x.unlock('all').lock((_, i) => isLocked(i, size, next));
      y.unlock('all').lock((_, i) => !isLocked(i, size, next));
      const { value, grads } = g.valueAndGrad(loss, [x, y]);
      assert.equal(value, free.value, pattern);
      assert.equal(loss.value(), free.value, pattern);
      for (const [i, grad] of grads.entries()) assert.equal(grad.digest(), free.grads[i].digest());
      const before = [x.data(), y.data()];
      assert.equal(g.optimizers.sgd().minimize(loss), free.value, pattern);
      x.assign(before[0], { force: true });
      y.assign(before[1], { force: true });
    }
    assert.deepEqual([x.digest(), y.digest()], state);
  });
}

test('law 9: assign throws LockedElementError with place and number, and writes nothing', async () => {
  const g = await init();
  settle(g);
  const x = g
    .variable(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { name: 'x' },
    )
    .lock([
      [0, 2],
      [1, 0],
      [1, 1],
    ]);
  const values = [
    [9, 9, 3],
    [9, 9, 9],
  ];
  refuses(
    g,
    [x],
    () => x.assign(values),
    LockedElementError,
    /2 locked elements of Variable 'x' \[2, 3\]/,
  );
  assert.throws(
    () => x.assign(values),
    (error) => {
      assert.ok(error instanceof LockedElementError);
      assert.deepEqual(error.index, [1, 0]);
      assert.equal(error.flatIndex, 3);
      assert.equal(error.count, 2);
      assert.equal(error.code, 'GLK_ERROR_LOCKED');
      return true;
    },
  );
  x.assign([
    [9, 9, 3],
    [4, 5, 9],
  ]);
  assert.deepEqual(x.array(), [
    [9, 9, 3],
    [4, 5, 9],
  ]);
  x.assign(values, { force: true });
  assert.deepEqual(x.array(), values);
  assert.equal(x.locks.count, 3);
});

test('law 9: equal bits are no change, and −0 or another NaN is one', async () => {
  const g = await init();
  const payload = fromBits([0x7fc12345, 0x00000000]);
  const x = g.variable(payload).lock('all');
  x.assign(payload);
  assert.throws(() => x.assign(fromBits([0x7fc12345, 0x80000000])), LockedElementError);
  assert.throws(() => x.assign(fromBits([0x7fc00000, 0x00000000])), LockedElementError);
  assert.deepEqual(bitsOf(x.data()), bitsOf(payload));
});

test('law 9: fix sets an element and locks it, whether it was locked or not', async () => {
  const g = await init();
  const x = g
    .variable([
      [1, 2],
      [3, 4],
    ])
    .lock([[0, 0]]);
  x.fix([0, 0], 8).fix(3, -0);
  assert.deepEqual(x.array(), [
    [8, 2],
    [3, -0],
  ]);
  assert.deepEqual(Array.from(x.locks.toIndices()), [0, 3]);
});

for (const [rule, options] of RULES) {
  test(`law 12: with everything locked ${rule} is a no-op that computes no gradient`, async () => {
    const g = await init();
    const x = g.variable(randomValues(100, random(12)));
    const loss = g.compile(() => g.sum(g.square(g.tanh(x))));
    const optimizer = g.optimizers[rule](options);
    const expected = optimizer.minimize(loss);
    const active = loss.activeNodes;
    const state = x.lock('all').digest();
    const last = optimizer.minimize(loss, { steps: 10 });
    assert.equal(x.digest(), state);
    assert.ok(Number.isFinite(last) && last < expected);
    assert.ok(
      loss.activeNodes <= 3 && loss.activeNodes < active,
      `${loss.activeNodes} of ${active}`,
    );
    assert.ok(optimizer.clock(x).every((count) => count === 1));
  });

  test(`law 17: locks changed between steps need no new program under ${rule}`, async () => {
    const g = await init();
    const next = random(17);
    for (const size of SIZES) {
      const values = randomValues(size, next);
      const runs = [false, true].map((isRecordedAnew) => {
        const again = random(size);
        const x = g.variable(values);
        const optimizer = g.optimizers[rule](options);
        const record = () => g.compile(() => g.sum(g.square(g.sub(g.tanh(x), 0.3))));
        let program = record();
        for (let step = 0; step < 6; step++) {
          x.unlock('all').lock(() => again() < step / 5);
          if (isRecordedAnew) {
            program.dispose();
            program = record();
          }
          optimizer.minimize(program);
        }
        const end = x.digest();
        for (const thing of [x, optimizer, program]) thing.dispose();
        return end;
      });
      assert.equal(runs[0], runs[1], `${size} elements`);
    }
  });

  test(`law 3: ${rule} minimizes what is free as it would the reduced problem`, async () => {
    const g = await init();
    const next = random(3);
    for (const size of [1, 2, 5, 33, 70, 4099]) {
      const values = randomValues(size, next);
      const target = randomValues(size, next);
      const x = g.variable(values).lock(() => next() < 0.5);
      const free = Array.from(x.locks.not().toIndices());
      const y = g.variable(Float32Array.from(free, (i) => values[i]));
      const small = g.tensor(Float32Array.from(free, (i) => target[i]));
      const goal = g.tensor(target);
      const whole = g.optimizers[rule](options);
      const reduced = g.optimizers[rule](options);
      whole.minimize(() => g.sum(g.square(g.sub(x, goal))), { steps: 20 });
      if (free.length > 0) reduced.minimize(() => g.sum(g.square(g.sub(y, small))), { steps: 20 });
      const expected = g.tensor(values).data(); // Float64Array on gradlock/double
      for (const [k, i] of free.entries()) expected[i] = y.data()[k];
      assert.deepEqual(bitsOf(x.data()), bitsOf(expected), `${size} elements`);
    }
  });
}

test('law 3: filters of a convolutional network train where they are free as if nothing else were variable', async () => {
  const g = await init();
  const next = random(33);
  const draw = (/** @type {number[]} */ shape) =>
    g.tensor(
      randomValues(
        shape.reduce((size, n) => size * n, 1),
        next,
      ),
      shape,
    );
  const [images, target] = [draw([3, 9, 8, 2]), draw([3, 2, 2, 5])];
  const starts = [draw([3, 2, 2, 4]), draw([2, 3, 4, 5])];
  const network = (/** @type {import('gradlock').Tensor[]} */ [first, second]) => {
    const hidden = g.maxPool(g.relu(g.conv2d(images, first, 1, 'same')), 2);
    const y = g.avgPool(g.conv2d(hidden, second, [2, 1], 'same'), [2, 3], 1);
    return g.mean(g.square(g.sub(g.tanh(y), g.slice(target, [0, 0, 0, 0], [3, 1, 2, 5]))));
  };
  const whole = starts.map((start) => g.variable(start).lock(() => next() < 0.6));
  // The same network, of which only what is free is a variable, put among constants.
  const places = whole.map((w) => Array.from(w.locks.not().toIndices()));
  const small = whole.map((w, k) => g.variable(Float32Array.from(places[k], (i) => w.data()[i])));
  const indices = places.map((list) => list.map((i) => [i]));
  const filled = () =>
    small.map((free, k) => {
      const flat = g.tensorScatterNdUpdate(g.flatten(starts[k]), indices[k], free);
      return g.reshape(flat, [...starts[k].shape]);
    });
  const options = { learningRate: 0.05 };
  g.optimizers.adam(options).minimize(() => network(whole), { variables: whole, steps: 30 });
  g.optimizers.adam(options).minimize(() => network(filled()), { variables: small, steps: 30 });
  for (const [k, w] of whole.entries()) {
    assert.deepEqual(bitsOf(w.data()), bitsOf(filled()[k].data()), `filter ${k}`);
    assert.notDeepEqual(bitsOf(w.data()), bitsOf(starts[k].data()), `filter ${k} trained`);
  }
});

test('law 13: lock lists are idempotent, in any order, duplicates welcome', async () => {
  const g = await init();
  const lists = [
    [5, 1, 3],
    [1, 3, 5],
    [3, 3, 5, 1, 1, 5, 3],
  ];
  const masks = lists.map((list) =>
    g.variable(new Float32Array(7)).lock(list).lock(list).locks.toMask(),
  );
  for (const mask of masks) assert.deepEqual(Array.from(mask), [0, 1, 0, 1, 0, 1, 0]);
});
