/** The figures of scenes that have one: drawn from readings, on a canvas. Each says in words what it shows. */

import { strings } from '../strings.js';
import { colour, levelOf } from 'gradlock/grid';
import { token } from './dom.js';

/** @typedef {import('../scenes/scene.js').Figure} Figure */
/** @typedef {Record<string, Float32Array>} Readings */
/** @typedef {import('gradlock/grid').Palette} Palette */

/**
 * A canvas of the room it has, and its pen.
 * @param {HTMLCanvasElement} canvas @param {number} aspect width by height
 */
function prepare(canvas, aspect) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = Math.round(width / aspect);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  pen.clearRect(0, 0, width, height);
  return { pen, width, height, ratio };
}

/** Small values as an image that is enlarged. @param {Float32Array} values @param {number} cols @param {number} reach @param {Palette} palette */
function imageOf(values, cols, reach, palette) {
  const image = new ImageData(cols, values.length / cols);
  colour(values, reach, palette, new Uint32Array(image.data.buffer));
  const small = document.createElement('canvas');
  small.width = cols;
  small.height = values.length / cols;
  small.getContext('2d')?.putImageData(image, 0, 0);
  return small;
}

/** @typedef {(canvas: HTMLCanvasElement, figure: any, readings: Readings, palette: Palette) => void} Draw */

/** The square as the network sees it, and the points. @type {Draw} */
function plane(canvas, { side, points }, { map }, palette) {
  const { pen, width, height, ratio } = prepare(canvas, 1);
  pen.imageSmoothingEnabled = true;
  pen.drawImage(imageOf(map, side, 1.5, palette), 0, 0, width, height);
  for (const [x, y, label] of points) {
    const at = [((x + 1) / 2) * width, ((1 - y) / 2) * height];
    pen.beginPath();
    // Shapes, not colours alone: the one are discs, the other squares.
    if (label > 0) pen.arc(at[0], at[1], 3.6 * ratio, 0, 7);
    else pen.rect(at[0] - 3.2 * ratio, at[1] - 3.2 * ratio, 6.4 * ratio, 6.4 * ratio);
    pen.fillStyle = palette.css[levelOf(label, 1)];
    pen.fill();
    pen.strokeStyle = '#fff';
    pen.lineWidth = 1.3 * ratio;
    pen.stroke();
  }
}

/** What was written, and what it was taken for. @type {Draw} */
function images(canvas, { cols, images: shown, labels }, { guesses }, palette) {
  const across = canvas.clientWidth > 420 ? 10 : 5;
  const lines = Math.ceil(shown.length / across);
  const { pen, width, height, ratio } = prepare(canvas, across / (lines * 1.42));
  const cell = width / across;
  pen.imageSmoothingEnabled = false;
  pen.textAlign = 'center';
  pen.font = `600 ${14 * ratio}px system-ui, sans-serif`;
  shown.forEach((/** @type {Float32Array} */ image, /** @type {number} */ i) => {
    const [x, y] = [(i % across) * cell, (Math.floor(i / across) * height) / lines];
    const inner = cell - 6 * ratio;
    pen.drawImage(imageOf(image, cols, 1.4, palette), x, y, inner, inner);
    const isRight = guesses[i] === labels[i];
    pen.fillStyle = token(isRight ? 'muted' : 'accent');
    const text = isRight ? `${guesses[i]}` : `✗ ${guesses[i]}`;
    pen.fillText(text, x + inner / 2, y + inner + 16 * ratio);
  });
}

