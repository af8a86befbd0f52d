// Layers that move elements, repeat them or leave them out. Source: keras/src/layers/reshaping/*.py
// of Keras 3.15.
import { ShapeError } from '../base/errors.js';
import * as field from './fields.js';
import { Layer } from './layer.js';

/** @typedef {import('../tensors/tensor.js').Tensor} Tensor */

/** Another shape, but for the batch; one size may be -1. */
export class Reshape extends Layer {
  /** @override */
  static className = 'Reshape';
  /** @override */
  static fields = { targetShape: field.list(-1) };

  /** @override @param {Tensor} x */
  call(x) {
    return this.g.reshape(x, [x.shape[0], ...this.config.targetShape]);
  }
}

/** Axes in another order, counted from 1, the batch staying in front. */
export class Permute extends Layer {
  /** @override */
  static className = 'Permute';
  /** @override */
  static fields = { dims: field.list(1) };

  /** @override @param {Tensor} x */
  call(x) {
    return this.g.transpose(x, [0, ...this.config.dims]);
  }
}

/** [batch, size] n times: [batch, n, size]. */
export class RepeatVector extends Layer {
  /** @override */
  static className = 'RepeatVector';
  /** @override */
  static axisCount = 2;
  /** @override */
  static fields = { n: field.count() };

  /** @override @param {Tensor} x */
  call(x) {
    return this.g.tile(this.g.expandDims(x, 1), [1, this.config.n, 1]);
  }
}

/**
 * What a linear interpolation takes of each element: [size · times, size].
 * @param {number} size
 * @param {number} times
 */
const interpolation = (size, times) =>
  Array.from({ length: size * times }, (_, i) => {
    const at = (i + 0.5) / times - 0.5;
    const place = Math.min(Math.max(at, 0), size - 1);
    return Array.from({ length: size }, (__, j) => Math.max(1 - Math.abs(place - j), 0));
  });

/** Images of larger size. */
export class UpSampling2D extends Layer {
  /** @override */
  static className = 'UpSampling2D';
  /** @override */
  static axisCount = 4;
  /** @override */
  static fields = {
    size: field.counts(2, 2),
    dataFormat: field.dataFormat,
    interpolation: field.word('nearest', ['nearest', 'bilinear']),
  };

  /** @override @param {Tensor} x */
  call(x) {
    const { g } = this;
    const [n, h, w, c] = /** @type {number[]} */ (x.shape);
    const [a, b] = this.config.size;
    if (this.config.interpolation === 'nearest') {
      const parts = g.reshape(x, [n, h, 1, w, 1, c]);
      return g.reshape(g.tile(parts, [1, 1, a, 1, b, 1]), [n, h * a, w * b, c]);
    }
    const tall = g.matMul(interpolation(h, a), g.reshape(x, [n, h, w * c]));
    const wide = g.matMul(interpolation(w, b), g.reshape(tall, [n * h * a, w, c]));
    return g.reshape(wide, [n, h * a, w * b, c]);
  }
}

/** Zeros around images. */
export class ZeroPadding2D extends Layer {
  /** @override */
  static className = 'ZeroPadding2D';
  /** @override */
  static axisCount = 4;
  /** @override */
  static fields = { padding: field.sides(1), dataFormat: field.dataFormat };

  /** @override @param {Tensor} x */
  call(x) {
    return this.g.pad(x, [[0, 0], ...this.config.padding, [0, 0]]);
  }
}

/** The middle of images. */
export class Cropping2D extends Layer {
  /** @override */
  static className = 'Cropping2D';
  /** @override */
  static axisCount = 4;
  /** @override */
  static fields = { cropping: field.sides(0), dataFormat: field.dataFormat };

  /** @override @param {Tensor} x */
  call(x) {
    const [rows, columns] = this.config.cropping;
    const sizes = [rows, columns].map(([before, behind], i) => x.shape[i + 1] - before - behind);
    if (sizes.some((size) => size < 1)) {
      throw new ShapeError(`cropping leaves [${sizes}] of [${x.shape}]`);
    }
    return this.g.slice(x, [0, rows[0], columns[0], 0], [-1, ...sizes, -1]);
  }
}
