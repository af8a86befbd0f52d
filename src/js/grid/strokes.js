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

/**
 * Cells between two corners.
 * @param {number} from
 * @param {number} to
 * @param {number} cols
 */
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
  /** @type {{ before?: Uint8Array, isLocking: boolean, last: number } | null} */
  #gesture = null;

  /** @param {Locks} locks */
  constructor(locks) {
    this.#locks = locks;
  }

  /**
   * Free what is all locked, else lock it.
   * @param {number} to
   * @param {number} from
   */
  toggle(to, from) {
    this.#gesture = null;
    const mask = this.#locks.mask();
    const cells = rectangle(from, to, this.#locks.cols());
    this.#paint(
      cells,
      cells.some((index) => !mask[index]),
    );
  }

  /** @param {number} index */
  begin(index) {
    const isLocking = !this.#locks.mask()[index];
    this.#gesture = { isLocking, last: index };
    this.#paint([index], isLocking);
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
    const mask = this.#locks.mask();
    this.#gesture ??= { before: mask.slice(), isLocking: mask[from] === 1, last: from };
    const { before = mask, isLocking } = this.#gesture;
    const wanted = before.slice();
    for (const i of rectangle(from, to, this.#locks.cols())) wanted[i] = Number(isLocking);
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

  /**
   * @param {number[]} indices
   * @param {boolean} isLocked
   */
  #paint(indices, isLocked) {
    const mask = this.#locks.mask();
    const changed = indices.filter((index) => mask[index] !== Number(isLocked));
    if (changed.length > 0) this.#locks.change(changed, isLocked);
  }
}
