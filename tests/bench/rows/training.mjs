/* A whole training step of two networks: forward, gradients and Adam. */
import {
  jaxStep,
  makeNetwork,
  operations,
  ownNetwork,
  parameters,
  tensorFlowStep,
} from '../networks.mjs';
import { loadJax, loadTensorFlow, loadTensorFlowCpu } from '../peers.mjs';
import { measureSteps } from '../steps.mjs';

/** A step of the wider one takes TensorFlow.js's cpu backend half a second. */
const WIDEST_ON_CPU = 128;
/** How many times as fast as each peer, by width. @type {Record<number, [number, number]>} */
const TARGETS = { 128: [5, 1.6], 512: [8, 1.6] };
/** How many times the limit a step may take. */
const NEAR = 1.5;

/** @param {number} width @returns {Promise<import('../harness.mjs').Result>} */
async function measureWidth(width) {
  const network = makeNetwork(width);
  const tf = await loadTensorFlow();
  const tfCpu = await loadTensorFlowCpu();
  const result = await measureSteps({
    what: `784-${width}-${width}-10`,
    parameters: parameters(network),
    operations: operations(network),
    own: (g) => ownNetwork(g, network),
    peers: {
      'TF.js wasm': tensorFlowStep(tf, network),
      ...(width <= WIDEST_ON_CPU && { 'TF.js cpu': tensorFlowStep(tfCpu, network) }),
      'jax-js': jaxStep(await loadJax(), network),
    },
    rounds: 15,
  });
  tf.disposeVariables();
  tfCpu.disposeVariables();
  const [atLeast, atLeastJax] = TARGETS[width];
  return {
    ...result,
    expected: `≥ ${atLeast}× TF.js, ≥ ${atLeastJax}× jax-js, ≤ ${NEAR}× the limit`,
    met:
      result.ratios['TF.js wasm'] >= atLeast &&
      result.ratios['jax-js'] >= atLeastJax &&
      result.limit * NEAR >= 1,
  };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Training step, batch 32, cross-entropy, Adam',
  async run() {
    return [await measureWidth(128), await measureWidth(512)];
  },
};
