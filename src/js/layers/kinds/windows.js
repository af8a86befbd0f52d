// Shared code of convolutions and pools. Time steps are images of height 1. Volumes are several
// images, one for each position along the depth.
import { product, windowed } from '../config/shapes.js';

/** @import { Gradlock } from '../../gradlock.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { OpenShape } from '../config/open-shapes.js' */
/**
 * @typedef {object} Windows
 * @property {readonly number[]} strides
 * @property {string} padding 'valid', 'same' or 'causal'.
 * @property {readonly number[]} dilationRate
 */

/**
 * Returns sizes for both axes of an image; time steps get a height of 1.
 * @param {readonly number[]} sizes
 * @returns {[number, number]}
 */
export const pairOf = (sizes) => /** @type {any} */ (sizes.length < 2 ? [1, ...sizes] : sizes);

/**
 * Applies a function of images, also to time steps.
 * @param {Gradlock} g
 * @param {Tensor} x
 * @param {(images: Tensor) => Tensor} call
 */
export const onImages = (g, x, call) =>
  x.rank > 3 ? call(x) : g.squeeze(call(g.expandDims(x, 1)), 1);

/** A kernel for images, also of time steps. @param {Gradlock} g @param {Tensor} kernel */
export const asImages = (g, kernel) => (kernel.rank > 3 ? kernel : g.expandDims(kernel, 0));

/**
 * Returns the sizes of the axes between batch and channels after windows slide along them.
 * @param {OpenShape} shape
 * @param {readonly number[]} taps
 * @param {Omit<Windows, 'dilationRate'> & Partial<Windows>} windows
 */
export const windowedShape = (shape, taps, { strides, padding, dilationRate }) =>
  shape.slice(1, -1).map((size, i) =>
    windowed(size, {
      taps: Number(taps[i]),
      stride: Number(strides[i]),
      padding,
      rate: Number(dilationRate?.[i] ?? 1),
    }),
  );

/** No padding of an axis. @type {[number, number]} */
const NONE = [0, 0];

/**
 * Adds zeros before the steps, so that no window reads later steps.
 * @param {Gradlock} g
 * @param {Tensor} x [batch, steps, channels]
 * @param {number} taps
 * @param {Windows} windows
 * @returns {[Tensor, 'valid' | 'same']} The padded x, and the padding that remains to be done.
 */
const padCausally = (g, x, taps, { padding, dilationRate }) => {
  if (padding !== 'causal') return [x, /** @type {'valid' | 'same'} */ (padding)];
  const before = (taps - 1) * Number(dilationRate[0]);
  const pads = /** @type {[number, number][]} */ ([NONE, [before, 0], NONE]);
  return [g.pad(x, pads), 'valid'];
};

/**
 * Computes a convolution of volumes as one of images, whose channels are all depths in the window.
 * @param {Gradlock} g
 * @param {Tensor} x [batch, depth, height, width, channels]
 * @param {Tensor} kernel [depth, height, width, channels, filters]
 * @param {Windows} windows
 */
const convolveVolumes = (g, x, kernel, { strides, padding, dilationRate }) => {
  const [batch = 0, depth = 0, ...image] = x.shape;
  const [taps = 0, height = 0, width = 0, channels = 0, filters = 0] = kernel.shape;
  const [stride = 1, ...strides2d] = strides;
  const [rate = 1, ...rates2d] = dilationRate;
  const steps = Number(windowed(depth, { taps, stride, padding, rate }));
  const reach = (steps - 1) * stride + 1;
  const missing = Math.max(reach + (taps - 1) * rate - depth, 0);
  const before = Math.floor(missing / 2);
  const padded = missing > 0 ? g.pad(x, [NONE, [before, missing - before], NONE, NONE, NONE]) : x;
  const seen = Array.from({ length: taps }, (_, tap) => {
    const from = tap * rate;
    const end = [batch, from + reach, ...image];
    return g.stridedSlice(padded, [0, from, 0, 0, 0], end, [1, stride, 1, 1, 1]);
  });
  const images = g.reshape(g.concat(seen, -1), [
    batch * steps,
    ...image.slice(0, 2),
    taps * channels,
  ]);
  const flat = g.reshape(g.transpose(kernel, [1, 2, 0, 3, 4]), [
    height,
    width,
    taps * channels,
    filters,
  ]);
  const y = g.conv2d(
    images,
    flat,
    pairOf(strides2d),
    /** @type {any} */ (padding),
    'NHWC',
    pairOf(rates2d),
  );
  return g.reshape(y, [batch, steps, ...y.shape.slice(1)]);
};

/**
 * Computes a convolution of time steps, images or volumes.
 * @param {Gradlock} g
 * @param {Tensor} x
 * @param {Tensor} kernel [...taps, channels, filters]
 * @param {Windows} windows
 * @returns {Tensor}
 */
