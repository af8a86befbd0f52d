// Tensors from a shape or a range, by their names in TensorFlow.js. They are made of rows of the op
// table, or of numbers that JavaScript rounds to f32 once.
import { formatShape, readInteger, readNumber, readShape } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { apply, prepare, shapeOf } from '../tensors/apply.js';
import { createTensor, Tensor } from '../tensors/tensor.js';
import { tidy } from '../tensors/tidy.js';
import { RandomOps } from './random.js';
import { IDS, INSTANCE } from './table.js';

/** @import { Shape } from '../tensors/random.js' */
/** @import { TensorLike } from '../tensors/tensor.js' */
/** @import { OpTable } from './table.js' */

/** To which f32 counts exactly. */
const MOST = 2 ** 24;

/** @param {unknown} value @param {string} what @param {number} least */
const readSize = (value, what, least) => {
  const size = readInteger(value, what);
  if (size < least || size > MOST) {
    throw new ShapeError(`${what} is ${size}, expected ${least} to ${MOST}`);
  }
  return size;
};

/** @param {OpTable} ops @param {Shape} shape @param {string} what @param {number} value */
const filled = (ops, shape, what, value) => {
  const dims = readShape(shape, ops[INSTANCE].bridge.maxRank, what);
  return apply(ops[INSTANCE], ops[IDS].broadcastTo, 1, dims, value);
};

/** @param {OpTable} ops @param {TensorLike} x @param {string} name @param {number} value */
const filledLike = (ops, x, name, value) => {
  const shape = shapeOf(prepare(ops[INSTANCE], x, `${name}: the first operand`));
  return filled(ops, shape, name, value);
};

/** Tensors from a shape or a range. */
export class CreationOps extends RandomOps {
  /**
   * All 0.
   * @param {Shape} shape
   * @example
   * g.zeros([2, 3]).array(); // [[0, 0, 0], [0, 0, 0]]
   */
  zeros(shape) {
    return filled(this, shape, 'zeros: shape', 0);
  }

  /**
   * All 1.
   * @param {Shape} shape
   * @example
   * g.ones([3]).array(); // [1, 1, 1]
   */
  ones(shape) {
    return filled(this, shape, 'ones: shape', 1);
  }

  /**
   * All 0, in the shape of x.
   * @param {TensorLike} x
   * @example
   * g.zerosLike([[1, 2], [3, 4]]).array(); // [[0, 0], [0, 0]]
   */
  zerosLike(x) {
    return filledLike(this, x, 'zerosLike', 0);
  }

  /**
   * All 1, in the shape of x.
   * @param {TensorLike} x
   * @example
   * g.onesLike([[1, 2], [3, 4]]).array(); // [[1, 1], [1, 1]]
   */
  onesLike(x) {
    return filledLike(this, x, 'onesLike', 1);
  }

  /**
   * The identity matrix: 1 where row and column are the same, 0 elsewhere.
   * @param {number} numRows At most 2²⁴.
   * @param {number} [numColumns] Default: the number of rows.
   * @param {Shape} [batchShape] Sizes of the axes before these two, along which it is repeated.
   * @example
   * g.eye(2).array(); // [[1, 0], [0, 1]]
   * g.eye(1, 2, [2]).array(); // [[[1, 0]], [[1, 0]]]
   */
  eye(numRows, numColumns, batchShape) {
    const rows = readSize(numRows, 'eye: numRows', 0);
    const columns = numColumns === undefined ? rows : readSize(numColumns, 'eye: numColumns', 0);
    const { maxRank } = this[INSTANCE].bridge;
    const batch = readShape(batchShape ?? [], maxRank, 'eye: batchShape');
    const dims = [...batch, rows, columns];
    if (dims.length > maxRank) {
      throw new ShapeError(
        `eye: batchShape is ${formatShape(batch)}, but the highest rank is ${maxRank}`,
      );
    }
    return tidy(this[INSTANCE], () => {
      const diagonal = new Float32Array(rows).map((_, i) => i);
      return this.broadcastTo(this.oneHot(diagonal, columns), dims);
    });
  }

  /**
   * Numbers at equal distances, from start to stop, both of them included and exact.
   * @param {number} start
   * @param {number} stop
   * @param {number} num How many, from 1 to 2²⁴. 1 gives start.
   * @example
   * g.linspace(0, 1, 5).array(); // [0, 0.25, 0.5, 0.75, 1]
   * g.linspace(3, -3, 3).array(); // [3, 0, -3]
   */
  linspace(start, stop, num) {
    const first = readNumber(start, 'linspace: start');
    const last = readNumber(stop, 'linspace: stop');
    const count = readSize(num, 'linspace: num', 1);
    const gap = last - first;
    const data = new Float64Array(count).map((_, i) => first + (gap * i) / (count - 1));
    data[count - 1] = last; // which first + gap may miss
    data[0] = first;
    return new Tensor(this[INSTANCE], createTensor(this[INSTANCE], [count], data));
  }
}
