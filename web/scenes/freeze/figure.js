/**
 * How many of each digit are read, now and at first, as bars; and the accuracy on old digits as
 * curves, while they were locked and once unlocked, with these results in words.
 *   readings        shares of unseen digits: old, fresh, and each of digits
 *   recorded        by their keys: lock, mask, free
 *   shown.base      cells that are locked at first
 *   shown.start     all cells
 *   shown.examples  what it trains on
 */

import { percent } from '../shared/figure.js';
import { FONT, drawAxes, drawCurves, drawPoint, plotOf, write } from '../shared/plot.js';

/** The look of the curves: colour and dashes. @type {Record<string, { ink: string, dashes: number[] }>} */
const LOOKS = {
  lock: { ink: 'ink', dashes: [] },
  mask: { ink: 'muted', dashes: [2, 3] },
  part: { ink: 'muted', dashes: [6, 4] },
  free: { ink: 'accent', dashes: [6, 4] },
};
const MARGINS = [32, 92, 42, 44];
/** The steps of the axis. A longer run doubles them, and the steps from one point to the next. */
const STEPS = 400;
const scaleOf = (/** @type {number} */ step) =>
  2 ** Math.ceil(Math.log2(Math.max(step, STEPS) / STEPS));

/** @typedef {[step: number, old: number, fresh: number]} Point */
/** The shares that were seen, by examples and optimizer, and by how the old weights were held. @type {Record<string, Record<string, Point[]>>} */
const seen = {};
/** The curves that can be compared with a run. @param {import('../shared/figure.js').Model} model */
const curvesOf = ({ shown, optimizer }) =>
  (seen[JSON.stringify([shown.examples, optimizer])] ??= Object.fromEntries(
    Object.keys(LOOKS).map((kind) => [kind, []]),
  ));

/** How the old weights are held: at first by their locks, then by what has moved. @param {import('../shared/figure.js').Model} model */
function kindOf({ shown, step, isMasked, layout, values, locks }) {
  if (isMasked) return 'mask';
  const [now, mask] = [values, locks].map((by) => layout.flatMap(({ name }) => [...by[name]]));
  const isFree = (/** @type {number} */ cell) =>
    step ? now[cell] !== shown.start[cell] : !mask[cell];
  const free = shown.base.filter(isFree).length;
  return free ? (free < shown.base.length ? 'part' : 'free') : 'lock';
}

/** Adds what the run reads to the curve of its kind. @param {import('../shared/figure.js').Model} model @param {string} kind */
function note(model, kind) {
  const { step, recorded, readings } = model;
  const points = curvesOf(model)[kind];
  while ((points.at(-1)?.[0] ?? -1) >= step) points.pop();
  const [before, latest] = points.slice(-2);
  if (latest && latest[0] - before[0] < scaleOf(step)) points.pop();
  const now = /** @type {Point} */ ([step, readings.old[0], readings.fresh[0]]);
  // Behind a run that is opened in its middle is the recorded one, if that reads as many here.
  const past = points.length < 2 ? (recorded.find(({ key }) => key === kind)?.points ?? []) : [];
  const known = past.map(
    ({ step: at, readings: { old, fresh } }) => /** @type {Point} */ ([at, old[0], fresh[0]]),
  );
  const at = known.findIndex((point) => `${point}` === `${now}`);
  if (at > 0) points.splice(0, 2, ...known.slice(0, at));
  points.push(now);
}

/** The results, by how the old weights were held. @param {any} words @param {import('../shared/figure.js').Model} model */
function headlineOf(words, model) {
  if (!model.isPast) note(model, kindOf(model));
  const told = Object.entries(curvesOf(model)).flatMap(([kind, points]) => {
    const [[at, ...shares], name] = [points.at(-1) ?? [0], words[kind]];
    const way = name[0].toUpperCase() + name.slice(1);
    return at ? [words.headline(way, ...shares.map((one) => percent([one])))] : [];
  });
  return model.step ? told.join('\n') : '';
}

