/* One Adam step with a gradient that is already there: nothing locked, every other element at random, and 90 % in
 * blocks. The peer multiplies its gradient by a 0/1 mask, as its users do; a mask holds less than a lock. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadTensorFlow } from '../peers.mjs';
import { randomValues } from '../values.mjs';

const SIZES = [16384, 2 ** 22];
const PEER = 'TF.js wasm';
// Of ten blocks of 128 elements, such as rows of a table, one is free.
const BLOCK = 128;

/** @type {Record<string, (gradient: Float32Array) => Uint8Array>} the masks, 1 = locked */
const PATTERNS = {
  dense: (gradient) => new Uint8Array(gradient.length),
  'random 50 % locked': (gradient) =>
    Uint8Array.from(gradient, (value) => ((value * 2 ** 4) & 1 ? 1 : 0)),
  '90 % locked in blocks': (gradient) =>
    Uint8Array.from(gradient, (_, i) => (Math.floor(i / BLOCK) % 10 === 0 ? 0 : 1)),
};

/** @param {number} count */
async function measureSize(count) {
  const g = await init();
  const tf = await loadTensorFlow();
  const values = randomValues(count);
  const shared = g.tensor(values, [count]);
  const peerShared = tf.tensor1d(values);
  const disposable = [peerShared];
  /** @type {Record<string, (repeats: number) => void>} */
  const contestants = {};
  for (const [pattern, maskOf] of Object.entries(PATTERNS)) {
    const mask = maskOf(values);
    const x = g.variable(new Float32Array(count), { shape: [count] });
    x.lock(mask);
    const optimizer = g.optimizers.adam({ learningRate: 0.001 });
    contestants[`gradlock ${pattern}`] = repeatedly(() => optimizer.applyGradients([[shared, x]]));

    const y = tf.variable(tf.zeros([count]));
    const train = tf.tensor1d(Float32Array.from(mask, (locked) => 1 - locked));
    disposable.push(train);
    const peerOptimizer = tf.train.adam(0.001);
    contestants[`${PEER} ${pattern}`] = repeatedly(() =>
      tf.tidy(() => {
        const gradient = pattern === 'dense' ? peerShared : tf.mul(peerShared, train);
        peerOptimizer.applyGradients([{ name: y.name, tensor: gradient }]);
      }),
    );
  }
  const seconds = measure(contestants);
  g.dispose();
  tf.dispose(disposable);
  tf.disposeVariables();
  return (/** @type {string} */ name) => (seconds[name] * 1e9) / count;
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Adam step, learning rate 0.001',
  async run() {
    /** @type {import('../harness.mjs').Result[]} */
    const results = [];
    for (const count of SIZES) {
      const time = await measureSize(count);
      const elements = `${count.toLocaleString('en-US')} elements`;
      for (const pattern of Object.keys(PATTERNS)) {
        const [own, peer] = [time(`gradlock ${pattern}`), time(`${PEER} ${pattern}`)];
        results.push({
          what: `${elements}, ${pattern}`,
          unit: 'ns/element',
          values: { gradlock: own, [PEER]: peer },
          ratios: { [PEER]: peer / own },
          ...(pattern !== 'dense' && {
            expected: `≥ 10× ${PEER} with a masked gradient`,
            met: peer >= 10 * own,
          }),
        });
      }
      const dense = time('gradlock dense');
      const [, random, blocks] = Object.keys(PATTERNS).map((pattern) =>
        time(`gradlock ${pattern}`),
      );
      const limit = count > 2 ** 20 ? 1.05 : 1.35;
      results.push(
        {
          what: `${elements}, time with random locks / dense`,
          unit: '',
          values: { gradlock: random / dense },
          expected: `≤ ${limit}`,
          met: random <= limit * dense,
        },
        {
          what: `${elements}, 90 % in blocks / dense`,
          unit: '',
          values: { gradlock: blocks / dense },
          expected: '≤ 0.2',
          met: blocks <= 0.2 * dense,
        },
      );
    }
    return results;
  },
};
