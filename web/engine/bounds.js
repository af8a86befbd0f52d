/**
 * Ranges of cells. A cell that a step moves out of its range is set to the range's end, and held
 * there while descent would move it outward again. Locked cells stay as they are.
 */

export class Bounds {
  #low;
  #high;

  /** @param {number} cells */
  constructor(cells) {
    this.#low = new Float32Array(cells).fill(-Infinity);
    this.#high = new Float32Array(cells).fill(Infinity);
  }

  /** @param {number} index @param {number | null} min @param {number | null} max null: no end there */
  set(index, min, max) {
    this.#low[index] = min ?? -Infinity;
    this.#high[index] = max ?? Infinity;
  }

  clear() {
    this.#low.fill(-Infinity);
    this.#high.fill(Infinity);
  }

  /** @param {number} index */
  of(index) {
    return { min: this.#low[index], max: this.#high[index] };
  }

  get hasAny() {
    return this.#low.some((low) => low > -Infinity) || this.#high.some((high) => high < Infinity);
  }

  /** @param {number} index @param {number} value */
  has(index, value) {
    const rounded = Math.fround(value);
    return rounded >= this.#low[index] && rounded <= this.#high[index];
  }

  /**
   * Returns the end beyond which descent would move each cell: −1 its min, 1 its max, else 0.
   * @param {Float32Array} values
   * @param {Float32Array} gradients
   */
  sides(values, gradients) {
    return Int8Array.from(values, (value, i) => {
      if (value <= this.#low[i] && gradients[i] > 0) return -1;
      return value >= this.#high[i] && gradients[i] < 0 ? 1 : 0;
    });
  }

  /**
   * Returns the cells that are outside, and the ends they belong to.
   * @param {Float32Array} values
   * @param {Uint8Array} locks
   */
  outside(values, locks) {
    const ends = values.map((value, i) => Math.min(this.#high[i], Math.max(this.#low[i], value)));
    const cells = [...ends.keys()].filter((i) => !locks[i] && ends[i] !== values[i]);
    return { cells, ends: cells.map((cell) => ends[cell]) };
  }

  /** Returns all ranges, as events have them; null if there are none. @returns {[index: number, min: number | null, max: number | null][] | null} */
  list() {
    if (!this.hasAny) return null;
    const end = (/** @type {number} */ value) => (Number.isFinite(value) ? value : null);
    return [...this.#low.keys()]
      .map((i) => /** @type {const} */ ([i, end(this.#low[i]), end(this.#high[i])]))
      .filter(([, min, max]) => min !== null || max !== null)
      .map(([i, min, max]) => [i, min, max]);
  }
}
