/**
 * The grid of a scene's variable: the library's element <gradlock-grid>, and its name, which locks
 * all of it. It turns a person's actions into intents with indices of the whole scene's cells.
 */

import { MAX_DOM_SIDE } from 'gradlock/grid';
import { strings } from '../strings/index.js';
import { h, icon, setAttribute, setStyle, setText, svg } from './dom.js';
import { formatNumber } from './format.js';
import { barsOf, outlineOf, toPaths } from './marks.js';

/**
 * A grid's data; its arrays have the cells of all the scene's variables.
 * @typedef {object} GridModel
 * @property {Float32Array} values
 * @property {Uint8Array} mask           a new array for each change of locks
 * @property {Float32Array | null} target
 * @property {Float32Array | null} held  the right values of locked cells, to show drift; else null
 * @property {Float32Array | null} next  the steps that the optimizer would take on masked cells
 * @property {Int8Array | null} sides  the cells held at a bound: −1 at their min, 1 at their max
 * @property {Uint8Array | null} unknown  1 = drawn as unknown
 * @property {number} reach
 * @property {number} brush  the side of the square that a stroke draws
 * @property {import('gradlock/grid').Palette} palette
 * @property {'diverging' | 'sequential'} [scale]  default: diverging
 */

/** @typedef {import('../scenes/shared/figure.js').Intents & { setValue: (index: number, text: string) => void }} Intents */

/** Returns true if cells are large enough to click each, and for bars of their next steps. @param {{ rows: number, cols: number }} state */
export const hasLargeCells = ({ rows, cols }) => Math.max(rows, cols) <= MAX_DOM_SIDE;

