/* Optimizers: options, own gradients, and what they tell. Their arithmetic is compared with Keras's
 * in golden-trajectories.test.js; what locks promise under them is in laws.test.js, training loops in
 * minimize.test.js. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DisposedError, GradlockError, HandleError, init, OptionError, ShapeError } from 'gradlock';
import * as double from 'gradlock/double';
import { RULES } from './rules.js';
import { refuses, settle, twoByTwo } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */

test('applyGradients takes tensors, arrays and typed arrays, for several variables', async () => {
  const g = await init();
  const a = g.variable([[1, 2]]);
  const b = g.variable(3);
  const c = g.variable([5]);
  const sgd = g.optimizers.sgd({ learningRate: 1 });
  const { objects } = g.memory();
  sgd.applyGradients([
    [[[1, 1]], a],
    [2, b],
    [Float32Array.of(3), c],
  ]);
  assert.deepEqual([a.array(), b.array(), c.array()], [[[0, 1]], 1, [2]]);
  const gradient = g.tensor([[1, 0]]);
  sgd.applyGradients([[gradient, a]]);
  assert.deepEqual(a.array(), [[-1, 1]]);
  sgd.applyGradients([]);
  assert.equal(g.memory().objects, objects + 1);
});

test('slots, clocks and iterations can be read, before and after steps', async () => {
  const g = await init();
  const { x, loss } = twoByTwo(g);
  x.lock([[1, 1]]);
  const adam = g.optimizers.adam();
  assert.deepEqual(adam.slots, ['m', 'v', 'vHat']);
  assert.deepEqual(Array.from(adam.slot(x, 'm')), [0, 0, 0, 0]);
  assert.deepEqual(Array.from(adam.clock(x)), [0, 0, 0, 0]);
  adam.minimize(loss, { steps: 2 });
  const m = adam.slot(x, 'm');
  assert.ok(m[0] < 0 && m[1] < m[0]);
  assert.ok(Object.is(m[3], 0));
  assert.deepEqual(Array.from(adam.clock(x)), [2, 2, 2, 0]);
  assert.equal(adam.iterations, 2);
  assert.deepEqual(g.optimizers.sgd().slots.length, 1);
});

test('a slot that no option needs takes no memory, and reads as what it would start at', async () => {
  const g = await init();
  const x = g.variable(new Float32Array(4096).fill(1));
  const gradient = new Float32Array(4096).fill(1);
  const adam = g.optimizers.adam();
  const before = g.memory().bytes;
  adam.applyGradients([[gradient, x]]);
  const plain = g.memory().bytes - before;
  assert.deepEqual(adam.slot(x, 'vHat'), new Float32Array(4096));
  adam.amsgrad = true;
  adam.applyGradients([[gradient, x]]);
  assert.equal(g.memory().bytes - before, plain + 4 * 4096);
  assert.deepEqual(adam.slot(x, 'vHat'), adam.slot(x, 'v'));
  const adagrad = g.optimizers.adagrad({ initialAccumulatorValue: 0.5 });
  assert.deepEqual(adagrad.slot(x, 'accumulator'), new Float32Array(4096).fill(0.5));
});

test('gradient norms are of the free elements and of all', async () => {
  const g = await init();
  const x = g.variable([0, 0]).lock([1]);
  const sgd = g.optimizers.sgd({ clipNorm: 1, learningRate: 1 });
  sgd.applyGradients([[[3, 4], x]]);
  assert.deepEqual(sgd.gradientNorms, { free: 3, all: 5 });
  assert.deepEqual(Array.from(x.data()), [-1, 0]);
});

