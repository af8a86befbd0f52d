/* Tier: test. Precisions: f32, f64 of ^law 3. */
/* What of the laws of locks JavaScript adds to C's tests (tests/c/test_laws.c, for every rule,
 * option, pattern, gradient and size): errors that name the index, and pages of the size that a
 * release has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';
import { fromBits, random, refuses, settle } from './support.js';

test('law 9: assign throws LockedElementError with index and number, and writes nothing; fix sets and locks', async () => {
  const g = await init();
  settle(g);
  const x = g.variable(fromBits([1, 2, 0x7fc12345, 0]), { shape: [2, 2], name: 'x' });
  x.lock([0, 2, 3]);
  const before = x.data();
  x.assign(before); // equal bits are no change
  const values = [9, 9, Number.NaN, -0]; // another NaN and −0 are one
  const message = /3 locked elements of Variable 'x' \[2, 2\]/;
  refuses(g, [x], () => x.assign(values), LockedElementError, message);
  assert.throws(() => x.assign([before[0], 9, before[2], -0]), {
    ...{ name: 'LockedElementError', index: [1, 1], flatIndex: 3, count: 1 },
    code: 'GLK_ERROR_LOCKED',
  });
  x.assign(values, { force: true });
  x.fix([0, 1], 8).fix(3, -7);
  assert.deepEqual(x.array(), [
    [9, 8],
    [Number.NaN, -7],
  ]);
  assert.equal(x.locks.count, 4);
});

const COUNT = 5000;

for (const rule of /** @type {const} */ (['sgd', 'adam', 'ftrl'])) {
  test(`law 3: under ${rule} pages of 1,024 elements train what is free of them as if nothing were locked`, async () => {
    const g = await init();
    const next = random(7);
    const draw = () => Float32Array.from({ length: COUNT }, () => 2 * next() - 1);
    for (const share of [0.2, 0.45, 0.7, 0.95]) {
      for (const before of [0, 2]) {
        const start = draw();
        const [x, free] = [g.variable(start), g.variable(start)];
        const [optimizer, other] = [x, free].map(() => g.optimizers[rule]());
        const step = () => {
          const gradient = g.tensor(draw());
          optimizer.applyGradients([[gradient, x]]);
          other.applyGradients([[gradient, free]]);
          gradient.dispose();
        };
        for (let i = 0; i < before; i++) step();
        const held = x.data();
        const mask = Uint8Array.from({ length: COUNT }, () => Number(next() < share));
        x.lock(mask);
        for (let i = 0; i < 3; i++) step();
        const expected = free.data().map((value, i) => (mask[i] ? held[i] : value));
        assert.deepEqual(x.data(), expected, JSON.stringify({ share, before }));
        for (const one of [x, free, optimizer, other]) one.dispose();
      }
    }
    g.dispose();
  });
}
