/**
 * Complete runs that were left, to open again at once. The oldest are removed first, for memory.
 */

/** @typedef {import('./session.js').Parked} Parked */

const MOST_BYTES = 192 << 20;

export class Parking {
  /** @type {Map<number, { run: Parked, bytes: number }>} oldest first */
  #places = new Map();
  #next = 1;

  /** @param {Parked} run @returns {number} its place */
  leave(run) {
    const place = this.#next++;
    this.#places.set(place, { run, bytes: run.snapshots.bytes });
    let bytes = [...this.#places.values()].reduce((sum, left) => sum + left.bytes, 0);
    for (const [oldest, left] of this.#places) {
      if (bytes <= MOST_BYTES || oldest === place) break;
      this.#places.delete(oldest);
      bytes -= left.bytes;
    }
    return place;
  }

  /** @param {number} place @returns {Parked | undefined} undefined if it is no longer there */
  take(place) {
    const run = this.#places.get(place)?.run;
    this.#places.delete(place);
    return run;
  }
}
