/**
 * A person's locks. A mask is a Uint8Array of all cells of the scene, 1 = locked. One gesture is one
 * edit, however many cells it changes.
 */

/** @param {Uint8Array} mask */
export function countLocked(mask) {
  let count = 0;
  for (let i = 0; i < mask.length; i++) count += mask[i];
  return count;
}

/** @param {Uint8Array} a @param {Uint8Array} b */
export function isSame(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The locks before and after an edit; a gesture that continues changes `after`. @typedef {{ before: Uint8Array, after: Uint8Array }} LockEdit */

export class LockEditor {
  #onChange;
  /** The edit of the last gesture. @type {LockEdit | null} */
  #edit = null;
  /** @type {Uint8Array} */
  mask = new Uint8Array(0);
  /** True if edits are accepted: not while another run is being opened. */
  isOpen = true;

  /** @param {(mask: Uint8Array, edit: LockEdit | null) => void} onChange edit: null for a gesture's later parts */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** Takes locks that no gesture made: the engine's, or those before an edit. @param {Uint8Array} mask */
  adopt(mask) {
    this.#edit = null;
    this.mask = mask;
  }

  /** @param {Uint8Array} mask @param {boolean} [isContinued] true if it belongs to the edit before */
  #change(mask, isContinued = false) {
    if (!isContinued) this.#edit = null;
    if (!this.isOpen || isSame(mask, this.mask)) return;
    const isNew = this.#edit === null;
    this.#edit ??= { before: this.mask, after: mask };
    this.#edit.after = mask;
    this.mask = mask;
    this.#onChange(mask, isNew ? this.#edit : null);
  }

  /** @param {readonly number[]} cells @param {boolean} isLocking @param {boolean} [isContinued] */
  set(cells, isLocking, isContinued) {
    const next = this.mask.slice();
    for (const cell of cells) next[cell] = isLocking ? 1 : 0;
    this.#change(next, isContinued);
  }

  /** Frees cells in a row if all are locked; else locks them. @param {number} first @param {number} [count] */
  toggle(first, count = 1) {
    const cells = Array.from({ length: count }, (_, i) => first + i);
    this.set(cells, !cells.every((cell) => this.mask[cell]));
  }

  /** @param {boolean} isLocking */
  setAll(isLocking) {
    this.#change(new Uint8Array(this.mask.length).fill(isLocking ? 1 : 0));
  }

  invert() {
    this.#change(this.mask.map((bit) => 1 - bit));
  }
}
