/**
 * A plot of recorded runs: curves, and marks for runs. One mark is a tab stop, arrows select the others,
 * Enter or a click near it opens its run. Marks differ in shape, not only in colour.
 */

import { svg, update } from '../shared/elements.js';

/** @typedef {{ x: number, y: number }} Point  0..1 each, from the left and from the bottom */
/** @typedef {Point & { label: string, run: import('../shared/figure.js').RecordedRun }} Mark */
/** @typedef {{ kind: string, line: Point[], marks: Mark[] }} Series  its class is is-kind */
/** @typedef {{ at: number, text: string }} Tick */
/** @typedef {{ across: string, up: string, xTicks: Tick[], yTicks: Tick[], series: Series[], live: Point | null }} Chart */

const [LEFT, RIGHT, TOP, BOTTOM] = [46, 16, 26, 42];
/** The largest distance of a pointer from a mark that it hits, in CSS pixels. */
const NEAR = 22;

/** The marks' shapes by the kind of their series; `live` is the shown run. @type {Record<string, string>} */
const shapes = {
  ticket: 'M-5.5 0A5.5 5.5 0 1 0 5.5 0A5.5 5.5 0 1 0 -5.5 0Z',
  random: 'M-4 -4H4V4H-4Z',
  live: 'M-10 0H10M0 -10V10',
};

/** @param {string} kind */
export const markOf = (kind) => svg('path', { d: shapes[kind], class: `runs-mark is-${kind}` });

export class RunsPlot {
  #host;
  #open;
  #tell;
  #axes = svg('g', { 'aria-hidden': 'true', class: 'runs-axes' });
  #lines = svg('g', { 'aria-hidden': 'true' });
  #marks = svg('g');
  /** @type {Record<string, SVGGElement>} */
  #groups = {};
  #live = svg('g', { 'aria-hidden': 'true', class: 'runs-live' }, markOf('live'));
  #svg;
  /** @type {Chart | null} */
  #chart = null;
  /** All marks, curve by curve. @type {{ element: SVGGElement, mark: Mark, kind: string }[]} */
  #all = [];
  #memory;
  #zoom;
  #current = 0;

