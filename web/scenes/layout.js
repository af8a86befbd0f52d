/** Where each variable's cells lie in a scene's flat row of cells. */

/** @typedef {{ name: string, rows: number, cols: number, offset: number }} Part */

/**
 * @param {import('./scene.js').Scene} scene
 * @param {import('./scene.js').Setup} setup
 * @returns {Part[]}
 */
export function layoutOf(scene, setup) {
  const shapes = scene.shapes?.(setup) ?? { x: [setup.rows, setup.cols] };
  let offset = 0;
  return Object.entries(shapes).map(([name, [rows, cols]]) => {
    const part = { name, rows, cols, offset };
    offset += rows * cols;
    return part;
  });
}

/** @param {Part[]} layout */
export const cellsOf = (layout) => layout.reduce((sum, { rows, cols }) => sum + rows * cols, 0);

/** The part that a cell belongs to. @param {Part[]} layout @param {number} index */
export const partAt = (layout, index) =>
  /** @type {Part} */ (layout.findLast(({ offset }) => offset <= index) ?? layout[0]);

/** Cells as places in their variables, by name. @param {Part[]} layout @param {readonly number[]} cells @returns {Map<string, number[]>} */
export function placesOf(layout, cells) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  for (const cell of cells) {
    const { name, offset } = partAt(layout, cell);
    const list = places.get(name) ?? [];
    places.set(name, list);
    list.push(cell - offset);
  }
  return places;
}
