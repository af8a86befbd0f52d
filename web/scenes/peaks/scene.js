/**
 * Peaks: a spectrum is the sum of bells. It opens with one height locked, too low: that bell gets
 * wide. Links without locks have all widths locked. Each row is a peak: height, position (−1..1),
 * width (tenths). A person's own points are scaled to the same range: x to −1..1, y to about 1.
 */

import { curves } from './figure.js';
import { exp } from '../shared/maths.js';
import { noise } from '../shared/noise.js';

/** @typedef {import('../scene.js').Setup} Setup */

const SAMPLES = 160;
/** Samples of the drawn curves of a person's points. */
const FINE = 240;
/** The instrument's noise is uniform in ±NOISE; its standard deviation is by √3 smaller. */
const NOISE = 0.06;
const TRUE = [
  [0.8, -0.62, 1],
  [0.45, -0.18, 0.7],
  [0.95, 0.2, 1.3],
  [0.6, 0.66, 0.8],
];
const START = [
  [0.4, -0.8, 1],
  [0.4, -0.3, 0.7],
  [0.4, 0.35, 1.3],
  [0.4, 0.8, 0.8],
];
const COLUMNS = ['height', 'place', 'width'];
/** The cell that is locked at first: the height of C, less than half of the true one. */
const LOCKED = 6;
/** The most peaks that are looked for in a person's points, and the least part of the highest that counts. */
const [MOST_PEAKS, LEAST_PART] = [6, 0.12];

/** @param {number} count positions between −1 and 1, each in the middle of its part */
const axisOf = (count) => Array.from({ length: count }, (_, i) => ((i + 0.5) / count) * 2 - 1);
const axis = axisOf(SAMPLES);

/** Returns the names of peaks: A, B and so on. @param {number} rows */
const namesOf = (rows) =>
  Array.from({ length: rows }, (_, i) => (i < 26 ? String.fromCharCode(65 + i) : String(i + 1)));

/** @param {Setup['choices']} choices */
const reachOfNoise = ({ noise }) => (noise === 'clean' ? 0 : NOISE);

/** @param {number} at @param {readonly number[]} peak */
function bellAt(at, [height, center, width]) {
  const off = (at - center) / (width / 10);
  return height * exp(-Math.min(600, off * off));
}

/** Returns the measurement: the true peaks, and noise. @param {Setup} setup */
function spectrum({ seed, choices }) {
  const draws = noise(SAMPLES, seed, reachOfNoise(choices));
  return axis.map((at, i) => TRUE.reduce((sum, peak) => sum + bellAt(at, peak), draws[i]));
}

/** Returns a person's points, and what scales them. @param {import('../../state/own.js').Own} own */
function pointsOf({ rows, cols, values }) {
  const column = (/** @type {number} */ at) =>
    Array.from({ length: rows }, (_, row) => values[row * cols + at]);
  const [x, y] = [column(0), column(1)];
  const [from, to] = [x[0], x[rows - 1]];
  const [middle, half] = [(from + to) / 2, (to - from) / 2];
  const most = y.reduce((size, value) => Math.max(size, Math.abs(value)), 0) || 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const unit = ([1, 2, 5, 10].find((digit) => digit * power >= most * 0.999) ?? 10) * power;
  return {
    ...{ x, y, from, to, middle, half, unit },
    sigma: cols > 2 ? column(2) : undefined,
    scaledX: x.map((value) => (value - middle) / half),
    scaledY: y.map((value) => value / unit),
  };
}

/**
 * Returns the likely peaks of scaled points: each is the highest point of what those before it
 * leave, with its height, its position, and its width by where it has half its height.
 * @param {number[]} x @param {number[]} y @param {number} count at most @param {number} least height
 */
function guess(x, y, count, least) {
  let rest = y;
  const peaks = [];
  while (peaks.length < count) {
    const height = Math.max(...rest);
    if (height < least) break;
    const center = x[rest.indexOf(height)];
    const half = x.reduce((near, at, i) => {
      const off = Math.abs(at - center);
      return rest[i] < height / 2 && off > 0 ? Math.min(near, off) : near;
    }, 0.5);
    const peak = [height, center, Math.max(0.05, (10 * half) / Math.sqrt(Math.LN2))];
    peaks.push(peak);
    rest = rest.map((value, i) => value - bellAt(x[i], peak));
  }
  return peaks;
}

/** Returns the likely number of peaks of a person's points. @param {import('../../state/own.js').Own} own */
function countPeaks(own) {
  const { scaledX, scaledY } = pointsOf(own);
  const least = LEAST_PART * Math.max(...scaledY);
  return Math.max(1, least > 0 ? guess(scaledX, scaledY, MOST_PEAKS, least).length : 1);
}

/** Returns where the peaks start. @param {Setup} setup */
function startOf(setup) {
  const { own, rows } = setup;
  if (!own && rows <= START.length) return START.slice(0, rows);
  const [x, y] = own ? [pointsOf(own).scaledX, pointsOf(own).scaledY] : [axis, spectrum(setup)];
  const found = guess(x, y, rows, 1e-6);
  const more = axisOf(rows).slice(found.length);
  return [...found, ...more.map((center) => [0.1, center, 1])].sort((a, b) => a[1] - b[1]);
}

