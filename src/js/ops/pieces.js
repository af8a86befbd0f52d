// concat, stack, unstack and split. Their number of operands or results varies, so each composes
// ops that take two or return one. Intermediate tensors are disposed, also when an op throws.
import {
  describe,
  formatShape,
  isList,
  readEach,
  readInteger,
  readIntegers,
  sameShape,
} from '../base/check.js';
import { IndexError, ShapeError } from '../base/errors.js';
import { apply, prepare, shapeOf } from '../tensors/apply.js';
import { Tensor } from '../tensors/tensor.js';
import { IDS, INSTANCE } from './table.js';

/** @import { OpTable } from './table.js' */
/** @typedef {ReturnType<typeof prepare>} Operand */

/** -1 is the last axis. @param {string} op @param {unknown} axis @param {number} rank */
const axisFrom0 = (op, axis, rank) => {
  const index = readInteger(axis, `${op}: axis`);
  if (rank === 0) throw new IndexError(`${op}: a tensor of rank 0 has no axes`);
  if (index < -rank || index >= rank) {
    throw new IndexError(`${op}: an axis is ${index}, expected ${-rank} to ${rank - 1}`);
  }
  return index < 0 ? index + rank : index;
};

/**
 * Read a list of operands whose shapes may differ along one axis only.
 * @param {OpTable} ops
 * @param {string} op
 * @param {unknown} list
 * @param {(shape: readonly number[]) => number} findAxis The axis that may differ; -1 for none.
 */
const readList = (ops, op, list, findAxis) => {
  if (!isList(list)) throw new TypeError(`${op} takes an array of tensors, got ${describe(list)}`);
  const operands = readEach(list, op, (entry, i) =>
    prepare(ops[INSTANCE], entry, `${op}: tensors[${i}]`),
  );
  const shapes = operands.map(shapeOf);
  const [first] = shapes;
  if (!first) throw new ShapeError(`${op} takes at least one tensor, got an empty array`);
  const axis = findAxis(first);
  const otherSizes = (/** @type {readonly number[]} */ shape) => shape.filter((_, i) => i !== axis);
  const misfit = shapes.findIndex(
    (shape) => shape.length !== first.length || !sameShape(otherSizes(shape), otherSizes(first)),
  );
  if (misfit > 0) {
    throw new ShapeError(
      `${op}: shapes ${shapes.map(formatShape).join(' and ')} differ` +
        `${axis < 0 ? '' : ` outside of axis ${axis}`}, first at tensors[${misfit}]`,
    );
  }
  return operands;
};

/** @param {OpTable} ops @param {Operand} x @param {readonly number[]} shape */
const reshape = (ops, x, shape) => apply(ops[INSTANCE], ops[IDS].reshape, 1, shape, x);

/**
 * Concatenate recursively by halves, so that each element is copied log2 n times.
 * @param {OpTable} ops
 * @param {readonly Operand[]} parts
 * @param {number} axis
 * @returns {Operand}
 */
const join = (ops, parts, axis) => {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const middle = parts.length >> 1;
  const halves = [parts.slice(0, middle), parts.slice(middle)];
  const joined = halves.map((part) => join(ops, part, axis));
  const result = apply(ops[INSTANCE], ops[IDS].concat, 2, [axis], ...joined);
  joined.forEach((half, i) => {
    // Dispose intermediates at once: those of one level together are as large as the result.
    if (half instanceof Tensor && Number(halves[i]?.length) > 1) half.dispose();
  });
  return result;
};

/**
 * Run a composition and dispose the tensors that it makes but does not return.
 * @template {Tensor | Tensor[]} T
 * @param {OpTable} ops
 * @param {() => T} body
 */
const compose = (ops, body) =>
  ops[INSTANCE].scope(
    body,
    'it was made on the way to a result',
    (result) => new Set(Array.isArray(result) ? result : [result]),
  );

/** @param {OpTable} ops @param {unknown} list @param {unknown} axis */
export const concat = (ops, list, axis = 0) => {
  let index = 0;
  const operands = readList(ops, 'concat', list, (shape) => {
    index = axisFrom0('concat', axis, shape.length);
    return index;
  });
  return compose(ops, () => {
    const [first] = operands;
    if (operands.length === 1 && first !== undefined) return reshape(ops, first, shapeOf(first));
    return /** @type {Tensor} */ (join(ops, operands, index));
  });
};