export const convolve = (g, x, kernel, windows) => {
  if (x.rank > 4) return convolveVolumes(g, x, kernel, windows);
  const [padded, padding] = padCausally(g, x, Number(kernel.shape[0]), windows);
  const [strides, rate] = [pairOf(windows.strides), pairOf(windows.dilationRate)];
  return onImages(g, padded, (images) =>
    g.conv2d(images, asImages(g, kernel), strides, padding, 'NHWC', rate),
  );
};

/**
 * Computes the gradient of a convolution of volumes by its input. Each position along the depth
 * adds to as many positions of the result as the kernel is deep.
 * @param {Gradlock} g
 * @param {Tensor} x [batch, depth, height, width, channels]
 * @param {Tensor} kernel [depth, height, width, filters, channels]
 * @param {readonly number[]} sizes The sizes of the result: depth, height, width.
 * @param {readonly number[]} strides
 * @param {'valid' | 'same'} padding
 */
const convolveVolumesBack = (g, x, kernel, sizes, strides, padding) => {
  const [batch = 0, depth = 0, ...image] = x.shape;
  const [taps = 0, , , filters = 0] = kernel.shape;
  const [steps = 0, height = 0, width = 0] = sizes;
  const [stride = 1, ...strides2d] = strides;
  const images = g.reshape(x, [batch * depth, ...image]);
  const count = height * width * filters;
  const length = depth * stride + taps - 1;
  const parts = g.unstack(kernel, 0).map((filter, tap) => {
    const shape = [batch * depth, height, width, filters];
    const y = g.conv2dTranspose(
      images,
      filter,
      /** @type {any} */ (shape),
      pairOf(strides2d),
      padding,
    );
    const rows = g.reshape(y, [batch, depth, 1, count]);
    const spread = g.pad(rows, [NONE, NONE, [0, stride - 1], NONE]);
    const line = g.reshape(spread, [batch, depth * stride, count]);
    return g.pad(line, [NONE, [tap, taps - 1 - tap], NONE]);
  });
  const all = parts.reduce((a, b) => g.add(a, b));
  const overlap = (depth - 1) * stride + taps - steps;
  const before = padding === 'same' ? Math.floor(Math.max(overlap, 0) / 2) : 0;
  const behind = Math.max(before + steps - length, 0);
  const whole = behind > 0 ? g.pad(all, [NONE, [0, behind], NONE]) : all;
  return g.reshape(g.slice(whole, [0, before, 0], [-1, steps, -1]), [
    batch,
    steps,
    height,
    width,
    filters,
  ]);
};

/**
 * Computes the gradient of a convolution by its input, for time steps, images or volumes.
 * @param {Gradlock} g
 * @param {Tensor} x
 * @param {Tensor} kernel [...taps, filters, channels]
 * @param {readonly number[]} sizes The sizes of the result, without batch and channels.
 * @param {readonly number[]} strides
 * @param {'valid' | 'same'} padding
 * @returns {Tensor}
 */
export const convolveBack = (g, x, kernel, sizes, strides, padding) => {
  if (x.rank > 4) return convolveVolumesBack(g, x, kernel, sizes, strides, padding);
  const shape = [Number(x.shape[0]), ...pairOf(sizes), Number(kernel.shape.at(-2))];
  return onImages(g, x, (images) =>
    g.conv2dTranspose(
      images,
      asImages(g, kernel),
      /** @type {any} */ (shape),
      pairOf(strides),
      padding,
    ),
  );
};

/**
 * Computes a pool of time steps, images or volumes. Volumes are pooled along the depth last.
 * @param {Gradlock} g
 * @param {'maxPool' | 'avgPool'} op
 * @param {Tensor} x
 * @param {readonly number[]} taps
 * @param {readonly number[]} strides
 * @param {'valid' | 'same'} padding
 * @returns {Tensor}
 */
export const pool = (g, op, x, taps, strides, padding) => {
  if (x.rank < 5) return onImages(g, x, (y) => g[op](y, pairOf(taps), pairOf(strides), padding));
  const [batch = 0, depth = 0, ...image] = x.shape;
  const [deep = 1, ...taps2d] = taps;
  const [stride = 1, ...strides2d] = strides;
  const images = g.reshape(x, [batch * depth, ...image]);
  const flat = pool(g, op, images, taps2d, strides2d, padding);
  const [, height = 0, width = 0, channels = 0] = flat.shape;
  const rows = g.reshape(flat, [batch, depth, Number(product([height, width])), channels]);
  const y = pool(g, op, rows, [deep, 1], [stride, 1], padding);
  return g.reshape(y, [batch, Number(y.shape[1]), height, width, channels]);
};
