/** Scenes whose model is a network of gradlock/layers: their grids are views of its weights. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { layers } from 'gradlock/layers';
import { ready } from '../../web/engine/problem.js';
import { scenes } from '../../web/scenes/index.js';
import { noise } from '../../web/scenes/shared/noise.js';
import { digitsFrom } from '../../web/scenes/shared/samples.js';
import { openingState, setupOf } from '../../web/state/state.js';
import { readGolden } from '../golden/golden.js';
import { g, openSession, stateOf } from './runs.js';

/** Two kernels as grids of their own, the head transposed. @type {import('../../web/scenes/scene.js').Scene} */
const scene = {
  id: 'kernels',
  order: 0,
  tour: [],
  sizes: [[3, 3]],
  choices: {},
  reach: 1,
  optimizer: { rule: 'adam', learningRate: 0.01, momentum: 0.9, weightDecay: 0.004 },
  speed: 30,
  shapes: () => ({ one: [3, 3], two: [3, 3], biases: [1, 2], head: [4, 8], offsets: [1, 4] }),
  views: () => ({
    one: { of: 'conv/kernel', strides: [6, 2] },
    two: { of: 'conv/kernel', first: 1, strides: [6, 2] },
    biases: { of: 'conv/bias', strides: [2, 1] },
    head: { of: 'head/kernel', strides: [1, 4] },
    offsets: { of: 'head/bias', strides: [4, 1] },
  }),
  start: ({ seed }) => noise(18 + 2 + 32 + 4, seed, 0.5),
  // The second kernel, and the answers to the first class.
  locks: () =>
    Uint8Array.from({ length: 56 }, (_, i) => ((i >= 9 && i < 18) || (i >= 20 && i < 28) ? 1 : 0)),
  data: ({ seed }) => ({
    pixels: Array.from({ length: 12 }, (_, i) => [...noise(16, seed + i, 1)]),
    labels: Array.from({ length: 12 }, (_, i) => i % 4),
  }),
  network: (nn) =>
    nn.sequential([
      nn.conv2d({
        name: 'conv',
        inputShape: [4, 4, 1],
        filters: 2,
        kernelSize: 3,
        padding: 'same',
        activation: 'tanh',
      }),
      nn.maxPooling2d({ poolSize: 2 }),
      nn.flatten(),
      nn.dense({ name: 'head', units: 4 }),
    ]),
  loss: (g, _, { pixels, labels }, net) =>
    g.losses.sparseCategoricalCrossentropy(labels, net.apply(g.reshape(pixels, [-1, 4, 4, 1])), {
      fromLogits: true,
    }),
  readings: (g, weights, _, net) => ({
    maps: net.getLayer('conv').apply(g.reshape(weights.pad, [1, 4, 4, 1])),
  }),
  inputs: () => ({ pad: [4, 4] }),
};

const setup = { rows: 3, cols: 3, choices: {}, seed: 5, own: null };

/** @param {typeof scene} [of] @param {import('../../web/state/state.js').Beside} [beside] */
async function open(of = scene, beside = 'mask') {
  await ready(of);
  return openSession({ ...openingState(of), ...setup, beside, rival: of.optimizer }, null, of);
}

test('a grid shows the elements of its view, and locks and takes numbers for them', async () => {
  const session = await open();
  const { main } = session;
  const start = scene.start(setup);
  const byName = Object.fromEntries(main.byVariable(start).map(({ name, own }) => [name, own]));
  // Element [r, c, 0, k] of the kernel is row r, column c of grid k.
  const kernel = byName['conv/kernel'];
  for (const [at, cell] of [0, 1, 2, 3].entries()) {
    assert.equal(kernel[2 * cell], start[at], 'of the first');
    assert.equal(kernel[2 * cell + 1], start[9 + at], 'of the second');
  }
  // The head's grid has a row an answer: element [i, j] is its row j, column i.
  assert.equal(byName['head/kernel'][4 * 3 + 2], start[20 + 2 * 8 + 3]);
  assert.deepEqual(main.values(), start);
  assert.deepEqual(main.locks(), scene.locks(setup));

  session.advance(25);
  const now = main.values();
  start.forEach((value, i) => {
    assert.equal(Object.is(now[i], value), main.mask[i] === 1, `cell ${i}`);
  });
  assert.throws(() => main.assign(9, 1), { name: 'LockedElementError' });
  main.assign(0, 0.25);
  assert.equal(main.values()[0], 0.25);
  const { variable, at } = main.elements.at(10);
  assert.deepEqual([variable.name, at], ['conv/kernel', 3]);
});

