/** Arrow keys at a grid's border move the focus to its name above, or to the nearest grid. */

/** @typedef {'up' | 'down' | 'left' | 'right'} Direction */
/** @typedef {Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>} Box */
/** @typedef {import('./grid.js').GridView} GridView */

/** The weight of the sideways distance. */
const ASIDE = 2;

/**
 * Returns the distance from a box to another in a direction; Infinity if it is elsewhere.
 * @param {Box} from @param {Box} to @param {Direction} direction
 */
export function distance(from, to, direction) {
  const gaps = {
    up: from.top - to.bottom,
    down: to.top - from.bottom,
    left: from.left - to.right,
    right: to.left - from.right,
  };
  const isAcross = direction === 'left' || direction === 'right';
  const aside = isAcross ? Math.max(0, gaps.up, gaps.down) : Math.max(0, gaps.left, gaps.right);
  // Adjacent boxes may overlap by rounding.
  return gaps[direction] < -1 ? Infinity : Math.max(0, gaps[direction]) + ASIDE * aside;
}

/** @param {Box} from @param {Direction} direction @param {GridView[]} all @param {(one: GridView) => Box} boxOf */
function nearest(from, direction, all, boxOf) {
  const far = all.map((one) => ({ one, distance: distance(from, boxOf(one), direction) }));
  const reached = far.filter((one) => one.distance !== Infinity);
  return reached.sort((a, b) => a.distance - b.distance)[0]?.one;
}

/** @param {GridView[][]} panes @param {GridView} left the grid whose border or name is left @param {Direction} direction */
export function leaveGrid(panes, left, direction) {
  const from = left.here();
  const isAtName = left.title !== null && left.title === document.activeElement;
  const own = panes.filter((grids) => grids.includes(left));
  const others = panes.filter((grids) => !grids.includes(left));
  if (isAtName && direction === 'down') left.element.focus();
  else if (!isAtName && direction === 'up' && left.title) left.title.focus();
  else {
    const isToName = isAtName && direction !== 'up';
    const boxOf = (/** @type {GridView} */ grid) =>
      isToName && grid.title ? grid.title.getBoundingClientRect() : grid.box();
    const near = [own, others].map((some) => {
      const all = some.flat().filter(({ title }) => title || !isToName);
      return nearest(from, direction, all, boxOf);
    });
    const next = near[0] ?? near[1];
    if (isToName) next?.title?.focus();
    else next?.enter(from);
  }
}
