/* Parity of ops that move elements. */
import { operand, ordinary, row, SHAPES, text, unary } from './cases.js';

/** @typedef {import('./cases.js').Row} Row */

/** @type {[string, Row][]} */
export const ROWS = [
  unary('stopGradient', { gradients: [], theirs: (tf, [x]) => tf.clone(x) }),
  row('reshape', {
    cases: [
      ordinary('[2,3] to [3,2]', [operand([2, 3])], [[3, 2]]),
      ordinary('[2,3] to [-1]', [operand([2, 3])], [[-1]]),
      ordinary('[1] to []', [operand([1])], [[]]),
      ordinary('[] to [1,1,1,1,1,1]', [operand([])], [[1, 1, 1, 1, 1, 1]]),
      ordinary('no elements', [operand([0, 3])], [[3, 0]]),
    ],
  }),
  row('flatten', {
    theirs: (tf, [x]) => tf.reshape(x, [-1]),
    cases: [[], [3], [2, 3], [2, 1, 2, 1, 2, 1], [0, 2]].map((shape) =>
      ordinary(text(shape), [operand(shape)]),
    ),
  }),
  row('expandDims', {
    cases: [
      ordinary('[] at 0', [operand([])], [0]),
      ordinary('[2,3] at 1', [operand([2, 3])], [1]),
      ordinary('[2,3] at -1', [operand([2, 3])], [-1]),
      ordinary('[0] at 0', [operand([0])], [0]),
    ],
  }),
  row('squeeze', {
    cases: [
      ordinary('[1,3,1]', [operand([1, 3, 1])]),
      ordinary('[1,3,1] at 0', [operand([1, 3, 1])], [[0]]),
      ordinary('[1,3,1,1] at 2 and 0', [operand([1, 3, 1, 1])], [[2, 0]]),
      ordinary('[1,0]', [operand([1, 0])]),
    ],
  }),
  row('transpose', {
    cases: [
      ordinary('[2,3]', [operand([2, 3])]),
      ordinary('[7]', [operand([7])]),
      ordinary('[2,3,4] by 1,2,0', [operand([2, 3, 4])], [[1, 2, 0]]),
      ordinary('rank 6', [operand([2, 1, 2, 1, 3, 2])], [[5, 0, 4, 1, 2, 3]]),
      ordinary('no elements', [operand([0, 3])]),
    ],
  }),
  row('broadcastTo', {
    cases: [
      ordinary('[3] to [2,3]', [operand([3])], [[2, 3]]),
      ordinary('[2,1,3] to [4,2,2,3]', [operand([2, 1, 3])], [[4, 2, 2, 3]]),
      ordinary('[] to [2,2]', [operand([])], [[2, 2]]),
    ],
  }),
  row('slice', {
    cases: [
      ordinary('[7]', [operand([7])], [[2], [3]]),
      ordinary(
        '[3,4]',
        [operand([3, 4])],
        [
          [1, 0],
          [2, 3],
        ],
      ),
      ordinary(
        'to the end',
        [operand([3, 4])],
        [
          [1, 2],
          [-1, -1],
        ],
      ),
      ordinary(
        'rank 6',
        [operand([2, 1, 2, 1, 3, 2])],
        [
          [0, 0, 1, 0, 1, 0],
          [2, 1, 1, 1, 2, 1],
        ],
      ),
      ordinary(
        'nothing',
        [operand([3, 4])],
        [
          [1, 2],
          [0, 2],
        ],
      ),
    ],
  }),
  row('stridedSlice', {
    cases: [
      ordinary('[7] by 2', [operand([7])], [[1], [6], [2]]),
      ordinary(
        '[3,4]',
        [operand([3, 4])],
        [
          [0, 1],
          [3, 4],
          [2, 2],
        ],
      ),
      ordinary('backwards', [operand([5])], [[4], [0], [-2]]),
      ordinary('from the end', [operand([5])], [[-4], [-1], [1]]),
    ],
  }),
  row('pad', {
    cases: [
      ordinary('[3]', [operand([3])], [[[1, 2]]]),
      ordinary(
        '[2,3] with 1.5',
        [operand([2, 3])],
        [
          [
            [0, 1],
            [2, 0],
          ],
          1.5,
        ],
      ),
      ordinary(
        'rank 4',
        [operand([2, 1, 2, 2])],
        [
          [
            [1, 0],
            [0, 0],
            [0, 2],
            [1, 1],
          ],
        ],
      ),
      ordinary(
        'no elements',
        [operand([0, 2])],
        [
          [
            [1, 1],
            [0, 0],
          ],
        ],
      ),
    ],
  }),
  row('mirrorPad', {
    gradients: [true],
    cases: ['reflect', 'symmetric'].flatMap((mode) => [
      ordinary(`[4], ${mode}`, [operand([4])], [[[2, 1]], mode]),
      ordinary(
        `[3,4], ${mode}`,
        [operand([3, 4])],
        [
          [
            [1, 2],
            [0, 2],
          ],
          mode,
        ],
      ),
    ]),
  }),
  row('concat', {
    gradients: [true, true],
    ours: (g, x, [axis]) => g.concat(x, axis),
    theirs: (tf, x, [axis]) => tf.concat(x, axis),
    cases: [
      ordinary('[2] [3]', [operand([2]), operand([3])], [0]),
      ordinary('[2,3] [2,1] along 1', [operand([2, 3]), operand([2, 1])], [1]),
      ordinary('[2,3] [4,3] along 0', [operand([2, 3]), operand([4, 3])], [0]),
      ordinary('three along -1', [operand([2, 3]), operand([2, 1]), operand([2, 2])], [-1]),
      ordinary('one has no elements', [operand([0, 3]), operand([2, 3])], [0]),
    ],
  }),
  row('reverse', {
    cases: [
      ordinary('[7]', [operand([7])], [0]),
      ordinary('[2,3]', [operand([2, 3])]),
      ordinary('[2,3,4] along 0 and -1', [operand([2, 3, 4])], [[0, -1]]),
      ordinary('no elements', [operand([0, 3])], [1]),
    ],
  }),
  row('tile', {
    cases: [
      ordinary('[3] by 2', [operand([3])], [[2]]),
      ordinary('[2,3] by 2, 3', [operand([2, 3])], [[2, 3]]),
      ordinary('[1,2,2,1]', [operand([1, 2, 2, 1])], [[2, 1, 2, 3]]),
    ],
  }),
  row('stack', {
    gradients: [true, true],
    ours: (g, x, [axis]) => g.stack(x, axis),
    theirs: (tf, x, [axis]) => tf.stack(x, axis),
    cases: [
      ordinary('two numbers', [operand([]), operand([])], [0]),
      ordinary('[2,3] along 1', [operand([2, 3]), operand([2, 3])], [1]),
      ordinary('[2,3] along -1', [operand([2, 3]), operand([2, 3])], [-1]),
    ],
  }),
  row('unstack', {
    ours: (g, [x], [axis]) => g.unstack(x, axis)[1],
    theirs: (tf, [x], [axis]) => tf.unstack(x, axis)[1],
    cases: [
      ordinary('[3] at 1', [operand([3])], [0]),
      ordinary('[2,3] along 1, at 1', [operand([2, 3])], [1]),
    ],
  }),
  row('split', {
    ours: (g, [x], args) => g.split(x, ...args)[1],
    theirs: (tf, [x], args) => tf.split(x, ...args)[1],
    cases: [
      ordinary('[6] in 3', [operand([6])], [3, 0]),
      ordinary('[2,5] in 2 and 3', [operand([2, 5])], [[2, 3], 1]),
    ],
  }),
  ...['zeros', 'ones'].map((name) =>
    row(name, { cases: SHAPES.map((shape) => ordinary(text(shape), [], [shape])) }),
  ),
  ...['zerosLike', 'onesLike'].map((name) => unary(name, { gradients: [] })),
  row('eye', {
    cases: [[0], [3], [2, 4], [4, 2], [3, 0], [2, 3, [2]], [2, 2, [1, 2]]].map((args) =>
      ordinary(JSON.stringify(args), [], args),
    ),
  }),
  row('linspace', {
    tolerance: 10, // TensorFlow.js adds a step nine times, and rounds each sum
    cases: [
      [0, 9, 10],
      [1, -2, 7],
      [0.1, 0.7, 10],
      [5, 5, 3],
      [2, 7, 1],
    ].map((args) => ordinary(args.join(' '), [], args)),
  }),
];
