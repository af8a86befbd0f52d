// Large ops on all threads: contestants are read as each does best, jax-js by a promise, for which it has its workers.
import { init } from 'gradlock';
import { measureAsync } from '../harness.mjs';
import { randomValues } from '../values.mjs';
import { loadJax, loadTensorFlow } from './peers.js';

/** @param {() => unknown} call */
const repeatedly = (call) => async (/** @type {number} */ repeats) => {
  for (let i = 0; i < repeats; i++) await call();
};

/** @typedef {[what: string, shape: [number, number], operation: 'matMul' | 'softmax']} Line */

/** @type {Line[]} */
const LINES = [
  ...[256, 512, 1024].map((n) => /** @type {Line} */ ([`matMul ${n}³`, [n, n], 'matMul'])),
  ['softmax of 1024 × 1024', [1024, 1024], 'softmax'],
];

/** @param {Line} line @returns {Promise<import('../harness.mjs').Result>} */
async function measureLine([what, shape, operation]) {
  const values = randomValues(shape[0] * shape[1]);
  const isProduct = operation === 'matMul';
  /** @type {Record<string, (repeats: number) => Promise<void>>} */
  const contestants = {};
  const own = await Promise.all([1, 2].map((threads) => init({ threads })));
  for (const g of own) {
    const a = g.tensor(values, shape);
    contestants[`gradlock on ${g.threads}`] = repeatedly(() =>
      (isProduct ? g.matMul(a, a) : g.softmax(a)).dispose(),
    );
  }
  const tf = await loadTensorFlow();
  const b = tf.tensor(values, shape);
  contestants['TF.js wasm'] = repeatedly(() =>
    (isProduct ? tf.matMul(b, b) : tf.softmax(b)).dispose(),
  );
  const { jit, nn, numpy } = await loadJax();
  const c = numpy.array(values).reshape(shape);
  const op = jit((/** @type {typeof c} */ x) =>
    isProduct ? numpy.matmul(x.ref, x) : nn.softmax(x),
  );
  contestants['jax-js'] = repeatedly(() => op(c.ref).slice(0, 0).data());
  const seconds = await measureAsync(contestants);
  for (const one of [...own, b, c]) one.dispose();
  const [first] = Object.values(seconds);
  return {
    what,
    unit: 'ms',
    values: Object.fromEntries(Object.entries(seconds).map(([name, time]) => [name, 1e3 * time])),
    ratios: Object.fromEntries(
      Object.entries(seconds)
        .slice(1)
        .map(([name, time]) => [name, time / first]),
    ),
  };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Large ops, times and their ratios to one thread of gradlock',
  async run() {
    const results = [];
    for (const line of LINES) results.push(await measureLine(line));
    return results;
  },
};
