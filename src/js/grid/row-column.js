// Where a cell is.

/** @param {number} index @param {number} cols @returns {[row: number, col: number]} From 0. */
export const rowAndColumn = (index, cols) => [Math.floor(index / cols), index % cols];
