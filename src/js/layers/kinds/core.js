// Layers without windows, time or statistics: dense layers, flatten, activation, masking and
// lambdas. Source: keras/src/layers/{core,reshaping,activations}/*.py of Keras 3.15.
import { typeError } from '../../base/check.js';
import { OptionError, ShapeError } from '../../base/errors.js';
import * as field from '../config/fields.js';
import { Layer } from '../layer/layer.js';
import { RowWise, SameShape } from '../layer/row-wise.js';
import { UNBUILT } from '../layer/weighted.js';
import { expectSize, product } from '../config/shapes.js';
import { formatOpen, readOpenShape } from '../config/open-shapes.js';

/** @import { OpenShape } from '../config/open-shapes.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Variable } from '../../locks/variable.js' */

/** Base class of layers that end with a bias and an activation. */
export class Affine extends RowWise {
  /** The kernel. Created when the layer is built. @type {Variable} */
  kernel = UNBUILT;
  /** The bias, if useBias is set. Created when the layer is built. @type {Variable} */
  bias = UNBUILT;

  /** @internal @param {number} outputs */
  addBias(outputs) {
    if (this.config.useBias) this.bias = this.addFieldWeight('bias', [outputs]);
  }

  /** Returns the shape after bias and activation. @internal @param {OpenShape} shape */
  finishShape(shape) {
    return this.config.activation.shapeOf(shape);
  }

  /** @internal @param {Tensor} y */
  finish(y) {
    const { g, bias, config } = this;
    return config.activation.apply(g, bias ? g.add(y, bias) : y);
  }
}

/** activation(x · kernel + bias), last axis. Weights: kernel [inputs, units], bias [units]. */
export class Dense extends Affine {
  /** @override */ static className = 'Dense';
  /** @override */ static fields = field.join(
    {
      /** The size of the output's last axis. */
      units: field.count(),
      quantizationConfig: field.fixed(null),
    },
    new field.KernelFields(),
    new field.AffineFields(field.regularizerIfAny()),
  );

  /** @override */ supportsMasking = true;

  /** @override @param {any} inputShape */
  build(inputShape) {
    const { units } = this.config;
    this.kernel = this.addFieldWeight('kernel', [inputShape.at(-1), units]);
    this.addBias(units);
  }

  /** @override @param {OpenShape} shape */
  inferShape(shape) {
    if (shape.length < 2) {
      throw new ShapeError(`expected at least [batch, inputs], got ${formatOpen(shape)}`);
    }
    expectSize(shape, -1, this.built ? this.kernel.shape[0] : null);
    return this.finishShape([...shape.slice(0, -1), this.config.units]);
  }

  /** @override @param {Tensor} x */
  call(x) {
    const { g, kernel } = this;
    const units = this.config.units;
    if (x.rank < 2) throw new ShapeError(`expected at least [batch, inputs], got [${x.shape}]`);
    const rows = x.rank === 2 ? x : g.reshape(x, [-1, Number(x.shape.at(-1))]);
    const y = g.matMul(rows, kernel);
    return this.finish(x.rank === 2 ? y : g.reshape(y, [...x.shape.slice(0, -1), units]));
  }
}

/** Joins all axes but the first. */
export class Flatten extends RowWise {
  /** @override */ static className = 'Flatten';
  /** @override */ static fields = {
    /** The position of the channels; there is only one layout. */
    dataFormat: field.dataFormat,
  };

  /** @override @param {OpenShape} shape */
  inferShape([batch, ...sizes]) {
    return [batch, product(sizes)];
  }

  /** @override @param {Tensor} x */
  call(x) {
    if (x.rank === 0) throw new ShapeError('expected [batch, ...], got a scalar');
    const size = x.shape.slice(1).reduce((a, b) => a * b, 1);
    return this.g.reshape(x, [x.shape[0], size]);
  }
}

/** An activation as a layer. */
export class ActivationLayer extends RowWise {
  /** @override */ static className = 'Activation';
  /** @override */ static fields = {
    /** The activation. */
    activation: field.activation(),
  };

  /** @override */ supportsMasking = true;

  /** @override @param {OpenShape} shape */
  inferShape(shape) {
    return this.config.activation.shapeOf(shape);
  }

  /** @override @param {Tensor} x */
  call(x) {
    return this.config.activation.apply(this.g, x);
  }
}

/** Steps whose numbers all equal maskValue become 0, and later layers skip them. */
export class Masking extends SameShape {
  /** @override */ static className = 'Masking';
  /** @override */ static fields = {
    /** The value that marks masked steps. Default: 0. */
    maskValue: field.number(0),
  };

  /** @override */ get makesMasks() {
    return true;
  }

  /** @override @param {Tensor} x */
  computeMask(x) {
    return this.g.any(this.g.notEqual(x, this.config.maskValue), -1);
  }

  /** @override @param {Tensor} x */
  call(x) {
    return this.g.where(this.g.expandDims(this.computeMask(x), -1), x, 0);
  }
}

/** An output shape: sizes without batch, a function of the input's. @type {field.Field<any>} */
const outputShape = new field.Field(null, (value, what) =>
  value === null || typeof value === 'function' ? value : readOpenShape(value, what),
);

/** A layer made from a user's function. */
export class Lambda extends Layer {
  /** @override */ static callOptions = null;
  /** @override */ static className = 'Lambda';
  /** @override */ static fields = { outputShape };
  /** @override */ static takesLists = true;

  #fn;

  /**
   * @internal
   * @param {import('../layer/toolkit.js').Toolkit} nn
   * @param {(x: any, options: import('../layer/layer.js').RunOptions) => any} fn
   * @param {object} config
   */
  constructor(nn, fn, config) {
    super(nn, config);
    if (typeof fn !== 'function') throw typeError('lambda', 'a function', fn);
    this.#fn = fn;
  }

  /** @override @param {any} inputShape @param {Record<string, any>} options */
  inferShape(inputShape, options) {
    const { outputShape: stated } = this.config;
    if (stated === null) return super.inferShape(inputShape, options);
    if (typeof stated === 'function') return stated(inputShape);
    const [first] = inputShape;
    return [Array.isArray(first) ? first[0] : first, ...stated];
  }

  /** @override @param {any} x @param {import('../layer/layer.js').RunOptions} options */
  call(x, options) {
    return this.#fn(x, options);
  }

  /** @override @returns {Record<string, unknown>} */
  getConfig() {
    throw new OptionError(
      `${this.name} is a function, which cannot be saved as JSON: write a layer class`,
    );
  }
}
