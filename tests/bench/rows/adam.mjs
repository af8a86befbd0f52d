/* One Adam step with a gradient that is already there: nothing locked, elements locked at random, and 90 % in blocks.
 * Peers multiply their gradient by a 0/1 mask, as their users do; a mask holds less than a lock. The limit is the greater
 * of what the step's reads and writes take in this engine ('traffic') and its divisions and square roots ('roots'), each
 * alone. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadLimits, measureNative } from '../limits.mjs';
import { loadJax, loadTensorFlow, loadTensorFlowCpu, settle } from '../peers.mjs';
import { randomValues } from '../values.mjs';

const SIZES = [1024, 16384, 262144, 2 ** 22];
/** Beyond the caches. */
const IN_MEMORY = 2 ** 20;
/** More would take TensorFlow.js's cpu backend a second a step. */
const MOST_ON_CPU = 2 ** 18;
/** Arithmetic is measured where memory does not matter. */
const IN_CACHE = 4096;
// Of ten blocks of 128 elements, such as rows of a table, one is free.
const BLOCK = 128;

/** @param {number} percent */
const atRandom = (percent) => (/** @type {Float32Array} */ chance) =>
  Uint8Array.from(chance, (value) => Number((value + 1) * 50 < percent));

/** @type {Record<string, (chance: Float32Array) => Uint8Array>} the masks, 1 = locked */
const PATTERNS = {
  'nothing locked': (chance) => new Uint8Array(chance.length),
  '50 % at random': atRandom(50),
  '90 % at random': atRandom(90),
  '90 % in blocks': (chance) =>
    chance.length < 10 * BLOCK
      ? Uint8Array.from(chance, (_, i) => Number(i >= chance.length / 10))
      : Uint8Array.from(chance, (_, i) => Number(Math.floor(i / BLOCK) % 10 !== 0)),
};

/**
 * @param {import('../peers.mjs').Jax} jax
 * @param {Float32Array} values
 * @param {Uint8Array} mask
 */
function jaxAdam({ numpy, jit }, values, mask) {
  /** @typedef {import('@jax-js/jax').Array} Value */
  const step = jit(
    (
      /** @type {Value} */ x,
      /** @type {Value} */ m,
      /** @type {Value} */ v,
      /** @type {Value} */ g,
      /** @type {Value} */ free,
    ) => {
      const d = g.mul(free);
      const mean = m.mul(0.9).add(d.ref.mul(0.1));
      const square = v.mul(0.999).add(d.ref.mul(d).mul(0.001));
      const root = numpy.sqrt(square.ref).add(1e-7);
      return [x.sub(mean.ref.mul(0.001).div(root)), mean, square];
    },
  );
  const gradient = numpy.array(values);
  const free = numpy.array(Float32Array.from(mask, (locked) => 1 - locked));
  const zeros = () => numpy.array(new Float32Array(values.length));
  let state = [zeros(), zeros(), zeros()];
  const run = () => {
    state = step(state[0], state[1], state[2], gradient.ref, free.ref);
    settle(state[0].ref);
  };
  return { run, dispose: () => [gradient, free, ...state].map((array) => array.dispose()) };
}

/**
 * @param {import('../peers.mjs').TensorFlow} tf
 * @param {Float32Array} values
 * @param {Uint8Array} [mask]
 */
function tensorFlowAdam(tf, values, mask) {
  const shared = tf.tensor1d(values);
  const x = tf.variable(tf.zeros([values.length]));
  const free = mask && tf.tensor1d(Float32Array.from(mask, (locked) => 1 - locked));
  const optimizer = tf.train.adam(0.001);
  const run = () =>
    tf.tidy(() => {
      const tensor = free ? tf.mul(shared, free) : shared;
      optimizer.applyGradients([{ name: x.name, tensor }]);
    });
  return { run, dispose: () => [shared, x, ...(free ? [free] : [])].map((one) => one.dispose()) };
}

