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

/**
 * @template T
 * @param {Box} from @param {Direction} direction @param {T[]} all @param {(one: T) => Box} boxOf
 * @returns {T | undefined}
 */
function nearest(from, direction, all, boxOf) {
  const far = new Map(all.map((one) => [one, distance(from, boxOf(one), direction)]));
  const reached = all.filter((one) => far.get(one) !== Infinity);
  return reached.sort((a, b) => Number(far.get(a)) - Number(far.get(b)))[0];
}

/**
 * @param {GridView[][]} panes
 * @param {GridView} left  the grid whose border or name is left
 * @param {Direction} direction
 */
export function leaveGrid(panes, left, direction) {
  const from = left.here();
  const isAtName = left.title !== null && left.title === document.activeElement;
  const own = panes.filter((grids) => grids.includes(left));
  const others = panes.filter((grids) => !grids.includes(left));
  if (isAtName && direction === 'down') left.element.focus();
  else if (!isAtName && direction === 'up' && left.title) left.title.focus();
  else if (isAtName && direction !== 'up') {
    const named = (/** @type {GridView[][]} */ some) =>
      some.flat().flatMap(({ title }) => title ?? []);
    const boxOf = (/** @type {HTMLElement} */ title) => title.getBoundingClientRect();
    const next = [own, others].map((some) => nearest(from, direction, named(some), boxOf));
    (next[0] ?? next[1])?.focus();
  } else {
    const boxOf = (/** @type {GridView} */ grid) => grid.box();
    const next = [own, others].map((some) => nearest(from, direction, some.flat(), boxOf));
    (next[0] ?? next[1])?.enter(from);
  }
}
