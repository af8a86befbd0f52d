/**
 * Checks locked cells independently: it keeps each cell's bits from when it was locked and compares
 * them with the current bits, without asking the library.
 */

/** @typedef {{ values: Float32Array, mask: Uint8Array }} Held */

export class Witness {
  #held;
  #bits;
  #mask;

  /** @param {number} count of cells @param {Held | null} [held] saved by an earlier witness */
  constructor(count, held = null) {
    this.#held = held?.values.slice() ?? new Float32Array(count);
    this.#bits = new Uint32Array(this.#held.buffer);
    this.#mask = held?.mask.slice() ?? new Uint8Array(count);
  }

  /** @returns {Held} */
  save() {
    return { values: this.#held.slice(), mask: this.#mask.slice() };
  }

  /** Records the bits of newly locked cells. @param {Float32Array} values @param {Uint8Array} mask */
  hold(values, mask) {
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    for (let i = 0; i < bits.length; i++) {
      if (mask[i] && !this.#mask[i]) this.#bits[i] = bits[i];
    }
    this.#mask.set(mask);
  }

  /** Accepts new bits of cells that were written on purpose. @param {readonly number[]} cells @param {Float32Array} values of all cells */
  accept(cells, values) {
    for (const cell of cells) this.#held[cell] = values[cell];
  }

  /** Returns the number of locked cells with other bits than when they were locked, and the largest distance. @param {Float32Array} values */
  look(values) {
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    let moved = 0;
    let farthest = 0;
    for (let i = 0; i < bits.length; i++) {
      if (!this.#mask[i] || this.#bits[i] === bits[i]) continue;
      moved++;
      farthest = Math.max(farthest, Math.abs(values[i] - this.#held[i]));
    }
    return { moved, farthest };
  }
}