/** @param {number} count */
async function measureSize(count) {
  const g = await init();
  const tf = await loadTensorFlow();
  const tfCpu = await loadTensorFlowCpu();
  const jax = await loadJax();
  const { move_adam, divide_by_roots } = loadLimits(4 * count);
  const values = randomValues(count);
  const chance = randomValues(2 * count).subarray(count);
  const shared = g.tensor(values, [count]);
  /** @type {{ dispose(): unknown }[]} */
  const disposable = [g];
  /** @type {Record<string, (repeats: number) => void>} */
  const contestants = {
    traffic: repeatedly(() => move_adam(count)),
    roots: repeatedly(() => divide_by_roots(IN_CACHE)),
  };
  for (const [pattern, maskOf] of Object.entries(PATTERNS)) {
    const mask = maskOf(chance);
    const x = g.variable(new Float32Array(count), { shape: [count] });
    x.lock(mask);
    const optimizer = g.optimizers.adam({ learningRate: 0.001 });
    contestants[`gradlock ${pattern}`] = repeatedly(() => optimizer.applyGradients([[shared, x]]));
    if (pattern !== '50 % at random' && pattern !== 'nothing locked') continue; // to peers all are alike

    const held = pattern === 'nothing locked' ? undefined : mask;
    const peer = tensorFlowAdam(tf, values, held);
    contestants[`TF.js wasm ${pattern}`] = repeatedly(peer.run);
    disposable.push(peer);
    if (count <= MOST_ON_CPU) {
      const slow = tensorFlowAdam(tfCpu, values, held);
      contestants[`TF.js cpu ${pattern}`] = repeatedly(slow.run);
      disposable.push(slow);
    }
    const traced = jaxAdam(jax, values, mask);
    contestants[`jax-js ${pattern}`] = repeatedly(traced.run);
    disposable.push(traced);
  }
  const seconds = measure(contestants, { rounds: count > IN_MEMORY ? 9 : 15 });
  for (const one of disposable) one.dispose();
  tf.disposeVariables(); // the optimizers' own
  tfCpu.disposeVariables();
  return (/** @type {string} */ name) =>
    (seconds[name] * 1e9) / (name === 'roots' ? IN_CACHE : count);
}

/**
 * @param {number} count
 * @returns {Promise<import('../harness.mjs').Result[]>}
 */
async function resultsOf(count) {
  const time = await measureSize(count);
  const elements = `${count.toLocaleString('en-US')} elements`;
  const own = (/** @type {string} */ pattern) => time(`gradlock ${pattern}`);
  const dense = own('nothing locked');
  const limit = Math.max(time('traffic'), time('roots'));
  const times = count < 16384 ? 100 : 12;
  const native = measureNative('adam', count, 0);
  /** @type {import('../harness.mjs').Result[]} */
  const results = ['nothing locked', '50 % at random'].map((pattern) => {
    const [peer, cpu, jax] = ['TF.js wasm', 'TF.js cpu', 'jax-js'].map((who) =>
      time(`${who} ${pattern}`),
    );
    const isMasked = pattern !== 'nothing locked';
    return {
      what: `${elements}, ${pattern}`,
      unit: 'ns/element',
      values: {
        gradlock: own(pattern),
        'TF.js wasm': peer,
        ...(cpu && { 'TF.js cpu': cpu }),
        'jax-js': jax,
        traffic: time('traffic'),
        roots: time('roots'),
        ...(!isMasked && native && { native: (native * 1e9) / count }),
      },
      ratios: {
        'TF.js wasm': peer / own(pattern),
        'TF.js cpu': cpu / own(pattern),
        'jax-js': jax / own(pattern),
      },
      limit: limit / own(pattern),
      ...(isMasked && {
        expected: `≥ ${times}× TF.js, ≥ 5× jax-js`,
        met: peer >= times * own(pattern) && jax >= 5 * own(pattern),
      }),
    };
  });
  if (count > IN_MEMORY) {
    results[0].expected = '≤ 1.05 of the traffic';
    results[0].met = dense <= 1.05 * time('traffic');
  }
  /** @type {[string, number][]} */
  const bounds = [
    ['50 % at random', count > IN_MEMORY ? 1.05 : 1.35],
    ['90 % at random', 1],
    ['90 % in blocks', 0.2],
  ];
  for (const [pattern, bound] of bounds) {
    results.push({
      what: `${elements}, time with ${pattern} / nothing locked`,
      unit: '',
      values: { gradlock: own(pattern) / dense },
      expected: `≤ ${bound}`,
      met: own(pattern) <= bound * dense,
    });
  }
  return results;
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Adam step, learning rate 0.001',
  async run() {
    const results = [];
    for (const count of SIZES) results.push(...(await resultsOf(count)));
    return results;
  },
};
