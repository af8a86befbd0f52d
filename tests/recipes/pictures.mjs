/* Pictures of the recipes, written to build/pictures as SVG: `make pictures`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { init } from 'gradlock';
import { makeNetwork } from './digits.js';

const CELL = 8;
const TOP = 52;
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
    const [left, top] = [x + (i % columns) * CELL, TOP + Math.floor(i / columns) * CELL];
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
  /**
   * @param {number} x
   * @param {string} what
   */
  const caption = (x, what) => {
    const percent = (100 * accuracy()).toFixed(1);
    return `<text x="${x}" y="22">${what}</text>
<text x="${x}" y="40" fill="#555">${percent} % of unseen digits right</text>`;
  };
  const parts = [
    caption(16, '64 × 32 weights, trained'),
    drawMatrix(w1.data(), columns, w1.locks.toMask(), 16),
  ];
  w1.lock({ topK: { fraction: 0.8, by: 'magnitude', largest: false } });
  const locked = w1.locks.toMask();
  w1.assign(
    w1.data().map((value, i) => (locked[i] ? 0 : value)),
    { force: true },
  );
  adam.minimize(loss, { steps: 120 });
  const right = 16 + width + 40;
  parts.push(
    caption(right, '80 % locked at 0, fine-tuned'),
    drawMatrix(w1.data(), columns, w1.locks.toMask(), right),
  );
  write('prune-and-fine-tune', right + width + 16, TOP + rows * CELL + 16, parts.join('\n'));
};

await drawPruning();
