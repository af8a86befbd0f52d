// Ops that move elements, or give them another shape. Each row of the public op table has one
// method. C defines what a row computes, and its gradient.
import { readChoice, readInteger, readIntegers, readNumber, readShape } from '../base/check.js';
import { apply, prepare, rankOf } from '../tensors/apply.js';
import { axes, box, paddingsOf, shifts, stridedBox } from './attributes.js';
import { concat, split, stack, unstack } from './pieces.js';
import { ReduceOps } from './reduce.js';
import { IDS, INSTANCE, NONE } from './table.js';

/** @import { Tensor, TensorLike } from '../tensors/tensor.js' */
/** @import { Axes } from './table.js' */

/** Ops that move or reshape elements. An axis out of range or named twice throws IndexError. */
export class ShapeOps extends ReduceOps {
  /**
   * The same values in another shape with the same number of elements.
   * @param {TensorLike} x
   * @param {readonly number[]} shape One size may be -1: it is computed from the others.
   * @example
   * g.reshape([1, 2, 3, 4], [2, 2]).array(); // [[1, 2], [3, 4]]
   * g.reshape([[1, 2], [3, 4]], [-1]).array(); // [1, 2, 3, 4]
   */
  reshape(x, shape) {
    const dims = readShape(shape, this[INSTANCE].bridge.maxRank, 'reshape: shape', -1);
    return apply(this[INSTANCE], this[IDS].reshape, 1, dims, x);
  }

  /**
   * The same values along one axis.
   * @param {TensorLike} x
   * @example
   * g.flatten([[1, 2], [3, 4]]).array(); // [1, 2, 3, 4]
   */
  flatten(x) {
    return apply(this[INSTANCE], this[IDS].flatten, 1, NONE, x);
  }

  /**
   * The same values with one more axis, of size 1.
   * @param {TensorLike} x
   * @param {number} [axis] The index of the new axis. Default: 0.
   * @example
   * g.expandDims([1, 2]).array(); // [[1, 2]]
   * g.expandDims([1, 2], 1).array(); // [[1], [2]]
   */
  expandDims(x, axis) {
    return apply(
      this[INSTANCE],
      this[IDS].expandDims,
      1,
      [readInteger(axis, 'expandDims: axis', 0)],
      x,
    );
  }

  /**
   * The same values without axes of size 1.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Which. Default: all of size 1. Another size throws ShapeError.
   * @example
   * g.squeeze([[[1], [2]]]).array(); // [1, 2]
   */
  squeeze(x, axis) {
    return apply(this[INSTANCE], this[IDS].squeeze, 1, axes('squeeze', axis), x);
  }

  /**
   * Permute the axes.
   * @param {TensorLike} x
   * @param {readonly number[]} [perm] Which axis of x becomes axis 0, 1, …. Default: reversed.
   * @example
   * g.transpose([[1, 2, 3], [4, 5, 6]]).array(); // [[1, 4], [2, 5], [3, 6]]
   * g.transpose([[[1, 2]]], [2, 0, 1]).shape; // [2, 1, 1]
   */
  transpose(x, perm) {
    const order = perm === undefined ? NONE : readIntegers(perm, 'transpose: perm');
    return apply(this[INSTANCE], this[IDS].transpose, 1, order, x);
  }

  /**
   * The box that begins at an index and has a size.
   * @param {TensorLike} x
   * @param {Axes} begin One index per axis; 0 for axes that are left out.
   * @param {Axes} [size] One size per axis; -1, also of axes left out, reaches to the end.
   * @example
   * g.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, 2]).array(); // [[2, 3], [5, 6]]
   * g.slice([1, 2, 3, 4], 2).array(); // [3, 4]
   */
  slice(x, begin, size) {
    const operand = prepare(this[INSTANCE], x, 'slice: the first operand');
    const attributes = box(rankOf(operand), begin, size);
    return apply(this[INSTANCE], this[IDS].slice, 1, attributes, operand);
  }

