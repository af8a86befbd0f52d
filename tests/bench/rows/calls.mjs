/* What a call costs beyond its arithmetic: on 2×2 matrices there is next to none. The peers do the
 * same on the same values; results are disposed of as their users must. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadTensorFlow, loadTensorFlowCpu } from '../peers.mjs';

/** @typedef {import('@tensorflow/tfjs-core').Scalar} Scalar */

const SHAPE = /** @type {[number, number]} */ ([2, 2]);
const VALUES = new Float32Array([1, -2, 3, 0.5]);
/** Microseconds of a call, and of a step a call; steps a second, many a call. */
const GOALS = { call: 1.2, step: 3, rate: 1e6 };

/** @param {import('../peers.mjs').TensorFlow} tf */
const openPeer = (tf) => {
  const a = tf.tensor2d(VALUES, SHAPE);
  const x = tf.variable(tf.zeros(SHAPE));
  const optimizer = tf.train.adam(0.001);
  const loss = () => /** @type {Scalar} */ (tf.mean(tf.square(tf.sub(x, a))));
  return {
    add: repeatedly(() => tf.add(a, a).dispose()),
    step: repeatedly(() => optimizer.minimize(loss)),
  };
};

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Calls on 2×2 matrices; steps of Adam with the diagonal locked, compiled',
  async run() {
    const g = await init();
    const [tf, cpu] = [await loadTensorFlow(), await loadTensorFlowCpu()];
    const [wasm, other] = [openPeer(tf), openPeer(cpu)];
    const a = g.tensor(VALUES, SHAPE);
    const x = g.variable(g.zeros(SHAPE)).lock([0, 3]);
    const loss = g.compile(() => g.mean(g.square(g.sub(x, a))));
    const adam = g.optimizers.adam({ learningRate: 0.001 });
    const calls = measure({
      add: repeatedly(() => g.add(a, a).dispose()),
      matMul: repeatedly(() => g.matMul(a, a).dispose()),
      sum: repeatedly(() => g.sum(a).dispose()),
      'add, TF.js wasm': wasm.add,
      'add, TF.js cpu': other.add,
    });
    const { many, single, ...peers } = measure({
      many: (steps) => adam.minimize(loss, { variables: [x], steps }),
      single: repeatedly(() => adam.minimize(loss, { variables: [x], steps: 1 })),
      'TF.js wasm': wasm.step,
      'TF.js cpu': other.step,
    });
    g.dispose();
    tf.disposeVariables();
    cpu.disposeVariables();
    const micro = (/** @type {Record<string, number>} */ seconds) =>
      Object.fromEntries(Object.entries(seconds).map(([name, took]) => [name, 1e6 * took]));
    const slowest = 1e6 * Math.max(calls.add, calls.matMul, calls.sum);
    return [
      {
        what: 'one call',
        unit: 'µs',
        values: micro(calls),
        expected: `≤ ${GOALS.call} µs`,
        met: slowest <= GOALS.call,
      },
      {
        what: 'a step, of many a call, and one a call',
        unit: 'µs',
        values: micro({ many, single, ...peers }),
        ratios: Object.fromEntries(Object.entries(peers).map(([who, took]) => [who, took / many])),
        expected: `many ≤ ${1e6 / GOALS.rate} µs, single ≤ ${GOALS.step} µs`,
        met: many <= 1 / GOALS.rate && 1e6 * single <= GOALS.step,
      },
    ];
  },
};
