/**
 * Weights: a small network learns which points of a square are which, and every weight of it can be locked.
 *
 * Two inputs, two hidden layers of tanh, one output. Each matrix has its biases as its last row, where the input is 1.
 * Lock a weight, or prune: set the smallest to 0 and lock them there, and the others learn around them.
 */

import { cos, hypot, sin } from './maths.js';
import { noise } from './noise.js';

const POINTS = 160;
/** Side of the map of the square, in samples. */
const SIDE = 40;

/** @typedef {[x: number, y: number, label: number]} Point */

/** The data sets: a point from two coordinates of noise and a number. @type {Record<string, (u: number, v: number, i: number) => Point>} */
const sets = {
  circle: (u, v) => [u, v, hypot(u, v) < 0.62 ? 1 : -1],
  xor: (u, v) => {
    const apart = (/** @type {number} */ at) => at + (at > 0 ? 0.07 : -0.07);
    return [apart(u), apart(v), u > 0 === v > 0 ? 1 : -1];
  },
  spiral: (u, v, i) => {
    const along = Math.floor(i / 2) / (POINTS / 2);
    const angle = along * 9 + (i % 2 ? Math.PI : 0);
    const radius = 0.06 + 0.9 * along;
    return [radius * sin(angle) + 0.02 * u, radius * cos(angle) + 0.02 * v, i % 2 ? 1 : -1];
  },
};

/** @param {import('./scene.js').Setup} setup @returns {Point[]} */
function pointsOf({ seed, choices }) {
  const draws = noise(2 * POINTS, seed, 0.93);
  return Array.from({ length: POINTS }, (_, i) =>
    sets[choices.data](draws[2 * i], draws[2 * i + 1], i),
  );
}

/** Points as the network's input: scaled, with a 1 for the bias. @param {number[][]} points */
const inputs = (points) => points.map(([x, y]) => [3 * x, 3 * y, 1]);

/** The middles of the map's samples, top row first. */
const square = Array.from({ length: SIDE * SIDE }, (_, i) => [
  (((i % SIDE) + 0.5) / SIDE) * 2 - 1,
  1 - ((Math.floor(i / SIDE) + 0.5) / SIDE) * 2,
]);

/** @type {NonNullable<import('./scene.js').Scene['shapes']>} */
const shapes = ({ rows, cols }) => ({ w1: [3, rows], w2: [rows + 1, cols], w3: [cols + 1, 1] });

/** @param {import('./scene.js').Gradlock} g @param {Record<string, import('./scene.js').Variable>} variables @param {number[][]} points */
function predict(g, { w1, w2, w3 }, points) {
  const x = inputs(points);
  const ones = x.map(() => [1]);
  const first = g.concat([g.tanh(g.matMul(x, w1)), ones], 1);
  const second = g.concat([g.tanh(g.matMul(first, w2)), ones], 1);
  return g.tanh(g.matMul(second, w3));
}

/** @type {import('./scene.js').Scene} */
export const network = {
  id: 'network',
  sizes: [
    [8, 8],
    [4, 4],
    [6, 2],
    [12, 8],
  ],
  choices: { data: ['circle', 'xor', 'spiral'] },
  reach: 2,
  optimizer: { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
  speed: 60,
  isPrunable: true,
  shapes,
  start(setup) {
    const parts = Object.values(shapes(setup)).map(([rows, cols], layer) => {
      const spread = Math.sqrt(6 / (rows + cols));
      const draws = noise(rows * cols, setup.seed + 10 * layer, spread);
      return draws.map((value, i) => (i < (rows - 1) * cols ? value : 0));
    });
    return Float32Array.from(parts.flatMap((part) => [...part]));
  },
  locks: (setup) =>
    new Uint8Array(Object.values(shapes(setup)).reduce((sum, [r, c]) => sum + r * c, 0)),
  loss(g, weights, _targets, setup) {
    const points = pointsOf(setup);
    const labels = points.map(([, , label]) => [label]);
    return g.mean(g.square(g.sub(predict(g, weights, points), labels)));
  },
  readings(g, weights, setup) {
    const points = pointsOf(setup);
    const labels = points.map(([, , label]) => [label]);
    const isRight = g.greater(g.mul(predict(g, weights, points), labels), 0);
    return { map: predict(g, weights, square), score: g.mean(isRight) };
  },
  figure: (setup) => ({ kind: 'plane', side: SIDE, points: pointsOf(setup) }),
  code(setup) {
    const points = pointsOf(setup);
    return `(() => {
  const points = ${JSON.stringify(inputs(points))};
  const labels = ${JSON.stringify(points.map(([, , label]) => [label]))};
  const ones = points.map(() => [1]);
  const first = g.concat([g.tanh(g.matMul(points, w1)), ones], 1);
  const second = g.concat([g.tanh(g.matMul(first, w2)), ones], 1);
  return g.mean(g.square(g.sub(g.tanh(g.matMul(second, w3)), labels)));
})()`;
  },
};
