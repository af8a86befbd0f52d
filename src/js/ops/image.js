// Convolutions and pools of images, with the arguments of TensorFlow.js. Each row of the public op
// table has one method. C defines what a row computes, and its gradient.
import { formatShape, readChoice, readShape, sameShape } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { apply, prepare, shapeOf } from '../tensors/apply.js';
import { pairOf, windows } from './attributes.js';
import { NormalizeOps } from './normalize.js';
import { IDS, INSTANCE } from './table.js';

/** @import { TensorLike } from '../tensors/tensor.js' */
/** @typedef {number | readonly [vertical: number, horizontal: number]} Pair Both, or one each. */
/**
 * @typedef {'valid' | 'same'} Padding `valid`: windows are inside of the image. `same`: zeros are
 *   added around it, so that there are ⌈size / stride⌉ windows. If the number of zeros is odd, one
 *   more is added below and on the right, as in TensorFlow.
 */

/**
 * Convolutions and pools. Images are [batch, height, width, channels]; any axes before the last
 * three are batches, and there may be none. Shapes that do not fit, and windows that are larger
 * than an image without padding, throw ShapeError.
 */
export class ImageOps extends NormalizeOps {
  /**
   * Sums of products of a filter with every window of images: [n, h, w, inputs] and [height, width,
   * inputs, outputs] give [n, windows, windows, outputs]. Padding is zeros, which are multiplied
   * like other values.
   * @param {TensorLike} x
   * @param {TensorLike} filter
   * @param {Pair} [strides] The distance between windows. Default: 1.
   * @param {Padding} [pad] Default: 'valid'.
   * @param {'NHWC'} [dataFormat] The only format; the parameter exists so that calls of
   *   TensorFlow.js work here.
   * @param {Pair} [dilations] The distance between elements of a window. Default: 1.
   * @example
   * const image = g.tensor([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 3, 3, 1]);
   * const filter = g.tensor([1, 0, 0, -1], [2, 2, 1, 1]);
   * g.conv2d(image, filter).data(); // [-4, -4, -4, -4]
   * g.conv2d(image, filter, 1, 'same').data(); // [-4, -4, 3, -4, -4, 6, 7, 8, 9]
   */
  conv2d(x, filter, strides, pad, dataFormat, dilations) {
    return convolve(this, 'conv2d', x, filter, strides, pad, dataFormat, dilations);
  }

  /**
   * Sums of products of every channel's own filters with every window of images: [n, h, w,
   * channels] and [height, width, channels, multiplier] give [n, windows, windows, channels ·
   * multiplier], where the outputs of a channel are adjacent. Parts of a window outside of its
   * image are skipped.
   * @param {TensorLike} x
   * @param {TensorLike} filter
   * @param {Pair} [strides] Default: 1.
   * @param {Padding} [pad] Default: 'valid'.
   * @param {'NHWC'} [dataFormat] The only format.
   * @param {Pair} [dilations] Default: 1.
   * @example
   * const image = g.tensor([1, 10, 2, 20, 3, 30, 4, 40], [1, 2, 2, 2]);
   * const filter = g.tensor([1, 1, 0, 1, 0, 1, 1, 1], [2, 2, 2, 1]);
   * g.depthwiseConv2d(image, filter).data(); // [5, 100]
   * g.depthwiseConv2d(image, filter, 1, 'same').data(); // [5, 100, 2, 60, 3, 70, 4, 40]
   */
  depthwiseConv2d(x, filter, strides, pad, dataFormat, dilations) {
    return convolve(this, 'depthwiseConv2d', x, filter, strides, pad, dataFormat, dilations);
  }

