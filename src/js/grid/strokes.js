// Gestures that change locks. A click toggles a cell. A stroke paints the new state of its first
// cell. A rectangle spreads the state of its first cell, and may shrink again.
import { rowAndColumn } from './row-column.js';

/** Cells on a straight way. @param {number} from @param {number} to @param {number} cols */
const line = (from, to, cols) => {
  const [row, col] = rowAndColumn(from, cols);
  const [toRow, toCol] = rowAndColumn(to, cols);
  const [down, right] = [toRow - row, toCol - col];
  const steps = Math.max(Math.abs(down), Math.abs(right), 1);
  return Array.from(
    { length: steps + 1 },
    (_, i) => Math.round(row + (down * i) / steps) * cols + Math.round(col + (right * i) / steps),
  );
};

/** Cells between two corners. @param {number} from @param {number} to @param {number} cols */
const rectangle = (from, to, cols) => {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const [left, right] = [Math.min(from % cols, to % cols), Math.max(from % cols, to % cols)];
  const cells = [];
  for (let i = first - (first % cols) + left; i <= last - (last % cols) + right; i++) {
    if (i % cols >= left && i % cols <= right) cells.push(i);
  }
  return cells;
};

export class Strokes {
  #locks;
  #change;
  /** @type {{ before?: Uint8Array, isLocking: boolean, last: number } | null} */
  #gesture = null;

  /**
   * @param {{ cols: number, mask: Uint8Array }} locks The current locks, always the same object.
   * @param {(indices: number[], isLocked: boolean) => void} change
   */
  constructor(locks, change) {
    this.#locks = locks;
    this.#change = change;
  }

  /** Unlock cells if all are locked; else lock them. @param {number} to @param {number} from */
  toggle(to, from) {
    this.#gesture = null;
    const { cols, mask } = this.#locks;
    const cells = rectangle(from, to, cols);
    this.#paint(
      cells,
      cells.some((index) => !mask[index]),
    );
  }

  /** @param {number} index */
  begin(index) {
    const isLocking = !this.#locks.mask[index];
    this.#gesture = { isLocking, last: index };
    this.#paint([index], isLocking);
  }

  /** @param {number} index */
  continue(index) {
    const gesture = this.#gesture;
    if (!gesture || gesture.last === index) return;
    this.#paint(line(gesture.last, index, this.#locks.cols), gesture.isLocking);
    gesture.last = index;
  }

  /** @param {number} to @param {number} from */
  extend(to, from) {
    const { cols, mask } = this.#locks;
    this.#gesture ??= { before: mask.slice(), isLocking: mask[from] === 1, last: from };
    const { before = mask, isLocking } = this.#gesture;
    const wanted = before.slice();
    for (const i of rectangle(from, to, cols)) wanted[i] = Number(isLocking);
    /** @type {[free: number[], held: number[]]} */
    const changes = [[], []];
    wanted.forEach((bit, i) => {
      if (bit !== mask[i]) changes[bit].push(i);
    });
    this.#paint(changes[0], false);
    this.#paint(changes[1], true);
  }

  end() {
    this.#gesture = null;
  }

  /** @param {number[]} indices @param {boolean} isLocked */
  #paint(indices, isLocked) {
    const changed = indices.filter((index) => this.#locks.mask[index] !== Number(isLocked));
    if (changed.length > 0) this.#change(changed, isLocked);
  }
}
