/**
 * The accuracy on old digits, step by step, in the runs of the scene's study: one curve each, up to
 * the live run's step, and the live run as a point. That on new digits is in the words below.
 *   readings.old, readings.fresh  shares of unseen digits
 *   readings.watched              answers whose every bit is watched
 *   study.runs                    recipe.key: lock, mask, free
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
/** @typedef {import('../shared/figure.js').StudiedRun} StudiedRun */
/** @typedef {{ left: number, top: number, width: number, height: number, end: number }} Plot */

/** Returns a run's points up to a step. @param {StudiedRun} run @param {number} step */
function upTo({ points, recipe: { steps, every } }, step) {
  const isThere = (points.at(-1)?.step ?? -1) > Math.min(step, steps) - every;
  return isThere ? points.filter((point) => point.step <= step) : [];
}

/** Returns the number of answers whose bits differ from those at the start. @param {Model} model */
function changedAnswers({ readings, study }) {
  const first = study?.runs[0]?.points[0]?.readings.watched;
  if (!first) return null;
  const bits = (/** @type {Float32Array} */ { buffer, byteOffset, length }) =>
    new Uint32Array(buffer, byteOffset, length);
  const [before, now] = [bits(first.slice()), bits(readings.watched.slice())];
  return { all: now.length, changed: now.filter((word, i) => word !== before[i]).length };
}

/** Returns how many of 100 old digits a run reads no more, net; NaN until its curve is there. @param {Model} model @param {string} key */
function forgotten({ study, step }, key) {
  const run = study?.runs.find(({ recipe }) => recipe.key === key);
  const last = run && upTo(run, step).at(-1);
  if (!last) return Number.NaN;
  return Math.round(100 * (run.points[0].readings.old[0] - last.readings.old[0]));
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
  const { study, readings, step } = model;
  const x = (/** @type {number} */ at) => left + (Math.min(at, end) / end) * width;
  const y = (/** @type {number} */ share) => top + (1 - share) * height;
  const known = (study?.runs ?? [])
    .map((run) => ({ run, points: upTo(run, step) }))
    .filter(({ points }) => points.length);
  const ends = known.map(({ points }) => points[points.length - 1]);
  const labels = apart(
    ends.map((point) => y(point.readings.old[0]) + 4),
    top + height,
  );
  known.forEach(({ run, points }, i) => {
    const line = LINES[run.recipe.key];
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
    pen.font = `${run.recipe.key === 'lock' ? '600 ' : ''}12px system-ui, sans-serif`;
    pen.fillText(words[run.recipe.key], x(last.step) + 8, labels[i]);
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
  build(host, { words, intents, stageOf, h, icon }) {
    const canvas = h('canvas', { class: 'figure-canvas', role: 'img' });
    const headline = h('p', { class: 'accuracy-headline' });
    /** One padlock for the base and the answers for the old digits. */
    const padlock = h('button', { type: 'button', class: 'button' });
    /** @type {number[]} */
    let base = [];
    let isHeld = false;
    padlock.addEventListener('click', () => intents.lock(base, !isHeld));
    host.append(headline, padlock, canvas);
    const fit = () => Math.max(1, canvas.clientWidth) / (TALL + TOP + BOTTOM);
    let asked = 0;
    return {
      draw(model) {
        const { study, shown, locks, layout } = model;
        say(headline, words.headline(forgotten(model, 'lock'), forgotten(model, 'free')));
        base = shown.base;
        const mask = layout.flatMap(({ name }) => [...locks[name]]);
        const isNow = base.every((cell) => mask[cell] === 1);
        if (isNow !== isHeld || !padlock.firstChild) {
          isHeld = isNow;
          padlock.replaceChildren(icon(isHeld ? 'lock' : 'lock-open'), words.padlock);
          padlock.setAttribute('aria-pressed', String(isHeld));
        }
        // Other settings need other curves; they take a second.
        if (study?.isStale && asked !== study.id) {
          asked = study.id;
          intents.study(true);
        }
        const stage = stageOf(canvas, fit());
        const known = study?.runs.flatMap(({ recipe }) => recipe.steps) ?? [];
        const end = Math.max(100, ...known);
        const width = stage.width - LEFT - RIGHT;
        const plot = { left: LEFT, top: TOP, width, height: TALL, end };
        drawAxes(stage, plot, words.old);
        drawCurves(stage, plot, model);
        canvas.setAttribute('aria-label', accuracy.describe?.(words, model) ?? '');
      },
    };
  },
  describe(words, model) {
    const { study, readings, step } = model;
    const lines = (study?.runs ?? []).flatMap((run) => {
      const point = upTo(run, step).at(-1);
      if (!point) return [];
      const { old, fresh } = point.readings;
      return [{ key: run.recipe.key, old: percent(old), fresh: percent(fresh) }];
    });
    const own = { old: percent(readings.old), fresh: percent(readings.fresh) };
    return words.label(own, lines, changedAnswers(model));
  },
};
