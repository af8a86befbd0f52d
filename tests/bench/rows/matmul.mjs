/* Products of matrices: squares, and shapes that training with a batch of 32 needs. Operands are
 * there already, results are disposed of: what a user's call costs. The limit is the peak of simd128
 * in this engine. TF.js keeps what it makes of a B for the next product with it (its xnn_matmul
 * caches an operator by the id of B, which holds a packed copy); weights in training are new at each
 * step, so some products are measured with a B that was just computed as well. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadLimits, PEAK_OPERATIONS } from '../limits.mjs';
import { loadJax, loadTensorFlow } from '../peers.mjs';
import { randomValues, settle } from '../values.mjs';

/**
 * @typedef {object} Product (m, k) times (k, n)
 * @property {[m: number, n: number, k: number]} sizes
 * @property {boolean} [transposeA] as for the gradient of weights
 * @property {boolean} [isWeight] whether B is measured new, too
 * @property {number} [share] of the peak, the goal
 * @property {number} [ratio] to TensorFlow.js with an unchanged B, the goal
 */

/** @type {Product[]} */
const PRODUCTS = [
  { sizes: [64, 64, 64], share: 0.65 },
  { sizes: [128, 128, 128], share: 0.75 },
  { sizes: [512, 512, 512], share: 0.9 },
  { sizes: [32, 512, 512], isWeight: true, ratio: 1 },
  { sizes: [32, 512, 784], isWeight: true, ratio: 1 },
  { sizes: [128, 10, 32], transposeA: true, share: 0.25 },
];
const PEAK_ROUNDS = 2000;

/** @param {Product} product @returns {Promise<import('../harness.mjs').Result>} */
async function measureProduct({ sizes, transposeA = false, isWeight, share, ratio }) {
  const [m, n, k] = sizes;
  const shapes = [transposeA ? [k, m] : [m, k], [k, n]];
  const operands = shapes.map(([rows, columns]) => randomValues(rows * columns));
  const [g, tf, { numpy, jit }] = [await init(), await loadTensorFlow(), await loadJax()];
  const { peak } = loadLimits();
  const [a, b] = operands.map((values, i) => g.tensor(values, shapes[i]));
  const [c, d] = operands.map((values, i) => tf.tensor(values, shapes[i]));
  const [e, f] = operands.map((values, i) => numpy.array(values).reshape(shapes[i]));
  const product = jit((/** @type {typeof e} */ x, /** @type {typeof e} */ y) =>
    numpy.matmul(transposeA ? x.transpose() : x, y),
  );
  const seconds = measure({
    gradlock: repeatedly(() => g.matMul(a, b, { transposeA }).dispose()),
    'TF.js wasm': repeatedly(() => tf.matMul(c, d, transposeA).dispose()),
    'jax-js': repeatedly(() => settle(product(e.ref, f.ref))),
    ...(isWeight && {
      'new B': repeatedly(() => g.tidy(() => void g.matMul(a, g.neg(b)))),
      'new B, TF.js wasm': repeatedly(() => tf.tidy(() => void tf.matMul(c, tf.neg(d)))),
    }),
    peak: repeatedly(() => peak(PEAK_ROUNDS)),
  });
  for (const one of [g, c, d, e, f]) one.dispose();
  const { peak: atPeak, ...times } = seconds;
  const highest = (PEAK_ROUNDS * PEAK_OPERATIONS) / atPeak / 1e9;
  const rates = Object.entries(times).map(([who, took]) => [who, (2e-9 * m * n * k) / took]);
  const values = { ...Object.fromEntries(rates), peak: highest };
  const peers = ['TF.js wasm', 'jax-js'].map((who) => [who, seconds[who] / seconds.gradlock]);
  const ratios = Object.fromEntries(peers);
  const limit = values.gradlock / highest;
  const goal = share
    ? { expected: `≥ ${100 * share} % of the peak`, met: limit >= share }
    : { expected: `≥ ${ratio}× TF.js`, met: ratios['TF.js wasm'] >= Number(ratio) };
  const what = `${sizes.join(' × ')}${transposeA ? ', A transposed' : ''}`;
  return { what, unit: 'GFLOP/s', values, ratios, limit, ...goal };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Products of matrices, m × n × k',
  async run() {
    const results = [];
    for (const product of PRODUCTS) results.push(await measureProduct(product));
    return results;
  },
};
