/* The few shapes that the recipes' pictures are made of, as SVG text. */

export const RED = '#b2182b';
export const BLUE = '#2166ac';
export const GREY = '#555';

/**
 * @typedef {object} TextStyle
 * @property {string} [fill]
 * @property {'start' | 'middle' | 'end'} [anchor]
 * @property {number} [size]
 * @property {boolean} [isUpright] Centred at the point and read from below; default: false.
 */

/**
 * @param {number} x
 * @param {number} y the base line
 * @param {string} words
 * @param {TextStyle} [style]
 */
export const text = (x, y, words, style = {}) => {
  const { fill = '#111', anchor = 'start', size = 14, isUpright = false } = style;
  const turn = isUpright ? ` transform="rotate(-90 ${x} ${y})"` : '';
  const at = isUpright ? 'middle' : anchor;
  return `<text x="${x}" y="${y}" fill="${fill}" text-anchor="${at}" font-size="${size}"${turn}>${words}</text>`;
};

/**
 * A line through points.
 * @param {readonly (readonly [number, number])[]} points
 * @param {string} stroke
 * @param {{ width?: number, dash?: string }} [style]
 */
export const line = (points, stroke, { width = 1, dash = 'none' } = {}) => {
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return `<polyline points="${path}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-dasharray="${dash}"/>`;
};

/**
 * A matrix as cells, red below 0 and blue above; what is locked has a grey ground and a dot.
 * @param {ArrayLike<number>} values
 * @param {object} place
 * @param {number} place.columns
 * @param {number} place.x
 * @param {number} place.y
 * @param {number} place.cell the side of a cell
 * @param {ArrayLike<number>} [place.locked]
 * @param {number} [place.most] the magnitude of full colour; default: the largest
 */
export const matrix = (values, { columns, x, y, cell, locked = [], most }) => {
  const full = most ?? Array.from(values).reduce((a, value) => Math.max(a, Math.abs(value)), 0);
  return Array.from(values, (value, i) => {
    const [left, top] = [x + (i % columns) * cell, y + Math.floor(i / columns) * cell];
    const fill = locked[i] ? '#e8e8e8' : value < 0 ? RED : BLUE;
    const opacity = locked[i] ? 1 : Math.min(1, Math.abs(value) / full).toFixed(3);
    const rect = `<rect x="${left}" y="${top}" width="${cell}" height="${cell}" fill="${fill}" fill-opacity="${opacity}"/>`;
    if (!locked[i]) return rect;
    return `${rect}<circle cx="${left + cell / 2}" cy="${top + cell / 2}" r="1" fill="#999"/>`;
  }).join('\n');
};

/**
 * A frame with ticks, and the way from data to the screen.
 * @param {object} box
 * @param {number} box.x
 * @param {number} box.y
 * @param {number} box.width
 * @param {number} box.height
 * @param {readonly number[]} box.across where ticks are; the first and last are the range
 * @param {readonly number[]} box.up likewise
 * @param {boolean} [box.isLast] whether ticks across are labelled; default: true
 */
export const axes = ({ x, y, width, height, across, up, isLast = true }) => {
  const scale = (/** @type {readonly number[]} */ ticks, /** @type {number} */ value) =>
    (value - ticks[0]) / (Number(ticks.at(-1)) - ticks[0]);
  /** @param {number} a @param {number} b @returns {[number, number]} */
  const at = (a, b) => [x + width * scale(across, a), y + height * (1 - scale(up, b))];
  const grid = [
    ...across.map((a) => line([at(a, up[0]), at(a, Number(up.at(-1)))], '#ddd')),
    ...up.map((b) => line([at(across[0], b), at(Number(across.at(-1)), b)], '#ddd')),
  ];
  const small = { fill: GREY, size: 12 };
  const labels = [
    ...(isLast ? across : []).map((a) =>
      text(at(a, 0)[0], y + height + 18, String(a), { ...small, anchor: 'middle' }),
    ),
    ...up.map((b) =>
      text(x - 8, at(0, b)[1] + 4, String(b).replace('-', '−'), { ...small, anchor: 'end' }),
    ),
  ];
  return { at, frame: [...grid, ...labels].join('\n') };
};

/**
 * @param {number} width
 * @param {number} height
 * @param {string[]} parts
 */
export const picture = (width, height, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif">
<rect width="${width}" height="${height}" fill="white"/>
${parts.join('\n')}
</svg>
`;
