// Convolutions. Source: keras/src/layers/convolutional/*.py of Keras 3.15.
import { OptionError, ShapeError } from '../../base/errors.js';
import { Affine } from './core.js';
import * as field from '../config/fields.js';
import { expectSize, product, windowed } from '../config/shapes.js';
import { UNBUILT } from '../layer/weighted.js';
import { asImages, convolve, convolveBack, onImages, pairOf, windowedShape } from './windows.js';

/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Variable } from '../../locks/variable.js' */
/** @import { OpenShape } from '../config/open-shapes.js' */

/** @type {readonly ('valid' | 'same')[]} */
const PADDINGS = ['valid', 'same'];

/** Options of all convolutions. @template {1 | 2 | 3} Axes @template {string} Padding */
class WindowFields extends field.AffineFields {
  /** @internal @param {Axes} axes Of windows. @param {readonly Padding[]} paddings */
  constructor(axes, paddings) {
    super();
    /** The window: steps; height and width; or depth, height and width; or one size for all. */
    this.kernelSize = field.counts(axes);
    /** The step of the window along each axis. Default: 1. */
    this.strides = field.counts(axes, 1);
    /** The padding. `'causal'`, for steps only, uses no later steps. Default: 'valid'. */
    this.padding = field.word(paddings[0], paddings);
    /** The position of the channels; there is only one layout. */
    this.dataFormat = field.dataFormat;
  }
}

/** The options of a convolution with filters. */
class FilterFields extends field.KernelFields {
  /** Channels of the output. */
  filters = field.count();
}

/** @template {1 | 2 | 3} Axes @param {Axes} axes */
const dilated = (axes) => ({
  /** The distance between the elements that a window reads. Default: 1. */
  dilationRate: field.counts(axes, 1),
});

/**
 * @template {object} Windows
 * @template {1 | 2 | 3} Axes
 * @param {Windows} windows
 * @param {Axes} axes
 */
const conv = (windows, axes) =>
  field.join(windows, new FilterFields(), {
    ...dilated(axes),
    /** The number of groups of channels, each with its own filters. Default: 1. */
    groups: field.count(1),
  });

/** Weights: kernel [height, width, inputs / groups, filters], bias [filters]. */
export class Conv2D extends Affine {
  /** @override */ static className = 'Conv2D';
  /** @override */ static axisCount = 4;
  /** @override */ static fields = conv(new WindowFields(2, PADDINGS), 2);

  /** @override @param {any} inputShape */
  build(inputShape) {
    const { kernelSize, filters, groups } = this.config;
    const inputs = inputShape.at(-1);
    if (filters % groups || inputs % groups) {
      throw new OptionError(
        `${this.label}: ${inputs} channels and ${filters} filters cannot be split into ${groups} groups`,
      );
    }
    this.kernel = this.addFieldWeight('kernel', [
      ...kernelSize,
      inputs && inputs / groups,
      filters,
    ]);
    this.addBias(filters);
  }

  /** @override @param {any} shape */
  inferShape(shape) {
    const { kernelSize, filters, groups } = this.config;
    expectSize(shape, -1, this.built ? Number(this.kernel.shape.at(-2)) * groups : null);
    return this.finishShape([
      shape[0],
      ...windowedShape(shape, kernelSize, /** @type {any} */ (this.config)),
      filters,
    ]);
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { g } = this;
    /** @type {any} */
    const config = this.config;
    const { groups } = config;
    const weights = this.kernel;
    if (groups === 1) return this.finish(convolve(g, x, weights, config));
    const some = g.split(weights, groups, -1);
    const parts = g
      .split(x, groups, -1)
      .map((part, i) => convolve(g, part, /** @type {Tensor} */ (some[i]), config));
    return this.finish(g.concat(parts, -1));
  }
}

/** Weights: kernel [width, inputs / groups, filters], bias [filters]. */
export class Conv1D extends Conv2D {
  /** @override */ static className = 'Conv1D';
  /** @override */ static axisCount = 3;
  /** @override */ static fields = conv(new WindowFields(1, [...PADDINGS, 'causal']), 1);
}

