// Layers that move, repeat or remove elements. Source: Keras 3.15, keras/src/layers/reshaping/*.py.
import { ShapeError } from '../../base/errors.js';
import * as field from '../config/fields.js';
import { RowWise } from '../layer/row-wise.js';
import { product } from '../config/shapes.js';
import { formatOpen } from '../config/open-shapes.js';

/** @import { Gradlock } from '../../gradlock.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { OpenShape } from '../config/open-shapes.js' */
/** @import { Kind } from '../layer/row-wise.js' */

/** Changes all axes but the batch; one size may be -1. */
export class Reshape extends RowWise {
  /** @override */ static className = 'Reshape';
  /** @override */ static fields = {
    /** The new shape without the batch. A size of -1 is computed from the others. */
    targetShape: field.list(-1),
  };

  /** @override @param {OpenShape} shape */
  inferShape(shape) {
    /** @type {number[]} */
    const target = this.config.targetShape;
    const misfit = () =>
      new ShapeError(`${formatOpen(shape)} cannot be reshaped to ${formatOpen([null, ...target])}`);
    const size = product(shape.slice(1));
    const known = target.filter((each) => each >= 0).reduce((a, b) => a * b, 1);
    const isFree = target.length > target.filter((each) => each >= 0).length;
    if (target.indexOf(-1) !== target.lastIndexOf(-1)) throw misfit();
    if (size !== null && (isFree ? size % known !== 0 : size !== known)) throw misfit();
    const rest = size === null ? null : size / known;
    return [shape[0], ...target.map((each) => (each < 0 ? rest : each))];
  }

  /** @override @param {Tensor} x */
  call(x) {
    return this.g.reshape(x, [x.shape[0], ...this.config.targetShape]);
  }
}

/** Reorders the axes, counted from 1; the batch stays first. */
export class Permute extends RowWise {
  /** @override */ static className = 'Permute';
  /** @override */ static fields = {
    /** The new order of the axes, which are counted from 1, without the batch. */
    dims: field.list(1),
  };

  /** @override @param {OpenShape} shape */
  inferShape(shape) {
    /** @type {number[]} */
    const dims = this.config.dims;
    const isWhole = shape.every((_, axis) => axis === 0 || dims.includes(axis));
    if (!isWhole || dims.length !== shape.length - 1) {
      throw new ShapeError(
        `dims [${dims}] must contain each axis of ${formatOpen(shape)} once, except 0`,
      );
    }
    return [shape[0], ...dims.map((axis) => shape[axis])];
  }

  /** @override @param {Tensor} x */
  call(x) {
    return this.g.transpose(x, [0, ...this.config.dims]);
  }
}

/** Repeats its input n times: [batch, size] → [batch, n, size]. */
export class RepeatVector extends RowWise {
  /** @override */ static className = 'RepeatVector';
  /** @override */ static axisCount = 2;
  /** @override */ static fields = {
    /** The number of repetitions. */
    n: field.count(),
  };

  /** @override @param {OpenShape} shape */
  inferShape([batch, size]) {
    return [batch, this.config.n, size];
  }

  /** @override @param {Tensor} x */
  call(x) {
    return this.g.tile(this.g.expandDims(x, 1), [1, this.config.n, 1]);
  }
}

/** Weights of interpolation: [size · times, size]. @param {number} size @param {number} times */
const interpolation = (size, times) =>
  Array.from({ length: size * times }, (_, i) => {
    const at = (i + 0.5) / times - 0.5;
    const position = Math.min(Math.max(at, 0), size - 1);
    return Array.from({ length: size }, (__, j) => Math.max(1 - Math.abs(position - j), 0));
  });

/**
 * Makes an axis several times as long.
 * @param {Gradlock} g
 * @param {Tensor} x
 * @param {number} axis
 * @param {number} times
 * @param {boolean} isLinear True to interpolate between elements.
 */
const stretch = (g, x, axis, times, isLinear) => {
  const { shape } = x;
  const before = Number(product(shape.slice(0, axis)));
  const size = Number(shape[axis]);
  const inner = Number(product(shape.slice(axis + 1)));
  const y = isLinear
    ? g.matMul(interpolation(size, times), g.reshape(x, [before, size, inner]))
    : g.tile(g.reshape(x, [before * size, 1, inner]), [1, times, 1]);
  return g.reshape(
    y,
    shape.map((each, i) => (i === axis ? each * times : each)),
  );
};

/**
 * Makes a class that repeats each element several times along each axis.
 * @template {object} Fields
 * @param {string} name The name of the class.
 * @param {number} axes
 * @param {Fields} fields
 * @returns {Kind<Fields>}
 */
