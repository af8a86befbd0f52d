/* Memory that follows the free (law 23): bytes of training a 2048 × 512 product under Adam, by what is locked, and bytes of
 * the optimizer's state. Counted, not timed: the same on every machine. */
import { init } from 'gradlock';

const [ROWS, COLUMNS, BATCH] = [2048, 512, 8];
const WEIGHTS = 4 * ROWS * COLUMNS;
/** With one percent of the rows free, beside everything locked. */
const GOAL = 1.15;

/** @typedef {import('gradlock').Selection | null} Free */
/** @param {number} length @param {number} step @param {number} first */
const rows = (length, step, first = 0) => ({
  rows: Array.from({ length }, (_, i) => first + step * i),
});

/** What is free, and what after two steps, so that clocks differ. @type {[string, Free, Free?][]} */
const FREE = [
  ['nothing', null],
  ['1 % of the rows, together', rows(20, 1)],
  ['1 % of the rows, together, then the next', rows(20, 1), rows(20, 1, 20)],
  ['1 % of the rows, scattered', rows(20, 97)],
  ['1 % of the rows, scattered, then the next', rows(20, 97), rows(20, 97, 1)],
  ['10 % of the rows, scattered', rows(204, 10)],
  ['10 % of the rows, scattered, then the next', rows(204, 10), rows(204, 10, 1)],
  ['1 % of the elements, at random', { random: { fraction: 0.01, seed: 1 } }],
  [
    '1 % of the elements, at random, then others',
    { random: { fraction: 0.01, seed: 1 } },
    { random: { fraction: 0.01, seed: 2 } },
  ],
  ['everything', 'all'],
  ['everything, then all but 1 % of the rows', 'all', rows(2028, 1, 20)],
];

/**
 * @param {Free} free
 * @param {Free} [then]
 */
async function measure(free, then) {
  const g = await init();
  const w = g.variable(new Float32Array(ROWS * COLUMNS).fill(0.01), { shape: [ROWS, COLUMNS] });
  const x = g.tensor(new Float32Array(BATCH * ROWS).fill(0.1), [BATCH, ROWS]);
  const loss = g.compile(() => g.mean(g.square(g.matMul(x, w))));
  const optimizer = g.optimizers.adam();
  w.lock('all');
  if (free) w.unlock(free);
  optimizer.minimize(loss, { variables: [w], steps: 2 });
  if (then) {
    w.trainOnly(then);
    optimizer.minimize(loss, { variables: [w], steps: 2 });
  }
  const { bytes, slotBytes, programBytes } = g.memory();
  const state = optimizer.toBytes({ variables: [w] }).length - WEIGHTS;
  g.dispose();
  return { bytes, slotBytes, programBytes, state };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: `Memory of training ${ROWS} × ${COLUMNS} weights under Adam, in units of the weights' bytes, by what is free`,
  async run() {
    const results = [];
    const frozen = await measure(null);
    for (const [what, free, then] of FREE) {
      const { bytes, slotBytes, programBytes, state } = await measure(free, then);
      const times = bytes / frozen.bytes;
      results.push({
        what,
        unit: '×',
        values: {
          gradlock: bytes / WEIGHTS,
          slots: slotBytes / WEIGHTS,
          programs: programBytes / WEIGHTS,
          'state beside weights': state / WEIGHTS,
        },
        ...(what.startsWith('1 % of the rows') && {
          expected: `≤ ${GOAL} × everything locked: ${times.toFixed(3)}`,
          met: times <= GOAL,
        }),
      });
    }
    return results;
  },
};