export class GridView {
  element = document.createElement('gradlock-grid');
  #part;
  host;
  /** The ring around a highlighted cell, with its value where the cell has no room for it. */
  #value = h('span', {});
  #tag = h('span', { class: 'cell-tag row' }, icon('lock'), this.#value);
  #ring = h('div', { class: 'cell-ring', 'aria-hidden': 'true', hidden: true }, this.#tag);
  #lit = -1;
  /** In a pair of runs one outline of the held cells, in place of theirs; the bars of masked cells. */
  #outline = svg('g', { class: 'outline' });
  #steps = svg('g', { class: 'next-steps' });
  #strokes = svg(
    'svg',
    { class: 'strokes', width: 1, height: 1, 'aria-hidden': 'true' },
    this.#outline,
    this.#steps,
  );
  /** Bars in the cells that are held at a bound: at the top for max, below for min. */
  #marks = h('div', { class: 'bound-marks' });
  /** @type {GridModel | null} */
  #model = null;
  /** The name. It is not in the tab order: arrow up from the grid leads to it. @type {HTMLElement | null} */
  title = null;
  #select;

  /**
   * @param {HTMLElement} host its size is the available space
   * @param {import('../scenes/layout.js').Part} part
   * @param {{ name: string, title: string | null, hint: string, pulls: import('../scenes/scene.js').Scene['pulls'], rowNames?: string[], colNames?: string[] }} words
   * @param {Intents} intents
   */
  constructor(host, part, { name, title, hint, pulls, rowNames, colNames }, intents) {
    const { offset, rows, cols } = part;
    const grid = this.element;
    this.#part = part;
    this.host = host;
    this.#select = intents.select;
    if (title !== null) {
      const look = { type: 'button', class: 'grid-name note', tabindex: '-1', title: hint };
      const said = { 'aria-label': strings.locks.whole(title), 'aria-pressed': 'false' };
      const onclick = () => intents.toggle(offset, rows * cols);
      this.title = h('button', { ...look, ...said, onclick }, title, icon('lock'));
    }
    Object.assign(grid, { label: name, rowNames, colNames, editable: true, pull: Boolean(pulls) });
    grid.addEventListener('cellselect', ({ detail }) => intents.select(offset + detail.index));
    // The demo has its own undo and messages.
    grid.addEventListener('lockschange', (event) => {
      event.preventDefault();
      const { indices, locked, continued } = event.detail;
      const cells = indices.map((index) => offset + index);
      intents.lock(cells, locked, continued);
    });
    grid.addEventListener('valuechange', (event) => {
      event.preventDefault();
      intents.setValue(offset + event.detail.index, event.detail.text);
    });
    grid.addEventListener('cellpull', (event) => {
      event.preventDefault();
      const { type, index, value } = event.detail;
      if (type === 'begin' && pulls === 'locks') intents.lock([offset + index], true);
      if (type === 'begin') intents.hold([offset + index]);
      else if (type === 'move') intents.writeDragged([value]);
      else intents.release();
    });
    // The page reports invalid numbers below the chart.
    grid.addEventListener('error', (event) => event.preventDefault());
    // Moves between cells send no pointerover out of the grid's shadow tree.
    grid.addEventListener('pointermove', (event) => {
      const [target] = event.composedPath();
      const isIn = target instanceof Element && target.closest('.cell, canvas, .cursor');
      if (!isIn) return intents.light(-1);
      const { left, top, right, bottom } = this.box();
      const x = Math.floor(((event.clientX - left) / (right - left)) * cols);
      const y = Math.floor(((event.clientY - top) / (bottom - top)) * rows);
      const isCell = x >= 0 && x < cols && y >= 0 && y < rows;
      intents.light(isCell ? offset + y * cols + x : -1);
    });
    grid.addEventListener('pointerleave', () => intents.light(-1));
    // Keyboard and touch highlight the selected cell, as a pointer does.
    const lightSelected = () =>
      intents.light(
        grid.shadowRoot?.activeElement?.matches('.cell, .cursor') ? offset + grid.selected : -1,
      );
    // Focus moves inside the shadow tree, such as from a cell to a heading, do not leave it.
    grid.shadowRoot?.addEventListener('focusin', lightSelected);
    grid.addEventListener('cellselect', lightSelected);
    grid.addEventListener('focusout', () => intents.light(-1));
    const redraw = () => this.#model && this.draw(this.#model);
    new ResizeObserver(() => requestAnimationFrame(redraw)).observe(grid);
    host.replaceChildren(grid, this.#strokes, this.#marks, this.#ring);
  }

  /** Returns the cells' elements; none above 16 × 16. @returns {Element[]} */
  #cells() {
    return [...(this.element.shadowRoot?.querySelectorAll('.cell') ?? [])];
  }

  /** Highlights a cell. @param {number} index of this grid's cells; −1 for none */
  light(index) {
    this.#lit = index;
    this.#ring.hidden = index < 0 || !this.#model;
    if (this.#ring.hidden) return;
    setStyle(this.#ring, this.#boxOf(index));
    const { cols } = this.#part;
    this.#ring.classList.toggle('is-right', index % cols > cols / 2);
    const number = this.#cells()[index]?.querySelector('.cell-value');
    this.#tag.hidden = Boolean(number?.getClientRects().length);
    this.#tell();
  }

  /** Returns the box of a cell, in the host's. @param {number} index */
  #boxOf(index) {
    const { rows, cols } = this.#part;
    const from = this.host.getBoundingClientRect();
    const cell = this.#cells()[index]?.getBoundingClientRect();
    const { left, top, right, bottom } = this.box();
    const [width, height] = [(right - left) / cols, (bottom - top) / rows];
    const x = cell?.left ?? left + (index % cols) * width;
    const y = cell?.top ?? top + Math.floor(index / cols) * height;
    const { width: wide, height: tall } = cell ?? { width, height };
    return { left: x - from.left, top: y - from.top, width: wide, height: tall };
  }

  /** Says what the highlighted cell is. */
  #tell() {
    if (this.#lit < 0 || this.#tag.hidden || !this.#model) return;
    const at = this.#part.offset + this.#lit;
    const { values, unknown } = this.#model;
    setText(this.#value, unknown?.[at] ? '?' : formatNumber(values[at]));
    this.#tag.classList.toggle('is-locked', this.#model.mask[at] === 1);
  }

  /** Returns the grid's part of a row of all cells. @template {Float32Array | Uint8Array | Int8Array} T @param {T | null | undefined} row */
  #own(row) {
    const { rows, cols, offset } = this.#part;
    return /** @type {T | null} */ (row?.subarray(offset, offset + rows * cols) ?? null);
  }

  /** @param {GridModel} model */
  draw(model) {
    const { rows, cols } = this.#part;
    const before = this.#model;
    const grid = this.element;
    this.#model = model;
    if (this.title && before?.mask !== model.mask) {
      const bits = this.#own(model.mask);
      const state = !bits?.includes(0) || (bits.includes(1) && 'mixed');
      setAttribute(this.title, 'aria-pressed', String(state));
      this.host.classList.toggle('is-locked', state === true);
    }
    const isBlank = this.host.matches('.is-locked') && !this.#own(model.values)?.some(Boolean);
    setAttribute(this.host, 'data-blank', isBlank ? strings.legend.blank : '');
    if (!before) {
      grid.source = {
        ...{ rows, cols },
        values: () => this.#own(this.#model?.values) ?? [],
        locks: () => this.#own(this.#model?.mask) ?? [],
        locksVersion: () => this.#model?.mask,
        target: () => this.#own(this.#model?.target),
        held: () => this.#own(this.#model?.held),
        unknown: () => this.#own(this.#model?.unknown),
      };
    }
    const { scale = 'diverging' } = model;
    if (grid.scale !== scale) grid.scale = scale;
    if (grid.reach !== model.reach) grid.reach = model.reach;
    if (grid.brush !== model.brush) grid.brush = model.brush;
    if (before && before.palette !== model.palette) grid.restyle();
    grid.refresh();
    this.#tell();
    this.#drawMarks(this.#own(model.sides) ?? []);
    this.#drawStrokes(model);
  }

  /** @param {GridModel} model */
  #drawStrokes({ mask, next, reach }) {
    const isOutlined = this.host.matches('.is-outlined');
    const steps = this.#own(next);
    this.#steps.replaceChildren();
    if (!isOutlined && !steps) return;
    const [{ left, top, width }, second] = [this.#boxOf(0), this.#boxOf(1)];
    const cell = Math.max(second.left - left, second.top - top);
    setStyle(this.#strokes, { left: left + (width - cell) / 2, top: top + (width - cell) / 2 });
    const outline = outlineOf(this.#part, mask, cell, 'var(--paper)', 'var(--ink)');
    this.#outline.replaceChildren(...(isOutlined ? toPaths(outline) : []));
    if (!steps) return;
    const bars = barsOf(steps, this.#part.cols, reach, cell, 'var(--paper)', 'var(--accent)');
    this.#steps.append(...toPaths(bars));
  }

  /** @param {Int8Array | never[]} sides of its cells: −1 held at the min, 1 at the max, else 0 */
  #drawMarks(sides) {
    if (!sides.some(Boolean) && !this.#marks.childElementCount) return;
    const marks = [...sides].flatMap((side, index) => {
      if (!side) return [];
      const end = side > 0 ? 'max' : 'min';
      const look = { class: `bound-mark is-${end}`, title: strings.fit.heldAt[end] };
      const mark = h('span', look, end);
      setStyle(mark, this.#boxOf(index));
      return mark;
    });
    this.#marks.replaceChildren(...marks);
  }

  /** Returns the box of its cells, without names. */
  box() {
    const cells = this.#cells();
    const whole = this.element.shadowRoot?.querySelector('.grid') ?? this.element;
    const { left, top } = (cells[0] ?? whole).getBoundingClientRect();
    const { right, bottom } = (cells.at(-1) ?? whole).getBoundingClientRect();
    return { left, top, right, bottom };
  }

  /** Returns the box of the focus, in the grid or at its name. */
  here() {
    const at = this.element.shadowRoot?.activeElement ?? document.activeElement ?? this.element;
    return at.getBoundingClientRect();
  }

  /** Focuses the cell nearest to a box. @param {import('./arrow-navigation.js').Box} from */
  enter(from) {
    const { rows, cols, offset } = this.#part;
    const { left, top, right, bottom } = this.box();
    const at = (/** @type {number} */ share, /** @type {number} */ count) =>
      Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    const row = at(((from.top + from.bottom) / 2 - top) / (bottom - top), rows);
    const col = at(((from.left + from.right) / 2 - left) / (right - left), cols);
    this.element.selected = row * cols + col;
    this.#select(offset + row * cols + col);
    this.element.focus();
    this.host.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}
