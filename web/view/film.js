/**
 * Films a run: draws the grids as they are, several times a second, and makes an animated GIF,
 * which every browser can show. It has the colours of the palette, and two for locks.
 */

import { GIFEncoder } from 'gifenc';
import { LEVELS } from 'gradlock/grid';
import { toCanvas } from './export.js';

/** @typedef {{ layout: import('../scenes/layout.js').Part[], panes: readonly import('./export.js').Pane[] }} View */

/** The longest side of a grid, or of many together, in pixels. */
const SIDE = 480;
/** The time between frames, and that of the last one, in ms. */
const [PACE, REST] = [100, 1500];

/** The most that browsers add to a channel against fingerprinting. */
const NOISE = 1;

/** The indices of the two colours of locks. The two levels at each end of the scale share one. */
const DARK = 0;
const LIGHT = LEVELS - 1;

/** @param {import('gradlock/grid').Palette} palette */
function coloursOf({ pixels }) {
  const palette = Array.from(pixels, (pixel) => [0, 8, 16].map((shift) => (pixel >> shift) & 255));
  palette[DARK] = [27, 29, 33];
  palette[LIGHT] = [255, 255, 255];
  const indexOf = (/** @type {number} */ level) =>
    level === LEVELS ? level : Math.max(1, Math.min(LEVELS - 2, level));
  return { palette, indices: new Map(Array.from(pixels, (pixel, i) => [pixel, indexOf(i)])) };
}

/** Returns the index of a pixel that no cell has: of a cell's colour to which a browser has added noise, else of a mark, or the paper. @param {number} pixel @param {number[][]} palette */
function indexNear(pixel, palette) {
  if (pixel >>> 24 < 100) return LIGHT;
  const near = palette.findIndex((colour) =>
    colour.every((part, i) => Math.abs(part - ((pixel >> (8 * i)) & 255)) <= NOISE),
  );
  return near < 0 ? ((pixel & 255) < 128 ? DARK : LIGHT) : near;
}

/** Returns the pixels of a canvas as indices. @param {HTMLCanvasElement} canvas @param {ReturnType<typeof coloursOf>} colours */
function indexed(canvas, { palette, indices }) {
  const { width, height } = canvas;
  const image = canvas.getContext('2d')?.getImageData(0, 0, width, height);
  const pixels = new Uint32Array(image?.data.buffer ?? []);
  const frame = new Uint8Array(pixels.length);
  // Not by `map` or `from`, which take ten times as long.
  for (let i = 0; i < frame.length; i++) {
    const index = indices.get(pixels[i]) ?? indexNear(pixels[i], palette);
    indices.set(pixels[i], index);
    frame[i] = index;
  }
  return frame;
}

export class Film {
  #view;
  #isOn = false;

  /** @param {() => View} view returns what the grids show now */
  constructor(view) {
    this.#view = view;
  }

  stop() {
    this.#isOn = false;
  }

  /** Records the grids until time is up, `stop` is called, or other grids are shown. @param {number} seconds @returns {Promise<Blob>} an animated GIF */
  async record(seconds) {
    this.#isOn = true;
    // Other grids or colours, or a run beside them that comes or goes, end the film.
    const shapeOf = (/** @type {View} */ { layout, panes }) =>
      JSON.stringify([layout, panes.map(({ name }) => name)]);
    const first = this.#view();
    const side = first.layout.length > 3 ? SIDE / Math.ceil(Math.sqrt(first.layout.length)) : SIDE;
    const shape = shapeOf(first);
    const { palette: colours } = first.panes[0].model;
    const made = coloursOf(colours);
    const began = performance.now();
    const gif = GIFEncoder();
    let [canvas, at] = [toCanvas(first.layout, first.panes, side), began];
    const add = (/** @type {number} */ delay) => {
      const { width, height } = canvas;
      const first = at === began && { palette: made.palette };
      gif.writeFrame(indexed(canvas, made), width, height, { delay, ...first });
    };
    while (this.#isOn && performance.now() - began < 1000 * seconds) {
      await new Promise((done) => setTimeout(done, PACE));
      const { layout, panes } = this.#view();
      if (panes[0].model.palette !== colours || shapeOf({ layout, panes }) !== shape) break;
      const now = performance.now();
      add(now - at);
      [canvas, at] = [toCanvas(layout, panes, side), now];
    }
    this.#isOn = false;
    add(REST);
    gif.finish();
    return new Blob([gif.bytes()], { type: 'image/gif' });
  }
}
