/* A step of Adam with a gradient that is already there, by what is locked: before it trained, so
 * that what is locked has no slots, or after. The limit is the greater of what the step's reads and
 * writes take in this engine (traffic) and its divisions and square roots (roots), each alone.
 * Peers multiply their gradient by a 0/1 mask, as their users do; a mask holds less than a lock. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadLimits } from '../limits.mjs';
import { loadJax, loadTensorFlow } from '../peers.mjs';
import { randomValues, settle } from '../values.mjs';

const SIZES = [16384, 262144, 2 ** 22];
/** Beyond the caches. */
const IN_MEMORY = 2 ** 20;
/** Arithmetic is measured where memory does not matter. */
const IN_CACHE = 4096;
/** Of ten blocks of 128 elements, such as rows of a table, one is free. */
const BLOCK = 128;
/** Of the time with none locked, at most: percent at random, before it trained and after. */
const GOALS = {
  first: /** @type {[number, number][]} */ ([
    [2, 1.2],
    [25, 1.2],
    [50, 1],
  ]),
  trained: /** @type {[number, number][]} */ ([
    [50, 1.1],
    [75, 0.9],
    [90, 0.6],
  ]),
};
/** Of the limit, at least. */
const share = (/** @type {number} */ count) => (count < 2e5 ? 0.6 : 0.75);
/** Where half is locked, at least so many times as fast. */
const RATIOS = { 'TF.js wasm': 12, 'jax-js': 8 };

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
  return () => {
    state = step(state[0], state[1], state[2], gradient.ref, free.ref);
    settle(state[0].ref);
  };
}

/**
 * @param {import('../peers.mjs').TensorFlow} tf
 * @param {Float32Array} values
 * @param {Uint8Array} mask
 */
function tensorFlowAdam(tf, values, mask) {
  const shared = tf.tensor1d(values);
  const x = tf.variable(tf.zeros([values.length]));
  const free = tf.tensor1d(Float32Array.from(mask, (locked) => 1 - locked));
  const optimizer = tf.train.adam(0.001);
  return () =>
    tf.tidy(() => {
      optimizer.applyGradients([{ name: x.name, tensor: tf.mul(shared, free) }]);
    });
}

/** @param {number} count @returns {Promise<import('../harness.mjs').Result[]>} */
async function resultsOf(count) {
  const g = await init();
  const { move_adam, divide_by_roots } = loadLimits(4 * count);
  const values = randomValues(count);
  const chance = randomValues(2 * count).subarray(count);
  const gradient = g.tensor(values, [count]);
  /** @param {number} percent */
  const atRandom = (percent) =>
    Uint8Array.from(chance, (value) => Number((value + 1) * 50 < percent));
  /** @type {Record<string, (repeats: number) => void>} */
  const contestants = {
    traffic: repeatedly(() => move_adam(count)),
    roots: repeatedly(() => divide_by_roots(IN_CACHE)),
  };
  /** @param {string} name @param {Uint8Array} mask @param {boolean} [isTrained] */
  const add = (name, mask, isTrained) => {
    const x = g.variable(new Float32Array(count), { shape: [count] });
    const optimizer = g.optimizers.adam({ learningRate: 0.001 });
    const step = () => optimizer.applyGradients([[gradient, x]]);
    if (isTrained) step();
    x.lock(mask);
    contestants[name] = repeatedly(step);
  };
  add('none', new Uint8Array(count));
  for (const [percent] of GOALS.first) add(`${percent} %`, atRandom(percent));
  for (const [percent] of GOALS.trained) add(`${percent} % trained`, atRandom(percent), true);
  const blocks = Uint8Array.from(values, (_, i) => Number(Math.floor(i / BLOCK) % 10 !== 0));
  add('90 % in blocks', blocks);
  const hasPeers = count === SIZES[0];
  const tf = await loadTensorFlow();
  if (hasPeers) {
    contestants['TF.js wasm'] = repeatedly(tensorFlowAdam(tf, values, atRandom(50)));
    contestants['jax-js'] = repeatedly(jaxAdam(await loadJax(), values, atRandom(50)));
  }
  const seconds = measure(contestants, { rounds: count > IN_MEMORY ? 9 : 15 });
  g.dispose();
  tf.disposeVariables();
  const elements = `${count.toLocaleString('en-US')} elements`;
  const time = (/** @type {string} */ name) =>
    (seconds[name] * 1e9) / (name === 'roots' ? IN_CACHE : count);
  const limit = Math.max(time('traffic'), time('roots')) / time('none');
  const bounds = [
    ...GOALS.first.map(([percent, most]) => /** @type {const} */ ([`${percent} %`, most])),
    ...GOALS.trained.map(([p, most]) => /** @type {const} */ ([`${p} % trained`, most])),
  ];
  const names = [...bounds.map(([name]) => name), '90 % in blocks'];
  const parts = Object.fromEntries(names.map((name) => [name, seconds[name] / seconds.none]));
  /** @type {import('../harness.mjs').Result[]} */
  const results = [
    {
      what: `${elements}, none locked`,
      unit: 'ns/element',
      values: { gradlock: time('none'), traffic: time('traffic'), roots: time('roots') },
      limit,
      expected: `≥ ${100 * share(count)} %`,
      met: limit >= share(count),
    },
    {
      what: `${elements}, locked at random`,
      unit: 'of the time with none',
      values: parts,
      expected: bounds.map(([name, most]) => `${name} ≤ ${most}`).join(', '),
      met: bounds.every(([name, most]) => parts[name] <= most),
    },
  ];
  if (!hasPeers) return results;
  const half = seconds['50 %'];
  const peers = Object.keys(RATIOS).map((who) => [who, seconds[who] / half]);
  return [
    ...results,
    {
      what: `${elements}, 50 % locked at random`,
      unit: 'ns/element',
      values: {
        gradlock: time('50 %'),
        ...Object.fromEntries(Object.keys(RATIOS).map((who) => [who, time(who)])),
      },
      ratios: Object.fromEntries(peers),
      expected: Object.entries(RATIOS)
        .map(([who, times]) => `≥ ${times}× ${who}`)
        .join(', '),
      met: Object.entries(RATIOS).every(([who, times]) => seconds[who] >= times * half),
    },
  ];
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
