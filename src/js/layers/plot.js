// A model as a picture: SVG with a box a layer, and how much of each is locked.
import { summarize } from './summary.js';
import { formatOpen } from './symbolic.js';

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./summary.js').LayerRow} LayerRow */

const BOX = { width: 210, height: 46, across: 24, down: 30 };

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * The row of each layer: one below the lowest that it takes something from.
 * @param {readonly LayerRow[]} layers
 */
const levelsOf = (layers) => {
  /** @type {Map<string, number>} */
  const levels = new Map();
  for (const { name, inputs } of layers) {
    levels.set(name, Math.max(-1, ...inputs.map((input) => levels.get(input) ?? -1)) + 1);
  }
  return levels;
};

/**
 * @param {Model} model
 * @returns {string} SVG. Colours follow `color` and `--gradlock-locked`.
 */
export const plot = (model) => {
  const { layers, name, total } = summarize(model);
  const levels = levelsOf(layers);
  /** @type {LayerRow[][]} */
  const rows = [];
  for (const layer of layers) (rows[Number(levels.get(layer.name))] ??= []).push(layer);
  const columns = Math.max(...rows.map((row) => row.length));
  const [stepX, stepY] = [BOX.width + BOX.across, BOX.height + BOX.down];
  const [width, height] = [columns * stepX, rows.length * stepY];
  /** @type {Map<string, { x: number, y: number }>} */
  const places = new Map();
  rows.forEach((row, level) => {
    row.forEach((layer, i) => {
      const x = (width - row.length * stepX) / 2 + i * stepX + BOX.across / 2;
      places.set(layer.name, { x, y: level * stepY + BOX.down / 2 });
    });
  });
  const lines = layers.flatMap((layer) =>
    layer.inputs.map((input) => {
      const [from, to] = [places.get(input), places.get(layer.name)];
      if (!from || !to) return '';
      const [x, y] = [from.x + BOX.width / 2, from.y + BOX.height];
      const [u, v] = [to.x + BOX.width / 2, to.y];
      return `<path d="M${x} ${y}C${x} ${(y + v) / 2} ${u} ${(y + v) / 2} ${u} ${v}"/>`;
    }),
  );
  const boxes = layers.map((layer) => {
    const { x, y } = /** @type {{ x: number, y: number }} */ (places.get(layer.name));
    const all = layer.free + layer.locked;
    const share = all > 0 ? layer.locked / all : 0;
    const bar =
      all > 0
        ? `<rect class="locked" y="${BOX.height - 4}" width="${BOX.width * share}" height="4"/>`
        : '';
    const shape = layer.outputShapes[0] ? formatOpen(layer.outputShapes[0]) : '';
    const lock = share === 1 ? ' 🔒' : '';
    return (
      `<g transform="translate(${x} ${y})"><rect class="box" width="${BOX.width}" height="${BOX.height}" rx="4"/>${bar}` +
      `<text x="10" y="18">${escaped(layer.name)}${lock}</text>` +
      `<text class="small" x="10" y="34">${escaped(`${layer.className} ${shape}`)}</text></g>`
    );
  });
  const title = `${name}: ${total.params} parameters, ${total.locked} locked`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}"
height="${height}" role="img"><title>${escaped(title)}</title>
<style>path,.box{fill:none;stroke:currentColor}path{opacity:.5}
text{font:13px system-ui,sans-serif;fill:currentColor}.small{font-size:11px;opacity:.7}
.locked{fill:var(--gradlock-locked,#e08214)}</style>
${lines.join('')}${boxes.join('\n')}</svg>`;
};
