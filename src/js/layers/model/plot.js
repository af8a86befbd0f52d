// Draws a model as SVG, with a box for each layer that shows how much of it is locked.
import { escaped, LOCKED } from '../config/drawing.js';
import { summarize } from './summary.js';
import { formatOpen } from '../config/open-shapes.js';

/** @import { Model } from './model.js' */
/** @import { LayerRow } from './summary.js' */

const BOX = { width: 210, height: 46, across: 24, down: 30 };

/** Rows of layers, each below the lowest of its inputs. @param {readonly LayerRow[]} layers */
const rowsOf = (layers) => {
  /** @type {Map<string, number>} */
  const levels = new Map();
  /** @type {LayerRow[][]} */
  const rows = [];
  for (const layer of layers) {
    const level = Math.max(0, ...layer.inputs.map((input) => (levels.get(input) ?? -1) + 1));
    levels.set(layer.name, level);
    rows[level] = [...(rows[level] ?? []), layer];
  }
  return rows;
};

/**
 * @param {Model} model
 * @returns {string} The SVG text. Its colours follow CSS's `color` and `--gradlock-locked`.
 */
export const plot = (model) => {
  const { layers, name, total } = summarize(model);
  const rows = rowsOf(layers);
  const columns = Math.max(...rows.map((row) => row.length));
  const [stepX, stepY] = [BOX.width + BOX.across, BOX.height + BOX.down];
  const [width, height] = [columns * stepX, rows.length * stepY];
  /** @type {Map<string, { x: number, y: number }>} */
  const corners = new Map();
  rows.forEach((row, level) => {
    row.forEach((layer, i) => {
      const x = (width - row.length * stepX) / 2 + i * stepX + BOX.across / 2;
      corners.set(layer.name, { x, y: level * stepY + BOX.down / 2 });
    });
  });
  const lines = layers.flatMap((layer) =>
    layer.inputs.map((input) => {
      const [from, to] = [corners.get(input), corners.get(layer.name)];
      if (!from || !to) return '';
      const [x, y] = [from.x + BOX.width / 2, from.y + BOX.height];
      const [u, v] = [to.x + BOX.width / 2, to.y];
      return `<path d="M${x} ${y}C${x} ${(y + v) / 2} ${u} ${(y + v) / 2} ${u} ${v}"/>`;
    }),
  );
  const boxes = layers.map((layer) => {
    const { x, y } = /** @type {{ x: number, y: number }} */ (corners.get(layer.name));
    const all = layer.free + layer.locked;
    const share = all > 0 ? layer.locked / all : 0;
    const bar =
      all > 0
        ? `<path d="M0 ${BOX.height - 2}h${BOX.width * share}" stroke="${LOCKED}" stroke-width="4"/>`
        : '';
    const shape = layer.outputShapes[0] ? formatOpen(layer.outputShapes[0]) : '';
    const lock = share === 1 ? ' 🔒' : '';
    const frame = `<rect width="${BOX.width}" height="${BOX.height}" rx="4" fill="none" stroke="currentColor"/>`;
    const head = `<text x="10" y="18">${escaped(layer.name)}${lock}</text>`;
    const rest = `<text x="10" y="34" font-size="11" opacity=".7">${escaped(`${layer.className} ${shape}`)}</text>`;
    return `<g transform="translate(${x} ${y})">${frame}${bar}${head}${rest}</g>`;
  });
  const title = `${name}: ${total.params} parameters, ${total.locked} locked`;
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const font = 'font-family="system-ui,sans-serif" font-size="13" fill="currentColor"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" ${font}>
<title>${escaped(title)}</title>
<g fill="none" stroke="currentColor" opacity=".5">${lines.join('')}</g>
${boxes.join('\n')}
</svg>`;
};
