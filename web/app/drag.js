/**
 * What is in somebody's hand. A drag has a holder of its own beside the locks, and is one edit: undo puts what was
 * dragged back where it was taken, to the bit.
 */

/** @typedef {(command: import('../engine/protocol.js').Command) => Promise<any>} Ask */

export class Drag {
  #ask;
  #push;
  /** Where it was taken, and where it was put last. @type {{ cells: readonly number[], before: Promise<number[] | undefined>, now: readonly number[] | null } | null} */
  #held = null;

  /** @param {Ask} ask @param {(edit: import('../state/edits.js').Edit) => void} push of an edit that is done */
  constructor(ask, push) {
    this.#ask = ask;
    this.#push = push;
  }

  get isOn() {
    return this.#held !== null;
  }

  /** @param {readonly number[]} cells */
  hold(cells) {
    this.#held = { cells, before: this.#ask({ type: 'hold', cells }), now: null };
  }

  /** @param {readonly number[]} values a number a cell */
  place(values) {
    if (!this.#held) return;
    this.#held.now = values;
    this.#ask({ type: 'place', values });
  }

  async release() {
    const held = this.#held;
    if (!held) return;
    const { cells, before, now } = held;
    this.#held = null;
    const released = this.#ask({ type: 'release' });
    if (now) {
      this.#push({
        undo: async () => this.#put(cells, await before),
        redo: () => this.#put(cells, now),
      });
    }
    await released;
  }

  /** The engine has let go: another run is there. */
  forget() {
    this.#held = null;
  }

  /** A whole drag at once. @param {readonly number[]} cells @param {readonly number[]} [values] where it was taken; undefined if it was refused */
  async #put(cells, values) {
    if (!values) return;
    const hold = this.#ask({ type: 'hold', cells });
    const place = this.#ask({ type: 'place', values });
    await Promise.all([hold, place, this.#ask({ type: 'release' })]);
  }
}
