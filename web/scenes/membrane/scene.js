/**
 * Membrane: a film that becomes as smooth as possible between the locked cells.
 *
 * The loss is the elastic energy, the sum of squared differences of neighbours. At its minimum
 * a free cell is its neighbours' mean (the discrete Laplace equation): a soap film of small slope.
 * Locked cells are the boundary (Dirichlet's condition). A photo with lost cells is the same
 * problem: the remaining cells are locked, and the film fills the holes.
 */

import { squares } from '../layout.js';
import { atan2, sin } from '../shared/maths.js';
import { draw } from '../shared/pictures.js';
import { noise } from '../shared/noise.js';

/** The height of the wire frame at an angle around the middle. @type {Record<string, (angle: number) => number>} */
const frames = {
  saddle: (angle) => 0.9 * sin(2 * angle),
  crown: (angle) => 0.9 * sin(5 * angle),
  tilt: (angle) => 0.9 * sin(angle + 0.6),
};

/** The share of the photo that is left. */
const KEPT = 0.3;

/** The border, or what is left of the photo. @type {import('../scene.js').Scene['locks']} */
function locks({ rows, cols, seed, choices }) {
  const coins = noise(rows * cols, seed + 1, 1);
  return Uint8Array.from(coins, (coin, i) => {
    if (choices.frame === 'photo') return coin < 2 * KEPT - 1 ? 1 : 0;
    const [row, col] = [Math.floor(i / cols), i % cols];
    return row === 0 || col === 0 || row === rows - 1 || col === cols - 1 ? 1 : 0;
  });
}

/** @type {import('../scene.js').Scene['start']} Noise, and the values of locked cells. */
function start(setup) {
  const { rows, cols, seed, choices } = setup;
  const values = noise(rows * cols, seed, 0.9);
  const photo = choices.frame === 'photo' ? draw('evening', rows, cols) : null;
  const mask = locks(setup);
  return values.map((value, index) => {
    if (!mask[index]) return value;
    if (photo) return photo[index];
    const row = Math.floor(index / cols);
    return frames[choices.frame](atan2(row - (rows - 1) / 2, (index % cols) - (cols - 1) / 2));
  });
}

/** The sum of the squared differences of neighbours. @type {import('../scene.js').Scene['loss']} */
function roughness(g, { x }) {
  const [rows, cols] = x.shape;
  const down = g.sub(g.slice(x, [1, 0], [rows - 1, cols]), g.slice(x, [0, 0], [rows - 1, cols]));
  const across = g.sub(g.slice(x, [0, 1], [rows, cols - 1]), g.slice(x, [0, 0], [rows, cols - 1]));
  return g.add(g.sum(g.square(down)), g.sum(g.square(across)));
}

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'membrane',
  order: 3,
  group: 'start',
  sizes: squares(32, 8, 16, 64, 128, 256, 512),
  choices: { frame: [...Object.keys(frames), 'photo'] },
  reach: 1,
  pulls: 'locks',
  optimizer: { rule: 'momentum', learningRate: 0.05, momentum: 0.9, weightDecay: 0.004 },
  speed: 60,
  start,
  locks,
  loss: roughness,
  guess: {
    ...{ after: 100, of: 'run', right: ({ first, loss }) => (loss < first / 40 ? 1 : null) },
    next: [{ raise: 1 }],
  },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 200 }] },
    { area: 'grid', actions: [{ state: { beside: 'pressure' } }] },
    {
      area: 'grid',
      actions: [{ state: { beside: 'none', choices: { frame: 'photo' } } }, { train: 200 }],
    },
    { area: 'grid', actions: [{ state: { choices: { frame: 'saddle' } } }] },
  ],
};
