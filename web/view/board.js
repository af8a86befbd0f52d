/**
 * The cells of a scene and what is beside them: one pane for the run, and one for a map of it or for its rival. A
 * pane has a heading, the scene's figures, and a grid for each variable. It draws what it is given.
 */

import { strings } from '../strings.js';
import { h, setText } from './dom.js';
import { FigureView } from './figure.js';
import { formatNumber } from './format.js';
import { GridView } from './grid.js';
import { ScaleBar } from './scale-bar.js';

/** @typedef {import('./grid.js').GridModel} GridModel */
/** @typedef {import('../scenes/layout.js').Part} Part */
/** @typedef {import('../engine/protocol.js').Drift} Drift */

/**
 * @typedef {object} PaneModel
 * @property {GridModel} grid
 * @property {Record<string, Float32Array> | null} readings
 * @property {Drift | null} drift  of a run's locked cells; null for a map
 * @property {import('../figures/figure.js').Study | null} [study]
 * @property {number} step
 */

/**
 * @typedef {object} Opening
 * @property {string} scene
 * @property {string} name
 * @property {Part[]} layout
 * @property {Record<string, string[]>} rowNames  by variable
 * @property {Record<string, string[]>} colNames
 * @property {Record<string, number>} cellSizes  in rem, of grids whose cells have a size of their own
 * @property {Record<string, string>} gridNames
 * @property {import('../figures/figure.js').Figure[]} figures
 * @property {unknown} shown  what figures show that stays as it is
 * @property {{ figures: Record<string, any>, name: (key: string) => string }} words
 * @property {number} selected
 * @property {string | null} beside  heading of what is beside, if anything is
 */

/** What figures keep while runs of their scene come and go, by their ids. @typedef {Record<string, Record<string, any>>} Memories */
/** @typedef {ConstructorParameters<typeof GridView>[3]} GridIntents */
/** @typedef {Omit<GridIntents, 'leave'> & import('../figures/figure.js').Intents} Intents */
/** @typedef {'left' | 'right' | 'up' | 'down'} Direction */

