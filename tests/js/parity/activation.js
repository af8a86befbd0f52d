/* Parity of activations. */
import { unary } from './cases.js';

/** @type {[string, import('./cases.js').Row][]} */
export const ROWS = [
  unary('tanh', { tolerance: 2 }),
  unary('sigmoid', { tolerance: 2 }),
  unary('softplus', { tolerance: 2 }),
  unary('relu', { eitherZero: true }),
  unary('elu', { tolerance: 2 }),
  unary('leakyRelu', { args: [0.125] }),
  unary('hardSigmoid', {
    tolerance: 2,
    theirs: (tf, [x]) => tf.div(tf.clipByValue(tf.add(x, 3), 0, 6), 6),
  }),
];
