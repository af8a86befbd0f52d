// Layers that merge several inputs, element by element or by joining. Source:
// keras/src/layers/merging/*.py of Keras 3.15.
import { optionError } from '../../base/check.js';
import { ShapeError } from '../../base/errors.js';
import * as field from '../config/fields.js';
import { AlongAxis } from '../layer/row-wise.js';
import { added, broadcast, axisFrom0, unify } from '../config/shapes.js';
import { formatOpen } from '../config/open-shapes.js';

/** @import { Gradlock } from '../../gradlock.js' */
/** @import { OpenShape } from '../config/open-shapes.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { RunOptions } from '../layer/layer.js' */
/** @typedef {(g: Gradlock, a: Tensor, b: Tensor) => Tensor} Join */
/**
 * @typedef {(g: Gradlock, values: Tensor[], masks: (Tensor | null)[]) => Tensor} Merger
 *   Merges values of the same rank; masks have as many axes, the last of size 1.
 */

/** @param {Gradlock} g @param {readonly (Tensor | null)[]} masks Null unless all exist. */
const either = (g, masks) => masks.reduce((a, b) => a && b && g.logicalOr(a, b));

/** Base class of layers that merge a list of inputs into one output. */
class Merge extends AlongAxis {
  /** @override */ static takesLists = true;
  /** The number of inputs; 0: any number. @internal */
  static inputCount = 0;
  /** @internal @type {Merger} */
  merge = (_, [x]) => /** @type {Tensor} */ (x);

  /** Throws unless the layer takes this number of inputs. @param {number} count 0: no list. */
  #expectCount(count) {
    const { inputCount } = /** @type {typeof Merge} */ (this.constructor);
    if (count === 0) throw new ShapeError('expected a list of inputs');
    if (inputCount > 0 && count !== inputCount) {
      throw new ShapeError(`expected ${inputCount} inputs, got ${count}`);
    }
  }

  /** @override @param {any} inputShape */
  inferShape(inputShape) {
    this.#expectCount(Array.isArray(inputShape[0]) ? inputShape.length : 0);
    return this.mergeShapes(inputShape);
  }

  /** Broadcasts the axes after batch. @internal @param {OpenShape[]} shapes @returns {OpenShape} */
  mergeShapes(shapes) {
    const [batch = null] = broadcast(shapes.map((shape) => shape.slice(0, 1)));
    return [batch, ...broadcast(shapes.map((shape) => shape.slice(1)))];
  }

  /** @override @param {Tensor[]} inputs @param {RunOptions} options */
  call(inputs, { mask }) {
    const { g } = this;
    this.#expectCount(Array.isArray(inputs) ? inputs.length : 0);
    const rank = Math.max(...inputs.map((x) => x.rank));
    const masks = inputs.map((_, i) => (mask?.[i] ? g.expandDims(mask[i], -1) : null));
    const values = inputs.map((x) => {
      const [batch, ...sizes] = x.shape;
      return x.rank < rank
        ? g.reshape(x, [batch, ...new Array(rank - x.rank).fill(1), ...sizes])
        : x;
    });
    return this.merge(g, values, masks);
  }

  /** @override @param {any} _ @param {any} masks @returns {any} */
  computeMask(_, masks) {
    return either(this.g, masks);
  }
}

/**
 * @param {string} className
 * @param {Merger} merge
 * @param {number} [count] The number of inputs; 0: any number.
 * @returns {typeof Merge}
 */
const merging = (className, merge, count = 0) =>
  class extends Merge {
    /** @override */ static className = className;
    /** @override */ static inputCount = count;
    /** @override */ merge = merge;
  };

/** @param {Join} join @returns {Merger} */
const each = (join) => (g, values) => values.reduce((a, b) => join(g, a, b));

/** Merges pairs; where one is masked, the other is used. @param {Join} join @returns {Merger} */
const chosen = (join) => (g, values, masks) => {
  let [mask] = masks;
  return values.reduce((found, value, i) => {
    const other = masks[i];
    const x = other ? g.where(other, value, found) : value;
    const y = mask ? g.where(mask, found, x) : found;
    mask = either(g, [mask ?? null, other ?? null]);
    return join(g, y, x);
  });
};

const sum = each((g, a, b) => g.add(a, b));

/** The sum of the inputs. */
export const Add = merging('Add', sum);

/** The first input minus the second. */
export const Subtract = merging(
  'Subtract',
  each((g, a, b) => g.sub(a, b)),
  2,
);

/** The mean of the inputs. */
export const Average = merging('Average', (g, values, masks) =>
  g.div(sum(g, values, masks), values.length),
);

