/**
 * Edits of a lock mask (a Uint8Array, row by row, 1 = locked), and their undo. Plain data in, plain data out.
 */

/** @typedef {{ rows: number, cols: number }} Grid */

/**
 * A copy of `mask` with every cell of a rectangle set, from one corner to the opposite one.
 * @param {Uint8Array} mask
 * @param {Grid} grid
 * @param {number} from
 * @param {number} to
 * @param {boolean} locked
 */
export function setRectangle(mask, { cols }, from, to, locked) {
  const next = mask.slice();
  const top = Math.floor(Math.min(from, to) / cols);
  const bottom = Math.floor(Math.max(from, to) / cols);
  const left = Math.min(from % cols, to % cols);
  const right = Math.max(from % cols, to % cols);
  for (let row = top; row <= bottom; row++) {
    next.fill(locked ? 1 : 0, row * cols + left, row * cols + right + 1);
  }
  return next;
}

/**
 * A copy of `mask` with a line drawn by a square brush, so that a fast stroke leaves no gaps.
 * @param {Uint8Array} mask
 * @param {Grid} grid
 * @param {number} from
 * @param {number} to
 * @param {boolean} locked
 * @param {number} brush odd side of the brush
 */
export function setLine(mask, { rows, cols }, from, to, locked, brush) {
  const next = mask.slice();
  const half = (brush - 1) / 2;
  const [row0, col0] = [Math.floor(from / cols), from % cols];
  const [row1, col1] = [Math.floor(to / cols), to % cols];
  const dots = Math.max(Math.abs(row1 - row0), Math.abs(col1 - col0));
  for (let dot = 0; dot <= dots; dot++) {
    const row = Math.round(row0 + ((row1 - row0) * dot) / (dots || 1));
    const col = Math.round(col0 + ((col1 - col0) * dot) / (dots || 1));
    const left = Math.max(0, col - half);
    const right = Math.min(cols - 1, col + half);
    for (let r = Math.max(0, row - half); r <= Math.min(rows - 1, row + half); r++) {
      next.fill(locked ? 1 : 0, r * cols + left, r * cols + right + 1);
    }
  }
  return next;
}

/** @param {Uint8Array} mask */
export const invert = (mask) => mask.map((bit) => 1 - bit);

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

/** What undo keeps, in bytes; the oldest edits are forgotten first. */
const UNDO_BYTES = 8 << 20;

/** Undo and redo over whole masks. One stroke is one edit, however many cells it passes. */
export class LockHistory {
  /** @type {Uint8Array[]} */
  #past = [];
  /** @type {Uint8Array[]} */
  #future = [];

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Remember a mask that is about to be replaced. @param {Uint8Array} mask */
  remember(mask) {
    this.#past.push(mask);
    this.#future = [];
    if (this.#past.length * mask.length > UNDO_BYTES) this.#past.shift();
  }

  /** @param {Uint8Array} now @returns {Uint8Array | undefined} the mask before, if there is one */
  undo(now) {
    const mask = this.#past.pop();
    if (mask) this.#future.push(now);
    return mask;
  }

  /** @param {Uint8Array} now @returns {Uint8Array | undefined} the mask that was undone, if there is one */
  redo(now) {
    const mask = this.#future.pop();
    if (mask) this.#past.push(now);
    return mask;
  }

  /** A new scene or size: there is nothing to go back to. */
  clear() {
    this.#past = [];
    this.#future = [];
  }
}
