/**
 * A network's view of the image on the pad: the score of each digit, and the map of each kernel.
 * What a person draws is centred and made 8×8 for it: that image is left of the scores.
 *   readings.pad      the image, 8×8
 *   shown.layers      { reading, side, kernels }: a convolution each, its maps,
 *                     side × side × count, and its kernels' grids, if it has them
 *   readings.answers  ten shares, 0 to 1
 *   readings.score    the accuracy on unseen digits, if the scene has it
 */

import { percent } from './figure.js';

const DIGITS = 10;
const SIDE = 8;
/** The space between images, and for a kernel above its map, in CSS pixels. */
const GAP = 8;
/** The height of the image and the answers. */
const HEAD = 92;
/** Below this width, maps are in two lines. */
const NARROW = 420;
/** The largest side of a map. */
const LARGEST = 84;

/** @typedef {import('./figure.js').Model} Model */
/** @typedef {{ reading: string, side: number, kernels: string[] | null }} Layer */
/** @typedef {{ x: number, y: number, size: number }} Square */

/** Returns the number of a layer's maps. @param {Layer} layer */
const countOf = ({ kernels, side }) => kernels?.length ?? (side === 2 ? 4 : 8);

/** Returns the positions of all parts. @param {number} width @param {Pick<Model, 'shown' | 'layout'>} model */
function squaresOf(width, model) {
  let top = HEAD + GAP;
  const layers = model.shown.layers.map((/** @type {Layer} */ layer) => {
    const count = countOf(layer);
    const across = width < NARROW && count > 4 ? 4 : count;
    const size = Math.min(LARGEST, (width - GAP * (across - 1)) / across);
    const kernel = layer.kernels ? size * 0.6 : 0;
    const tall = size + kernel + (layer.kernels ? 4 : 0) + GAP;
    const maps = Array.from({ length: count }, (_, i) => ({
      x: (i % across) * (size + GAP),
      y: top + Math.floor(i / across) * tall + kernel + (kernel ? 4 : 0),
      size,
    }));
    top += Math.ceil(count / across) * tall;
    return { layer, maps, kernel };
  });
  return { layers, height: top };
}

/** Returns one map of many, whose channels are interleaved. @param {Float32Array} all @param {number} count @param {number} i */
const channel = (all, count, i) => all.filter((_, at) => at % count === i);

/** Returns the largest absolute value, at least 0.05. @param {Float32Array} values */
const reachOf = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0.05);

/** Draws the answers as ten bars. @param {import('./figure.js').Stage} stage @param {Float32Array} answers @param {number} left */
function drawAnswers({ pen, width, ink }, answers, left) {
  const step = (width - left) / DIGITS;
  const best = answers.indexOf(Math.max(...answers));
  pen.textAlign = 'center';
  answers.forEach((share, digit) => {
    const x = left + (digit + 0.5) * step;
    const wide = Math.min(24, step - 4);
    const tall = Math.max(1, share * (HEAD - 24));
    const isBest = digit === best && share > 0;
    pen.fillStyle = ink(isBest ? 'accent' : 'edge');
    pen.fillRect(x - wide / 2, HEAD - 18 - tall, wide, tall);
    pen.fillStyle = ink(isBest ? 'accent' : 'muted');
    pen.font = `${isBest ? '700 16px' : '14px'} system-ui, sans-serif`;
    pen.fillText(String(digit), x, HEAD - 2);
  });
  pen.strokeStyle = ink('line');
  pen.lineWidth = 1;
  pen.strokeRect(left + 0.5, HEAD - 17.5, width - left - 1, 0);
}

/** @type {import('./figure.js').Drawn} */
export const features = {
  id: 'features',
  aspect: (width, model) => width / squaresOf(width, model).height,
  draw(stage, { shown, readings, values, locks, layout, reach, lit }) {
    const { pen, width, ink, image } = stage;
    const { layers } = squaresOf(width, { shown, layout });
    pen.imageSmoothingEnabled = false;
    /** @type {Float32Array[]} */
    const samples = shown.samples.images;
    const isSample = samples.some((one) => one.every((value, i) => value === readings.pad[i]));
    const size = isSample ? 0 : HEAD - 12;
    if (size) pen.drawImage(image(readings.pad, SIDE, 1.4), 0, 0, size, size);
    drawAnswers(stage, readings.answers, size && size + 2 * GAP);
    for (const { layer, maps, kernel } of layers) {
      const all = readings[layer.reading];
      const most = reachOf(all);
      maps.forEach((/** @type {Square} */ { x, y, size }, /** @type {number} */ i) => {
        const map = channel(all, maps.length, i);
        pen.drawImage(image(map, layer.side, most), x, y, size, size);
        pen.lineWidth = 1;
        pen.strokeStyle = ink('edge');
        pen.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
        const name = layer.kernels?.[i];
        if (!name) return;
        const left = x + (size - kernel) / 2;
        const up = y - kernel - 4;
        pen.drawImage(image(values[name], 3, reach), left, up, kernel, kernel);
        const part = layout.find((one) => one.name === name);
        const isLit = part && lit >= part.offset && lit < part.offset + 9;
        const isHeld = locks[name].every(Boolean);
        pen.lineWidth = isLit ? 3 : isHeld ? 2 : 1;
        pen.strokeStyle = ink(isLit ? 'accent' : isHeld ? 'ink' : 'edge');
        if (isHeld) pen.setLineDash([3, 2]);
        pen.strokeRect(left + 0.5, up + 0.5, kernel - 1, kernel - 1);
        pen.setLineDash([]);
      });
    }
  },
  describe(words, { readings: { answers, score, pad } }) {
    const best = answers.indexOf(Math.max(...answers));
    const isBlank = pad.every((value) => value === 0);
    return words.label(isBlank ? null : best, score ? percent(score) : null);
  },
};
