/**
 * Small images, and the network's guess for each.
 *   shown.images, shown.cols  rows of pixels, and their width
 *   shown.labels, readings.guesses  a number each
 */

import { percent } from './figure.js';

const across = (/** @type {number} */ width) => (width > 420 ? 10 : 5);

/** @type {import('./figure.js').Drawn} */
export const images = {
  id: 'images',
  aspect: (width, { shown }) =>
    across(width) / (Math.ceil(shown.images.length / across(width)) * 1.42),
  draw({ pen, width, height, image, ink }, { shown, readings: { guesses } }) {
    const { images: all, cols, labels } = shown;
    const lines = Math.ceil(all.length / across(width));
    const cell = width / across(width);
    const inner = cell - 6;
    pen.imageSmoothingEnabled = false;
    pen.textAlign = 'center';
    pen.font = '600 14px system-ui, sans-serif';
    all.forEach((/** @type {Float32Array} */ one, /** @type {number} */ i) => {
      const x = (i % across(width)) * cell;
      const y = (Math.floor(i / across(width)) * height) / lines;
      pen.drawImage(image(one, cols, 1.4), x, y, inner, inner);
      const isRight = guesses[i] === labels[i];
      pen.fillStyle = ink(isRight ? 'muted' : 'accent');
      pen.fillText(isRight ? `${guesses[i]}` : `✗ ${guesses[i]}`, x + inner / 2, y + inner + 16);
    });
  },
  describe: (words, { readings }) => words.label(percent(readings.score)),
};
