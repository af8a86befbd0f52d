/**
 * What a kernel finds in the image on the pad: image ∗ kernel = map, now and at first. The kernel is
 * the one whose grid was pointed at last; its bias is left out.
 *   shown.kernels  the kernels' grids
 *   shown.start    all cells, for a run whose start was not seen
 */

import { partAt } from '../layout.js';
import { FONT, write } from '../shared/plot.js';

/** The room of a sign and of the text below the images, and their largest side. */
const [SIGN, FOOT, MOST] = [28, 46, 192];

/** @param {number} width */
const sizeOf = (width) => Math.max(1, Math.min(MOST, width / 3 - SIGN));

/** Returns what a kernel finds, 0 or more. @param {Float32Array} image @param {Float32Array} kernel */
const mapOf = (image, kernel) =>
  image.map((_, i) => {
    const sum = kernel.reduce((sum, weight, k) => {
      const [row, col] = [Math.floor(i / 8) + Math.floor(k / 3) - 1, (i % 8) + (k % 3) - 1];
      return col < 0 || col > 7 ? sum : sum + weight * (image[8 * row + col] ?? 0);
    }, 0);
    return Math.max(0, sum);
  });

/** @type {import('../shared/figure.js').Drawn} */
export const maps = {
  id: 'maps',
  aspect: (width) => width / (sizeOf(width) + FOOT),
  draw(stage, { shown, readings, values, locks, layout, reach, lit, step }) {
    const { pen, width, ink, image, words, memory } = stage;
    const pointed = lit < 0 ? -1 : shown.kernels.indexOf(partAt(layout, lit).name);
    if (pointed >= 0) memory.at = pointed;
    const { at = 0 } = memory;
    const kernel = values[shown.kernels[at]];
    if (!step || memory.shown !== shown) {
      const now = shown.kernels.flatMap((/** @type {string} */ name) => [...values[name]]);
      Object.assign(memory, { shown, start: Float32Array.from(step ? shown.start : now) });
    }
    const pair = [kernel, memory.start.subarray(9 * at, 9 * at + 9)];
    const [now, then] = pair.map((one) => mapOf(readings.pad, one));
    const isSame = now.every((value, i) => value === then[i]);
    const most = Math.max(0.5, ...now, ...then);
    const locked = locks[shown.kernels[at]].reduce((sum, bit) => sum + bit, 0);
    const size = sizeOf(width);
    pen.imageSmoothingEnabled = false;
    [
      ['∗', words.kernel(at + 1), words.locked(locked)],
      ['=', words.now, words.sees],
      [isSame ? '=' : '≠', words.first, isSame ? words.same : words.differs],
    ].forEach(([sign, title, note], i) => {
      const left = SIGN + i * (size + SIGN);
      const line = i || locked < 9 ? 1 : 4;
      const cells = i ? image([now, then][i - 1], 8, most) : image(kernel, 3, reach);
      pen.drawImage(cells, left, 0, size, size);
      pen.strokeStyle = ink(line > 1 ? 'ink' : 'edge');
      pen.lineWidth = line;
      pen.strokeRect(left + line / 2, line / 2, size - line, size - line);
      pen.fillStyle = ink('ink');
      pen.font = '600 15px system-ui, sans-serif';
      write(pen, title, left, size + 20, 'left');
      pen.font = FONT;
      write(pen, note, left, size + 40, 'left');
      pen.fillStyle = ink(sign === '≠' ? 'accent' : 'ink');
      pen.font = '24px system-ui, sans-serif';
      write(pen, sign, left - SIGN / 2, size / 2 + 8, 'center');
    });
  },
  describe: (words) => words.label,
};
