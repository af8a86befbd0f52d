/**
 * What a network reads on the pad: the vote for each digit, up if above 0, down if below.
 *   readings.pad      the image, 8×8
 *   readings.answers  the ten votes
 *   readings.score    the accuracy on unseen digits
 */

import { percent } from './figure.js';
import { write } from './plot.js';

/** The height of the heading, and of the digits below the answers. */
const [TOP, FOOT] = [24, 22];

/** Returns the digit with the highest vote; −1 before it is higher than others. @param {Float32Array} answers */
const bestOf = (answers) => {
  const most = Math.max(...answers);
  return most > Math.min(...answers) ? answers.indexOf(most) : -1;
};

/** @type {import('./figure.js').Drawn} */
export const features = {
  id: 'features',
  // With a headline as high as the pad beside it.
  aspect: (width) => width / 130,
  draw({ pen, width, height, ink, colour, words }, { readings: { pad, answers } }) {
    const step = width / answers.length;
    const best = bestOf(answers);
    pen.font = `600 15px system-ui, sans-serif`;
    pen.fillStyle = ink('ink');
    pen.textAlign = 'left';
    pen.fillText(words.read(pad.some(Boolean) ? best : null), 0, 14, width);
    const [most, least] = [Math.max(2, ...answers), Math.min(-2, ...answers)];
    const unit = (height - TOP - FOOT) / (most - least);
    pen.fillStyle = ink('line');
    pen.fillRect(0, TOP + most * unit, width, 1);
    answers.forEach((vote, digit) => {
      const [x, wide] = [(digit + 0.5) * step, 0.7 * step];
      pen.fillStyle = vote ? colour(Math.sign(vote), 1) : ink(digit === best ? 'accent' : 'edge');
      pen.fillRect(x - wide / 2, TOP + most * unit, wide, -vote * unit || 2);
      pen.fillStyle = ink(digit === best ? 'accent' : 'muted');
      pen.font = `${digit === best ? '700 16px' : '14px'} system-ui, sans-serif`;
      write(pen, String(digit), x, height - 4, 'center');
    });
  },
  describe: (words, { readings: { answers, score, pad } }) =>
    `${words.read(pad.some(Boolean) ? bestOf(answers) : null)} ${words.score(percent(score))}`,
};
