// When labels follow running values: at once the first few times after a rest, which is what people
// do; then at a pace that screen readers can tell; and once more when values come to rest.

/** In ms. */
const PACE = 1000;
const REST = 250;
const FEW = 10;

export class Pace {
  #relabel;
  #labelled = 0;
  #changed = 0;
  /** Changes since the last rest. */
  #run = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #later;

  /** @param {() => void} relabel Called when values rest whose labels did not follow. */
  constructor(relabel) {
    this.#relabel = relabel;
  }

  /**
   * Whether labels follow this change.
   * @param {boolean} isAll Whether they have to.
   */
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
