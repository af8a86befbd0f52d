/**
 * What each kernel finds in the image on the pad: eight kernels, and below each its map.
 *   readings.maps  8×8×8, the last axis is the kernel
 *   shown.kernels  the kernels' grids
 */

import { FONT, write } from '../shared/plot.js';

const [SIDE, COUNT] = [8, 8];
/** The space between maps, and for the names of their lines. */
const [GAP, NAMES] = [8, 52];
/** Below this width, maps are in two lines. */
const NARROW = 420;

/** Returns the positions of the maps, each below its kernel. @param {number} width */
function placesOf(width) {
  const across = width < NARROW ? COUNT / 2 : COUNT;
  const size = Math.max(1, (width - NAMES - GAP * (across - 1)) / across);
  const kernel = size * 0.6;
  const tall = size + kernel + 2.5 * GAP;
  const maps = Array.from({ length: COUNT }, (_, i) => ({
    x: NAMES + (i % across) * (size + GAP),
    y: Math.floor(i / across) * tall + kernel + GAP / 2,
  }));
  return { maps, size, kernel, height: tall * (COUNT / across) };
}

/** @type {import('../shared/figure.js').Drawn} */
export const maps = {
  id: 'maps',
  aspect: (width) => width / placesOf(width).height,
  draw({ pen, width, ink, image, words }, { shown, readings, values, locks, layout, reach, lit }) {
    const { maps, size, kernel } = placesOf(width);
    const most = readings.maps.reduce((most, value) => Math.max(most, value), 0.05);
    pen.imageSmoothingEnabled = false;
    pen.font = FONT;
    pen.fillStyle = ink('muted');
    /** @param {number} x @param {number} y @param {number} side */
    const frame = (x, y, side, look = 'edge', wide = 1) => {
      pen.lineWidth = wide;
      pen.strokeStyle = ink(look);
      pen.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
    };
    maps.forEach(({ x, y }, i) => {
      if (x === NAMES) {
        write(pen, words.sees, 0, y + size / 2 + 4, 'left');
        write(pen, words.kernel, 0, y - kernel / 2, 'left');
      }
      const map = readings.maps.filter((_, at) => at % COUNT === i);
      pen.drawImage(image(map, SIDE, most), x, y, size, size);
      frame(x, y, size);
      const [name, left, up] = [shown.kernels[i], x + (size - kernel) / 2, y - kernel - GAP / 2];
      pen.drawImage(image(values[name], 3, reach), left, up, kernel, kernel);
      const { offset } = layout.find((part) => part.name === name) ?? { offset: Infinity };
      if (lit >= offset && lit < offset + 9) frame(left, up, kernel, 'accent', 3);
      else if (locks[name].every(Boolean)) frame(left, up, kernel, 'ink', 2);
      else frame(left, up, kernel);
      write(pen, String(i + 1), left - 4, y - kernel / 2, 'right');
    });
  },
  describe: (words) => words.label,
};
