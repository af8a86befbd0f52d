/* Rates of their own, and weight decay that leaves variables out. C holds rules and locks to the
 * laws; here it is what JavaScript offers of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, init, OptionError, ShapeError } from 'gradlock';

/** @typedef {import('gradlock').Optimizer} Optimizer */

const GRADIENTS = [
  [0.5, -1, 2, 0.25],
  [-0.5, 0, 1e-3, 4],
  [3, 1, -1, 0.125],
];

/** @type {['sgd' | 'adam' | 'adamW', object][]} */
const RULES = [
  ['sgd', { learningRate: 0.1 }],
  ['sgd', { learningRate: 0.1, momentum: 0.9, nesterov: true, weightDecay: 0.01 }],
  ['adam', { learningRate: 0.01, globalClipNorm: 1 }],
  ['adamW', { learningRate: 0.01, weightDecay: 0.1 }],
];

/**
 * @param {Optimizer} optimizer
 * @param {import('gradlock').Variable} x
 */
const train = (optimizer, x) => {
  for (const gradient of GRADIENTS) optimizer.applyGradients([[gradient, x]]);
};

for (const [rule, options] of RULES) {
  const title = `${rule} ${JSON.stringify(options)}`;

  test(`${title}: a scaled rate takes the steps of that rate, to the bit`, async () => {
    const g = await init();
    const [x, y] = [g.variable([1, 2, 3, 4]), g.variable([1, 2, 3, 4])];
    const scaled = g.optimizers[rule](options).scaleLearningRate(x, 0.25);
    const plain = g.optimizers[rule](options);
    plain.learningRate = scaled.learningRate * 0.25;
    train(scaled, x);
    train(plain, y);
    assert.equal(x.digest(), y.digest());
    scaled.scaleLearningRate(x, 1);
    plain.learningRate = scaled.learningRate;
    train(scaled, x);
    train(plain, y);
    assert.equal(x.digest(), y.digest(), 'and 1 takes the factor back');
  });

  test(`${title}: factors by element, powers of two, take each element's steps to the bit`, async () => {
    const g = await init();
    const factors = [1, 0.5, 0.25, 2];
    const start = [1, 2, 3, 4];
    const x = g.variable(start);
    const own = { ...options, globalClipNorm: 0 };
    const optimizer = g.optimizers[rule](own).scaleLearningRate(x, factors);
    train(optimizer, x);
    start.forEach((value, i) => {
      const y = g.variable([value]);
      const single = g.optimizers[rule](own);
      single.learningRate = single.learningRate * factors[i];
      for (const gradient of GRADIENTS) single.applyGradients([[[gradient[i]], y]]);
      assert.equal(x.data()[i], y.data()[0], `element ${i}`);
    });
  });

  test(`${title}: a rate of 0 is a lock: values, slots, clocks and norms`, async () => {
    const g = await init();
    const [x, y] = [g.variable([1, 2, 3, 4]), g.variable([1, 2, 3, 4])];
    const still = g.optimizers[rule](options).scaleLearningRate(x, [1, 0, 1, 0]);
    const locking = g.optimizers[rule](options);
    y.lock([1, 3]);
    const same = (/** @type {string} */ when) => {
      assert.equal(x.digest(), y.digest(), when);
      assert.deepEqual(still.clock(x), locking.clock(y), when);
      for (const slot of still.slots) assert.deepEqual(still.slot(x, slot), locking.slot(y, slot));
    };
    train(still, x);
    train(locking, y);
    same('while held');
    assert.equal(x.locks.count, 0, 'it is the optimizer that holds');
    x.lock([0]);
    y.lock([0]);
    train(still, x);
    train(locking, y);
    same('with a lock beside it');
    still.scaleLearningRate(x, 1);
    x.unlock('all');
    y.unlock('all');
    train(still, x);
    train(locking, y);
    same('when free again, by its own clock');
    still.scaleLearningRate(x, 0);
    y.lock('all');
    train(still, x);
    train(locking, y);
    same('when all is held');
  });
}

test('a rate of 0 needs no gradient', async () => {
  const g = await init();
  const [x, y] = [g.variable([1, 2]), g.variable([3, 4])];
  const loss = g.compile(() => g.sum(g.mul(g.exp(x), g.square(y))));
  const optimizer = g.optimizers.sgd({ learningRate: 0.001 });
  optimizer.minimize(loss, { variables: [x, y] });
  const before = loss.activeNodes;
  optimizer.scaleLearningRate(x, 0).minimize(loss, { variables: [x, y] });
  assert.ok(loss.activeNodes < before, `${loss.activeNodes} of ${before}`);
});

test('variables are found by name, and elements by selection', async () => {
  const g = await init();
  const [kernel, bias] = [
    g.variable([1, 1], { name: 'dense/kernel' }),
    g.variable([1, 1], { name: 'dense/bias' }),
  ];
  const optimizer = g.optimizers.sgd({ learningRate: 1 });
  optimizer.scaleLearningRate('bias', 0.5).scaleLearningRate(/kernel$/, 0, { elements: [[1]] });
  optimizer.applyGradients([
    [[0.5, 0.5], kernel],
    [[0.5, 0.5], bias],
  ]);
  assert.deepEqual(kernel.array(), [0.5, 1]);
  assert.deepEqual(bias.array(), [0.75, 0.75]);
  optimizer.scaleLearningRate(kernel, 4, { elements: (value) => value < 1 });
  optimizer.applyGradients([[[0.125, 0.125], kernel]]);
  assert.deepEqual(kernel.array(), [0, 0.875]);
});

test('weight decay leaves out what is excluded', async () => {
  const g = await init();
  const [kernel, bias] = [g.variable([1], { name: 'kernel' }), g.variable([1], { name: 'bias' })];
  const optimizer = g.optimizers.sgd({ learningRate: 0.5, weightDecay: 0.5 });
  optimizer.excludeFromWeightDecay('bias');
  optimizer.applyGradients([
    [[0], kernel],
    [[0], bias],
  ]);
  assert.deepEqual([kernel.array(), bias.array()], [[0.75], [1]]);
  optimizer.excludeFromWeightDecay(kernel, /nothing/);
  optimizer.applyGradients([[[0], kernel]]);
  assert.deepEqual(kernel.array(), [0.75]);
});

test('a factor that is none is refused, and nothing changed', async () => {
  const g = await init();
  const x = g.variable([1, 2], { name: 'x' });
  const optimizer = g.optimizers.sgd({ learningRate: 1 });
  /** @type {any} */
  const any = (/** @type {unknown} */ value) => value;
  for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY, [1, -0.5], [Number.NaN, 1]]) {
    assert.throws(() => optimizer.scaleLearningRate(x, bad), {
      constructor: OptionError,
      message: /'x'/,
    });
  }
  assert.throws(() => optimizer.scaleLearningRate(x, [1, 2, 3]), {
    constructor: ShapeError,
    message: /\[3\].*\[2\]/,
  });
  assert.throws(() => optimizer.scaleLearningRate(x, any('fast')), TypeError);
  assert.throws(() => optimizer.scaleLearningRate(any(5), 1), TypeError);
  assert.throws(() => optimizer.scaleLearningRate([x, any(null)], 1), TypeError);
  assert.throws(() => optimizer.scaleLearningRate(x, [1, 1], { elements: [0] }), TypeError);
  assert.throws(() => optimizer.excludeFromWeightDecay(any(undefined)), TypeError);
  optimizer.applyGradients([[[1, 1], x]]);
  assert.deepEqual(x.array(), [0, 1]);
  x.dispose();
  assert.throws(() => optimizer.scaleLearningRate(x, 1), DisposedError);
});