/** The product of the inputs that are not masked; 0 where all are masked. */
export const Multiply = merging('Multiply', (g, values, masks) => {
  const product = values
    .map((x, i) => (masks[i] ? g.where(masks[i], x, 1) : x))
    .reduce((a, b) => g.mul(a, b));
  const mask = either(g, masks);
  return mask ? g.where(mask, product, 0) : product;
});

/** The largest of the inputs. */
export const Maximum = merging(
  'Maximum',
  chosen((g, a, b) => g.maximum(a, b)),
);

/** The smallest of the inputs. */
export const Minimum = merging(
  'Minimum',
  chosen((g, a, b) => g.minimum(a, b)),
);

/** The concatenation of the inputs along an axis. */
export class Concatenate extends Merge {
  /** @override */ static className = 'Concatenate';
  /** @override */ static fields = {
    /** The axis to concatenate along. Default: the last. */
    axis: field.integer(-1),
  };

  /** @override @param {OpenShape[]} shapes */
  mergeShapes([first = [], ...others]) {
    const at = axisFrom0(first, this.config.axis);
    return others.reduce((found, shape) => {
      if (shape.length !== found.length) {
        throw new ShapeError(`${formatOpen(found)} and ${formatOpen(shape)} differ in rank`);
      }
      return found.map((size, axis) => {
        const other = shape[axis] ?? null;
        if (axis !== at) return unify(size, other, `sizes of axis ${axis}`);
        return added(size, other);
      });
    }, first);
  }

  /** @override @param {any} inputs */
  call(inputs) {
    return this.g.concat(inputs, this.config.axis);
  }

  /** @override @param {any} inputs @param {any} masks @returns {any} */
  computeMask(inputs, masks) {
    const { g } = this;
    const whole = inputs.map((/** @type {Tensor} */ x, /** @type {number} */ i) =>
      g.broadcastTo(masks[i] ? g.expandDims(masks[i], -1) : 1, x.shape),
    );
    return g.any(this.call(whole), -1);
  }
}

/** @type {field.Field<number | number[], field.Pair, undefined>} */
const axesOfDot = new field.Field(undefined, (value, what, nn) => {
  const axes = Array.isArray(value) ? value : [value, value];
  for (const axis of axes) field.integer().read(axis, what, nn);
  if (axes.length === 2 && axes.every(Boolean)) return value;
  throw optionError(what, 'one axis or two, but not 0, the batch', value);
});

/** The dot product along an axis of each of two inputs, or their cosine. */
export class Dot extends Merge {
  /** @override */ static className = 'Dot';
  /** @override */ static fields = {
    /** The axes of the dot product: one for both inputs, or one for each. */
    axes: axesOfDot,
    /** True to scale vectors to length 1 first. Default: false. */
    normalize: field.flag(false),
  };
  /** @override */ static inputCount = 2;

  /** @override @param {OpenShape[]} shapes */
  mergeShapes(shapes) {
    const { axes } = this.config;
    const summed = shapes.map((shape, i) => axisFrom0(shape, axes[i] ?? axes));
    const [one, other] = shapes.map((shape, i) => shape[Number(summed[i])] ?? null);
    unify(one ?? null, other ?? null, 'the sizes of the summed axes');
    const [batch = null] = broadcast(shapes.map((shape) => shape.slice(0, 1)));
    const rest = shapes.flatMap((shape, i) => shape.filter((_, at) => at > 0 && at !== summed[i]));
    return [batch, ...(rest.length > 0 ? rest : [1])];
  }

  /** @override @param {any} inputs */
  call(inputs) {
    const { g } = this;
    const { axes, normalize } = this.config;
    if (inputs.length !== 2) throw new ShapeError('expected a list of 2 inputs');
    const [a, b] = inputs.map((/** @type {Tensor} */ value, /** @type {number} */ i) => {
      const { rank, shape } = value;
      const given = axes[i] ?? axes;
      const axis = given < 0 ? given + rank : given;
      const rest = [...shape.keys()].filter((at) => at > 0 && at !== axis);
      const sizes = rest.map((at) => shape[at]);
      // The length has Keras's lower bound, for vectors of zeros.
      const length = () => g.minimum(g.rsqrt(g.sum(g.square(value), axis, true)), 1e7);
      const moved = g.transpose(normalize ? g.mul(value, length()) : value, [0, ...rest, axis]);
      const rows = sizes.reduce((m, n) => m * n, 1);
      return { sizes, rows: g.reshape(moved, [shape[0], rows, shape[axis]]) };
    });
    const [batch] = a.rows.shape;
    const sizes = [...a.sizes, ...b.sizes];
    const products = g.matMul(a.rows, b.rows, { transposeB: true });
    return g.reshape(products, [batch, ...(sizes.length > 0 ? sizes : [1])]);
  }

  /** @override */ computeMask() {
    return null;
  }
}
