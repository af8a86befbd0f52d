/**
 * What a network reads on the pad: the vote for each digit, up if above 0, down if below.
 *   readings.pad      the image, 8×8
 *   readings.answers  the ten votes
 *   readings.score    the accuracy on unseen digits
 */

import { percent } from './figure.js';
import { write } from './plot.js';

/** The height above the votes and below them. */
const [TOP, FOOT] = [40, 34];

/** Returns the digits with the highest vote; −1 before votes differ, null without a drawing. @param {Record<string, Float32Array>} readings @returns {(number | null)[]} */
export const bestOf = ({ pad, answers }) => {
  const most = Math.max(...answers);
  if (!pad.some(Boolean)) return [null];
  if (most === Math.min(...answers)) return [-1];
  return [...answers.keys()].filter((digit) => answers[digit] === most);
};

/** Says what the drawing is read as; nothing before the first step. @param {any} words @param {import('./figure.js').Model} model */
export const readOf = (words, { readings, step }) => (step ? words.read(...bestOf(readings)) : '');

/** @type {import('./figure.js').Drawn} */
export const features = {
  id: 'features',
  aspect: (width) => width / 150,
  draw({ pen, width, height, ink, colour, words }, { readings: given, step: steps }) {
    const { answers } = given;
    const step = width / answers.length;
    const best = bestOf(given);
    [pen.font, pen.lineWidth] = ['600 15px system-ui, sans-serif', 2];
    const [most, least] = [Math.max(2, ...answers), Math.min(-2, ...answers)];
    const unit = (height - TOP - FOOT) / (most - least);
    const zero = TOP + most * unit;
    pen.fillStyle = ink('muted');
    // Before the first step a network only guesses.
    write(pen, steps ? words.votes : words.read(-1), 0, 13, 'left');
    if (!steps) return;
    pen.fillStyle = ink('line');
    pen.fillRect(0, zero, width, 1);
    answers.forEach((vote, digit) => {
      const [x, wide, isBest] = [(digit + 0.5) * step, 0.6 * step, best.includes(digit)];
      pen.fillStyle = pen.strokeStyle = ink(isBest ? 'accent' : 'muted');
      write(pen, String(digit), x, height - 13, 'center');
      if (isBest) pen.strokeRect(x - step / 2 + 1, 19, step - 2, height - 28);
      if (vote) pen.fillStyle = colour(Math.sign(vote), 1);
      if (vote || isBest) pen.fillRect(x - wide / 2, zero, wide, -vote * unit || 4);
      if (!vote && isBest) write(pen, '0', x, zero - 6, 'center');
    });
  },
  describe: (words, { readings }) =>
    `${words.read(...bestOf(readings))} ${words.score(percent(readings.score))}`,
};
