/* The smallest problem: a 2×2 variable, its mean squared distance from a target, Adam. What it measures is what a step
 * costs beyond its arithmetic. The peer gets no mask, which spares it an op. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadTensorFlow, loadTensorFlowCpu } from '../peers.mjs';

const TARGET = new Float32Array([1, -2, 3, 0.5]);

/** @param {import('../peers.mjs').TensorFlow} tf */
function peerStep(tf) {
  const target = tf.tensor2d(TARGET, [2, 2]);
  const x = tf.variable(tf.zeros([2, 2]));
  const optimizer = tf.train.adam(0.001);
  const loss = () =>
    /** @type {import('@tensorflow/tfjs-core').Scalar} */ (tf.mean(tf.square(tf.sub(x, target))));
  return () => optimizer.minimize(loss);
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: '2×2 variable with its diagonal locked, compiled loss, Adam',
  async run() {
    const g = await init();
    const target = g.tensor(TARGET, [2, 2]);
    const x = g.variable(new Float32Array(4), { shape: [2, 2] });
    x.lock([0, 3]);
    const loss = g.compile(() => g.mean(g.square(g.sub(x, target))));
    const optimizer = g.optimizers.adam({ learningRate: 0.001 });

    const tf = await loadTensorFlow();
    const tfCpu = await loadTensorFlowCpu();

    const seconds = measure({
      many: (steps) => optimizer.minimize(loss, { variables: [x], steps }),
      single: repeatedly(() => optimizer.minimize(loss, { variables: [x], steps: 1 })),
      'TF.js wasm': repeatedly(peerStep(tf)),
      'TF.js cpu': repeatedly(peerStep(tfCpu)),
    });
    g.dispose();
    tf.disposeVariables();
    tfCpu.disposeVariables();
    const rates = Object.fromEntries(Object.entries(seconds).map(([who, took]) => [who, 1 / took]));
    const { many, single, ...peers } = rates;
    const beside = (/** @type {number} */ own) => ({
      unit: 'steps/s',
      values: { gradlock: own, ...peers },
      ratios: Object.fromEntries(Object.entries(peers).map(([who, rate]) => [who, own / rate])),
    });
    return [
      {
        what: 'many steps per call',
        ...beside(many),
        expected: '≥ 1,000,000 steps/s',
        met: many >= 1e6,
      },
      {
        what: 'one step per call',
        ...beside(single),
        expected: '≥ 50× TF.js wasm',
        met: single >= 50 * peers['TF.js wasm'],
      },
    ];
  },
};
