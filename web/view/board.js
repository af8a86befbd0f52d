/**
 * The cells of a scene and what is beside them: one pane for the run, and one for a map of it or for its rival. A
 * pane has a heading, a figure if the scene has one, and a grid for each variable. It draws what it is given.
 */

import { strings } from '../strings.js';
import { h, setText } from './dom.js';
import { drawFigure } from './figure.js';
import { formatInput, formatNumber } from './format.js';
import { GridView } from './grid.js';

/** @typedef {import('./grid.js').GridModel} GridModel */
/** @typedef {import('../scenes/layout.js').Part} Part */
/** @typedef {import('../scenes/scene.js').Figure} Figure */
/** @typedef {import('../engine/protocol.js').Drift} Drift */

/**
 * @typedef {object} PaneModel
 * @property {GridModel} grid
 * @property {Record<string, Float32Array> | null} readings
 * @property {Drift | null} drift  of a run's locked cells; null for a map
 */

/**
 * @typedef {object} Opening
 * @property {string} scene
 * @property {string} name
 * @property {Part[]} layout
 * @property {string[]} [rowNames]
 * @property {Record<string, string>} [gridNames]
 * @property {Figure | null} figure
 * @property {number} selected
 * @property {string | null} beside  heading of what is beside, if anything is
 */

class Pane {
  element;
  /** @type {GridView[]} */
  grids;
  #layout;
  #figure;
  #canvas = h('canvas', { class: 'figure-canvas', role: 'img' });
  #score = h('p', { class: 'figure-score' });
  #drift = h('span', { class: 'proof-number' });
  #verdict = h('span', { class: 'proof-verdict' });
  #scale = h('p', { class: 'pane-scale' });
  #proof = h(
    'p',
    { class: 'proof' },
    h('span', { class: 'proof-label' }, strings.proof.drift),
    this.#drift,
    this.#verdict,
  );

  /**
   * @param {Opening} opening
   * @param {{ heading: string | null, isMap: boolean, hasFigure: boolean }} how
   * @param {ConstructorParameters<typeof GridView>[3]} intents
   */
  constructor(
    { layout, name, rowNames, gridNames, figure },
    { heading, isMap, hasFigure },
    intents,
  ) {
    this.#layout = layout;
    this.#figure = hasFigure ? figure : null;
    const isOne = layout.length === 1;
    const hosts = layout.map(({ rows, cols }) => {
      const host = h('div', { class: 'grid-host' });
      host.style.setProperty('--rows', String(rows));
      host.style.setProperty('--cols', String(cols));
      host.classList.toggle('has-names', rowNames !== undefined);
      return host;
    });
    const units = layout.map((part, i) =>
      h(
        'div',
        { class: 'grid-unit' },
        isOne ? null : h('p', { class: 'grid-name' }, gridNames?.[part.name] ?? part.name),
        hosts[i],
      ),
    );
    const grids = h('div', { class: `grids ${isOne ? '' : 'is-many'}` }, ...units);
    const widest = Math.max(...layout.map(({ cols }) => cols));
    grids.style.setProperty('--across', String(layout.length > 4 ? 5 * widest + 6 : widest + 3));
    this.#proof.hidden = isMap || heading === null;
    this.element = h(
      'div',
      { class: `pane ${this.#figure ? `has-${this.#figure.kind}` : ''}` },
      heading === null ? null : h('h2', { class: 'pane-title' }, heading),
      this.#proof,
      isMap && heading !== null ? this.#scale : null,
      this.#figure &&
        h('figure', { class: `figure is-${this.#figure.kind}` }, this.#canvas, this.#score),
      grids,
    );
    this.grids = layout.map((part, i) => {
      const title = isOne ? name : `${name}, ${gridNames?.[part.name] ?? part.name}`;
      const label = heading === null ? title : `${title}: ${heading}`;
      const words = { name: label, rowNames: i === 0 ? rowNames : undefined };
      return new GridView(hosts[i], part, words, intents);
    });
  }

  /** @param {PaneModel} model */
  draw({ grid, readings, drift }) {
    for (const view of this.grids) view.draw(grid);
    if (drift) this.#prove(drift);
    else setText(this.#scale, strings.beside.scale(formatInput(grid.reach)));
    if (!this.#figure || !readings) return;
    const label = drawFigure(this.#canvas, this.#figure, readings, grid);
    this.#canvas.setAttribute('aria-label', label);
    setText(this.#score, label);
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

  /** @param {HTMLElement} host @param {ConstructorParameters<typeof GridView>[3]} intents */
  constructor(host, intents) {
    this.#host = host;
    this.#intents = intents;
  }

  /** @param {Opening & { isRival: boolean }} opening */
  open(opening) {
    const { beside, isRival, selected } = opening;
    const hadFocus = this.#host.contains(document.activeElement);
    const title = isRival ? strings.beside.trueLock : beside && strings.beside.values;
    this.#main = new Pane(
      opening,
      { heading: title, isMap: !isRival, hasFigure: true },
      this.#intents,
    );
    this.#beside = beside
      ? new Pane(opening, { heading: beside, isMap: !isRival, hasFigure: isRival }, this.#intents)
      : null;
    this.#host.replaceChildren(this.#main.element, ...(this.#beside ? [this.#beside.element] : []));
    this.#host.classList.toggle('is-paired', this.#beside !== null);
    this.#host.classList.toggle('has-figure', opening.figure !== null);
    this.#host.dataset.scene = opening.scene;
    this.drawByTouch(this.#drawsByTouch);
    this.select(selected);
    if (hadFocus) this.focus();
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
