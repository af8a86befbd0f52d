// The grid as pixels, above 16 × 16. One canvas has a pixel per cell, and the browser enlarges it.
// A second one shows the locks and is redrawn only when they change. One button, the cursor,
// represents the cell that has the focus. A frame with the last one's locks allocates nothing.
import { colour, LEVELS, levelOf } from './colours.js';
import { describe, differsFromHeld } from './describe.js';
import { h, coverCell, contextOf, setAttribute, toggle } from './dom.js';
import { rowAndColumn } from './row-column.js';

/** @import { Picture, Plan } from './view.js' */

/** Whole pixels may cost the grid an eighth of its width. */
const WHOLE = 7 / 8;
/** How many times as long as it is wide a grid is whose cells are stretched, and to how much. */
const ELONGATED = 8;
const STRETCHED = 12;
/** The thickest outline, in CSS pixels, and what part of a cell it is in smaller ones. */
const OUTLINE = { most: 2, share: 0.07 };
/** The smallest cell of which a half is seen, in device pixels. */
const SEEN = 4;

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
  /** Free cells as pixels, to be enlarged, within a ring of more. */
  #stencil;
  selected = 0;
  /** From a cell to the next, in CSS pixels. */
  width = 1;
  height = 1;
  /** Device pixels in a CSS pixel. */
  #ratio = 1;
  /** True if halves of cells are drawn that changed although they are locked. */
  #hasHalves = false;
  /** Names are for screen readers, not shown. @type {import('./view.js').Head[]} */
  heads = [];
  /** The locks that are drawn; -1 for none. */
  #edition = -1;

  /** @param {Plan} plan */
  constructor(plan) {
    const { rows, cols } = plan;
    this.#plan = plan;
    this.#image = new ImageData(cols, rows);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
    this.#values = h('canvas', { class: 'grid-values', width: cols, height: rows });
    this.#stencil = h('canvas', { width: cols + 2, height: rows + 2 });
    this.#pen = contextOf(this.#values);
    this.#locks = h('canvas', { class: 'grid-locks' });
    this.#cursor = toggle('cursor');
    this.#cursor.tabIndex = 0;
    this.#item = h('div', { role: 'gridcell' }, this.#cursor);
    this.#row = h('div', { role: 'row' }, this.#item);
    this.element = h(
      'div',
      {
        class: 'grid grid-canvas',
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
    const ratio = devicePixelRatio;
    const [wide, tall] = [(width * ratio) / cols, (height * ratio) / rows];
    const isLong = Math.max(rows, cols) > ELONGATED * Math.min(rows, cols);
    const fit = Math.max(Math.min(wide, tall), isLong ? STRETCHED * ratio : 0);
    const whole = (/** @type {number} */ size) =>
      Math.floor(size) > WHOLE * size ? Math.floor(size) : size;
    this.width = whole(Math.min(wide, fit)) / ratio;
    this.height = whole(Math.min(tall, fit)) / ratio;
    this.#ratio = ratio;
    for (const [side, size] of /** @type {const} */ ([
      ['width', cols * this.width],
      ['height', rows * this.height],
    ])) {
      const dots = Math.round(size * ratio);
      this.#locks[side] = dots;
      this.element.style[side] = `${dots / ratio}px`;
    }
    this.#edition = -1;
    this.#placeCursor();
  }

  /** @param {Picture} picture */
  draw(picture) {
    const { values, mask, held, unknown, edition, reach, palette, isLabelling } = picture;
    colour(values, reach, palette, this.#pixels);
    if (unknown)
      for (let i = 0; i < unknown.length; i++)
        if (unknown[i]) this.#pixels[i] = palette.pixels[LEVELS];
    this.#pen.putImageData(this.#image, 0, 0);
    const isNew = edition !== this.#edition;
    const isSeen = Math.min(this.width, this.height) * this.#ratio >= SEEN;
    const halves = isSeen ? held : null;
    if (isNew || this.#hasHalves || halves) this.#drawLocks(picture, halves);
    this.#hasHalves = halves !== null;
    this.#edition = edition;
    if (isNew || isLabelling) {
      setAttribute(this.#cursor, 'aria-pressed', mask[this.selected] === 1);
      setAttribute(this.#cursor, 'aria-label', describe(this.#plan, picture, this.selected));
    }
  }

  /**
   * Outlines regions of locked cells, inside them: free cells, as all around the grid are, are
   * drawn shifted to all sides, in ink and farther in paper, and taken away where they are. Half of
   * a cell that has drifted is as it should be, and a region of such cells has its own outline.
   * @param {Picture} picture
   * @param {Float32Array | null} held What halves are to show.
   */
  #drawLocks(picture, held) {
    const { mask, reach, palette } = picture;
    const context = contextOf(this.#locks);
    const small = contextOf(this.#stencil);
    const { rows, cols } = this.#plan;
    const { width, height } = this.#locks;
    // The pixels of the values serve, which are put already.
    const pixels = this.#pixels;
    for (let i = 0; i < mask.length; i++) pixels[i] = mask[i] ? 0 : 0xff000000;
    small.globalCompositeOperation = 'copy';
    small.fillRect(0, 0, cols + 2, rows + 2);
    small.putImageData(this.#image, 1, 1);
    small.globalCompositeOperation = 'source-in';
    const look = getComputedStyle(this.element);
    const [wide, tall] = [width / cols, height / rows];
    const cell = Math.min(wide, tall);
    const line = Math.round(Math.min(OUTLINE.most * this.#ratio, OUTLINE.share * cell)) || 1;
    const edge = Math.min(2 * line, cell / 4);
    const drawFree = (/** @type {number} */ x, /** @type {number} */ y) =>
      context.drawImage(this.#stencil, x - wide, y - tall, width + 2 * wide, height + 2 * tall);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = false;
    for (const [name, far] of /** @type {const} */ ([
      ['--paper', edge],
      ['--ink', line],
    ])) {
      small.fillStyle = look.getPropertyValue(name);
      small.fillRect(0, 0, cols + 2, rows + 2);
      for (const x of [-far, 0, far]) for (const y of [-far, 0, far]) drawFree(x, y);
    }
    context.globalCompositeOperation = 'destination-out';
    drawFree(0, 0);
    context.globalCompositeOperation = 'source-over';
    if (!held) return;
    const accent = look.getPropertyValue('--accent');
    const hasMoved = (/** @type {number} */ i) => differsFromHeld(picture, i);
    for (let i = 0; i < mask.length; i++) {
      if (!hasMoved(i)) continue;
      const col = i % cols;
      const [left, top] = [col * wide, ((i - col) / cols) * tall];
      context.fillStyle = palette.css[levelOf(held[i], reach, palette)];
      context.beginPath();
      context.moveTo(left, top);
      context.lineTo(left, top + tall);
      context.lineTo(left + wide, top + tall);
      context.fill();
      context.fillStyle = accent;
      if (!hasMoved(i - cols)) context.fillRect(left, top, wide, edge);
      if (!hasMoved(i + cols)) context.fillRect(left, top + tall, wide, -edge);
      if (!col || !hasMoved(i - 1)) context.fillRect(left, top, edge, tall);
      if (col === cols - 1 || !hasMoved(i + 1)) context.fillRect(left + wide, top, -edge, tall);
    }
  }

  /** Colours have changed. */
  restyle() {
    this.#edition = -1;
  }

  #placeCursor() {
    const { cols } = this.#plan;
    const [row, col] = rowAndColumn(this.selected, cols);
    coverCell(this.#cursor, this, this.selected, cols);
    this.#row.setAttribute('aria-rowindex', `${row + 1}`);
    this.#item.setAttribute('aria-colindex', `${col + 1}`);
  }

  /** @param {number} index */
  select(index) {
    this.selected = index;
    this.#placeCursor();
  }

  focus() {
    this.#cursor.focus({ preventScroll: true });
  }

  /** The cursor always represents the selected cell. */
  indexOf() {
    return this.selected;
  }

  /** Where the first cell is. */
  get first() {
    return this.element;
  }
}
