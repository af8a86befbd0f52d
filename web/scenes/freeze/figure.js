/**
 * How many of each digit are read, now and at first, as bars. A race: the accuracy on old digits in
 * recorded runs, one curve each, up to the shown run's step, and the shown run as a point. And in the
 * cells' column the result, and the old weights' padlock.
 *   readings.old, readings.fresh  shares of unseen digits
 *   readings.digits               the share of each
 *   recorded                      by their keys: lock, mask, free
 *   shown.base                    cells that the padlock locks and unlocks
 */

import { percent, say } from '../shared/figure.js';
import { FONT, drawAxes, drawCurves, drawPoint, plotOf, stroke, write } from '../shared/plot.js';

/** The look of the curves: colour and dashes. @type {Record<string, { ink: string, dashes: number[] }>} */
const LOOKS = {
  lock: { ink: 'accent', dashes: [] },
  mask: { ink: 'ink', dashes: [6, 4] },
  free: { ink: 'muted', dashes: [2, 3] },
};
const MARGINS = [32, 84, 42, 44];
/** The steps of the recorded runs. A longer run makes the axis as much longer. */
const STEPS = 400;
/** @typedef {import('../shared/figure.js').Model} Model */

/** Returns the shares of old and new digits that a recorded run reads by now. @param {Model} model @param {string} key */
function readBy({ recorded, step }, key) {
  const points = recorded.find((run) => run.key === key)?.points;
  const { old, fresh } = points?.findLast((point) => point.step <= step)?.readings ?? {};
  return [percent(old), percent(fresh)];
}

/** The result, and one padlock for the base and the answers for the old digits. @type {import('../shared/figure.js').Built} */
export const held = {
  id: 'held',
  isOnce: true,
  build(host, { words, intents, h, icon }) {
    const headline = h('p', { class: 'figure-headline' });
    const padlock = h('button', { type: 'button', class: 'button' });
    /** @type {number[]} */
    let base = [];
    let isHeld = false;
    padlock.addEventListener('click', () => intents.lock(base, !isHeld));
    host.append(headline, padlock);
    return {
      focus: () => padlock.focus(),
      draw(model) {
        const { recorded, shown, locks, layout, step } = model;
        base = shown.base;
        const mask = layout.flatMap(({ name }) => [...locks[name]]);
        const isNow = base.every((cell) => mask[cell] === 1);
        if (isNow !== isHeld || !padlock.firstChild) {
          isHeld = isNow;
          padlock.replaceChildren(icon(isHeld ? 'lock-open' : 'lock'), words.padlock(isHeld));
        }
        const { old, fresh } = model.readings;
        const own = [percent(old), percent(fresh)];
        const told = isHeld
          ? words.headline(own, readBy(model, 'free'))
          : words.headline(readBy(model, 'lock'), own);
        say(headline, step && recorded.length ? told : words.start(isHeld));
      },
    };
  },
};

/** The height of the heading, and of the digits below the bars. */
const [TOP, FOOT] = [48, 26];

/** Bars of locked columns have the outline of locked cells; a line is where one that fell was. @type {import('../shared/figure.js').Drawn} */
export const read = {
  id: 'read',
  aspect: (width) => width / (width < 400 ? 0.6 * width : 345),
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
    pen.fillText(words.fresh(percent(fresh)), width / 2, 15, width / 2);
    pen.lineWidth = 2;
    digits.forEach((share, digit) => {
      const isLocked = locks.head.every((bit, i) => bit || i % digits.length !== digit);
      const [left, right] = [(digit + 0.12) * wide, (digit + 0.88) * wide];
      pen.fillStyle = ink(isLocked ? 'line' : 'accent');
      pen.fillRect(left, y(share), right - left, low - y(share));
      pen.strokeStyle = ink(isLocked ? 'ink' : 'edge');
      if (isLocked) pen.strokeRect(left, y(share), right - left, low - y(share));
      pen.font = FONT;
      const first = memory.first?.[digit] ?? 0;
      if (y(share) - y(first) > 16) {
        stroke(pen, [left, y(first)], [right, y(first)]);
        pen.fillStyle = ink('muted');
        write(pen, (100 * first).toFixed(0), (left + right) / 2, y(first) - 6, 'center');
      }
      pen.fillStyle = ink('ink');
      write(pen, (100 * share).toFixed(0), (left + right) / 2, y(share) - 6, 'center');
      pen.font = '600 15px system-ui, sans-serif';
      write(pen, String(digit), (left + right) / 2, height - 6, 'center');
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
  draw(stage, { recorded, readings, step }) {
    const plot = plotOf(stage, MARGINS, [0, STEPS], [0, 1.06]);
    drawAxes(stage, plot, {
      xs: [0, STEPS / 2, STEPS].map((at) => [at, String(at)]),
      ys: [0, 0.5, 1].map((share) => [share, `${100 * share} %`]),
      ...{ up: stage.words.old, across: stage.words.across },
    });
    const curves = recorded.map(({ key, points }) => ({
      ...{ name: stage.words[key], ...LOOKS[key] },
      points: points
        .filter((point) => point.step <= step)
        .map((point) => [point.step, point.readings.old[0]]),
    }));
    drawCurves(stage, plot, curves);
    drawPoint(stage, plot.x(Math.min(step, STEPS)), plot.y(readings.old[0]));
  },
  describe: (words, { readings: { old, fresh } }) => words.own(percent(old), percent(fresh)),
};
