/**
 * Picture: noise becomes a picture, and locked cells stay as they are. The first picture never comes
 * to rest: day becomes night and day again, and what is locked stays in its time.
 *
 * Its optimizer is AdamW, since its decay moves every cell that only a mask holds. Momentum and
 * Adam's moments would not: under the lock these cells have gathered none.
 */

import { squares } from '../layout.js';
import { hypot } from '../shared/maths.js';
import { noise } from '../shared/noise.js';
import { draw } from '../shared/pictures.js';

/** A square of cells at the lower left, which the tour locks. */
const SQUARE = Array.from({ length: 64 }, (_, i) => (20 + Math.floor(i / 8)) * 32 + 4 + (i % 8));

/** @type {import('../scene.js').Scene['locks']} A ring around the middle of a picture that comes to rest, as in links of earlier pages. */
function locks({ rows, cols, choices }) {
  const mask = new Uint8Array(rows * cols);
  if (choices.picture === 'day') return mask;
  const side = Math.min(rows, cols);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const radius = hypot(row + 0.5 - rows / 2, col + 0.5 - cols / 2) / side;
      mask[row * cols + col] = radius > 0.32 && radius < 0.42 ? 1 : 0;
    }
  }
  return mask;
}

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'picture',
  order: 1,
  group: 'start',
  sizes: squares(32, 8, 16, 64, 128, 256, 512, 1024),
  choices: { picture: ['day', 'evening', 'heart', 'ripples'] },
  reach: 1,
  optimizer: { rule: 'adamW', learningRate: 0.02, momentum: 0.9, weightDecay: 0.2 },
  speed: 60,
  hasSwitch: true,
  start: ({ rows, cols, seed }) => noise(rows * cols, seed, 0.9),
  locks,
  target: ({ rows, cols, choices }) =>
    draw(choices.picture === 'day' ? 'evening' : choices.picture, rows, cols),
  data: ({ rows, cols, choices }) =>
    choices.picture === 'day' ? { other: draw('night', rows, cols) } : {},
  blend(step) {
    const share = 1 - Math.abs(((step / 600) % 2) - 1);
    return share * share * (3 - 2 * share);
  },
  loss(g, { x }, { targets, other, blend }) {
    const night = blend && g.reshape(other, x.shape);
    const goal = blend ? g.add(targets.x, g.mul(blend, g.sub(night, targets.x))) : targets.x;
    return g.sum(g.square(g.sub(x, goal)));
  },
  guess: { after: 40, of: 'mask', right: ({ moved }) => Number(moved > 0) },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 60 }] },
    { area: 'grid', actions: [{ lock: SQUARE }] },
    { area: 'hold', actions: [{ rule: 'adamW' }, { hold: 'mask' }, { train: 60 }] },
    { area: 'chart-panel', actions: [{ hold: 'lock' }] },
  ],
};
