/* Products of matrices: squares, and the shapes that training two networks with a batch of 32 needs, forward, for the
 * weights' gradient (A transposed) and for the inputs' (B transposed). Operands are there already, results are
 * disposed of: what a user's call costs. TF.js keeps what it makes of a B for the next product with it (its
 * xnn_matmul caches an operator by the id of B, which holds a packed copy). Weights in training are new at each step, so
 * some products are measured with a B that was just computed as well. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadLimits, measureNative, PEAK_OPERATIONS } from '../limits.mjs';
import { loadJax, loadTensorFlow, loadTensorFlowCpu, settle } from '../peers.mjs';
import { randomValues } from '../values.mjs';

/** @type {[number, number, number, boolean?, boolean?][]} m, n, k, whether A and B come transposed */
const SHAPES = [
  [16, 16, 16],
  [32, 32, 32],
  [64, 64, 64],
  [128, 128, 128],
  [256, 256, 256],
  [512, 512, 512],
  [1024, 1024, 1024],
  [32, 128, 784],
  [784, 128, 32, true],
  [32, 10, 128],
  [128, 10, 32, true],
  [128, 16, 32, true],
  [32, 128, 10, false, true],
  [32, 512, 784],
  [32, 512, 512],
  [784, 512, 32, true],
  [512, 512, 32, true],
  [32, 512, 512, false, true],
  [512, 512, 512, true, true],
  [1, 512, 512],
];
/** More products would take TensorFlow.js's cpu backend a tenth of a second. */
const MOST_ON_CPU = 2 ** 24;
/** With a B that was just computed. @type {[number, number, number][]} */
const NEW_SHAPES = [
  [512, 512, 512],
  [1024, 1024, 1024],
  [32, 128, 784],
  [32, 512, 784],
  [32, 512, 512],
  [1, 512, 512],
];
/** Fractions of the peak that PERFORMANCE asks for, by size of a square. @type {Record<number, number>} */
const TARGETS = { 64: 0.6, 512: 0.9 };

/**
 * @param {number} m
 * @param {number} n
 * @param {number} k
 * @param {boolean} transposeA
 * @param {boolean} transposeB
 * @returns {Promise<import('../harness.mjs').Result>}
 */
async function measureShape(m, n, k, transposeA, transposeB) {
  const shapes = [transposeA ? [k, m] : [m, k], transposeB ? [n, k] : [k, n]];
  const operands = shapes.map(([rows, columns]) => randomValues(rows * columns));
  const g = await init();
  const tf = await loadTensorFlow();
  const tfCpu = await loadTensorFlowCpu();
  const { numpy, jit } = await loadJax();
  const { peak } = loadLimits();
  const [a, b] = operands.map((values, i) => g.tensor(values, shapes[i]));
  const [c, d] = operands.map((values, i) => tf.tensor(values, shapes[i]));
  const slow = operands.map((values, i) => tfCpu.tensor(values, shapes[i]));
  const [e, f] = operands.map((values, i) => numpy.array(values).reshape(shapes[i]));
  const product = jit((/** @type {typeof e} */ x, /** @type {typeof e} */ y) =>
    numpy.matmul(transposeA ? x.transpose() : x, transposeB ? y.transpose() : y),
  );
  const rounds = 2000;
  const seconds = measure({
    gradlock: repeatedly(() => g.matMul(a, b, { transposeA, transposeB }).dispose()),
    'TF.js wasm': repeatedly(() => tf.matMul(c, d, transposeA, transposeB).dispose()),
    ...(m * n * k <= MOST_ON_CPU && {
      'TF.js cpu': repeatedly(() =>
        tfCpu.matMul(slow[0], slow[1], transposeA, transposeB).dispose(),
      ),
    }),
    'jax-js': repeatedly(() => settle(product(e.ref, f.ref))),
    peak: repeatedly(() => peak(rounds)),
  });
  const sizes = [m, n, k, Number(transposeA), Number(transposeB)];
  const limits = {
    native: measureNative('gemm', ...sizes),
    OpenBLAS: measureNative('openblas', ...sizes),
  };
  g.dispose();
  tf.dispose([c, d]);
  tfCpu.dispose(slow);
  e.dispose();
  f.dispose();
  const operations = 2 * m * n * k;
  const highest = (rounds * PEAK_OPERATIONS) / seconds.peak / 1e9;
  /** @type {Record<string, number>} */
  const values = {};
  for (const [name, took] of Object.entries({ ...seconds, ...limits })) {
    if (took) values[name] = operations / took / 1e9;
  }
  values.peak = highest;
  const target = m === n && m === k && !transposeA ? TARGETS[m] : undefined;
  return {
    what: `${m} × ${n} × ${k}${transposeA ? ', A transposed' : ''}${transposeB ? ', B transposed' : ''}`,
    unit: 'GFLOP/s',
    values,
    ratios: {
      'TF.js wasm': seconds['TF.js wasm'] / seconds.gradlock,
      'TF.js cpu': seconds['TF.js cpu'] / seconds.gradlock,
      'jax-js': seconds['jax-js'] / seconds.gradlock,
    },
    limit: values.gradlock / highest,
    ...(target && {
      expected: `≥ ${target * 100} % of the peak`,
      met: values.gradlock >= target * highest,
    }),
  };
}

/**
 * A (m, k) times -B, for a B (k, n) that is negated first.
 * @param {number} m
 * @param {number} n
 * @param {number} k
 * @returns {Promise<import('../harness.mjs').Result>}
 */
async function measureNew(m, n, k) {
  const [left, right] = [randomValues(m * k), randomValues(k * n)];
  const g = await init();
  const tf = await loadTensorFlow();
  const [a, b] = [g.tensor(left, [m, k]), g.tensor(right, [k, n])];
  const [c, d] = [tf.tensor2d(left, [m, k]), tf.tensor2d(right, [k, n])];
  const seconds = measure({
    gradlock: repeatedly(() => g.tidy(() => void g.matMul(a, g.neg(b)))),
    'TF.js wasm': repeatedly(() => tf.tidy(() => void tf.matMul(c, tf.neg(d)))),
  });
  g.dispose();
  tf.dispose([c, d]);
  const rates = Object.entries(seconds).map(([name, took]) => [name, (2e-9 * m * n * k) / took]);
  return {
    what: `${m} × ${n} × ${k}, B just computed (negated)`,
    unit: 'GFLOP/s',
    values: Object.fromEntries(rates),
    ratios: { 'TF.js wasm': seconds['TF.js wasm'] / seconds.gradlock },
  };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Products of matrices, m × n × k; the peak is of simd128 in this engine',
  async run() {
    const results = [];
    for (const [m, n, k, transposeA = false, transposeB = false] of SHAPES) {
      results.push(await measureShape(m, n, k, transposeA, transposeB));
    }
    for (const [m, n, k] of NEW_SHAPES) results.push(await measureNew(m, n, k));
    return results;
  },
};
