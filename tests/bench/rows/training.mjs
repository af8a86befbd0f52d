/* A whole training step: forward, gradients and Adam, compiled (many steps a call) and eager. The limit is the
 * arithmetic of its products at the engine's peak and the update's traffic. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadLimits, PEAK_OPERATIONS } from '../limits.mjs';
import {
  jaxStep,
  makeNetwork,
  operations,
  ownNetwork,
  parameters,
  tensorFlowStep,
} from '../networks.mjs';
import { loadJax, loadTensorFlow, loadTensorFlowCpu } from '../peers.mjs';

const ROUNDS = 5000;
/** A step of the wider one takes TensorFlow.js's cpu backend half a second. */
const WIDEST_ON_CPU = 128;
/** How many times as fast as each peer, by width. @type {Record<number, [number, number]>} */
const TARGETS = { 128: [5, 1.6], 512: [8, 1.6] };
/** How many times the limit a step may take. */
const NEAR = 1.5;

/** @param {number} width @returns {Promise<import('../harness.mjs').Result>} */
async function measureWidth(width) {
  const network = makeNetwork(width);
  const count = Math.ceil(parameters(network) / 4) * 4;
  const g = await init();
  const tf = await loadTensorFlow();
  const tfCpu = await loadTensorFlowCpu();
  const compiled = ownNetwork(g, network);
  const eager = ownNetwork(g, network);
  const program = g.compile(compiled.loss);
  const { peak, move_adam } = loadLimits(4 * count);
  const seconds = measure(
    {
      compiled: (steps) =>
        compiled.optimizer.minimize(program, { variables: compiled.variables, steps }),
      eager: repeatedly(() =>
        eager.optimizer.minimize(eager.loss, { variables: eager.variables, steps: 1 }),
      ),
      'TF.js wasm': repeatedly(tensorFlowStep(tf, network)),
      ...(width <= WIDEST_ON_CPU && {
        'TF.js cpu': repeatedly(tensorFlowStep(tfCpu, network)),
      }),
      'jax-js': repeatedly(jaxStep(await loadJax(), network)),
      peak: repeatedly(() => peak(ROUNDS)),
      update: repeatedly(() => move_adam(count)),
    },
    { rounds: 15 },
  );
  g.dispose();
  tf.disposeVariables();
  tfCpu.disposeVariables();
  const arithmetic = (operations(network) * seconds.peak) / (ROUNDS * PEAK_OPERATIONS);
  const limit = arithmetic + seconds.update;
  const ratios = {
    'TF.js wasm': seconds['TF.js wasm'] / seconds.compiled,
    'TF.js cpu': seconds['TF.js cpu'] / seconds.compiled,
    'jax-js': seconds['jax-js'] / seconds.compiled,
  };
  const [atLeast, atLeastJax] = TARGETS[width];
  return {
    what: `784-${width}-${width}-10, ${parameters(network).toLocaleString('en-US')} parameters`,
    unit: 'ms',
    values: {
      gradlock: seconds.compiled * 1e3,
      'gradlock eager': seconds.eager * 1e3,
      'TF.js wasm': seconds['TF.js wasm'] * 1e3,
      ...(seconds['TF.js cpu'] && { 'TF.js cpu': seconds['TF.js cpu'] * 1e3 }),
      'jax-js': seconds['jax-js'] * 1e3,
      limit: limit * 1e3,
    },
    ratios,
    limit: limit / seconds.compiled,
    expected: `≥ ${atLeast}× TF.js, ≥ ${atLeastJax}× jax-js, ≤ ${NEAR}× the limit`,
    met:
      ratios['TF.js wasm'] >= atLeast &&
      ratios['jax-js'] >= atLeastJax &&
      seconds.compiled <= NEAR * limit,
  };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Training step, batch 32, cross-entropy, Adam',
  async run() {
    return [await measureWidth(128), await measureWidth(512)];
  },
};
