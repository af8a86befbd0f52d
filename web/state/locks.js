/**
 * Edits of a lock mask (a Uint8Array, row by row, 1 = locked). Plain data in, plain data out.
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
