/* What a call costs beyond its arithmetic: on 2×2 matrices there is next to none. The peers do the same on the same
 * values; results are disposed of as their users must. */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { loadTensorFlow, loadTensorFlowCpu } from '../peers.mjs';

/** @typedef {import('@tensorflow/tfjs-core').Scalar} Scalar */
/** @typedef {import('@tensorflow/tfjs-core').Tensor2D} Matrix */
/** Does its work as often as it is told. @typedef {(repeats: number) => void} Work */

const SHAPE = /** @type {const} */ ([2, 2]);
const VALUES = new Float32Array([1, -2, 3, 0.5]);
const MOST = 1; // µs

/** @param {import('gradlock').Gradlock} g @returns {Record<string, Work>} */
const gradlockCalls = (g) => {
  const a = g.tensor(VALUES, SHAPE);
  const [x, y, z, u] = [0, 1, 2, 3].map(() => g.variable(new Float32Array(4), { shape: SHAPE }));
  /** @param {import('gradlock').Variable} v */
  const distance = (v) => () => g.mean(g.square(g.sub(v, a)));
  const [compiled, single, many] = [x, y, z].map((v) => g.compile(distance(v)));
  const adam = [0, 1, 2, 3].map(() => g.optimizers.adam());
  return {
    add: repeatedly(() => g.add(a, a).dispose()),
    matMul: repeatedly(() => g.matMul(a, a).dispose()),
    sum: repeatedly(() => g.sum(a).dispose()),
    'mul, in a tidy of ten': (repeats) => {
      for (let i = 0; i < repeats; i += 10) {
        g.tidy(() => {
          for (let k = 0; k < 10; k++) g.mul(a, a);
        });
      }
    },
    'applyGradients, Adam': repeatedly(() => adam[0].applyGradients([[a, x]])),
    'valueAndGrad of a compiled loss of 3 ops': repeatedly(() => {
      for (const grad of g.valueAndGrad(compiled, [x]).grads) grad.dispose();
    }),
    'minimize a compiled loss, one step a call': repeatedly(() =>
      adam[1].minimize(single, { variables: [y] }),
    ),
    'minimize a compiled loss, a step of many': (steps) =>
      void adam[2].minimize(many, { variables: [z], steps }),
    'minimize a function of 3 ops, a step': repeatedly(() =>
      adam[3].minimize(distance(u), { variables: [u] }),
    ),
  };
};

/** @param {import('../peers.mjs').TensorFlow} tf @returns {Record<string, Work>} */
const peerCalls = (tf) => {
  const a = tf.tensor2d(VALUES, [...SHAPE]);
  const [x, y] = [0, 1].map(() => tf.variable(tf.zeros([...SHAPE])));
  const distance = (/** @type {Matrix} */ v) => () =>
    /** @type {Scalar} */ (tf.mean(tf.square(tf.sub(v, a))));
  const [first, second] = [0, 1].map(() => tf.train.adam(0.001));
  const step = repeatedly(() => second.minimize(distance(/** @type {any} */ (y))));
  return {
    add: repeatedly(() => tf.add(a, a).dispose()),
    matMul: repeatedly(() => tf.matMul(a, a).dispose()),
    sum: repeatedly(() => tf.sum(a).dispose()),
    'mul, in a tidy of ten': (repeats) => {
      for (let i = 0; i < repeats; i += 10) {
        tf.tidy(() => {
          for (let k = 0; k < 10; k++) tf.mul(a, a);
        });
      }
    },
    'applyGradients, Adam': repeatedly(() => first.applyGradients([{ name: x.name, tensor: a }])),
    'valueAndGrad of a compiled loss of 3 ops': repeatedly(() => {
      const { value, grads } = tf.variableGrads(distance(/** @type {any} */ (x)), [x]);
      tf.dispose([value, grads]);
    }),
    'minimize a compiled loss, one step a call': step,
    'minimize a compiled loss, a step of many': step,
    'minimize a function of 3 ops, a step': step,
  };
};

/** With ops recorded, computed, differentiated and forgotten in each step: many times the cost of one call. */
const WITHOUT_TARGET = ['minimize a function of 3 ops, a step'];

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'One call, on 2×2 matrices',
  async run() {
    const g = await init();
    const [tf, cpu] = [await loadTensorFlow(), await loadTensorFlowCpu()];
    const own = gradlockCalls(g);
    const [peer, other] = [peerCalls(tf), peerCalls(cpu)];
    const results = Object.keys(own).map((what) => {
      const seconds = measure({ own: own[what], peer: peer[what], other: other[what] });
      const micro = 1e6 * seconds.own;
      const target = WITHOUT_TARGET.includes(what)
        ? {}
        : { expected: `≤ ${MOST} µs`, met: micro <= MOST };
      return {
        what,
        unit: 'µs',
        values: {
          gradlock: micro,
          'TF.js wasm': 1e6 * seconds.peer,
          'TF.js cpu': 1e6 * seconds.other,
        },
        ratios: {
          'TF.js wasm': seconds.peer / seconds.own,
          'TF.js cpu': seconds.other / seconds.own,
        },
        ...target,
      };
    });
    g.dispose();
    tf.disposeVariables();
    cpu.disposeVariables();
    return results;
  },
};
