/**
 * Marks of drift over a grid whose cells are pixels: where what was to be held has left its place. Small grids show it
 * themselves, cell by cell.
 */

import { h, token } from './dom.js';

/** Above this many cells, marks follow at this pace, in ms. */
const MANY = 1 << 16;
const PACE = 250;
/** Of 255: cells show through. */
const COVER = 96;

/** Red, green, blue of a colour of the page. @param {string} css such as #7a2e63 */
const rgbOf = (css) =>
  [1, 3, 5].map((at) => Number.parseInt(css.slice(at, at + 2), 16)).map((part) => part || 0);

export class DriftMarks {
  element = h('canvas', { class: 'drift-marks', hidden: true, 'aria-hidden': 'true' });
  #drawn = 0;

  /** @param {{ values: Float32Array, held: Float32Array, mask: Uint8Array, cols: number }} cells @param {DOMRect} at @param {DOMRect} from */
  draw({ values, held, mask, cols }, at, from) {
    const now = performance.now();
    if (values.length > MANY && now - this.#drawn < PACE) return;
    this.#drawn = now;
    const { element } = this;
    const rows = values.length / cols;
    if (element.width !== cols || element.height !== rows) {
      element.width = cols;
      element.height = rows;
    }
    Object.assign(element.style, {
      left: `${at.left - from.left}px`,
      top: `${at.top - from.top}px`,
      width: `${at.width}px`,
      height: `${at.height}px`,
    });
    const image = new ImageData(cols, rows);
    const [r, g, b] = rgbOf(token('accent'));
    const colour = new Uint32Array(Uint8Array.of(r, g, b, COVER).buffer)[0];
    const pixels = new Uint32Array(image.data.buffer);
    let count = 0;
    for (let i = 0; i < values.length; i++) {
      if (!mask[i] || Object.is(values[i], held[i])) continue;
      pixels[i] = colour;
      count++;
    }
    element.getContext('2d')?.putImageData(image, 0, 0);
    element.hidden = count === 0;
  }

  hide() {
    this.element.hidden = true;
  }
}