test('both norms leave out what is wholly locked, whoever computes the gradients', async () => {
  for (const clip of [{ clipNorm: 1 }, { globalClipNorm: 1 }]) {
    const g = await init();
    const [x, y] = [g.variable([3, 4]).lock([1]), g.variable([5, 12]).lock('all')];
    const loss = g.compile(() => g.add(g.sum(g.square(x)), g.sum(g.square(y))));
    const [one, other] = [g.optimizers.sgd(clip), g.optimizers.sgd(clip)];
    const { grads } = g.valueAndGrad(loss, [x, y]);
    one.applyGradients([
      [grads[0], x],
      [grads[1], y],
    ]);
    x.assign([3, 4], { force: true });
    other.minimize(loss, { variables: [x, y] });
    for (const { gradientNorms } of [one, other]) {
      assert.deepEqual(gradientNorms, { free: 6, all: 10 });
    }
  }
});

test('options are live properties, set one by one or together', async () => {
  const g = await init();
  const adam = g.optimizers.adam({ learningRate: 0.5, beta1: 0.8, onUnlock: 'reset' });
  assert.deepEqual(
    [adam.learningRate, adam.beta1, adam.beta2, adam.onUnlock],
    [0.5, 0.8, 0.999, 'reset'],
  );
  adam.learningRate = 0.25;
  adam.beta2 = 0.9;
  adam.epsilon = 1e-3;
  adam.weightDecay = 0.1;
  adam.clipValue = 2;
  adam.onUnlock = 'hold';
  assert.deepEqual(
    [adam.learningRate, adam.beta2, adam.epsilon, adam.weightDecay, adam.clipValue, adam.onUnlock],
    [0.25, 0.9, 1e-3, 0.1, 2, 'hold'],
  );
  const sgd = g.optimizers.sgd({ momentum: 0.9, nesterov: true });
  assert.equal(sgd.nesterov, true);
  sgd.nesterov = false;
  sgd.momentum = 0;
  assert.deepEqual([sgd.nesterov, sgd.momentum], [false, 0]);
  sgd.setOptions({ learningRate: 0.2, momentum: undefined });
  assert.deepEqual([sgd.learningRate, sgd.momentum], [0.2, 0]);
  for (const optimizer of [sgd, g.optimizers.lbfgs()]) {
    assert.throws(
      () => Object.assign(optimizer, { lr: 0.5 }),
      TypeError,
      'no option is left unread',
    );
  }
});

/** @type {[options: any, kind: Function, message: RegExp][]} */
const BAD_OPTIONS = [
  [{ learningRate: Number.NaN }, OptionError, /learningRate is NaN, expected at least 0/],
  [{ learningRate: -0.1 }, OptionError, /learningRate is -0.1/],
  [{ learningRate: Number.POSITIVE_INFINITY }, OptionError, /learningRate is Infinity/],
  [{ learningRate: '0.1' }, TypeError, /learningRate must be a number, got "0.1"/],
  [{ learningRate: null }, TypeError, /learningRate must be a number, got null/],
  [{ learningRate: 0.2, weightDecay: -1 }, OptionError, /weightDecay is -1/],
  [{ clipNorm: -1 }, OptionError, /clipNorm is -1/],
  [{ clipNorm: 1, globalClipNorm: 1 }, OptionError, /at most one/],
  [{ onUnlock: 'keep' }, OptionError, /onUnlock must be 'hold' or 'reset', got "keep"/],
  [{ onUnlock: true }, TypeError, /onUnlock must be 'hold' or 'reset', got true/],
  [{ resetOnUnlock: true }, OptionError, /no option 'resetOnUnlock'/],
  [{ lr: 0.1 }, OptionError, /no option 'lr': did you mean learningRate\?/],
  [3, TypeError, /options must be an object such as { learningRate: 3 }, got 3/],
  [null, TypeError, /options must be an object, got null/],
];

for (const [options, kind, message] of BAD_OPTIONS) {
  test(`options ${JSON.stringify(options)} are refused by every rule, whole, at creation and later`, async () => {
    const g = await init();
    settle(g);
    for (const rule of RULES) {
      const optimizer = g.optimizers[rule]({ learningRate: 0.125 });
      refuses(g, [optimizer], () => g.optimizers[rule](options), kind, message);
      refuses(g, [optimizer], () => optimizer.setOptions(options), kind, message);
      for (const [key, value] of Object.entries(options ?? {})) {
        if (Object.keys(options).length > 1 || !(key in optimizer)) continue;
        refuses(g, [optimizer], () => Reflect.set(optimizer, key, value), kind, message);
      }
    }
  });
}

