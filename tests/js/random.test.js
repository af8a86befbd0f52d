/* Generators, draws in programs, dropout, shuffling and initializers, as JavaScript sees them. What
 * distribution the numbers have is tests/c/test_random.c's business, and that they are
 * TensorFlow's, golden-random.test.js's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, init, LimitError, OptionError, ShapeError } from 'gradlock';
import { refuses, settle } from './support.js';

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

test('without a seed an instance draws from a generator of its own, the same in every instance', async () => {
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

test('draws of one program differ from each other', async () => {
  const g = await init();
  const from = g.random(1);
  const program = g.compile(() => [from.uniform([8]), from.uniform([8])]);
  const seen = new Set();
  for (let run = 0; run < 3; run++) for (const t of program.run()) seen.add(t.digest());
  assert.equal(seen.size, 6);
});

test('shapes of rank 0 and without elements can be drawn', async () => {
  const g = await init();
  const from = g.random(3);
  for (const shape of [[], [0], [2, 0, 3]]) {
    for (const make of /** @type {const} */ ([
      'uniform',
      'normal',
      'truncatedNormal',
      'bernoulli',
    ])) {
      assert.deepEqual(from[make](shape).shape, shape);
    }
    for (const make of /** @type {const} */ (['zeros', 'ones', 'glorotNormal', 'heUniform'])) {
      assert.deepEqual(g.initializers[make]()(shape).shape, shape);
    }
    assert.deepEqual(g.dropout(g.initializers.ones()(shape), 0.5, 1).shape, shape);
  }
  assert.deepEqual(from.permutation(0).shape, [0]);
  assert.deepEqual(from.shuffle(g.initializers.ones()([0, 3])).shape, [0, 3]);
  assert.deepEqual(g.initializers.orthogonal()([0, 3]).shape, [0, 3]);
});

test('zeros, ones and constant are what they are called', async () => {
  const g = await init();
  assert.deepEqual(g.initializers.zeros()([2, 1]).array(), [[0], [0]]);
  assert.deepEqual(g.initializers.ones()([3]).array(), [1, 1, 1]);
  assert.equal(g.initializers.constant(-2.5)([]).array(), -2.5);
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
    const place = order.indexOf(i);
    return [place, -place || 0];
  });
  assert.deepEqual(grads[0]?.array(), expected);
});

test('dropout in a compiled loss: each step drops others, and gradients are of what was kept', async () => {
  const g = await init();
  const x = g.variable(new Float32Array(200).fill(1), { shape: [200] });
  const from = g.random(9);
  const loss = g.compile(() => g.sum(g.dropout(x, 0.75, from)));
  const seen = new Set();
  for (let run = 0; run < 5; run++) {
    const { value, grads } = g.valueAndGrad(loss, [x]);
    const kept = /** @type {Tensor} */ (grads[0]).data();
    assert.ok(kept.every((slope) => slope === 0 || slope === 4));
    assert.equal(
      kept.reduce((a, b) => a + b),
      value,
    );
    seen.add(grads[0]?.digest());
  }
  assert.equal(seen.size, 5);
});

test('training with dropout is reproducible, a plain function and a program each in its own way', async () => {
  const train = async (/** @type {boolean} */ compiled) => {
    const g = await init();
    const from = g.random(1);
    const w = g.variable(g.initializers.glorotUniform({ seed: from })([6, 4]));
    const loss = () => g.mean(g.square(g.sub(g.dropout(w, 0.5, from), 1)));
    g.optimizers.adam().minimize(compiled ? g.compile(loss) : loss, { variables: [w], steps: 20 });
    return w.digest();
  };
  assert.equal(await train(true), await train(true));
  assert.equal(await train(false), await train(false));
});

