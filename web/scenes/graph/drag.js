/**
 * The drag of one node at a time. The dragged node is held, so that no training moves it, until the
 * drag ends. The drag sends few positions, as links have to store them.
 */

/** The time between two sent positions, in ms. */
const INTERVAL = 40;
/** Positions are rounded to 1 / RESOLUTION: finer than a pixel, and short in links. */
const RESOLUTION = 1000;

/** @param {number} value */
const rounded = (value) => Math.round(value * RESOLUTION) / RESOLUTION;

export class NodeDrag {
  #intents;
  #sentAt = Number.NEGATIVE_INFINITY;
  #timer = 0;
  /** @type {number[] | null} */
  #unsent = null;
  /** The dragged node; −1 for none. */
  node = -1;
  last = -1;
  /** The position of the one that was dragged last. @type {number[]} */
  at = [0, 0];

  /** @param {Pick<import('../shared/figure.js').Intents, 'hold' | 'writeDragged' | 'release'>} intents */
  constructor(intents) {
    this.#intents = intents;
  }

  /** @param {number} node @param {readonly number[]} at its position */
  start(node, at) {
    if (node === this.node) return;
    this.end();
    this.node = this.last = node;
    this.at = [...at];
    this.#intents.hold([2 * node, 2 * node + 1]);
  }

  /** Moves the dragged node, if there is one. @param {readonly number[]} at */
  move(at) {
    if (this.node < 0) return;
    const next = at.map(rounded);
    if (next.every((value, i) => value === this.at[i])) return;
    this.at = next;
    this.#unsent = next;
    if (this.#timer) return;
    const wait = Math.max(0, this.#sentAt + INTERVAL - performance.now());
    this.#timer = Number(setTimeout(() => this.#send(), wait));
  }

  #send() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.#unsent) return;
    this.#sentAt = performance.now();
    this.#intents.writeDragged(this.#unsent);
    this.#unsent = null;
  }

  end() {
    if (this.node < 0) return;
    this.#send();
    this.node = -1;
    this.#intents.release();
  }
}
