// Pools. Source: keras/src/layers/pooling/*.py of Keras 3.15.
import * as field from './fields.js';
import { Layer } from './layer.js';
import { onImages, pairOf } from './windows.js';

/** @typedef {import('../tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('./layer.js').CallOptions} CallOptions */
/** @typedef {import('./toolkit.js').LayerClass & typeof Layer} LayerClass */

/**
 * The largest or the mean of every window.
 * @param {string} name Of the class.
 * @param {number} axes That windows slide along.
 * @param {'maxPool' | 'avgPool'} op
 * @returns {LayerClass}
 */
const pool = (name, axes, op) =>
  class Pool extends Layer {
    /** @override */
    static className = name;
    /** @override */
    static axisCount = axes + 2;
    /** @override */
    static fields = {
      poolSize: field.counts(axes, 2),
      strides: field.countsOrNull(axes, 1),
      padding: field.word('valid', ['valid', 'same']),
      dataFormat: field.dataFormat,
    };

    /** @override @param {Tensor} x */
    call(x) {
      const { poolSize, strides, padding } = this.config;
      const { g } = this;
      return onImages(g, x, (y) =>
        g[op](y, pairOf(poolSize), pairOf(strides ?? poolSize), padding),
      );
    }

    /** @override */
    getConfig() {
      const { poolSize, strides } = this.config;
      return { ...super.getConfig(), strides: strides ?? poolSize };
    }
  };

export const MaxPooling1D = pool('MaxPooling1D', 1, 'maxPool');
export const MaxPooling2D = pool('MaxPooling2D', 2, 'maxPool');
export const AveragePooling1D = pool('AveragePooling1D', 1, 'avgPool');
export const AveragePooling2D = pool('AveragePooling2D', 2, 'avgPool');

/**
 * The largest or the mean of everything, channel by channel.
 * @param {string} name Of the class.
 * @param {number[]} axes
 * @param {'max' | 'mean'} op
 * @returns {LayerClass}
 */
const globalPool = (name, axes, op) =>
  class GlobalPool extends Layer {
    /** @override */
    static className = name;
    /** @override */
    static axisCount = axes.length + 2;
    /** @override */
    static fields = { dataFormat: field.dataFormat, keepdims: field.flag(false) };
    /** @override */
    static aliases = { keepDims: 'keepdims' };

    /** @override @param {Tensor} x @param {CallOptions} options */
    call(x, { mask }) {
      const { keepdims } = this.config;
      const { g } = this;
      if (!mask || op === 'max' || axes.length > 1) return g[op](x, axes, keepdims);
      const given = g.expandDims(mask, -1);
      return g.div(g.sum(g.where(given, x, 0), axes, keepdims), g.sum(given, axes, keepdims));
    }
  };

export const GlobalMaxPooling1D = globalPool('GlobalMaxPooling1D', [1], 'max');
export const GlobalMaxPooling2D = globalPool('GlobalMaxPooling2D', [1, 2], 'max');
export const GlobalAveragePooling1D = globalPool('GlobalAveragePooling1D', [1], 'mean');
export const GlobalAveragePooling2D = globalPool('GlobalAveragePooling2D', [1, 2], 'mean');
