/**
 * Snapshots of a run's earlier steps: the cells to show and the state to continue from. Memory is
 * bounded: once full, every other snapshot is removed, and new ones are half as frequent. Runs that
 * were left are cached with theirs.
 */

/**
 * The state to continue from, and what is shown of it; `rivalLoss` and `drift` are NaN without a rival.
 * @typedef {import('./session.js').Checkpoint & { step: number, loss: number, rivalLoss: number,
 *   drift: number, values: Float32Array }} Kept
 * @typedef {ReturnType<import('./session.js').Session['toCache']>} CachedRun
 */

const MOST_BYTES = 96 << 20;
/** The limit of the runs that were left. */
const MOST_CACHED_BYTES = 192 << 20;
const MOST = 240;
/** The snapshots kept even of a run that fills the memory. */
const FEWEST = 4;

/** @param {Kept} kept */
const bytesOf = ({ values, main, rival }) =>
  values.byteLength + main.mask.byteLength + main.bytes.byteLength + (rival?.bytes.byteLength ?? 0);

export class Snapshots {
  /** @type {Kept[]} */
  #kept = [];
  #stride = 1;

  /** Returns true if a snapshot of this step would be kept. @param {number} step */
  wants(step) {
    const last = this.#kept.at(-1);
    return !last || step >= last.step + this.#stride;
  }

  /** @param {Kept} kept at the last one's step or later */
  keep(kept) {
    if (this.#kept.at(-1)?.step === kept.step) this.#kept.pop();
    this.#kept.push(kept);
    const { length } = this.#kept;
    if (length < MOST && (length < FEWEST || this.bytes < MOST_BYTES)) return;
    this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
    this.#stride *= 2;
  }

  get bytes() {
    return this.#kept.reduce((sum, kept) => sum + bytesOf(kept), 0);
  }

  /** Returns the last snapshot at or before a step. @param {number} step */
  at(step) {
    return this.#kept.findLast((kept) => kept.step <= step) ?? this.#kept[0];
  }

  /** Returns the first snapshot after a step; undefined if there is none. @param {number} step */
  after(step) {
    return this.#kept.find((kept) => kept.step > step);
  }

  /** Returns the chart's data, repeated: step, loss, the rival's loss, its drift. */
  trace() {
    return this.#kept.flatMap(({ step, loss, rivalLoss, drift }) => [step, loss, rivalLoss, drift]);
  }

  /** Removes the snapshots after a step. @param {number} step */
  cut(step) {
    this.#kept = this.#kept.filter((kept) => kept.step <= step);
  }

  forgetRival() {
    const none = { rivalLoss: Number.NaN, drift: Number.NaN, rival: null };
    this.#kept = this.#kept.map((kept) => ({ ...kept, ...none }));
  }

  copy() {
    const copy = new Snapshots();
    copy.#kept = [...this.#kept];
    copy.#stride = this.#stride;
    return copy;
  }
}

/** Complete runs that were left, to open again at once. The oldest are removed first. */
export class RunCache {
  /** By their keys, oldest first. @type {Map<number, CachedRun>} */
  #runs = new Map();
  #next = 1;

  /** @param {CachedRun} run @returns {number} its key */
  put(run) {
    const key = this.#next++;
    this.#runs.set(key, run);
    let bytes = [...this.#runs.values()].reduce((sum, { snapshots }) => sum + snapshots.bytes, 0);
    for (const [oldest, { snapshots }] of this.#runs) {
      if (bytes <= MOST_CACHED_BYTES || oldest === key) break;
      this.#runs.delete(oldest);
      bytes -= snapshots.bytes;
    }
    return key;
  }

  /** Returns a run and removes it. @param {number} key @returns {CachedRun | undefined} undefined if it is no longer there */
  get(key) {
    const run = this.#runs.get(key);
    this.#runs.delete(key);
    return run;
  }
}
