/* Parity of elementwise ops, comparisons and logic. */
import {
  SPECIAL,
  FEW,
  SHAPES,
  PAIRS,
  operand,
  given,
  ordinary,
  special,
  text,
  row,
} from './cases.js';

/** @typedef {import('./cases.js').Row} Row */

/**
 * A row of one operand.
 * @param {string} name
 * @param {Partial<Row> & { draw?: import('./cases.js').Draw, args?: any[] }} [rest]
 */
const unary = (name, { draw = 'any', args = [], ...rest } = {}) =>
  row(name, {
    cases: [
      ...SHAPES.map((shape) => ordinary(text(shape), [operand(shape, draw)], args)),
      special('special numbers', [given(SPECIAL)], args),
    ],
    ...rest,
  });

/** @param {string} name */
const predicate = (name) =>
  unary(name, { gradients: [], theirs: (tf, [x]) => tf.cast(tf[name](x), 'float32') });

/**
 * A row of two operands that broadcast.
 * @param {string} name
 * @param {Partial<Row> & { draw?: import('./cases.js').Draw, second?: import('./cases.js').Draw }} [rest]
 */
const binary = (name, { draw = 'any', second = draw, ...rest } = {}) =>
  row(name, {
    gradients: [true, true],
    cases: [
      ...PAIRS.map(([a, b]) =>
        ordinary(`${text(a)} ${text(b)}`, [operand(a, draw), operand(b, second)]),
      ),
      special('special numbers', [
        given(FEW.flatMap((a) => FEW.map(() => a))),
        given(FEW.flatMap(() => FEW)),
      ]),
      special('special numbers that broadcast', [given(FEW, [FEW.length, 1]), given([1, -2])]),
    ],
    ...rest,
  });

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

/** @type {[string, Row][]} */
export const ARITHMETIC = [
  binary('add'),
  binary('sub'),
  binary('mul'),
  binary('div', { second: 'positive' }),
  binary('mod', { draw: 'apart' }),
  binary('pow', { draw: 'positive', second: 'any', tolerance: 2 }),
  binary('squaredDifference', { tolerance: 2 }),
  binary('maximum', { draw: 'apart', eitherZero: true }),
  binary('minimum', { draw: 'apart', eitherZero: true }),
  unary('neg'),
  unary('square'),
  unary('sqrt', { draw: 'positive' }),
  unary('rsqrt', { draw: 'positive', tolerance: 2 }),
  unary('reciprocal', { draw: 'apart' }),
  unary('abs', { draw: 'apart' }),
  unary('sign'),
  unary('floor'),
  unary('ceil'),
  unary('round'),
  unary('clipByValue', { args: [-1, 1] }),
  unary('stopGradient', { gradients: [], theirs: (tf, [x]) => tf.clone(x) }),
];

/** @type {[string, Row][]} */
export const FUNCTIONS = [
  unary('exp', { tolerance: 2 }),
  unary('expm1', { tolerance: 2 }),
  unary('log', { draw: 'positive', tolerance: 2 }),
  unary('log1p', { draw: 'positive', tolerance: 2 }),
  unary('sin', { tolerance: 2 }),
  unary('cos', { tolerance: 2 }),
  unary('erf', { tolerance: 'array' }),
  unary('tanh', { tolerance: 2 }),
  unary('sigmoid', { tolerance: 2 }),
  unary('softplus', { tolerance: 2 }),
  unary('relu', { eitherZero: true }),
  unary('elu', { tolerance: 2 }),
  unary('leakyRelu', { args: [0.125] }),
];

/** @type {[string, Row][]} */
export const LOGIC = [
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
