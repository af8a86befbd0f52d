// Lift a lock: a network that reads digits meets ones that are inverted, blurred or turned, or
// whose labels are swapped, and all of it is locked. `net.pressure` says which layer to unlock
// first; here every layer is tried as well, so that one sees where that is right, and where not.
// After Lee et al. 2023, "Surgical fine-tuning improves adaptation to distribution shifts",
// arXiv:2210.11466: which layer is best to tune depends on where the shift is.
//
//     node docs/recipes/lift-a-lock.mjs
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { drawCurves, isMain, percent, readDigits, show, toTensors } from './support.mjs';

const CLASSES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const NAMES = ['conv1', 'conv2', 'hidden', 'head'];
const MEASURES = /** @type {const} */ (['firstOrder', 'secondOrder', 'optimal', 'relativeNorm']);
const UNSEEN = 700;

/** @typedef {readonly number[]} Image */
/** @typedef {(pixel: number, row: number, column: number, image: Image) => number} Change */

/** The mean of 5 × 5 pixels; there is nothing beyond the edge. @type {Change} */
const blur = (_, row, column, image) => {
  let sum = 0;
  for (let i = row - 2; i <= row + 2; i++) {
    for (let k = column - 2; k <= column + 2; k++) {
      if (i >= 0 && i < 28 && k >= 0 && k < 28) sum += Number(image[28 * i + k]);
    }
  }
  return sum / 25;
};

const same = (/** @type {number} */ value) => value;

/** What becomes of pixels, and of labels. @type {[string, Change, (label: number) => number][]} */
const TASKS = [
  ['inverted', (pixel) => 1 - pixel, same],
  ['blurred', blur, same],
  ['turned', (_pixel, row, column, image) => Number(image[28 * (27 - column) + row]), same],
  ['labels swapped', same, (label) => (3 * label + 1) % 10],
];

/** Places in ascending order; what is equal shares its. @param {readonly number[]} values */
const ranksOf = (values) =>
  values.map(
    (a) => values.filter((b) => b < a).length + values.filter((b) => b === a).length / 2 + 0.5,
  );

/** Spearman's rank correlation. @param {readonly number[]} a @param {readonly number[]} b */
const rankCorrelation = (a, b) => {
  const middle = (a.length + 1) / 2;
  const [x, y] = [ranksOf(a), ranksOf(b)].map((ranks) => ranks.map((rank) => rank - middle));
  /** @param {readonly number[]} u @param {readonly number[]} v */
  const dot = (u, v) => u.reduce((sum, n, i) => sum + n * Number(v[i]), 0);
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y) || 1);
};

/** @param {readonly number[]} list */
const mean = (list) => list.reduce((sum, n) => sum + n, 0) / list.length;

/**
 * What came of one task, from one seed.
 * @typedef {object} Outcome
 * @property {string} task
 * @property {number} locked Accuracy with everything locked.
 * @property {number} free With everything free.
 * @property {number[]} only With one layer free, of each.
 * @property {number[]} cost Of each layer's lock: of what comes out with everything free.
 * @property {number} pressed With the most pressed layer free.
 * @property {string} lifted Which that is.
 * @property {number} gradual With one more each few epochs.
 * @property {number[]} correlations Of each measure with what the layers reach alone.
 * @property {Record<string, number[]>} curves
 */

/**
 * @param {{ count?: number, epochs?: number, seeds?: readonly number[] }} [options] Digits of a
 *   class to learn from at first; a fifteenth of that of each task.
 */
