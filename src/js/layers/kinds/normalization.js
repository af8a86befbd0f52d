// Normalization. Source: keras/src/layers/normalization/*.py of Keras 3.15.
import { OptionError } from '../../base/errors.js';
import * as field from '../config/fields.js';
import { AlongAxis } from '../layer/row-wise.js';
import { UNBUILT } from '../layer/weighted.js';
import { axisFrom0 } from '../config/shapes.js';

/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Variable } from '../../locks/variable.js' */
/** @import { RunOptions } from '../layer/layer.js' */

const scaled = {
  /** A small number that keeps the denominator above 0. Default: 0.001. */
  epsilon: field.number(1e-3, 0),
  /** True to add beta. Default: true. */
  center: field.flag(true),
  /** True to multiply by gamma. Default: true. */
  scale: field.flag(true),
  /** The initial values of beta. Default: 'zeros'. */
  betaInitializer: field.initializer('Zeros'),
  /** A penalty on these weights, added to the loss. */
  betaRegularizer: field.regularizer(),
  /** A constraint on these weights, applied after each update. */
  betaConstraint: field.constraint(),
  /** The initial values of gamma. Default: 'ones'. */
  gammaInitializer: field.initializer('Ones'),
  /** A penalty on these weights, added to the loss. */
  gammaRegularizer: field.regularizer(),
  /** A constraint on these weights, applied after each update. */
  gammaConstraint: field.constraint(),
};

/** Base class of layers that multiply by gamma and add beta. */
class Normalization extends AlongAxis {
  /** The factors, if `scale` is set. Created when the layer is built. @type {Variable} */
  gamma = UNBUILT;
  /** The offsets, if `center` is set. Created when the layer is built. @type {Variable} */
  beta = UNBUILT;

  /** @override */ get sized() {
    const { gamma, beta, movingMean } = /** @type {any} */ (this);
    return gamma ?? beta ?? movingMean;
  }

  /** @internal @param {readonly number[]} shape */
  addScale(shape) {
    const { scale, center } = this.config;
    if (scale) this.gamma = this.addFieldWeight('gamma', shape);
    if (center) this.beta = this.addFieldWeight('beta', shape);
  }
}

/** Aligns values with an axis of x. @param {any} g @param {Tensor} x @param {number} axis */
const aligning = (g, { shape }, axis) => {
  const sizes = shape.map((size, i) => (i === axis ? size : 1));
  return (/** @type {Tensor} */ values) => g.reshape(values, sizes);
};

/** The options of renorm, which is not supported. @type {field.Field<any, never, number>} */
const noRenorm = field.number(0.99);

/** The number that Keras adds to the count of unmasked elements, so that it may be 0. */
const LEAST_COUNT = 1e-7;

/**
 * (x − mean) / √(variance + epsilon) · gamma + beta for each channel. Training uses the batch's
 * mean and biased variance and updates the moving ones, which inference uses. A frozen layer is
 * always in inference mode, and its moving statistics stay (docs/laws.md, law 19). Weights: gamma,
 * beta, moving_mean, moving_variance. Source: Ioffe & Szegedy 2015, arXiv:1502.03167.
 */
export class BatchNormalization extends Normalization {
  /** @override */ static className = 'BatchNormalization';
  /** @override */ static fields = {
    /** The axis of the channels. Default: the last. */
    axis: field.axis,
    /** The share of the moving statistics that each batch keeps. Default: 0.99. */
    momentum: field.number(0.99, 0, 1),
    ...scaled,
    /** The initial values of the moving mean. Default: 'zeros'. */
    movingMeanInitializer: field.initializer('Zeros'),
    /** The initial values of the moving variance. Default: 'ones'. */
    movingVarianceInitializer: field.initializer('Ones'),
    synchronized: field.fixed(false),
    renorm: field.fixed(false),
    renormClipping: field.fixed(null),
    renormMomentum: noRenorm,
    fused: field.legacy(true, false),
    virtualBatchSize: field.legacy(null),
    adjustment: field.legacy(null),
  };

  /**
   * The moving mean. Updated in training, unless the layer is frozen or the elements are locked.
   * Created when the layer is built.
   * @type {Variable}
   */
  movingMean = UNBUILT;
  /** The moving variance, updated like the mean. @type {Variable} */
  movingVariance = UNBUILT;

  /** @override @param {any} inputShape */
  build(inputShape) {
    const shape = [inputShape[axisFrom0(inputShape, this.config.axis)]];
    this.addScale(shape);
    const fixed = { trainable: false };
    this.movingMean = this.addFieldWeight('moving_mean', shape, 'movingMean', fixed);
    this.movingVariance = this.addFieldWeight('moving_variance', shape, 'movingVariance', fixed);
  }

  /** @override @param {boolean} training */
  modeOf(training) {
    return training && !this.frozen ? 'b' : 'i';
  }

  /** @override @param {boolean} training */
  isPure(training) {
    return this.modeOf(training) === 'i' && super.isPure(training);
  }

  /** @override @param {boolean} training */
  mixesRows(training) {
    return this.modeOf(training) === 'b' || super.mixesRows(training);
  }

