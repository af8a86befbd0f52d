/**
 * Picture: noise becomes a picture, and locked cells stay as they are. Draw on it to lock more.
 * Links open it with a ring locked, the page itself with a name (app/name.js).
 */

import { squares } from '../layout.js';
import { hypot } from '../shared/maths.js';
import { noise } from '../shared/noise.js';
import { draw, pictures } from '../shared/pictures.js';
import { lesson } from './lesson.js';

/** @type {import('../scene.js').Scene['locks']} A ring around the middle. */
function ring({ rows, cols }) {
  const mask = new Uint8Array(rows * cols);
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
  ...lesson,
  group: 'start',
  sizes: squares(32, 8, 16, 64, 128, 256, 512, 1024),
  choices: { picture: Object.keys(pictures) },
  reach: 1,
  optimizer: { rule: 'adam', learningRate: 0.01, momentum: 0.9, weightDecay: 0.004 },
  speed: 60,
  hasSwitch: true,
  start: ({ rows, cols, seed }) => noise(rows * cols, seed, 0.9),
  locks: ring,
  target: ({ rows, cols, choices }) => draw(choices.picture, rows, cols),
  loss: (g, { x }, { targets }) => g.sum(g.square(g.sub(x, targets.x))),
};
