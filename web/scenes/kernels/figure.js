/**
 * Under the grid of each kernel, what it finds in the image on the pad, from 0 (blank) to 2.5, and
 * what that is: ink, a line, or an edge of a stroke.
 */

import { say } from '../shared/figure.js';

export const kernels = Array.from({ length: 8 }, (_, i) => `kernel${i + 1}`);

/** Returns what a kernel finds, 0 or more. @param {Float32Array} image @param {Float32Array} kernel */
const mapOf = (image, kernel) =>
  image.map((_, i) => {
    const sum = kernel.reduce((sum, weight, k) => {
      const [row, col] = [Math.floor(i / 8) + Math.floor(k / 3) - 1, (i % 8) + (k % 3) - 1];
      return col < 0 || col > 7 ? sum : sum + weight * (image[8 * row + col] ?? 0);
    }, 0);
    return Math.max(0, sum);
  });

/** The place of what a kernel finds in the strings, clockwise from a left edge; −1 if that is little. @param {Float32Array} kernel */
export function findOf(kernel) {
  const sum = (/** @type {number[]} */ ...at) => at.reduce((sum, i) => sum + kernel[i], 0);
  const most = kernel.reduce((sum, weight) => sum + Math.abs(weight), 0);
  const whole = sum(...kernel.keys());
  if (most < 2 || whole < -0.6 * most) return -1;
  const [right, below] = [sum(2, 5, 8) - sum(0, 3, 6), sum(6, 7, 8) - sum(0, 1, 2)];
  if (Math.hypot(right, below) > 0.3 * most)
    return (Math.round(Math.atan2(below, right) / (Math.PI / 4)) + 8) % 8;
  if (whole > 0.6 * most) return 8;
  const lines = [sum(1, 4, 7), sum(3, 4, 5), sum(0, 4, 8), sum(2, 4, 6)];
  return 9 + Math.min(2, lines.indexOf(Math.max(...lines)));
}

/** @type {import('../shared/figure.js').Built} */
export const maps = {
  id: 'maps',
  build(host, { words, stageOf, h }) {
    const square = { class: 'figure-canvas', role: 'img', width: 1, height: 1 };
    for (const row of words.rows.split(', ')) host.append(h('p', { class: 'pane-title' }, row));
    const parts = kernels.map((_, i) => {
      const told = h('p', { class: 'note' });
      const canvas = h('canvas', { ...square, 'aria-label': words.label(i + 1) });
      host.append(h('div', { class: 'kernel-map' }, told, canvas));
      return { told, canvas };
    });
    return {
      draw({ readings, values }) {
        parts.forEach(({ told, canvas }, i) => {
          const kernel = values[kernels[i]];
          say(told, words.finds.split(', ')[findOf(kernel)] ?? '\u00a0');
          const { pen, width, ink, image } = stageOf(canvas, 1);
          [pen.imageSmoothingEnabled, pen.strokeStyle, pen.lineWidth] = [false, ink('edge'), 2];
          pen.drawImage(image(mapOf(readings.pad, kernel), 8, 2.5), 0, 0, width, width);
          pen.strokeRect(0, 0, width, width);
        });
      },
    };
  },
};
