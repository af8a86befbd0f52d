// The logs of an epoch: losses and metrics, summed over batches in f64.
import { entriesOf } from './compile.js';

/** @import { Plan } from './compile.js' */
/** @typedef {Record<string, number>} Logs */

/** Sums batches. As in Keras, the loss is a mean over samples, that of one output over batches. */
export class Tally {
  #entries;
  #batches = 0;
  #samples = 0;
  #loss = 0;
  /** @type {Float64Array[]} */
  #sums = [];

  /** @param {Plan} plan */
  constructor(plan) {
    this.#entries = entriesOf(plan);
  }

  /** @param {import('./batch-runner.js').BatchSums} batch @param {number} size */
  add({ loss, sums, lengths }, size) {
    this.#batches++;
    this.#samples += size;
    this.#loss += loss * size;
    let at = 0;
    lengths.forEach((length, i) => {
      this.#sums[i] ??= new Float64Array(length);
      const own = /** @type {Float64Array} */ (this.#sums[i]);
      for (let k = 0; k < length; k++) own[k] += sums[at + k];
      at += length;
    });
  }

  /** @returns {Logs} */
  logs() {
    /** @type {Logs} */
    const logs = { loss: this.#loss / this.#samples };
    this.#entries.forEach(({ name, result }, i) => {
      const sums = this.#sums[i] ?? [];
      logs[name] = result ? result(sums) : sums[0] / this.#batches;
    });
    return logs;
  }
}
