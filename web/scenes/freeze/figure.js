/**
 * How many of each digit are read, now and at first, as bars; the accuracy on old digits as curves:
 * what was seen while they were locked, and once unlocked. And in the cells' column these results,
 * and the old weights' padlock.
 *   readings        shares of unseen digits: old, fresh, and each of digits
 *   recorded        by their keys: lock, mask, free
 *   shown.base      cells that the padlock locks and unlocks
 *   shown.examples  what it trains on
 */

import { percent, say } from '../shared/figure.js';
import { FONT, drawAxes, drawCurves, drawPoint, plotOf, stroke, write } from '../shared/plot.js';

/** The look of the curves: colour and dashes. @type {Record<string, { ink: string, dashes: number[] }>} */
const LOOKS = {
  lock: { ink: 'accent', dashes: [] },
  mask: { ink: 'muted', dashes: [2, 3] },
  free: { ink: 'ink', dashes: [6, 4] },
};
const MARGINS = [32, 84, 42, 44];
/** The steps of the axis. A longer run doubles them. */
const STEPS = 400;

/** The old and new shares that were seen, by examples, by how the old weights are held, and by step. @type {Record<string, Record<string, number[][]>>} */
const seen = {};
/** The step at which the shown run was unlocked. */
let freed = Infinity;

/** Adds what the shown run reads; once unlocked, it stays free. @param {import('../shared/figure.js').Model} model @param {boolean} isHeld */
function note({ shown, step, isMasked, recorded, readings }, isHeld) {
  seen[shown.examples] ??= { lock: [], mask: [], free: [] };
  const runs = seen[shown.examples];
  freed = Math.min(isHeld ? Infinity : step, step ? freed : Infinity);
  const kind = step >= freed ? 'free' : isMasked ? 'mask' : 'lock';
  const now = [readings.old[0], readings.fresh[0]];
  // Behind a run that a link opens in its middle is the recorded one, if that reads as many here.
  const isFirst = Object.values(runs).every(({ length }) => length < 2);
  for (const point of (isFirst && recorded.find(({ key }) => key === kind)?.points) || [])
    runs[kind][point.step] = Object.values(point.readings).flat();
  runs[kind].length = isFirst && `${runs[kind][step]}` !== `${now}` ? 0 : step;
  runs[kind][step] = now;
  return { kind, runs: Object.entries(runs).filter(([, { length }]) => length > 1) };
}

/** The results, and one padlock for the base and the answers for the old digits. @type {import('../shared/figure.js').Built} */
export const held = {
  id: 'held',
  isOnce: true,
  build(host, { words, intents, h, icon }) {
    const headline = h('p', { class: 'figure-headline' });
    const padlock = h('button', { type: 'button', class: 'button' });
    let isHeld = false;
    host.append(headline, padlock);
    return {
      focus: () => padlock.focus(),
      draw(model) {
        const { shown, locks, layout, step } = model;
        padlock.onclick = () => intents.lock(shown.base, !isHeld);
        const mask = layout.flatMap(({ name }) => [...locks[name]]);
        const isNow = shown.base.every((/** @type {number} */ cell) => mask[cell] === 1);
        if (isNow !== isHeld || !padlock.firstChild) {
          isHeld = isNow;
          padlock.replaceChildren(icon(isHeld ? 'lock-open' : 'lock'), words.padlock(isHeld));
        }
        const { kind: now, runs } = note(model, isHeld);
        const told = runs.map(([kind, shares]) => {
          const last = shares[kind === now ? step : shares.length - 1];
          return words.headline(words[kind], ...last.map((share) => percent([share])));
        });
        padlock.classList.toggle('is-accent', step > 0 && told.length < 2);
        say(headline, step ? told.join('\n') : words.start(isHeld));
      },
    };
  },
};

/** The height of the heading, and of the digits below the bars. */
const [TOP, FOOT] = [48, 26];

/** Bars of locked columns have the outline of locked cells; a line is where one that fell was. @type {import('../shared/figure.js').Drawn} */
export const read = {
  id: 'read',
  aspect: (width) => width / (width < 400 ? 0.45 * width : 345),
  draw({ pen, width, height, ink, words, memory }, { readings, locks, step }) {
    const { old, fresh, digits } = readings;
    if (!step) memory.first = digits;
    const wide = width / digits.length;
    const low = height - FOOT;
    const y = (/** @type {number} */ share) => Math.round(low - share * (low - TOP)) + 0.5;
    pen.fillStyle = ink('ink');
    pen.font = `600 ${width < 300 ? 13 : 15}px system-ui, sans-serif`;
    pen.textAlign = 'left';
    pen.fillText(words.old(percent(old)), 0, 15, width / 2 - 8);
    pen.fillText(words.fresh(percent(fresh), step > 0), width / 2, 15, width / 2);
    pen.lineWidth = 2;
    digits.forEach((share, digit) => {
      const isLocked = locks.head.every((bit, i) => bit || i % digits.length !== digit);
      const [left, middle, right] = [0.12, 0.5, 0.88].map((at) => (digit + at) * wide);
      pen.fillStyle = ink(isLocked ? 'line' : 'accent-soft');
      pen.fillRect(left, y(share), right - left, low - y(share));
      pen.strokeStyle = ink(isLocked ? 'ink' : 'accent');
      pen.strokeRect(left, y(share), right - left, low - y(share));
      pen.font = FONT;
      const first = memory.first?.[digit] ?? 0;
      if (y(share) - y(first) > 16) {
        stroke(pen, [left, y(first)], [right, y(first)]);
        pen.fillStyle = ink('muted');
        write(pen, (100 * first).toFixed(0), middle, y(first) - 6, 'center');
      }
      pen.fillStyle = ink('ink');
      if (share || first) write(pen, (100 * share).toFixed(0), middle, y(share) - 6, 'center');
      pen.font = '600 15px system-ui, sans-serif';
      write(pen, String(digit), middle, height - 6, 'center');
    });
  },
  describe: (words, { readings: { digits } }) =>
    words.label([...digits].map((share, digit) => `${digit}: ${percent([share])}`).join(', ')),
};

/** @type {import('../shared/figure.js').Drawn} */
export const accuracy = {
  id: 'accuracy',
  ...{ isOnce: true, isChart: true },
  aspect: (width) => width / 240,
  draw(stage, { shown, readings, step }) {
    const runs = Object.entries(seen[shown.examples] ?? {}).filter(([, { length }]) => length > 1);
    const last = Math.max(STEPS, ...runs.map(([, { length }]) => length - 1));
    const end = STEPS * 2 ** Math.ceil(Math.log2(last / STEPS));
    const plot = plotOf(stage, MARGINS, [0, end], [0, 1.06]);
    drawAxes(stage, plot, {
      xs: [0, end / 2, end].map((at) => [at, String(at)]),
      ys: [0, 0.5, 1].map((share) => [share, `${100 * share} %`]),
      ...{ up: stage.words.old, across: stage.words.across },
    });
    const curves = runs.map(([kind, shares]) => ({
      ...{ name: stage.words[kind], ...LOOKS[kind] },
      points: shares.flatMap(([old], at) => [[at, old]]),
    }));
    drawCurves(stage, plot, curves);
    drawPoint(stage, plot.x(step), plot.y(readings.old[0]));
  },
  describe: (words, { readings: { old, fresh } }) => words.own(percent(old), percent(fresh)),
};
