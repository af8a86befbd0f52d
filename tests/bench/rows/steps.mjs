/* Whole training steps: forward, gradients and Adam, gradlock compiled beside its peers. The limit
 * is the arithmetic of the products at the engine's peak and the update's traffic. And the same step
 * by how much of it is locked. TensorFlow.js has no gradient by filters on WebAssembly, so its cpu
 * backend trains the convolutional network. */
import { init } from 'gradlock';
import * as cnn from '../cnn.mjs';
import { measure, repeatedly } from '../harness.mjs';
import { loadLimits, PEAK_OPERATIONS } from '../limits.mjs';
import * as networks from '../networks.mjs';
import { loadJax, loadTensorFlow, loadTensorFlowCpu } from '../peers.mjs';
import { randomValues } from '../values.mjs';

const PEAK_ROUNDS = 5000;
const WIDTHS = [128, 512];
const PERCENT = [50, 90, 99];
/** The share of the limit that dense steps and those of the convolutional network are to reach. */
const GOALS = { dense: 1 / 1.5, cnn: 0.4 };
/** A locked network may take so many times as long as a free one. */
const NEVER_ABOVE = 1.05;

/**
 * @typedef {object} Task
 * @property {string} what
 * @property {number} parameters how many are trained
 * @property {number} operations of f32 in a step's products
 * @property {(g: import('gradlock').Gradlock) => ReturnType<typeof cnn.ownCnn>} own
 * @property {Record<string, () => unknown>} peers a step of each
 * @property {number} goal
 */

/** @param {Task} task @returns {Promise<import('../harness.mjs').Result>} */
async function measureStep({ what, parameters, operations, own, peers, goal }) {
  const g = await init();
  const { loss, variables, optimizer } = own(g);
  const program = g.compile(loss);
  const count = Math.ceil(parameters / 4) * 4;
  const { peak, move_adam } = loadLimits(4 * count);
  const seconds = measure(
    {
      gradlock: (steps) => optimizer.minimize(program, { variables, steps }),
      ...Object.fromEntries(Object.entries(peers).map(([who, step]) => [who, repeatedly(step)])),
      peak: repeatedly(() => peak(PEAK_ROUNDS)),
      update: repeatedly(() => move_adam(count)),
    },
    { rounds: 9 },
  );
  g.dispose();
  const { peak: atPeak, update, ...times } = seconds;
  const limit = (operations * atPeak) / (PEAK_ROUNDS * PEAK_OPERATIONS) + update;
  const all = Object.entries({ ...times, limit });
  return {
    what: `${what}, ${parameters.toLocaleString('en-US')} parameters`,
    unit: 'ms',
    values: Object.fromEntries(all.map(([who, took]) => [who, took * 1e3])),
    ratios: Object.fromEntries(
      Object.keys(peers).map((who) => [who, seconds[who] / seconds.gradlock]),
    ),
    limit: limit / seconds.gradlock,
    expected: `≥ ${Math.round(100 * goal)} %`,
    met: limit >= goal * seconds.gradlock,
  };
}

/** @returns {Promise<import('../harness.mjs').Result>} */
async function measureLocks() {
  const network = networks.makeNetwork(512);
  const g = await init();
  /** @type {Record<string, (steps: number) => unknown>} */
  const contestants = {};
  /** @param {string} name @param {(i: number, chance: number, count: number) => boolean} isLocked */
  const add = (name, isLocked) => {
    const { loss, variables, optimizer } = networks.ownNetwork(g, network);
    for (const variable of variables) {
      const chances = randomValues(variable.size);
      variable.lock(Uint8Array.from(chances, (c, i) => Number(isLocked(i, c, chances.length))));
    }
    const program = g.compile(loss);
    contestants[name] = (steps) => optimizer.minimize(program, { variables, steps });
  };
  add('none', () => false);
  for (const percent of PERCENT) add(`${percent} %`, (_, chance) => (chance + 1) * 50 < percent);
  for (const percent of PERCENT) {
    add(`${percent} % in rows`, (i, _, count) => i < (count * percent) / 100);
  }
  const { none, ...seconds } = measure(contestants, { rounds: 9 });
  g.dispose();
  const times = Object.entries(seconds).map(([name, took]) => [name, took / none]);
  return {
    what: '784-512-512-10, locked at random and in whole rows',
    unit: 'of the time without locks',
    values: Object.fromEntries(times),
    expected: `never above ${NEVER_ABOVE}`,
    met: times.every(([, time]) => Number(time) <= NEVER_ABOVE),
  };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Training step, batch 32, cross-entropy, Adam',
  async run() {
    const [tf, cpu, jax] = [await loadTensorFlow(), await loadTensorFlowCpu(), await loadJax()];
    /** @type {Task[]} */
    const tasks = WIDTHS.map((width) => {
      const network = networks.makeNetwork(width);
      return {
        what: `784-${width}-${width}-10`,
        parameters: networks.parameters(network),
        operations: networks.operations(network),
        own: (g) => networks.ownNetwork(g, network),
        peers: {
          'TF.js wasm': networks.tensorFlowStep(tf, network),
          'jax-js': networks.jaxStep(jax, network),
        },
        goal: GOALS.dense,
      };
    });
    const images = cnn.makeCnn();
    tasks.push({
      what: '8c3-p2-16c3-p2-64-10',
      parameters: cnn.PARAMETERS,
      operations: cnn.OPERATIONS,
      own: (g) => cnn.ownCnn(g, images),
      peers: {
        'TF.js cpu': cnn.tensorFlowCnnStep(cpu, images),
        'jax-js': cnn.jaxCnnStep(jax, images),
      },
      goal: GOALS.cnn,
    });
    const results = [];
    for (const task of tasks) results.push(await measureStep(task));
    tf.disposeVariables();
    cpu.disposeVariables();
    return [...results, await measureLocks()];
  },
};
