/* Batch normalisation (docs/laws.md, law 19): what is frozen is in inference mode and does not
 * move, whatever else is locked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { random, randomValues } from './support.js';

const ROWS = 12;
const SEED = 20261122;

/** A model around a batch normalisation, compiled, and data for it. */
const setUp = async () => {
  const g = await init();
  const nn = /** @type {any} */ (layers(g, { seed: SEED }));
  const [first, bn, last] = [
    nn.dense({ units: 3, inputShape: [2] }),
    nn.batchNormalization({ momentum: 0.5 }),
    nn.dense({ units: 1 }),
  ];
  const net = nn.sequential([first, bn, last]);
  net.compile({ optimizer: g.optimizers.sgd({ learningRate: 0.05 }), loss: 'meanSquaredError' });
  const next = random(SEED);
  const x = g.tensor(randomValues(2 * ROWS, next), [ROWS, 2]);
  const y = g.tensor(randomValues(ROWS, next), [ROWS, 1]);
  const train = () => net.fit(x, y, { epochs: 2, batchSize: 4 });
  return { g, nn, net, first, bn, last, x, y, train };
};

/** @param {any} layer @returns {Float32Array[]} */
const bitsOf = (layer) => layer.weights.map((/** @type {any} */ weight) => weight.data());

/** Which weights of a layer moved since. @param {any} layer @param {Float32Array[]} before */
const movedOf = (layer, before) =>
  bitsOf(layer).map((values, i) => values.some((value, j) => !Object.is(value, before[i]?.[j])));

test('frozen, it is in inference mode in training too, and nothing of it moves, to the bit', async () => {
  const { g, net, first, bn, x, train } = await setUp();
  await train();
  bn.trainable = false;
  const [before, other] = [bitsOf(bn), bitsOf(first)];
  const asked = net.apply(x, { training: true }).data();
  assert.deepEqual(asked, net.apply(x).data(), 'the mode is that of inference');
  const { audit } = await train();
  assert.deepEqual(movedOf(bn, before), [false, false, false, false]);
  assert.deepEqual(movedOf(first, other), [true, true], 'what lies before it trains through it');
  assert.equal(audit.changed, 0);
  bn.trainable = true;
  assert.notDeepEqual(net.apply(x, { training: true }).data(), net.apply(x).data());
  await train();
  assert.deepEqual(movedOf(bn, before), [true, true, true, true], 'unfrozen, it moves again');
  g.dispose();
});

test('inside of a frozen model it is frozen, whatever its own flag', async () => {
  const { g, nn, net, bn, x } = await setUp();
  const outer = nn.sequential([net]);
  outer.trainable = false;
  const before = bitsOf(bn);
  assert.deepEqual(outer.apply(x, { training: true }).data(), outer.apply(x).data());
  assert.deepEqual(movedOf(bn, before), [false, false, false, false]);
  g.dispose();
});

test('locks on single elements of gamma and beta, or on all of both, do not change the mode', async () => {
  const { g, net, bn, x, train } = await setUp();
  const free = net.apply(x, { training: true }).data();
  const mode = net.modeOf(true);
  bn.gamma.lock([1]);
  bn.beta.lock('all');
  assert.equal(net.modeOf(true), mode);
  const before = bitsOf(bn);
  await train();
  const [gamma, beta, mean, variance] = bitsOf(bn);
  const moved = movedOf(bn, before);
  assert.deepEqual(moved, [true, false, true, true], 'batch statistics, which are followed');
  assert.equal(gamma?.[1], before[0]?.[1]);
  assert.notEqual(gamma?.[0], before[0]?.[0]);
  assert.deepEqual(beta, before[1]);
  assert.ok(mean && variance);
  const again = await setUp();
  assert.deepEqual(again.net.apply(again.x, { training: true }).data(), free, 'the same values');
  again.g.dispose();
  g.dispose();
});

test('moving statistics can be locked channel by channel: the other channels move', async () => {
  const { g, bn, train } = await setUp();
  bn.movingMean.lock([0]);
  bn.movingVariance.lock([1, 2]);
  const [, , mean, variance] = bitsOf(bn);
  await train();
  const [, , newMean, newVariance] = bitsOf(bn);
  const same = (/** @type {any} */ a, /** @type {any} */ b) =>
    [0, 1, 2].map((i) => Object.is(a[i], b[i]));
  assert.deepEqual(same(mean, newMean), [true, false, false]);
  assert.deepEqual(same(variance, newVariance), [false, true, true]);
  g.dispose();
});

test('filters that lock trainable weights leave moving statistics alone', async () => {
  const { g, net, bn, train } = await setUp();
  const locked = net.lock(/^batch_normalization/);
  assert.deepEqual(
    locked.map((/** @type {any} */ weight) => weight.name),
    ['batch_normalization/gamma', 'batch_normalization/beta'],
  );
  const before = bitsOf(bn);
  await train();
  assert.deepEqual(movedOf(bn, before), [false, false, true, true]);
  g.dispose();
});
