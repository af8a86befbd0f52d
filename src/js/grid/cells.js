// The grid as real elements, up to 16 × 16: a `role="grid"` of toggle buttons of which one is in
// the tab order.
import { levelOf } from './colours.js';
import { describe, hasDrifted } from './describe.js';
import { h, setAttribute, setText } from './dom.js';
import { formatValue } from './format.js';
import { brokenPadlock, padlock } from './hatch.js';

/** @typedef {import('./view.js').Picture} Picture */
/** @typedef {import('./view.js').Plan} Plan */

/** Cells of at least this size, in CSS pixels, show so much. */
const FITS = { goal: 84, twoDecimals: 54, oneDecimal: 29 };
/** Height of a column's name, in CSS pixels. */
const COL_NAME = 20;
/** Cells beside names are at most this large. */
const MOST_NAMED = 40;

/**
 * @param {number} size Of a cell.
 * @returns {number} Decimals that fit, -1 if no number does.
 */
const decimalsFor = (size) => (size >= FITS.twoDecimals ? 2 : size >= FITS.oneDecimal ? 1 : -1);

const makeCell = () => {
  const value = h('span', { class: 'cell-value' });
  const goal = h('span', { class: 'cell-goal' });
  const lock = h('span', { class: 'cell-lock' }, padlock(), brokenPadlock());
  const button = h(
    'button',
    { type: 'button', class: 'cell', tabindex: -1, 'aria-pressed': 'false' },
    ...[lock, value, ' ', goal],
  );
  return { button, value, goal };
};

export class CellGrid {
  #plan;
  #cells;
  #levels;
  #size = 0;
  #gap = 0;
  #selected = 0;

  /** @param {Plan} plan */
  constructor(plan) {
    const { rows, cols, label, rowNames, colNames } = plan;
    this.#plan = plan;
    this.#levels = new Int16Array(rows * cols).fill(-1);
    this.#cells = Array.from({ length: rows * cols }, makeCell);
    const heads = colNames
      ?.slice(0, cols)
      .map((name) => h('div', { role: 'columnheader', class: 'col-name' }, name));
    const lines = Array.from({ length: rows }, (_, row) =>
      h(
        'div',
        { role: 'row', class: 'grid-row' },
        rowNames && h('div', { role: 'rowheader', class: 'row-name' }, rowNames[row] ?? ''),
        ...this.#cells
          .slice(row * cols, (row + 1) * cols)
          .map(({ button }) => h('div', { role: 'gridcell', class: 'grid-item' }, button)),
      ),
    );
    this.element = h(
      'div',
      { role: 'grid', class: 'grid grid-dom', 'aria-label': label },
      heads &&
        h(
          'div',
          { role: 'row', class: 'grid-row' },
          rowNames && h('div', { class: 'row-name' }),
          ...heads,
        ),
      ...lines,
    );
  }

  /**
   * @param {number} width Available, in CSS pixels.
   * @param {number} height
   * @param {number | null} gap Between cells, if that is given.
   */
  resize(width, height, gap) {
    const { rows, cols, colNames } = this.#plan;
    // Pages set how wide names of rows are.
    const name = /** @type {HTMLElement | null} */ (this.element.querySelector('.row-name'));
    const names = name?.offsetWidth ?? 0;
    const most = Math.max(rows, cols);
    this.#gap = gap ?? (most <= 4 ? 6 : most <= 8 ? 3 : 2);
    const fit = (/** @type {number} */ space, /** @type {number} */ count) =>
      Math.floor((space + this.#gap) / count) - this.#gap;
    if (gap === null && most > 4 && fit(width, cols) < 16) this.#gap = 1;
    // Rows with names take the height they need.
    const tallest = names
      ? MOST_NAMED * (cols > 4 ? 1 : 1.5)
      : fit(height - (colNames ? COL_NAME : 0), rows);
    this.#size = Math.max(5, Math.min(fit(width - names, cols), tallest));
    const { style, classList } = this.element;
    style.setProperty('--cell', `${this.#size}px`);
    style.setProperty('--gap', `${this.#gap}px`);
    classList.toggle('has-numbers', decimalsFor(this.#size) >= 0);
    classList.toggle('has-goals', this.#size >= FITS.goal);
  }

  /** @param {Picture} picture */
  draw(picture) {
    const { values, mask, target, reach, palette, words, isLabelling } = picture;
    const decimals = decimalsFor(this.#size);
    this.#cells.forEach(({ button, value, goal }, index) => {
      const number = values[index];
      const level = levelOf(number, reach, palette);
      if (level !== this.#levels[index]) {
        this.#levels[index] = level;
        button.style.setProperty('--fill', palette.css[level]);
        button.classList.toggle('on-dark', palette.isDark[level]);
      }
      const text = decimals < 0 ? '' : formatValue(number, decimals);
      const hasGoal = target && this.#size >= FITS.goal;
      const wanted = hasGoal ? words.goal(formatValue(target[index], 2)) : '';
      setText(value, text);
      setText(goal, wanted);
      setAttribute(button, 'aria-pressed', String(mask[index] === 1));
      button.classList.toggle('has-drifted', hasDrifted(picture, index));
      if (isLabelling) {
        const seen = wanted ? `${text}, ${wanted}` : text;
        setAttribute(button, 'aria-label', describe(this.#plan, picture, index, seen));
      }
    });
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

  /** From a cell to the next, in CSS pixels. */
  get width() {
    return this.#size + this.#gap;
  }

  get height() {
    return this.width;
  }

  /** The first cell. */
  get first() {
    return this.#cells[0]?.button ?? this.element;
  }
}