  /**
   * Every stride-th element from begin to before end. As in TensorFlow, negative indices count from
   * the end, a negative stride goes backwards, and ranges are cut off at the ends of an axis. Axes
   * that are left out at the end are taken whole.
   * @param {TensorLike} x
   * @param {Axes} begin One index per axis.
   * @param {Axes} end One index per axis.
   * @param {Axes} [strides] One stride per axis, not 0. Default: 1.
   * @param {number} [beginMask] Bit i set: axis i from its first element in the stride's direction,
   *   whatever begin says.
   * @param {number} [endMask] Bit i set: axis i to its last, whatever end says.
   * @example
   * g.stridedSlice([1, 2, 3, 4, 5], 1, 5, 2).array(); // [2, 4]
   * g.stridedSlice([1, 2, 3], -1, -4, -1).array(); // [3, 2, 1]
   */
  stridedSlice(x, begin, end, strides, beginMask, endMask) {
    const operand = prepare(this[INSTANCE], x, 'stridedSlice: the first operand');
    const attributes = stridedBox(rankOf(operand), begin, end, strides, beginMask, endMask);
    return apply(this[INSTANCE], this[IDS].stridedSlice, 1, attributes, operand);
  }

  /**
   * x with a value around it.
   * @param {TensorLike} x
   * @param {readonly (readonly number[])[]} paddings [before, after] for each axis.
   * @param {number} [constantValue] Default: 0.
   * @example
   * g.pad([1, 2], [[1, 2]]).array(); // [0, 1, 2, 0, 0]
   * g.pad([[1]], [[0, 1], [1, 0]], 9).array(); // [[9, 1], [9, 9]]
   */
  pad(x, paddings, constantValue) {
    const operand = prepare(this[INSTANCE], x, 'pad: the first operand');
    const around = paddingsOf('pad', rankOf(operand), paddings);
    const value = readNumber(constantValue, 'pad: constantValue', 0);
    return apply(this[INSTANCE], this[IDS].pad, 1, [...around, value], operand);
  }

  /**
   * x with its mirror images around it. Paddings that reach beyond the image throw ShapeError.
   * @param {TensorLike} x
   * @param {readonly (readonly number[])[]} paddings [before, after] for each axis.
   * @param {'reflect' | 'symmetric'} mode `'reflect'` leaves the edge out of the mirror image,
   *   `'symmetric'` repeats it.
   * @example
   * g.mirrorPad([1, 2, 3], [[2, 1]], 'reflect').array(); // [3, 2, 1, 2, 3, 2]
   * g.mirrorPad([1, 2, 3], [[2, 1]], 'symmetric').array(); // [2, 1, 1, 2, 3, 3]
   */
  mirrorPad(x, paddings, mode) {
    const operand = prepare(this[INSTANCE], x, 'mirrorPad: the first operand');
    const around = paddingsOf('mirrorPad', rankOf(operand), paddings);
    const symmetric = readChoice(mode, 'mirrorPad: mode', ['reflect', 'symmetric']);
    return apply(this[INSTANCE], this[IDS].mirrorPad, 1, [...around, symmetric], operand);
  }

  /**
   * x repeated.
   * @param {TensorLike} x
   * @param {readonly number[]} reps How often along each axis.
   * @example
   * g.tile([[1, 2]], [2, 2]).array(); // [[1, 2, 1, 2], [1, 2, 1, 2]]
   */
  tile(x, reps) {
    return apply(this[INSTANCE], this[IDS].tile, 1, readIntegers(reps, 'tile: reps'), x);
  }

  /**
   * x repeated along new axes in front and along axes of size 1, as operands of other shapes would
   * see it.
   * @param {TensorLike} x
   * @param {readonly number[]} shape
   * @example
   * g.broadcastTo([[1], [2]], [2, 3]).array(); // [[1, 1, 1], [2, 2, 2]]
   */
  broadcastTo(x, shape) {
    const dims = readShape(shape, this[INSTANCE].bridge.maxRank, 'broadcastTo: shape');
    return apply(this[INSTANCE], this[IDS].broadcastTo, 1, dims, x);
  }

