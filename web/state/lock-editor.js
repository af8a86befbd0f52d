/**
 * The locks as the person has set them: single cells, strokes, rectangles, all at once.
 * One gesture is one edit, however many cells it passes.
 */

import { partAt } from '../scenes/layout.js';
import { invert, isSame, setLine, setRectangle } from './locks.js';

/** @typedef {import('../scenes/layout.js').Part} Part */

/** What the locks were and have become; a gesture that goes on changes what they became. @typedef {{ before: Uint8Array, after: Uint8Array }} LockEdit */

export class LockEditor {
  #onChange;
  #brush;
  /** @type {Part[]} */
  #layout = [];
  /** @type {{ before: Uint8Array, isLocking: boolean, last: number, edit: LockEdit | null } | null} */
  #gesture = null;
  /** @type {Uint8Array} */
  mask = new Uint8Array(0);
  /** Whether edits are taken: not while another run is being opened. */
  isOpen = true;

  /**
   * @param {(mask: Uint8Array, edit: LockEdit | null) => void} onChange without an edit: a gesture's later part
   * @param {() => number} [brush] side of the square that a stroke draws
   */
  constructor(onChange, brush = () => 1) {
    this.#onChange = onChange;
    this.#brush = brush;
  }

  /** Another scene or size, with the locks it opens with. @param {Part[]} layout @param {Uint8Array} mask */
  open(layout, mask) {
    this.#layout = layout;
    this.#gesture = null;
    this.mask = mask;
  }

  /** Locks that no gesture made: as the engine has them, or as they were before an edit. @param {Uint8Array} mask */
  adopt(mask) {
    this.#gesture = null;
    this.mask = mask;
  }

  /**
   * A mask with one grid of it edited. A gesture stays in the grid that it began in.
   * @param {Uint8Array} mask
   * @param {number} from
   * @param {number} to
   * @param {(part: Uint8Array, grid: Part, from: number, to: number) => Uint8Array} edit
   */
  #within(mask, from, to, edit) {
    const part = partAt(this.#layout, from);
    const { offset, rows, cols } = part;
    const end = offset + rows * cols;
    const last = Math.max(offset, Math.min(end - 1, to));
    const next = mask.slice();
    next.set(edit(mask.slice(offset, end), part, from - offset, last - offset), offset);
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

  /** A rectangle that is all locked becomes free, any other locked. @param {number} to @param {number} [from] */
  toggle(to, from = to) {
    this.end();
    this.#change(
      this.#within(this.mask, from, to, (part, grid, a, b) => {
        const locked = setRectangle(part, grid, a, b, true);
        return isSame(locked, part) ? setRectangle(part, grid, a, b, false) : locked;
      }),
    );
  }

  /** @param {number} from @param {number} to @param {boolean} isLocking */
  #draw(from, to, isLocking) {
    this.#change(
      this.#within(this.mask, from, to, (part, grid, a, b) =>
        setLine(part, grid, a, b, isLocking, this.#brush()),
      ),
    );
  }

  /** A stroke: the first cell is toggled, and what it becomes is painted. @param {number} index */
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

  /** A rectangle that takes the state of the cell it starts from; within a gesture it may shrink again. @param {number} to @param {number} from */
  extend(to, from) {
    const { before, isLocking } = this.#gesture ?? this.#begin(from, this.mask[from] === 1);
    this.#change(
      this.#within(before, from, to, (part, grid, a, b) =>
        setRectangle(part, grid, a, b, isLocking),
      ),
    );
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
    this.#change(invert(this.mask));
  }
}
