// The grid as real elements, up to 16 × 16: a `role="grid"` of buttons, one in the tab order.
import { levelOf } from './colours.js';
import { describe, differsFromHeld } from './describe.js';
import { h, setAttribute, setSizes, setText, toggle } from './dom.js';
import { formatValue } from './format.js';
import { padlock } from './padlock.js';

/** @import { Head, Picture, Plan } from './view.js' */

/** Cells of at least this size, in CSS pixels, show so much. */
const GOAL = 84;
const TWO_DECIMALS = 54;
const ONE_DECIMAL = 33;
/** Width of a character; with more room, characters are larger. */
const CHARACTER = 7.9;
const MOST_CHARACTERS = 6.5;
/** Largest size of cells with names. */
const MOST_NAMED = 40;

/** @param {number} size Of a cell. @returns {number} Decimals that fit, -1 if no number does. */
const decimalsFor = (size) => (size >= TWO_DECIMALS ? 2 : size >= ONE_DECIMAL ? 1 : -1);

const makeCell = () => {
  const value = h('span', { class: 'cell-value' });
  const goal = h('span', { class: 'cell-goal' });
  const lock = h('span', { class: 'cell-lock' }, padlock());
  return { button: toggle('cell', lock, value, ' ', goal), value, goal };
};

export class CellGrid {
  #plan;
  #cells;
  #levels;
  #size = 0;
  /** From a cell to the next, in CSS pixels. */
  width = 0;
  height = 0;
  selected = 0;
  /** The button that is in the tab order. @type {HTMLElement} */
  #stop;
  /** @type {Head[]} */
  heads = [];

  /** @param {Plan} plan */
  constructor(plan) {
    const { rows, cols, rowNames, colNames, words } = plan;
    this.#plan = plan;
    this.#levels = new Int16Array(rows * cols).fill(-1);
    this.#cells = Array.from({ length: rows * cols }, makeCell);
    const all = [...this.#cells.keys()];
    /** A heading locks its row or its column, one of which is -1. */
    const head = (/** @type {number} */ row, /** @type {number} */ col) => {
      const isRow = col < 0;
      const name = `${(isRow ? rowNames?.[row] : colNames?.[col]) ?? row + col + 2}`;
      const button = toggle(isRow ? 'row-name' : 'col-name', name);
      setAttribute(button, 'aria-label', words.line(isRow, name));
      const cells = all.filter((i) => (isRow ? Math.floor(i / cols) === row : i % cols === col));
      this.heads.push({ button, row, col, cells });
      return h('div', { role: isRow ? 'rowheader' : 'columnheader', 'aria-label': name }, button);
    };
    const line = (/** @type {(Node | undefined)[]} */ ...parts) =>
      h('div', { role: 'row', class: 'grid-row' }, ...parts);
    const names = colNames && Array.from({ length: cols }, (_, col) => head(-1, col));
    const lines = Array.from({ length: rows }, (_, row) =>
      line(
        rowNames && head(row, -1),
        ...this.#cells
          .slice(row * cols, (row + 1) * cols)
          .map(({ button }) => h('div', { role: 'gridcell' }, button)),
      ),
    );
    this.#stop = this.#cells[0].button;
    this.element = h('div', { class: 'grid grid-dom' }, names && line(...names), ...lines);
    this.element.addEventListener('focusin', ({ target }) =>
      this.#rove(/** @type {HTMLElement} */ (target)),
    );
  }

  /**
   * @param {number} width Available, in CSS pixels.
   * @param {number} height
   * @param {number} given Between cells; NaN if pages say nothing.
   */
  resize(width, height, given) {
    const { rows, cols } = this.#plan;
    // Pages set how wide names of rows are.
    const part = (/** @type {string} */ name) =>
      /** @type {HTMLElement | null} */ (this.element.querySelector(name));
    const names = part('.row-name')?.offsetWidth ?? 0;
    const most = Math.max(rows, cols);
    const isFree = Number.isNaN(given);
    let gap = isFree ? (most <= 4 ? 6 : most <= 8 ? 3 : 2) : given;
    const fit = (/** @type {number} */ space, /** @type {number} */ count) =>
      Math.floor((space + gap) / count) - gap;
    if (isFree && most > 4 && fit(width, cols) < 16) gap = 1;
    // Rows with names take the height they need.
    const tallest = names
      ? MOST_NAMED * (cols > 4 ? 1 : 1.5)
      : fit(height - (part('.col-name')?.offsetHeight ?? 0), rows);
    this.#size = Math.max(5, Math.min(fit(width - names, cols), tallest));
    this.width = this.height = this.#size + gap;
    setSizes(this.element, { cell: this.#size, gap });
    const { classList } = this.element;
    classList.toggle('has-numbers', decimalsFor(this.#size) >= 0);
    classList.toggle('has-goals', this.#size >= GOAL);
  }

  /** @param {Picture} picture */
  draw(picture) {
    const { values, mask, held, target, unknown, reach, palette, words, isLabelling } = picture;
    const isLocked = (/** @type {number} */ index) => mask[index] === 1;
    for (const { button, cells } of this.heads) {
      setAttribute(
        button,
        'aria-pressed',
        cells.every(isLocked) || (cells.some(isLocked) && 'mixed'),
      );
    }
    const decimals = decimalsFor(this.#size);
    const room = Math.min(MOST_CHARACTERS, this.#size / CHARACTER);
    this.#cells.forEach(({ button, value, goal }, index) => {
      const isUnknown = Boolean(unknown?.[index]);
      const number = isUnknown ? Number.NaN : values[index];
      const level = levelOf(number, reach, palette);
      if (level !== this.#levels[index]) {
        this.#levels[index] = level;
        button.style.setProperty('--fill', palette.css[level]);
        button.classList.toggle('on-dark', palette.isDark[level]);
      }
      let text = '';
      // With fewer decimals, or none at all, rather than cut.
      for (let digits = isUnknown ? -1 : decimals; digits >= 0 && !text; digits--) {
        text = formatValue(number, digits);
        if (text.replace('·', '').length + (text.includes('·') ? 0.5 : 0) > room) text = '';
      }
      const hasGoal = target && this.#size >= GOAL;
      const wanted = hasGoal ? words.goal(formatValue(target[index], 2)) : '';
      setText(value, text);
      setText(goal, wanted);
      if (hasGoal) {
        const end = levelOf(target[index], reach, palette);
        goal.style.setProperty('--fill', palette.css[end]);
        goal.classList.toggle('on-dark', palette.isDark[end]);
      }
      setAttribute(button, 'aria-pressed', isLocked(index));
      button.part.toggle('unknown', isUnknown);
      const hasDrifted = held !== null && differsFromHeld(picture, index);
      button.classList.toggle('has-drifted', hasDrifted);
      if (hasDrifted)
        button.style.setProperty('--held', palette.css[levelOf(held[index], reach, palette)]);
      if (isLabelling) {
        const seen = wanted ? `${isUnknown ? words.unknown : text}, ${wanted}` : text;
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
    this.selected = index;
    this.#rove(this.#cells[index].button);
  }

  /** @param {HTMLElement} button */
  #rove(button) {
    this.#stop.tabIndex = -1;
    this.#stop = button;
    button.tabIndex = 0;
  }

  focus() {
    this.#cells[this.selected].button.focus({ preventScroll: true });
  }

  /** @param {EventTarget | null} target */
  indexOf(target) {
    const index = this.#cells.findIndex(({ button }) => button === target);
    return index < 0 ? this.selected : index;
  }

  /** The first cell. */
  get first() {
    return this.#cells[0].button;
  }
}
