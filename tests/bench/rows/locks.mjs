/* Locks that pay: a training step of 784-512-512-10 against how much of it is locked, drawn into build/bench/locks.svg,
 * and the gradient of its first weights alone. And what it takes to change locks on a million elements. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadLimits } from '../limits.mjs';
import { BATCH, makeNetwork, ownNetwork } from '../networks.mjs';
import { BUILD } from '../peers.mjs';
import { randomValues } from '../values.mjs';

const PERCENT = [0, 10, 25, 50, 75, 90, 95, 99, 100];
const WIDTH = 512;
const MILLION = 2 ** 20;
/** A locked network may take so many times as long as a free one. */
const NEVER_ABOVE = 1.05;

/** @type {Record<string, (count: number, percent: number) => Uint8Array>} 1 = locked */
const PATTERNS = {
  random: (count, percent) =>
    Uint8Array.from(randomValues(count), (value) => Number((value + 1) * 50 < percent)),
  clustered: (count, percent) =>
    Uint8Array.from({ length: count }, (_, i) => Number(i < (count * percent) / 100)),
};

/** @param {Record<string, [number, number][]>} curves percent and time, the time without locks being 1 */
function draw(curves) {
  const colors = ['#b35806', '#542788'];
  const x = (/** @type {number} */ percent) => 50 + percent * 4;
  const y = (/** @type {number} */ time) => 270 - time * 200;
  const lines = Object.entries(curves).map(([name, points], i) => {
    const path = points.map(([percent, time]) => `${x(percent)},${y(time).toFixed(1)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colors[i]}" stroke-width="2"/>
<text x="60" y="${225 + 18 * i}" fill="${colors[i]}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 320" font-family="sans-serif" font-size="13">
<rect width="480" height="320" fill="#fff"/>
<path d="M50,${y(0)}H450M50,${y(0)}V${y(1.2)}" stroke="#888" fill="none"/>
<path d="M50,${y(1)}H450" stroke="#bbb" stroke-dasharray="4"/>
<text x="50" y="290">0 %</text><text x="420" y="290">100 %</text><text x="200" y="308">locked elements</text>
<text x="14" y="${y(1) + 4}">1</text><text x="14" y="${y(0) + 4}">0</text>
<text x="50" y="22">Time of a training step, without locks = 1</text>
${lines.join('\n')}
</svg>
`;
}

/** @returns {Promise<import('../harness.mjs').Result[]>} */
async function measureCurves() {
  const network = makeNetwork(WIDTH);
  const g = await init();
  /** @type {Record<string, (repeats: number) => void>} */
  const contestants = {};
  for (const [pattern, maskOf] of Object.entries(PATTERNS)) {
    for (const percent of PERCENT) {
      const { loss, variables, optimizer } = ownNetwork(g, network);
      for (const variable of variables) variable.lock(maskOf(variable.size, percent));
      const program = g.compile(loss);
      contestants[`${pattern} ${percent}`] = (steps) =>
        optimizer.minimize(program, { variables, steps });
    }
  }
  const seconds = measure(contestants);
  g.dispose();
  /** @type {Record<string, [number, number][]>} */
  const curves = {};
  const results = Object.keys(PATTERNS).map((pattern) => {
    const times = PERCENT.map((percent) => seconds[`${pattern} ${percent}`]);
    curves[pattern] = PERCENT.map((percent, i) => [percent, times[i] / times[0]]);
    return {
      what: `784-512-512-10, locked ${pattern}`,
      unit: 'of the time without locks',
      values: Object.fromEntries(curves[pattern].map(([percent, time]) => [`${percent} %`, time])),
      expected: `never above ${NEVER_ABOVE}`,
      met: curves[pattern].every(([, time]) => time <= NEVER_ABOVE),
    };
  });
  mkdirSync(BUILD, { recursive: true });
  writeFileSync(join(BUILD, 'locks.svg'), draw(curves));
  return results;
}

/** Of the first layer's weights. */
const [ROWS, COLUMNS] = [784, WIDTH];

/** Tiles of 4 × 8 locked at random. @param {number} percent */
function tiles(percent) {
  const chances = randomValues((ROWS * COLUMNS) / 32);
  return Uint8Array.from({ length: ROWS * COLUMNS }, (_, i) => {
    const [row, column] = [Math.floor(i / COLUMNS), i % COLUMNS];
    const chance = chances[(row >> 2) * (COLUMNS / 8) + (column >> 3)];
    return Number((chance + 1) * 50 < percent);
  });
}

/** The product alone: a program's step has others. @returns {import('../harness.mjs').Result[]} */
function measureGradient() {
  const limits = loadLimits();
  loadLimits(limits.weigh_size(ROWS, COLUMNS, BATCH));
  const words = new Uint32Array(limits.memory.buffer, limits.heap(), (ROWS * COLUMNS) / 32);
  const times = (/** @type {Uint8Array} */ mask) => {
    words.fill(0);
    for (const [i, locked] of mask.entries()) words[i >> 5] |= locked << (i & 31);
    const seconds = measure({
      whole: repeatedly(() => limits.weigh(ROWS, COLUMNS, BATCH, 0)),
      spared: repeatedly(() => limits.weigh(ROWS, COLUMNS, BATCH, 1)),
    });
    return seconds.whole / seconds.spared;
  };
  const what = `gradient of weights alone, ${ROWS} × ${COLUMNS}, batch ${BATCH}, locked`;
  const unit = 'times as fast as whole';
  const results = Object.entries(PATTERNS).map(([pattern, maskOf]) => {
    const values = Object.fromEntries(
      PERCENT.map((percent) => [`${percent} %`, times(maskOf(ROWS * COLUMNS, percent))]),
    );
    return { what: `${what} ${pattern}`, unit, values };
  });
  const spared = times(tiles(90));
  return [
    ...results,
    {
      what: `${what} 90 % of 4 × 8 tiles`,
      unit,
      values: { gradlock: spared },
      expected: '≥ 5',
      met: spared >= 5,
    },
  ];
}

/** @returns {Promise<import('../harness.mjs').Result[]>} */
async function measureChanges() {
  const g = await init();
  const values = randomValues(MILLION);
  const x = g.variable(values, { shape: [1024, 1024] });
  const mask = PATTERNS.random(MILLION, 50);
  const seconds = measure(
    {
      'lock(mask)': repeatedly(() => x.lock(mask)),
      'toggle(mask)': repeatedly(() => x.toggle(mask)),
      'lock({ topK })': repeatedly(() => x.lock({ topK: { fraction: 0.01 } })),
    },
    { rounds: 9 },
  );
  g.dispose();
  return Object.entries(seconds).map(([name, took]) => ({
    what: `${name} of 1,048,576 elements`,
    unit: 'ms',
    values: { gradlock: took * 1e3 },
  }));
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Locks that pay',
  async run() {
    return [...(await measureCurves()), ...measureGradient(), ...(await measureChanges())];
  },
};
