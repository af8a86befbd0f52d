/**
 * A pad to draw digits on, by pointer or keys, or to load samples. Its image is the input `pad` of
 * the scene's readings, 8×8.
 *   shown.samples   { images, labels, first }: the samples, and the first one shown
 *   readings.pad    the engine's copy of the image
 */

import { ARROWS } from './buttons.js';
import { imageOf } from './digitize.js';
import { circle, stroke } from './plot.js';

/** The distance of an arrow key's move, relative to the pad's width. */
const STEP = 1 / 16;
const SIDE = 8;

/** @param {number} value */
const within = (value) => Math.max(0, Math.min(1, value));

/** The content of the pad, and the pen's position. */
class Sheet {
  /** @type {import('./digitize.js').Stroke[]} */
  strokes = [];
  /** A sample digit, or the image from before a rebuild. @type {Float32Array | null} */
  image = null;
  /** The position of the keyboard's pen. */
  at = [0.5, 0.5];
  isDown = false;

  /** @param {number} x @param {number} y @param {boolean} isNew */
  draw(x, y, isNew) {
    this.image = null;
    if (isNew || !this.strokes.length) this.strokes.push([]);
    this.strokes.at(-1)?.push(x, y);
  }

  /** @param {Float32Array | null} image */
  put(image) {
    this.strokes = [];
    this.image = image;
    this.isDown = false;
  }
}

/** Draws the sheet. @param {import('./figure.js').Stage} stage @param {Sheet} sheet @param {boolean} hasFocus */
function paint({ pen, width, ink, image }, { image: put, strokes, at, isDown }, hasFocus) {
  pen.imageSmoothingEnabled = false;
  if (put) pen.drawImage(image(put, SIDE, 1.4), 0, 0, width, width);
  [pen.strokeStyle, pen.lineWidth] = [ink('line'), 1];
  for (let i = 1; i < SIDE; i++) {
    const x = Math.round((i / SIDE) * width) + 0.5;
    stroke(pen, [x, 0], [x, width]);
    stroke(pen, [0, x], [width, x]);
  }
  [pen.strokeStyle, pen.lineWidth] = [ink('ink'), width / 11];
  pen.lineCap = pen.lineJoin = 'round';
  for (const line of strokes) {
    const points = line.flatMap((x, i) => (i % 2 ? [] : [[x * width, line[i + 1] * width]]));
    // A dot is a very short line.
    stroke(pen, ...points, [points[points.length - 1][0] + 0.01, points[points.length - 1][1]]);
  }
  [pen.strokeStyle, pen.lineWidth] = [ink('edge'), 1];
  pen.strokeRect(0.5, 0.5, width - 1, width - 1);
  if (!hasFocus) return;
  [pen.strokeStyle, pen.lineWidth] = [ink('accent'), isDown ? 4 : 2];
  circle(pen, at[0] * width, at[1] * width, width / 18);
  pen.stroke();
}

/** By pointer: draws while it is pressed. @param {HTMLCanvasElement} canvas @param {Sheet} sheet @param {() => void} changed */
function listenToPointer(canvas, sheet, changed) {
  const draw = (/** @type {PointerEvent} */ { offsetX, offsetY }, isNew = false) => {
    const side = Math.max(1, canvas.clientWidth);
    sheet.draw(within(offsetX / side), within(offsetY / side), isNew);
    changed();
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    draw(event, true);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) draw(event);
  });
}

/** By keys: Space lowers or lifts the pen, arrows move it, Delete clears. @param {HTMLCanvasElement} canvas @param {Sheet} sheet @param {() => void} changed */
function listenToKeys(canvas, sheet, changed) {
  canvas.addEventListener('keydown', (event) => {
    const arrow = ARROWS[event.key];
    if (arrow) {
      sheet.at = [within(sheet.at[0] + STEP * arrow[0]), within(sheet.at[1] - STEP * arrow[1])];
      if (sheet.isDown) sheet.draw(sheet.at[0], sheet.at[1], false);
    } else if (event.key === ' ' || event.key === 'Enter') {
      sheet.isDown = !sheet.isDown;
      if (sheet.isDown) sheet.draw(sheet.at[0], sheet.at[1], true);
    } else if (event.key === 'Delete' || event.key === 'Backspace') sheet.put(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
    changed();
  });
}

/** @param {(model: import('./figure.js').Model) => number} [firstOf]  the sample to show, and again when it changes, until a person draws @returns {import('./figure.js').Built} */
export const pad = (firstOf = ({ shown }) => shown.samples.first) => ({
  id: 'pad',
  isOnce: true,
  build(host, { words, intents, stageOf, h }) {
    const sheet = new Sheet();
    /** @type {import('./figure.js').Model | null} */
    let model = null;
    let isOwn = false; // a person has changed it
    const canvas = h('canvas', { class: 'pad-sheet', tabindex: 0, role: 'application' });
    const show = () => {
      paint(stageOf(canvas, 1), sheet, document.activeElement === canvas);
      canvas.setAttribute('aria-label', words.label(sheet.isDown));
    };
    const changed = () => {
      isOwn = true;
      intents.tell('pad', sheet.image ?? imageOf(sheet.strokes));
      show();
    };
    listenToPointer(canvas, sheet, changed);
    listenToKeys(canvas, sheet, changed);
    for (const type of ['focus', 'blur']) canvas.addEventListener(type, show);

    const turns = Array.from({ length: 10 }, () => 0); // how often each digit was shown
    const put = (/** @type {number} */ digit) => {
      /** @type {{ images: Float32Array[], labels: number[] }} */
      const { images, labels } = model?.shown.samples ?? { images: [], labels: [] };
      const own = images.filter((_, i) => labels[i] === digit);
      sheet.put(own[turns[digit]++ % own.length]);
      changed();
    };
    /** @param {string} text @param {string} name @param {() => void} onclick */
    const button = (text, name, onclick) => {
      const looks = { type: 'button', class: 'button', 'aria-label': name, title: name };
      return h('button', { ...looks, onclick }, text);
    };
    const samples = Array.from({ length: 10 }, (_, digit) =>
      button(String(digit), words.sample(digit), () => put(digit)),
    );
    const look = { class: 'pad-digits is-more', role: 'group', 'aria-label': words.samples };
    const digits = h('div', look, ...samples);
    const clear = button(words.clear, words.clear, () => {
      sheet.put(null);
      changed();
    });
    host.append(words.here ? h('p', {}, words.here) : '', canvas, digits, clear);
    return {
      draw(now) {
        const [before, first] = [model && firstOf(model), firstOf(now)];
        model = now;
        // After a rebuild, the engine still has the last image.
        if (before === null && now.readings.pad.some(Boolean)) {
          sheet.put(now.readings.pad);
          isOwn = true;
        } else if (first !== before && !isOwn) {
          put(first);
          isOwn = false;
        }
        show();
      },
    };
  },
});
