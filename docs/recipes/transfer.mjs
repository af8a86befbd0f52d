// Transfer: features that were learned on the digits 0 to 4 are frozen, and a new head learns 5 to
// 9 on them. Nothing of the features moves by a bit, so the old head is as good as it was; `fit`
// computes what they make of an image once.
//
//     node docs/recipes/transfer.mjs
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { bitsOf, drawCurves, isMain, percent, readDigits, show, toTensors } from './support.mjs';

/** @param {any} nn */
const makeFeatures = (nn) =>
  nn.sequential({
    name: 'features',
    layers: [
      nn.conv2d({ inputShape: [28, 28, 1], filters: 16, kernelSize: 3, activation: 'relu' }),
      nn.conv2d({ filters: 16, kernelSize: 3, activation: 'relu' }),
      nn.maxPooling2d({ poolSize: 2 }),
      nn.flatten(),
    ],
  });

/** @param {any} nn @param {any} features @param {string} name */
const addHead = (nn, features, name) => {
  const net = nn.sequential([
    features,
    nn.dropout({ rate: 0.25 }),
    nn.dense({ units: 64, activation: 'relu', name: `${name}-hidden` }),
    nn.dense({ units: 5, activation: 'softmax', name }),
  ]);
  const loss = 'sparseCategoricalCrossentropy';
  net.compile({ optimizer: 'adam', loss, metrics: ['accuracy'] });
  return net;
};

/** @param {{ count?: number, epochs?: number }} [options] Digits of a class. */
export const run = async ({ count = 300, epochs = 4 } = {}) => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  const [low, high] = [
    [0, 1, 2, 3, 4],
    [5, 6, 7, 8, 9],
  ];
  const unseen = 700;
  const fitting = { epochs, batchSize: 32 };
  /** @param {any} net @param {readonly number[]} classes */
  const accuracyOf = async (net, classes) => {
    const { xs, ys } = toTensors(g, readDigits(classes, Math.min(count, 100), unseen));
    return (await net.evaluate(xs, ys)).accuracy;
  };

  const features = makeFeatures(nn);
  const first = addHead(nn, features, 'low');
  const lowDigits = toTensors(g, readDigits(low, count));
  const began = performance.now();
  const learned = await first.fit(lowDigits.xs, lowDigits.ys, fitting);
  const middle = performance.now();
  const before = await accuracyOf(first, low);

  features.trainable = false; // that is all: no cutting in two, no compiling again
  const second = addHead(nn, features, 'high');
  const bits = features.getWeights().map(bitsOf);
  const highDigits = toTensors(g, readDigits(high, count));
  const start = performance.now();
  const tuned = await second.fit(highDigits.xs, highDigits.ys, fitting);
  const end = performance.now();

  const [after, newer] = [await accuracyOf(first, low), await accuracyOf(second, high)];
  const moved = features.getWeights().filter((w, i) => bitsOf(w) !== bits[i]).length;
  return {
    before,
    after,
    newer,
    moved,
    cached: tuned.cached,
    lines: [
      `0 to 4 of unseen digits, trained from nothing: ${percent(before)}`,
      `5 to 9, on frozen features: ${percent(newer)}`,
      `0 to 4 afterwards: ${percent(after)}; weights of the features that moved: ${moved}`,
      `computed once an image: ${tuned.cached.layers.join(', ')} (${(tuned.cached.bytes / 2 ** 20).toFixed(1)} MB)`,
      `an epoch on frozen features takes ${percent((end - start) / (middle - began))} of one from nothing`,
    ],
    svg: drawCurves(
      'Loss while 0 to 4, then 5 to 9 are learned',
      { 'all of it, 0–4': learned.history.loss, 'the head, 5–9': tuned.history.loss },
      { across: 'epochs', up: 'loss' },
    ),
  };
};

if (isMain(import.meta.url)) show('transfer', await run());
