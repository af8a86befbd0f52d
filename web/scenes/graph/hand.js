/**
 * The drag of one node at a time. The dragged node is held, so that no training moves it, until the
 * drag ends. The drag sends few positions, as links have to store them.
 */

/** The time between two sent positions, in ms. */
const PACE = 40;
/** Positions are rounded to 1 / FINE: finer than a pixel, and short in links. */
const FINE = 1000;

/** @param {number} value */
const rounded = (value) => Math.round(value * FINE) / FINE;

export class Hand {
  #intents;
  #told = Number.NEGATIVE_INFINITY;
  #timer = 0;
  /** @type {number[] | null} */
  #untold = null;
  /** The dragged node; −1 for none. */
  node = -1;
  /** Its position. @type {number[]} */
  at = [0, 0];

  /** @param {Pick<import('../shared/figure.js').Intents, 'hold' | 'place' | 'release'>} intents */
  constructor(intents) {
    this.#intents = intents;
  }

  /** @param {number} node @param {readonly number[]} at its position */
  take(node, at) {
    if (node === this.node) return;
    this.letGo();
    this.node = node;
    this.at = [...at];
    this.#intents.hold([2 * node, 2 * node + 1]);
  }

  /** Moves the dragged node, if there is one. @param {readonly number[]} at */
  move(at) {
    if (this.node < 0) return;
    const next = at.map(rounded);
    if (next.every((value, i) => value === this.at[i])) return;
    this.at = next;
    this.#untold = next;
    if (this.#timer) return;
    const wait = Math.max(0, this.#told + PACE - performance.now());
    this.#timer = Number(setTimeout(() => this.#tell(), wait));
  }

  #tell() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.#untold) return;
    this.#told = performance.now();
    this.#intents.place(this.#untold);
    this.#untold = null;
  }

  letGo() {
    if (this.node < 0) return;
    this.#tell();
    this.node = -1;
    this.#intents.release();
  }
}