class Pane {
  element;
  /** @type {GridView[]} */
  grids;
  #layout;
  #figures;
  #shown;
  #lit = -1;
  /** @type {PaneModel | null} */
  #model = null;
  #drift = h('span', { class: 'proof-number' });
  #verdict = h('span', { class: 'proof-verdict' });
  #scale = new ScaleBar();
  #proof = h(
    'p',
    { class: 'proof' },
    h('span', { class: 'proof-label' }, strings.proof.drift),
    this.#drift,
    this.#verdict,
  );

  /**
   * @param {Opening} opening
   * @param {{ heading: string | null, isMap: boolean, hasFigures: boolean, hasScale: boolean, memories: Memories | null }} how  beside the run nothing is
   *   remembered
   * @param {Intents} intents
   */
  constructor(opening, { heading, isMap, hasFigures, hasScale, memories }, intents) {
    const { layout, name, rowNames, colNames, cellSizes, gridNames, words, shown } = opening;
    this.#layout = layout;
    this.#shown = shown;
    this.#figures = (hasFigures ? opening.figures : [])
      .filter(({ isOnce }) => memories || !isOnce)
      .map(
        (figure) =>
          new FigureView(
            figure,
            { words: words.figures[figure.id], name: words.name },
            intents,
            memories?.[figure.id],
          ),
      );
    const isOne = layout.length === 1;
    const hosts = layout.map(({ rows, cols, name }) => {
      const host = h('div', { class: 'grid-host' });
      host.style.setProperty('--rows', String(rows));
      host.style.setProperty('--cols', String(cols));
      host.classList.toggle('has-names', name in rowNames);
      host.classList.toggle('has-size', name in cellSizes);
      host.style.setProperty('--size', `${cellSizes[name]}rem`);
      // Grids of one scale stand below each other, so their columns do.
      const own = name in cellSizes ? Object.values(rowNames).flat() : (rowNames[name] ?? []);
      const longest = name in rowNames ? Math.max(0, ...own.map((text) => text.length)) : 0;
      host.style.setProperty('--names', longest ? `min(4.5rem, ${longest / 2 + 0.75}rem)` : '0rem');
      return host;
    });
    const units = layout.map((part, i) =>
      h(
        'div',
        { class: 'grid-unit' },
        isOne ? null : this.#headingOf(gridNames[part.name], i),
        hosts[i],
      ),
    );
    const grids = h('div', { class: `grids ${isOne ? 'is-one' : 'is-many'}` }, ...units);
    const widest = Math.max(...layout.map(({ cols }) => cols));
    const hasSizes = Object.keys(cellSizes).length > 0;
    const isNamed = !isOne && !hasSizes && Object.keys(rowNames).length > 0;
    const across = layout.length > 4 ? 5 * widest + 6 : widest + 3;
    grids.classList.toggle('is-named', isNamed);
    grids.style.setProperty(
      '--across',
      String(isNamed ? layout.reduce((sum, { cols }) => sum + cols, 0) : across),
    );
    grids.style.setProperty('--widest', String(widest));
    const names = hosts.map(({ style }) => style.getPropertyValue('--names'));
    grids.style.setProperty('--all-names', `calc(${names.join(' + ')})`);
    grids.style.setProperty('--widest-names', `max(${names.join(', ')})`);
    grids.style.setProperty('--gaps', String(layout.length - 1));
    this.#proof.hidden = isMap || heading === null;
    const kinds = this.#figures.map(({ element }) =>
      element.className.replace('figure is-', 'has-'),
    );
    this.element = h(
      'div',
      { class: ['pane', ...kinds].join(' ') },
      heading === null ? null : h('h2', { class: 'pane-title' }, heading),
      this.#proof,
      hasScale ? this.#scale.element : null,
      ...this.#figures.map(({ element }) => element),
      grids,
    );
    this.grids = layout.map((part, i) => {
      const title = isOne ? name : `${name}, ${gridNames[part.name]}`;
      const label = heading === null ? title : `${title}: ${heading}`;
      const names = { rowNames: rowNames[part.name], colNames: colNames[part.name] };
      const leave = (/** @type {Direction} */ direction) => {
        const cell = this.neighbour(i, direction);
        if (cell === null) return;
        intents.select(cell);
        this.select(cell).focus();
      };
      return new GridView(hosts[i], part, { name: label, ...names }, { ...intents, leave });
    });
  }

  /** A matrix's name, which locks and frees all of it; in the grid, Ctrl+A does. @param {string} name @param {number} i */
  #headingOf(name, i) {
    const title = strings.keys.lockAll(name);
    return h(
      'button',
      {
        type: 'button',
        class: 'grid-name',
        tabindex: -1,
        title,
        onclick: () => this.grids[i].lockAll(),
      },
      name,
    );
  }

  /** The grid whose border is nearest in a direction. @param {number} i of the grid that is left @param {Direction} direction */
  neighbour(i, direction) {
    const from = this.grids[i].box;
    const near = this.grids[i].selectedBox;
    const isAcross = direction === 'left' || direction === 'right';
    let [best, least] = [/** @type {GridView | null} */ (null), Number.POSITIVE_INFINITY];
    for (const grid of this.grids) {
      const box = grid.box;
      const gap = {
        left: from.left - box.right,
        right: box.left - from.right,
        up: from.top - box.bottom,
        down: box.top - from.bottom,
      }[direction];
      if (grid === this.grids[i] || gap < -1) continue;
      // What lies beside the cell comes before what is nearer but to the side.
      const [start, end] = isAcross ? [box.top, box.bottom] : [box.left, box.right];
      const middle = isAcross ? (near.top + near.bottom) / 2 : (near.left + near.right) / 2;
      const aside = Math.max(0, start - middle, middle - end);
      const distance = gap + 4 * aside;
      if (distance < least) [best, least] = [grid, distance];
    }
    /** @type {Record<Direction, Direction>} */
    const opposite = { left: 'right', right: 'left', up: 'down', down: 'up' };
    return best?.cellNear(opposite[direction], near) ?? null;
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

  /** The figure that has the focus; −1 for none. */
  get focused() {
    return this.#figures.findIndex(({ hasFocus }) => hasFocus);
  }

  /** @param {number} i @returns {boolean} whether that figure takes it */
  focusFigure(i) {
    return this.#figures[i]?.focus() ?? false;
  }

  /** Its figures take their room, as soon as it is on the page. */
  fit() {
    const [shown, layout] = [this.#shown, this.#layout];
    for (const figure of this.#figures) figure.fit({ shown, layout });
  }

  #drawFigures() {
    const { grid, readings, study = null, step = 0 } = this.#model ?? {};
    if (!grid || !this.#figures.length) return;
    const { values, mask, reach, palette } = grid;
    const layout = this.#layout;
    /** Of each variable its part. @template {Float32Array | Uint8Array} T @param {T} row @returns {Record<string, T>} */
    const byName = (row) =>
      Object.fromEntries(
        layout.map(({ name, rows, cols, offset }) => [
          name,
          /** @type {T} */ (row.subarray(offset, offset + rows * cols)),
        ]),
      );
    const model = {
      ...{ shown: this.#shown, readings: readings ?? {}, layout, reach },
      ...{ lit: this.#lit, study, step },
      ...{ values: byName(values), locks: byName(mask) },
    };
    for (const figure of this.#figures) figure.draw(model, palette);
  }

  /** Show the cell that is pointed at. @param {number} index of all cells; −1 for none */
  light(index) {
    if (index === this.#lit || !this.#figures.length) return;
    this.#lit = index;
    this.#layout.forEach(({ offset, rows, cols }, i) => {
      const at = index - offset;
      this.grids[i].light(at >= 0 && at < rows * cols ? at : -1);
    });
    this.#drawFigures();
  }

  /** @param {Drift} drift */
  #prove({ moved, farthest, audited }) {
    const words = strings.proof;
    const isHeld = moved === 0 && audited === 0;
    this.#proof.classList.toggle('is-broken', !isHeld);
    setText(this.#drift, formatNumber(farthest));
    setText(this.#verdict, isHeld ? words.held : words.leaked(moved));
  }

  /** @param {number} index */
  select(index) {
    const i = this.#layout.findLastIndex(({ offset }) => offset <= index);
    this.grids[i]?.select(index - this.#layout[i].offset);
    return this.grids[i];
  }
}

export class Board {
  #host;
  #intents;
  /** @type {Pane | null} */
  #main = null;
  /** @type {Pane | null} */
  #beside = null;
  #selected = 0;
  #drawsByTouch = false;
  #scene = '';
  /** @type {Memories} */
  #memories = {};

  /** @param {HTMLElement} host @param {Omit<Intents, 'light'>} intents */
  constructor(host, intents) {
    this.#host = host;
    this.#intents = { ...intents, light: (/** @type {number} */ index) => this.#light(index) };
  }

  /** @param {number} index */
  #light(index) {
    this.#main?.light(index);
    this.#beside?.light(index);
  }

  /** @param {Opening & { isRival: boolean }} opening */
  open(opening) {
    const { beside, isRival, selected } = opening;
    const hadFocus = this.#host.contains(document.activeElement);
    const isSameScene = this.#scene === opening.scene;
    const figure = isSameScene ? (this.#main?.focused ?? -1) : -1;
    if (!isSameScene) {
      this.#memories = Object.fromEntries(opening.figures.map(({ id }) => [id, {}]));
    }
    this.#scene = opening.scene;
    const memories = this.#memories;
    const title = isRival ? strings.beside.trueLock : beside && strings.beside.values;
    this.#main = new Pane(
      opening,
      { heading: title, isMap: !isRival, hasFigures: true, hasScale: false, memories },
      this.#intents,
    );
    this.#beside = beside
      ? new Pane(
          opening,
          {
            heading: beside,
            isMap: !isRival,
            hasFigures: isRival,
            hasScale: !isRival,
            memories: null,
          },
          this.#intents,
        )
      : null;
    this.#host.replaceChildren(this.#main.element, ...(this.#beside ? [this.#beside.element] : []));
    this.#host.classList.toggle('is-paired', this.#beside !== null);
    this.#host.classList.toggle('has-figure', opening.figures.length > 0);
    this.#host.dataset.scene = opening.scene;
    this.drawByTouch(this.#drawsByTouch);
    this.#main.fit();
    this.#beside?.fit();
    this.select(selected);
    if (hadFocus && !this.#main.focusFigure(figure)) this.focus();
  }

  /** @param {PaneModel} main @param {PaneModel | null} beside */
  draw(main, beside) {
    this.#main?.draw(main);
    if (beside) this.#beside?.draw(beside);
  }

  /** @param {number} index */
  select(index) {
    this.#selected = index;
    this.#main?.select(index);
    this.#beside?.select(index);
  }

  /** @param {boolean} isDrawing whether a finger draws locks; else it scrolls the page, and taps */
  drawByTouch(isDrawing) {
    this.#drawsByTouch = isDrawing;
    for (const pane of [this.#main, this.#beside]) {
      for (const grid of pane?.grids ?? []) grid.drawsByTouch = isDrawing;
    }
  }

  focus() {
    this.#main?.select(this.#selected)?.focus();
  }

  /** Let the person type the selected cell's value. */
  edit() {
    this.#main?.select(this.#selected)?.edit();
  }
}
