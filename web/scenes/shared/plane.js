/**
 * A model's output on a square of the plane, and labelled points.
 *   shown.side, readings.map  side × side values, top row first
 *   shown.points              [x, y, label], −1..1 each; labels −1 or 1
 */

import { percent } from './figure.js';
import { FONT, write } from './plot.js';

/** The height of its title. */
const TOP = 20;

/** @type {import('./figure.js').Drawn} */
export const plane = {
  id: 'plane',
  aspect: (width) => width / (width + TOP),
  draw({ pen, width, ink, image, colour, words }, { shown, readings }) {
    [pen.font, pen.fillStyle, pen.imageSmoothingEnabled] = [FONT, ink('muted'), true];
    write(pen, words.title, 0, 12, 'left');
    pen.drawImage(image(readings.map, shown.side, 1.5), 0, TOP, width, width);
    for (const [x, y, label] of shown.points) {
      const at = [((x + 1) / 2) * width, TOP + ((1 - y) / 2) * width];
      pen.beginPath();
      // Labels differ in shape, not only in colour: discs and squares.
      if (label > 0) pen.arc(at[0], at[1], 3.6, 0, 7);
      else pen.rect(at[0] - 3.2, at[1] - 3.2, 6.4, 6.4);
      pen.fillStyle = colour(label, 1);
      pen.fill();
      pen.strokeStyle = '#fff';
      pen.lineWidth = 1.3;
      pen.stroke();
    }
  },
  describe: (words, { readings: { score, testScore, testLoss } }) =>
    words.label(percent(score), percent(testScore), (testLoss?.[0] ?? 0).toFixed(3)),
};
