// Ops that read and write elements by index. Each row of the public op table has one method. Other
// methods combine rows: they have several results, or shapes that depend on values. C defines what
// a row computes, and its gradient.
import {
  formatShape,
  readDuplicates,
  readInteger,
  readNumber,
  readOptions,
  readShape,
  sameShape,
  sizeOf,
} from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { apply, prepare, rankOf } from '../tensors/apply.js';
import { createTensor, Tensor } from '../tensors/tensor.js';
import { tidy } from '../tensors/tidy.js';
import { order } from './attributes.js';
import { indicesOf, onesOf, readMask } from './mask.js';
import { ShapeOps } from './shape.js';
import { IDS, INSTANCE, NONE } from './table.js';

/** @import { MaskLike } from './mask.js' */
/** @import { TensorLike } from '../tensors/tensor.js' */
/**
 * @typedef {object} OrderOptions
 * @property {number} [axis] Default: -1, the last.
 * @property {'ASCENDING' | 'DESCENDING'} [direction] Default: ascending. NaN comes last in either.
 */

/**
 * Ops that read and write elements by index.
 *
 * An index is a whole number from 0 to the size of its axis - 1. Axes of more than 2²⁴ elements
 * cannot be indexed. Any other value throws IndexError with the op, the position, the value and the
 * range, also while a program runs; then nothing was changed. Several updates of one element are
 * combined in the order of their list, so the bits are the same everywhere.
 */
export class IndexingOps extends ShapeOps {
  /**
   * Slices along an axis at the given indices: shape x[:axis] + indices[batchDims:] + x[axis + 1:].
   * The gradient adds up slices that were taken several times, in the order of the indices.
   * @param {TensorLike} x
   * @param {TensorLike} indices
   * @param {number} [axis] Default: 0.
   * @param {number} [batchDims] How many leading axes x and indices share. Default: 0.
   * @example
   * g.gather([10, 20, 30], [2, 0, 0]).array(); // [30, 10, 10]
   * g.gather([[1, 2], [3, 4]], [1], 1).array(); // [[2], [4]]
   */
  gather(x, indices, axis, batchDims) {
    const attributes = [
      readInteger(axis, 'gather: axis', 0),
      readInteger(batchDims, 'gather: batchDims', 0),
    ];
    return apply(this[INSTANCE], this[IDS].gather, 2, attributes, x, indices);
  }

  /**
   * Rows of a table, by their ids: `gather` along axis 0. Its gradient is zero for every row that
   * was not looked up.
   * @param {TensorLike} table A table of shape [vocabulary, …].
   * @param {TensorLike} ids
   * @example
   * g.embeddingLookup([[1, 2], [3, 4], [5, 6]], [2, 0]).array(); // [[5, 6], [1, 2]]
   */
  embeddingLookup(table, ids) {
    return apply(this[INSTANCE], this[IDS].embeddingLookup, 2, NONE, table, ids);
  }

  /**
   * Elements or slices at indices, whose last axis has one index for each of the first axes of x.
   * The shape is indices[:-1] + x[indices.shape[-1]:].
   * @param {TensorLike} x
   * @param {TensorLike} indices
   * @example
   * g.gatherNd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).array(); // [2, 3]
   */
  gatherNd(x, indices) {
    return apply(this[INSTANCE], this[IDS].gatherNd, 2, NONE, x, indices);
  }

  /**
   * Zeros with updates at indices; duplicates add up.
   * @param {TensorLike} indices Its last axis has an index for each of the shape's first axes.
   * @param {TensorLike} updates A tensor of shape indices[:-1] + shape[indices.shape[-1]:].
   * @param {readonly number[]} shape
   * @example
   * g.scatterNd([[0], [2], [0]], [1, 2, 3], [4]).array(); // [4, 0, 2, 0]
   */
  scatterNd(indices, updates, shape) {
    const dims = readShape(shape, this[INSTANCE].bridge.maxRank, 'scatterNd: shape');
    return apply(this[INSTANCE], this[IDS].scatterNd, 2, dims, indices, updates);
  }

  /**
   * A copy of a tensor with the elements at indices replaced. An index that is listed twice throws
   * GradlockError unless `duplicates` is given (TensorFlow leaves this undefined). Replaced
   * elements have no gradient. Among duplicates only the last has one, or all with 'sum'.
   * @param {TensorLike} tensor
   * @param {TensorLike} indices Its last axis has an index for each of the tensor's first axes.
   * @param {TensorLike} updates A tensor of shape indices[:-1] + tensor[indices.shape[-1]:].
   * @param {{ duplicates?: 'last' | 'sum' }} [options] `duplicates`: whether the last of several
   *   updates of an element counts, or their sum.
   * @example
   * g.tensorScatterNdUpdate([1, 2, 3], [[0], [2]], [10, 30]).array(); // [10, 2, 30]
   */
  tensorScatterNdUpdate(tensor, indices, updates, options) {
    const { duplicates } = readOptions(options, ['duplicates'], 'tensorScatterNdUpdate options');
    const mode = [readDuplicates(duplicates, 'tensorScatterNdUpdate')];
    const op = this[IDS].tensorScatterNdUpdate;
    return apply(this[INSTANCE], op, 3, mode, tensor, indices, updates);
  }

