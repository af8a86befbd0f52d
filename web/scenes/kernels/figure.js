/** Where each kernel fits in the image on the pad, and how many unseen digits each choice of kernels reads. */

import { percent, say } from '../shared/figure.js';
import { bestOf } from '../shared/features.js';
import { FONT, write } from '../shared/plot.js';

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

/** Beside each kernel what it finds, on one scale with all, and what all are read as. @type {import('../shared/figure.js').Built} */
export const map = {
  id: 'map',
  build(host, { words, stageOf, memory, h }) {
    const answer = h('strong', {});
    host.append(h('p', {}, h('span', { 'aria-hidden': 'true' }, '→ '), words.read, answer));
    const fits = h('span', { class: 'grid-fits note', 'aria-hidden': 'true' }, words.fits);
    const canvases = kernels.map((_, i) => {
      const onpointerenter = () => {
        memory.shown = i;
        if (model) draw(model);
      };
      return h('canvas', { class: 'figure-canvas', role: 'img', onpointerenter });
    });
    let model = /** @type {import('../shared/figure.js').Model | null} */ (null);
    const draw = (/** @type {import('../shared/figure.js').Model} */ now) => {
      model = now;
      const { readings, values, layout, lit, step } = model;
      const read = bestOf(readings).filter((one) => one !== -1);
      say(answer, step ? read.join(' ') || '–' : '?');
      // The kernels come first.
      const at = layout.findLastIndex(({ offset }) => offset <= lit);
      if (at in kernels) memory.shown = at;
      const shown = memory.shown ?? 0;
      const pane = /** @type {HTMLElement | null} */ (host.closest('.pane'));
      const units = pane?.querySelectorAll('.grid-unit') ?? [];
      const maps = kernels.map((name) => mapOf(readings.pad, values[name]));
      const most = 0.6 * Math.max(0.8, ...maps.flatMap((map) => [...map]));
      for (const [i, found] of maps.entries()) {
        const canvas = canvases[i];
        if (!canvas.isConnected) units[i].append(...(i ? [] : [fits]), canvas);
        units[i].toggleAttribute('data-shown', i === shown);
        const { pen, width, ink, image } = stageOf(canvas, 1);
        [pen.imageSmoothingEnabled, pen.strokeStyle, pen.lineWidth] = [false, ink('edge'), 1];
        pen.drawImage(image(found, 8, most), 0, 0, width, width);
        pen.strokeRect(0.5, 0.5, width - 1, width - 1);
        const best = found.indexOf(Math.max(...found));
        const place = found[best] ? [Math.floor(best / 8) + 1, (best % 8) + 1] : [];
        canvas.ariaLabel = words.label(i + 1, ...place);
        if (i !== shown) continue;
        // A window of the stencil's size on the drawing, there.
        const [row = -9, col = -9] = place;
        const box = [row - 2, 7 - col, 7 - row, col - 2].map((n) => `${12.5 * Math.max(0, n)}%`);
        pane?.style.setProperty('--fits', box.join(' '));
      }
    };
    return { draw };
  },
};

/** How many kernels are locked. @param {Record<string, Uint8Array>} locks */
const heldOf = (locks) => kernels.filter((name) => locks[name].every(Boolean)).length;

/** What was read by runs that differ in their kernels and locks alone. @type {{ like: string, bars: Map<string, [kind: string, held: number, score: number]> }} */
const seen = { like: '', bars: new Map() };

/** What is compared at first. @type {[kind: string, held: number, score: number][]} */
const DUE = [
  ['known', 8, 0],
  ['random', 8, 0],
  ['random', 0, 0],
];

/** @param {import('../shared/figure.js').Model} model @returns {[kind: string, held: number, score: number][]} of the last four runs */
function told({ shown, readings, locks, step, isPast, isMasked, optimizer }) {
  const { kind, examples, seed } = shown;
  const like = JSON.stringify([optimizer, examples, seed]);
  if (seen.like !== like) Object.assign(seen, { like, bars: new Map() });
  const { bars } = seen;
  const held = heldOf(locks);
  const key = `${kind} ${held}`;
  if (isPast || isMasked) return [...bars.values()].slice(-4);
  if (![...bars.keys()].slice(-4).includes(key)) bars.delete(key);
  bars.set(key, [kind, held, step ? readings.score[0] : 0]);
  return [...bars.values()].slice(-4);
}

/** A bar for each of these runs. @type {import('../shared/figure.js').Drawn} */
export const results = {
  id: 'results',
  ...{ isOnce: true, isChart: true },
  aspect: (width) => width / 200,
  draw({ pen, width, height, ink, words }, model) {
    const [bars, now] = [told(model), { kind: model.shown.kind, held: heldOf(model.locks) }];
    const [top, low, step] = [40, height - 36, width / Math.max(DUE.length, bars.length)];
    [pen.fillStyle, pen.font] = [ink('ink'), '15px system-ui, sans-serif'];
    write(pen, words.title, 0, 15, 'left');
    const fill = (/** @type {number} */ i, /** @type {number} */ share) =>
      pen.fillRect((i + 0.18) * step, low - share * (low - top), 0.64 * step, share * (low - top));
    pen.fillStyle = ink('edge');
    pen.fillRect(0, low, width, 1);
    const due = DUE.filter(([kind, held]) => bars.every(([of, at]) => of !== kind || at !== held));
    [...bars, ...due]
      .slice(0, Math.max(DUE.length, bars.length))
      .forEach(([kind, held, score], i) => {
        const middle = (i + 0.5) * step;
        pen.fillStyle = ink('sunk');
        fill(i, 1);
        pen.fillStyle = ink(held ? 'muted' : 'accent');
        fill(i, score);
        [pen.font, pen.fillStyle] = [
          '600 15px system-ui, sans-serif',
          ink(score ? 'ink' : 'muted'),
        ];
        if (score) write(pen, percent([score]), middle, low - score * (low - top) - 6, 'center');
        pen.font = kind === now.kind && held === now.held ? `600 ${FONT}` : FONT;
        write(pen, words[kind], middle, low + 15, 'center');
        write(pen, words.held(held), middle, low + 30, 'center');
      });
  },
  describe(words, model) {
    const bars = told(model).map(
      ([kind, held, score]) => `${words[kind]}, ${words.held(held)}: ${percent([score])}`,
    );
    return `${words.title}: ${bars.join('; ')}.`;
  },
};
