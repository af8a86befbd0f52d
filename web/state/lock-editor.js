/**
 * The locks as the person has set them: single cells, strokes, rectangles, all at once, and the way back.
 * One gesture is one edit to undo, however many cells it passes.
 */

import { invert, isSame, LockHistory, setLine, setRectangle } from './locks.js';

export class LockEditor {
  #history = new LockHistory();
  #onChange;
  #grid = { rows: 2, cols: 2 };
  /** @type {{ before: Uint8Array, isLocking: boolean, last: number, isKept: boolean } | null} */
  #gesture = null;
  /** @type {Uint8Array} */
  mask = new Uint8Array(4);

  /** @param {(mask: Uint8Array, isNewEdit: boolean) => void} onChange isNewEdit: not a gesture's later part */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** Another scene or size, with the locks it opens with. @param {{ rows: number, cols: number }} grid @param {Uint8Array} mask */
  open(grid, mask) {
    this.#grid = grid;
    this.#gesture = null;
    this.#history.clear();
    this.mask = mask;
  }

  /** @param {Uint8Array} mask */
  #change(mask) {
    if (isSame(mask, this.mask)) return;
    const isNewEdit = !this.#gesture?.isKept;
    if (isNewEdit) this.#history.remember(this.#gesture?.before ?? this.mask);
    if (this.#gesture) this.#gesture.isKept = true;
    this.mask = mask;
    this.#onChange(mask, isNewEdit);
  }

  /** @param {number} index @param {boolean} isLocking */
  #begin(index, isLocking) {
    this.#gesture = { before: this.mask, isLocking, last: index, isKept: false };
    return this.#gesture;
  }

  /** @param {number} index */
  toggle(index) {
    this.endGesture();
    const next = this.mask.slice();
    next[index] = next[index] ? 0 : 1;
    this.#change(next);
  }

  /** The first cell is toggled, and what it becomes is painted. @param {number} index @param {number} brush */
  beginStroke(index, brush) {
    const { isLocking } = this.#begin(index, !this.mask[index]);
    this.#change(setLine(this.mask, this.#grid, index, index, isLocking, brush));
  }

  /** @param {number} index @param {number} brush */
  continueStroke(index, brush) {
    const gesture = this.#gesture;
    if (!gesture || gesture.last === index) return;
    this.#change(setLine(this.mask, this.#grid, gesture.last, index, gesture.isLocking, brush));
    gesture.last = index;
  }

  /** A rectangle that takes the state of the cell it starts from; within a gesture it may shrink again. @param {number} from @param {number} to */
  extend(from, to) {
    const { before, isLocking } = this.#gesture ?? this.#begin(from, this.mask[from] === 1);
    this.#change(setRectangle(before, this.#grid, from, to, isLocking));
  }

  endGesture() {
    this.#gesture = null;
  }

  /** @param {boolean} isLocking */
  setAll(isLocking) {
    this.endGesture();
    this.#change(new Uint8Array(this.mask.length).fill(isLocking ? 1 : 0));
  }

  invert() {
    this.endGesture();
    this.#change(invert(this.mask));
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  undo() {
    this.#go(this.#history.undo(this.mask));
  }

  redo() {
    this.#go(this.#history.redo(this.mask));
  }

  /** @param {Uint8Array | undefined} mask */
  #go(mask) {
    if (!mask) return;
    this.endGesture();
    this.mask = mask;
    this.#onChange(mask, true);
  }
}
