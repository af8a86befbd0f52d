// Convolutions. Source: keras/src/layers/convolutional/*.py of Keras 3.15.
import { OptionError } from '../base/errors.js';
import { Affine } from './core.js';
import * as field from './fields.js';
import { onImages, pairOf } from './windows.js';

/** @typedef {import('../tensors/tensor.js').Tensor} Tensor */

/**
 * Options of windows.
 * @param {number} axes That they slide along.
 * @param {string[]} [paddings] Beside the usual ones.
 */
const windows = (axes, paddings = []) => ({
  kernelSize: field.counts(axes),
  strides: field.counts(axes, 1),
  padding: field.word('valid', ['valid', 'same', ...paddings]),
  dataFormat: field.dataFormat,
  dilationRate: field.counts(axes, 1),
  ...field.affine,
  activityRegularizer: field.regularizer(),
});

const kernel = { filters: field.count(), ...field.weight('kernel', 'GlorotUniform') };
const depthwise = {
  ...windows(2),
  depthMultiplier: field.count(1),
  ...field.weight('depthwise', 'GlorotUniform'),
  // Keras 2 wrote these, though nothing used them.
  groups: field.legacy(1),
  kernelInitializer: field.legacy(),
  kernelRegularizer: field.legacy(),
  kernelConstraint: field.legacy(),
};

/** Weights: kernel [height, width, inputs / groups, filters], bias [filters]. */
export class Conv2D extends Affine {
  /** @override */
  static className = 'Conv2D';
  /** @override */
  static axisCount = 4;
  /** @override */
  static fields = { ...windows(2), ...kernel, groups: field.count(1) };

  /** @override @param {any} inputShape */
  build(inputShape) {
    const { kernelSize, filters, groups } = this.config;
    const inputs = inputShape.at(-1);
    if (filters % groups || inputs % groups) {
      throw new OptionError(
        `${this.label}: ${inputs} inputs and ${filters} filters do not make ${groups} groups`,
      );
    }
    this.kernel = this.addFieldWeight('kernel', [
      ...kernelSize,
      inputs && inputs / groups,
      filters,
    ]);
    this.addBias(filters);
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { g, config } = this;
    const { kernelSize, strides, padding, groups } = config;
    const rate = pairOf(config.dilationRate);
    const weights = /** @type {Tensor} */ (this.kernel);
    const filters =
      weights.rank === 4
        ? weights
        : g.reshape(weights, [...pairOf(kernelSize), ...weights.shape.slice(-2)]);
    const isCausal = padding === 'causal';
    const before = (kernelSize[0] - 1) * rate[1];
    /** @param {Tensor} images @param {any} some */
    const convolve = (images, some) =>
      g.conv2d(images, some, pairOf(strides), isCausal ? 'valid' : padding, 'NHWC', rate);
    const y = onImages(
      g,
      isCausal
        ? g.pad(x, [
            [0, 0],
            [before, 0],
            [0, 0],
          ])
        : x,
      (images) => {
        if (groups === 1) return convolve(images, filters);
        const some = g.split(filters, groups, -1);
        return g.concat(
          g.split(images, groups, -1).map((part, i) => convolve(part, some[i])),
          -1,
        );
      },
    );
    return this.finish(y);
  }
}

/** Weights: kernel [width, inputs / groups, filters], bias [filters]. */
export class Conv1D extends Conv2D {
  /** @override */
  static className = 'Conv1D';
  /** @override */
  static axisCount = 3;
  /** @override */
  static fields = { ...windows(1, ['causal']), ...kernel, groups: field.count(1) };
}

/** Weights: kernel [height, width, filters, inputs], bias [filters]. */
export class Conv2DTranspose extends Affine {
  /** @override */
  static className = 'Conv2DTranspose';
  /** @override */
  static axisCount = 4;
  /** @override */
  static fields = {
    ...windows(2),
    ...kernel,
    outputPadding: field.countsOrNull(2),
    dilationRate: field.counts(2, 1, 1, 1),
    groups: field.legacy(1),
  };

  /** @override @param {any} inputShape */
  build(inputShape) {
    const { kernelSize, filters } = this.config;
    this.kernel = this.addFieldWeight('kernel', [...kernelSize, filters, inputShape.at(-1)]);
    this.addBias(filters);
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { kernelSize, strides, padding, outputPadding, filters } = this.config;
    const sizes = x.shape.slice(1, 3).map((size, i) => {
      const [taps, stride] = [kernelSize[i], strides[i]];
      const isSame = padding === 'same';
      const more =
        outputPadding?.[i] ?? (isSame ? stride - (taps % 2) : Math.max(stride - taps, 0));
      return (size - 1) * stride + (isSame ? taps % 2 : taps) + more;
    });
    const shape = [x.shape[0], ...sizes, filters];
    const weights = /** @type {Tensor} */ (this.kernel);
    return this.finish(this.g.conv2dTranspose(x, weights, shape, strides, padding));
  }
}

/** Weights: kernel [height, width, inputs, multiplier], bias [inputs · multiplier]. */
export class DepthwiseConv2D extends Affine {
  /** @override */
  static className = 'DepthwiseConv2D';
  /** @override */
  static axisCount = 4;
  /** @override */
  static fields = depthwise;
  static weightName = 'kernel';

  /** @override @param {any} inputShape */
  build(inputShape) {
    const { kernelSize, depthMultiplier } = this.config;
    const { weightName } = /** @type {typeof DepthwiseConv2D} */ (this.constructor);
    const inputs = inputShape.at(-1);
    const shape = [...kernelSize, inputs, depthMultiplier];
    this.kernel = this.addFieldWeight(weightName, shape, 'depthwise');
    this.addOutputs(inputs && inputs * depthMultiplier);
  }

  /** @param {number} outputs Of the windows of each channel, together. */
  addOutputs(outputs) {
    this.addBias(outputs);
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { strides, padding, dilationRate } = this.config;
    const weights = /** @type {Tensor} */ (this.kernel);
    return this.finish(this.g.depthwiseConv2d(x, weights, strides, padding, 'NHWC', dilationRate));
  }
}

/**
 * Weights: depthwise_kernel [height, width, inputs, multiplier], pointwise_kernel [1, 1, inputs ·
 * multiplier, filters], bias [filters].
 */
export class SeparableConv2D extends DepthwiseConv2D {
  /** @override */
  static className = 'SeparableConv2D';
  /** @override */
  static fields = {
    ...depthwise,
    filters: field.count(),
    ...field.weight('pointwise', 'GlorotUniform'),
  };
  /** @override */
  static weightName = 'depthwise_kernel';

  /** @override @param {number} outputs */
  addOutputs(outputs) {
    const { filters } = this.config;
    this.pointwise = this.addFieldWeight('pointwise_kernel', [1, 1, outputs, filters], 'pointwise');
    this.addBias(filters);
  }

  /** @override @param {Tensor} y */
  finish(y) {
    return super.finish(this.g.conv2d(y, /** @type {Tensor} */ (this.pointwise)));
  }
}