/** The shares of digits that are read; at first a column of zeros reads none. @param {Pick<import('../shared/figure.js').Model, 'readings' | 'values' | 'step'>} model */
const readOf = ({ readings: { digits }, values: { head }, step }) =>
  digits.map((share, digit) =>
    step || head.some((v, i) => v && i % digits.length === digit) ? share : 0,
  );

/** Each digit's bar, grey if its column is locked; a bar that falls leaves the outline of its start. @type {import('../shared/figure.js').Drawn} */
export const read = {
  id: 'read',
  aspect: (width) => width / (width < 400 ? 0.6 * width : 420),
  draw({ pen, width, height, ink, words, memory }, { readings, values, locks, step }) {
    const [{ old, fresh }, digits] = [readings, readOf({ readings, values, step })];
    if (!step) memory.first = digits;
    // Half a column between the old and the new.
    const wide = width / (digits.length + 0.5);
    const [low, high] = [height - 26, width < 400 ? 24 : 48];
    const y = (/** @type {number} */ share) => Math.round(low - share * (low - high));
    pen.fillStyle = ink('ink');
    pen.font = `600 ${width < 300 ? 13 : 15}px system-ui, sans-serif`;
    pen.textAlign = 'left';
    pen.fillText(words.old(percent(old)), 0, 15, width / 2 - 8);
    pen.fillText(words.fresh(percent(fresh), step > 0), 5.5 * wide, 15, width / 2);
    pen.strokeStyle = ink('ink');
    pen.lineWidth = 1.5;
    digits.forEach((share, digit) => {
      const isLocked = locks.head.every((bit, i) => bit || i % digits.length !== digit);
      const [left, middle] = [0.08, 0.5].map((at) => (digit + at + (digit < 5 ? 0 : 0.5)) * wide);
      // What was read at first: a bar that falls leaves its outline.
      const first = memory.first?.[digit] ?? 0;
      const fills = [ink('sunk'), ink(isLocked ? 'muted' : 'accent'), 'transparent'];
      [1, share, first].forEach((part, i) => {
        pen.beginPath();
        pen.roundRect(left, y(part), 0.84 * wide, low - y(part), [4, 4, 0, 0]);
        pen.fillStyle = fills[i];
        pen.fill();
      });
      if (first) pen.stroke();
      pen.font = `600 ${FONT}`;
      const top = y(share) + (low - y(share) > 20 ? 16 : -6);
      pen.fillStyle = ink(top > y(share) ? 'paper' : 'ink');
      if (share || first) write(pen, (100 * share).toFixed(0), middle, top, 'center');
      pen.fillStyle = ink('ink');
      pen.font = '600 15px system-ui, sans-serif';
      write(pen, String(digit), middle, height - 6, 'center');
    });
  },
  describe: (words, model) =>
    words.label(Array.from(readOf(model), (share, i) => `${i}: ${percent([share])}`).join(', ')),
};

/** @type {import('../shared/figure.js').Drawn} */
export const accuracy = {
  id: 'accuracy',
  ...{ isOnce: true, isChart: true, headline: headlineOf },
  aspect: (width) => width / 240,
  draw(stage, model) {
    const { readings, step } = model;
    const curves = Object.entries(curvesOf(model)).filter(([, points]) => points.at(-1)?.[0]);
    const last = Math.max(step, ...curves.map(([, points]) => points[points.length - 1][0]));
    const end = STEPS * scaleOf(last);
    const plot = plotOf(stage, MARGINS, [0, end], [0, 1.06]);
    drawAxes(stage, plot, {
      xs: [0, end / 2, end].map((at) => [at, String(at)]),
      ys: [0, 0.5, 1].map((share) => [share, `${100 * share} %`]),
      ...{ up: stage.words.old, across: stage.words.across },
    });
    const lines = curves.map(([kind, points]) => ({
      ...{ name: stage.words[kind], ...LOOKS[kind] },
      points: points.map(([at, old]) => /** @type {[number, number]} */ ([at, old])),
    }));
    drawCurves(stage, plot, lines);
    drawPoint(stage, plot.x(step), plot.y(readings.old[0]));
  },
  describe: (words, { readings: { old, fresh } }) => words.own(percent(old), percent(fresh)),
};
