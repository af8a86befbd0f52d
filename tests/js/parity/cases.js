/* What the tables of parity.test.js are made of: operands from seeds and from lists of special
 * numbers, and rows that say how gradlock and TensorFlow.js are asked for the same. */
import { random } from '../support.js';

/** @typedef {{ shape: number[], values: Float32Array }} Operand */
/**
 * @typedef {any} Tf TensorFlow.js, whose types would fix dtypes and ranks that this table varies.
 */
/**
 * @typedef {object} Case
 * @property {string} about
 * @property {Operand[]} inputs
 * @property {any[]} args What follows the operands, in both libraries.
 * @property {boolean} isSpecial Special numbers, for which dL/dy is 1.
 */
/**
 * @typedef {object} Row
 * @property {(g: any, x: any[], args: any[]) => any} ours
 * @property {(tf: Tf, x: any[], args: any[]) => any} theirs
 * @property {Case[]} cases
 * @property {number | 'sum' | 'array'} tolerance Of values: how many units in the last place, 0 for
 *   the same bits; or as of a sum; or relative to the largest of the array. parity.test.js derives
 *   what that means.
 * @property {boolean[]} gradients Which operands have one in both libraries.
 * @property {boolean} [eitherZero] Whether the sign of a zero is left open, as it is where 0 and -0
 *   tie.
 */

const next = random(20261121);
export const SPECIAL = [
  0,
  -0,
  1,
  -1,
  0.5,
  -2.5,
  1e-40,
  -1e-45,
  1.5e-38,
  -1e-20,
  1e10,
  -3e38,
  3e38,
  88.5,
  -104,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
];
export const FEW = [
  0,
  -0,
  1,
  -2.5,
  1e-40,
  -1e-30,
  3e38,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
];

/** Every rank that TensorFlow.js has, and no elements. */
export const SHAPES = [
  [],
  [7],
  [2, 3],
  [0],
  [2, 0, 3],
  [2, 1, 3],
  [2, 1, 3, 2],
  [1, 2, 1, 2, 2],
  [1, 2, 1, 1, 2, 2],
];
export const PAIRS = [
  [[], []],
  [[3], [3]],
  [[2, 3], [3]],
  [[3], [2, 3]],
  [
    [2, 1],
    [1, 3],
  ],
  [[], [2, 2]],
  [
    [2, 1, 3],
    [4, 1],
  ],
  [[0, 3], [3]],
  [[0], [1]],
  [
    [1, 2, 1, 3],
    [2, 1, 2, 1],
  ],
  [
    [1, 2, 1, 1, 2],
    [2, 1, 2, 2, 1],
  ],
  [[1, 2, 1, 1, 2, 1], [3]],
];

/** @param {readonly number[]} shape */
export const sizeOf = (shape) => shape.reduce((product, size) => product * size, 1);

/** @typedef {'any' | 'positive' | 'apart' | 'whole' | 'truth'} Draw */
/** Values as an op likes them. @type {Record<Draw, (i: number) => number>} */
export const DRAWS = {
  any: () => 4 * next() - 2,
  positive: () => 0.25 + 2 * next(),
  /** Never 0, and no two of them equal. */
  apart: (i) => (i % 2 ? -1 : 1) * (0.25 + next() / 8 + (i % 23) / 4),
  /** Repeated values, so that there are ties. */
  whole: () => Math.floor(5 * next()) - 2,
  /** 0 or 1. */
  truth: () => Math.floor(2 * next()),
};

/**
 * @param {number[]} shape
 * @param {Draw} [draw]
 * @returns {Operand}
 */
export const operand = (shape, draw = 'any') => ({
  shape,
  values: Float32Array.from({ length: sizeOf(shape) }, (_, i) => DRAWS[draw](i)),
});

/**
 * @param {readonly number[]} values
 * @param {number[]} [shape]
 * @returns {Operand}
 */
export const given = (values, shape = [values.length]) => ({
  shape,
  values: Float32Array.from(values),
});

/**
 * @param {string} about
 * @param {Operand[]} inputs
 * @param {any[]} [args]
 * @returns {Case}
 */
export const ordinary = (about, inputs, args = []) => ({ about, inputs, args, isSpecial: false });

/**
 * @param {string} about
 * @param {Operand[]} inputs
 * @param {any[]} [args]
 * @returns {Case}
 */
export const special = (about, inputs, args = []) => ({ about, inputs, args, isSpecial: true });

/** @param {number[]} shape */
export const text = (shape) => `[${shape}]`;

/**
 * @param {string} name
 * @returns {Row['ours']}
 */
export const ourMethod = (name) => (g, x, args) => g[name](...x, ...args);
/**
 * @param {string} name
 * @returns {Row['theirs']}
 */
export const theirFunction = (name) => (tf, x, args) => tf[name](...x, ...args);

/**
 * @param {string} name
 * @param {Partial<Row> & Pick<Row, 'cases'>} rest
 * @returns {[string, Row]}
 */
export const row = (name, rest) => [
  name,
  {
    ours: ourMethod(name),
    theirs: theirFunction(name),
    tolerance: 0,
    gradients: [true],
    ...rest,
  },
];

/**
 * A row of one operand.
 * @param {string} name
 * @param {Partial<Row> & { draw?: Draw, args?: any[] }} [rest]
 */
export const unary = (name, { draw = 'any', args = [], ...rest } = {}) =>
  row(name, {
    cases: [
      ...SHAPES.map((shape) => ordinary(text(shape), [operand(shape, draw)], args)),
      special('special numbers', [given(SPECIAL)], args),
    ],
    ...rest,
  });

/**
 * A row of two operands that broadcast.
 * @param {string} name
 * @param {Partial<Row> & { draw?: Draw, second?: Draw }} [rest]
 */
export const binary = (name, { draw = 'any', second = draw, ...rest } = {}) =>
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