/** @param {OpTable} ops @param {unknown} list @param {unknown} axis */
export const stack = (ops, list, axis = 0) => {
  const operands = readList(ops, 'stack', list, () => -1);
  const index = axisFrom0('stack', axis, shapeOf(/** @type {Operand} */ (operands[0])).length + 1);
  return compose(ops, () => {
    const parts = operands.map((x) => apply(ops[INSTANCE], ops[IDS].expandDims, 1, [index], x));
    return /** @type {Tensor} */ (join(ops, parts, index));
  });
};

/**
 * Adjacent slices of an axis, made recursively by halves: the gradient of a slice is as large as
 * the tensor that was sliced, so n slices of one tensor would cost n².
 * @param {OpTable} ops
 * @param {Operand} x
 * @param {number} axis
 * @param {readonly number[]} sizes
 * @returns {Tensor[]}
 */
const slices = (ops, x, axis, sizes) => {
  if (sizes.length > 4) {
    const halves = [sizes.slice(0, sizes.length >> 1), sizes.slice(sizes.length >> 1)];
    const lengths = halves.map((half) => half.reduce((sum, size) => sum + size, 0));
    return slices(ops, x, axis, lengths).flatMap((part, i) => {
      const parts = slices(ops, part, axis, halves[i] ?? []);
      part.dispose();
      return parts;
    });
  }
  const shape = shapeOf(x);
  let begin = 0;
  return sizes.map((size) => {
    const begins = shape.map((_, i) => (i === axis ? begin : 0));
    const lengths = shape.map((all, i) => (i === axis ? size : all));
    begin += size;
    return apply(ops[INSTANCE], ops[IDS].slice, 1, [...begins, ...lengths], x);
  });
};

/** @param {OpTable} ops @param {unknown} x @param {unknown} axis @returns {Tensor[]} */
export const unstack = (ops, x, axis = 0) => {
  const operand = prepare(ops[INSTANCE], x, 'unstack: the first operand');
  const shape = shapeOf(operand);
  const index = axisFrom0('unstack', axis, shape.length);
  const ones = new Array(shape[index]).fill(1);
  const rest = shape.filter((_, i) => i !== index);
  return compose(ops, () => slices(ops, operand, index, ones).map((y) => reshape(ops, y, rest)));
};

/** The sizes of all parts. @param {unknown} wanted @param {number} size @param {string} where */
const readSizes = (wanted, size, where) => {
  if (typeof wanted === 'number') {
    const parts = readInteger(wanted, 'split: numOrSizeSplits');
    if (parts < 1 || size % parts !== 0) {
      throw new ShapeError(
        `split: ${where} has size ${size}, which cannot be split into ${parts} equal parts`,
      );
    }
    return new Array(parts).fill(size / parts);
  }
  const sizes = readIntegers(wanted, 'split: numOrSizeSplits');
  const given = formatShape(sizes);
  const inferred = sizes.indexOf(-1);
  if (inferred >= 0) sizes[inferred] = size - sizes.reduce((sum, part) => sum + part, 1);
  if (sizes.some((part) => part < 0) || sizes.reduce((sum, part) => sum + part, 0) !== size) {
    throw new ShapeError(
      `split: ${where} has size ${size}, but the sizes ${given} do not add up to it`,
    );
  }
  return sizes;
};

/**
 * @param {OpTable} ops
 * @param {unknown} x
 * @param {unknown} numOrSizeSplits
 * @param {unknown} axis
 * @returns {Tensor[]}
 */
export const split = (ops, x, numOrSizeSplits, axis = 0) => {
  const operand = prepare(ops[INSTANCE], x, 'split: the first operand');
  const shape = shapeOf(operand);
  const index = axisFrom0('split', axis, shape.length);
  const where = `axis ${index} of shape ${formatShape(shape)}`;
  const sizes = readSizes(numOrSizeSplits, Number(shape[index]), where);
  return compose(ops, () => slices(ops, operand, index, sizes));
};
