// Sparse fine-tuning: one percent of all weights, those with the largest gradients on the new task,
// are free, and learn it; the rest is locked. What changed is saved as a delta of about one percent
// of the size, and deltas for several tasks go onto one base, and off again, to the bit.
// The idea is that of SHiRA: Bhardwaj et al. 2024, "Sparse High Rank Adapters", arXiv:2406.13175.
//
//     node docs/recipes/sparse-fine-tuning.mjs
import { init } from 'gradlock';
import { applyDelta, saveDelta, saveModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { bitsOf, drawCurves, isMain, percent, readDigits, show, toTensors } from './support.mjs';

const CLASSES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** What digits look like in each task. @type {Record<string, Parameters<typeof readDigits>[3]>} */
const TASKS = {
  upright: (pixel) => pixel,
  mirrored: (_, row, column, image) => Number(image[28 * row + 27 - column]),
  'upside down': (_, row, column, image) => Number(image[28 * (27 - row) + column]),
  'shifted up': (_, row, column, image) => (row < 23 ? Number(image[28 * (row + 5) + column]) : 0),
};

/**
 * Free the fraction of all elements whose gradient is largest, and lock all others.
 * @param {any} g
 * @param {any} net
 * @param {any} loss A program.
 * @param {number} fraction
 */
const freeLargest = (g, net, loss, fraction) => {
  const weights = net.weights;
  const { grads } = g.valueAndGrad(loss, weights);
  const sizes = grads.map((/** @type {any} */ grad) => grad.data().map(Math.abs));
  const all = Float32Array.from(sizes.flatMap((/** @type {any} */ list) => [...list])).sort();
  const least = all[Math.floor((1 - fraction) * all.length)];
  weights.forEach((/** @type {any} */ weight, /** @type {number} */ i) => {
    weight.trainOnly((/** @type {number} */ _, /** @type {number} */ k) => sizes[i][k] > least);
  });
  for (const grad of grads) grad.dispose();
};

/** @param {{ count?: number, epochs?: number }} [options] Digits of a class. */
export const run = async ({ count = 300, epochs = 6 } = {}) => {
  const g = await init();
  const nn = layers(g, { seed: 5 });
  const net = nn.sequential([
    nn.flatten({ inputShape: [28, 28, 1] }),
    nn.dense({ units: 128, activation: 'relu' }),
    nn.dense({ units: 10, activation: 'softmax' }),
  ]);
  const loss = 'sparseCategoricalCrossentropy';
  const compile = (/** @type {number} */ learningRate) =>
    net.compile({ optimizer: g.optimizers.adam({ learningRate }), loss, metrics: ['accuracy'] });
  /** @param {string} task @param {number} [first] */
  const dataOf = (task, first) => toTensors(g, readDigits(CLASSES, count, first, TASKS[task]));
  /** @param {string} task */
  const accuracyOf = async (task) => {
    const unseen = dataOf(task, 700);
    return (await net.evaluate(unseen.xs, unseen.ys)).accuracy;
  };
  const tasks = Object.keys(TASKS);
  const bitsOfAll = () => net.getWeights().map(bitsOf).join();

  compile(0.001);
  const upright = dataOf('upright');
  await net.fit(upright.xs, upright.ys, { epochs: 2 * epochs });
  const base = saveModel(net, { optimizer: false });
  const baseBits = bitsOfAll();
  const start = net.getWeights();

  /** @type {Record<string, Uint8Array>} */
  const deltas = {};
  /** @type {Record<string, string>} */
  const tuned = {};
  /** @type {Record<string, number[]>} */
  const curves = {};
  let free = 0;
  for (const task of tasks.slice(1)) {
    const data = dataOf(task);
    const program = g.compile(() =>
      g.losses.sparseCategoricalCrossentropy(data.ys, net.apply(data.xs)),
    );
    freeLargest(g, net, program, 0.01);
    program.dispose();
    free = net.summary({ print: null }).total.free;
    compile(0.01);
    const { history } = await net.fit(data.xs, data.ys, { epochs });
    curves[task] = history.accuracy;
    deltas[task] = saveDelta(net, base);
    tuned[task] = bitsOfAll();
    net.setWeights(start, { force: true });
  }

  /** @type {number[][]} */
  const table = [];
  let isExact = true;
  for (const delta of ['none', ...tasks.slice(1)]) {
    const applied = delta === 'none' ? null : applyDelta(net, deltas[delta], { force: true });
    if (applied) isExact &&= bitsOfAll() === tuned[delta];
    const row = [];
    for (const task of tasks) row.push(await accuracyOf(task));
    table.push(row);
    applied?.remove();
    isExact &&= bitsOfAll() === baseBits;
  }
  const { params } = net.summary({ print: null }).total;
  const sizes = Object.values(deltas).map(({ length }) => length / (4 * params));
  const width = 14;
  const pad = (/** @type {string} */ word) => word.padStart(width);
  return {
    table,
    isExact,
    free: free / params,
    sizes,
    lines: [
      `free: ${free} of ${params} weights (${percent(free / params)}); a delta takes ${percent(Math.max(...sizes))} of their bytes`,
      `each delta on and off the base, to the bit: ${isExact ? 'yes' : 'no'}`,
      `${'right, unseen'.padEnd(20)}${tasks.map(pad).join('')}`,
      ...table.map(
        (row, i) =>
          `${`delta: ${['none', ...tasks.slice(1)][i]}`.padEnd(20)}${row.map((part) => pad(percent(part))).join('')}`,
      ),
    ],
    svg: drawCurves('One percent of the weights learns a new task', curves, {
      across: 'epochs',
      up: 'right answers',
    }),
  };
};

if (isMain(import.meta.url)) show('sparse-fine-tuning', await run());