test('it trains as the same network does by hand, to the bit', async () => {
  const session = await open(scene, 'none');
  session.advance(40);
  const net = /** @type {any} */ (scene).network(layers(g, { seed: 9 }));
  const start = scene.start(setup);
  const own = session.main.byVariable(start);
  for (const [i, weight] of net.trainableWeights.entries()) weight.assign(own[i].own);
  net.getLayer('conv').kernel.lock(Array.from({ length: 9 }, (_, i) => 2 * i + 1));
  net.getLayer('head').kernel.lock({ cols: [0] });
  const { data } = scene;
  const loss = g.compile(() => scene.loss(g, {}, data?.(setup), net));
  g.optimizers
    .adam({ learningRate: 0.01 })
    .minimize(loss, { variables: net.trainableWeights, steps: 40 });
  const digest = net.trainableWeights.map((/** @type {any} */ weight) => weight.digest()).join('.');
  assert.equal(session.main.digest(), digest);
});

test('a figure’s input reaches the layers, but not the training', async () => {
  const [one, two] = [await open(scene, 'none'), await open(scene, 'none')];
  one.tell('pad', noise(16, 3, 1));
  for (const session of [one, two]) session.advance(5);
  assert.equal(one.main.digest(), two.main.digest());
  const seen = one.main.readings()?.maps;
  one.tell('pad', new Float32Array(16));
  assert.notDeepEqual(one.main.readings()?.maps, seen);
  const bias = one.main.values().slice(18, 20).map(Math.tanh);
  one.main.readings()?.maps.forEach((value, i) => {
    assert.ok(Math.abs(value - bias[i % 2]) < 1e-6);
  });
});

for (const [what, views] of /** @type {const} */ ([
  ['leave an element out', { offsets: { of: 'head/bias', strides: [4, 0] } }],
  ['have an element twice', { two: { of: 'conv/kernel', first: 0, strides: [6, 2] } }],
  ['reach beyond it', { biases: { of: 'conv/bias', first: 1, strides: [2, 1] } }],
  ['are of another weight', { biases: { of: 'conv/bins', strides: [2, 1] } }],
])) {
  test(`grids that ${what} are refused by the weight's name`, async () => {
    const wrong = /** @type {any} */ ({
      ...scene,
      views: () => ({ ...scene.views?.(setup), ...views }),
    });
    await assert.rejects(open(wrong), /Grids must have each of the \d+ elements of \w+\/\w+ once/);
  });
}

test('a scene’s network takes inputs of the size that its examples have', async () => {
  let count = 0;
  for (const each of scenes) {
    if (!each.network) continue;
    await ready(each);
    const [input] = /** @type {any} */ (each.network(layers(g))).inputs;
    const [, ...sizes] = /** @type {number[]} */ (input.shape);
    const { pixels } = /** @type {any} */ (each).data(setupOf(openingState(each)));
    for (const { length } of pixels)
      assert.equal(
        length,
        sizes.reduce((a, b) => a * b),
        each.id,
      );
    count++;
  }
  assert.equal(count, 2);
});

test('the base classifies digits as Keras does', async () => {
  const nn = layers(g, { seed: 1 });
  const net = nn.sequential([
    nn.conv2d({
      inputShape: [8, 8, 1],
      filters: 8,
      kernelSize: 3,
      padding: 'same',
      activation: 'relu',
      name: 'conv1',
    }),
    nn.maxPooling2d({ poolSize: 2 }),
    nn.conv2d({ filters: 4, kernelSize: 3, activation: 'relu', name: 'conv2' }),
    nn.flatten(),
    nn.dense({ units: 5, name: 'head' }),
  ]);
  const text = (/** @type {string} */ name) =>
    readFileSync(new URL(`../../web/scenes/${name}`, import.meta.url), 'utf8')
      .trim()
      .split('\n');
  const weights = Object.fromEntries(text('freeze/base.txt').map((line) => line.split(' ')));
  for (const weight of net.trainableWeights) weight.assign(JSON.parse(weights[weight.name]));
  const lines = text('shared/digits.txt');
  const { digits } = readGolden('base.json');
  assert.equal(digits.length, 20);
  for (const { line, logits } of digits) {
    const pixels = Array.from(lines[line].slice(0, 64), (c) => Number.parseInt(c, 17) / 16);
    const scores = net.apply(g.reshape(g.tensor(pixels), [1, 8, 8, 1])).data();
    logits.forEach((/** @type {number} */ wanted, /** @type {number} */ i) => {
      assert.ok(
        Math.abs(scores[i] - wanted) < 2e-5 * Math.max(1, Math.abs(wanted)),
        `line ${line}`,
      );
    });
  }
});

test('Freeze’s shares of each digit have the shares of the old and the new ones as their means', async () => {
  const session = openSession(await stateOf('freeze'));
  session.advance(20);
  const { old, fresh, digits } = session.main.readings() ?? {};
  const { labels } = digitsFrom(900, 1797);
  for (const [share, isOne] of /** @type {[Float32Array, (digit: number) => boolean][]} */ ([
    [old, (digit) => digit < 5],
    [fresh, (digit) => digit >= 5],
  ])) {
    const each = labels.filter(isOne).map((digit) => digits[digit]);
    assert.ok(Math.abs(each.reduce((sum, one) => sum + one, 0) / each.length - share[0]) < 1e-6);
  }
  assert.ok(new Set(digits).size > 5, 'they differ');
});
