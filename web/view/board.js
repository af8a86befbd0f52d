/**
 * The cells of a scene in panes: one for the run, and one beside it for a map or the rival. A pane
 * has a heading, the scene's figures, and a grid for each variable. It draws its data as they are.
 */

import { MAX_DOM_SIDE } from 'gradlock/grid';
import { strings } from '../strings/index.js';
import { leaveGrid } from './arrow-navigation.js';
import { h, icon, setStyle, setText } from './dom.js';
import { FigureView } from './figure.js';
import { formatShort } from './format.js';
import { GridView } from './grid.js';
import { ScaleBar } from './scale-bar.js';

/** @typedef {import('../engine/protocol.js').Drift} Drift */

/**
 * @typedef {object} PaneModel
 * @property {import('./grid.js').GridModel} grid
 * @property {Record<string, Float32Array> | null} readings
 * @property {Drift | null} drift  of a run's locked cells; null for a map
 * @property {readonly import('../scenes/shared/figure.js').RecordedRun[]} [recorded]
 * @property {import('../engine/protocol.js').FitNews | null} [fit]
 * @property {import('../state/rules.js').OptimizerSettings} [optimizer]
 * @property {number} step
 * @property {boolean} [isPast]  true if its cells are those of an earlier step
 * @property {boolean} isMasked  true if a mask holds its locked cells
 */

/**
 * @typedef {object} Opening
 * @property {string} scene
 * @property {string} name
 * @property {import('../scenes/layout.js').Part[]} layout
 * @property {Record<string, string[]>} rowNames  by variable
 * @property {Record<string, string[]>} colNames
 * @property {Record<string, number>} cellSizes  in rem, of grids with their own size of cells
 * @property {Record<string, string>} gridNames
 * @property {readonly string[]} folded  grids that only the page with all controls shows
 * @property {string} gridHint  what the grids' names do
 * @property {import('../scenes/scene.js').Scene['pulls']} pulls
 * @property {import('../scenes/shared/figure.js').Figure[]} figures
 * @property {unknown} shown  constant data of the figures
 * @property {{ figures: Record<string, any>, name: (key: string) => string }} words
 * @property {number} selected
 * @property {string | null} beside  heading of the pane beside; null if there is none
 * @property {boolean} isRival  true if there is another run beside it, not a map
 */

/** The figures' memory, which outlives runs of their scene, by their ids and panes. @typedef {Record<string, Record<string, any>>} Memories */
/** @typedef {import('./grid.js').Intents} Intents */

class Pane {
  element;
  /** @type {GridView[]} */
  grids;
  #layout;
  figures;
  #shown;
  #lit = -1;
  /** @type {PaneModel | null} */
  #model = null;
  #moved = h('span', { class: 'proof-number' }, strings.drift.moved(0));
  #farthest = h('span', { class: 'proof-verdict' });
  #scale = new ScaleBar();
  #proof = h('p', { class: 'proof note' }, this.#moved, this.#farthest);

