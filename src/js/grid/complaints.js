// What a grid tells of: a source that fails, and values that are no numbers. As windows do, by an
// event, and what nobody handles is written to the console.

/** @typedef {import('./source.js').Reader} Reader */

export class Complaints {
  #grid;
  #last = '';
  #hasNaN = false;

  /** @param {HTMLElement & { label: string, source: { name?: string } | null }} grid */
  constructor(grid) {
    this.#grid = grid;
  }

  /** It works again; of another source, all is told anew. */
  end(isOther = false) {
    this.#last = '';
    if (isOther) this.#hasNaN = false;
  }

  /**
   * Once, until it works again.
   * @param {unknown} cause
   */
  fail(cause) {
    const message = this.#name(cause instanceof Error ? cause.message : `${cause}`);
    if (message !== this.#last) this.#tell(message, cause);
    this.#last = message;
  }

  /** Once, until there is none. @param {Reader} reader */
  warnOfNaN({ notANumber, cols }) {
    const hadNaN = this.#hasNaN;
    this.#hasNaN = notANumber >= 0;
    if (!this.#hasNaN || hadNaN) return;
    const place = `row ${Math.floor(notANumber / cols) + 1}, column ${(notANumber % cols) + 1}`;
    this.#tell(this.#name(`the value of ${place} is NaN`));
  }

  /** @param {string} reason */
  #name(reason) {
    const { label, source, id } = this.#grid;
    return `<gradlock-grid> ${label || source?.name || id || 'unnamed'}: ${reason}`;
  }

  /**
   * @param {string} message
   * @param {unknown} [cause]
   */
  #tell(message, cause) {
    const error = new Error(message, { cause });
    const event = new ErrorEvent('error', { message, error, cancelable: true });
    if (this.#grid.dispatchEvent(event)) console.error(message);
  }
}
