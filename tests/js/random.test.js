/* Generators, draws in programs, dropout, shuffling and initializers, as JavaScript sees them. What
 * distribution the numbers have is tests/c/test_random.c's business, and that they are
 * TensorFlow's, golden-random.test.js's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, init, OptionError } from 'gradlock';

/** @typedef {import('gradlock').Generator} Generator */
/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

/**
 * Every way to draw from a generator.
 * @type {[name: string, draw: (g: Gradlock, from: Generator) => Tensor][]}
 */
const DRAWS = [
  ['uniform', (_, from) => from.uniform([3, 5], { minval: -1, maxval: 2 })],
  ['normal', (_, from) => from.normal([15], { mean: 1, stddev: 3 })],
  ['truncatedNormal', (_, from) => from.truncatedNormal([15])],
  ['bernoulli', (_, from) => from.bernoulli([64], { p: 0.5 })],
  ['permutation', (_, from) => from.permutation(20)],
  ['shuffle', (g, from) => from.shuffle(g.initializers.orthogonal({ seed: 1 })([9, 2]))],
  ['dropout', (_, from) => from.dropout(new Array(64).fill(1), 0.5)],
  ['randomUniform', (g, from) => g.randomUniform([15], 0, 1, from)],
  ['randomNormal', (g, from) => g.randomNormal([15], 0, 1, from)],
  ['randomBernoulli', (g, from) => g.randomBernoulli([64], 0.5, from)],
  ['randomPermutation', (g, from) => g.randomPermutation(20, from)],
  ['glorotUniform', (g, from) => g.initializers.glorotUniform({ seed: from })([4, 4])],
  ['orthogonal', (g, from) => g.initializers.orthogonal({ seed: from })([4, 4])],
];

for (const [name, draw] of DRAWS) {
  test(`${name}: each draw is another, and steps can be drawn again, in any instance`, async () => {
    const g = await init();
    const other = await init();
    const from = g.random(12);
    const digests = [0, 1, 2].map(() => draw(g, from).digest());
    assert.equal(new Set(digests).size, 3);
    assert.equal(from.step, 3);
    from.step = 1;
    assert.equal(draw(g, from).digest(), digests[1]);
    const again = other.random(12);
    assert.deepEqual(
      [0, 1, 2].map(() => draw(other, again).digest()),
      digests,
    );
    assert.notEqual(draw(g, g.random(13)).digest(), digests[0]);
  });

  test(`${name}: a program's first run has the bits of the draw at once, every other run new ones`, async () => {
    const g = await init();
    const eager = draw(g, g.random(5)).digest();
    const from = g.random(5);
    const program = g.compile(() => draw(g, from));
    assert.equal(from.step, 1);
    const runs = [0, 1, 2, 3].map(() => program.run().digest());
    assert.equal(runs[0], eager);
    assert.equal(new Set(runs).size, 4);
    assert.equal(from.step, 1, 'running does not advance what recorded');
    const same = g.compile(() => draw(g, g.random(5)));
    assert.deepEqual(
      [0, 1, 2, 3].map(() => same.run().digest()),
      runs,
    );
  });

  test(`${name}: leaves one tensor behind`, async () => {
    const g = await init();
    const from = g.random(5);
    g.tidy(() => draw(g, from)).dispose();
    const { objects } = g.memory();
    const kept = g.tidy(() => draw(g, from));
    assert.equal(g.memory().objects, objects + 1);
    kept.dispose();
  });
}

test('a seed can be a number, a seed with a step, or a generator', async () => {
  const g = await init();
  const from = g.random(7);
  const [first, second] = [from.uniform([4]).digest(), from.uniform([4]).digest()];
  assert.equal(g.randomUniform([4], 0, 1, 7).digest(), first);
  assert.equal(g.randomUniform([4], 0, 1, { seed: 7 }).digest(), first);
  assert.equal(g.randomUniform([4], 0, 1, { seed: 7, step: 1 }).digest(), second);
  assert.equal(g.dropout([1, 2, 3], 0.5, 7).digest(), g.random(7).dropout([1, 2, 3], 0.5).digest());
});

test('an instance without a seed draws from a generator of its own, the same in every instance', async () => {
  const digests = await Promise.all(
    [0, 1].map(async () => {
      const g = await init();
      return [
        g.randomUniform([4]).digest(),
        g.randomUniform([4]).digest(),
        g.initializers.heNormal()([4]).digest(),
        g.initializers.heNormal()([4]).digest(),
        g.dropout(new Array(99).fill(1), 0.5).digest(),
      ];
    }),
  );
  assert.deepEqual(digests[0], digests[1]);
  assert.equal(new Set(digests[0]).size, 5);
});

test('shuffle keeps rows together, and sends their gradients back', async () => {
  const g = await init();
  const x = g.variable(Array.from({ length: 12 }, (_, i) => [i, i + 100]));
  const weights = g.tensor(Array.from({ length: 12 }, (_, i) => [i, -i]));
  const order = /** @type {number[]} */ (g.random(4).permutation(12).array());
  assert.deepEqual(
    g.random(4).shuffle(x).array(),
    order.map((i) => [i, i + 100]),
  );
  const { grads } = g.valueAndGrad(() => g.sum(g.mul(g.random(4).shuffle(x), weights)), [x]);
  const expected = order.map((_, i) => {
    const rank = order.indexOf(i);
    return [rank, -rank || 0];
  });
  assert.deepEqual(grads[0]?.array(), expected);
});

test('a refused draw leaves the generator where it was', async () => {
  const g = await init();
  const from = g.random(1);
  assert.throws(() => from.uniform([2], { minval: 1, maxval: 0 }), GradlockError);
  assert.throws(() => from.dropout([1], 2), GradlockError);
  assert.throws(() => from.uniform([2], /** @type {any} */ ({ min: 1 })), TypeError);
  assert.equal(from.step, 0);
  for (const step of [-1, 0.5, 2 ** 32, Number.NaN]) {
    assert.throws(() => {
      from.step = step;
    }, OptionError);
  }
  assert.equal(from.step, 0);
  from.step = 2 ** 32 - 1;
  from.uniform([1]);
  assert.throws(() => from.uniform([1]), /step is 4294967296|step is 4.29/);
});
