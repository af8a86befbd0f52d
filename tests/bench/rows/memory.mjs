/* Memory that follows the free (law 23): bytes of training a 2048 × 512 product under Adam, by what is locked, and bytes of
 * the optimizer's state. Counted, not timed: the same on every machine. */
import { init } from 'gradlock';

const [ROWS, COLUMNS, BATCH] = [2048, 512, 8];
const WEIGHTS = 4 * ROWS * COLUMNS;
/** With one percent of the rows free, beside everything locked. */
const GOAL = 1.15;

/** What is free. @type {[string, import('gradlock').Selection | null][]} */
const FREE = [
  ['nothing', null],
  ['1 % of the rows, together', { rows: Array.from({ length: 20 }, (_, i) => i) }],
  ['1 % of the rows, scattered', { rows: Array.from({ length: 20 }, (_, i) => 97 * i) }],
  ['10 % of the rows, scattered', { rows: Array.from({ length: 204 }, (_, i) => 10 * i) }],
  ['1 % of the elements, at random', { random: { fraction: 0.01, seed: 1 } }],
  ['everything', 'all'],
];

/** @param {import('gradlock').Selection | null} free */
async function measure(free) {
  const g = await init();
  const w = g.variable(new Float32Array(ROWS * COLUMNS).fill(0.01), { shape: [ROWS, COLUMNS] });
  const x = g.tensor(new Float32Array(BATCH * ROWS).fill(0.1), [BATCH, ROWS]);
  const loss = g.compile(() => g.mean(g.square(g.matMul(x, w))));
  const optimizer = g.optimizers.adam();
  w.lock('all');
  if (free) w.unlock(free);
  optimizer.minimize(loss, { variables: [w], steps: 2 });
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
    for (const [what, free] of FREE) {
      const { bytes, slotBytes, programBytes, state } = await measure(free);
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
