/* A whole training step of a convolutional network, compiled. TensorFlow.js cannot train one on its WebAssembly backend, which
 * has no gradient by filters. The limit is the arithmetic of its products at the engine's peak and the update's traffic. */
import { init } from 'gradlock';
import { jaxCnnStep, makeCnn, OPERATIONS, ownCnn, PARAMETERS, tensorFlowCnnStep } from '../cnn.mjs';
import { measure, repeatedly } from '../harness.mjs';
import { loadLimits, PEAK_OPERATIONS } from '../limits.mjs';
import { loadJax, loadTensorFlowCpu } from '../peers.mjs';

const ROUNDS = 5000;
/** How many times as fast as TensorFlow.js and jax-js. */
const TARGETS = [100, 2];

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Training step of a convolutional network, batch 32, cross-entropy, Adam',
  async run() {
    const network = makeCnn();
    const g = await init();
    const tf = await loadTensorFlowCpu();
    const compiled = ownCnn(g, network);
    const eager = ownCnn(g, network);
    const program = g.compile(compiled.loss);
    const count = Math.ceil(PARAMETERS / 4) * 4;
    const { peak, move_adam } = loadLimits(4 * count);
    const seconds = measure(
      {
        compiled: (steps) =>
          compiled.optimizer.minimize(program, { variables: compiled.variables, steps }),
        eager: repeatedly(() =>
          eager.optimizer.minimize(eager.loss, { variables: eager.variables, steps: 1 }),
        ),
        'TF.js cpu': repeatedly(tensorFlowCnnStep(tf, network)),
        'jax-js': repeatedly(jaxCnnStep(await loadJax(), network)),
        peak: repeatedly(() => peak(ROUNDS)),
        update: repeatedly(() => move_adam(count)),
      },
      { rounds: 9 },
    );
    g.dispose();
    tf.disposeVariables();
    const limit = (OPERATIONS * seconds.peak) / (ROUNDS * PEAK_OPERATIONS) + seconds.update;
    const ratios = {
      'TF.js cpu': seconds['TF.js cpu'] / seconds.compiled,
      'jax-js': seconds['jax-js'] / seconds.compiled,
    };
    return [
      {
        what: `8c3-p2-16c3-p2-64-10, ${PARAMETERS.toLocaleString('en-US')} parameters`,
        unit: 'ms',
        values: {
          gradlock: seconds.compiled * 1e3,
          'gradlock eager': seconds.eager * 1e3,
          'TF.js cpu': seconds['TF.js cpu'] * 1e3,
          'jax-js': seconds['jax-js'] * 1e3,
          limit: limit * 1e3,
        },
        ratios,
        limit: limit / seconds.compiled,
        expected: `≥ ${TARGETS[0]}× TF.js, ≥ ${TARGETS[1]}× jax-js`,
        met: ratios['TF.js cpu'] >= TARGETS[0] && ratios['jax-js'] >= TARGETS[1],
      },
    ];
  },
};
