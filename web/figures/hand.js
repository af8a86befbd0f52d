/**
 * A hand on one node at a time: what it takes is held, so that no training pulls it away, and goes where the hand goes,
 * until it lets go. While it moves, it says so no more often than links should have to tell.
 */

/** Time between two places that are told, in ms. */
const PACE = 40;
/** Places are rounded to this part of 1: finer than a pixel, and short in links. */
const FINE = 1000;

/** @param {number} value */
const rounded = (value) => Math.round(value * FINE) / FINE;

export class Hand {
  #intents;
  #told = Number.NEGATIVE_INFINITY;
  #timer = 0;
  /** @type {number[] | null} */
  #untold = null;
  /** The node that it is on; −1 for none. */
  node = -1;
  /** Where it is. @type {number[]} */
  at = [0, 0];

  /** @param {Pick<import('./figure.js').Intents, 'hold' | 'place' | 'release'>} intents */
  constructor(intents) {
    this.#intents = intents;
  }

  /** @param {number} node @param {readonly number[]} at where it is */
  take(node, at) {
    if (node === this.node) return;
    this.letGo();
    this.node = node;
    this.at = [...at];
    this.#intents.hold([2 * node, 2 * node + 1]);
  }

  /** Nothing, where it has let go. @param {readonly number[]} at */
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
