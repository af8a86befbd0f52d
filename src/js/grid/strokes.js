// What clicks, strokes and rectangles do to locks: toggle, paint what the first cell becomes, and
// spread the state of the cell a rectangle starts from, which may shrink again.

/**
 * @typedef {object} Locks
 * @property {() => number} cols
 * @property {() => Uint8Array} mask As it is now.
 * @property {(indices: number[], isLocked: boolean) => void} change
 */

/**
 * Cells on the straight way from one to another.
 * @param {number} from
 * @param {number} to
 * @param {number} cols
 */
const line = (from, to, cols) => {
  const [row, col] = [Math.floor(from / cols), from % cols];
  const [down, right] = [Math.floor(to / cols) - row, (to % cols) - col];
  const steps = Math.max(Math.abs(down), Math.abs(right), 1);
  return Array.from(
    { length: steps + 1 },
    (_, i) => Math.round(row + (down * i) / steps) * cols + Math.round(col + (right * i) / steps),
  );
};

export class Strokes {
  #locks;
  /** @type {{ before: Uint8Array, isLocking: boolean, last: number } | null} */
  #gesture = null;

  /** @param {Locks} locks */
  constructor(locks) {
    this.#locks = locks;
  }

  /** @param {number} index */
  toggle(index) {
    this.#gesture = null;
    this.#paint([index], !this.#locks.mask()[index]);
  }

  /** @param {number} index */
  begin(index) {
    const before = this.#locks.mask();
    this.#gesture = { before, isLocking: !before[index], last: index };
    this.#paint([index], this.#gesture.isLocking);
  }

  /** @param {number} index */
  continue(index) {
    const gesture = this.#gesture;
    if (!gesture || gesture.last === index) return;
    this.#paint(line(gesture.last, index, this.#locks.cols()), gesture.isLocking);
    gesture.last = index;
  }

  /**
   * @param {number} to
   * @param {number} from
   */
  extend(to, from) {
    const cols = this.#locks.cols();
    const mask = this.#locks.mask();
    this.#gesture ??= { before: mask.slice(), isLocking: mask[from] === 1, last: from };
    const { before, isLocking } = this.#gesture;
    const sides = (/** @type {number} */ a, /** @type {number} */ b) => [
      Math.min(a, b),
      Math.max(a, b),
    ];
    const [top, bottom] = sides(Math.floor(from / cols), Math.floor(to / cols));
    const [left, right] = sides(from % cols, to % cols);
    /** @type {[free: number[], held: number[]]} */
    const changes = [[], []];
    for (let i = 0; i < mask.length; i++) {
      const row = Math.floor(i / cols);
      const col = i % cols;
      const isInside = row >= top && row <= bottom && col >= left && col <= right;
      const wanted = isInside ? Number(isLocking) : before[i];
      if (wanted !== mask[i]) changes[wanted].push(i);
    }
    this.#change(changes[0], false);
    this.#change(changes[1], true);
  }

  end() {
    this.#gesture = null;
  }

  /**
   * @param {number[]} indices
   * @param {boolean} isLocked
   */
  #paint(indices, isLocked) {
    const mask = this.#locks.mask();
    this.#change(
      indices.filter((index) => mask[index] !== Number(isLocked)),
      isLocked,
    );
  }

  /**
   * @param {number[]} indices
   * @param {boolean} isLocked
   */
  #change(indices, isLocked) {
    if (indices.length > 0) this.#locks.change(indices, isLocked);
  }
}
