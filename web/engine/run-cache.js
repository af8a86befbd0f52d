/** A cache of complete runs that were left, to open again at once. The oldest are removed first. */

/** @typedef {ReturnType<import('./session.js').Session['toCache']>} CachedRun */

const MOST_BYTES = 192 << 20;

export class RunCache {
  /** @type {Map<number, { run: CachedRun, bytes: number }>} oldest first */
  #entries = new Map();
  #next = 1;

  /** @param {CachedRun} run @returns {number} its key */
  put(run) {
    const key = this.#next++;
    this.#entries.set(key, { run, bytes: run.snapshots.bytes });
    let bytes = [...this.#entries.values()].reduce((sum, entry) => sum + entry.bytes, 0);
    for (const [oldest, entry] of this.#entries) {
      if (bytes <= MOST_BYTES || oldest === key) break;
      this.#entries.delete(oldest);
      bytes -= entry.bytes;
    }
    return key;
  }

  /** Returns a run and removes it. @param {number} key @returns {CachedRun | undefined} undefined if it is no longer there */
  get(key) {
    const run = this.#entries.get(key)?.run;
    this.#entries.delete(key);
    return run;
  }
}
