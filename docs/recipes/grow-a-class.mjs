// Grow a class: a network knows the digits 0 to 4. A sixth column is added to its head, and only
// that column learns: what the network says of the old five stays to the bit.
//
//     node docs/recipes/grow-a-class.mjs
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { bitsOf, drawCurves, isMain, percent, readDigits, show, toTensors } from './support.mjs';

/** @param {any} nn @param {number} classes */
const makeNetwork = (nn, classes) =>
  nn.sequential([
    nn.conv2d({ inputShape: [28, 28, 1], filters: 8, kernelSize: 3, activation: 'relu' }),
    nn.maxPooling2d({ poolSize: 2 }),
    nn.flatten(),
    nn.dense({ units: 32, activation: 'relu', name: 'hidden' }),
    nn.dense({ units: classes, name: 'head' }),
  ]);

/** @param {{ count?: number, epochs?: number }} [options] Digits of a class. */
export const run = async ({ count = 300, epochs = 5 } = {}) => {
  const g = await init();
  const nn = layers(g, { seed: 3 });
  const loss = g.losses.sparseCategoricalCrossentropy;
  const onLogits = (/** @type {any} */ y, /** @type {any} */ p) => loss(y, p, { fromLogits: true });
  /** @param {any} net @param {number} [learningRate] */
  const compile = (net, learningRate = 0.001) => {
    const optimizer = g.optimizers.adam({ learningRate });
    net.compile({ optimizer, loss: onLogits, metrics: ['accuracy'] });
  };

  const old = makeNetwork(nn, 5);
  compile(old);
  const known = toTensors(g, readDigits([0, 1, 2, 3, 4], count));
  await old.fit(known.xs, known.ys, { epochs, batchSize: 32 });

  // The same network with one more column, which begins at 0.
  const grown = makeNetwork(nn, 6);
  grown.setWeights(
    old.getWeights().map((weight, i) => {
      const to = grown.weights[i].shape;
      if (String(weight.shape) === String(to)) return weight;
      return g.pad(
        weight,
        to.map((size, axis) => [0, size - weight.shape[axis]]),
      );
    }),
  );
  grown.lock(/./); // everything
  const head = grown.getLayer('head');
  head.kernel.unlock({ cols: [5] });
  head.bias.unlock([5]);
  compile(grown, 0.005);

  const unseen = toTensors(g, readDigits([0, 1, 2, 3, 4, 5], Math.min(count, 100), 700));
  /** What the network says of the first five classes. */
  const oldLogits = () => bitsOf(g.slice(grown.predict(unseen.xs), [0, 0], [unseen.ys.size, 5]));
  const before = oldLogits();
  const all = toTensors(g, readDigits([0, 1, 2, 3, 4, 5], count));
  const { history, audit, cached } = await grown.fit(all.xs, all.ys, { epochs, batchSize: 32 });

  /** Right answers of each class. */
  const guesses = g.argMax(grown.predict(unseen.xs), 1).data();
  const labels = unseen.ys.data();
  const right = [0, 0, 0, 0, 0, 0];
  for (const [i, label] of labels.entries()) right[label] += guesses[i] === label ? 1 : 0;
  const per = labels.length / 6;
  const olds = right.slice(0, 5).reduce((sum, n) => sum + n, 0) / (5 * per);
  const { total } = grown.summary({ print: null });
  const isSame = oldLogits() === before;
  return {
    isSame,
    olds,
    newer: right[5] / per,
    audit,
    free: total.free,
    lines: [
      `${total.free} of ${total.params} parameters train`,
      `what it says of 0 to 4 is the same to the bit: ${isSame ? 'yes' : 'no'}`,
      `locked elements that moved: ${audit.changed} of ${audit.watched}`,
      `right answers, unseen: 0 to 4 ${percent(olds)}, the new class 5 ${percent(right[5] / per)}`,
      `computed once an image: ${cached.layers.join(', ')}`,
    ],
    svg: drawCurves(
      'A sixth class, and nothing else, is learned',
      { loss: history.loss },
      {
        across: 'epochs',
        up: 'loss',
      },
    ),
  };
};

if (isMain(import.meta.url)) show('grow-a-class', await run());
