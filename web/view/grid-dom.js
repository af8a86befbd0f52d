/**
 * The grid as real elements, up to 16 × 16: a `role="grid"` of toggle buttons of which one is in the tab order.
 */

import { strings } from '../strings.js';
import { levelOf } from './colours.js';
import { h, icon, setAttribute, setText } from './dom.js';
import { formatNumber, formatValue } from './format.js';

/** @typedef {import('./grid.js').GridModel} GridModel */

/** While training, screen readers' labels follow at this pace, in ms. */
const LABEL_PACE = 1000;
/** Cells of at least this size, in CSS pixels, show so much. */
const FITS = { goal: 84, twoDecimals: 54, oneDecimal: 29 };

/** Width of a row's name, in CSS pixels. */
const ROW_NAME = 72;
/** Cells beside names are at most this large. */
const MOST_NAMED = 40;

/** @param {number} size of a cell @returns {number} decimals that fit, −1 if no number does */
const decimalsFor = (size) => (size >= FITS.twoDecimals ? 2 : size >= FITS.oneDecimal ? 1 : -1);

export class DomGrid {
  #cells;
  #levels;
  #rows;
  #cols;
  #size = 0;
  #gap = 0;
  #labelled = 0;
  #selected = 0;
  #rowNames;

  /** @param {{ rows: number, cols: number, label: string, rowNames?: string[] }} grid */
  constructor({ rows, cols, label, rowNames }) {
    this.#rows = rows;
    this.#rowNames = rowNames;
    this.#cols = cols;
    this.#levels = new Int16Array(rows * cols).fill(-1);
    this.#cells = Array.from({ length: rows * cols }, () => makeCell());
    const lines = Array.from({ length: rows }, (_, row) =>
      h(
        'div',
        { role: 'row', class: 'grid-row' },
        rowNames && h('div', { role: 'rowheader', class: 'row-name' }, rowNames[row]),
        ...this.#cells
          .slice(row * cols, (row + 1) * cols)
          .map(({ button }) => h('div', { role: 'gridcell', class: 'grid-item' }, button)),
      ),
    );
    this.element = h(
      'div',
      { role: 'grid', class: 'grid grid-dom', 'aria-label': label },
      ...lines,
    );
  }

  /** @param {number} width @param {number} height available, in CSS pixels */
  resize(width, height) {
    const most = Math.max(this.#rows, this.#cols);
    this.#gap = most <= 4 ? 6 : most <= 8 ? 3 : 2;
    const fit = (/** @type {number} */ space, /** @type {number} */ count) =>
      Math.floor((space + this.#gap) / count) - this.#gap;
    if (most > 4 && fit(width, this.#cols) < 16) this.#gap = 1;
    const names = this.#rowNames ? ROW_NAME : 0;
    this.#size = Math.max(
      5,
      Math.min(
        fit(width - names, this.#cols),
        // Rows with names take the height they need.
        names ? MOST_NAMED * (this.#cols > 4 ? 1 : 1.5) : fit(height, this.#rows),
      ),
    );
    const { style, classList } = this.element;
    style.setProperty('--cell', `${this.#size}px`);
    style.setProperty('--gap', `${this.#gap}px`);
    classList.toggle('has-numbers', decimalsFor(this.#size) >= 0);
    classList.toggle('has-goals', this.#size >= FITS.goal);
  }

  /** @param {GridModel} model */
  draw({ values, mask, target, held, reach, palette, isPlaying }) {
    const decimals = decimalsFor(this.#size);
    const now = performance.now();
    const isLabelling = !isPlaying || now - this.#labelled > LABEL_PACE;
    if (isLabelling) this.#labelled = now;
    this.#cells.forEach(({ button, value, goal }, index) => {
      const number = values[index];
      const isLocked = mask[index] === 1;
      const level = levelOf(number, reach);
      if (level !== this.#levels[index]) {
        this.#levels[index] = level;
        button.style.setProperty('--fill', palette.css[level]);
        button.classList.toggle('on-dark', palette.isDark[level]);
      }
      const text = decimals < 0 ? '' : formatValue(number, decimals);
      setText(value, text);
      const hasGoal = target && this.#size >= FITS.goal;
      const wanted = hasGoal ? strings.grid.goal(formatValue(target[index], 2)) : '';
      setText(goal, wanted);
      setAttribute(button, 'aria-pressed', String(isLocked));
      const hasDrifted = isLocked && held !== null && !Object.is(held[index], number);
      button.classList.toggle('has-drifted', hasDrifted);
      if (isLabelling) {
        // What is read aloud contains what is seen.
        const said = [text || formatNumber(number), wanted].filter(Boolean).join(', ');
        const label = this.#label(index, said, isLocked);
        const drift = hasDrifted ? number - held[index] : 0;
        const more = hasDrifted ? `, ${strings.grid.drift(formatNumber(drift))}` : '';
        setAttribute(button, 'aria-label', label + more);
      }
    });
  }

  /** @param {number} index @param {string} value @param {boolean} isLocked */
  #label(index, value, isLocked) {
    const row = Math.floor(index / this.#cols);
    const name = this.#rowNames?.[row];
    const text = strings.grid.cell(row + 1, (index % this.#cols) + 1, value, isLocked);
    return name ? `${name}: ${text}` : text;
  }

  /** Colours have changed. */
  restyle() {
    this.#levels.fill(-1);
  }

  /** @param {number} index */
  select(index) {
    this.#cells[this.#selected]?.button.setAttribute('tabindex', '-1');
    this.#cells[index]?.button.setAttribute('tabindex', '0');
    this.#selected = index;
  }

  focus() {
    this.#cells[this.#selected]?.button.focus({ preventScroll: true });
  }

  /** @param {EventTarget | null} target */
  indexOf(target) {
    const index = this.#cells.findIndex(({ button }) => button === target);
    return index < 0 ? this.#selected : index;
  }

  /** @param {number} index @returns {DOMRect} */
  rectOf(index) {
    return /** @type {{ button: HTMLElement }} */ (
      this.#cells[index]
    ).button.getBoundingClientRect();
  }

  /** The cell at a point of the viewport; outside of the grid, the nearest one. @param {number} x @param {number} y */
  cellAt(x, y) {
    const { left, top } = this.rectOf(0);
    const pitch = this.#size + this.#gap;
    const clamp = (/** @type {number} */ at, /** @type {number} */ count) =>
      Math.max(0, Math.min(count - 1, Math.floor((at + this.#gap / 2) / pitch)));
    return clamp(y - top, this.#rows) * this.#cols + clamp(x - left, this.#cols);
  }
}

function makeCell() {
  const value = h('span', { class: 'cell-value' });
  const goal = h('span', { class: 'cell-goal' });
  const button = h(
    'button',
    { type: 'button', class: 'cell', tabindex: '-1', 'aria-pressed': 'false' },
    h('span', { class: 'cell-lock' }, icon('lock'), icon('lock-broken')),
    value,
    ' ',
    goal,
  );
  return { button, value, goal };
}
