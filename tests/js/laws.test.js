/* Tier: test. Precisions: f32, f64 of ^law (?!9: equal bits). */
/* What of the laws of locks JavaScript adds to C's tests (tests/c/test_laws.c, for every rule,
 * option, pattern, gradient and size): errors that name the place, and pages of the size that a
 * release has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';
import { bitsOf, fromBits, random, refuses, settle } from './support.js';

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
