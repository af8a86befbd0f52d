/* Pictures of the recipes, written to build/pictures as SVG: `make pictures`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { init } from 'gradlock';
import { makeNetwork } from './digits.js';
import { axes, BLUE, GREY, line, matrix, picture, RED, text } from './drawing.js';
import { CERTIFIED, makeSpectrum, READINGS } from './spectrum.js';
import { makeWords, NEW, SIZE, WORDS } from './words.js';

const folder = new URL('../../build/pictures/', import.meta.url);

/** @param {string} name @param {string} svg */
const write = (name, svg) => {
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${name}.svg`, folder);
  writeFileSync(file, svg);
  console.log(`Written to ${file.pathname}`);
};

/** The first layer of the digits network: trained, then pruned, locked and fine-tuned. */
const drawPruning = async () => {
  const g = await init();
  const { w1, loss, accuracy } = makeNetwork(g);
  const adam = g.optimizers.adamW({ learningRate: 0.01 });
  const [rows, columns] = w1.shape;
  const cell = 8;
  /** @param {number} x @param {string} what */
  const panel = (x, what) => [
    text(x, 22, what),
    text(x, 40, `${(100 * accuracy()).toFixed(1)} % of unseen digits right`, { fill: GREY }),
    matrix(w1.data(), { columns, x, y: 52, cell, locked: w1.locks.toMask() }),
  ];
  adam.minimize(loss, { steps: 120 });
  const before = panel(16, '64 × 32 weights, trained');
  w1.lock({ topK: { fraction: 0.8, by: 'magnitude', largest: false } });
  const locked = w1.locks.toMask();
  w1.assign(
    w1.data().map((value, i) => (locked[i] ? 0 : value)),
    { force: true },
  );
  adam.minimize(loss, { steps: 120 });
  const right = 16 + columns * cell + 40;
  const after = panel(right, '80 % locked at 0, fine-tuned');
  const bottom = 52 + rows * cell + 24;
  const legend = text(16, bottom, 'blue above 0, red below; a grey cell with a dot is locked', {
    fill: GREY,
  });
  const size = [right + columns * cell + 16, bottom + 16];
  write('prune-and-fine-tune', picture(size[0], size[1], [...before, ...after, legend]));
};

/** What 300 steps of AdamW change of an embedding table: by locks, and by a gradient that is zeroed. */
const drawWords = async () => {
  const [cell, x, y, wide] = [11, 60, 64, 190];
  /** @param {(g: import('gradlock').Gradlock, words: ReturnType<typeof makeWords>) => void} train */
  const changeBy = async (train) => {
    const g = await init();
    const words = makeWords(g);
    const before = words.table.data();
    train(g, words);
    return { before, change: words.table.data().map((value, i) => value - before[i]) };
  };
  const locked = await changeBy((g, { table, loss }) => {
    table.trainOnly({ rows: NEW });
    g.optimizers.adamW({ learningRate: 0.05, weightDecay: 0.1 }).minimize(loss, { steps: 300 });
  });
  const masked = await changeBy((_, { maskedStep }) => {
    for (let step = 0; step < 300; step++) maskedStep();
  });
  /** @param {number} i @param {string} what @param {string} more @param {Float32Array} values */
  const panel = (i, what, more, values) => [
    text(x + i * wide, 30, what),
    text(x + i * wide, 50, more, { fill: GREY, size: 12 }),
    matrix(values, { columns: SIZE, x: x + i * wide, y, cell, most: 3 }),
    `<rect x="${x + i * wide}" y="${y}" width="${SIZE * cell}" height="${WORDS * cell}" fill="none" stroke="#ccc"/>`,
  ];
  const moved = (/** @type {Float32Array} */ values) =>
    values.slice(0, NEW[0] * SIZE).filter((value) => value !== 0).length;
  const old = (/** @type {Float32Array} */ values) =>
    `${moved(values)} of ${NEW[0] * SIZE} old numbers moved`;
  const middle = (/** @type {number} */ from, /** @type {number} */ to) =>
    y + ((from + to) / 2) * cell + 4;
  const bottom = y + WORDS * cell + 24;
  const parts = [
    ...panel(0, 'The table', '50 words × 8 numbers', locked.before),
    ...panel(1, 'Change: old rows locked', old(locked.change), locked.change),
    ...panel(2, 'Change: gradients zeroed', old(masked.change), masked.change),
    text(x - 8, middle(0, NEW[0]), 'old', { anchor: 'end' }),
    text(x - 8, middle(NEW[0], WORDS), 'new', { anchor: 'end' }),
    text(x, bottom, '300 steps of AdamW. White is 0, full blue +3 or more, full red −3 or less.', {
      fill: GREY,
    }),
  ];
  write('new-embedding-rows', picture(x + 3 * wide + 24, bottom + 16, parts));
};

/** The spectrum, its fit and what the fit is made of; below it what the fit leaves. */
const drawSpectrum = async () => {
  const g = await init();
  const { peaks, baseline, model, residuals } = makeSpectrum(g);
  peaks.lock({ cols: [2] });
  g.optimizers.levenbergMarquardt().minimize(residuals, { steps: 50 });
  const fit = model().data();
  const left = residuals().data();
  const [level, decay] = baseline.data();
  const bells = /** @type {number[][]} */ (peaks.array());
  const xs = READINGS.map((_, i) => i + 1);
  const ground = xs.map((t) => level * Math.exp((-t / 100) * decay));

  const [x, width] = [64, 700];
  const across = [0, 50, 100, 150, 200, 250];
  const top = axes({ x, y: 56, width, height: 300, across, up: [0, 50, 100, 150], isLast: false });
  const below = axes({ x, y: 380, width, height: 110, across, up: [-10, -5, 0, 5, 10] });
  /** @param {typeof top} plot @param {ArrayLike<number>} values @returns {[number, number][]} */
  const through = (plot, values) => xs.map((t, i) => plot.at(t, values[i]));
  const dots = (/** @type {typeof top} */ plot, /** @type {ArrayLike<number>} */ values) =>
    through(plot, values)
      .map(([a, b]) => `<circle cx="${a.toFixed(1)}" cy="${b.toFixed(1)}" r="2" fill="#888"/>`)
      .join('\n');
  const shapes = bells.map(([height, centre, wide]) => {
    const bell = xs.map((t) => height * Math.exp(-(((t - centre) / wide) ** 2)));
    const [a, b] = top.at(centre, 0.55 * height);
    const style = /** @type {const} */ ({ anchor: 'middle', size: 12, fill: RED });
    return [
      line(through(top, bell), RED, { dash: '5 4', width: 1.5 }),
      text(a, b, `width ${wide.toFixed(2)}`, style),
      text(a, b + 16, 'locked', style),
    ].join('\n');
  });
  const squares = left.reduce((sum, r) => sum + r * r, 0);
  const [lx, ly] = [x + 470, 76];
  const legend = [
    `<rect x="${lx - 12}" y="${ly - 16}" width="242" height="88" fill="white" stroke="#ccc"/>`,
    `<circle cx="${lx + 12}" cy="${ly - 1}" r="2.5" fill="#888"/>`,
    text(lx + 32, ly + 4, '250 readings (NIST Gauss2)', { size: 12 }),
    line(
      [
        [lx, ly + 19],
        [lx + 24, ly + 19],
      ],
      BLUE,
      { width: 2 },
    ),
    text(lx + 32, ly + 23, 'fit: Levenberg–Marquardt', { size: 12 }),
    line(
      [
        [lx, ly + 39],
        [lx + 24, ly + 39],
      ],
      RED,
      { width: 1.5, dash: '5 4' },
    ),
    text(lx + 32, ly + 43, 'peaks, their widths locked', { size: 12 }),
    line(
      [
        [lx, ly + 59],
        [lx + 24, ly + 59],
      ],
      '#555',
      { width: 1.5, dash: '1.5 3' },
    ),
    text(lx + 32, ly + 63, 'baseline', { size: 12 }),
  ];
  const parts = [
    text(x, 24, 'Two peaks of known widths on a decaying baseline'),
    text(x, 44, `sum of squares ${squares.toFixed(2)}, certified ${CERTIFIED.squares.toFixed(2)}`, {
      fill: GREY,
      size: 12,
    }),
    top.frame,
    dots(top, READINGS),
    ...shapes,
    line(through(top, ground), '#555', { dash: '1.5 3', width: 1.5 }),
    line(through(top, fit), BLUE, { width: 2 }),
    ...legend,
    below.frame,
    line(
      through(
        below,
        xs.map(() => 0),
      ),
      BLUE,
    ),
    dots(below, left),
    text(16, 206, 'signal', { fill: GREY, size: 12, isUpright: true }),
    text(16, 435, 'residual', { fill: GREY, size: 12, isUpright: true }),
    text(x + width / 2, 528, 'channel', { fill: GREY, size: 12, anchor: 'middle' }),
  ];
  write('peaks-of-known-widths', picture(x + width + 24, 544, parts));
};

await drawPruning();
await drawWords();
await drawSpectrum();
