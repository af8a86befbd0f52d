/* An Adam step through gradlock/tfjs beside TensorFlow.js's own, with a gradient that is already there: what the way to
 * gradlock and back costs. Here the half that is locked is locked, in TensorFlow.js the gradient is multiplied by a mask. */
import { init } from 'gradlock';
import { tfjs } from 'gradlock/tfjs';
import { measure, repeatedly } from '../harness.mjs';
import { loadTensorFlow, loadTensorFlowCpu } from '../peers.mjs';
import { randomValues } from '../values.mjs';

const SIZES = [1024, 16384, 262144];
const RATE = 0.001;

/** @param {any} tf @param {number} count @param {boolean} isLocked */
async function measureStep(tf, count, isLocked) {
  const g = await init();
  const { optimizers, locksOf, dispose } = tfjs(g, tf);
  const gradient = tf.tensor1d(randomValues(count));
  const mask = Uint8Array.from({ length: count }, (_, i) => Number(isLocked && i % 2 === 0));
  const free = tf.tensor1d(Float32Array.from(mask, (is) => 1 - is));
  const [x, y] = [tf.variable(tf.zeros([count])), tf.variable(tf.zeros([count]))];
  locksOf(x).lock(mask);
  const own = optimizers.adam({ learningRate: RATE });
  const theirs = tf.train.adam(RATE);
  const seconds = measure(
    {
      gradlock: repeatedly(() => own.applyGradients([{ name: x.name, tensor: gradient }])),
      'TF.js': repeatedly(() =>
        tf.tidy(() => {
          const tensor = isLocked ? tf.mul(gradient, free) : gradient;
          theirs.applyGradients([{ name: y.name, tensor }]);
        }),
      ),
    },
    { rounds: 9 },
  );
  theirs.dispose();
  for (const one of [gradient, free, x, y]) one.dispose();
  dispose();
  g.dispose();
  return seconds;
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: "Adam step of TensorFlow.js's variables, through gradlock/tfjs beside its own optimizer",
  async run() {
    const results = [];
    for (const [backend, load] of /** @type {[string, () => Promise<any>][]} */ ([
      ['cpu', loadTensorFlowCpu],
      ['wasm', loadTensorFlow],
    ])) {
      const tf = await load();
      for (const count of SIZES) {
        for (const isLocked of [false, true]) {
          const seconds = await measureStep(tf, count, isLocked);
          const nanoseconds = (/** @type {string} */ name) => (seconds[name] * 1e9) / count;
          results.push({
            what: `${backend}, ${count.toLocaleString('en-US')} elements, ${isLocked ? 'every other one locked' : 'nothing locked'}`,
            unit: 'ns/element',
            values: { gradlock: nanoseconds('gradlock'), 'TF.js': nanoseconds('TF.js') },
            ratios: { 'TF.js': nanoseconds('TF.js') / nanoseconds('gradlock') },
          });
        }
      }
    }
    return results;
  },
};