  /**
   * The gradient of `conv2d` by its images, as in TensorFlow. x is [n, windows, windows, outputs],
   * the filter is [height, width, inputs, outputs]. The result has outputShape: conv2d would give
   * images of this shape the shape of x.
   * @param {TensorLike} x
   * @param {TensorLike} filter
   * @param {readonly number[]} outputShape [n, h, w, inputs]
   * @param {Pair} [strides] Default: 1.
   * @param {Padding} [pad] Default: 'valid'.
   * @example
   * const image = g.tensor([1, 2, 3, 4], [1, 2, 2, 1]);
   * const filter = g.tensor([1, 1, 1, 1], [2, 2, 1, 1]);
   * const grown = g.conv2dTranspose(image, filter, [1, 4, 4, 1], 2);
   * g.reshape(grown, [4, 4]).array(); // [[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]]
   */
  conv2dTranspose(x, filter, outputShape, strides, pad) {
    const op = 'conv2dTranspose';
    const instance = this[INSTANCE];
    const [a, b] = [
      prepare(instance, x, `${op}: the first operand`),
      prepare(instance, filter, `${op}: the second operand`),
    ];
    const shape = readShape(outputShape, instance.bridge.maxRank, `${op}: outputShape`);
    const sizes = shape.slice(-3, -1);
    const expected = [...shapeOf(a).slice(0, -3), ...sizes, ...shapeOf(b).slice(2, 3)];
    if (sizes.length < 2 || !sameShape(shape, expected)) {
      throw new ShapeError(
        `${op}: outputShape is ${formatShape(shape)}, expected [batch…, height, width, inputs] ` +
          `for x ${formatShape(shapeOf(a))} and a filter ${formatShape(shapeOf(b))}`,
      );
    }
    const attributes = [...windows(op, strides, pad, [1, 1]), ...sizes];
    return apply(instance, this[IDS].conv2dTranspose, 2, attributes, a, b);
  }

  /**
   * The largest of every window, channel by channel: from [n, h, w, channels] to [n, windows,
   * windows, channels]; NaN if any is. The gradient goes to the first of those that tie.
   * @param {TensorLike} x
   * @param {Pair} filterSize Height and width of a window.
   * @param {Pair} [strides] Default: filterSize, as in Keras.
   * @param {Padding} [pad] Default: 'valid'.
   * @example
   * const image = g.tensor([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 3, 3, 1]);
   * g.maxPool(image, 2, 1).data(); // [5, 6, 8, 9]
   * g.maxPool(image, 2, 2, 'same').data(); // [5, 6, 8, 9]
   */
  maxPool(x, filterSize, strides, pad) {
    return pool(this, 'maxPool', x, filterSize, strides, pad);
  }

  /**
   * The mean of every window's elements inside of the image, channel by channel: from [n, h, w,
   * channels] to [n, windows, windows, channels].
   * @param {TensorLike} x
   * @param {Pair} filterSize Height and width of a window.
   * @param {Pair} [strides] Default: filterSize, as in Keras.
   * @param {Padding} [pad] Default: 'valid'.
   * @example
   * const image = g.tensor([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 3, 3, 1]);
   * g.avgPool(image, 2, 1).data(); // [3, 4, 6, 7]
   * g.avgPool(image, 2, 2, 'same').data(); // [3, 4.5, 7.5, 9]
   */
  avgPool(x, filterSize, strides, pad) {
    return pool(this, 'avgPool', x, filterSize, strides, pad);
  }
}

/**
 * @param {ImageOps} ops
 * @param {'conv2d' | 'depthwiseConv2d'} name
 * @param {TensorLike} x
 * @param {TensorLike} filter
 * @param {unknown} strides
 * @param {unknown} pad
 * @param {unknown} dataFormat
 * @param {unknown} dilations
 */
const convolve = (ops, name, x, filter, strides, pad, dataFormat = 'NHWC', dilations = 1) => {
  readChoice(dataFormat, `${name}: dataFormat`, ['NHWC']);
  const attributes = windows(name, strides, pad, pairOf(dilations, `${name}: dilations`));
  return apply(ops[INSTANCE], ops[IDS][name], 2, attributes, x, filter);
};

/**
 * @param {ImageOps} ops
 * @param {'maxPool' | 'avgPool'} name
 * @param {TensorLike} x
 * @param {unknown} filterSize
 * @param {unknown} strides
 * @param {unknown} pad
 */
const pool = (ops, name, x, filterSize, strides = filterSize, pad) => {
  const size = pairOf(filterSize, `${name}: filterSize`);
  return apply(ops[INSTANCE], ops[IDS][name], 1, windows(name, strides, pad, size), x);
};