/** @type {[call: (g: Gradlock, any: any) => unknown, kind: Function, message: RegExp][]} */
const REFUSED = [
  [(g, any) => g.random(any()), TypeError, /seed must be a number, got undefined/],
  [(g, any) => g.random(any('1')), TypeError, /seed must be a number, got "1"/],
  [(g) => g.random(0.5), OptionError, /seed must be an integer from 0 up, got 0.5/],
  [(g) => g.random(-1), OptionError, /seed must be an integer from 0 up, got -1/],
  [
    (g) => g.random(2 ** 53),
    OptionError,
    /seed must be an integer from 0 up, got 9007199254740992/,
  ],
  [(g) => g.random(Number.NaN), OptionError, /seed .* got NaN/],
  [(g) => g.randomUniform([2], 0, 1, 1.5), OptionError, /seed .* got 1.5/],
  [(g, any) => g.randomUniform([2], 0, 1, any('float32')), TypeError, /seed .* got "float32"/],
  [(g, any) => g.randomUniform([2], 0, 1, any({ sed: 1 })), TypeError, /a seed have no 'sed'/],
  [
    (g) => g.randomUniform([2], 0, 1, { seed: 1, step: 2 ** 32 }),
    OptionError,
    /step .* 4294967296/,
  ],
  [(g) => g.randomUniform([2], 0, 1, { seed: 1, step: -1 }), OptionError, /step .* -1/],
  [(g, any) => g.randomUniform(any(3)), TypeError, /shape must be an array/],
  [(g) => g.randomUniform([-1]), ShapeError, /shape\[0\] .* got -1/],
  [(g) => g.randomUniform([1.5]), ShapeError, /shape\[0\] .* got 1.5/],
  [(g) => g.randomUniform([2 ** 16, 2 ** 16]), ShapeError, /randomUniform: shape \[65536,65536\]/],
  [(g) => g.randomUniform([1, 1, 1, 1, 1, 1, 1, 1]), ShapeError, /8 axes/],
  [
    (g) => g.randomUniform([2], 1, 1),
    GradlockError,
    /randomUniform: low \(1\) must be below high \(1\)/,
  ],
  [(g) => g.randomUniform([2], Number.NaN), GradlockError, /low \(NaN\) must be below high \(1\)/],
  [(g) => g.randomUniform([2], -3e38, 3e38), GradlockError, /by a finite amount/],
  [(g, any) => g.randomUniform([2], any('0')), TypeError, /minval must be a number, got "0"/],
  [(g, any) => g.randomUniform([2], 0, any(null)), TypeError, /maxval must be a number, got null/],
  [(g) => g.randomNormal([2], 0, -1), GradlockError, /randomNormal: mean 0 and stddev -1/],
  [(g) => g.truncatedNormal([2], Number.NaN), GradlockError, /truncatedNormal: mean NaN/],
  [(g) => g.randomBernoulli([2], 1.5), GradlockError, /randomBernoulli: p is 1.5, expected 0 to 1/],
  [(g) => g.randomPermutation(-1), OptionError, /n must be an integer from 0 up, got -1/],
  [(g) => g.randomPermutation(2 ** 24 + 1), LimitError, /n is 16777217/],
  [(g) => g.shuffle(3), ShapeError, /shuffle: a scalar has no rows/],
  [(g, any) => g.shuffle(any(null)), TypeError, /^shuffle: the first operand .* got null/],
  [(g) => g.dropout([1], 1), GradlockError, /dropout: the rate is 1, expected 0 to below 1/],
  [(g) => g.dropout([1], -0.5), GradlockError, /dropout: the rate is -0.5/],
  [(g) => g.dropout([1], Number.NaN), GradlockError, /dropout: the rate is NaN/],
  [(g, any) => g.dropout([1], any()), TypeError, /rate must be a number, got undefined/],
  [(g, any) => g.dropout(any('x'), 0.5), TypeError, /^dropout: the first operand/],
  [(g, any) => g.initializers.constant(any('1')), TypeError, /value must be a number, got "1"/],
  [(g, any) => g.initializers.zeros()(any(2)), TypeError, /shape must be an array/],
  [(g) => g.initializers.ones()([-2]), ShapeError, /got -2/],
  [
    (g) => g.initializers.randomUniform({ minval: 1, maxval: 0 })([2]),
    GradlockError,
    /low \(1\) must be below high \(0\)/,
  ],
  [(g, any) => g.initializers.randomNormal(any({ std: 1 })), TypeError, /options have no 'std'/],
  [(g) => g.initializers.randomNormal({ stddev: -1 })([2]), GradlockError, /stddev -1/],
  [(g) => g.initializers.glorotUniform({ seed: 0.5 }), OptionError, /seed .* got 0.5/],
  [(g, any) => g.initializers.heNormal(any(1)), TypeError, /heNormal options must be an object/],
  [(g) => g.initializers.orthogonal()([4]), ShapeError, /rows and columns, got shape \[4\]/],
  [(g, any) => g.initializers.orthogonal({ gain: any('2') }), TypeError, /gain must be a number/],
];

for (const [call, kind, message] of REFUSED) {
  test(`${String(call).replace(/^\(g.*?\) => /, '')} is refused and leaves nothing behind`, async () => {
    const g = await init();
    settle(g);
    refuses(g, [], () => call(g, (/** @type {unknown} */ value) => value), kind, message);
  });
}

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
