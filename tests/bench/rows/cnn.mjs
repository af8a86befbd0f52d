/* A whole training step of a convolutional network, compiled. TensorFlow.js cannot train one on its WebAssembly backend, which
 * has no gradient by filters. */
import { jaxCnnStep, makeCnn, OPERATIONS, ownCnn, PARAMETERS, tensorFlowCnnStep } from '../cnn.mjs';
import { loadJax, loadTensorFlowCpu } from '../peers.mjs';
import { measureSteps } from '../steps.mjs';

/** How many times as fast as TensorFlow.js and jax-js. */
const TARGETS = [100, 2];

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Training step of a convolutional network, batch 32, cross-entropy, Adam',
  async run() {
    const network = makeCnn();
    const tf = await loadTensorFlowCpu();
    const result = await measureSteps({
      what: '8c3-p2-16c3-p2-64-10',
      parameters: PARAMETERS,
      operations: OPERATIONS,
      own: (g) => ownCnn(g, network),
      peers: {
        'TF.js cpu': tensorFlowCnnStep(tf, network),
        'jax-js': jaxCnnStep(await loadJax(), network),
      },
      rounds: 9,
    });
    tf.disposeVariables();
    return [
      {
        ...result,
        expected: `≥ ${TARGETS[0]}× TF.js, ≥ ${TARGETS[1]}× jax-js`,
        met: result.ratios['TF.js cpu'] >= TARGETS[0] && result.ratios['jax-js'] >= TARGETS[1],
      },
    ];
  },
};