const upSampling = (name, axes, fields) =>
  class UpSampling extends RowWise {
    /** @override */ static className = name;
    /** @override */ static axisCount = axes + 2;
    /** @override */ static fields = fields;

    /** The number of repetitions along each axis. @returns {number[]} */
    get times() {
      return [1, ...[this.config.size].flat(), 1];
    }

    /** @override @param {OpenShape} shape */
    inferShape(shape) {
      return shape.map((size, axis) => product([size, Number(this.times[axis])]));
    }

    /** @override @param {Tensor} x */
    call(x) {
      const isLinear = this.config.interpolation === 'bilinear';
      return this.times.reduce(
        (y, times, axis) => (times > 1 ? stretch(this.g, y, axis, times, isLinear) : y),
        x,
      );
    }
  };

const layout = {
  /** The position of the channels; there is only one layout. */
  dataFormat: field.dataFormat,
};

/** Repeats each time step several times. */
export const UpSampling1D = upSampling('UpSampling1D', 1, {
  /** The number of repetitions. Default: 2. */
  size: field.count(2),
});
/** Makes images larger. */
export const UpSampling2D = upSampling('UpSampling2D', 2, {
  /** The number of repetitions along each axis. Default: 2. */
  size: field.counts(2, 2),
  ...layout,
  /** The interpolation. Default: 'nearest'. */
  interpolation: field.word('nearest', ['nearest', 'bilinear']),
});
/** Makes volumes larger. */
export const UpSampling3D = upSampling('UpSampling3D', 3, {
  /** The number of repetitions along each axis. Default: 2. */
  size: field.counts(3, 2),
  ...layout,
});

/**
 * Returns the amounts before and after each axis; they are 0 for the batch and the channels.
 * @param {any} sides One pair, or one for each axis.
 * @returns {[number, number][]}
 */
const pairsOf = (sides) => [[0, 0], ...(Array.isArray(sides[0]) ? sides : [sides]), [0, 0]];

/** @template {1 | 2 | 3} Axes @param {Axes} axes */
const padded = (axes) => ({
  /** One number for all axes, one for each axis, or [before, after] for each axis. Default: 1. */
  padding: field.sides(1, axes),
  ...layout,
});

/**
 * Makes a class that adds zeros around the axes between batch and channels.
 * @template {1 | 2 | 3} Axes
 * @param {string} name The name of the class.
 * @param {Axes} axes
 * @returns {Kind<ReturnType<typeof padded<Axes>>>}
 */
const zeroPadding = (name, axes) =>
  class ZeroPadding extends RowWise {
    /** @override */ static className = name;
    /** @override */ static axisCount = axes + 2;
    /** @override */ static fields = padded(axes);

    /** @override @param {OpenShape} shape */
    inferShape(shape) {
      const sides = pairsOf(this.config.padding);
      return shape.map((size, i) =>
        size === null ? null : size + Number(sides[i]?.[0]) + Number(sides[i]?.[1]),
      );
    }

    /** @override @param {Tensor} x */
    call(x) {
      return this.g.pad(x, pairsOf(this.config.padding));
    }
  };

export const ZeroPadding1D = zeroPadding('ZeroPadding1D', 1);
export const ZeroPadding2D = zeroPadding('ZeroPadding2D', 2);
export const ZeroPadding3D = zeroPadding('ZeroPadding3D', 3);

/**
 * Makes a class that removes the ends of the axes between batch and channels.
 * @template {object} Fields
 * @param {string} name The name of the class.
 * @param {number} axes
 * @param {Fields} fields
 * @returns {Kind<Fields>}
 */
const croppingOf = (name, axes, fields) =>
  class Cropping extends RowWise {
    /** @override */ static className = name;
    /** @override */ static axisCount = axes + 2;
    /** @override */ static fields = fields;

    /** @override @param {OpenShape} shape */
    inferShape(shape) {
      const sides = pairsOf(this.config.cropping);
      const sizes = shape.map((size, i) =>
        size === null ? null : size - Number(sides[i]?.[0]) - Number(sides[i]?.[1]),
      );
      if (sizes.every((size, i) => size === null || size > 0 || size === shape[i])) return sizes;
      throw new ShapeError(
        `cropping is too large: it turns ${formatOpen(shape)} into ${formatOpen(sizes)}`,
      );
    }

    /** @override @param {Tensor} x */
    call(x) {
      const sizes = this.inferShape([...x.shape]);
      const from = pairsOf(this.config.cropping).map(([before]) => before);
      return this.g.slice(x, from, /** @type {number[]} */ (sizes));
    }
  };

export const Cropping1D = croppingOf('Cropping1D', 1, {
  /** The amounts to remove, in the form of zeroPadding1d's padding. Default: 1. */
  cropping: field.sides(1, 1),
});
export const Cropping2D = croppingOf('Cropping2D', 2, {
  /** The amounts to remove, in the form of zeroPadding2d's padding. Default: 0. */
  cropping: field.sides(0, 2),
  ...layout,
});
export const Cropping3D = croppingOf('Cropping3D', 3, {
  /** The amounts to remove, in the form of zeroPadding3d's padding. Default: 1. */
  cropping: field.sides(1, 3),
  ...layout,
});
