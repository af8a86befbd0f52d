/** Finds positions for labels beside points, so that nothing overlaps and all stays on the plot. */

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** The distances from a point to its label, and the angles, in the order of trial: outwards first. */
const DISTANCES = [4, 12, 22, 34, 48, 64, 84];
const ANGLES = Array.from({ length: 16 }, (_, i) => (i / 16) * 2 * Math.PI);

/** @param {Box} a @param {Box} b */
export const overlap = (a, b) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

/** Returns the square around a point. @param {{ x: number, y: number }} point @param {number} half  of its side */
export const around = ({ x, y }, half) =>
  /** @type {Box} */ ({ x: x - half, y: y - half, width: 2 * half, height: 2 * half });

/** Returns the box of a size beside a point, in a direction. @param {{ x: number, y: number }} point @param {{ width: number, height: number }} size @param {number} angle @param {number} distance */
function beside({ x, y }, { width, height }, angle, distance) {
  const [right, down] = [Math.cos(angle), Math.sin(angle)];
  return {
    x: x + right * (distance + width / 2) - width / 2,
    y: y + down * (distance + height / 2) - height / 2,
    width,
    height,
  };
}

/**
 * @param {{ x: number, y: number, radius: number }[]} points
 * @param {{ width: number, height: number }[]} sizes  of the labels
 * @param {Box} room   for the labels
 * @param {Box[]} taken  boxes that no label may overlap
 * @returns {Box[]}
 */
export function placeLabels(points, sizes, room, taken) {
  const all = [...taken, ...points.map((point) => around(point, point.radius))];
  /** @type {Box[]} */
  const placed = [];
  points.forEach((point, i) => {
    const size = sizes[i];
    const cost = (/** @type {Box} */ box) => {
      const inside = overlap(box, room);
      const outside = size.width * size.height - inside;
      return [...all, ...placed].reduce((sum, other) => sum + overlap(box, other), 4 * outside);
    };
    const candidates = DISTANCES.flatMap((distance) =>
      ANGLES.map((angle) => {
        const outwards = point.x < room.width / 2 ? Math.PI - angle : angle;
        return beside(point, size, outwards, point.radius + distance);
      }),
    );
    const free = candidates.find((box) => cost(box) <= 1e-6);
    placed.push(free ?? candidates.reduce((a, b) => (cost(b) < cost(a) - 1e-6 ? b : a)));
  });
  return placed;
}
