/**
 * The loss so far, the rival's loss and the drift, thinned for long runs: once full,
 * every other point is removed, and new ones are half as frequent. The newest point stays.
 */

const MOST = 1600;
const ROWS = /** @type {const} */ (['steps', 'losses', 'rivals', 'drifts']);
/** A logarithmic axis has no room for 0; this is below what a 32-bit loss resolves near 1. */
const FLOOR = 1e-14;
/** A logarithmic axis says nothing until the largest loss is this many times the smallest. */
const NARROW = 10;

export class LossTrace {
  /** @type {number[]} */
  steps = [];
  /** @type {(number | null)[]} null where it was not a number */
  losses = [];
  /** @type {(number | null)[]} of the rival, if there is one */
  rivals = [];
  /** The drift of its held cells; null if it was not measured. @type {(number | null)[]} */
  drifts = [];
  #stride = 1;

  get last() {
    return this.steps.at(-1) ?? -1;
  }

  /** True while losses are so alike that an axis from 0 says more. */
  get isNarrow() {
    const all = [...this.losses, ...this.rivals].filter((loss) => loss !== null);
    return Math.max(...all) < NARROW * Math.min(...all);
  }

  /** @param {number} step at least the last one @param {number} loss @param {number} [rival] @param {number} [drift] */
  add(step, loss, rival = Number.NaN, drift = Number.NaN) {
    const count = this.steps.length;
    const isTooNear = count > 1 && step - this.steps[count - 2] < this.#stride;
    const at = step === this.last || isTooNear ? count - 1 : count;
    // Drift is measured less often than the loss, and stays until the next measurement.
    this.drifts[at] = Number.isFinite(drift) ? drift : (this.drifts[at] ?? null);
    this.steps[at] = step;
    this.losses[at] = shown(loss);
    this.rivals[at] = shown(rival);
    if (this.steps.length >= MOST) this.#thin();
  }

  #thin() {
    const last = this.steps.length - 1;
    for (const row of ROWS) {
      const all = /** @type {any[]} */ (this[row]);
      this[row] = all.filter((_, i) => i % 2 === 0 || i === last);
    }
    this.#stride *= 2;
  }
}

/** @param {number} loss */
const shown = (loss) => (Number.isFinite(loss) ? Math.max(FLOOR, loss) : null);
