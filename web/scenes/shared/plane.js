/**
 * A model's output on a square of the plane, and labelled points.
 *   shown.side, readings.map  side × side values, top row first
 *   shown.points              [x, y, label], −1..1 each; labels −1 or 1
 */

import { percent } from './figure.js';

/** @type {import('./figure.js').Drawn} */
export const plane = {
  id: 'plane',
  aspect: 1,
  draw({ pen, width, height, image, colour }, { shown, readings }) {
    pen.imageSmoothingEnabled = true;
    pen.drawImage(image(readings.map, shown.side, 1.5), 0, 0, width, height);
    for (const [x, y, label] of shown.points) {
      const at = [((x + 1) / 2) * width, ((1 - y) / 2) * height];
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
