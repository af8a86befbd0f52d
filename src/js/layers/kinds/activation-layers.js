// Activations with options, as layers. Source: keras/src/layers/activations/*.py of Keras 3.15.
import { isList } from '../../base/check.js';
import { ShapeError } from '../../base/errors.js';
import * as field from '../config/fields.js';
import { AlongAxis, SameShape } from '../layer/row-wise.js';
import { UNBUILT } from '../layer/weighted.js';
import { keepLogits } from '../config/logits.js';
import { broadcast, expectSize } from '../config/shapes.js';
import { formatOpen } from '../config/open-shapes.js';

/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Variable } from '../../locks/variable.js' */
/** @import { RunOptions } from '../layer/layer.js' */

/** x above a threshold, limited to maxValue; negativeSlope · (x − threshold) below it. */
export class ReLU extends SameShape {
  /** @override */ static className = 'ReLU';
  /** @override */ static fields = {
    /** The largest output; null: no limit. */
    maxValue: field.numberOrNull(0),
    /** The slope below the threshold. Default: 0. */
    negativeSlope: field.number(0, 0),
    /** The threshold. Default: 0. */
    threshold: field.number(0, 0),
  };

  /** @override @param {Tensor} x */
  call(x) {
    const { g } = this;
    const { maxValue, negativeSlope, threshold } = this.config;
    let y = threshold ? g.where(g.greater(x, threshold), x, 0) : g.relu(x);
    if (maxValue !== null) y = g.clipByValue(y, 0, maxValue);
    if (!negativeSlope) return y;
    return g.sub(y, g.mul(negativeSlope, g.relu(g.sub(threshold, x))));
  }
}

/** x above 0, negativeSlope · x below 0. */
export class LeakyReLU extends SameShape {
  /** @override */ static className = 'LeakyReLU';
  /** @override */ static fields = {
    /** The slope below 0. Default: 0.3. */
    negativeSlope: field.number(0.3, 0),
  };
  /** @override */ static aliases = {
    /** TensorFlow.js's name of negativeSlope. */
    alpha: /** @type {const} */ ('negativeSlope'),
  };

  /** @override @param {Tensor} x */
  call(x) {
    return this.g.leakyRelu(x, this.config.negativeSlope);
  }
}

/** x above 0, alpha · x below 0. Weights: alpha, of a sample's shape, 1 along shared axes. */
export class PReLU extends SameShape {
  /** @override */ static className = 'PReLU';
  /** @override */ static fields = {
    /** The initial values of alpha. Default: 'zeros'. */
    alphaInitializer: field.initializer('Zeros'),
    /** A penalty on these weights, added to the loss. */
    alphaRegularizer: field.regularizer(),
    /** A constraint on these weights, applied after each update. */
    alphaConstraint: field.constraint(),
    /** The axes along which alpha is shared, from 1 on: axis 0 is the batch. */
    sharedAxes: field.axes(true, null),
  };

  /** The slopes for negative inputs. Created when the layer is built. @type {Variable} */
  alpha = UNBUILT;

  /** @override @param {any} inputShape */
  build(inputShape) {
    const shared = this.#sharedIn(inputShape);
    const shape = inputShape.map((/** @type {number} */ size, /** @type {number} */ axis) =>
      shared.includes(axis) ? 1 : size,
    );
    this.alpha = this.addFieldWeight('alpha', shape.slice(1));
  }

  /** @override @param {any} shape */
  inferShape(shape) {
    const alpha = this.built ? this.alpha : null;
    if (alpha && alpha.rank !== shape.length - 1) {
      throw new ShapeError(
        `input ${formatOpen(shape)} and alpha [*, ${alpha.shape}] differ in rank`,
      );
    }
    this.#sharedIn(shape);
    alpha?.shape.forEach((size, i) => void (size > 1 && expectSize(shape, i + 1, size)));
    return shape;
  }

  /** Returns the shared axes, all of which an input must have. @param {any} shape */
  #sharedIn(shape) {
    /** @type {number[]} */
    const shared = this.config.sharedAxes ?? [];
    const wrong = shared.find((axis) => axis < 1 || axis >= shape.length);
    if (wrong === undefined) return shared;
    throw new ShapeError(
      `sharedAxes has axis ${wrong}, but ${formatOpen(shape)} has rank ${shape.length}: give axes from 1 to ${shape.length - 1}`,
    );
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { g } = this;
    return g.sub(g.relu(x), g.mul(this.alpha, g.relu(g.neg(x))));
  }
}

/** x above 0, alpha · (eˣ − 1) below 0. */
export class ELU extends SameShape {
  /** @override */ static className = 'ELU';
  /** @override */ static fields = {
    /** The factor of the negative part. Default: 1. */
    alpha: field.number(1),
  };

  /** @override @param {Tensor} x */
  call(x) {
    return this.g.elu(x, this.config.alpha);
  }
}

/** eˣ / Σ eˣ along one axis or several. Masked elements are excluded and become 0. */
export class Softmax extends AlongAxis {
  /** @override */ static className = 'Softmax';
  /** @override */ static fields = {
    /** The axis or axes to normalize. Default: the last. */
    axis: field.axes(false, -1),
  };
  /** @override @param {Tensor} x @param {RunOptions} options */
  call(x, { mask }) {
    const { g } = this;
    const { axis } = this.config;
    const isLast = axis === -1 || axis === x.rank - 1;
    if (!mask && isLast) return keepLogits('softmax', g.softmax(x, axis), x);
    const given = mask ? g.where(mask, x, -1e9) : x;
    const y = isList(axis)
      ? g.exp(g.sub(given, g.logSumExp(given, /** @type {number[]} */ (axis), true)))
      : g.softmax(given, axis);
    return mask ? g.where(mask, y, 0) : y;
  }
}

/** x · scale + offset. */
export class Rescaling extends SameShape {
  /** @override */ static className = 'Rescaling';
  /** @override */ static fields = {
    /** The factor of the inputs. */
    scale: field.numbers(),
    /** The offset. Default: 0. */
    offset: field.numbers(0),
  };

  /** @override @param {any} shape */
  inferShape(shape) {
    const { scale, offset } = this.config;
    const sizes = [scale, offset].map((value) => (isList(value) ? [value.length] : []));
    return broadcast([shape, ...sizes]);
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { scale, offset } = this.config;
    return this.g.add(this.g.mul(x, scale), offset);
  }
}
