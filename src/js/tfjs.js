// Entry point for users of TensorFlow.js: optimizers whose updates run in gradlock, and locks on
// any element of its variables. It imports neither: both are given.
import { refuseRest } from './base/arity.js';
import { open } from './tfjs/open.js';

/**
 * @template {import('./tfjs/api.js').TensorFlow} T
 * @typedef {import('./tfjs/api.js').TensorFlowLocks<T>} TensorFlowLocks
 */
/**
 * @template {import('./tfjs/api.js').TensorFlow} T
 * @typedef {import('./tfjs/api.js').TensorFlowOptimizers<T>} TensorFlowOptimizers
 */
/**
 * @template {import('./tfjs/api.js').TensorFlow} T
 * @template {object} O
 * @typedef {import('./tfjs/api.js').TensorFlowOptimizer<T, O>} TensorFlowOptimizer
 */
/** @typedef {import('./tfjs/api.js').TensorFlow} TensorFlow */
/** @typedef {import('./tfjs/api.js').LayerVariable} LayerVariable */

/**
 * Exact locks for TensorFlow.js: optimizers that its `minimize` and `model.compile` take, and the
 * locks of its variables. Called again with the same two it gives the same, so locks are shared.
 *
 * Throws TypeError if `g` is not an instance of gradlock or `tf` is not TensorFlow.js;
 * GradlockError if either is of a version that does not fit: TensorFlow.js from 4.0 on.
 * @template {TensorFlow} T
 * @param {import('./gradlock.js').Gradlock} g
 * @param {T} tf `import * as tf from '@tensorflow/tfjs'`, or of `@tensorflow/tfjs-core`.
 * @param {[]} more
 * @returns {TensorFlowLocks<T>}
 * @example
 * const { optimizers, locksOf } = tfjs(g, tf);
 * const x = tf.variable(tf.tensor1d([1, 2]));
 * locksOf(x).lock([1]);
 * const sgd = optimizers.sgd({ learningRate: 0.25 });
 * sgd.minimize(() => tf.sum(tf.square(x)));
 * x.arraySync(); // [0.5, 2]
 */
export const tfjs = (g, tf, ...more) => {
  refuseRest('tfjs', 2, more);
  return /** @type {any} */ (open(g, tf));
};
