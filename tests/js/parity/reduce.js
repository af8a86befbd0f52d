/* Parity of reductions and what runs along an axis. */
import {
  SPECIAL,
  FEW,
  operand,
  given,
  ordinary,
  special,
  text,
  theirFunction,
  row,
} from './cases.js';

/** @typedef {import('./cases.js').Row} Row */

/** Shapes with axes to reduce over and whether they stay. @type {[number[], any, boolean][]} */
const REDUCTIONS = [
  [[], null, false],
  [[7], null, false],
  [[67], 0, true],
  [[2, 3], null, true],
  [[2, 3], 0, false],
  [[2, 3], -1, true],
  [[3, 2, 4], [0, 2], false],
  [[3, 2, 4], [-1, 1], true],
  [[2, 1, 2, 3], [1, 3], false],
  [[2, 1, 2, 1, 3], [0, 2, 4], false],
  [[2, 1, 2, 1, 3, 2], [1, 2, 5], true],
  [[2, 3], [], false],
  [[1, 3], [], true],
  [[0, 2], [], false],
];

/**
 * A row that reduces over axes.
 * @param {string} name
 * @param {Partial<Row> & { draw?: import('./cases.js').Draw, specials?: boolean, empty?: boolean }}
 *   [rest]
 */
const reduction = (name, { draw = 'any', empty = true, ...rest } = {}) =>
  row(name, {
    tolerance: 'sum',
    cases: [
      ...REDUCTIONS.map(([shape, axis, keep]) =>
        ordinary(
          `${text(shape)} over ${axis === null ? 'all' : `[${axis}]`}${keep ? ', kept' : ''}`,
          [operand(shape, draw)],
          [axis, keep],
        ),
      ),
      ...(empty
        ? [
            ordinary('no elements', [operand([0])], [null, false]),
            ordinary('rows of no elements', [operand([2, 0])], [1, false]),
            ordinary('no rows', [operand([0, 3])], [1, true]),
          ]
        : []),
      special('special numbers, each in a row', [given(SPECIAL, [SPECIAL.length, 1])], [1, false]),
      special(
        'special numbers beside 1',
        [
          given(
            FEW.flatMap((value) => [value, 1]),
            [FEW.length, 2],
          ),
        ],
        [1, false],
      ),
    ],
    ...rest,
  });

/** Axes, or one. @param {string} name */
const along = (name) =>
  row(name, {
    gradients: [],
    theirs: (tf, [x], [axis]) => tf.cast(tf[name](x, axis), 'float32'),
    cases: [
      ordinary('[7]', [operand([7])], [0]),
      ordinary('[3,4] along 0', [operand([3, 4], 'apart')], [0]),
      ordinary('[3,4] along -1', [operand([3, 4], 'apart')], [-1]),
      ordinary('ties', [operand([4, 6], 'whole')], [1]),
      ordinary('rank 6', [operand([2, 1, 2, 1, 3, 2])], [4]),
      special(
        'special numbers',
        [given([0, -0, 1, -0, 0, -1, 3e38, Number.POSITIVE_INFINITY], [4, 2])],
        [1],
      ),
    ],
  });

/** @type {[string, Row][]} */
export const ROWS = [
  reduction('sum'),
  reduction('mean'),
  reduction('prod', { draw: 'apart', tolerance: 'array' }),
  reduction('max', { draw: 'apart', eitherZero: true, empty: false }),
  reduction('min', { draw: 'apart', eitherZero: true, empty: false }),
  reduction('logSumExp', { tolerance: 'array' }),
  reduction('l2Norm', { theirs: theirFunction('euclideanNorm') }),
  reduction('variance', {
    tolerance: 'array',
    theirs: (tf, [x], [axis, keep]) => tf.moments(x, axis, keep).variance,
  }),
  ...['all', 'any'].map((name) =>
    reduction(name, {
      draw: 'truth',
      gradients: [],
      tolerance: 0,
      theirs: (tf, [x], args) => tf.cast(tf[name](tf.cast(x, 'bool'), ...args), 'float32'),
    }),
  ),
  along('argMax'),
  along('argMin'),
  row('cumsum', {
    tolerance: 'sum',
    cases: [
      ordinary('[7]', [operand([7])], [0]),
      ordinary('[3,4] along 1', [operand([3, 4])], [1]),
      ordinary('exclusive', [operand([3, 4])], [0, true]),
      ordinary('reverse', [operand([2, 3, 2])], [1, false, true]),
      ordinary('exclusive, reverse', [operand([2, 3, 2])], [-1, true, true]),
      ordinary('no elements', [operand([0, 3])], [0]),
      special(
        'special numbers',
        [
          given(
            FEW.flatMap((v) => [v, 1]),
            [FEW.length, 2],
          ),
        ],
        [1],
      ),
    ],
  }),
];
