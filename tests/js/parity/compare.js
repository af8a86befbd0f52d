/* Parity of comparisons, logic, and what is chosen by them. */
import { SPECIAL, binary, given, operand, ordinary, row, special, text, unary } from './cases.js';

/** @param {string} name */
const predicate = (name) =>
  unary(name, { gradients: [], theirs: (tf, [x]) => tf.cast(tf[name](x), 'float32') });

/** @param {string} name */
const comparison = (name) =>
  binary(name, {
    gradients: [],
    draw: 'whole',
    theirs: (tf, [a, b]) => tf.cast(tf[name](a, b), 'float32'),
  });

/** @param {string} name */
const logic = (name) =>
  binary(name, {
    gradients: [],
    draw: 'truth',
    theirs: (tf, [a, b]) => tf.cast(tf[name](tf.cast(a, 'bool'), tf.cast(b, 'bool')), 'float32'),
  });

/** @type {[string, import('./cases.js').Row][]} */
export const ROWS = [
  binary('maximum', { draw: 'apart', eitherZero: true }),
  binary('minimum', { draw: 'apart', eitherZero: true }),
  unary('clipByValue', { args: [-1, 1] }),
  ...['equal', 'notEqual', 'greater', 'greaterEqual', 'less', 'lessEqual'].map(comparison),
  ...['logicalAnd', 'logicalOr', 'logicalXor'].map(logic),
  unary('logicalNot', {
    gradients: [],
    draw: 'truth',
    theirs: (tf, [x]) => tf.cast(tf.logicalNot(tf.cast(x, 'bool')), 'float32'),
  }),
  ...['isNaN', 'isInf', 'isFinite'].map(predicate),
  row('where', {
    gradients: [false, true, true],
    theirs: (tf, [c, a, b]) => tf.where(tf.cast(c, 'bool'), a, b),
    cases: [
      ...[[], [3], [2, 3], [0], [2, 1, 2, 2]].map((shape) =>
        ordinary(text(shape), [operand(shape, 'truth'), operand(shape), operand(shape)]),
      ),
      ordinary('all three broadcast', [operand([2, 1], 'truth'), operand([3]), operand([])]),
      special('special numbers', [
        given(SPECIAL.map((_, i) => i % 2)),
        given(SPECIAL),
        given(SPECIAL.slice().reverse()),
      ]),
    ],
  }),
];
