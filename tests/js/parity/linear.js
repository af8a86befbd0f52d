/* Parity of linear algebra. */
import { FEW, given, operand, ordinary, row, special } from './cases.js';

/** @typedef {import('./cases.js').Row} Row */

/** @type {[string, Row][]} */
export const ROWS = [
  row('matMul', {
    tolerance: 'sum',
    gradients: [true, true],
    theirs: (tf, [a, b], [{ transposeA = false, transposeB = false } = {}]) =>
      tf.matMul(a, b, transposeA, transposeB),
    cases: [
      ordinary('[2,3] [3,4]', [operand([2, 3]), operand([3, 4])]),
      ordinary('first transposed', [operand([3, 2]), operand([3, 4])], [{ transposeA: true }]),
      ordinary('second transposed', [operand([2, 3]), operand([4, 3])], [{ transposeB: true }]),
      ordinary(
        'both',
        [operand([3, 2]), operand([4, 3])],
        [{ transposeA: true, transposeB: true }],
      ),
      ordinary('[17,9] [9,5]', [operand([17, 9]), operand([9, 5])]),
      ordinary('batches', [operand([3, 2, 4]), operand([3, 4, 2])]),
      ordinary('a batch that broadcasts', [operand([1, 2, 4]), operand([3, 4, 2])]),
      ordinary('two axes of batches', [operand([2, 3, 2, 2]), operand([2, 1, 2, 3])]),
      ordinary('sums of nothing', [operand([2, 0]), operand([0, 3])]),
      ordinary('no rows', [operand([0, 2]), operand([2, 3])]),
      special('special numbers', [
        given(FEW.slice(0, 4), [2, 2]),
        given([1, Number.POSITIVE_INFINITY, Number.NaN, 0], [2, 2]),
      ]),
    ],
  }),
  row('dot', {
    tolerance: 'sum',
    gradients: [true, true],
    cases: [
      ordinary('[5] [5]', [operand([5]), operand([5])]),
      ordinary('[2,3] [3]', [operand([2, 3]), operand([3])]),
      ordinary('[2,3] [3,2]', [operand([2, 3]), operand([3, 2])]),
      ordinary('[3] [3,2]', [operand([3]), operand([3, 2])]),
    ],
  }),
  row('outerProduct', {
    gradients: [true, true],
    cases: [
      ordinary('[3] [4]', [operand([3]), operand([4])]),
      ordinary('[1] [1]', [operand([1]), operand([1])]),
    ],
  }),
  row('einsum', {
    tolerance: 'sum',
    gradients: [true, true],
    ours: (g, x, [equation]) => g.einsum(equation, ...x),
    theirs: (tf, x, [equation]) => tf.einsum(equation, ...x),
    cases: [
      ordinary('a product of matrices', [operand([2, 3]), operand([3, 4])], ['ij,jk->ik']),
      ordinary('batches', [operand([2, 3, 4]), operand([2, 4, 2])], ['bij,bjk->bik']),
      ordinary('over two axes', [operand([2, 3, 4]), operand([3, 4, 5])], ['ijk,jkl->il']),
      ordinary('the outer product', [operand([3]), operand([4])], ['i,j->ij']),
      ordinary('the dot product', [operand([5]), operand([5])], ['i,i->']),
    ],
  }),
];
