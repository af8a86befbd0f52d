/* Convolutions and pools as JavaScript offers them: arguments, shapes and messages. Values and
 * gradients are compared with TensorFlow's in golden-linear.test.js, and
 * differentiated numerically in C. */
import { IndexError, OptionError, ShapeError } from 'gradlock';
import { testRefusals, testResults } from './op-tables.js';

/** An image of 3 × 3 with one channel. */
const IMAGE = [
  [[1], [2], [3]],
  [[4], [5], [6]],
  [[7], [8], [9]],
];
/** Filters of 2 × 2, 1 × 1 and 2 × 1 × 2, each from one channel to one. */
const SQUARE = [
  [[[1]], [[10]]],
  [[[100]], [[1000]]],
];
const SINGLE = [[[[2]]]];

testResults([
  [(g) => g.conv2d(IMAGE, SQUARE), '[[[5421],[6532]],[[8754],[9865]]]'],
  [(g) => g.conv2d([IMAGE], SQUARE, 1, 'valid', 'NHWC'), '[[[[5421],[6532]],[[8754],[9865]]]]'],
  [(g) => g.conv2d(IMAGE, SQUARE, 2, 'same'), '[[[5421],[603]],[[87],[9]]]'],
  [(g) => g.conv2d(IMAGE, SINGLE, [2, 1]), '[[[2],[4],[6]],[[14],[16],[18]]]'],
  [(g) => g.conv2d(IMAGE, SQUARE, 1, 'valid', 'NHWC', 2), '[[[9731]]]'],
  [(g) => g.conv2d(IMAGE, SQUARE, 1, 'valid', 'NHWC', [1, 2]), '[[[6431]],[[9764]]]'],
  [(g) => g.conv2dTranspose([[[1]]], SQUARE, [2, 2, 1]), '[[[1],[10]],[[100],[1000]]]'],
  [
    (g) => g.conv2dTranspose([[[1], [2]]], SINGLE, [1, 4, 1], [1, 2], 'same'),
    '[[[2],[0],[4],[0]]]',
  ],
  [(g) => g.maxPool(IMAGE, 2), '[[[5]]]'],
  [(g) => g.maxPool(IMAGE, 2, 1), '[[[5],[6]],[[8],[9]]]'],
  [(g) => g.maxPool(IMAGE, [1, 3], 1, 'same'), '[[[2],[3],[3]],[[5],[6],[6]],[[8],[9],[9]]]'],
  [(g) => g.avgPool(IMAGE, 2, 2, 'same'), '[[[3],[4.5]],[[7.5],[9]]]'],
  [(g) => g.avgPool(g.tensor([], [0, 5, 5, 2]), [2, 1]), '[]'],
  // The largest windows there can be, which take no longer than what of them is inside.
  [(g) => g.avgPool(IMAGE, 2 ** 29, 2, 'same'), '[[[5],[5]],[[5],[5]]]'],
  [
    (g) => g.grad((x) => g.maxPool(x, 2 ** 29, 1, 'same'))(IMAGE),
    '[[[0],[0],[0]],[[0],[0],[0]],[[0],[0],[9]]]',
  ],
]);

testRefusals([
  [(g) => g.conv2d([[1]], SQUARE), ShapeError, /\[1,1\].*images/],
  [(g) => g.conv2d(IMAGE, [[1]]), ShapeError, /filter has shape \[1,1\]/],
  [(g) => g.conv2d([[[1, 2]]], SQUARE), ShapeError, /\[1,1,2\].* 1 channels/],
  [(g) => g.conv2d([[[1], [2]]], SQUARE), ShapeError, /2 x 2 .*unless padding is 'same'/],
  [(g) => g.conv2d(IMAGE, SQUARE, 0), ShapeError, /stride is 0/],
  [(g) => g.conv2d(IMAGE, SQUARE, 1.5), IndexError, /strides\[0\] must be an integer, got 1.5/],
  [
    (g, any) => g.conv2d(IMAGE, SQUARE, any([1, 2, 3])),
    ShapeError,
    /strides must be a number or a pair/,
  ],
  [(g, any) => g.conv2d(IMAGE, SQUARE, any('2')), TypeError, /strides must be an array/],
  [
    (g, any) => g.conv2d(IMAGE, SQUARE, 1, any(1)),
    TypeError,
    /pad must be 'valid' or 'same', got 1/,
  ],
  [(g, any) => g.conv2d(IMAGE, SQUARE, 1, any('SAME')), OptionError, /got "SAME"/],
  [(g, any) => g.conv2d(IMAGE, SQUARE, 1, 'same', any('NCHW')), OptionError, /'NHWC'/],
  [(g) => g.conv2d(IMAGE, SQUARE, 1, 'same', 'NHWC', 0), ShapeError, /dilation is 0/],
  [
    (g) => g.conv2dTranspose(IMAGE, SQUARE, [1, 4, 4, 1]),
    ShapeError,
    /outputShape is \[1, 4, 4, 1\]/,
  ],
  [(g) => g.conv2dTranspose(IMAGE, SQUARE, [4, 4, 2]), ShapeError, /outputShape is \[4, 4, 2\]/],
  [(g) => g.conv2dTranspose(5, SQUARE, [1]), ShapeError, /outputShape is \[1\]/],
  [(g) => g.conv2dTranspose(IMAGE, SQUARE, [4, 1]), ShapeError, /outputShape is \[4, 1\]/],
  [(g) => g.conv2dTranspose(IMAGE, SQUARE, [5, 4, 1]), ShapeError, /\[5,4,1\] give \[4,3,1\]/],
  [(g, any) => g.conv2dTranspose(IMAGE, SQUARE, any(4)), TypeError, /outputShape must be an array/],
  [(g) => g.maxPool(IMAGE, 4), ShapeError, /windows of 4 x 4 do not fit/],
  [(g) => g.maxPool(IMAGE, 0), ShapeError, /is 0, expected 1/],
  [(g, any) => g.maxPool(IMAGE, any([2])), ShapeError, /filterSize must be a number or a pair/],
  [(g, any) => g.avgPool(IMAGE, any(undefined)), TypeError, /filterSize must be an array/],
  [(g) => g.avgPool([1, 2], 2), ShapeError, /\[2\].*images/],
]);
