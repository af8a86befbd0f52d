/* One Adam step with elements locked at random, compared with none locked, in turns of one run: of
 * variables that were locked before they trained, whose locked elements have no slots, and after. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { randomValues } from '../values.mjs';

const SIZES = [16384, 262144, 2 ** 22];
/** The goal of each: percent locked, and at most how many times the time with none. @type {[number, number][]} */
const GOALS = [
  [2, 1.3],
  [25, 1.3],
  [50, 1.1],
  [75, 0.65],
  [90, 0.45],
  [99, 0.1],
];
/** A slot's memory at 90 %, of a slot for every element. */
const MEMORY = { percent: 90, goal: 0.12 };

/**
 * @param {number} count
 * @returns {Promise<import('../harness.mjs').Result[]>}
 */
async function resultsOf(count) {
  const g = await init();
  const values = randomValues(count);
  const chance = randomValues(2 * count).subarray(count);
  const gradient = g.tensor(values, [count]);
  /** @type {Record<string, (repeats: number) => void>} */
  const contestants = {};
  /** @param {number} percent @param {boolean} isTrained */
  const add = (percent, isTrained) => {
    const x = g.variable(new Float32Array(count), { shape: [count] });
    const optimizer = g.optimizers.adam({ learningRate: 0.001 });
    const step = () => optimizer.applyGradients([[gradient, x]]);
    if (isTrained) step();
    x.lock(Uint8Array.from(chance, (value) => Number((value + 1) * 50 < percent)));
    const { slotBytes } = g.memory();
    step();
    contestants[`${percent} ${isTrained}`] = repeatedly(step);
    return (g.memory().slotBytes - slotBytes) / (2 * 4 * count);
  };
  add(0, false);
  const slots = Object.fromEntries(GOALS.map(([percent]) => [percent, add(percent, false)]));
  for (const [percent] of GOALS) add(percent, true);
  const seconds = measure(contestants, { rounds: count > 2 ** 20 ? 9 : 15 });
  g.dispose();
  const elements = `${count.toLocaleString('en-US')} elements`;
  const times = (/** @type {number} */ percent, isTrained = false) =>
    seconds[`${percent} ${isTrained}`] / seconds['0 false'];
  const results = GOALS.map(([percent, goal]) => ({
    what: `${elements}, ${percent} % at random`,
    unit: 'of the time with none locked',
    values: { 'locked first': times(percent), 'trained first': times(percent, true) },
    expected: `≤ ${goal}`,
    met: times(percent) <= goal,
  }));
  return [
    ...results,
    {
      what: `${elements}, ${MEMORY.percent} % at random`,
      unit: 'of the memory of slots for all',
      values: { 'locked first': slots[MEMORY.percent] },
      expected: `≤ ${MEMORY.goal}`,
      met: slots[MEMORY.percent] <= MEMORY.goal,
    },
  ];
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Adam step, elements locked at random',
  async run() {
    const results = [];
    for (const count of SIZES) results.push(...(await resultsOf(count)));
    return results;
  },
};
