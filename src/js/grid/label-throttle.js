// Decides when labels follow changing values. The first few changes after a rest, which people
// make, are labelled at once; later ones at a pace for screen readers; and once more at rest.

/** In ms. */
const PACE = 1000;
const REST = 250;
const FEW = 10;

export class LabelThrottle {
  #relabel;
  #labelled = 0;
  #changed = 0;
  /** Changes since the last rest. */
  #run = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #later;

  /** @param {() => void} relabel Called when values rest and labels are not up to date. */
  constructor(relabel) {
    this.#relabel = relabel;
  }

  /** True if labels must follow this change. @param {boolean} isAll True: in any case. */
  isDue(isAll) {
    const now = performance.now();
    this.#run = now - this.#changed > REST ? 0 : this.#run + 1;
    this.#changed = now;
    this.stop();
    const isDue = isAll || this.#run < FEW || now - this.#labelled > PACE;
    if (isDue) this.#labelled = now;
    else this.#later = setTimeout(this.#relabel, REST);
    return isDue;
  }

  stop() {
    clearTimeout(this.#later);
  }
}
