/**
 * Beside the grid of each kernel, what it finds in the image on the pad, from 0 (blank) to 2.5.
 * Biases are left out.
 *   shown.start  all cells, for a run whose start was not seen
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

/** @type {import('../shared/figure.js').Built} */
export const maps = {
  id: 'maps',
  build(host, { words, stageOf, memory, h }) {
    const square = { class: 'figure-canvas', role: 'img', width: 1, height: 1 };
    const parts = kernels.map((_, i) => {
      const told = h('p', { class: 'note' });
      const canvas = h('canvas', { ...square, 'aria-label': words.label(i + 1) });
      host.append(h('div', { class: 'kernel-map' }, told, canvas));
      return { told, canvas };
    });
    return {
      draw({ shown, readings, values, locks, step }) {
        const all = Float32Array.from(kernels.flatMap((name) => [...values[name]]));
        if (!step || memory.shown !== shown)
          Object.assign(memory, { shown, start: step ? shown.start : all });
        parts.forEach(({ told, canvas }, i) => {
          const [then, kernel] = [memory.start, all].map((one) => one.subarray(9 * i, 9 * i + 9));
          const isSame = kernel.every(
            (/** @type {number} */ weight, /** @type {number} */ at) => weight === then[at],
          );
          say(told, step ? words[isSame ? 'same' : 'differs'] : '');
          const { pen, width, ink, image } = stageOf(canvas, 1);
          pen.imageSmoothingEnabled = false;
          pen.drawImage(image(mapOf(readings.pad, kernel), 8, 2.5), 0, 0, width, width);
          const isFree = locks[kernels[i]].includes(0);
          [pen.strokeStyle, pen.lineWidth] = isFree ? [ink('edge'), 2] : [ink('ink'), 4];
          pen.strokeRect(0, 0, width, width);
        });
      },
    };
  },
};
