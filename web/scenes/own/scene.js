/**
 * Your own: a person's table or image. The cells that they know are locked, and the rest is filled
 * in from its neighbours; other goals can be chosen. Without data, it shows the sea level at a pier.
 */

import { cos } from '../shared/maths.js';
import { noise } from '../shared/noise.js';
import { draw } from '../shared/pictures.js';
import { circle, drawAxes, plotOf, stroke } from '../shared/plot.js';

/** @typedef {import('../scene.js').Setup} Setup */

/** The days and the hours of the example. */
const SIDE = 10;
const FROM = 8;

/** Returns the sea level in metres: tides with the periods of moon and sun. @param {number} hour */
const seaLevel = (hour) =>
  0.65 * cos((2 * Math.PI * (hour - 3)) / 12.42) + 0.22 * cos((2 * Math.PI * hour) / 12);

/** Returns true for the example. Older links without data have 16 × 16 cells. @param {Setup} setup */
export const isExample = ({ own, rows, cols }) => !own && rows === SIDE && cols === SIDE;

/** Data without gaps lose some for a trial: large data lose blocks, so many along the longer side. */
const BLOCKS = 16;
const KEPT = { cells: 0.5, blocks: 0.65 };

/** Returns true if unknown cells are filled in. @param {Setup} setup */
export const isFilling = ({ choices }) => choices.target === 'gaps';

/** Returns the data; NaN in gaps. @param {Setup} setup @returns {Float32Array} */
function dataOf(setup) {
  const { own, rows, cols } = setup;
  if (own) return own.values;
  if (!isExample(setup)) return draw('ripples', rows, cols);
  return Float32Array.from({ length: rows * cols }, (_, i) =>
    seaLevel(24 * Math.floor(i / cols) + FROM + (i % cols)),
  );
}

/** Returns the known cells, 1 = known: all but the gaps; without gaps, all but some. @param {Setup} setup */
function knownOf(setup) {
  const values = dataOf(setup);
  if (values.some(Number.isNaN))
    return Uint8Array.from(values, (value) => (Number.isNaN(value) ? 0 : 1));
  const { rows, cols, seed } = setup;
  const side = Math.max(1, Math.round(Math.max(rows, cols) / BLOCKS));
  const coins = noise(values.length, seed + 1, 1).map((_, i, all) => {
    const [row, col] = [Math.floor(i / cols / side), Math.floor((i % cols) / side)];
    return all[row * cols + col];
  });
  const kept = side > 1 ? KEPT.blocks : KEPT.cells;
  const end = coins.slice().sort()[Math.ceil(kept * values.length)];
  return Uint8Array.from(coins, (coin) => (coin < end ? 1 : 0));
}

/** Returns the data, with the mean in its gaps. @param {Setup} setup */
function given(setup) {
  const values = dataOf(setup);
  const known = values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return values.map((value) => (Number.isNaN(value) ? mean : value));
}

/** Returns the range of the colour scale: the largest number. @param {Setup} setup */
const reachOf = (setup) =>
  (setup.own && given(setup).reduce((most, value) => Math.max(most, Math.abs(value)), 0)) || 1;

/** What cells become, by the names of the targets. @type {Record<string, (setup: Setup) => Float32Array | null>} */
const targets = {
  gaps: () => null,
  data: given,
  mirror: (setup) =>
    given(setup).map((_, i, all) => all[i + setup.cols - 1 - 2 * (i % setup.cols)]),
  negative: (setup) => given(setup).map((value) => -value),
  zero: (setup) => new Float32Array(setup.rows * setup.cols),
};

/** Returns a person's names, or the example's days or hours. @param {Setup} setup @param {string[] | undefined} own @param {(i: number) => string} example @returns {Record<string, string[]>} */
function namesOf(setup, own, example) {
  if (own) return { x: own };
  return isExample(setup) ? { x: Array.from({ length: SIDE }, (_, i) => example(i)) } : {};
}

/** Returns the names of rows: numbers, as in a spreadsheet, if only columns have names. @param {Setup} setup */
const rowsOf = ({ own, rows }) =>
  own?.rowNames ?? (own?.colNames && Array.from({ length: rows }, (_, i) => `${i + 1}`));