/** Returns the data of the loss; a weight is less where sigma is larger. @param {Setup} setup */
function dataOf(setup) {
  if (!setup.own) return { axis: [axis], measured: spectrum(setup) };
  const { scaledX, scaledY, sigma } = pointsOf(setup.own);
  if (!sigma) return { axis: [scaledX], measured: scaledY };
  const least = Math.min(...sigma);
  return { axis: [scaledX], measured: scaledY, weights: sigma.map((one) => least / one) };
}

/** Returns the bells at every point of the axis, one row per peak. @type {NonNullable<import('../scene.js').Scene['model']>} */
function bells(g, { x }, axis) {
  const [height, center, width] = [0, 1, 2].map((at) => g.slice(x, [0, at], [x.shape[0], 1]));
  const off = g.div(g.sub(axis, center), g.div(width, 10));
  return g.mul(height, g.exp(g.neg(g.square(off))));
}

/** In the data's units; without a person's points, widths are in tenths, as in the grid. @type {import('../scene.js').FitPlan} */
const fit = {
  data(setup) {
    if (!setup.own) {
      const sigma = reachOfNoise(setup.choices) / Math.sqrt(3) || undefined;
      return { x: axis, y: spectrum(setup), sigma, at: axis };
    }
    const { x, y, sigma, middle, half } = pointsOf(setup.own);
    return { x, y, sigma, at: axisOf(FINE).map((at) => middle + half * at) };
  },
  parameters({ own, rows }) {
    const { unit, middle, half } = own ? pointsOf(own) : { unit: 1, middle: 0, half: 1 };
    const scales = [
      { unit, offset: 0 },
      { unit: half, offset: middle },
      { unit: own ? half / 10 : 1, offset: 0 },
    ];
    return namesOf(rows).flatMap((row) =>
      COLUMNS.map((col, i) => ({ name: `${col}${row}`, row, col, ...scales[i] })),
    );
  },
  curve: (g, x, p, { own, rows }) =>
    namesOf(rows)
      .map((row) => {
        const width = own ? p[`width${row}`] : g.div(p[`width${row}`], 10);
        const off = g.div(g.sub(x, p[`place${row}`]), width);
        return g.mul(p[`height${row}`], g.exp(g.neg(g.square(off))));
      })
      .reduce((sum, bell) => g.add(sum, bell)),
};

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'peaks',
  order: 12,
  sizes: [TRUE.length, 1, 2, 3, 5, 6].map((rows) => [rows, 3]),
  choices: { noise: ['noisy', 'clean'] },
  reach: 1.5,
  pulls: true,
  optimizer: { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
  speed: 30,
  takesOwn: 'points',
  rowsFor: countPeaks,
  takesBounds: true,
  rowNames: ({ rows }) => ({ x: namesOf(rows) }),
  colNames: () => ({ x: COLUMNS }),
  start: (setup) => Float32Array.from(startOf(setup).flat()),
  // The widths of a person's points are not known.
  locks: ({ own, rows }) =>
    Uint8Array.from({ length: rows * 3 }, (_, i) => (i % 3 === 2 && !own ? 1 : 0)),
  opensWith: ({ own, rows }) =>
    own || rows < 3 ? null : new Uint8Array(3 * rows).fill(1, LOCKED, LOCKED + 1),
  data: dataOf,
  model: bells,
  loss: (g, variables, { axis, measured, weights }, bells) => {
    const off = g.sub(g.sum(bells(g, variables, axis), 0), measured);
    return g.sum(g.square(weights ? g.mul(off, weights) : off));
  },
  readings: (g, variables, setup) => {
    const points = setup.own && pointsOf(setup.own);
    const each = bells(g, variables, [points ? axisOf(FINE) : axis]);
    const all = g.sum(each, 0);
    if (!points) return { each, all, squares: g.sum(g.square(g.sub(all, spectrum(setup)))) };
    const { scaledX, y, unit, sigma } = points;
    const off = g.sub(g.mul(g.sum(bells(g, variables, [scaledX]), 0), unit), y);
    return {
      each: g.mul(each, unit),
      all: g.mul(all, unit),
      squares: g.sum(g.square(sigma ? g.div(off, sigma) : off)),
    };
  },
  figures: [curves],
  fit,
  shown(setup) {
    const names = namesOf(setup.rows);
    // The standard deviation of a uniform distribution.
    const noise = reachOfNoise(setup.choices) / Math.sqrt(3);
    if (!setup.own) return { measured: spectrum(setup), from: -1, to: 1, names, noise };
    const { x, y, from, to, sigma } = pointsOf(setup.own);
    return { measured: y, at: x, sigma, from, to, names, noise: sigma ? 1 : 0 };
  },
  guess: { held: 1, after: 120, of: 'run', right: ({ loss }) => (loss > 1 ? 1 : null) },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 150 }] },
    { area: 'locks' },
    { area: 'grid', actions: [{ state: { beside: 'pressure' } }] },
    { area: 'grid', actions: [{ state: { beside: 'none' } }, { unlock: [LOCKED] }, { train: 50 }] },
  ],
};
