/**
 * What a run was at earlier steps: its cells, to look at, and its exact state, to go on from. Memory is bounded: once
 * full, every other moment goes and the ones after come half as often. The first is always kept.
 */

/**
 * @typedef {object} Kept
 * @property {number} step
 * @property {number} loss
 * @property {number} rivalLoss  NaN where there is no rival, as is its drift
 * @property {number} drift
 * @property {Float32Array} values
 * @property {Uint8Array} mask
 * @property {number} events     how many things had been done by then
 * @property {import('./pair.js').SavedPair} saved
 */

const MOST_BYTES = 96 << 20;
const MOST = 240;
/** Even of a run that fills the memory there is something to look back at. */
const FEWEST = 4;

/** @param {Kept} kept */
const bytesOf = ({ values, mask, saved: { main, rival } }) =>
  values.byteLength + mask.byteLength + main.bytes.byteLength + (rival?.bytes.byteLength ?? 0);

export class Snapshots {
  /** @type {Kept[]} */
  #kept = [];
  #stride = 1;

  /** Whether one at this step would be kept. @param {number} step */
  wants(step) {
    const last = this.#kept.at(-1);
    return !last || step >= last.step + this.#stride;
  }

  /** @param {Kept} moment not before the last one */
  keep(moment) {
    if (this.#kept.at(-1)?.step === moment.step) this.#kept.pop();
    this.#kept.push(moment);
    const { length } = this.#kept;
    if (length < MOST && (length < FEWEST || this.bytes < MOST_BYTES)) return;
    this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
    this.#stride *= 2;
  }

  get bytes() {
    return this.#kept.reduce((sum, kept) => sum + bytesOf(kept), 0);
  }

  /** The last one at or before a step. @param {number} step */
  at(step) {
    return this.#kept.findLast((kept) => kept.step <= step) ?? this.#kept[0];
  }

  /** The first one after a step; undefined if it is the last. @param {number} step */
  after(step) {
    return this.#kept.find((kept) => kept.step > step);
  }

  /** Where a cell has been: step, value, step, value, … @param {number} index */
  pathOf(index) {
    return this.#kept.flatMap(({ step, values }) => [step, values[index]]);
  }

  /** For the chart: step, loss, the rival's loss, its drift, again and again. */
  trace() {
    return this.#kept.flatMap(({ step, loss, rivalLoss, drift }) => [step, loss, rivalLoss, drift]);
  }

  /** Forget what came after a step. @param {number} step */
  cut(step) {
    this.#kept = this.#kept.filter((kept) => kept.step <= step);
  }

  /** The rival is gone. */
  forgetRival() {
    const none = { rivalLoss: Number.NaN, drift: Number.NaN };
    this.#kept = this.#kept.map((kept) => {
      return { ...kept, ...none, saved: { ...kept.saved, rival: null } };
    });
  }

  clear() {
    this.#kept = [];
    this.#stride = 1;
  }

  /** The same moments, to be kept apart from now on. */
  copy() {
    const copy = new Snapshots();
    copy.#kept = [...this.#kept];
    copy.#stride = this.#stride;
    return copy;
  }
}
