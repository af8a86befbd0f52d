// Errors that a grid reports: a source that fails, and values that are not numbers. They are
// reported by an event, as windows do; an event that nobody handles is written to the console.
import { rowAndColumn } from './row-column.js';

/** @import { Reader } from './source.js' */

export class ErrorEvents {
  #grid;
  /** @type {string | undefined} */
  #last;
  #hasNaN = false;

  /** @param {HTMLElement & { label: string, source: { name?: string } | null }} grid */
  constructor(grid) {
    this.#grid = grid;
  }

  /** The source works again. For another source, all errors are reported again. */
  end(isOther = false) {
    this.#last = undefined;
    if (isOther) this.#hasNaN = false;
  }

  /** Once, until it works again. @param {unknown} cause */
  fail(cause) {
    const reason = cause instanceof Error ? cause.message : `${cause}`;
    if (reason !== this.#last) this.#tell(reason, cause);
    this.#last = reason;
  }

  /** Once, until there is none. @param {Reader} reader */
  warnOfNaN({ notANumber, cols }) {
    const hadNaN = this.#hasNaN;
    this.#hasNaN = notANumber >= 0;
    if (!this.#hasNaN || hadNaN) return;
    const [row, col] = rowAndColumn(notANumber, cols);
    this.#tell(`the value of row ${row + 1}, column ${col + 1} is NaN`);
  }

  /** @param {string} reason @param {unknown} [cause] */
  #tell(reason, cause) {
    const { label, source, id } = this.#grid;
    const message = `<gradlock-grid> ${label || source?.name || id || 'unnamed'}: ${reason}`;
    const error = new Error(message, { cause });
    const event = new ErrorEvent('error', { message, error, cancelable: true });
    if (this.#grid.dispatchEvent(event)) console.error(message);
  }
}
