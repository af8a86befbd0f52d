/**
 * Checks locked cells independently: it keeps each cell's bits from when it was locked and compares
 * them with the current bits, without asking the library.
 */

/** @typedef {{ values: Float32Array, mask: Uint8Array }} Recorded */

export class DriftCheck {
  #recorded;
  #bits;
  #mask;

  /** @param {number} count of cells @param {Recorded | null} [recorded] saved by an earlier check */
  constructor(count, recorded = null) {
    this.#recorded = recorded?.values.slice() ?? new Float32Array(count);
    this.#bits = new Uint32Array(this.#recorded.buffer);
    this.#mask = recorded?.mask.slice() ?? new Uint8Array(count);
  }

  /** @returns {Recorded} */
  save() {
    return { values: this.#recorded.slice(), mask: this.#mask.slice() };
  }

  /** Records the bits of newly locked cells. @param {Float32Array} values @param {Uint8Array} mask */
  record(values, mask) {
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    for (let i = 0; i < bits.length; i++) {
      if (mask[i] && !this.#mask[i]) this.#bits[i] = bits[i];
    }
    this.#mask.set(mask);
  }

  /** Records new bits of cells that were written on purpose. @param {readonly number[]} cells @param {Float32Array} values of all cells */
  accept(cells, values) {
    for (const cell of cells) this.#recorded[cell] = values[cell];
  }

  /** Returns the number of locked cells with other bits than when they were locked, and the largest distance. @param {Float32Array} values */
  compare(values) {
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    let moved = 0;
    let farthest = 0;
    for (let i = 0; i < bits.length; i++) {
      if (!this.#mask[i] || this.#bits[i] === bits[i]) continue;
      moved++;
      farthest = Math.max(farthest, Math.abs(values[i] - this.#recorded[i]));
    }
    return { moved, farthest };
  }
}
