/* Parity of convolutions and pools. */
import { operand, ordinary, row, special, given } from './cases.js';

const { POSITIVE_INFINITY, NaN: NOT_A_NUMBER } = Number;

/**
 * Images, windows, strides and padding that pools are tried on: each of the draws' values is alone.
 * @param {import('./cases.js').Draw} draw
 */
const pooled = (draw) => [
  ordinary('2 × 2 windows beside each other', [operand([2, 4, 6, 3], draw)], [2, 2, 'valid']),
  ordinary('windows that overlap', [operand([1, 5, 4, 5], draw)], [[3, 2], 1, 'valid']),
  ordinary('windows with gaps', [operand([1, 7, 5, 1], draw)], [2, 3, 'valid']),
  ordinary('same, odd sizes', [operand([2, 5, 7, 2], draw)], [2, 2, 'same']),
  ordinary('same, even windows', [operand([1, 3, 4, 2], draw)], [[2, 4], 1, 'same']),
  ordinary('same, a window larger than its image', [operand([1, 2, 2, 1], draw)], [5, 2, 'same']),
  ordinary('one image without a batch', [operand([4, 4, 2], draw)], [2, 2, 'valid']),
  ordinary('images of one element', [operand([3, 1, 1, 4], draw)], [1, 1, 'valid']),
  ordinary('no images', [operand([0, 4, 4, 1], draw)], [2, 2, 'valid']),
];

/** @type {[string, import('./cases.js').Row][]} */
export const ROWS = [
  row('conv2d', {
    tolerance: 'sum',
    gradients: [true, true],
    cases: [
      ordinary('valid', [operand([2, 5, 6, 3]), operand([3, 2, 3, 5])], [1, 'valid']),
      ordinary('same', [operand([2, 5, 6, 2]), operand([3, 3, 2, 4])], [1, 'same']),
      ordinary('same, even filters', [operand([1, 4, 5, 1]), operand([2, 4, 1, 2])], [1, 'same']),
      ordinary('strides', [operand([1, 7, 8, 2]), operand([3, 2, 2, 3])], [[2, 3], 'valid']),
      ordinary(
        'strides, same, odd padding',
        [operand([2, 6, 5, 1]), operand([3, 2, 1, 3])],
        [[2, 2], 'same'],
      ),
      ordinary(
        'a stride beyond the filter',
        [operand([1, 7, 7, 1]), operand([2, 2, 1, 2])],
        [3, 'valid'],
      ),
      ordinary(
        'same, a filter larger than its image',
        [operand([1, 2, 3, 1]), operand([5, 5, 1, 2])],
        [1, 'same'],
      ),
      ordinary(
        'dilations',
        [operand([1, 7, 8, 2]), operand([3, 2, 2, 3])],
        [1, 'valid', 'NHWC', [2, 3]],
      ),
      ordinary(
        'dilations, same',
        [operand([1, 5, 5, 1]), operand([2, 3, 1, 2])],
        [1, 'same', 'NHWC', 2],
      ),
      ordinary('1 × 1 filters', [operand([2, 3, 3, 4]), operand([1, 1, 4, 9])], [1, 'valid']),
      ordinary('1 × 1 images', [operand([3, 1, 1, 4]), operand([1, 1, 4, 2])], [1, 'same']),
      ordinary(
        'one image without a batch',
        [operand([4, 4, 2]), operand([2, 2, 2, 3])],
        [1, 'valid'],
      ),
      ordinary('no images', [operand([0, 4, 4, 1]), operand([2, 2, 1, 2])], [1, 'valid']),
      special(
        'special numbers',
        [
          given([1, POSITIVE_INFINITY, -0, 2, NOT_A_NUMBER, 3], [1, 2, 3, 1]),
          given([1], [1, 1, 1, 1]),
        ],
        [1, 'valid'],
      ),
    ],
  }),
  row('depthwiseConv2d', {
    tolerance: 'sum',
    gradients: [true, true],
    cases: [
      ordinary('valid', [operand([2, 5, 6, 5]), operand([3, 2, 5, 1])], [1, 'valid']),
      ordinary('same', [operand([2, 5, 6, 4]), operand([3, 3, 4, 1])], [1, 'same']),
      ordinary('several outputs', [operand([1, 4, 5, 3]), operand([2, 2, 3, 2])], [1, 'valid']),
      ordinary('strides', [operand([1, 7, 8, 2]), operand([3, 2, 2, 1])], [2, 'same']),
      ordinary(
        'a filter larger than its image',
        [operand([1, 2, 3, 1]), operand([5, 5, 1, 2])],
        [1, 'same'],
      ),
      ordinary(
        'one image without a batch',
        [operand([4, 4, 2]), operand([2, 2, 2, 1])],
        [1, 'valid'],
      ),
    ],
  }),
  row('conv2dTranspose', {
    tolerance: 'sum',
    gradients: [true, true],
    cases: [
      ordinary('valid', [operand([2, 3, 4, 5]), operand([3, 2, 3, 5])], [[2, 5, 5, 3], 1, 'valid']),
      ordinary(
        'strides, same',
        [operand([1, 3, 4, 2]), operand([3, 3, 4, 2])],
        [[1, 5, 8, 4], 2, 'same'],
      ),
      ordinary(
        'strides beyond the filter',
        [operand([1, 2, 2, 1]), operand([2, 2, 1, 1])],
        [[1, 6, 5, 1], 3, 'valid'],
      ),
      ordinary('one image', [operand([2, 2, 3]), operand([2, 2, 1, 3])], [[4, 4, 1], 2, 'valid']),
    ],
  }),
  row('maxPool', {
    cases: [
      ...pooled('apart'),
      ordinary('ties', [operand([2, 4, 6, 3], 'whole')], [2, 1, 'valid']),
    ],
  }),
  row('avgPool', { tolerance: 'sum', cases: pooled('any') }),
];
