// Surgery: half of a network's filters are taken out and grow anew, while the other half is locked.
// Which half matters is measured: with those that matter most in place, little is lost at first,
// and less is to be learned again. Beside it: the other way round.
// A filter's importance is (sum of gradient × weight)², over batches: Molchanov et al. 2019,
// "Importance estimation for neural network pruning", arXiv:1906.10771.
//
//     node docs/recipes/surgery.mjs
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { drawCurves, isMain, percent, readDigits, show, toTensors } from './support.mjs';

const CLASSES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const isConvolution = (/** @type {any} */ layer) => layer.kernel?.rank === 4;
/** @param {{ count?: number, epochs?: number }} [options] Digits of a class. */
export const run = async ({ count = 300, epochs = 4 } = {}) => {
  const g = await init();
  const nn = layers(g, { seed: 2 });
  const net = nn.sequential([
    nn.conv2d({
      inputShape: [28, 28, 1],
      filters: 16,
      kernelSize: 5,
      strides: 2,
      activation: 'relu',
    }),
    nn.conv2d({ filters: 32, kernelSize: 3, strides: 2, activation: 'relu' }),
    nn.flatten(),
    nn.dense({ units: 10, activation: 'softmax', name: 'head' }),
  ]);
  const loss = 'sparseCategoricalCrossentropy';
  const compile = () =>
    net.compile({
      optimizer: g.optimizers.adam({ learningRate: 0.002 }),
      loss,
      metrics: ['accuracy'],
    });
  const old = toTensors(g, readDigits(CLASSES, count));
  const unseen = toTensors(g, readDigits(CLASSES, Math.min(count, 200), 700));
  const fresh = net.getWeights();
  compile();
  await net.fit(old.xs, old.ys, { epochs: 2 * epochs });
  const start = net.getWeights();
  const accuracyOf = async () => (await net.evaluate(unseen.xs, unseen.ys)).accuracy;
  const before = await accuracyOf();

  // What each filter, a column of a kernel, does for the task: over batches, since the gradients of
  // a trained network cancel out over all of its data.
  const filtered = net.layers.filter(isConvolution);
  const kernels = filtered.map((/** @type {any} */ { kernel }) => kernel);
  const importance = kernels.map((/** @type {any} */ { shape }) => new Float64Array(shape.at(-1)));
  for (let from = 0; from < old.ys.size; from += 30) {
    g.tidy(() => {
      const images = g.slice(old.xs, [from, 0, 0, 0], [30, 28, 28, 1]);
      const labels = g.slice(old.ys, [from], [30]);
      const { grads } = g.valueAndGrad(
        () => g.losses.sparseCategoricalCrossentropy(labels, net.apply(images)),
        kernels,
      );
      grads.forEach((/** @type {any} */ grad, /** @type {number} */ i) => {
        const sums = g.square(g.sum(g.mul(grad, kernels[i]), [0, 1, 2])).data();
        for (let k = 0; k < sums.length; k++) importance[i][k] += sums[k];
      });
    });
  }

  /**
   * Draw half of each layer's filters anew, and lock the others.
   * @param {boolean} keepsMost Whether those stay that matter most, or least.
   */
  const operate = (keepsMost) => {
    filtered.forEach((/** @type {any} */ { kernel, bias }, /** @type {number} */ i) => {
      const places = [...importance[i].keys()].sort((a, b) => importance[i][b] - importance[i][a]);
      if (!keepsMost) places.reverse();
      const kept = new Set(places.slice(0, places.length / 2));
      for (const weight of [kernel, bias]) {
        const filters = weight.shape.at(-1);
        const drawn = fresh[net.weights.indexOf(weight)].data();
        const isKept = (/** @type {number} */ k) => kept.has(k % filters);
        weight.assign(
          weight
            .data()
            .map((/** @type {number} */ w, /** @type {number} */ k) => (isKept(k) ? w : drawn[k])),
        );
        weight.lock((/** @type {number} */ _, /** @type {number} */ k) => isKept(k));
      }
    });
  };
  /** @type {Record<string, number[]>} */
  const curves = {};
  let moved = 0;
  for (const [name, keepsMost] of /** @type {const} */ ([
    ['most important kept', true],
    ['least important kept', false],
  ])) {
    for (const weight of net.weights) weight.unlock('all');
    net.setWeights(start);
    operate(keepsMost);
    compile();
    const curve = [before, await accuracyOf()];
    const onEpochEnd = async () => void curve.push(await accuracyOf());
    const { audit } = await net.fit(old.xs, old.ys, { epochs, callbacks: { onEpochEnd } });
    moved += audit.changed;
    curves[name] = curve;
  }
  return {
    before,
    curves,
    moved,
    lines: [
      `right, unseen: ${percent(before)}; locked elements that moved: ${moved}`,
      ...Object.entries(curves).map(
        ([name, curve]) =>
          `${name.padEnd(22)} after the cut ${percent(curve[1])}, an epoch later ${percent(curve[2])}, ${epochs} later ${percent(Number(curve.at(-1)))}`,
      ),
    ],
    svg: drawCurves('Half of the filters cut out, then grown anew', curves, {
      across: 'before, the cut, epochs',
      up: 'right answers',
    }),
  };
};

if (isMain(import.meta.url)) show('surgery', await run());
