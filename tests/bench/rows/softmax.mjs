/* The softmax of 256 rows of 256: powers, sums and a scaling, which chains of operations limit. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadJax, loadTensorFlow } from '../peers.mjs';
import { randomValues, settle } from '../values.mjs';

const SHAPE = /** @type {[number, number]} */ ([256, 256]);
const COUNT = SHAPE[0] * SHAPE[1];

/** @type {import('../harness.mjs').Row} */
export default {
  about: `Softmax of ${COUNT.toLocaleString('en-US')} elements`,
  async run() {
    const [g, tf, { jit, nn, numpy }] = [await init(), await loadTensorFlow(), await loadJax()];
    const values = randomValues(COUNT);
    const [x, y] = [g.tensor(values, SHAPE), tf.tensor2d(values, SHAPE)];
    const z = numpy.array(values).reshape(SHAPE);
    const compiled = jit((/** @type {typeof z} */ operand) => nn.softmax(operand));
    const seconds = measure({
      gradlock: repeatedly(() => g.softmax(x).dispose()),
      'TF.js wasm': repeatedly(() => tf.softmax(y).dispose()),
      'jax-js': repeatedly(() => settle(compiled(z.ref))),
    });
    for (const one of [g, y, z]) one.dispose();
    const { gradlock, ...peers } = seconds;
    const scaled = Object.entries(seconds).map(([who, took]) => [who, (took * 1e9) / COUNT]);
    return [
      {
        what: 'softmax of rows',
        unit: 'ns/element',
        values: Object.fromEntries(scaled),
        ratios: Object.fromEntries(Object.entries(peers).map(([who, t]) => [who, t / gradlock])),
        expected: '≥ 1× TF.js',
        met: peers['TF.js wasm'] >= gradlock,
      },
    ];
  },
};
