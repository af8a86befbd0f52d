/**
 * The accuracy on old digits, step by step, in recorded runs, one curve each, and the shown run as a
 * point. That on new digits is in the words below.
 *   readings.old, readings.fresh  shares of unseen digits
 *   readings.watched              answers whose every bit is watched
 *   recorded                      by their keys: lock, mask, free
 *   shown.base                    cells that the padlock locks and unlocks
 */

import { percent, say } from '../shared/figure.js';
import { drawAxes, drawCurves, drawPoint, plotOf, stageFor } from '../shared/plot.js';

/** The look of the curves: colour and dashes. @type {Record<string, { ink: string, dashes: number[] }>} */
const LOOKS = {
  lock: { ink: 'accent', dashes: [] },
  mask: { ink: 'ink', dashes: [6, 4] },
  free: { ink: 'muted', dashes: [2, 3] },
};
const MARGINS = [32, 62, 42, 44];

/** @typedef {import('../shared/figure.js').Model} Model */

/** Tells how many answers differ by their bits from those at the start. @param {any} words @param {Model} model @returns {string} */
function toldOfBits(words, { readings, recorded }) {
  const first = recorded[0]?.points[0].readings.watched;
  if (!first) return '';
  const bits = (/** @type {ArrayLike<number>} */ values) =>
    new Uint32Array(Float32Array.from(values).buffer);
  const [before, now] = [bits(first), bits(readings.watched)];
  return words.changed(now.filter((word, i) => word !== before[i]).length, now.length);
}

/** Returns how many of 100 old digits a recorded run reads at its end. @param {Model} model @param {string} key */
function readAtEnd({ recorded }, key) {
  const end = recorded.find((run) => run.key === key)?.points.at(-1);
  return Math.round(100 * (end?.readings.old[0] ?? Number.NaN));
}

/** @param {import('../shared/figure.js').Stage} stage @param {Model} model */
function drawPlot(stage, { recorded, readings, step }) {
  const { words } = stage;
  const end = Math.max(100, ...recorded.map(({ steps }) => steps));
  const plot = plotOf(stage, MARGINS, [0, end], [0, 1]);
  drawAxes(stage, plot, {
    xs: [0, end / 2, end].map((at) => [at, String(at)]),
    ys: [0, 0.5, 1].map((share) => [share, `${100 * share} %`]),
    ...{ up: words.old, across: words.across },
  });
  const curves = recorded.map(({ key, points }) => ({
    ...{ name: words[key], ...LOOKS[key] },
    points: points.map((point) => [point.step, point.readings.old[0]]),
  }));
  drawCurves(stage, plot, curves);
  drawPoint(stage, plot.x(Math.min(step, end)), plot.y(readings.old[0]));
}

/** @type {import('../shared/figure.js').Built} */
export const accuracy = {
  id: 'accuracy',
  isOnce: true,
  build(host, tools) {
    const { words, intents, h, icon } = tools;
    const canvas = h('canvas', { class: 'figure-canvas', role: 'img' });
    const headline = h('p', { class: 'figure-headline' });
    /** One padlock for the base and the answers for the old digits. */
    const padlock = h('button', { type: 'button', class: 'button' });
    /** @type {number[]} */
    let base = [];
    let isHeld = false;
    padlock.addEventListener('click', () => intents.lock(base, !isHeld));
    host.append(headline, padlock, h('div', { class: 'figure-plot' }, canvas));
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
          padlock.replaceChildren(icon(isHeld ? 'lock-open' : 'lock'), words.padlock(isHeld));
        }
        drawPlot(stageFor(tools, canvas), model);
        canvas.setAttribute('aria-label', accuracy.describe?.(words, model) ?? '');
      },
    };
  },
  describe(words, model) {
    const { recorded, readings } = model;
    const lines = recorded.map(({ key, points }) => {
      const { old, fresh } = points[points.length - 1].readings;
      return words.line(words[key], percent(old), percent(fresh));
    });
    const own = words.own(percent(readings.old), percent(readings.fresh));
    return `${own}${lines.length ? words.runs(lines.join(', ')) : ''}${toldOfBits(words, model)}`;
  },
};
