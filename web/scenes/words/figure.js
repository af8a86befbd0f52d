/**
 * Words on a plane: the position of each, its right position, and the distance between them.
 *   shown.words, shown.isNew, shown.meant  a word each, true if new, and its right position, [x, y]
 *   shown.old                  the number of those that are not new
 *   readings.map               x, y of each
 */

import { percent } from '../shared/figure.js';
import { circle, FONT, stroke, write } from '../shared/plot.js';
import { placeLabels } from './labels.js';

const RADIUS = 3.4;
/** The margin for the names of the axes' ends, and for points at the border. */
const MARGIN = 20;

/** Returns the scale from the square −1..1 to the plot. @param {number} width @param {number} height */
const scale = (width, height) => (/** @type {number} */ x, /** @type {number} */ y) => {
  const clamp = (/** @type {number} */ at, /** @type {number} */ end) =>
    Math.min(end - 8, Math.max(8, at));
  return [
    clamp(width / 2 + (x / 1.08) * (width / 2 - MARGIN), width),
    clamp(height / 2 - (y / 1.05) * (height / 2 - MARGIN), height),
  ];
};

/** Draws the plot, its axes, and the meaning of their ends. @param {import('../shared/figure.js').Stage} stage */
function drawAxes({ pen, width, height, ink, words }) {
  pen.strokeStyle = ink('line');
  pen.lineWidth = 1;
  pen.strokeRect(0.5, 0.5, width - 1, height - 1);
  stroke(pen, [width / 2, MARGIN], [width / 2, height - MARGIN]);
  stroke(pen, [8, height / 2], [width - 8, height / 2]);
  pen.font = FONT;
  pen.fillStyle = ink('muted');
  const ends = /** @type {[string, number, number, CanvasTextAlign][]} */ ([
    [words.large, width / 2, 14, 'center'],
    [words.small, width / 2, height - 6, 'center'],
    [words.animal, 6, height / 2 - 5, 'left'],
    [words.thing, width - 6, height / 2 - 5, 'right'],
    ...(width < 300 ? [] : [[`○ ${words.belongs}`, width / 2 + 40, height - 6, 'left']]),
  ]);
  return ends.map(([text, x, y, align]) => {
    write(pen, text, x, y, align);
    const wide = pen.measureText(text).width;
    const left = { left: x, center: x - wide / 2, right: x - wide }[/** @type {string} */ (align)];
    return { x: left ?? x, y: y - 11, width: wide, height: 14 };
  });
}

/** @type {import('../shared/figure.js').Drawn} */
export const words = {
  id: 'words',
  aspect: 1,
  draw(stage, { shown, readings: { map }, step }) {
    const { pen, width, height, ink, memory, name, words } = stage;
    const at = scale(width, height);
    const axes = drawAxes(stage);
    const fontOf = (/** @type {number} */ i) => `${shown.isNew[i] ? 'italic ' : ''}${FONT}`;
    /** A word has its name where it belongs, however far it is. @type {{ here: number[], there: number[], isGone: boolean }[]} */
    const points = shown.meant.map((/** @type {number[]} */ [x, y], /** @type {number} */ i) => {
      const [here, there] = [at(map[2 * i], map[2 * i + 1]), at(x, y)];
      const isGone = !shown.isNew[i] && Math.hypot(here[0] - there[0], here[1] - there[1]) > 8;
      return { here, there, isGone };
    });
    const names = shown.words.map(name);
    const sizes = names.map((/** @type {string} */ text, /** @type {number} */ i) => {
      pen.font = fontOf(i);
      return { width: pen.measureText(text).width + 4, height: 14 };
    });
    // They depend on what stays.
    if (memory.width !== width) {
      const rings = points.map(({ there: [x, y] }) => ({ x, y, radius: 5 }));
      const room = { x: 2, y: 2, width: width - 4, height: height - 4 };
      Object.assign(memory, { width, boxes: placeLabels(rings, sizes, room, axes) });
    }
    const { boxes } = memory;
    points.forEach(({ here, there }, i) => {
      [pen.strokeStyle, pen.lineWidth] = [ink(shown.isNew[i] ? 'line' : 'accent'), 1];
      if (step) stroke(pen, here, there);
      circle(pen, there[0], there[1], 4.5);
      pen.strokeStyle = ink('edge');
      pen.stroke();
      const { x, y, width: wide, height: tall } = boxes[i];
      // A line connects a distant label with its point.
      const near = [
        Math.min(x + wide, Math.max(x, there[0])),
        Math.min(y + tall, Math.max(y, there[1])),
      ];
      pen.lineWidth = 0.75;
      if (Math.hypot(near[0] - there[0], near[1] - there[1]) > 14) stroke(pen, there, near);
    });
    const newInk = ink(points.some((/** @type {any} */ { isGone }) => isGone) ? 'muted' : 'accent');
    points.forEach(({ here }, i) => {
      pen.fillStyle = shown.isNew[i] ? newInk : ink('ink');
      circle(pen, here[0], here[1], RADIUS);
      pen.fill();
    });
    points.forEach(({ isGone }, i) => {
      pen.font = fontOf(i);
      pen.fillStyle = shown.isNew[i] ? newInk : ink(isGone ? 'muted' : 'ink');
      const [x, y] = [boxes[i].x + 2, boxes[i].y + 11];
      [pen.textAlign, pen.strokeStyle, pen.lineWidth] = ['left', ink('paper'), 5];
      pen.strokeText(names[i], x, y);
      pen.fillText(names[i], x, y);
    });
    if (step) return;
    // What is new starts in a heap.
    [pen.font, pen.fillStyle] = [FONT, ink('accent')];
    pen.strokeText(words.start, width / 2 + 36, height / 2 + 26);
    pen.fillText(words.start, width / 2 + 36, height / 2 + 26);
  },
  headline: (words, { readings: { score }, shown: { old } }) =>
    words.inPlace(Math.round(score[0] * old), old),
  describe: (words, { readings }) => words.label(percent(readings.score)),
};
