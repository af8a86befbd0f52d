/**
 * What kernels find in the image on the pad: a row for a locked and one for a free kernel, each with
 * its map at first and now. In each row is the kernel of that kind whose grid was pointed at last;
 * biases are left out.
 *   shown.kernels  the kernels' grids
 *   shown.start    all cells, for a run whose start was not seen
 */

import { partAt } from '../layout.js';
import { FONT, write } from '../shared/plot.js';

/** The gap between images, the room of the text below them, and their largest side. */
const [GAP, FOOT, MOST] = [20, 26, 108];

/** @param {number} width */
const sizeOf = (width) => Math.max(1, Math.min(MOST, (width - 2 * GAP) / 3));

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
  aspect: (width) => width / (2 * (sizeOf(width) + FOOT)),
  draw(stage, { shown, readings, values, locks, layout, reach, lit, step }) {
    const { pen, width, ink, image, words, memory } = stage;
    const { kernels } = shown;
    const pointed = lit < 0 ? -1 : kernels.indexOf(partAt(layout, lit).name);
    if (!step || memory.shown !== shown) {
      const now = kernels.flatMap((/** @type {string} */ name) => [...values[name]]);
      Object.assign(memory, { shown, start: Float32Array.from(step ? shown.start : now) });
    }
    memory.at ??= [];
    const isLocked = kernels.map((/** @type {string} */ name) => locks[name].every(Boolean));
    const size = sizeOf(width);
    pen.imageSmoothingEnabled = false;
    let top = 0;
    for (const isHeld of [true, false]) {
      if (isLocked[pointed] === isHeld) memory.at[+isHeld] = pointed;
      const last = memory.at[+isHeld];
      const at = isLocked[last] === isHeld ? last : isLocked.indexOf(isHeld);
      if (at < 0) continue;
      const kernel = values[kernels[at]];
      const pair = [memory.start.subarray(9 * at, 9 * at + 9), kernel];
      const [then, now] = pair.map((one) => mapOf(readings.pad, one));
      const isSame = now.every((value, i) => value === then[i]);
      const most = Math.max(0.5, ...now, ...then);
      [words.kernel(at + 1, isHeld), words.first, isSame ? words.same : words.differs].forEach(
        (text, i) => {
          const left = i * (size + GAP);
          const line = i || !isHeld ? 1 : 4;
          const cells = i ? image([then, now][i - 1], 8, most) : image(kernel, 3, reach);
          pen.drawImage(cells, left, top, size, size);
          pen.strokeStyle = ink(line > 1 ? 'ink' : 'edge');
          pen.lineWidth = line;
          pen.strokeRect(left + line / 2, top + line / 2, size - line, size - line);
          pen.fillStyle = ink(i === 2 && !isSame ? 'accent' : 'ink');
          pen.font = i === 1 ? FONT : `600 ${FONT}`;
          write(pen, text, left, top + size + 17, 'left');
        },
      );
      top += size + FOOT;
    }
  },
  describe: (words) => words.label,
};