  /**
   * The order of elements turned round.
   * @param {TensorLike} x
   * @param {Axes | null} [axis] Along which axes. Default: all.
   * @example
   * g.reverse([1, 2, 3]).array(); // [3, 2, 1]
   * g.reverse([[1, 2], [3, 4]], 1).array(); // [[2, 1], [4, 3]]
   */
  reverse(x, axis) {
    return apply(this[INSTANCE], this[IDS].reverse, 1, axes('reverse', axis), x);
  }

  /**
   * Shift elements along axes; those shifted beyond the end come back at the start.
   * @param {TensorLike} x
   * @param {Axes} shift How far towards the end; negative towards the start.
   * @param {Axes} axis One axis for each shift. Shifts along one axis add up.
   * @example
   * g.roll([1, 2, 3, 4], 1, 0).array(); // [4, 1, 2, 3]
   * g.roll([[1, 2], [3, 4]], [1, 1], [0, 1]).array(); // [[4, 3], [2, 1]]
   */
  roll(x, shift, axis) {
    return apply(this[INSTANCE], this[IDS].roll, 1, shifts(shift, axis), x);
  }

  /**
   * Join tensors along an axis; their shapes may differ only there.
   * @param {readonly TensorLike[]} tensors At least one.
   * @param {number} [axis] Default: 0.
   * @example
   * g.concat([[[1, 2]], [[3, 4]]]).array(); // [[1, 2], [3, 4]]
   * g.concat([[[1, 2]], [[3, 4]]], 1).array(); // [[1, 2, 3, 4]]
   */
  concat(tensors, axis) {
    return concat(this, tensors, axis);
  }

  /**
   * Tensors of one shape, side by side along a new axis.
   * @param {readonly TensorLike[]} tensors At least one.
   * @param {number} [axis] The index of the new axis. Default: 0.
   * @example
   * g.stack([[1, 2], [3, 4]]).array(); // [[1, 2], [3, 4]]
   * g.stack([[1, 2], [3, 4]], 1).array(); // [[1, 3], [2, 4]]
   */
  stack(tensors, axis) {
    return stack(this, tensors, axis);
  }

  /**
   * The slices along an axis, without this axis: as many as its size.
   * @param {TensorLike} x
   * @param {number} [axis] Default: 0.
   * @returns {Tensor[]}
   * @example
   * g.unstack([[1, 2], [3, 4]]).map((row) => row.array()); // [[1, 2], [3, 4]]
   */
  unstack(x, axis) {
    return unstack(this, x, axis);
  }

  /**
   * The parts of x along an axis.
   * @param {TensorLike} x
   * @param {number | readonly number[]} numOrSizeSplits The number of equal parts, or their sizes,
   *   of which one may be -1: it gets the rest. Sizes that do not add up to the axis throw
   *   ShapeError.
   * @param {number} [axis] Default: 0.
   * @returns {Tensor[]}
   * @example
   * g.split([1, 2, 3, 4], 2).map((part) => part.array()); // [[1, 2], [3, 4]]
   * g.split([1, 2, 3, 4], [1, -1]).map((part) => part.array()); // [[1], [2, 3, 4]]
   */
  split(x, numOrSizeSplits, axis) {
    return split(this, x, numOrSizeSplits, axis);
  }

  /**
   * x as a constant: the same values, no gradient.
   * @param {TensorLike} x
   * @example
   * g.stopGradient([1, 2]).array(); // [1, 2]
   * const held = g.grad((x) => g.mul(x, g.stopGradient(x)));
   * held(3).item(); // 3
   * g.grad((x) => g.mul(x, x))(3).item(); // 6
   */
  stopGradient(x) {
    return apply(this[INSTANCE], this[IDS].stopGradient, 1, NONE, x);
  }
}
