/**
 * Films a run: takes the grids as they are, several times a second, and makes an animated GIF,
 * which every browser can show. It has the colours of the palette, and two for locks.
 */

import { LEVELS, levelOf } from 'gradlock/grid';
import { Gif } from '../state/gif.js';
import { h } from './dom.js';
import { arrange, drawMarks, drawNames } from './export.js';

/** @typedef {import('./grid.js').GridModel} GridModel */
/** @typedef {import('./export.js').Pane} Pane */
/** @typedef {import('../scenes/layout.js').Part} Part */
/** @typedef {{ layout: Part[], panes: readonly Pane[] }} View */

/** In pixels: the largest side of a grid, the space between grids, the height of a line of names. */
const SIDE = 480;
const GAP = 16;
const LINE = 32;
/** The time between frames, in ms. */
const PACE = 100;
/** How long the last frame is shown, in ms. */
const REST = 1500;

/** The indices of the two colours of locks. The two levels at each end of the scale share one. */
const DARK = 0;
const LIGHT = LEVELS - 1;

/** @param {number} level */
const indexOf = (level) => (level === LEVELS ? level : Math.max(1, Math.min(LEVELS - 2, level)));

/** Paints the grids, and two runs side by side, as indices of colours. */
class Sheet {
  #grids;
  #wide;
  #line;
  /** What is drawn of names, locks and bars, by pixel: 0 for nothing. */
  #marks;
  /** The arrays that it was drawn of. @type {unknown[]} */
  #drawn = [];

  /** @param {Part[]} layout @param {number} count of runs */
  constructor(layout, count) {
    const line = count > 1 ? LINE : 0;
    // Many grids share the size of one.
    const side = Math.floor(SIDE / (layout.length > 3 ? Math.ceil(Math.sqrt(layout.length)) : 1));
    const grids = layout.map((part) => {
      const longest = Math.max(part.rows, part.cols);
      // Of a grid with more cells than pixels, some cells are left out.
      const stride = Math.ceil(longest / side);
      const [rows, cols] = [part.rows, part.cols].map((all) => Math.floor(all / stride));
      const cell = Math.max(1, Math.floor(side / longest));
      const size = { width: cols * cell, height: rows * cell };
      return { ...part, stride, shownRows: rows, shownCols: cols, cell, ...size };
    });
    const { positions, width, height } = arrange(grids, GAP);
    this.#grids = grids.map((grid, i) => ({
      ...grid,
      left: positions[i].left,
      top: line + positions[i].top,
    }));
    this.#wide = width;
    this.#line = line;
    this.width = count * (width + GAP) - GAP;
    this.height = line + height;
    this.#marks = new Uint8Array(this.width * this.height);
  }

  /** Draws names, locks and bars. @param {readonly Pane[]} panes */
  #drawMarks(panes) {
    const canvas = h('canvas', { width: this.width, height: this.height });
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    drawNames(pen, panes, this.#wide, this.#line, GAP);
    for (const [n, { model }] of panes.entries()) {
      for (const { left, top, stride, cell, ...part } of this.#grids) {
        pen.setTransform(1, 0, 0, 1, n * (this.#wide + GAP) + left, top);
        // Between cells that are left out, an outline would show nothing.
        if (stride === 1) drawMarks(pen, part, model, cell);
      }
    }
    const { data } = pen.getImageData(0, 0, this.width, this.height);
    for (let i = 0; i < this.#marks.length; i++) {
      const isDrawn = data[4 * i + 3] > 100;
      this.#marks[i] = isDrawn ? (data[4 * i] < 128 ? 1 : 2) : 0;
    }
  }

  /** @param {readonly Pane[]} panes @returns {Uint8Array} a new array of pixels */
  paint(panes) {
    const marked = panes.flatMap(({ model: { mask, next, held } }) => [mask, next, held]);
    if (marked.some((array, i) => array !== this.#drawn[i])) this.#drawMarks(panes);
    this.#drawn = marked;
    const pixels = new Uint8Array(this.width * this.height).fill(LIGHT);
    for (const [n, { model }] of panes.entries()) this.#paintValues(pixels, model, n);
    for (const [i, mark] of this.#marks.entries()) if (mark) pixels[i] = mark === 1 ? DARK : LIGHT;
    return pixels;
  }

  /** @param {Uint8Array} pixels @param {GridModel} model @param {number} n of the run, from the left */
  #paintValues(pixels, { values, reach, palette }, n) {
    for (const { cols, offset, stride, shownRows, shownCols, cell, ...at } of this.#grids) {
      for (let i = 0; i < shownRows * shownCols; i++) {
        const [row, col] = [Math.floor(i / shownCols), i % shownCols];
        const value = values[offset + row * stride * cols + col * stride];
        const index = indexOf(levelOf(value, reach, palette));
        const left = n * (this.#wide + GAP) + at.left + col * cell;
        for (let y = 0; y < cell; y++) {
          const from = (at.top + row * cell + y) * this.width + left;
          pixels.fill(index, from, from + cell);
        }
      }
    }
  }
}

/** @param {import('gradlock/grid').Palette} palette @returns {number[][]} */
function coloursOf({ pixels }) {
  const colours = Array.from(pixels, (pixel) => [0, 8, 16].map((shift) => (pixel >> shift) & 255));
  colours[DARK] = [27, 29, 33];
  colours[LIGHT] = [255, 255, 255];
  return colours;
}

export class Film {
  #view;
  #isOn = false;

  /** @param {() => View} view returns what the grids show now */
  constructor(view) {
    this.#view = view;
  }

  /** Ends the film that is being recorded. */
  stop() {
    this.#isOn = false;
  }

  /** Records the grids until time is up, `stop` is called, or other grids are shown. @param {number} seconds @returns {Promise<Blob>} an animated GIF */
  async record(seconds) {
    this.#isOn = true;
    const { layout, panes } = this.#view();
    // Another scene, or a run beside it that comes or goes, ends the film.
    const shapeOf = (/** @type {View} */ view) =>
      JSON.stringify([view.layout, view.panes.map(({ name }) => name)]);
    const shape = shapeOf({ layout, panes });
    const sheet = new Sheet(layout, panes.length);
    const gif = new Gif(sheet.width, sheet.height, coloursOf(panes[0].model.palette));
    const began = performance.now();
    let [pixels, at] = [sheet.paint(panes), began];
    while (this.#isOn && performance.now() - began < 1000 * seconds) {
      await new Promise((done) => setTimeout(done, PACE));
      const view = this.#view();
      if (shapeOf(view) !== shape) break;
      const now = performance.now();
      gif.add(pixels, now - at);
      [pixels, at] = [sheet.paint(view.panes), now];
    }
    this.#isOn = false;
    gif.add(pixels, REST);
    return new Blob(gif.end(), { type: 'image/gif' });
  }
}
