// The grid as pixels, above 16 × 16: one canvas holds a pixel per cell and the browser enlarges it,
// a second one holds the locks and is drawn anew only when they change. One button, the cursor,
// stands for the cell that has the focus. A frame whose locks are those of the last allocates
// nothing.
import { colour } from './colours.js';
import { h, setAttribute } from './dom.js';
import { formatNumber } from './format.js';
import { drawPadlock, hatchPattern, outline } from './hatch.js';

/** @typedef {import('./view.js').Picture} Picture */
/** @typedef {import('./view.js').Plan} Plan */

/** Whole pixels may cost the grid an eighth of its width. */
const WHOLE = 7 / 8;
/** How many times as long as it is wide a grid is whose cells are stretched, and to how much. */
const ELONGATED = 8;
const STRETCHED = 12;
/**
 * From this size on, in device pixels, every locked cell has its own padlock; below, each tile has
 * at most one.
 */
const PADLOCK_CELL = 11;
/** Side of a tile, in CSS pixels. */
const TILE = 34;

export class CanvasGrid {
  #plan;
  #values;
  #pen;
  #locks;
  #cursor;
  #row;
  #item;
  #image;
  #pixels;
  /** Cells of the mask as pixels, to be enlarged. */
  #stencil;
  #selected = 0;
  /** Size of a cell in device pixels, and of a device pixel in CSS pixels. */
  #width = 1;
  #height = 1;
  #dot = 1;
  #isPressed = false;
  /** The locks that are drawn; -1 for none. */
  #edition = -1;
  /** @type {{ size: number, pattern: CanvasPattern } | null} */
  #hatch = null;

