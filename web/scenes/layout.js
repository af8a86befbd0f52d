/** The position of each grid's cells in a scene's flat array of cells. */

/**
 * @typedef {object} Part  a grid
 * @property {string} name
 * @property {number} rows
 * @property {number} cols
 * @property {number} offset  of its first cell
 * @property {string} of      the name of its variable
 * @property {import('./scene.js').View | null} view  the elements it shows; null: all, in their order
 */

/** @param {import('./scene.js').Scene} scene @param {import('./scene.js').Setup} setup @returns {Part[]} */
export function layoutOf(scene, setup) {
  const shapes = scene.shapes?.(setup) ?? { x: [setup.rows, setup.cols] };
  const views = scene.views?.(setup);
  let offset = 0;
  return Object.entries(shapes).map(([name, [rows, cols]]) => {
    const view = views?.[name] ?? null;
    const part = { name, rows, cols, offset, of: view?.of ?? name, view };
    offset += rows * cols;
    return part;
  });
}

/** @param {Part[]} layout */
export const cellsOf = (layout) => layout.reduce((sum, { rows, cols }) => sum + rows * cols, 0);

/** Returns the part of a cell. @param {Part[]} layout @param {number} index */
export const partAt = (layout, index) =>
  /** @type {Part} */ (layout.findLast(({ offset }) => offset <= index) ?? layout[0]);

/** Sizes of square grids. @type {(...sides: number[]) => [rows: number, cols: number][]} */
export const squares = (...sides) => sides.map((side) => [side, side]);