/** Where each word is, where it should be, and how far it is from there. @type {Draw} */
function words(canvas, { words: names, isNew, meant }, { map }) {
  const { pen, width, height, ratio } = prepare(canvas, 1.15);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => [
    ((x / 1.25 + 1) / 2) * width,
    ((1 - y / 1.15) / 2) * height,
  ];
  pen.strokeStyle = token('line');
  pen.lineWidth = ratio;
  pen.strokeRect(0.5 * ratio, 0.5 * ratio, width - ratio, height - ratio);
  pen.beginPath();
  pen.moveTo(width / 2, 0);
  pen.lineTo(width / 2, height);
  pen.moveTo(0, height / 2);
  pen.lineTo(width, height / 2);
  pen.stroke();
  pen.font = `${12 * ratio}px system-ui, sans-serif`;
  pen.fillStyle = token('muted');
  const { small, large, animal, thing } = strings.figure;
  pen.textAlign = 'center';
  pen.fillText(large, width / 2, 14 * ratio);
  pen.fillText(small, width / 2, height - 6 * ratio);
  pen.textAlign = 'left';
  pen.fillText(animal, 6 * ratio, height / 2 - 5 * ratio);
  pen.textAlign = 'right';
  pen.fillText(thing, width - 6 * ratio, height / 2 - 5 * ratio);
  names.forEach((/** @type {string} */ name, /** @type {number} */ i) => {
    const here = at(map[2 * i], map[2 * i + 1]);
    const there = at(meant[i][0], meant[i][1]);
    pen.strokeStyle = token('accent');
    pen.lineWidth = 1.2 * ratio;
    pen.setLineDash([2 * ratio, 3 * ratio]);
    pen.beginPath();
    pen.moveTo(here[0], here[1]);
    pen.lineTo(there[0], there[1]);
    pen.stroke();
    pen.setLineDash([]);
    pen.beginPath();
    pen.arc(there[0], there[1], 4 * ratio, 0, 7);
    pen.strokeStyle = token('edge');
    pen.stroke();
    pen.beginPath();
    pen.arc(here[0], here[1], 3.4 * ratio, 0, 7);
    pen.fillStyle = token(isNew[i] ? 'accent' : 'ink');
    pen.fill();
    pen.textAlign = here[0] > width * 0.72 ? 'right' : 'left';
    const side = here[0] > width * 0.72 ? -7 : 7;
    pen.font = `${isNew[i] ? 'italic ' : ''}${12 * ratio}px system-ui, sans-serif`;
    pen.fillText(name, here[0] + side * ratio, here[1] - 5 * ratio);
  });
}

/** What was measured, as dots; what the model makes of it, and of what parts. @type {Draw} */
function curves(canvas, { measured, names }, { all, each }, palette) {
  const { pen, width, height, ratio } = prepare(canvas, 1.9);
  const count = measured.length;
  const x = (/** @type {number} */ i) => ((i + 0.5) / count) * width;
  const y = (/** @type {number} */ value) => height * (0.92 - value * 0.72);
  const line = (/** @type {ArrayLike<number>} */ values) => {
    pen.beginPath();
    for (let i = 0; i < count; i++) pen.lineTo(x(i), y(values[i]));
    pen.stroke();
  };
  pen.fillStyle = token('edge');
  measured.forEach((/** @type {number} */ value, /** @type {number} */ i) => {
    pen.fillRect(x(i) - 1.2 * ratio, y(value) - 1.2 * ratio, 2.4 * ratio, 2.4 * ratio);
  });
  pen.font = `${12 * ratio}px system-ui, sans-serif`;
  pen.textAlign = 'center';
  pen.strokeStyle = palette.css[levelOf(0.8, 1)];
  pen.fillStyle = token('ink');
  pen.lineWidth = 1.2 * ratio;
  pen.setLineDash([4 * ratio, 3 * ratio]);
  names.forEach((/** @type {string} */ name, /** @type {number} */ k) => {
    const part = each.subarray(k * count, (k + 1) * count);
    line(part);
    const top = part.indexOf(Math.max(...part));
    if (top >= 0) pen.fillText(name, x(top), height - 3 * ratio);
  });
  pen.setLineDash([]);
  pen.strokeStyle = token('ink');
  pen.lineWidth = 2 * ratio;
  line(all);
}

/** @type {Record<Figure['kind'], Draw>} */
const kinds = { plane, images, words, curves };

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Figure} figure
 * @param {Readings} readings
 * @param {{ palette: Palette }} look
 * @returns {string} what it shows
 */
export function drawFigure(canvas, figure, readings, { palette }) {
  kinds[figure.kind](canvas, figure, readings, palette);
  const share = readings.score?.[0] ?? 0;
  return strings.figure[figure.kind](`${(100 * share).toFixed(0)} %`);
}
