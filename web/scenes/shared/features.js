/**
 * What a network reads on the pad: the vote for each digit, up if above 0, down if below. What a
 * person draws is centred and made 8×8 for it: that image is left of the votes.
 *   readings.pad      the image, 8×8
 *   readings.answers  the ten votes
 *   readings.score    the accuracy on unseen digits, if the scene has it
 */

import { percent } from './figure.js';
import { write } from './plot.js';

const SIDE = 8;
/** The height of the heading, and of the digits below the answers. */
const [TOP, FOOT] = [24, 22];
const GAP = 16;

/** Returns the digit with the highest vote; −1 before it is higher than others. @param {Float32Array} answers */
const bestOf = (answers) => {
  const most = Math.max(...answers);
  return most > Math.min(...answers) ? answers.indexOf(most) : -1;
};

/** @type {import('./figure.js').Drawn} */
export const features = {
  id: 'features',
  // With a headline as high as the pad beside it.
  aspect: (width) => width / 108,
  draw({ pen, width, height, ink, colour, image, words }, { shown, readings: { pad, answers } }) {
    pen.imageSmoothingEnabled = false;
    /** @type {Float32Array[]} */
    const samples = shown.samples.images;
    const isSample = samples.some((one) => one.every((value, i) => value === pad[i]));
    const size = isSample ? 0 : Math.min(width / 4, height - TOP - FOOT);
    if (size) pen.drawImage(image(pad, SIDE, 1.4), 0, height - FOOT - size, size, size);
    const left = size && size + GAP;
    const step = (width - left) / answers.length;
    const best = bestOf(answers);
    pen.font = `600 15px system-ui, sans-serif`;
    pen.fillStyle = ink('ink');
    pen.textAlign = 'left';
    pen.fillText(words.read(pad.some(Boolean) ? best : null), 0, 14, width);
    const half = (height - TOP - FOOT) / 2;
    const most = Math.max(4, ...answers.map(Math.abs));
    answers.forEach((vote, digit) => {
      const x = left + (digit + 0.5) * step;
      const wide = Math.min(24, step - 4);
      pen.fillStyle = ink('edge');
      pen.fillRect(x - wide / 2, TOP + half, wide, 1);
      pen.fillStyle = colour(Math.sign(vote), 1);
      pen.fillRect(x - wide / 2, TOP + half, wide, (-vote / most) * half);
      pen.fillStyle = ink(digit === best ? 'accent' : 'muted');
      pen.font = `${digit === best ? '700 16px' : '14px'} system-ui, sans-serif`;
      write(pen, String(digit), x, height - 4, 'center');
    });
  },
  describe(words, { readings: { answers, score, pad } }) {
    const read = words.read(pad.some(Boolean) ? bestOf(answers) : null);
    return score ? `${read} ${words.score(percent(score))}` : read;
  },
};
