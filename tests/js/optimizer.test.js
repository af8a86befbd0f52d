/* Optimizers: options, own gradients, and what they tell. Their arithmetic is compared with
 * Keras's in golden-trajectories.test.js, and with averages, accumulation, constraints, rates
 * and locks in C; training loops are in minimize.test.js. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { init } from 'gradlock';
import * as double from 'gradlock/double';
import { RULES } from './rules.js';
import { twoByTwo } from './support.js';

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

test('slots, clocks, norms and iterations can be read, before and after steps', async () => {
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
  const sgd = g.optimizers.sgd({ clipNorm: 1 });
  assert.deepEqual(sgd.slots.length, 1);
  sgd.applyGradients([[[3, 4, 0, 12], x]]);
  assert.deepEqual(sgd.gradientNorms, { free: 5, all: 13 });
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

test('law 10: a constraint is along the axes it names, found by name, and taken off by null', async () => {
  const g = await init();
  const x = g.variable([[3], [4]], { name: 'x' });
  const sgd = g.optimizers.sgd({ learningRate: 0 });
  const step = () => sgd.applyGradients([[[[0], [0]], x]]);
  step();
  sgd.constrain('x', { maxNorm: 0.5, axis: 1 });
  step();
  assert.ok(x.data().every((value) => Math.abs(value - 0.5) < 1e-6));
  x.assign([[3], [4]]);
  sgd.constrain(x, null);
  step();
  assert.deepEqual(x.array(), [[3], [4]]);
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
