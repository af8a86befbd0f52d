/**
 * A witness that trusts nobody: it keeps the bits each cell had when it was locked and compares them with those it has
 * now, without asking the library what it did.
 */

/** @typedef {{ values: Float32Array, mask: Uint8Array }} Held */

export class Witness {
  #held;
  #bits;
  #mask;

  /** @param {number} count of cells @param {Held | null} [held] what an earlier witness had seen */
  constructor(count, held = null) {
    this.#held = held?.values.slice() ?? new Float32Array(count);
    this.#bits = new Uint32Array(this.#held.buffer);
    this.#mask = held?.mask.slice() ?? new Uint8Array(count);
  }

  /** @returns {Held} */
  save() {
    return { values: this.#held.slice(), mask: this.#mask.slice() };
  }

  /** Take down the bits of newly locked cells. @param {Float32Array} values @param {Uint8Array} mask */
  hold(values, mask) {
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    for (let i = 0; i < bits.length; i++) {
      if (mask[i] && !this.#mask[i]) this.#bits[i] = bits[i];
    }
    this.#mask.set(mask);
  }

  /** Cells were put somewhere on purpose: there they are to stay. @param {readonly number[]} cells @param {Float32Array} values of all cells */
  accept(cells, values) {
    for (const cell of cells) this.#held[cell] = values[cell];
  }

  /** How many locked cells have other bits than when they were locked, and how far the farthest went. @param {Float32Array} values */
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
