/* Pictures of the recipes, written to build/pictures as SVG: `make pictures`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { init } from 'gradlock';
import { makeNetwork } from './digits.js';

const CELL = 8;
const folder = new URL('../../build/pictures/', import.meta.url);

/**
 * A matrix as cells, red below 0 and blue above; what is locked has a grey ground and a dot.
 * @param {Float32Array} values
 * @param {number} columns
 * @param {Uint8Array} locked
 * @param {number} x
 */
const drawMatrix = (values, columns, locked, x) => {
  const most = values.reduce((a, value) => Math.max(a, Math.abs(value)), 0);
  return Array.from(values, (value, i) => {
    const [left, top] = [x + (i % columns) * CELL, 40 + Math.floor(i / columns) * CELL];
    const fill = locked[i] ? '#e8e8e8' : value < 0 ? '#b2182b' : '#2166ac';
    const opacity = locked[i] ? 1 : (Math.abs(value) / most).toFixed(3);
    const cell = `<rect x="${left}" y="${top}" width="${CELL}" height="${CELL}" fill="${fill}" fill-opacity="${opacity}"/>`;
    if (!locked[i]) return cell;
    return `${cell}<circle cx="${left + CELL / 2}" cy="${top + CELL / 2}" r="1" fill="#999"/>`;
  }).join('\n');
};

/**
 * @param {string} name
 * @param {number} width
 * @param {number} height
 * @param {string} body
 */
const write = (name, width, height, body) => {
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${name}.svg`, folder);
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="14">
<rect width="${width}" height="${height}" fill="white"/>
${body}
</svg>
`,
  );
  console.log(`Written to ${file.pathname}`);
};

/** The first layer of the digits network: trained, then pruned, locked and fine-tuned. */
const drawPruning = async () => {
  const g = await init();
  const { w1, loss, accuracy } = makeNetwork(g);
  const adam = g.optimizers.adamW({ learningRate: 0.01 });
  adam.minimize(loss, { steps: 120 });
  const [rows, columns] = w1.shape;
  const width = columns * CELL;
  const percent = () => `${(100 * accuracy()).toFixed(1)} % of unseen digits right`;
  const parts = [
    `<text x="16" y="26">64 × 32 weights, trained: ${percent()}</text>`,
    drawMatrix(w1.data(), columns, w1.locks.toMask(), 16),
  ];
  const threshold = Float32Array.from(w1.data(), Math.abs).sort()[Math.round(0.8 * w1.size)];
  w1.assign(w1.data().map((value) => (Math.abs(value) < threshold ? 0 : value)));
  w1.lock((value) => value === 0);
  adam.minimize(loss, { steps: 120 });
  const right = 16 + width + 120;
  parts.push(
    `<text x="${right}" y="26">80 % locked at 0, fine-tuned: ${percent()}</text>`,
    drawMatrix(w1.data(), columns, w1.locks.toMask(), right),
  );
  write('prune-and-fine-tune', right + width + 120, 56 + rows * CELL, parts.join('\n'));
};

await drawPruning();
