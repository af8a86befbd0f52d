/**
 * What the cells were at earlier steps, to look back at. Memory is bounded: once full, every other snapshot goes and
 * the ones after come half as often. The first is always kept.
 */

/** @typedef {{ step: number, loss: number, values: Float32Array, mask: Uint8Array }} Kept */

const MOST_BYTES = 48 << 20;
const MOST = 240;

export class Snapshots {
  /** @type {Kept[]} */
  #kept = [];
  #stride = 1;
  #most;

  /** @param {number} cells */
  constructor(cells) {
    this.#most = Math.max(4, Math.min(MOST, Math.floor(MOST_BYTES / (5 * cells))));
  }

  /** Whether one at this step would be kept. @param {number} step */
  wants(step) {
    const last = this.#kept.at(-1);
    return !last || step >= last.step + this.#stride;
  }

  /** @param {Kept} snapshot */
  keep(snapshot) {
    this.#kept.push(snapshot);
    if (this.#kept.length < this.#most) return;
    this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
    this.#stride *= 2;
  }

  /** The last one at or before a step. @param {number} step */
  at(step) {
    return this.#kept.findLast((kept) => kept.step <= step) ?? this.#kept[0];
  }

  /** Where a cell has been: step, value, step, value, … @param {number} index */
  pathOf(index) {
    return this.#kept.flatMap(({ step, values }) => [step, values[index]]);
  }

  /** Forget what came after a step. @param {number} step */
  cut(step) {
    this.#kept = this.#kept.filter((kept) => kept.step <= step);
  }

  clear() {
    this.#kept = [];
    this.#stride = 1;
  }
}
