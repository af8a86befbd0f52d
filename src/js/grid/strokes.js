// Gestures that change locks. A click toggles a cell. A stroke of a square brush locks cells; along
// locked cells from its start, it frees them. A rectangle spreads the state of its first cell, and
// may shrink again.
import { rowAndColumn } from './row-column.js';

/** Cells between two corners. @param {number} from @param {number} to @param {number} cols */
const rectangle = (from, to, cols) => {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const [left, right] = [Math.min(from % cols, to % cols), Math.max(from % cols, to % cols)];
  const cells = [];
  for (let row = first - (first % cols); row <= last; row += cols) {
    for (let col = left; col <= right; col++) cells.push(row + col);
  }
  return cells;
};

/**
 * Cells of a line that a square brush draws.
 * @param {number} from
 * @param {number} to
 * @param {number} rows
 * @param {number} cols
 * @param {number} brush
 */
const line = (from, to, rows, cols, brush) => {
  const [row, col] = rowAndColumn(from, cols);
  const [toRow, toCol] = rowAndColumn(to, cols);
  const steps = Math.max(Math.abs(toRow - row), Math.abs(toCol - col), 1);
  const half = (brush - 1) / 2;
  const at = (/** @type {number} */ down, /** @type {number} */ right) =>
    Math.max(0, Math.min(rows - 1, down)) * cols + Math.max(0, Math.min(cols - 1, right));
  const squares = Array.from({ length: steps + 1 }, (_, i) => {
    const down = Math.round(row + ((toRow - row) * i) / steps);
    const right = Math.round(col + ((toCol - col) * i) / steps);
    return rectangle(at(down - half, right - half), at(down + half, right + half), cols);
  });
  return [...new Set(squares.flat())];
};

export class Strokes {
  #locks;
  #change;
  #brush;
  /**
   * `isOpen`: the next cell shows what is meant.
   * @type {{ before?: Uint8Array, isLocking: boolean, last: number, isOpen?: boolean,
   *   changed?: true } | null}
   */
  #gesture = null;

  /**
   * @param {{ cols: number, mask: Uint8Array }} locks The current locks, always the same object.
   * @param {() => number} brush Odd side of the square that a stroke paints.
   * @param {(indices: number[], isLocked: boolean, continued: boolean) => void} change
   */
  constructor(locks, brush, change) {
    this.#locks = locks;
    this.#brush = brush;
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

  /** From a locked cell, the next one shows what is meant. @param {number} index */
  begin(index) {
    const isOpen = this.#locks.mask[index] === 1;
    this.#gesture = { isLocking: !isOpen, last: index, isOpen };
    if (!isOpen) this.#paint([index], true);
  }

  /** @param {number} index */
  continue(index) {
    const gesture = this.#gesture;
    if (!gesture || gesture.last === index) return;
    if (gesture.isOpen) gesture.isLocking = !this.#locks.mask[index];
    gesture.isOpen = false;
    const { cols, mask } = this.#locks;
    const cells = line(gesture.last, index, mask.length / cols, cols, this.#brush());
    this.#paint(cells, gesture.isLocking);
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
    const gesture = this.#gesture;
    if (gesture?.isOpen) this.#paint([gesture.last], false);
    this.cancel();
  }

  cancel() {
    this.#gesture = null;
  }

  /** @param {number[]} indices @param {boolean} isLocked */
  #paint(indices, isLocked) {
    const changed = indices.filter((index) => this.#locks.mask[index] !== Number(isLocked));
    if (changed.length === 0) return;
    this.#change(changed, isLocked, this.#gesture?.changed ?? false);
    if (this.#gesture) this.#gesture.changed = true;
  }
}
