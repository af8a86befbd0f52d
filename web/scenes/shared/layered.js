/**
 * A small network that classifies points of a square: of the scenes Weights and Lottery ticket.
 *
 * Two inputs, two hidden layers of tanh, one output. The last row of a matrix has its biases, whose
 * input is 1. Lock a weight, or prune: the smallest become 0 and locked, and the others learn on.
 */

import { squares } from '../layout.js';
import { net } from './net.js';
import { plane } from './plane.js';
import { cos, hypot, sin } from './maths.js';
import { noise } from './noise.js';

const POINTS = 160;
/** The side of the square's map and of the hidden units' images, in samples. */
const SIDE = 40;
const UNIT_SIDE = 16;
/** Turns the seed of the training points into that of the test points. */
const UNSEEN = 0x9e3779b9;

/** @typedef {[x: number, y: number, label: number]} Point */

/** The data sets: each makes a point from two random coordinates and a number; on the spiral, test points are between the others. @type {Record<string, (u: number, v: number, i: number, between: number) => Point>} */
const sets = {
  circle: (u, v) => [u, v, hypot(u, v) < 0.62 ? 1 : -1],
  xor: (u, v) => {
    const apart = (/** @type {number} */ at) => at + (at > 0 ? 0.07 : -0.07);
    return [apart(u), apart(v), u > 0 === v > 0 ? 1 : -1];
  },
  spiral: (u, v, i, between) => {
    const along = (Math.floor(i / 2) + between) / (POINTS / 2);
    const angle = along * 9 + (i % 2 ? Math.PI : 0);
    const radius = 0.06 + 0.9 * along;
    return [radius * sin(angle) + 0.02 * u, radius * cos(angle) + 0.02 * v, i % 2 ? 1 : -1];
  },
};

/** @param {import('../scene.js').Setup} setup @param {boolean} [isUnseen] @returns {Point[]} */
function pointsOf({ seed, choices }, isUnseen = false) {
  const draws = noise(2 * POINTS, isUnseen ? (seed ^ UNSEEN) >>> 0 : seed, 0.93);
  return Array.from({ length: POINTS }, (_, i) =>
    sets[choices.data](draws[2 * i], draws[2 * i + 1], i, isUnseen ? 0.5 : 0),
  );
}

/** Returns points as the network's input: scaled, with a 1 for the bias. @param {number[][]} points */
const inputs = (points) => points.map(([x, y]) => [3 * x, 3 * y, 1]);

/** Returns the centres of an image's samples, top row first. @param {number} side */
const square = (side) =>
  Array.from({ length: side * side }, (_, i) => [
    (((i % side) + 0.5) / side) * 2 - 1,
    1 - ((Math.floor(i / side) + 0.5) / side) * 2,
  ]);
const wide = inputs(square(SIDE));
const small = inputs(square(UNIT_SIDE));

/** @type {NonNullable<import('../scene.js').Scene['shapes']>} */
const shapes = ({ rows, cols }) => ({ w1: [3, rows], w2: [rows + 1, cols], w3: [cols + 1, 1] });

/** Returns each layer's output for points; the last is the answer. @type {NonNullable<import('../scene.js').Scene['model']>} */
function layers(g, { w1, w2, w3 }, points) {
  const ones = points.map(() => [1]);
  const first = g.tanh(g.matMul(points, w1));
  const second = g.tanh(g.matMul(g.concat([first, ones], 1), w2));
  const third = g.tanh(g.matMul(g.concat([second, ones], 1), w3));
  return [first, second, third];
}

/** Returns which answers are right, and the accuracy. An answer of 0, as of a network that is cut off, counts half. @param {import('../scene.js').Gradlock} g @param {Record<string, import('../scene.js').Variable>} weights @param {Point[]} points */
function judge(g, weights, points) {
  const [, , answers] = layers(g, weights, inputs(points));
  const labels = points.map(([, , label]) => [label]);
  const right = g.add(g.greater(g.mul(answers, labels), 0), g.mul(0.5, g.equal(answers, 0)));
  return { right, score: g.mean(right), loss: g.mean(g.square(g.sub(answers, labels))) };
}

/** Returns names of a layer's units: one character, which fits over a small cell. @param {number} count */
const units = (count) => [...(count < 10 ? '123456789' : 'abcdefghijklmn')].slice(0, count);

/** @type {Omit<import('../scene.js').Scene, 'id' | 'order' | 'tour'>} */
export const network = {
  group: 'networks',
  sizes: [...squares(8, 4), [6, 2], [12, 8]],
  choices: { data: ['circle', 'xor', 'spiral'] },
  reach: 2,
  optimizer: { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
  speed: 60,
  folded: ['w1', 'w2', 'w3'],
  prunes: true,
  shapes,
  start(setup) {
    const parts = Object.values(shapes(setup)).map(([rows, cols], layer) => {
      const spread = Math.sqrt(6 / (rows + cols));
      const draws = noise(rows * cols, setup.seed + 10 * layer, spread);
      return draws.map((value, i) => (i < (rows - 1) * cols ? value : 0));
    });
    return Float32Array.from(parts.flatMap((part) => [...part]));
  },
  locks: (setup) => new Uint8Array(network.start(setup).length),
  rowNames: ({ rows, cols }) => ({
    w1: ['x', 'y', 'bias'],
    w2: [...units(rows), 'bias'],
    w3: [...units(cols), 'bias'],
  }),
  colNames: ({ rows, cols }) => ({ w1: units(rows), w2: units(cols), w3: units(1) }),
  data(setup) {
    const points = pointsOf(setup);
    return { points: inputs(points), labels: points.map(([, , label]) => [label]) };
  },
  model: layers,
  loss(g, weights, { points, labels }, layers) {
    const [, , answers] = layers(g, weights, points);
    return g.mean(g.square(g.sub(answers, labels)));
  },
  readings(g, weights, setup) {
    const [units1, units2, units3] = layers(g, weights, small);
    const [, , map] = layers(g, weights, wide);
    const { right, score } = judge(g, weights, pointsOf(setup));
    const { score: testScore, loss: testLoss } = judge(g, weights, pointsOf(setup, true));
    return { map, units1, units2, units3, right, score, testScore, testLoss };
  },
  figures: [net, plane],
  shown: (setup) => ({
    side: SIDE,
    points: pointsOf(setup),
    unitSide: UNIT_SIDE,
    inputs: [0, 1].map((axis) => Float32Array.from(square(UNIT_SIDE), (point) => point[axis])),
    inputNames: ['x', 'y'],
  }),
};
