/* The smallest problem: a 2×2 variable, its mean squared distance from a target, Adam. What it measures is what a step
 * costs beyond its arithmetic. The peer gets no mask, which spares it an op. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadTensorFlow } from '../peers.mjs';

const TARGET = new Float32Array([1, -2, 3, 0.5]);

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
    const peerTarget = tf.tensor2d(TARGET, [2, 2]);
    const y = tf.variable(tf.zeros([2, 2]));
    const peerOptimizer = tf.train.adam(0.001);
    const peerLoss = () =>
      /** @type {import('@tensorflow/tfjs-core').Scalar} */ (
        tf.mean(tf.square(tf.sub(y, peerTarget)))
      );

    const seconds = measure({
      many: (steps) => optimizer.minimize(loss, { variables: [x], steps }),
      single: repeatedly(() => optimizer.minimize(loss, { variables: [x], steps: 1 })),
      peer: repeatedly(() => peerOptimizer.minimize(peerLoss)),
    });
    g.dispose();
    tf.disposeVariables();
    const [many, single, peer] = [1 / seconds.many, 1 / seconds.single, 1 / seconds.peer];
    return [
      {
        what: 'many steps per call',
        unit: 'steps/s',
        values: { gradlock: many, 'TF.js wasm': peer },
        ratios: { 'TF.js wasm': many / peer },
        expected: '≥ 1,000,000 steps/s',
        met: many >= 1e6,
      },
      {
        what: 'one step per call',
        unit: 'steps/s',
        values: { gradlock: single, 'TF.js wasm': peer },
        ratios: { 'TF.js wasm': single / peer },
        expected: '≥ 50× TF.js wasm',
        met: single >= 50 * peer,
      },
    ];
  },
};