  /** @param {Plan} plan */
  constructor(plan) {
    const { rows, cols, label } = plan;
    this.#plan = plan;
    this.#image = new ImageData(cols, rows);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
    this.#values = h('canvas', { class: 'grid-values', width: cols, height: rows });
    this.#stencil = h('canvas', { width: cols, height: rows });
    this.#pen = /** @type {CanvasRenderingContext2D} */ (this.#values.getContext('2d'));
    this.#locks = h('canvas', { class: 'grid-locks' });
    this.#cursor = h('button', {
      type: 'button',
      class: 'cursor',
      'aria-pressed': 'false',
    });
    this.#item = h('div', { role: 'gridcell' }, this.#cursor);
    this.#row = h('div', { role: 'row' }, this.#item);
    this.element = h(
      'div',
      {
        role: 'grid',
        class: 'grid grid-canvas',
        'aria-label': label,
        'aria-rowcount': rows,
        'aria-colcount': cols,
      },
      this.#values,
      this.#locks,
      this.#row,
    );
  }

  /**
   * Cells are whole device pixels wide if that costs little room: even cells look calmer.
   * @param {number} width Available, in CSS pixels.
   * @param {number} height
   */
  resize(width, height) {
    const { rows, cols } = this.#plan;
    const ratio = window.devicePixelRatio || 1;
    const [wide, tall] = [(width * ratio) / cols, (height * ratio) / rows];
    const isLong = Math.max(rows, cols) > ELONGATED * Math.min(rows, cols);
    const fit = Math.max(Math.min(wide, tall), isLong ? STRETCHED * ratio : 0);
    const whole = (/** @type {number} */ size) =>
      Math.floor(size) > WHOLE * size ? Math.floor(size) : size;
    this.#width = whole(Math.min(wide, fit));
    this.#height = whole(Math.min(tall, fit));
    this.#dot = 1 / ratio;
    this.#locks.width = Math.round(cols * this.#width);
    this.#locks.height = Math.round(rows * this.#height);
    this.element.style.width = `${this.#locks.width * this.#dot}px`;
    this.element.style.height = `${this.#locks.height * this.#dot}px`;
    this.#edition = -1;
    this.#placeCursor();
  }

  /** @param {Picture} picture */
  draw({ values, mask, edition, reach, palette, isLabelling }) {
    colour(values, reach, palette, this.#pixels);
    this.#pen.putImageData(this.#image, 0, 0);
    if (edition !== this.#edition) {
      this.#drawLocks(mask);
      this.#edition = edition;
    }
    const isLocked = mask[this.#selected] === 1;
    if (isLocked !== this.#isPressed || isLabelling) {
      this.#isPressed = isLocked;
      setAttribute(this.#cursor, 'aria-pressed', String(isLocked));
      const value = formatNumber(values[this.#selected]);
      const label = this.#plan.labelOf(this.#selected, value, isLocked);
      setAttribute(this.#cursor, 'aria-label', label);
    }
  }

  /** @param {Uint8Array} mask */
  #drawLocks(mask) {
    const context = this.#locks.getContext('2d');
    const small = this.#stencil.getContext('2d');
    if (!context || !small) return;
    const { cols } = this.#plan;
    const { width, height } = this.#locks;
    const ratio = 1 / this.#dot;
    // The pixels of the values serve, which are put already.
    const pixels = this.#pixels;
    for (let i = 0; i < mask.length; i++) pixels[i] = mask[i] ? 0xff000000 : 0;
    small.putImageData(this.#image, 0, 0);
    context.globalCompositeOperation = 'copy';
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#stencil, 0, 0, width, height);
    context.globalCompositeOperation = 'source-in';
    const size = Math.round(6 * ratio);
    if (this.#hatch?.size !== size) this.#hatch = { size, pattern: hatchPattern(context, size) };
    context.fillStyle = this.#hatch.pattern;
    context.fillRect(0, 0, width, height);
    context.globalCompositeOperation = 'source-over';
    const cell = Math.min(this.#width, this.#height);
    if (cell >= 2) outline(context, mask, this.#plan, this.#width, this.#height);
    const isOne = cell >= PADLOCK_CELL;
    const side = isOne ? Math.min(cell * 0.72, 16 * ratio) : 13 * ratio;
    const keep = (/** @type {number} */ at, /** @type {number} */ end) =>
      Math.max(0, Math.min(end - side, at - side / 2));
    const across = (/** @type {number} */ one) => (isOne ? 1 : Math.ceil((TILE * ratio) / one));
    for (const index of this.#padlocks(mask, across(this.#width), across(this.#height))) {
      const x = ((index % cols) + 0.5) * this.#width;
      const y = (Math.floor(index / cols) + 0.5) * this.#height;
      drawPadlock(context, keep(x, width), keep(y, height), side);
    }
  }

  /**
   * Of each tile the locked cell that is nearest to its middle.
   * @param {Uint8Array} mask
   * @param {number} width Of a tile, in cells.
   * @param {number} height
   */
  #padlocks(mask, width, height) {
    const { rows, cols } = this.#plan;
    const tiles = Math.ceil(cols / width);
    const nearest = new Int32Array(tiles * Math.ceil(rows / height)).fill(-1);
    const distances = new Float32Array(nearest.length);
    for (let index = 0; index < mask.length; index++) {
      if (!mask[index]) continue;
      const row = Math.floor(index / cols);
      const col = index % cols;
      const tile = Math.floor(row / height) * tiles + Math.floor(col / width);
      const distance =
        ((row % height) - (height - 1) / 2) ** 2 + ((col % width) - (width - 1) / 2) ** 2;
      if (nearest[tile] >= 0 && distance >= distances[tile]) continue;
      nearest[tile] = index;
      distances[tile] = distance;
    }
    return nearest.filter((index) => index >= 0);
  }

  /** Colours have changed. */
  restyle() {
    this.#edition = -1;
  }

  #placeCursor() {
    const row = Math.floor(this.#selected / this.#plan.cols);
    const col = this.#selected % this.#plan.cols;
    const { style } = this.#cursor;
    const { width, height } = this.pitch;
    style.setProperty('--x', `${(col + 0.5) * width}px`);
    style.setProperty('--y', `${(row + 0.5) * height}px`);
    style.setProperty('--width', `${width}px`);
    style.setProperty('--height', `${height}px`);
    this.#row.setAttribute('aria-rowindex', String(row + 1));
    this.#item.setAttribute('aria-colindex', String(col + 1));
  }

  /** @param {number} index */
  select(index) {
    this.#selected = index;
    this.#placeCursor();
  }

  focus() {
    this.#cursor.focus({ preventScroll: true });
  }

  /** The cursor always stands for the selected cell. */
  indexOf() {
    return this.#selected;
  }

  /**
   * @param {number} index
   * @returns {DOMRect}
   */
  rectOf(index) {
    const { left, top } = this.element.getBoundingClientRect();
    const { width, height } = this.pitch;
    const { cols } = this.#plan;
    const row = Math.floor(index / cols);
    return new DOMRect(left + (index % cols) * width, top + row * height, width, height);
  }

  /** From a cell to the next, in CSS pixels. */
  get pitch() {
    return { width: this.#width * this.#dot, height: this.#height * this.#dot };
  }
}