  /**
   * @param {Opening} opening
   * @param {string | null} heading
   * @param {Memories} memories
   * @param {Intents} intents
   * @param {boolean} isMain  false beside the run
   */
  constructor(opening, heading, memories, intents, isMain) {
    const { layout, name, rowNames, colNames, cellSizes, gridNames, words, isRival } = opening;
    this.#layout = layout;
    this.#shown = opening.shown;
    const figures = opening.figures.filter(({ isOnce }) => isMain || (isRival && !isOnce));
    this.figures = figures.map((figure) => {
      const said = { words: words.figures[figure.id], name: words.name };
      const key = `${figure.id} ${isMain}`;
      memories[key] ??= {};
      return new FigureView(figure, said, intents, memories[key]);
    });
    const isOne = layout.length === 1;
    const isAlone = layout.length - opening.folded.length === 1;
    const isMask = heading === strings.beside.mask;
    const sign = isRival ? icon(isMask ? 'lock-broken' : 'lock') : null;
    this.grids = layout.map((part) => {
      const { rows, cols, name: key } = part;
      const host = h('div', { class: 'grid-host' });
      // A canvas has no names.
      const isSmall = Math.max(rows, cols) <= MAX_DOM_SIDE;
      const hasNames = key in rowNames && isSmall;
      host.classList.toggle('has-names', hasNames);
      host.classList.toggle('has-size', key in cellSizes);
      host.classList.toggle('is-outlined', isSmall && (isOne ? isRival : isAlone));
      host.classList.toggle('is-mask', isMask);
      // Grids of one scale are stacked, so that their columns align.
      const own = key in cellSizes ? Object.values(rowNames).flat() : (rowNames[key] ?? []);
      const longest = hasNames ? Math.max(0, ...own.map((text) => text.length)) : 0;
      const names = longest ? `min(4.5rem, ${longest / 2 + 0.75}rem)` : '0rem';
      const size = `${cellSizes[key]}rem`;
      setStyle(host, { '--rows': rows, '--cols': cols, '--size': size, '--names': names });
      const title = isOne ? null : gridNames[key];
      const whole = title === null ? name : `${name}, ${title}`;
      const label = heading === null ? whole : `${whole}: ${heading}`;
      const { gridHint: hint, pulls } = opening;
      const named = { rowNames: rowNames[key], colNames: colNames[key] };
      return new GridView(host, part, { name: label, title, hint, pulls, ...named }, intents);
    });
    const units = this.grids.map(({ title, host }, i) => {
      const more = opening.folded.includes(layout[i].name) ? ' is-more' : '';
      const head = title && h('div', { class: 'grid-head row' }, title);
      return h('div', { class: `grid-unit${more}` }, head, host);
    });
    const grids = h('div', { class: `grids ${isOne ? 'is-one' : 'is-many'}` }, ...units);
    const hasSizes = Object.keys(cellSizes).length > 0;
    const isNamed = !isOne && !hasSizes && Object.keys(rowNames).length > 0;
    grids.classList.toggle('is-named', isNamed);
    const names = this.grids.map(({ host }) => host.style.getPropertyValue('--names'));
    setStyle(grids, {
      '--across': layout.reduce((sum, { cols }) => sum + cols, 0),
      '--widest': Math.max(...layout.map(({ cols }) => cols)),
      '--all-names': `calc(${names.join(' + ')})`,
      '--widest-names': `max(${names.join(', ')})`,
      '--gaps': layout.length - 1,
    });
    this.#proof.hidden = !isRival || heading === null;
    const look = { class: ['pane stack', ...figures.map(({ id }) => `has-${id}`)].join(' ') };
    const title = heading === null ? null : h('h2', { class: 'pane-title row' }, sign, heading);
    const scale = isMain || isRival ? null : this.#scale.element;
    const drawn = this.figures.map(({ element }) => element);
    this.element = h('div', look, title, this.#proof, scale, ...drawn, grids);
  }

  /** @param {PaneModel} model */
  draw(model) {
    const { grid, drift } = model;
    this.#model = model;
    for (const view of this.grids) view.draw(grid);
    if (drift) this.#prove(drift);
    this.#scale.draw(grid);
    this.#drawFigures();
  }

  /** Sizes the figures once the pane is on the page. */
  fit() {
    for (const figure of this.figures) figure.fit();
  }

  #drawFigures() {
    if (!this.#model || !this.figures.length) return;
    const { grid, readings, recorded = [], fit = null, ...run } = this.#model;
    const { step, isMasked, isPast = false, optimizer } = run;
    const { values, mask, reach, palette } = grid;
    const layout = this.#layout;
    /** Splits an array by variable. @template {Float32Array | Uint8Array} T @param {T} row @returns {Record<string, T>} */
    const byName = (row) =>
      Object.fromEntries(
        layout.map(({ name, rows, cols, offset }) => [
          name,
          /** @type {T} */ (row.subarray(offset, offset + rows * cols)),
        ]),
      );
    const model = {
      ...{ shown: this.#shown, readings: readings ?? {}, layout, reach },
      ...{ lit: this.#lit, recorded, fit, step, isMasked, isPast, optimizer },
      ...{ values: byName(values), locks: byName(mask) },
    };
    for (const figure of this.figures) figure.draw(model, palette);
  }

  /** Highlights a cell. @param {number} index of all cells; −1 for none */
  light(index) {
    if (index === this.#lit) return;
    this.#lit = index;
    this.#layout.forEach(({ offset, rows, cols }, i) => {
      const at = index - offset;
      this.grids[i].light(at >= 0 && at < rows * cols ? at : -1);
    });
    this.#drawFigures();
  }

  /** @param {Drift} drift */
  #prove({ moved, farthest, audited }) {
    const isHeld = moved === 0 && audited === 0;
    this.#proof.classList.toggle('is-broken', !isHeld);
    setText(this.#moved, strings.drift.moved(moved));
    setText(this.#farthest, isHeld ? '' : strings.lockOrMask.by(formatShort(farthest)));
  }

  /** @param {number} index */
  select(index) {
    const i = this.#layout.findLastIndex(({ offset }) => offset <= index);
    const grid = this.grids[i]?.element;
    if (grid) grid.selected = index - this.#layout[i].offset;
    return grid;
  }
}

export class Board {
  #host;
  #curves;
  #intents;
  /** The run's, and the one beside it if there is one. @type {Pane[]} */
  #panes = [];
  #selected = 0;
  /** The index of the figure that had the focus last; −1 for a grid. */
  #figure = -1;
  #drawsByTouch = false;
  #scene = '';
  /** The number of times cells were opened. */
  #openings = 0;
  /** @type {Memories} */
  #memories = {};

  /** @param {HTMLElement} host @param {HTMLElement} curves  for figures that are charts @param {Omit<Intents, 'light'>} intents */
  constructor(host, curves, intents) {
    this.#host = host;
    this.#curves = curves;
    const light = (/** @type {number} */ index) => {
      for (const pane of this.#panes) pane.light(index);
    };
    this.#intents = { ...intents, light };
    host.addEventListener('cellleave', ({ target, detail }) =>
      this.#leave(target, detail.direction),
    );
    const focusin = () => {
      this.#figure = this.#panes[0].figures.findIndex(({ hasFocus }) => hasFocus);
    };
    for (const one of [host, curves]) one.addEventListener('focusin', focusin);
    host.addEventListener('keydown', (event) => {
      const direction = event.key.match(/^Arrow(.*)/)?.[1].toLowerCase();
      if (!direction || !(/** @type {Element} */ (event.target).matches('.grid-name'))) return;
      event.preventDefault();
      this.#leave(event.target, /** @type {any} */ (direction));
    });
  }

  /** @param {EventTarget | null} left @param {import('./arrow-navigation.js').Direction} direction */
  #leave(left, direction) {
    // What is folded has no place.
    const panes = this.#panes.map(({ grids }) =>
      grids.filter(({ title }) => title?.offsetParent !== null),
    );
    const grid = panes.flat().find(({ element, title }) => left === element || left === title);
    if (grid) leaveGrid(panes, grid, direction);
  }

  get hasFocus() {
    return [this.#host, this.#curves].some((one) => one.contains(document.activeElement));
  }

  /** @param {Opening} opening */
  open(opening) {
    const { beside, isRival, selected } = opening;
    const { hasFocus } = this;
    if (this.#scene !== opening.scene) {
      this.#figure = -1;
      this.#memories = {};
    }
    this.#scene = opening.scene;
    // They end when other cells are opened: a value field that is open then reports its text as it
    // is removed, and that must not reach another run.
    const mine = ++this.#openings;
    const entries = Object.entries(this.#intents).map(([name, act]) => [
      name,
      (/** @type {unknown[]} */ ...given) =>
        mine === this.#openings ? Reflect.apply(act, undefined, given) : undefined,
    ]);
    /** @type {Intents} */
    const intents = Object.fromEntries(entries);
    const title = isRival ? strings.beside.trueLock : beside && strings.beside.values;
    const headings = beside ? [title, beside] : [title];
    this.#panes = headings.map(
      (heading, i) => new Pane(opening, heading, this.#memories, intents, i === 0),
    );
    const panes = this.#panes.map(({ element }) => element);
    const hasSwitch = isRival && opening.figures.length > 0;
    this.#host.replaceChildren(...(hasSwitch ? [this.#switch(headings)] : []), ...panes);
    this.#curves.replaceChildren(...this.#host.querySelectorAll('.figure.is-chart'));
    this.#host.classList.toggle('is-paired', beside !== null);
    this.#host.dataset.scene = opening.scene;
    this.drawByTouch(this.#drawsByTouch);
    for (const pane of this.#panes) pane.fit();
    this.select(selected);
    if (hasFocus) this.refocus();
  }

  /** Shows the run that an element belongs to, where there is room for one. @param {Element} element */
  reveal(element) {
    const i = this.#panes.findIndex(({ element: pane }) => pane.contains(element));
    const choices = this.#host.querySelectorAll('[name=pane]');
    if (choices[i]) /** @type {HTMLElement} */ (choices[i]).click();
  }

  /** The drift of each run, in that switch. */
  #drifts = [h('span', {}, '0'), h('span', {}, '0')];

  /** Returns the switch between two runs where there is room for one. @param {(string | null)[]} headings */
  #switch(headings) {
    const choices = headings.map((heading, i) => {
      const onchange = () => this.#host.setAttribute('data-pane', `${i}`);
      const choice = h('input', { type: 'radio', name: 'pane', class: 'cover', onchange });
      choice.checked = i === 1;
      const name = heading === strings.beside.mask ? strings.lockOrMask.ways.mask : heading;
      return h('label', { class: 'row' }, choice, name, this.#drifts[i]);
    });
    this.#host.dataset.pane = '1';
    const label = strings.lockOrMask.label;
    return h('fieldset', { class: 'hold-switch pane-switch', 'aria-label': label }, ...choices);
  }

  /** @param {PaneModel} main @param {PaneModel | null} beside */
  draw(main, beside) {
    this.#panes[0]?.draw(main);
    if (beside) this.#panes[1]?.draw(beside);
    for (const [i, drift] of [main.drift, beside?.drift].entries())
      if (drift && this.#drifts[i]) setText(this.#drifts[i], formatShort(drift.farthest));
  }

  /** @param {number} index */
  select(index) {
    this.#selected = index;
    for (const pane of this.#panes) pane.select(index);
  }

  /** @param {boolean} isDrawing true if a finger draws locks; else it scrolls the page, and taps */
  drawByTouch(isDrawing) {
    this.#drawsByTouch = isDrawing;
    for (const { grids } of this.#panes) {
      for (const { element } of grids) element.draw = isDrawing;
    }
  }

  /** Focuses the figure that had the focus last, or the selected cell; if it is folded, a button in sight. */
  refocus() {
    const [main] = this.#panes;
    if (!main?.figures[this.#figure]?.focus()) main?.select(this.#selected)?.focus();
    if (this.hasFocus) return;
    [...this.#host.querySelectorAll('button')].find(({ offsetParent }) => offsetParent)?.focus();
  }

  /** Opens the value field of the selected cell. */
  edit() {
    this.#panes[0]?.select(this.#selected)?.edit();
  }
}
