/* What training steps have in common, whatever the network: gradlock compiled (many steps a call) and eager beside its
 * peers, and the limit, which is the arithmetic of the products at the engine's peak and the update's traffic. */
import { init } from 'gradlock';
import { measure, repeatedly } from './harness.mjs';
import { loadLimits, PEAK_OPERATIONS } from './limits.mjs';

const ROUNDS = 5000;

/**
 * @typedef {object} Task
 * @property {string} what
 * @property {number} parameters how many are trained
 * @property {number} operations of f32 in a step's products
 * @property {(g: import('gradlock').Gradlock) => ReturnType<typeof import('./cnn.mjs').ownCnn>} own
 * @property {Record<string, () => unknown>} peers a step of each
 * @property {number} rounds
 */

/**
 * @param {Task} task
 * @returns {Promise<import('./harness.mjs').Result & { ratios: Record<string, number>, limit: number }>}
 */
export async function measureSteps({ what, parameters, operations, own, peers, rounds }) {
  const g = await init();
  const [compiled, eager] = [own(g), own(g)];
  const program = g.compile(compiled.loss);
  const count = Math.ceil(parameters / 4) * 4;
  const { peak, move_adam } = loadLimits(4 * count);
  const seconds = measure(
    {
      gradlock: (steps) =>
        compiled.optimizer.minimize(program, { variables: compiled.variables, steps }),
      'gradlock eager': repeatedly(() =>
        eager.optimizer.minimize(eager.loss, { variables: eager.variables, steps: 1 }),
      ),
      ...Object.fromEntries(Object.entries(peers).map(([who, step]) => [who, repeatedly(step)])),
      peak: repeatedly(() => peak(ROUNDS)),
      update: repeatedly(() => move_adam(count)),
    },
    { rounds },
  );
  g.dispose();
  const { peak: atPeak, update, ...times } = seconds;
  const limit = (operations * atPeak) / (ROUNDS * PEAK_OPERATIONS) + update;
  return {
    what: `${what}, ${parameters.toLocaleString('en-US')} parameters`,
    unit: 'ms',
    values: Object.fromEntries(
      Object.entries({ ...times, limit }).map(([who, took]) => [who, took * 1e3]),
    ),
    ratios: Object.fromEntries(
      Object.keys(peers).map((who) => [who, seconds[who] / seconds.gradlock]),
    ),
    limit: limit / seconds.gradlock,
  };
}
