/**
 * The loss so far, thinned so that a run of any length fits: once full, every other point goes and the points after
 * come half as often. The newest point is always there.
 */

const MOST = 1600;
/** A logarithmic axis has no room for 0; this is below what a 32-bit loss resolves near 1. */
const FLOOR = 1e-14;

export class LossTrace {
  /** @type {number[]} */
  steps = [];
  /** @type {(number | null)[]} null where it was not a number */
  losses = [];
  #stride = 1;

  clear() {
    this.steps = [];
    this.losses = [];
    this.#stride = 1;
  }

  get last() {
    return this.steps.at(-1) ?? -1;
  }

  /** @param {number} step not before the last one @param {number} loss */
  add(step, loss) {
    const count = this.steps.length;
    const value = Number.isFinite(loss) ? Math.max(FLOOR, loss) : null;
    const isTooNear = count > 1 && step - this.steps[count - 2] < this.#stride;
    if (step === this.last || isTooNear) {
      this.steps[count - 1] = step;
      this.losses[count - 1] = value;
      return;
    }
    this.steps.push(step);
    this.losses.push(value);
    if (count + 1 >= MOST) this.#thin();
  }

  #thin() {
    const keep = (/** @type {unknown} */ _, /** @type {number} */ i) =>
      i % 2 === 0 || i === this.steps.length - 1;
    const steps = this.steps.filter(keep);
    this.losses = this.losses.filter(keep);
    this.steps = steps;
    this.#stride *= 2;
  }
}
