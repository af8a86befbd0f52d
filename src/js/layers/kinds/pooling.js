// Pooling layers. Source: keras/src/layers/pooling/*.py of Keras 3.15.
import * as field from '../config/fields.js';
import { RowWise } from '../layer/row-wise.js';
import { pool, windowedShape } from './windows.js';

/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { RunOptions } from '../layer/layer.js' */
/** @import { Kind } from '../layer/row-wise.js' */
/** @template {1 | 2 | 3} Axes @param {Axes} axes The axes that windows slide along. */
const windows = (axes) => ({
  /** The sizes of the window. Default: 2. */
  poolSize: field.counts(axes, 2),
  /** The step of the window along each axis. Default: poolSize. */
  strides: field.countsOrNull(axes, 1),
  /** The padding. Default: 'valid'. */
  padding: field.word('valid', ['valid', 'same']),
  /** The position of the channels; there is only one layout. */
  dataFormat: field.dataFormat,
});

/**
 * Makes a class for the maximum or the mean of each window.
 * @template {1 | 2 | 3} Axes
 * @param {string} name The name of the class.
 * @param {Axes} axes The axes that windows slide along.
 * @param {'maxPool' | 'avgPool'} op
 * @returns {Kind<ReturnType<typeof windows<Axes>>>}
 */
const pooling = (name, axes, op) =>
  class Pool extends RowWise {
    /** @override */ static className = name;
    /** @override */ static axisCount = axes + 2;
    /** @override */ static fields = windows(axes);

    /** The distance between windows. */
    get strides() {
      return this.config.strides ?? this.config.poolSize;
    }

    /** @override @param {any} shape */
    inferShape(shape) {
      const { poolSize, padding } = this.config;
      return [
        shape[0],
        ...windowedShape(shape, poolSize, { strides: this.strides, padding }),
        shape.at(-1),
      ];
    }

    /** @override @param {Tensor} x */
    call(x) {
      const { poolSize, padding } = this.config;
      return pool(this.g, op, x, poolSize, this.strides, padding);
    }

    /** @override */ getConfig() {
      return { ...super.getConfig(), strides: this.strides };
    }
  };

export const MaxPooling1D = pooling('MaxPooling1D', 1, 'maxPool');
export const MaxPooling2D = pooling('MaxPooling2D', 2, 'maxPool');
export const MaxPooling3D = pooling('MaxPooling3D', 3, 'maxPool');
export const AveragePooling1D = pooling('AveragePooling1D', 1, 'avgPool');
export const AveragePooling2D = pooling('AveragePooling2D', 2, 'avgPool');
export const AveragePooling3D = pooling('AveragePooling3D', 3, 'avgPool');

const whole = {
  /** The position of the channels; there is only one layout. */
  dataFormat: field.dataFormat,
  /** True to keep the pooled axes with size 1. Default: false. */
  keepdims: field.flag(false),
};

/**
 * Makes a class for the maximum or the mean over all positions of each channel.
 * @param {string} name The name of the class.
 * @param {number[]} axes
 * @param {'max' | 'mean'} op
 * @returns {Kind<typeof whole>}
 */
const globalPooling = (name, axes, op) =>
  class GlobalPool extends RowWise {
    /** @override */ static className = name;
    /** @override */ static axisCount = axes.length + 2;
    /** @override */ static fields = whole;
    /** @override */ static aliases = { keepDims: 'keepdims' };

    /** @override @param {any} shape */
    inferShape(shape) {
      const ones = this.config.keepdims ? axes.map(() => 1) : [];
      return [shape[0], ...ones, shape.at(-1)];
    }

    /** @override @param {Tensor} x @param {RunOptions} options */
    call(x, { mask }) {
      const { keepdims } = this.config;
      const { g } = this;
      if (!mask || op === 'max' || axes.length > 1) return g[op](x, axes, keepdims);
      const given = g.expandDims(mask, -1);
      return g.div(g.sum(g.where(given, x, 0), axes, keepdims), g.sum(given, axes, keepdims));
    }
  };

export const GlobalMaxPooling1D = globalPooling('GlobalMaxPooling1D', [1], 'max');
export const GlobalMaxPooling2D = globalPooling('GlobalMaxPooling2D', [1, 2], 'max');
export const GlobalMaxPooling3D = globalPooling('GlobalMaxPooling3D', [1, 2, 3], 'max');
export const GlobalAveragePooling1D = globalPooling('GlobalAveragePooling1D', [1], 'mean');
export const GlobalAveragePooling2D = globalPooling('GlobalAveragePooling2D', [1, 2], 'mean');
export const GlobalAveragePooling3D = globalPooling('GlobalAveragePooling3D', [1, 2, 3], 'mean');
