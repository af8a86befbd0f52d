/**
 * What the kernel that is pointed at finds in the image on the pad, from 0 (blank) to 2.5, a dot for
 * each pixel of ink, and a frame where it fits best.
 */

import { say } from '../shared/figure.js';
import { circle } from '../shared/plot.js';

export const kernels = Array.from({ length: 8 }, (_, i) => `kernel${i + 1}`);

/** Returns the frame of a kernel on a pixel: left, top, width, height. @param {number} at @param {number} unit of a pixel @returns {[number, number, number, number]} */
const frame = (at, unit) => [
  ((at % 8) - 1) * unit,
  (Math.floor(at / 8) - 1) * unit,
  3 * unit,
  3 * unit,
];

/** Returns what a kernel finds, 0 or more. @param {Float32Array} image @param {Float32Array} kernel */
const mapOf = (image, kernel) =>
  image.map((_, i) => {
    const sum = kernel.reduce((sum, weight, k) => {
      const [row, col] = [Math.floor(i / 8) + Math.floor(k / 3) - 1, (i % 8) + (k % 3) - 1];
      return col < 0 || col > 7 ? sum : sum + weight * (image[8 * row + col] ?? 0);
    }, 0);
    return Math.max(0, sum);
  });

/** @type {import('../shared/figure.js').Built} */
export const map = {
  id: 'map',
  build(host, { words, stageOf, h }) {
    const told = h('p', {});
    const canvas = h('canvas', { class: 'figure-canvas', role: 'img', width: 1, height: 1 });
    host.append(canvas, told);
    let shown = 0;
    return {
      draw({ readings, values, layout, lit }) {
        // The kernels come first.
        const at = layout.findLastIndex(({ offset }) => offset <= lit);
        if (at in kernels) shown = at;
        const text = words.label(shown + 1);
        say(told, text);
        canvas.setAttribute('aria-label', text);
        const { pen, width, ink, image } = stageOf(canvas, 1);
        const found = mapOf(readings.pad, values[kernels[shown]]);
        [pen.imageSmoothingEnabled, pen.strokeStyle, pen.lineWidth] = [false, ink('edge'), 1];
        pen.drawImage(image(found, 8, 2.5), 0, 0, width, width);
        pen.strokeRect(0.5, 0.5, width - 1, width - 1);
        const unit = width / 8;
        pen.fillStyle = ink('ink');
        readings.pad.forEach((amount, i) => {
          const [x, y] = [(i % 8) + 0.5, Math.floor(i / 8) + 0.5];
          circle(pen, x * unit, y * unit, 0.12 * unit * Math.min(1, amount));
          pen.fill();
        });
        // Where it fits best.
        const best = found.indexOf(Math.max(...found));
        [pen.strokeStyle, pen.lineWidth] = [ink('accent'), 2];
        if (found[best]) pen.strokeRect(...frame(best, unit));
      },
    };
  },
};
