/** Where in the image on the pad a kernel fits: the one that was pointed at last, on one scale with all. */

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
export const map = {
  id: 'map',
  build(host, { words, intents, stageOf, memory, h }) {
    const told = h('p', {});
    const canvas = h('canvas', { class: 'figure-canvas', role: 'img', width: 1, height: 1 });
    const next = h('button', { type: 'button', class: 'button' });
    host.append(told, canvas, next);
    return {
      focus: () => next.focus(),
      draw(model) {
        const { readings, values, layout, lit } = model;
        // The kernels come first.
        const at = layout.findLastIndex(({ offset }) => offset <= lit);
        if (at in kernels) memory.shown = at;
        // At first one that learns.
        const shown = memory.shown ?? 6;
        const following = (shown + 1) % kernels.length;
        next.onclick = () => {
          memory.shown = following;
          this.draw(model);
          intents.say(String(canvas.ariaLabel));
        };
        const grids = host.closest('.pane')?.querySelectorAll('.grid-unit') ?? [];
        for (const [i, grid] of grids.entries()) grid.toggleAttribute('data-shown', i === shown);
        say(told, words.told(shown + 1));
        say(next, words.next(following + 1));
        const { pen, width, ink, image } = stageOf(canvas, 1);
        const maps = kernels.map((name) => mapOf(readings.pad, values[name]));
        const found = maps[shown];
        const most = Math.max(0.5, ...maps.flatMap((map) => [...map]));
        [pen.imageSmoothingEnabled, pen.strokeStyle, pen.lineWidth] = [false, ink('edge'), 1];
        pen.drawImage(image(found, 8, most), 0, 0, width, width);
        pen.strokeRect(0.5, 0.5, width - 1, width - 1);
        const best = found.indexOf(Math.max(...found));
        const place = found[best] ? [Math.floor(best / 8) + 1, (best % 8) + 1] : [];
        canvas.ariaLabel = words.label(shown + 1, ...place);
      },
    };
  },
};