test('options of one rule are unknown to another, and out of their own ranges refused', async () => {
  const g = await init();
  settle(g);
  const any = /** @type {any} */ (g.optimizers);
  refuses(g, [], () => any.sgd({ beta1: 0.9 }), OptionError, /sgd has no option 'beta1'/);
  refuses(g, [], () => any.adam({ momentum: 0.9 }), OptionError, /adam has no option 'momentum'/);
  refuses(g, [], () => any.sgd({ nesterov: 1 }), TypeError, /nesterov must be a boolean, got 1/);
  for (const options of [{ beta1: 1 }, { beta2: -0.1 }, { epsilon: -1 }, { beta1: Number.NaN }]) {
    refuses(g, [], () => any.adamW(options), OptionError, /expected at least 0/);
  }
  /** @type {[rule: string, options: object, message: RegExp][]} */
  const cases = [
    ['adagrad', { initialAccumulatorValue: -0.1 }, /initialAccumulatorValue is -0.1, expected/],
    ['adadelta', { rho: 1 }, /rho is 1, expected at least 0 and below 1/],
    ['rmsprop', { momentum: 1 }, /momentum is 1/],
    ['rmsprop', { centered: true, rho: -1 }, /rho is -1/],
    ['adamax', { epsilon: Number.NaN }, /epsilon is NaN/],
    ['nadam', { beta1: 1 }, /beta1 is 1/],
    ['lion', { beta2: 1.5 }, /beta2 is 1.5/],
    ['lion', { epsilon: 1e-7 }, /lion has no option 'epsilon'/],
    [
      'ftrl',
      { learningRatePower: 0.5 },
      /learningRatePower is 0.5, expected at least -100 and at most 0/,
    ],
    ['ftrl', { l1RegularizationStrength: -1 }, /l1RegularizationStrength is -1/],
    ['ftrl', { beta: Number.POSITIVE_INFINITY }, /beta is Infinity/],
  ];
  for (const [rule, options, message] of cases) {
    refuses(g, [], () => any[rule](options), OptionError, message);
  }
  refuses(g, [], () => any.adam({ amsgrad: 1 }), TypeError, /amsgrad must be a boolean, got 1/);
  g.optimizers.ftrl({ learningRatePower: 0 });
});

test('bad gradients are refused, and nothing is applied', async () => {
  const [g, other] = [await init(), await init()];
  settle(g);
  const x = g.variable([1, 2], { name: 'x' });
  const y = g.variable(3, { name: 'y' });
  const adam = g.optimizers.adam();
  adam.applyGradients([
    [[1, 1], x],
    [1, y],
  ]);
  const gone = g.tensor([1, 1]);
  gone.dispose();
  const foreign = other.tensor([1, 1]);
  /** @type {[pairs: any, kind: Function, message: RegExp][]} */
  const cases = [
    [undefined, TypeError, /array of \[gradient, variable\] pairs, got undefined/],
    [[3], TypeError, /pairs\[0\] must be \[gradient, variable\], got 3/],
    [[[1, y, 2]], TypeError, /an array of length 3/],
    [[[x, 1]], TypeError, /pairs\[0\]\[1\] must be a variable, got 1/],
    [[['1', y]], TypeError, /pairs\[0\]\[0\] for .* must be a tensor/],
    [
      [
        [1, y],
        [[1, 2, 3], x],
      ],
      ShapeError,
      /pairs\[1\]\[0\] for Variable 'x' \[2\]: shape \[3\] \(3 values\) does not fit/,
    ],
    [[[[[1], [2, 3]], x]], ShapeError, /ragged/],
    [
      [
        [1, y],
        [1, y],
      ],
      GradlockError,
      /'y' is named twice/,
    ],
    [[[gone, x]], DisposedError, /Tensor is gone/],
    [[[foreign, x]], HandleError, /another gradlock/],
  ];
  for (const [pairs, kind, message] of cases) {
    refuses(g, [x, y, adam], () => adam.applyGradients(pairs), kind, message);
  }
});

