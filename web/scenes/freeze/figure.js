/**
 * The accuracy on old digits, step by step, in recorded runs, one curve each, and the shown run as a
 * point. That on new digits is in the words below.
 *   readings.old, readings.fresh  shares of unseen digits
 *   readings.watched              answers whose every bit is watched
 *   recorded                      by their keys: lock, mask, free
 *   shown.base                    cells that the padlock locks and unlocks
 */

import { say } from '../shared/elements.js';
import { percent } from '../shared/figure.js';

/** The look of the curves: colour, width, dashes. @type {Record<string, { ink: string, wide: number, dashes: number[] }>} */
const LINES = {
  lock: { ink: 'ink', wide: 2.5, dashes: [] },
  mask: { ink: 'accent', wide: 2, dashes: [6, 4] },
  free: { ink: 'muted', wide: 2, dashes: [2, 3] },
};
const [TOP, BOTTOM, LEFT, RIGHT] = [32, 22, 44, 62];
/** The distance between lines of labels. */
const LINE = 15;
const TALL = 170;

/** @typedef {import('../shared/figure.js').Model} Model */
/** @typedef {import('../shared/figure.js').Stage} Stage */
/** @typedef {{ left: number, top: number, width: number, height: number, end: number }} Plot */

/** Returns the number of answers whose bits differ from those at the start. @param {Model} model */
function changedAnswers({ readings, recorded }) {
  const first = recorded[0]?.points[0].readings.watched;
  if (!first) return null;
  const bits = (/** @type {ArrayLike<number>} */ values) =>
    new Uint32Array(Float32Array.from(values).buffer);
  const [before, now] = [bits(first), bits(readings.watched)];
  return { all: now.length, changed: now.filter((word, i) => word !== before[i]).length };
}

/** Returns how many of 100 old digits a recorded run reads at its end. @param {Model} model @param {string} key */
function readAtEnd({ recorded }, key) {
  const end = recorded.find((run) => run.key === key)?.points.at(-1);
  return Math.round(100 * (end?.readings.old[0] ?? Number.NaN));
}

/** Moves labels apart, and keeps their order. @param {number[]} ys @param {number} bottom */
function apart(ys, bottom) {
  const order = ys.map((_, i) => i).sort((a, b) => ys[a] - ys[b]);
  const placed = [...ys];
  order.forEach((at, i) => {
    if (i) placed[at] = Math.max(placed[at], placed[order[i - 1]] + LINE);
  });
  const over = Math.max(0, placed[order[order.length - 1]] - bottom);
  return placed.map((y) => y - over);
}

/** @param {Stage} stage @param {Plot} plot @param {string} title */
function drawAxes({ pen, ink, width: room }, { left, top, width, height, end }, title) {
  pen.font = '600 13px system-ui, sans-serif';
  pen.textAlign = 'left';
  pen.fillStyle = ink('ink');
  pen.fillText(title, Math.max(0, Math.min(left, room - pen.measureText(title).width)), top - 10);
  pen.font = '12px system-ui, sans-serif';
  pen.fillStyle = ink('muted');
  pen.strokeStyle = ink('line');
  pen.lineWidth = 1;
  for (const share of [0, 0.5, 1]) {
    const y = Math.round(top + (1 - share) * height) + 0.5;
    pen.strokeRect(left, y, width, 0);
    pen.textAlign = 'right';
    pen.fillText(`${100 * share}${share === 1 ? ' %' : ''}`, left - 5, y + 4);
  }
  pen.textAlign = 'center';
  for (const share of [0, 0.5, 1]) {
    pen.fillText(String(share * end), left + share * width, top + height + 16);
  }
}

/** @param {Stage} stage @param {Plot} plot @param {Model} model */
function drawCurves({ pen, ink, words }, { left, top, width, height, end }, model) {
  const { recorded, readings, step } = model;
  const x = (/** @type {number} */ at) => left + (Math.min(at, end) / end) * width;
  const y = (/** @type {number} */ share) => top + (1 - share) * height;
  const ends = recorded.map(({ points }) => points[points.length - 1]);
  const labels = apart(
    ends.map((point) => y(point.readings.old[0]) + 4),
    top + height,
  );
  recorded.forEach(({ key, points }, i) => {
    const line = LINES[key];
    pen.strokeStyle = ink(line.ink);
    pen.lineWidth = line.wide;
    pen.setLineDash(line.dashes);
    pen.beginPath();
    for (const point of points) pen.lineTo(x(point.step), y(point.readings.old[0]));
    pen.stroke();
    pen.setLineDash([]);
    const last = ends[i];
    pen.fillStyle = ink(line.ink);
    pen.textAlign = 'left';
    pen.font = `${key === 'lock' ? '600 ' : ''}12px system-ui, sans-serif`;
    pen.fillText(words[key], x(last.step) + 8, labels[i]);
  });
  pen.beginPath();
  pen.arc(x(step), y(readings.old[0]), 4.5, 0, 7);
  pen.fillStyle = ink('paper');
  pen.fill();
  pen.strokeStyle = ink('ink');
  pen.lineWidth = 2;
  pen.stroke();
}

/** @type {import('../shared/figure.js').Built} */
export const accuracy = {
  id: 'accuracy',
  isOnce: true,
  build(host, { words, intents, stageOf, zoom, h, icon }) {
    const canvas = h('canvas', { class: 'figure-canvas', role: 'img' });
    const headline = h('p', { class: 'accuracy-headline' });
    /** One padlock for the base and the answers for the old digits. */
    const padlock = h('button', { type: 'button', class: 'button' });
    /** @type {number[]} */
    let base = [];
    let isHeld = false;
    padlock.addEventListener('click', () => intents.lock(base, !isHeld));
    host.append(headline, padlock, canvas);
    const fit = () => Math.max(1, canvas.clientWidth) / zoom() / (TALL + TOP + BOTTOM);
    return {
      draw(model) {
        const { recorded, shown, locks, layout } = model;
        const [lock, free] = ['lock', 'free'].map((key) => readAtEnd(model, key));
        say(headline, recorded.length ? words.headline(lock, free) : '');
        base = shown.base;
        const mask = layout.flatMap(({ name }) => [...locks[name]]);
        const isNow = base.every((cell) => mask[cell] === 1);
        if (isNow !== isHeld || !padlock.firstChild) {
          isHeld = isNow;
          padlock.replaceChildren(icon(isHeld ? 'lock' : 'lock-open'), words.padlock);
          padlock.setAttribute('aria-pressed', String(isHeld));
        }
        const stage = stageOf(canvas, fit(), zoom());
        const end = Math.max(100, ...recorded.map(({ steps }) => steps));
        const width = stage.width - LEFT - RIGHT;
        const plot = { left: LEFT, top: TOP, width, height: TALL, end };
        drawAxes(stage, plot, words.old);
        drawCurves(stage, plot, model);
        canvas.setAttribute('aria-label', accuracy.describe?.(words, model) ?? '');
      },
    };
  },
  describe(words, model) {
    const { recorded, readings } = model;
    const lines = recorded.map(({ key, points }) => {
      const { old, fresh } = points[points.length - 1].readings;
      return { key, old: percent(old), fresh: percent(fresh) };
    });
    const own = { old: percent(readings.old), fresh: percent(readings.fresh) };
    return words.label(own, lines, changedAnswers(model));
  },
};