  /**
   * @param {HTMLElement} host
   * @param {{ label: string, open: (mark: Mark) => void, tell: (mark: Mark | null) => void,
   *   memory: Record<string, any>, zoom: () => number }} tools  `memory` stores which mark is the
   *   tab stop, `zoom` returns the scale of text
   */
  constructor(host, { label, open, tell, memory, zoom }) {
    this.#memory = memory;
    this.#zoom = zoom;
    this.#host = host;
    this.#open = open;
    this.#tell = tell;
    this.#svg = svg(
      'svg',
      { role: 'group', 'aria-label': label, class: 'runs-svg', tabindex: -1 },
      ...[this.#axes, this.#lines, this.#marks, this.#live],
    );
    host.append(this.#svg);
    new ResizeObserver(() => this.#chart && this.draw(this.#chart)).observe(host);
    this.#listen();
  }

  #listen() {
    this.#svg.addEventListener('pointermove', (event) => {
      const near = this.#nearest(event);
      this.#svg.style.cursor = near < 0 ? '' : 'pointer';
      this.#point(near);
    });
    this.#svg.addEventListener('pointerleave', () => this.#point(this.#focused));
    this.#svg.addEventListener('mousedown', (event) => {
      const near = this.#nearest(event);
      if (near < 0) event.preventDefault();
      else this.#become(near);
    });
    this.#svg.addEventListener('click', (event) => {
      // Assistive technology clicks an element, not a position.
      const at = event.detail === 0 ? this.#focused : this.#nearest(event);
      if (at >= 0) this.#open(this.#all[at].mark);
    });
    this.#host.addEventListener('focusin', ({ target }) => {
      if (target === this.#svg && this.#all.length) this.focus();
      const at = this.#focused;
      if (at < 0) return;
      this.#become(at);
      this.#point(at);
    });
    this.#host.addEventListener('focusout', () => this.#point(-1));
    this.#host.addEventListener('keydown', (event) => this.#press(event));
  }

  get #focused() {
    return this.#all.findIndex(({ element }) => element === document.activeElement);
  }

  /** @param {MouseEvent} event @returns {number} −1 for none */
  #nearest({ clientX, clientY }) {
    const { left, top } = this.#svg.getBoundingClientRect();
    const zoom = this.#zoom();
    let [best, least] = [-1, NEAR];
    this.#all.forEach(({ mark }, i) => {
      const { x, y } = this.#at(mark);
      const distance = Math.hypot(left + x * zoom - clientX, top + y * zoom - clientY);
      if (distance <= least) [best, least] = [i, distance];
    });
    return best;
  }

  /** Highlights a mark and reports it. @param {number} at −1 for none */
  #point(at) {
    for (const [i, { element }] of this.#all.entries()) {
      element.classList.toggle('is-near', i === at);
    }
    this.#tell(at < 0 ? null : this.#all[at].mark);
  }

  /** Makes a mark the tab stop. @param {number} at */
  #become(at) {
    this.#current = at;
    if (at in this.#all) this.#memory.at = at;
    for (const [i, { element }] of this.#all.entries()) {
      update(element, { tabindex: i === at ? 0 : -1 });
    }
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const at = this.#focused;
    if (at < 0) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#open(this.#all[at].mark);
      return;
    }
    const to = this.#beside(at, event.key);
    if (to === undefined) return;
    event.preventDefault();
    this.#all[to]?.element.focus();
  }

  /** Returns the mark that a key selects: left and right along a curve, up and down among marks of one index. @param {number} at @param {string} key @returns {number | undefined} */
  #beside(at, key) {
    const { mark, kind } = this.#all[at];
    const order = this.#all.map((_, i) => i);
    const alike = order
      .filter((i) => this.#all[i].kind === kind)
      .sort((a, b) => this.#all[a].mark.x - this.#all[b].mark.x || a - b);
    const above = order
      .filter((i) => this.#all[i].mark.x === mark.x)
      .sort((a, b) => this.#all[a].mark.y - this.#all[b].mark.y || a - b);
    const later = alike.find((i) => this.#all[i].mark.x > mark.x);
    const earlier = alike.findLast((i) => this.#all[i].mark.x < mark.x);
    const i = above.indexOf(at);
    switch (key) {
      case 'ArrowRight':
        return later ?? at;
      case 'ArrowLeft':
        return earlier ?? at;
      case 'ArrowUp':
        return above[i + 1] ?? at;
      case 'ArrowDown':
        return above[i - 1] ?? at;
      case 'Home':
        return alike[0];
      case 'End':
        return alike[alike.length - 1];
    }
  }

  get #size() {
    const { clientWidth, clientHeight } = this.#host;
    return { width: clientWidth / this.#zoom(), height: clientHeight / this.#zoom() };
  }

  /** @param {Point} point */
  #at({ x, y }) {
    const { width, height } = this.#size;
    return {
      x: LEFT + x * (width - LEFT - RIGHT),
      y: height - BOTTOM - y * (height - TOP - BOTTOM),
    };
  }

  /** @param {Chart} chart */
  draw(chart) {
    this.#chart = chart;
    const { width, height } = this.#size;
    if (!width) return;
    update(this.#svg, { viewBox: `0 0 ${width} ${height}` });
    this.#axes.replaceChildren(...this.#drawAxes(chart));
    this.#lines.replaceChildren(
      ...chart.series.map(({ kind, line }) => {
        const points = line.map((point) => this.#at(point)).map(({ x, y }) => `${x},${y}`);
        return svg('polyline', { class: `runs-line is-${kind}`, points: points.join(' ') });
      }),
    );
    this.#drawMarks(chart.series);
    this.live(chart.live);
  }

  /** Existing marks stay in the document, so that they keep the focus. @param {Series[]} series */
  #drawMarks(series) {
    const before = this.#all;
    const current = before[this.#current]?.element;
    this.#all = series.flatMap(({ kind, marks }) => {
      // The last curve is drawn over the others.
      this.#groups[kind] ??= this.#marks.appendChild(svg('g'));
      const known = before.filter((one) => one.kind === kind);
      for (const { element } of known.splice(marks.length)) element.remove();
      return marks.map((mark, i) => {
        const element = known[i]?.element ?? this.#addMark(kind);
        const { x, y } = this.#at(mark);
        update(element, { transform: `translate(${x} ${y})`, 'aria-label': mark.label });
        return { element, mark, kind };
      });
    });
    const same = this.#all.findIndex(({ element }) => element === current);
    const at = current ? same : (this.#memory.at ?? 0);
    this.#become(at in this.#all ? at : 0);
    if (document.activeElement === this.#svg) this.focus();
  }

  /** @param {string} kind */
  #addMark(kind) {
    const ring = svg('circle', { r: 11, class: 'runs-ring' });
    const element = svg('g', { role: 'button', class: 'runs-point' }, ring, markOf(kind));
    this.#groups[kind].append(element);
    return element;
  }

  /** @param {Chart} chart */
  #drawAxes({ across, up, xTicks, yTicks }) {
    const [from, to] = [this.#at({ x: 0, y: 0 }), this.#at({ x: 1, y: 1 })];
    const text = (/** @type {string} */ words, /** @type {Record<string, string | number>} */ at) =>
      svg('text', at, words);
    return [
      ...yTicks.flatMap(({ at, text: words }) => {
        const { y } = this.#at({ x: 0, y: at });
        const line = { x1: from.x, x2: to.x, y1: y, y2: y };
        return [
          svg('line', { ...line, class: at === 0 ? 'runs-base' : 'runs-rule' }),
          text(words, { x: from.x - 6, y: y + 4, 'text-anchor': 'end' }),
        ];
      }),
      ...xTicks.flatMap(({ at, text: words }) => {
        const { x } = this.#at({ x: at, y: 0 });
        return [
          svg('line', { x1: x, x2: x, y1: from.y, y2: from.y + 5, class: 'runs-base' }),
          text(words, { x, y: from.y + 18, 'text-anchor': 'middle' }),
        ];
      }),
      text(across, { x: (from.x + to.x) / 2, y: from.y + 36, 'text-anchor': 'middle' }),
      text(up, { x: 2, y: 13 }),
    ];
  }

  /** Focuses the tab stop; before there are marks, the plot. */
  focus() {
    (this.#all[this.#current]?.element ?? this.#svg).focus();
  }

  /** Shows the point of the shown run. @param {Point | null} point */
  live(point) {
    if (this.#chart) this.#chart.live = point;
    this.#live.style.display = point ? '' : 'none';
    if (!point || !this.#host.clientWidth) return;
    const { x, y } = this.#at(point);
    update(this.#live, { transform: `translate(${x} ${y})` });
  }
}