/** Weights: kernel [depth, height, width, inputs / groups, filters], bias [filters]. */
export class Conv3D extends Conv2D {
  /** @override */ static className = 'Conv3D';
  /** @override */ static axisCount = 5;
  /** @override */ static fields = conv(new WindowFields(3, PADDINGS), 3);
}

/** @template {1 | 2 | 3} Axes @param {Axes} axes */
const transpose = (axes) =>
  field.join(new WindowFields(axes, PADDINGS), new FilterFields(), {
    /** The extra size of the output. Default: as small as possible. */
    outputPadding: field.countsOrNull(axes),
    dilationRate: ones(axes),
    groups: field.legacy(1),
  });

/** For sizes that must be 1. @param {1 | 2 | 3} axes @returns {field.Field<any, never, number>} */
const ones = (axes) => /** @type {any} */ (field.counts(axes, 1, 1, 1));

/** Weights: kernel [height, width, filters, inputs], bias [filters]. */
export class Conv2DTranspose extends Affine {
  /** @override */ static className = 'Conv2DTranspose';
  /** @override */ static axisCount = 4;
  /** @override */ static fields = transpose(2);

  /** @override @param {any} inputShape */
  build(inputShape) {
    const { kernelSize, filters } = this.config;
    this.kernel = this.addFieldWeight('kernel', [...kernelSize, filters, inputShape.at(-1)]);
    this.addBias(filters);
  }

  /** Returns the result's sizes, without batch and channels. @internal @param {OpenShape} shape */
  sizesOf(shape) {
    const { kernelSize, strides, padding, outputPadding } = this.config;
    return shape.slice(1, -1).map((size, i) => {
      const [taps, stride] = [kernelSize[i], strides[i]];
      const isSame = padding === 'same';
      const more =
        outputPadding?.[i] ?? (isSame ? stride - (taps % 2) : Math.max(stride - taps, 0));
      const last = (isSame ? taps % 2 : taps) + more;
      // A window on the output must lead back to one step of the input.
      if (last < 1 || windowed(last, { taps, stride, padding }) !== 1) {
        throw new ShapeError(
          `outputPadding of ${more} does not fit kernelSize ${taps} and strides of ${stride}`,
        );
      }
      return size === null ? null : (size - 1) * stride + last;
    });
  }

  /** @override @param {OpenShape} shape */
  inferShape(shape) {
    expectSize(shape, -1, this.built ? this.kernel.shape.at(-1) : null);
    return this.finishShape([shape[0] ?? null, ...this.sizesOf(shape), this.config.filters]);
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { strides, padding } = this.config;
    const sizes = /** @type {number[]} */ (this.sizesOf(/** @type {any} */ (x.shape)));
    const weights = this.kernel;
    return this.finish(convolveBack(this.g, x, weights, sizes, strides, padding));
  }
}

/** Weights: kernel [width, filters, inputs], bias [filters]. */
export class Conv1DTranspose extends Conv2DTranspose {
  /** @override */ static className = 'Conv1DTranspose';
  /** @override */ static axisCount = 3;
  /** @override */ static fields = transpose(1);
}

/** Weights: kernel [depth, height, width, filters, inputs], bias [filters]. */
export class Conv3DTranspose extends Conv2DTranspose {
  /** @override */ static className = 'Conv3DTranspose';
  /** @override */ static axisCount = 5;
  /** @override */ static fields = transpose(3);
}

/** @template {1 | 2 | 3} Axes @param {Axes} axes */
const depthwise = (axes) =>
  field.join(new WindowFields(axes, PADDINGS), {
    ...dilated(axes),
    /** The number of outputs for each channel. Default: 1. */
    depthMultiplier: field.count(1),
    /** The initial values of the depthwise kernel. Default: 'glorotUniform'. */
    depthwiseInitializer: field.initializer('GlorotUniform'),
    /** A penalty on these weights, added to the loss. */
    depthwiseRegularizer: field.regularizer(),
    /** A constraint on these weights, applied after each update. */
    depthwiseConstraint: field.constraint(),
    // Keras 2 wrote these options, but never used them.
    groups: field.legacy(1),
    kernelInitializer: field.legacy(),
    kernelRegularizer: field.legacy(),
    kernelConstraint: field.legacy(),
  });