  /** @override @param {Tensor} x @param {RunOptions} options */
  call(x, { training, mask, run }) {
    const { g, gamma, beta, movingMean: mean, movingVariance: variance } = this;
    const { axis, momentum, epsilon } = this.config;
    const index = axis < 0 ? axis + x.rank : axis;
    const axes = [...x.shape.keys()].filter((i) => i !== index);
    const align = aligning(g, x, index);
    /** @param {Tensor} centred @param {Tensor} spread */
    const normalize = (centred, spread) => {
      const root = g.rsqrt(g.add(spread, epsilon));
      const y = g.mul(centred, gamma ? g.mul(root, align(gamma)) : root);
      return beta ? g.add(y, align(beta)) : y;
    };
    if (!training || this.frozen) return normalize(g.sub(x, align(mean)), align(variance));
    const given = mask && g.broadcastTo(g.expandDims(mask, -1), x.shape);
    /** @param {Tensor} values @returns {Tensor} */
    const average = (values) =>
      given
        ? g.div(
            g.sum(g.where(given, values, 0), axes, true),
            g.add(g.sum(given, axes, true), LEAST_COUNT),
          )
        : g.mean(values, axes, true);
    const found = average(x);
    const centred = g.sub(x, found);
    const spread = average(g.square(centred));
    run.moves.push([mean, g.flatten(found), momentum], [variance, g.flatten(spread), momentum]);
    return normalize(centred, spread);
  }
}

/**
 * (x − mean) / √(variance + epsilon) · gamma + beta for each sample. Weights: gamma and beta, with
 * the sizes of the normalized axes.
 */
export class LayerNormalization extends Normalization {
  /** @override */ static className = 'LayerNormalization';
  /** @override */ static fields = {
    /** The axis or axes to normalize. Default: the last. */
    axis: field.axes(false, -1),
    ...scaled,
    rmsScaling: field.fixed(false),
  };

  /** @override @param {any} inputShape */
  build(inputShape) {
    /** @type {number[]} */
    const axis = [this.config.axis].flat().sort((a, b) => a - b);
    this.config.axis = axis;
    this.addScale(axis.map((at) => inputShape[axisFrom0(inputShape, at)]));
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { g, gamma, beta } = this;
    const { axis, epsilon } = this.config;
    return g.layerNorm(x, { ...(gamma && { gamma }), ...(beta && { beta }), axis, epsilon });
  }
}

/**
 * (x − mean) / √(variance + epsilon) · gamma + beta for each group of channels of each sample.
 * Weights: gamma, beta [channels]. Source: Wu & He 2018, arXiv:1803.08494.
 */
export class GroupNormalization extends Normalization {
  /** @override */ static className = 'GroupNormalization';
  /** @override */ static fields = {
    /** The number of groups, which must divide the channels; -1: one per channel. Default: 32. */
    groups: field.integer(32, -1),
    /** The axis of the channels. Default: the last. */
    axis: field.axis,
    ...scaled,
  };

  /** @override @param {any} inputShape */
  build(inputShape) {
    const { config } = this;
    const size = inputShape[axisFrom0(inputShape, config.axis)];
    const groups = config.groups < 0 ? size : config.groups;
    if (size !== null && !(size % groups === 0)) {
      throw new OptionError(
        `${this.label}: ${size} channels cannot be split into ${groups} groups`,
      );
    }
    this.addScale([size]);
    config.groups = groups;
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { g, gamma, beta } = this;
    const { axis, groups, epsilon } = this.config;
    const { shape } = x;
    const at = axisFrom0([...shape], axis);
    const size = Number(shape[at]);
    const split = [...shape.slice(0, at), groups, size / groups, ...shape.slice(at + 1)];
    const axes = [...split.keys()].filter((i) => i > 0 && i !== at);
    const normal = g.reshape(g.layerNorm(g.reshape(x, split), { axis: axes, epsilon }), shape);
    const align = aligning(g, x, at);
    const y = gamma ? g.mul(normal, align(gamma)) : normal;
    return beta ? g.add(y, align(beta)) : y;
  }
}

/**
 * x / √(mean(x²) + epsilon) · scale. Weights: scale, with the sizes of the normalized axes. Source:
 * Zhang & Sennrich 2019, arXiv:1910.07467.
 */
export class RMSNormalization extends AlongAxis {
  /** @override */ static className = 'RMSNormalization';
  /** @override */ static fields = {
    /** The axis or axes to normalize. Default: the last. */
    axis: field.axes(false, -1),
    /** A small number that keeps the denominator above 0. Default: 0.000001. */
    epsilon: field.number(1e-6, 0),
  };

  /** @override */ supportsMasking = false;
  /** The factors of the normalized values. Created when the layer is built. @type {Variable} */
  scale = UNBUILT;

  /** @override @param {any} inputShape */
  build(inputShape) {
    /** @type {number[]} */
    const axis = [this.config.axis].flat().sort((a, b) => a - b);
    const shape = axis.map((at) => inputShape[axisFrom0(inputShape, at)]);
    this.scale = this.addWeight('scale', shape, { initializer: 'ones' });
    this.config.axis = axis;
  }

  /** @override */ get sized() {
    return this.scale;
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { g, scale } = this;
    const { axis, epsilon } = this.config;
    const root = g.rsqrt(g.add(g.mean(g.square(x), axis, true), epsilon));
    return g.mul(g.mul(x, root), scale);
  }
}

/** x / ‖x‖, along one axis or several. */
export class UnitNormalization extends AlongAxis {
  /** @override */ static className = 'UnitNormalization';
  /** @override */ static fields = {
    /** The axis or axes to normalize. Default: the last. */
    axis: field.axes(false, -1),
  };
  /** @override @param {Tensor} x */
  call(x) {
    const { g } = this;
    const squares = g.sum(g.square(x), this.config.axis, true);
    // The length has Keras's lower bound, for vectors of zeros.
    return g.mul(x, g.minimum(g.rsqrt(squares), 1e12));
  }
}
