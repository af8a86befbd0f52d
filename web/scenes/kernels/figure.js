/**
 * What a kernel finds in the image on the pad: image ∗ kernel = map. The kernel is the one whose grid
 * was pointed at last.
 *   readings.maps  8×8×8, the last axis is the kernel
 *   shown.kernels  the kernels' grids
 */

import { partAt } from '../layout.js';
import { percent } from '../shared/figure.js';
import { FONT, write } from '../shared/plot.js';

const [COUNT, SIDE] = [8, 3];
/** The room of a sign, and of the text below the images. */
const [SIGN, FOOT] = [32, 46];
const BOLD = '600 15px system-ui, sans-serif';
/** The largest side of an image, and the smallest with numbers on it. */
const [MOST, LEAST] = [192, 140];
/** The least value of a map that has the brightest colour. */
const BRIGHT = 0.5;

/** @param {number} width */
const sizeOf = (width) => Math.max(1, Math.min(MOST, width / 2 - SIGN));

/** @type {import('../shared/figure.js').Drawn} */
export const maps = {
  id: 'maps',
  aspect: (width) => width / (sizeOf(width) + FOOT),
  draw(stage, { shown, readings, values, locks, layout, reach, lit }) {
    const { pen, width, ink, image, words, memory } = stage;
    const pointed = lit < 0 ? -1 : shown.kernels.indexOf(partAt(layout, lit).name);
    if (pointed >= 0) memory.at = pointed;
    const isFree = (/** @type {string} */ key) => locks[key].includes(0);
    memory.at ??= Math.max(0, shown.kernels.findIndex(isFree));
    const { at } = memory;
    const name = shown.kernels[at];
    const map = readings.maps.filter((_, i) => i % COUNT === at);
    const size = sizeOf(width);
    const locked = locks[name].reduce((sum, bit) => sum + bit, 0);
    const isLocked = locked === SIDE ** 2;
    const [left, right] = [SIGN, 2 * SIGN + size];
    pen.imageSmoothingEnabled = false;
    pen.drawImage(image(values[name], SIDE, reach), left, 0, size, size);
    pen.drawImage(image(map, COUNT, Math.max(BRIGHT, ...map)), right, 0, size, size);
    pen.fillStyle = ink('ink');
    pen.font = BOLD;
    write(pen, words.kernel(at + 1, locked), left, size + 20, 'left');
    write(pen, words.sees, right, size + 20, 'left');
    if (size >= LEAST) write(pen, words.score(percent(readings.score)), right, size + 40, 'left');
    pen.font = FONT;
    write(pen, words.other, left, size + 40, 'left');
    pen.font = BOLD;
    pen.lineJoin = 'round';
    pen.lineWidth = 4;
    pen.strokeStyle = ink('raised');
    values[name].forEach((value, i) => {
      if (size < LEAST) return;
      const x = left + ((i % SIDE) + 0.5) * (size / SIDE);
      const y = (Math.floor(i / SIDE) + 0.5) * (size / SIDE) + 5;
      const text = value.toFixed(1).replace('-0.0', '0.0').replace('-', '−');
      pen.textAlign = 'center';
      pen.strokeText(text, x, y);
      pen.fillText(text, x, y);
    });
    pen.font = '24px system-ui, sans-serif';
    write(pen, '∗', left / 2, size / 2 + 8, 'center');
    write(pen, '=', right - SIGN / 2, size / 2 + 8, 'center');
    const wide = isLocked ? 4 : 1;
    pen.strokeStyle = ink(isLocked ? 'ink' : 'edge');
    pen.lineWidth = wide;
    pen.strokeRect(left + wide / 2, wide / 2, size - wide, size - wide);
    pen.strokeStyle = ink('edge');
    pen.lineWidth = 1;
    pen.strokeRect(right + 0.5, 0.5, size - 1, size - 1);
  },
  describe: (words) => words.label,
};
