/**
 * A person's locks: single cells, strokes, rectangles, all at once. A mask is a Uint8Array, row by
 * row, 1 = locked. One gesture is one edit, however many cells it changes.
 */

import { partAt } from '../scenes/layout.js';

/** @typedef {import('../scenes/layout.js').Part} Part */
/** @typedef {{ rows: number, cols: number }} Grid */

/**
 * Sets every cell of a rectangle, from one corner to the opposite one.
 * @param {Uint8Array} mask
 * @param {Grid} grid
 * @param {number} from
 * @param {number} to
 * @param {boolean} locked
 */
function setRectangle(mask, { cols }, from, to, locked) {
  const [top, bottom] = [Math.min(from, to), Math.max(from, to)].map((at) => Math.floor(at / cols));
  const [left, right] = [Math.min(from % cols, to % cols), Math.max(from % cols, to % cols)];
  for (let row = top; row <= bottom; row++) {
    mask.fill(locked ? 1 : 0, row * cols + left, row * cols + right + 1);
  }
}

/**
 * Draws a line with a square brush, so that a fast stroke leaves no gaps.
 * @param {Uint8Array} mask
 * @param {Grid} grid
 * @param {number} from
 * @param {number} to
 * @param {boolean} locked
 * @param {number} brush odd side of the brush
 */
function setLine(mask, grid, from, to, locked, brush) {
  const { rows, cols } = grid;
  const half = (brush - 1) / 2;
  const [row0, col0] = [Math.floor(from / cols), from % cols];
  const [down, right] = [Math.floor(to / cols) - row0, (to % cols) - col0];
  const dots = Math.max(Math.abs(down), Math.abs(right));
  for (let dot = 0; dot <= dots; dot++) {
    const row = Math.round(row0 + (down * dot) / (dots || 1));
    const col = Math.round(col0 + (right * dot) / (dots || 1));
    const first = Math.max(0, row - half) * cols + Math.max(0, col - half);
    const last = Math.min(rows - 1, row + half) * cols + Math.min(cols - 1, col + half);
    setRectangle(mask, grid, first, last, locked);
  }
}

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

/** The locks before and after an edit; a gesture in progress changes `after`. @typedef {{ before: Uint8Array, after: Uint8Array }} LockEdit */

export class LockEditor {
  #onChange;
  #brush;
  /** @type {Part[]} */
  #layout = [];
  /** @type {{ before: Uint8Array, isLocking: boolean, last: number, edit: LockEdit | null } | null} */
  #gesture = null;
  /** @type {Uint8Array} */
  mask = new Uint8Array(0);
  /** True if edits are accepted: not while another run is being opened. */
  isOpen = true;
  /** Handles a grid's event: the gesture's last cell, and its first. @param {'toggle' | 'begin' | 'continue' | 'extend' | 'end'} type @param {number} to @param {number} from */
  gesture = (type, to, from) => this[type](to, from);

  /**
   * @param {(mask: Uint8Array, edit: LockEdit | null) => void} onChange edit: null for a gesture's later parts
   * @param {() => number} [brush] side of the square that a stroke draws
   */
  constructor(onChange, brush = () => 1) {
    this.#onChange = onChange;
    this.#brush = brush;
  }

  /** Opens another scene or size, with its locks. @param {Part[]} layout @param {Uint8Array} mask */
  open(layout, mask) {
    this.#layout = layout;
    this.#gesture = null;
    this.mask = mask;
  }

  /** Takes locks that no gesture made: the engine's, or those before an edit. @param {Uint8Array} mask */
  adopt(mask) {
    this.#gesture = null;
    this.mask = mask;
  }

  /**
   * Returns a mask with one grid edited. A gesture stays in the grid where it began.
   * @param {Uint8Array} mask
   * @param {number} from
   * @param {number} to
   * @param {boolean} isLocking
   * @param {typeof setLine} [draw]
   */
  #within(mask, from, to, isLocking, draw = setRectangle) {
    const part = partAt(this.#layout, from);
    const { offset, rows, cols } = part;
    const end = offset + rows * cols;
    const last = Math.max(offset, Math.min(end - 1, to));
    const next = mask.slice();
    const own = next.subarray(offset, end);
    draw(own, part, from - offset, last - offset, isLocking, this.#brush());
    return next;
  }

  /** @param {Uint8Array} mask */
  #change(mask) {
    if (!this.isOpen || isSame(mask, this.mask)) return;
    const before = this.#gesture?.before ?? this.mask;
    this.mask = mask;
    if (this.#gesture?.edit) {
      this.#gesture.edit.after = mask;
      this.#onChange(mask, null);
      return;
    }
    const edit = { before, after: mask };
    if (this.#gesture) this.#gesture.edit = edit;
    this.#onChange(mask, edit);
  }

  /** @param {number} index @param {boolean} isLocking */
  #begin(index, isLocking) {
    this.#gesture = { before: this.mask, isLocking, last: index, edit: null };
    return this.#gesture;
  }

  /** Unlocks a rectangle that is all locked, locks any other. @param {number} to @param {number} [from] */
  toggle(to, from = to) {
    this.end();
    const locked = this.#within(this.mask, from, to, true);
    const isLocked = isSame(locked, this.mask);
    this.#change(isLocked ? this.#within(this.mask, from, to, false) : locked);
  }

  /** @param {number} from @param {number} to @param {boolean} isLocking */
  #draw(from, to, isLocking) {
    this.#change(this.#within(this.mask, from, to, isLocking, setLine));
  }

  /** Begins a stroke: toggles the first cell, and paints its new state. @param {number} index */
  begin(index) {
    const { isLocking } = this.#begin(index, !this.mask[index]);
    this.#draw(index, index, isLocking);
  }

  /** @param {number} index */
  continue(index) {
    const gesture = this.#gesture;
    if (!gesture || gesture.last === index) return;
    this.#draw(gesture.last, index, gesture.isLocking);
    gesture.last = index;
  }

  /** Draws a rectangle with the state of its first cell; within a gesture it may shrink again. @param {number} to @param {number} from */
  extend(to, from) {
    const { before, isLocking } = this.#gesture ?? this.#begin(from, this.mask[from] === 1);
    this.#change(this.#within(before, from, to, isLocking));
  }

  end() {
    this.#gesture = null;
  }

  /** @param {readonly number[]} cells @param {boolean} isLocking */
  set(cells, isLocking) {
    this.end();
    const next = this.mask.slice();
    for (const cell of cells) next[cell] = isLocking ? 1 : 0;
    this.#change(next);
  }

  /** @param {boolean} isLocking */
  setAll(isLocking) {
    this.end();
    this.#change(new Uint8Array(this.mask.length).fill(isLocking ? 1 : 0));
  }

  invert() {
    this.end();
    this.#change(this.mask.map((bit) => 1 - bit));
  }
}
