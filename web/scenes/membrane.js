/**
 * Membrane: a film that pulls itself as smooth as it can between the cells that are locked.
 *
 * The loss is the film's elastic energy, the sum of squared differences of neighbours; where it is least, every free
 * cell is the mean of its neighbours (the discrete Laplace equation), which is a soap film of small slope.
 * Locked cells are the boundary: Dirichlet's condition, and the only one this scene knows.
 */

import { noise } from './noise.js';

/** Height of the wire frame at an angle round the middle. @type {Record<string, (angle: number) => number>} */
const frames = {
  saddle: (angle) => 0.9 * Math.sin(2 * angle),
  crown: (angle) => 0.9 * Math.sin(5 * angle),
  tilt: (angle) => 0.9 * Math.sin(angle + 0.6),
};

/** Whether a cell is on the rim. @param {number} row @param {number} col @param {number} rows @param {number} cols */
const onRim = (row, col, rows, cols) =>
  row === 0 || col === 0 || row === rows - 1 || col === cols - 1;

/** @type {import('./scene.js').Scene['start']} Noise, and the wire frame round it. */
function start({ rows, cols, seed, choice }) {
  const height = /** @type {(angle: number) => number} */ (frames[choice]);
  return noise(rows * cols, seed, 0.9).map((value, index) => {
    const row = Math.floor(index / cols);
    const col = index % cols;
    if (!onRim(row, col, rows, cols)) return value;
    return height(Math.atan2(row - (rows - 1) / 2, col - (cols - 1) / 2));
  });
}

/** @type {import('./scene.js').Scene['locks']} */
function locks({ rows, cols }) {
  return Uint8Array.from({ length: rows * cols }, (_, index) =>
    onRim(Math.floor(index / cols), index % cols, rows, cols) ? 1 : 0,
  );
}

/** @type {import('./scene.js').Scene} */
export const membrane = {
  id: 'membrane',
  sizes: [
    [32, 32],
    [8, 8],
    [16, 16],
    [64, 64],
    [128, 128],
    [256, 256],
  ],
  choices: Object.keys(frames),
  reach: 1,
  optimizer: { rule: 'momentum', learningRate: 0.05, momentum: 0.9, weightDecay: 0.004 },
  speed: 60,
  start,
  locks,
  loss(g, x, _target, { rows, cols }) {
    const down = g.sub(g.slice(x, [1, 0], [rows - 1, cols]), g.slice(x, [0, 0], [rows - 1, cols]));
    const across = g.sub(
      g.slice(x, [0, 1], [rows, cols - 1]),
      g.slice(x, [0, 0], [rows, cols - 1]),
    );
    return g.add(g.sum(g.square(down)), g.sum(g.square(across)));
  },
};
