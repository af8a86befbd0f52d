/**
 * Ranges of cells. A cell that a step moves out of its range is set to the range's end, and held
 * there while descent would move it outward again. Locked cells stay as they are.
 */

const FREE = { min: -Infinity, max: Infinity };

export class Bounds {
  /** By cell. @type {Map<number, { min: number, max: number }>} */
  #ranges = new Map();

  /** @param {number} index @param {number | null} min @param {number | null} max null: no end there */
  set(index, min, max) {
    const range = { min: Math.fround(min ?? -Infinity), max: Math.fround(max ?? Infinity) };
    if (range.min === -Infinity && range.max === Infinity) this.#ranges.delete(index);
    else this.#ranges.set(index, range);
  }

  /** @param {number} index */
  of(index) {
    return this.#ranges.get(index) ?? FREE;
  }

  get hasAny() {
    return this.#ranges.size > 0;
  }

  /** @param {number} index @param {number} value */
  has(index, value) {
    const [rounded, { min, max }] = [Math.fround(value), this.of(index)];
    return rounded >= min && rounded <= max;
  }

  /**
   * Returns the end beyond which descent would move each cell: −1 its min, 1 its max, else 0.
   * @param {Float32Array} values
   * @param {Float32Array} gradients
   */
  sides(values, gradients) {
    const sides = new Int8Array(values.length);
    for (const [i, { min, max }] of this.#ranges) {
      if (values[i] <= min && gradients[i] > 0) sides[i] = -1;
      else if (values[i] >= max && gradients[i] < 0) sides[i] = 1;
    }
    return sides;
  }

  /** Returns the cells that are outside, and the ends they belong to. @param {Float32Array} values @param {Uint8Array} locks */
  outside(values, locks) {
    const cells = [...this.#ranges.keys()].filter((i) => !locks[i] && !this.has(i, values[i]));
    const ends = cells.map((i) => Math.min(this.of(i).max, Math.max(this.of(i).min, values[i])));
    return { cells, ends };
  }

  /** Returns all ranges, as events have them; null if there are none. @returns {[index: number, min: number | null, max: number | null][] | null} */
  list() {
    if (!this.hasAny) return null;
    const end = (/** @type {number} */ value) => (Number.isFinite(value) ? value : null);
    const ranges = [...this.#ranges].sort(([a], [b]) => a - b);
    return ranges.map(([i, { min, max }]) => [i, end(min), end(max)]);
  }
}
