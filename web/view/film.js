/**
 * Films a run: takes the grids as they are, several times a second, and makes an animated GIF,
 * which every browser can show. It has the colours of the palette, and two for locks.
 */

import { LEVELS, levelOf } from 'gradlock/grid';
import { Gif } from '../state/gif.js';
import { drawArrows, drawLocks } from './export.js';

/** @typedef {import('./grid.js').GridModel} GridModel */
/** @typedef {import('../scenes/layout.js').Part} Part */
/** @typedef {{ layout: Part[], model: GridModel }} Look */

/** The largest side of a grid, the space between grids, in pixels; the time between frames, in ms. */
const SIDE = 480;
const GAP = 16;
const PACE = 100;
/** How long the last frame is shown, in ms. */
const REST = 1500;

/** The indices of the two colours of locks. The two levels at each end of the scale share one. */
const DARK = 0;
const LIGHT = LEVELS - 1;

/** @param {number} level */
const indexOf = (level) => (level === LEVELS ? level : Math.max(1, Math.min(LEVELS - 2, level)));

/** Paints the grids one below the other, as indices of colours. */
class Sheet {
  #grids;
  /** What is drawn of locks and arrows, by pixel: 0 for nothing. */
  #locks;
  /** @type {Uint8Array | null} */
  #mask = null;
  /** @type {Float32Array | null} */
  #next = null;

  /** @param {Part[]} layout */
  constructor(layout) {
    let top = 0;
    this.#grids = layout.map((part) => {
      const longest = Math.max(part.rows, part.cols);
      // Of a grid with more cells than pixels, some cells are left out.
      const stride = Math.ceil(longest / SIDE);
      const [rows, cols] = [part.rows, part.cols].map((side) => Math.floor(side / stride));
      const cell = Math.max(1, Math.floor(SIDE / longest));
      const grid = { ...part, stride, shownRows: rows, shownCols: cols, cell, top };
      top += rows * cell + GAP;
      return grid;
    });
    this.width = Math.max(...this.#grids.map(({ shownCols, cell }) => shownCols * cell));
    this.height = top - GAP;
    this.#locks = new Uint8Array(this.width * this.height);
  }

  /** Draws locks and arrows. @param {GridModel} model */
  #drawMarks({ mask, next, reach }) {
    this.#mask = mask;
    this.#next = next;
    const canvas = document.createElement('canvas');
    canvas.width = this.width;
    canvas.height = this.height;
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    for (const { top, stride, cell, ...part } of this.#grids) {
      pen.setTransform(1, 0, 0, 1, 0, top);
      // Between cells that are left out, a hatch would show nothing.
      if (stride > 1) continue;
      drawLocks(pen, part, mask, cell);
      if (next) drawArrows(pen, part, { next, reach }, cell);
    }
    const { data } = pen.getImageData(0, 0, this.width, this.height);
    for (let i = 0; i < this.#locks.length; i++) {
      const isDrawn = data[4 * i + 3] > 100;
      this.#locks[i] = isDrawn ? (data[4 * i] < 128 ? 1 : 2) : 0;
    }
  }

  /** @param {GridModel} model @returns {Uint8Array} a new array of pixels */
  paint(model) {
    const { values, mask, next, reach, palette } = model;
    if (mask !== this.#mask || next !== this.#next) this.#drawMarks(model);
    const pixels = new Uint8Array(this.width * this.height).fill(LIGHT);
    for (const { cols, offset, stride, shownRows, shownCols, cell, top } of this.#grids) {
      for (let i = 0; i < shownRows * shownCols; i++) {
        const [row, col] = [Math.floor(i / shownCols), i % shownCols];
        const value = values[offset + row * stride * cols + col * stride];
        const index = indexOf(levelOf(value, reach, palette));
        for (let y = 0; y < cell; y++) {
          const from = (top + row * cell + y) * this.width + col * cell;
          pixels.fill(index, from, from + cell);
        }
      }
    }
    for (const [i, lock] of this.#locks.entries()) if (lock) pixels[i] = lock === 1 ? DARK : LIGHT;
    return pixels;
  }
}

/** @param {import('gradlock/grid').Palette} palette @returns {number[][]} */
function coloursOf({ pixels }) {
  const colours = Array.from(pixels, (pixel) => [
    pixel & 255,
    (pixel >> 8) & 255,
    (pixel >> 16) & 255,
  ]);
  colours[DARK] = [27, 29, 33];
  colours[LIGHT] = [255, 255, 255];
  return colours;
}

export class Film {
  #look;
  #isOn = false;

  /** @param {() => Look} look returns what the grids show now */
  constructor(look) {
    this.#look = look;
  }

  /** Ends the film that is being recorded. */
  stop() {
    this.#isOn = false;
  }

  /** Records the grids until time is up, `stop` is called, or other grids are shown. @param {number} seconds @returns {Promise<Blob>} an animated GIF */
  async record(seconds) {
    this.#isOn = true;
    const { layout, model } = this.#look();
    const shape = JSON.stringify(layout);
    const sheet = new Sheet(layout);
    const gif = new Gif(sheet.width, sheet.height, coloursOf(model.palette));
    const began = performance.now();
    let [pixels, at] = [sheet.paint(model), began];
    while (this.#isOn && performance.now() - began < 1000 * seconds) {
      await new Promise((done) => setTimeout(done, PACE));
      const look = this.#look();
      if (JSON.stringify(look.layout) !== shape) break;
      const now = performance.now();
      gif.add(pixels, now - at);
      [pixels, at] = [sheet.paint(look.model), now];
    }
    this.#isOn = false;
    gif.add(pixels, REST);
    return new Blob(gif.end(), { type: 'image/gif' });
  }
}