export const run = async ({ count = 300, epochs = 15, seeds = [1, 2, 3] } = {}) => {
  /** @type {Outcome[]} */
  const outcomes = [];
  let moved = 0;
  for (const seed of seeds) {
    const g = await init();
    const nn = layers(g, { seed });
    const activation = 'relu';
    const net = nn.sequential([
      nn.conv2d({
        inputShape: [28, 28, 1],
        filters: 8,
        kernelSize: 5,
        strides: 2,
        activation,
        name: 'conv1',
      }),
      nn.conv2d({ filters: 16, kernelSize: 3, strides: 2, activation, name: 'conv2' }),
      nn.flatten(),
      nn.dense({ units: 32, activation, name: 'hidden' }),
      nn.dense({ units: 10, activation: 'softmax', name: 'head' }),
    ]);
    const loss = 'sparseCategoricalCrossentropy';
    const upright = toTensors(g, readDigits(CLASSES, count));
    net.compile({ optimizer: 'adam', loss, metrics: ['accuracy'] });
    await net.fit(upright.xs, upright.ys, { epochs });
    const start = net.getWeights();

    for (const [task, change, relabel] of TASKS) {
      /** @param {number} many @param {number} first */
      const digits = (many, first) => {
        const { xs, ys, rows } = readDigits(CLASSES, many, first, change);
        return toTensors(g, { xs, ys: ys.map(relabel), rows });
      };
      const seen = digits(Math.ceil(count / 15), count);
      const unseen = digits(Math.min(count, 100), UNSEEN);
      const accuracyOf = async () => (await net.evaluate(unseen.xs, unseen.ys)).accuracy;
      /**
       * Accuracies before and after epochs in which these layers are free, and what callbacks lift.
       * @param {readonly string[]} free
       * @param {any[]} [callbacks]
       */
      const tune = async (free, callbacks = []) => {
        net.trainable = true;
        net.unlock(() => true);
        net.setWeights(start);
        for (const layer of net.layers) layer.trainable = free.includes(layer.name);
        net.compile({ optimizer: 'adam', loss, metrics: ['accuracy'] });
        const curve = [await accuracyOf()];
        const onEpochEnd = async () => void curve.push(await accuracyOf());
        const all = [...callbacks, { onEpochEnd }];
        const { audit } = await net.fit(seen.xs, seen.ys, { epochs, callbacks: all });
        moved += audit?.changed ?? 0;
        return curve;
      };

      const [locked] = await tune([]);
      const { layers: rows } = await net.pressure(seen.xs, seen.ys);
      const measures = MEASURES.map((measure) =>
        NAMES.map((name) => Number(rows.find(({ layer }) => layer === name)?.[measure])),
      );
      const data = [seen.xs, seen.ys];
      const first = nn.callbacks.liftPressure({ data, every: epochs });
      const pressed = await tune([], [first]);
      const every = Math.ceil(epochs / 4);
      const gradual = await tune([], [nn.callbacks.liftPressure({ data, every })]);
      const free = await tune(NAMES);
      const [only, without] = [[], []].map(() => /** @type {number[][]} */ ([]));
      for (const name of NAMES) only.push(await tune([name]));
      for (const name of NAMES) without.push(await tune(NAMES.filter((one) => one !== name)));
      const last = (/** @type {readonly number[]} */ curve) => Number(curve.at(-1));
      outcomes.push({
        task,
        locked: Number(locked),
        free: last(free),
        only: only.map(last),
        cost: without.map((curve) => last(free) - last(curve)),
        pressed: last(pressed),
        lifted: String(first.lifted[0]?.layer),
        gradual: last(gradual),
        correlations: measures.map((values) => rankCorrelation(values, only.map(last))),
        curves: { 'all free': free, 'most pressed': pressed, gradual, 'last layer': only[3] ?? [] },
      });
    }
    g.dispose();
  }

  const lines = TASKS.flatMap(([task]) => {
    const own = outcomes.filter((outcome) => outcome.task === task);
    /** @param {(outcome: Outcome) => number} read */
    const show = (read) => percent(mean(own.map(read))).padStart(7);
    /** @param {(outcome: Outcome) => number[]} read */
    const showEach = (read) => NAMES.map((_, i) => show((outcome) => Number(read(outcome)[i])));
    return [
      `${task}: all locked ${show(({ locked }) => locked)}, all free ${show(({ free }) => free)}`,
      `  only one layer free    ${showEach(({ only }) => only).join(' ')}   (${NAMES.join(', ')})`,
      `  what its lock costs    ${showEach(({ cost }) => cost).join(' ')}`,
      `  the most pressed free  ${show(({ pressed }) => pressed)}   (${own.map(({ lifted }) => lifted).join(', ')}), one more each ${Math.ceil(epochs / 4)} epochs ${show(({ gradual }) => gradual)}`,
    ];
  });
  const correlations = MEASURES.map((measure, i) => {
    const each = TASKS.map(([task]) =>
      mean(
        outcomes.filter((one) => one.task === task).map((one) => Number(one.correlations[i])),
      ).toFixed(2),
    );
    return `  ${measure.padEnd(12)} ${each.map((text) => text.padStart(6)).join('')}`;
  });
  const turned = outcomes.find(({ task }) => task === 'turned');
  return {
    outcomes,
    moved,
    lines: [
      `accuracy on unseen digits after ${epochs} epochs, the mean of ${seeds.length} seeds`,
      ...lines,
      `rank correlation of pressure with what layers reach alone (${TASKS.map(([task]) => task).join(', ')})`,
      ...correlations,
      `locked elements that moved: ${moved}`,
    ],
    svg: drawCurves('Turned digits: which layers are free', turned?.curves ?? {}, {
      across: 'epochs',
      up: 'right answers',
    }),
  };
};

if (isMain(import.meta.url)) show('lift-a-lock', await run());