  /**
   * A tensor with updates added at indices; duplicates add up.
   * @param {TensorLike} tensor
   * @param {TensorLike} indices
   * @param {TensorLike} updates
   * @example
   * g.tensorScatterNdAdd([1, 2, 3], [[0], [2]], [10, 30]).array(); // [11, 2, 33]
   */
  tensorScatterNdAdd(tensor, indices, updates) {
    const op = this[IDS].tensorScatterNdAdd;
    return apply(this[INSTANCE], op, 3, NONE, tensor, indices, updates);
  }

  /**
   * A tensor with updates subtracted at indices; duplicates add up.
   * @param {TensorLike} tensor
   * @param {TensorLike} indices
   * @param {TensorLike} updates
   * @example
   * g.tensorScatterNdSub([1, 2, 3], [[0], [2]], [10, 30]).array(); // [-9, 2, -27]
   */
  tensorScatterNdSub(tensor, indices, updates) {
    const op = this[IDS].tensorScatterNdSub;
    return apply(this[INSTANCE], op, 3, NONE, tensor, indices, updates);
  }

  /**
   * A tensor, at indices the smallest of it and the updates; NaN if any is. What ties shares the
   * gradient equally.
   * @param {TensorLike} tensor
   * @param {TensorLike} indices
   * @param {TensorLike} updates
   * @example
   * g.tensorScatterNdMin([1, 2, 3], [[0], [2]], [0, 9]).array(); // [0, 2, 3]
   */
  tensorScatterNdMin(tensor, indices, updates) {
    const op = this[IDS].tensorScatterNdMin;
    return apply(this[INSTANCE], op, 3, NONE, tensor, indices, updates);
  }

  /**
   * A tensor, at indices the largest of it and the updates; NaN if any is. What ties shares the
   * gradient equally.
   * @param {TensorLike} tensor
   * @param {TensorLike} indices
   * @param {TensorLike} updates
   * @example
   * g.tensorScatterNdMax([1, 2, 3], [[0], [2]], [0, 9]).array(); // [1, 2, 9]
   */
  tensorScatterNdMax(tensor, indices, updates) {
    const op = this[IDS].tensorScatterNdMax;
    return apply(this[INSTANCE], op, 3, NONE, tensor, indices, updates);
  }

  /**
   * Sums of the slices of x with the same id: shape [numSegments] + x[segmentIds.rank:]. A segment
   * without slices is 0. Ids out of range throw IndexError, negative ones too, which TensorFlow
   * drops.
   * @param {TensorLike} x
   * @param {TensorLike} segmentIds Its shape begins the shape of x.
   * @param {number} numSegments
   * @example
   * g.unsortedSegmentSum([1, 2, 3, 4], [0, 1, 0, 2], 3).array(); // [4, 2, 4]
   */
  unsortedSegmentSum(x, segmentIds, numSegments) {
    const attributes = [readInteger(numSegments, 'unsortedSegmentSum: numSegments')];
    return apply(this[INSTANCE], this[IDS].unsortedSegmentSum, 2, attributes, x, segmentIds);
  }

  /**
   * A new axis that holds onValue at the index and offValue elsewhere; offValue only where the
   * index is out of range, as in TensorFlow. No gradient.
   * @param {TensorLike} indices
   * @param {number} depth Size of the new axis.
   * @param {number} [onValue] Default: 1.
   * @param {number} [offValue] Default: 0.
   * @param {number} [axis] Where the new axis goes. Default: -1, the end.
   * @example
   * g.oneHot([0, 2], 3).array(); // [[1, 0, 0], [0, 0, 1]]
   * g.oneHot([1], 3, 5, -1).array(); // [[-1, 5, -1]]
   */
  oneHot(indices, depth, onValue, offValue, axis) {
    const on = readNumber(onValue, 'oneHot: onValue', 1);
    const off = readNumber(offValue, 'oneHot: offValue', 0);
    const attributes = [
      readInteger(depth, 'oneHot: depth'),
      on,
      off,
      readInteger(axis, 'oneHot: axis', -1),
    ];
    return apply(this[INSTANCE], this[IDS].oneHot, 1, attributes, indices);
  }

  /**
   * Indices that sort an axis. Equal elements keep their order in either direction; −0 equals 0,
   * and NaN comes last.
   * @param {TensorLike} x
   * @param {OrderOptions} [options]
   * @example
   * g.argSort([3, 1, 2], { direction: 'DESCENDING' }).array(); // [0, 2, 1]
   */
  argSort(x, options) {
    return apply(this[INSTANCE], this[IDS].argSort, 1, order(options, 'argSort'), x);
  }