test('bad questions to an optimizer are refused', async () => {
  const [g, other] = [await init(), await init()];
  settle(g);
  const x = g.variable([1]);
  const adam = /** @type {any} */ (g.optimizers.adam());
  refuses(
    g,
    [x],
    () => adam.slot(x, 'momentum'),
    OptionError,
    /adam has no slot "momentum"; its slots: m, v/,
  );
  refuses(g, [x], () => adam.slot(x), OptionError, /no slot undefined/);
  refuses(g, [x], () => adam.slot(3, 'm'), TypeError, /must be a variable, got 3/);
  refuses(g, [x], () => adam.clock(g), TypeError, /must be a variable/);
  refuses(g, [x], () => adam.clock(other.variable(1)), HandleError, /another gradlock/);
  adam.dispose();
  for (const use of [
    () => adam.iterations,
    () => adam.learningRate,
    () => adam.slot(x, 'm'),
    () => adam.minimize(() => g.sum(x)),
    () => adam.applyGradients([]),
  ]) {
    refuses(g, [x], use, DisposedError, /Optimizer adam is gone/);
  }
  refuses(
    g,
    [x],
    () => {
      adam.learningRate = 1;
    },
    DisposedError,
    /Optimizer adam is gone/,
  );
});

/**
 * The defaults in the comments of options, such as `0.001; 0.01 for sgd`, by typedef.
 * @param {string} file
 */
const writtenDefaults = (file) => {
  const text = readFileSync(new URL(`../../src/js/optim/${file}.js`, import.meta.url), 'utf8');
  const typedefs = text.matchAll(/@typedef \{object\} (?:Own)?(\w+)Options\n([\s\S]*?)\n \*\//g);
  return Array.from(typedefs, ([, name = '', body = '']) => {
    const properties = body
      .replace(/\n \* +/g, ' ')
      .split('@property ')
      .slice(1);
    const defaults = properties.map((property) => [
      String(property.match(/\[(\w+)\]/)?.[1]),
      property.match(/Default: (.*?)\.(?= |$)/)?.[1] ?? '',
    ]);
    return /** @type {const} */ ([name.toLowerCase(), defaults]);
  });
};

test('the comment of every option of an optimizer names its default, also in gradlock/double', async () => {
  const own = new Map(['options', 'optimizers', 'solvers'].flatMap(writtenDefaults));
  const common = own.get('common') ?? [];
  assert.equal(common.length, 10);
  for (const [g, isDouble] of /** @type {const} */ ([
    [await init(), false],
    [await double.init(), true],
  ])) {
    for (const name of [...RULES, 'lbfgs', 'levenbergMarquardt']) {
      const optimizer = /** @type {any} */ (g.optimizers)[name]();
      const list = own.get(name === 'adamW' ? 'adam' : name.toLowerCase()) ?? [];
      assert.notEqual(list.length, 0, name);
      for (const [option = '', all = ''] of 'slots' in optimizer ? [...common, ...list] : list) {
        const [usual = '', ...others] = all.split('; ');
        const other = others.find(
          (one) => one.endsWith(` for ${name}`) || (isDouble && one.endsWith('`gradlock/double`')),
        );
        const [written = ''] = (other ?? usual).split(' ');
        const value = optimizer[option];
        const actual = typeof value === 'number' ? Number(value.toPrecision(12)) : value;
        const expected = JSON.parse(written.replaceAll("'", '"') || '""');
        assert.equal(actual, expected, `${name}.${option}, isDouble ${isDouble}`);
      }
    }
  }
});
