/* Rows of the table of leaks that TensorFlow.js runs itself, on its WebAssembly backend: the two
 * tricks that its users have (it has no stopGradient) and writing values back, under the rules it
 * has (no AdamW, Nadam, Lion, FTRL, no clipping by norm). */
import { loadTensorFlow } from '../bench/peers.mjs';
import { PROBLEM, SETTINGS, STEPS } from './leaks.js';
import { moved } from './recipe.js';

/** @typedef {typeof import('@tensorflow/tfjs-core')} TensorFlow */
/** @typedef {import('@tensorflow/tfjs-core').Tensor} Tensor */
/** @typedef {import('@tensorflow/tfjs-core').Variable} Variable */
/** @typedef {import('./leaks.js').Leak} Leak */

const { start, target, poisoned, mask, locked, free } = PROBLEM;

/** @type {Record<string, (tf: TensorFlow) => any>} */
const RULES = {
  SGD: (tf) => tf.train.sgd(0.1),
  momentum: (tf) => tf.train.momentum(0.1, 0.9),
  Adam: (tf) => tf.train.adam(0.01),
  Adagrad: (tf) => tf.train.adagrad(0.1),
  Adadelta: (tf) => tf.train.adadelta(1),
  RMSprop: (tf) => tf.train.rmsprop(0.01),
  Adamax: (tf) => tf.train.adamax(0.01),
  'NaN gradient': (tf) => tf.train.sgd(0.1),
};

/** @type {Record<string, (tf: TensorFlow, gradient: Tensor) => Tensor>} */
const CHANGES = {
  'mask × gradient': (tf, gradient) => tf.mul(gradient, tf.tensor(mask)),
  'where(mask, gradient, 0)': (tf, gradient) =>
    tf.where(tf.cast(tf.tensor(mask), 'bool'), gradient, tf.zerosLike(gradient)),
  'write the old values back': (_tf, gradient) => gradient,
};

/** Where its rules keep their slots. */
const SLOTS = [
  'accumulations',
  'accumulatedFirstMoment',
  'accumulatedSecondMoment',
  'accumulatedWeightedInfNorm',
  'accumulatedGrads',
  'accumulatedUpdates',
  'accumulatedMeanSquares',
  'accumulatedMeanGrads',
  'accumulatedMoments',
];

/**
 * The values of an optimizer's slots.
 * @param {any} optimizer
 * @returns {Float32Array[]}
 */
const slotsOf = (optimizer) =>
  SLOTS.flatMap((name) => optimizer[name] ?? [])
    .filter(({ variable }) => variable)
    .map(({ variable }) => Float32Array.from(variable.dataSync()));

/**
 * @param {TensorFlow} tf
 * @param {any} optimizer
 * @param {Variable} x
 * @param {Float32Array} goal
 * @param {(gradient: Tensor) => Tensor} [change]
 */
const step = (tf, optimizer, x, goal, change = (gradient) => gradient) => {
  tf.tidy(() => {
    const loss = () => tf.div(tf.sum(tf.square(tf.sub(x, tf.tensor(goal)))), 2);
    const { grads } = tf.variableGrads(/** @type {any} */ (loss), [x]);
    optimizer.applyGradients({ [x.name]: change(grads[x.name]) });
  });
};

/**
 * @param {TensorFlow} tf
 * @param {string} trick
 * @param {import('./leaks.js').Setting} setting
 * @returns {Leak | null} null where TensorFlow.js has no such rule.
 */
const run = (tf, trick, { name, isPoisoned }) => {
  const make = RULES[name];
  if (!make) return null;
  const x = tf.variable(tf.tensor(start));
  const optimizer = make(tf);
  for (let i = 0; i < STEPS; i++) step(tf, optimizer, x, target);
  const held = Float32Array.from(x.dataSync());
  const slots = slotsOf(optimizer);
  for (let i = 0; i < STEPS; i++) {
    step(tf, optimizer, x, isPoisoned ? poisoned : target, (gradient) =>
      CHANGES[trick](tf, gradient),
    );
    if (!trick.startsWith('write')) continue;
    const values = x.dataSync();
    x.assign(tf.tensor(held.map((value, j) => (mask[j] ? values[j] : value))));
  }

  const alone = tf.variable(tf.tensor(start));
  const reference = make(tf);
  for (let i = 0; i < 2 * STEPS; i++) step(tf, reference, alone, target);
  const after = slotsOf(optimizer);
  return {
    values: moved(held, Float32Array.from(x.dataSync()), locked),
    slots: slots
      .map((slot, k) => moved(slot, after[k], locked))
      .reduce((a, b) => ({ elements: a.elements + b.elements, bits: a.bits + b.bits }), {
        elements: 0,
        bits: 0,
      }),
    // Its rules know no norms: a free element goes its way alone, whatever the others do.
    others: moved(Float32Array.from(alone.dataSync()), Float32Array.from(x.dataSync()), free),
  };
};

/** The rows, and which TensorFlow.js they are of. */
export const measureTensorFlowJs = async () => {
  const tf = await loadTensorFlow();
  const rows = Object.keys(CHANGES).map((trick) => ({
    trick,
    leaks: SETTINGS.map((setting) => run(tf, trick, setting)),
  }));
  return { version: tf.version_core, rows };
};
