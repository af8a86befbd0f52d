/**
 * The marks of recorded runs on a plot, which are buttons: arrows select another, Enter or a click
 * near it opens its run. Marks differ in shape, not only in colour.
 */

import { moveTo, nearest, stopAt } from '../shared/buttons.js';

/** @typedef {import('../shared/figure.js').RecordedRun} RecordedRun */
/** @typedef {{ kind: string, x: number, y: number, label: string, run: RecordedRun }} Mark  its class is is-kind; x and y in the axes' values */

/** The axis that an arrow goes along, and its direction. @type {Record<string, ['x' | 'y', number]>} */
const ARROWS = {
  ...{ ArrowLeft: ['x', -1], ArrowRight: ['x', 1], ArrowDown: ['y', -1], ArrowUp: ['y', 1] },
  ...{ Home: ['x', -Infinity], End: ['x', Infinity] },
};

export class RunMarks {
  element;
  #tools;
  #tell;
  /** @type {readonly Mark[]} */
  #marks = [];
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  /** @type {{ x: number, y: number }[]} */
  #points = [];

  /** @param {Parameters<import('../shared/figure.js').Built['build']>[1]} tools its memory stores which mark is the tab stop @param {(mark: Mark | null) => void} tell */
  constructor(tools, tell) {
    this.#tools = tools;
    this.#tell = tell;
    this.element = tools.h('div', {
      ...{ class: 'runs-marks', role: 'group', 'aria-label': tools.words.plot, tabindex: -1 },
      onpointermove: (/** @type {PointerEvent} */ event) => this.#light(this.#nearest(event)),
      onpointerleave: () => this.#light(this.#focused),
      // The nearest mark gets the focus, which need not be the one on top.
      onmousedown: (/** @type {MouseEvent} */ event) => {
        event.preventDefault();
        this.#buttons[this.#nearest(event)]?.focus();
      },
      // A click without a pointer comes from a keyboard or assistive technology.
      onclick: (/** @type {MouseEvent} */ event) => {
        const at = event.detail ? this.#nearest(event) : this.#focused;
        if (at >= 0) tools.intents.openRun(this.#marks[at].run);
      },
      onfocusin: () => {
        const at = this.#focused;
        if (at < 0) return this.focus();
        tools.memory.at = at;
        stopAt(this.#buttons, at);
        this.#light(at);
      },
      onfocusout: () => this.#light(-1),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#press(event),
    });
  }

  get #focused() {
    return this.#buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  }

  /** @param {MouseEvent} event @returns {number} −1 for none */
  #nearest = (event) => nearest(this.#points, this.element, event);

  /** Highlights a mark and reports it. @param {number} at −1 for none */
  #light(at) {
    for (const [i, button] of this.#buttons.entries()) button.classList.toggle('is-near', i === at);
    this.#tell(this.#marks[at] ?? null);
  }

  /** Arrows lead along a curve, or among the marks of one share. @param {KeyboardEvent} event */
  #press(event) {
    const at = this.#focused;
    const arrow = ARROWS[event.key];
    if (at < 0 || !arrow) return;
    event.preventDefault();
    const [axis, way] = arrow;
    const { kind, x } = this.#marks[at];
    const isOnWay = (/** @type {Mark} */ mark, /** @type {number} */ i) =>
      axis === 'y' ? mark.x === x : mark.kind === kind && (mark.x !== x || i === at);
    const order = [...this.#marks.keys()]
      .filter((i) => isOnWay(this.#marks[i], i))
      .sort((a, b) => this.#marks[a][axis] - this.#marks[b][axis] || a - b);
    const isEnd = Math.abs(way) > 1;
    const next = isEnd ? order.at(way < 0 ? 0 : -1) : order[order.indexOf(at) + way];
    this.#buttons[next ?? at].focus();
  }

  /** Shows other marks. @param {readonly Mark[]} marks */
  show(marks) {
    const { h, memory } = this.#tools;
    this.#marks = marks;
    this.#buttons = marks.map(({ kind, label }) =>
      h('button', { type: 'button', class: `runs-point is-${kind}`, 'aria-label': label }),
    );
    this.element.replaceChildren(...this.#buttons);
    stopAt(this.#buttons, memory.at in marks ? memory.at : 0);
    if (document.activeElement === this.element) this.focus();
  }

  /** Puts the marks on a plot. @param {import('../shared/plot.js').Plot} plot */
  place({ x, y }) {
    const zoom = this.#tools.zoom();
    this.#points = this.#marks.map((mark) => ({ x: x(mark.x) * zoom, y: y(mark.y) * zoom }));
    this.#points.forEach((point, i) => {
      moveTo(this.#buttons[i], point);
    });
  }

  /** Focuses the tab stop; before there are marks, their layer. */
  focus() {
    (this.#buttons.find(({ tabIndex }) => tabIndex === 0) ?? this.element).focus();
  }
}