  /**
   * An axis in order, NaN last in either direction. The gradient goes where each element came from.
   * @param {TensorLike} x
   * @param {OrderOptions} [options]
   * @example
   * g.sort([3, 1, 2]).array(); // [1, 2, 3]
   * g.sort([[3, 1], [1, 2]], { axis: 0, direction: 'DESCENDING' }).array(); // [[3, 2], [1, 1]]
   */
  sort(x, options) {
    return apply(this[INSTANCE], this[IDS].sort, 1, order(options, 'sort'), x);
  }

  /**
   * The k largest elements along the last axis, in descending order, and their indices. Equal ones
   * keep their order, and NaN is smaller than all. The gradient goes to each value's index in x.
   * @param {TensorLike} x
   * @param {number} [k] Default: 1.
   * @returns {{ values: Tensor, indices: Tensor }}
   * @example
   * const { values, indices } = g.topK([1, 4, 3, 2], 2);
   * values.array(); // [4, 3]
   * indices.array(); // [1, 2]
   */
  topK(x, k) {
    const instance = this[INSTANCE];
    const operand = prepare(instance, x, 'topK: the first operand');
    const count = readInteger(k, 'topK: k', 1);
    const rank = rankOf(operand);
    const shape = typeof operand === 'number' ? [] : operand.shape;
    const most = shape[rank - 1];
    if (most === undefined || count < 0 || count > most) {
      throw new ShapeError(
        most === undefined
          ? 'topK: a tensor of rank 0 has no axes'
          : `topK: k is ${count}, expected 0 to ${most}, the last axis of ${formatShape(shape)}`,
      );
    }
    return tidy(instance, () => {
      const all = apply(instance, this[IDS].argSort, 1, [rank - 1, 1], operand);
      const box = [...shape.map(() => 0), ...shape.slice(0, -1), count];
      const indices = apply(instance, this[IDS].slice, 1, box, all);
      const along = [rank - 1, rank - 1];
      return { values: apply(instance, this[IDS].gather, 2, along, operand, indices), indices };
    });
  }

  /**
   * a where the condition is not 0, b elsewhere, as a choice: Elements that are not selected have
   * no effect, even if they are NaN. With a mask alone: the indices of its ones, of shape [ones,
   * rank], in row-major order.
   *
   * A mask alone decides a shape by its values. It must hold zeros and ones only (TypeError), and
   * while compiling it must be a constant (RecordingError).
   * @override
   * @overload
   * @param {MaskLike} condition Numbers or booleans.
   * @param {TensorLike} a
   * @param {TensorLike} b
   * @returns {Tensor}
   *
   * @overload
   * @param {MaskLike} mask
   * @returns {Tensor}
   *
   * @param {any} condition
   * @param {any} [a]
   * @param {any} [b]
   * @returns {Tensor}
   */
  where(condition, a, b) {
    if (a !== undefined || b !== undefined) return super.where(condition, a, b);
    const { shape, data } = indicesOf(readMask(this[INSTANCE], condition, 'where'));
    return new Tensor(this[INSTANCE], createTensor(this[INSTANCE], shape, data));
  }

  /**
   * The elements of x where the mask is 1, in row-major order: shape x[:axis] + [ones] + x[axis +
   * mask.rank:]. The shape depends on the mask's values. The mask must contain only zeros and ones
   * (TypeError), and while compiling it must be a constant (RecordingError). where(mask, x, 0)
   * keeps the shape.
   * @param {TensorLike} x
   * @param {MaskLike} mask Its shape is that of x from the axis on.
   * @param {number} [axis] Default: 0.
   * @example
   * g.booleanMask([1, 2, 3], [true, false, true]).array(); // [1, 3]
   * g.booleanMask([[1, 2], [3, 4], [5, 6]], [0, 1, 1]).array(); // [[3, 4], [5, 6]]
   */
  booleanMask(x, mask, axis) {
    const instance = this[INSTANCE];
    const operand = prepare(instance, x, 'booleanMask: the first operand');
    const found = readMask(instance, mask, 'booleanMask');
    const shape = typeof operand === 'number' ? [] : operand.shape;
    const given = readInteger(axis, 'booleanMask: axis', 0);
    const first = given < 0 ? given + shape.length : given;
    const behind = first + found.shape.length;
    if (first < 0 || !sameShape(shape.slice(first, behind), found.shape)) {
      throw new ShapeError(
        `booleanMask: a mask of shape ${formatShape(found.shape)} does not fit shape ${formatShape(shape)} from axis ${given} on`,
      );
    }
    const merged = [...shape.slice(0, first), sizeOf(found.shape), ...shape.slice(behind)];
    const ones = Float32Array.from(onesOf(found));
    return tidy(instance, () => {
      const rows = apply(instance, this[IDS].reshape, 1, merged, operand);
      return apply(instance, this[IDS].gather, 2, [first, 0], rows, ones);
    });
  }
}
