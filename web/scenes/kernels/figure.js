/**
 * What the kernel that is pointed at finds in the image on the pad, from 0 (blank) to 2.5, with a dot for
 * each pixel of ink; and under each kernel what that is: ink, a line, or an edge of a stroke.
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
export const map = {
  id: 'map',
  build(host, { words, stageOf, h }) {
    const told = h('p', {});
    const canvas = h('canvas', { class: 'figure-canvas', role: 'img', width: 1, height: 1 });
    const names = kernels.map(() => h('p', { class: 'note' }));
    host.append(h('div', { class: 'kernel-find' }, canvas, told), ...names);
    let shown = 0;
    return {
      draw({ readings, values, layout, lit }) {
        // The kernels come first.
        const at = layout.findLastIndex(({ offset }) => offset <= lit);
        if (at in kernels) shown = at;
        const finds = kernels.map((name) => words.finds.split(', ')[findOf(values[name])] ?? '');
        names.forEach((name, i) => {
          say(name, finds[i] || '\u00a0');
          name.toggleAttribute('data-shown', i === shown);
        });
        const text = words.label(shown + 1, finds[shown]);
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
