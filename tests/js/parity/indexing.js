/* Parity of ops that pick and place elements by index. TensorFlow.js wants indices as integers. */
import { operand, given, ordinary, row } from './cases.js';

/** @typedef {import('./cases.js').Row} Row */

/** @param {any} tf @param {any} x */
const whole = (tf, x) => tf.cast(x, 'int32');

/** @type {[string, Row][]} */
export const ROWS = [
  row('gather', {
    gradients: [true, false],
    theirs: (tf, [x, indices], [axis, batchDims]) =>
      tf.gather(x, whole(tf, indices), axis, batchDims),
    cases: [
      ordinary('[5] at [3]', [operand([5]), given([4, 0, 4])], [0]),
      ordinary('[3,4] rows', [operand([3, 4]), given([2, 0, 0])], [0]),
      ordinary('[3,4] columns', [operand([3, 4]), given([3, 1], [2, 1])], [1]),
      ordinary('nothing', [operand([3, 4]), given([])], [0]),
      ordinary('batches', [operand([2, 3, 2]), given([2, 0, 1, 1], [2, 2])], [1, 1]),
    ],
  }),
  row('embeddingLookup', {
    gradients: [true, false],
    theirs: (tf, [table, ids]) => tf.gather(table, whole(tf, ids)),
    cases: [ordinary('words', [operand([3, 4]), given([2, 0, 0, 1], [2, 2])])],
  }),
  row('gatherNd', {
    gradients: [true, false],
    theirs: (tf, [x, indices]) => tf.gatherND(x, whole(tf, indices)),
    cases: [
      ordinary('elements', [operand([3, 4]), given([0, 1, 2, 3, 0, 1], [3, 2])]),
      ordinary('rows', [operand([3, 4]), given([2, 0], [2, 1])]),
    ],
  }),
  row('scatterNd', {
    gradients: [false, true],
    theirs: (tf, [indices, updates], [shape]) => tf.scatterND(whole(tf, indices), updates, shape),
    cases: [
      ordinary('elements', [given([1, 3], [2, 1]), operand([2])], [[5]]),
      ordinary('duplicates add', [given([1, 3, 1], [3, 1]), operand([3])], [[5]]),
      ordinary('rows', [given([2, 0], [2, 1]), operand([2, 3])], [[4, 3]]),
    ],
  }),
  row('tensorScatterNdUpdate', {
    gradients: [true, false, true],
    theirs: (tf, [x, indices, updates]) => tf.tensorScatterUpdate(x, whole(tf, indices), updates),
    cases: [
      ordinary('elements', [operand([5]), given([1, 3], [2, 1]), operand([2])]),
      ordinary('rows', [operand([4, 3]), given([2, 0], [2, 1]), operand([2, 3])]),
    ],
  }),
  row('unsortedSegmentSum', {
    gradients: [true, false],
    theirs: (tf, [x, ids], [count]) => tf.unsortedSegmentSum(x, whole(tf, ids), count),
    cases: [
      ordinary('[5]', [operand([5]), given([0, 2, 0, 1, 2])], [4]),
      ordinary('[3,2]', [operand([3, 2]), given([1, 1, 0])], [2]),
    ],
  }),
  row('oneHot', {
    gradients: [],
    theirs: (tf, [indices], args) => tf.oneHot(whole(tf, indices), ...args),
    cases: [
      ordinary('[3]', [given([0, 2, 1])], [3]),
      ordinary('[2,2] of 5 and -1', [given([0, 2, 1, 3], [2, 2])], [4, 5, -1]),
    ],
  }),
  row('topK', {
    ours: (g, [x], [k]) => g.topK(x, k).values,
    theirs: (tf, [x], [k]) => tf.topk(x, k).values,
    cases: [
      ordinary('2 of [7]', [operand([7], 'apart')], [2]),
      ordinary('3 of [2,5]', [operand([2, 5], 'apart')], [3]),
    ],
  }),
];
