/**
 * A graph: nodes to drag and to pin, and edges as springs: the more a spring's length is off, the
 * flatter its coils. The scene's variable has a row per node, x and y. A node is a button: a click
 * or Space pins it, a drag or the arrow keys move it. A dragged node is held until the drag ends.
 *   shown.edges  [from, to] each
 *   shown.unit   the wanted length of an edge
 *   shown.names  names of the nodes
 */

import { ARROWS, HALF, moveTo, nearest, stopAt } from '../shared/buttons.js';
import { say } from '../shared/figure.js';
import { stroke } from '../shared/plot.js';
import { NodeDrag } from './drag.js';

/** A press that moves less than this, in CSS pixels, is a click. */
const SLACK = 5;
/** The distance of an arrow key's move; with Shift, five times as much. */
const STEP = 0.02;
/** A spring's coils and points, and its reach to either side at the right length, as a part of it; less of many. */
const [COILS, POINTS, REACH] = [6, 72, 0.08];

/** Keys that select another node, by its number, of `count`. @type {Record<string, (node: number, count: number) => number>} */
const GOES = {
  PageDown: (node, count) => (node + 1) % count,
  PageUp: (node, count) => (node + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** @typedef {import('../shared/figure.js').Model} Model */
/** @typedef {Parameters<import('../shared/figure.js').Built['build']>[1]} Tools */

/** @param {number} value @param {number} most */
const within = (value, most) => Math.max(-most, Math.min(most, value));

class GraphView {
  #tools;
  #drag;
  #headline;
  #canvas;
  #layer;
  /** @type {HTMLButtonElement[]} */
  #nodes = [];
  /** @type {Model | null} */
  #model = null;
  /** Where nodes are drawn, in CSS pixels. @type {{ x: number, y: number }[]} */
  #points = [];
  /** The pixels of a unit, and half of the space in units. */
  #scale = { unit: 1, x: 1, y: 1 };
  /** The node that was pressed. @type {{ node: number, x: number, y: number, from: number[], hasMoved: boolean } | null} */
  #press = null;

  /** @param {HTMLElement} host @param {Tools} tools */
  constructor(host, tools) {
    this.#tools = tools;
    this.#drag = new NodeDrag(tools.intents);
    this.#headline = tools.h('p', { class: 'figure-headline' });
    this.#canvas = tools.h('canvas', { class: 'figure-canvas', 'aria-hidden': 'true' });
    this.#layer = tools.h('div', {
      class: 'graph-nodes',
      role: 'group',
      'aria-label': tools.words.group,
      onpointerdown: (/** @type {PointerEvent} */ event) => this.#down(event),
      onpointermove: (/** @type {PointerEvent} */ event) => this.#move(event),
      onpointerup: () => this.#up(),
      onpointercancel: () => this.#cancel(),
      onpointerleave: () => tools.intents.light(-1),
      // The nearest node gets the focus, which need not be the one on top.
      onmousedown: (/** @type {MouseEvent} */ event) => event.preventDefault(),
      // A click without a pointer comes from a keyboard or assistive technology.
      onclick: (/** @type {MouseEvent} */ event) => event.detail || this.#pin(this.#nodeOf(event)),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      onfocusin: (/** @type {FocusEvent} */ event) => this.#focus(this.#nodeOf(event)),
      onfocusout: () => {
        this.#drag.end();
        tools.intents.light(-1);
      },
    });
    host.append(this.#headline, tools.h('div', { class: 'graph-room' }, this.#canvas, this.#layer));
  }

  /** @param {Event} event @returns {number} −1 if it is none */
  #nodeOf({ target }) {
    return this.#nodes.indexOf(/** @type {HTMLButtonElement} */ (target));
  }

  /** Returns where a node is drawn: at the drag's position, or at its own. @param {number} node */
  #at(node) {
    if (node === this.#drag.node) return this.#drag.at;
    const { x } = /** @type {Model} */ (this.#model).values;
    return [x[2 * node], x[2 * node + 1]];
  }

  /** Limits a position to the canvas. @param {readonly number[]} at */
  #clamp([x, y]) {
    return [within(x, this.#scale.x), within(y, this.#scale.y)];
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0 || !event.isPrimary || !this.#model) return;
    const node = nearest(this.#points, this.#layer, event);
    if (node < 0) return;
    const { clientX: x, clientY: y } = event;
    this.#press = { node, x, y, from: this.#clamp(this.#at(node)), hasMoved: false };
    this.#layer.setPointerCapture(event.pointerId);
    this.#nodes[node].focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#model) return;
    const press = this.#press;
    if (!press || !this.#layer.hasPointerCapture(event.pointerId)) {
      const node = nearest(this.#points, this.#layer, event);
      this.#tools.intents.light(node < 0 ? -1 : 2 * node);
      return;
    }
    const [x, y] = [event.clientX - press.x, press.y - event.clientY];
    if (!press.hasMoved && Math.hypot(x, y) < SLACK) return;
    if (!press.hasMoved) this.#drag.start(press.node, this.#at(press.node));
    press.hasMoved = true;
    const { unit } = this.#scale;
    this.#drag.move(this.#clamp([press.from[0] + x / unit, press.from[1] + y / unit]));
    this.draw(this.#model);
  }

  #up() {
    const press = this.#press;
    this.#cancel();
    if (press && !press.hasMoved) this.#pin(press.node);
  }

  #cancel() {
    if (this.#press?.hasMoved) this.#drag.end();
    this.#press = null;
  }

  /** Pins or unpins a node. @param {number} node */
  #pin(node) {
    if (node < 0 || !this.#model) return;
    const { x } = this.#model.locks;
    const isPinned = x[2 * node] && x[2 * node + 1];
    this.#tools.intents.lock([2 * node, 2 * node + 1], !isPinned);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const node = this.#nodeOf(event);
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event;
    if (node < 0 || ctrlKey || altKey || metaKey) return;
    const isDragged = node === this.#drag.node;
    if (key in ARROWS) {
      const step = shiftKey ? 5 * STEP : STEP;
      const [x, y] = this.#at(node);
      this.#drag.start(node, [x, y]);
      const to = this.#clamp([x + step * ARROWS[key][0], y + step * ARROWS[key][1]]);
      this.#drag.move(to);
      const { intents, words } = this.#tools;
      intents.say(words.at(words.hand(this.#name(node)), to));
      if (this.#model) this.draw(this.#model);
    } else if (key in GOES) {
      this.#nodes[GOES[key](node, this.#nodes.length)].focus();
    } else if (isDragged && (key === 'Enter' || key === 'Escape')) {
      this.#drag.end();
      this.#tools.intents.say(this.#tools.words.freed(this.#name(node)));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} node */
  #name(node) {
    return this.#tools.name(this.#model?.shown.names[node] ?? '');
  }

  /** Makes a node the only tab stop. @param {number} node */
  #focus(node) {
    if (node < 0) return;
    stopAt(this.#nodes, node);
    this.#tools.intents.select(2 * node);
    this.#tools.intents.light(2 * node);
  }

  /** @param {Model} model */
  draw(model) {
    this.#model = model;
    const count = model.values.x.length / 2;
    const { h, icon, stageOf } = this.#tools;
    if (this.#nodes.length !== count) {
      this.#nodes = Array.from({ length: count }, (_, node) => {
        const look = { class: 'graph-dot', 'aria-hidden': 'true' };
        const dot = h('span', look, this.#name(node), icon('lock'));
        return h('button', { type: 'button', class: 'graph-node', tabindex: node ? -1 : 0 }, dot);
      });
      this.#layer.replaceChildren(...this.#nodes);
    }
    const { clientWidth, clientHeight } = this.#layer;
    const stage = stageOf(this.#canvas, clientWidth / Math.max(1, clientHeight));
    const { width, height } = stage;
    const unit = Math.max(1, (Math.min(width, height) / 2 - HALF) / model.reach);
    this.#scale = { unit, x: (width / 2 - HALF) / unit, y: (height / 2 - HALF) / unit };
    this.#points = this.#nodes.map((_, node) => {
      const [x, y] = this.#clamp(this.#at(node));
      return { x: width / 2 + x * unit, y: height / 2 - y * unit };
    });
    this.#drawEdges(stage, model);
    for (const node of this.#nodes.keys()) this.#drawNode(node, model);
    // Where the highlighted node is, or what came of the last drag, or what to try.
    const { place, drag, at, pinned, free } = this.#tools.words;
    const { last, at: to } = this.#drag;
    const isThere = last >= 0 && Math.hypot(...this.#at(last).map((x, i) => x - to[i])) < 0.001;
    const node = model.lit >= 0 ? Math.floor(model.lit / 2) : isThere ? last : -1;
    const dragged = this.#nodes[node]?.matches('.is-pinned') ? pinned : free;
    const told = isThere && node === last ? dragged : at;
    const pins = this.#nodes.filter((button) => button.matches('.is-pinned')).length;
    const first =
      model.step && pins && !model.isPast ? drag : place(count, model.shown.edges.length, pins);
    say(this.#headline, node < 0 ? first : told(this.#name(node), this.#at(node)));
  }

  /** @param {import('../shared/figure.js').Stage} stage @param {Model} model */
  #drawEdges({ pen, ink }, { shown }) {
    pen.lineCap = pen.lineJoin = 'round';
    [pen.strokeStyle, pen.lineWidth] = [ink('edge'), 1.75];
    const reach = REACH * Math.min(1, 30 / shown.edges.length);
    for (const [from, to] of shown.edges) {
      const [a, b] = [this.#points[from], this.#points[to]];
      const [x, y] = [b.x - a.x, b.y - a.y];
      const part = (shown.unit * this.#scale.unit) / Math.max(Math.hypot(x, y), 1);
      const wide = reach * Math.min(part ** 3, 1 / part);
      const coils = Array.from({ length: POINTS }, (_, i) => {
        const at = 0.2 + (0.6 * i) / POINTS;
        const off = wide * Math.sin((2 * Math.PI * COILS * i) / POINTS);
        return [a.x + x * at - y * off, a.y + y * at + x * off];
      });
      stroke(pen, [a.x, a.y], ...coils, [b.x, b.y]);
    }
  }

  /** @param {number} node @param {Model} model */
  #drawNode(node, model) {
    const button = this.#nodes[node];
    const { x } = model.locks;
    const [isAcross, isUp] = [x[2 * node] === 1, x[2 * node + 1] === 1];
    const isDragged = node === this.#drag.node;
    moveTo(button, this.#points[node]);
    button.classList.toggle('is-pinned', isAcross && isUp);
    button.classList.toggle('is-rail', isAcross !== isUp);
    button.classList.toggle('is-held', isDragged);
    button.classList.toggle('is-lit', Math.floor(model.lit / 2) === node);
    const { words } = this.#tools;
    const pressed = isAcross && isUp ? 'true' : isAcross || isUp ? 'mixed' : 'false';
    const label = words.node(this.#name(node), isDragged);
    const told = { 'aria-pressed': pressed, 'aria-label': label };
    for (const [attribute, value] of Object.entries(told)) {
      if (button.getAttribute(attribute) !== value) button.setAttribute(attribute, value);
    }
  }
}

/** @type {import('../shared/figure.js').Built} */
export const graph = {
  id: 'graph',
  build: (host, tools) => new GraphView(host, tools),
  describe(words, { locks: { x }, shown: { names } }) {
    const isPinned = (/** @type {number} */ node) => x[2 * node] && x[2 * node + 1];
    return words.label(names.length, [...names.keys()].filter(isPinned).length);
  },
};