/** The example's tide as a line, and what fills its gaps as dots. Without a truth it is hidden. @type {import('../shared/figure.js').Drawn} */
const off = {
  id: 'off',
  ...{ isOnce: true, isChart: true },
  aspect: (width) => width / 240,
  headline(words, { shown: { truth, known }, values: { x }, readings }) {
    if (!readings.off?.[0]) return '';
    const gaps = [...x.keys()].filter((i) => !known[i]);
    const far = gaps.reduce((sum, i) => sum + Math.abs(x[i] - truth[i]), 0) / gaps.length;
    return words.told(far.toFixed(2));
  },
  describe: (words, model) => off.headline?.(words, model) ?? '',
  draw(stage, { shown: { truth, known }, values: { x }, lit }) {
    const { pen, ink, words } = stage;
    const plot = plotOf(stage, [32, 8, 42, 44], [0.5, SIDE + 0.5], [-1, 1]);
    const ticks = (/** @type {any} */ of) => Array.from(of, (v) => [v, `${v}`.replace('-', '−')]);
    const days = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    drawAxes(stage, plot, { xs: ticks(days), ys: ticks([-1, 0, 1]), ...words });
    const tide = Array.from(truth, (level, i) => [
      plot.x((i + 0.5 + SIDE / 2) / SIDE),
      plot.y(level),
    ]);
    [pen.strokeStyle, pen.lineWidth] = [ink('muted'), 2];
    for (let i = 0; i < tide.length; i += SIDE) stroke(pen, ...tide.slice(i, i + SIDE));
    pen.strokeStyle = pen.fillStyle = ink('accent');
    for (const [i, level] of x.entries()) {
      if (known[i]) continue;
      const dot = [tide[i][0], plot.y(level)];
      stroke(pen, tide[i], dot);
      circle(pen, dot[0], dot[1], i === lit ? 6 : 3);
      pen.fill();
    }
  },
};

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'own',
  order: 13,
  sizes: [[SIDE, SIDE]],
  choices: { target: Object.keys(targets), loss: ['squared', 'absolute', 'logCosh', 'smooth'] },
  reach: reachOf,
  optimizer: { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
  speed: 60,
  takesOwn: 'cells',
  rowNames: (setup) => namesOf(setup, rowsOf(setup), (i) => `day ${i + 1}`),
  colNames: (setup) => namesOf(setup, setup.own?.colNames, (i) => `${FROM + i}h`),
  /** Unknown cells start as noise, and so do all that learn the data; others start as the data. */
  start(setup) {
    const { rows, cols, seed, choices } = setup;
    const unknown = noise(rows * cols, seed, 0.9 * reachOf(setup));
    const known = isFilling(setup) ? knownOf(setup) : null;
    const values = given(setup);
    if (known) return values.map((value, i) => (known[i] ? value : unknown[i]));
    return choices.target === 'data' && choices.loss !== 'smooth' ? unknown : values;
  },
  locks: (setup) => (isFilling(setup) ? knownOf(setup) : new Uint8Array(setup.rows * setup.cols)),
  unknown(setup) {
    const known = isFilling(setup) ? knownOf(setup) : null;
    return known && scene.start(setup).map((value, i) => (known[i] ? Number.NaN : value));
  },
  target: (setup) => targets[setup.choices.target](setup),
  data: ({ choices: { target, loss } }) => ({
    ...{ isSmoothed: target === 'gaps' || loss === 'smooth', kind: loss },
  }),
  /** The size of differences. */
  model(g, { d }, kind) {
    if (kind === 'absolute') return g.sum(g.abs(d));
    if (kind !== 'logCosh') return g.sum(g.square(d));
    return g.sum(g.sub(g.add(d, g.softplus(g.mul(d, -2))), Math.LN2));
  },
  /** Compares cells with their target, or with their neighbours. */
  loss(g, { x }, { targets, isSmoothed, kind }, sizeOf) {
    if (!isSmoothed) return sizeOf(g, { d: g.sub(x, targets.x) }, kind);
    const [rows, cols] = x.shape;
    const down = g.sub(g.slice(x, [1, 0], [rows - 1, cols]), g.slice(x, [0, 0], [rows - 1, cols]));
    const across = g.sub(
      g.slice(x, [0, 1], [rows, cols - 1]),
      g.slice(x, [0, 0], [rows, cols - 1]),
    );
    return g.add(sizeOf(g, { d: down }, kind), sizeOf(g, { d: across }, kind));
  },
  /** How far the example's filled cells are from what was erased: on average and at most, in metres. */
  readings(g, { x }, setup) {
    if (!isExample(setup) || !isFilling(setup)) return { off: g.tensor([0, 0], [2]) };
    const erased = knownOf(setup).map((bit) => 1 - bit);
    const [truth, every] = [given(setup), erased].map((row) => g.tensor(row, x.shape));
    const away = g.mul(g.abs(g.sub(x, truth)), every);
    return { off: g.stack([g.div(g.sum(away), g.sum(every)), g.max(away)]) };
  },
  figures: [off],
  shown: (setup) => isExample(setup) && { truth: given(setup), known: knownOf(setup) },
  guess: {
    ...{ held: 50, after: 100, of: 'run' },
    right: ({ reading }) => (reading('off') ? Number(reading('off') > 0.3) : null),
    next: [{ free: true }, { reset: true }],
  },
  tour: [
    { area: 'own' },
    { area: 'run', actions: [{ train: 100 }] },
    {
      area: 'settings',
      actions: [{ state: { choices: { target: 'mirror', loss: 'squared' } } }, { train: 60 }],
    },
    { area: 'grid' },
    { area: 'share' },
  ],
};
