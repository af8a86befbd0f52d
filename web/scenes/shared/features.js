/**
 * What a network reads on the pad: the score of each digit. What a person draws is centred and made
 * 8×8 for it: that image is left of the scores.
 *   readings.pad      the image, 8×8
 *   readings.answers  ten shares, 0 to 1
 *   readings.score    the accuracy on unseen digits, if the scene has it
 */

import { percent } from './figure.js';
import { write } from './plot.js';

const SIDE = 8;
/** The height of the heading, and of the digits below the answers. */
const [TOP, FOOT] = [24, 22];
const GAP = 16;

/** Returns the likeliest digit; −1 before one is likelier than the others. @param {Float32Array} answers */
const bestOf = (answers) => {
  const most = Math.max(...answers);
  return most > 1.01 * Math.min(...answers) ? answers.indexOf(most) : -1;
};

/** @type {import('./figure.js').Drawn} */
export const features = {
  id: 'features',
  // With a headline as high as the pad beside it.
  aspect: (width) => width / 108,
  draw({ pen, width, height, ink, image, words }, { shown, readings: { pad, answers } }) {
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
    answers.forEach((share, digit) => {
      const x = left + (digit + 0.5) * step;
      const wide = Math.min(24, step - 4);
      const tall = Math.max(1, (share / Math.max(0.5, ...answers)) * (height - TOP - FOOT));
      pen.fillStyle = ink(digit === best ? 'accent' : 'edge');
      pen.fillRect(x - wide / 2, height - FOOT - tall, wide, tall);
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
