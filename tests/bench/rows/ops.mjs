/* Single ops, eager: what a user's call costs, from a thousand elements, where calls count, to four million, where
 * memory does. Operands are there already, results are disposed of; of jax-js an element is read, which is how one waits
 * for them. The limit is what it takes to read one operand and write the result. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadLimits } from '../limits.mjs';
import { loadJax, loadTensorFlow, loadTensorFlowCpu, settle } from '../peers.mjs';
import { randomValues } from '../values.mjs';

/** @type {[number, number][]} */
const SHAPES = [
  [32, 32],
  [256, 256],
  [2048, 2048],
];

/** More would take TensorFlow.js's cpu backend a second. */
const MOST_ON_CPU = 2 ** 16;

/**
 * One op of the contestants.
 * @typedef {object} Op
 * @property {(g: import('gradlock').Gradlock, x: import('gradlock').Tensor) => { dispose(): void }} own
 * @property {(tf: import('../peers.mjs').TensorFlow, x: import('@tensorflow/tfjs-core').Tensor2D) => { dispose(): void }} peer
 * @property {(jax: import('../peers.mjs').Jax, x: import('@jax-js/jax').Array) => import('@jax-js/jax').Array} traced
 */

/** @type {Record<string, Op>} */
const OPS = {
  add: {
    own: (g, x) => g.add(x, x),
    peer: (tf, x) => tf.add(x, x),
    traced: (_, x) => x.ref.add(x),
  },
  exp: {
    own: (g, x) => g.exp(x),
    peer: (tf, x) => tf.exp(x),
    traced: ({ numpy }, x) => numpy.exp(x),
  },
  tanh: {
    own: (g, x) => g.tanh(x),
    peer: (tf, x) => tf.tanh(x),
    traced: ({ numpy }, x) => numpy.tanh(x),
  },
  softmax: {
    own: (g, x) => g.softmax(x),
    peer: (tf, x) => tf.softmax(x),
    traced: ({ nn }, x) => nn.softmax(x),
  },
  transpose: {
    own: (g, x) => g.transpose(x),
    peer: (tf, x) => tf.transpose(x),
    traced: (_, x) => x.transpose(),
  },
  sum: {
    own: (g, x) => g.sum(x),
    peer: (tf, x) => tf.sum(x),
    traced: ({ numpy }, x) => numpy.sum(x),
  },
  'sum of columns': {
    own: (g, x) => g.sum(x, 0),
    peer: (tf, x) => tf.sum(x, 0),
    traced: ({ numpy }, x) => numpy.sum(x, 0),
  },
  'max of rows': {
    own: (g, x) => g.max(x, 1),
    peer: (tf, x) => tf.max(x, 1),
    traced: ({ numpy }, x) => numpy.max(x, 1),
  },
  'argMax of columns': {
    own: (g, x) => g.argMax(x, 0),
    peer: (tf, x) => tf.argMax(x, 0),
    traced: ({ numpy }, x) => numpy.argmax(x, 0),
  },
};

/**
 * @param {string} name
 * @param {[number, number]} shape
 * @returns {Promise<import('../harness.mjs').Result>}
 */
async function measureOp(name, shape) {
  const count = shape[0] * shape[1];
  const { own, peer, traced } = OPS[name];
  const g = await init();
  const tf = await loadTensorFlow();
  const tfCpu = await loadTensorFlowCpu();
  const jax = await loadJax();
  const values = randomValues(count);
  const x = g.tensor(values, shape);
  const y = tf.tensor2d(values, shape);
  const slow = tfCpu.tensor2d(values, shape);
  const z = jax.numpy.array(values).reshape(shape);
  const compiled = jax.jit((/** @type {typeof z} */ operand) => traced(jax, operand));
  const { write_negatives } = loadLimits(2 * count);
  const seconds = measure(
    {
      gradlock: repeatedly(() => own(g, x).dispose()),
      'TF.js wasm': repeatedly(() => peer(tf, y).dispose()),
      ...(count <= MOST_ON_CPU && {
        'TF.js cpu': repeatedly(() => peer(tfCpu, slow).dispose()),
      }),
      'jax-js': repeatedly(() => settle(compiled(z.ref))),
      limit: repeatedly(() => write_negatives(count)),
    },
    { rounds: count > 2 ** 20 ? 7 : 15 },
  );
  g.dispose();
  y.dispose();
  slow.dispose();
  z.dispose();
  const { gradlock, limit, ...peers } = seconds;
  return {
    what: `${name}, ${count.toLocaleString('en-US')} elements`,
    unit: 'ns/element',
    values: Object.fromEntries(
      Object.entries(seconds).map(([who, took]) => [who, (took * 1e9) / count]),
    ),
    ratios: Object.fromEntries(Object.entries(peers).map(([who, took]) => [who, took / gradlock])),
    limit: limit / gradlock,
  };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Single ops, eager',
  async run() {
    const results = [];
    for (const name of Object.keys(OPS)) {
      for (const shape of SHAPES) results.push(await measureOp(name, shape));
    }
    return results;
  },
};