/** @template {1 | 2 | 3} Axes @param {Axes} axes */
const separable = (axes) =>
  field.join(depthwise(axes), {
    /** Channels of the output. */
    filters: field.count(),
    /** The initial values of the pointwise kernel. Default: 'glorotUniform'. */
    pointwiseInitializer: field.initializer('GlorotUniform'),
    /** A penalty on these weights, added to the loss. */
    pointwiseRegularizer: field.regularizer(),
    /** A constraint on these weights, applied after each update. */
    pointwiseConstraint: field.constraint(),
  });

/** Weights: kernel [height, width, inputs, multiplier], bias [inputs · multiplier]. */
export class DepthwiseConv2D extends Affine {
  /** @override */ static className = 'DepthwiseConv2D';
  /** @override */ static axisCount = 4;
  /** @override */ static fields = depthwise(2);
  /** The kernel that mixes channels, only in separable convolutions. @type {Variable} */
  pointwise = UNBUILT;

  /** The name of the weight that convolves. @internal */
  get weightName() {
    return 'kernel';
  }

  /** @override @param {any} inputShape */
  build(inputShape) {
    const { kernelSize, depthMultiplier } = this.config;
    const inputs = inputShape.at(-1);
    const shape = [...kernelSize, inputs, depthMultiplier];
    this.kernel = this.addFieldWeight(this.weightName, shape, 'depthwise');
    const { filters } = this.config;
    if (filters) {
      const ones = kernelSize.map(() => 1);
      const pointwise = [...ones, inputs * depthMultiplier, filters];
      this.pointwise = this.addFieldWeight('pointwise_kernel', pointwise, 'pointwise');
    }
    this.addBias(filters ?? inputs * depthMultiplier);
  }

  /** @override @param {any} shape */
  inferShape(shape) {
    const { kernelSize, depthMultiplier, filters } = this.config;
    expectSize(shape, -1, this.built ? this.kernel.shape.at(-2) : null);
    const outputs = filters ?? product([shape.at(-1), depthMultiplier]);
    return this.finishShape([
      shape[0],
      ...windowedShape(shape, kernelSize, /** @type {any} */ (this.config)),
      outputs,
    ]);
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { g, config, pointwise } = this;
    const [strides, rate] = [pairOf(config.strides), pairOf(config.dilationRate)];
    const weights = asImages(g, this.kernel);
    return this.finish(
      onImages(g, x, (images) => {
        const y = g.depthwiseConv2d(images, weights, strides, config.padding, 'NHWC', rate);
        return pointwise ? g.conv2d(y, asImages(g, pointwise)) : y;
      }),
    );
  }
}

/** Weights: kernel [width, inputs, multiplier], bias [inputs · multiplier]. */
export class DepthwiseConv1D extends DepthwiseConv2D {
  /** @override */ static className = 'DepthwiseConv1D';
  /** @override */ static axisCount = 3;
  /** @override */ static fields = depthwise(1);
}

/**
 * Weights: depthwise_kernel [height, width, inputs, multiplier], pointwise_kernel [1, 1, inputs ·
 * multiplier, filters], bias [filters].
 */
export class SeparableConv2D extends DepthwiseConv2D {
  /** @override */ static className = 'SeparableConv2D';
  /** @override */ static fields = separable(2);

  /** @override */ get weightName() {
    return 'depthwise_kernel';
  }
}

/**
 * Weights: depthwise_kernel [width, inputs, multiplier], pointwise_kernel [1, inputs · multiplier,
 * filters], bias [filters].
 */
export class SeparableConv1D extends SeparableConv2D {
  /** @override */ static className = 'SeparableConv1D';
  /** @override */ static axisCount = 3;
  /** @override */ static fields = separable(1);
}
