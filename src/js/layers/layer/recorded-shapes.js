// The shapes of what a function of tensors gives, where nobody states them by a formula: it is
// recorded with zeros, which computes nothing, several times, with other sizes for those that are
// open. What differs is open as well. This is the default of lambdas and of layers of one's own
// (docs/decisions/0049): a size is said to be known only if it was the same for small and for large
// sizes, and models compare it with what comes out.
import { GradlockError, ShapeError } from '../../base/errors.js';
import { newRun } from './forward-pass.js';
import { toList } from './symbolic.js';

/** @typedef {import('./layer.js').Layer} Layer */
/** @typedef {import('../config/open-shapes.js').OpenShape} OpenShape */

/** Sizes that stand for open ones: primes, so that no stride or fold treats two of them alike. */
const STAND_INS = [3, 37, 331, 1009, 8191, 65537, 131071];

/** Batches that go with them; small, as no window slides along a batch. */
const BATCHES = [2, 5, 7, 11, 13, 17, 19];

/** So many recordings must succeed. */
const NEEDED = 3;

/** Where axes other than the batch's are open, one of the sizes must be this large. */
const LARGE = 1009;

/** What ends a recording that is not meant to be run. */
class Done {
  /** @param {{ shapes: readonly (readonly number[])[], isList: boolean }} found */
  constructor(found) {
    this.found = found;
  }
}

/**
 * @param {Layer} layer
 * @param {readonly (readonly number[])[]} shapes
 * @param {boolean} isList
 * @param {Record<string, any>} options
 */
const record = (layer, shapes, isList, options) => {
  const { g } = layer;
  try {
    g.compile(() => {
      const inputs = shapes.map((shape) => g.broadcastTo(0, shape));
      const outputs = layer.run(isList ? inputs : inputs[0], newRun(false), options);
      throw new Done({
        shapes: toList(outputs).map((y) => y.shape),
        isList: Array.isArray(outputs),
      });
    });
  } catch (error) {
    if (error instanceof Done) return error.found;
    throw error;
  }
  throw new GradlockError('unreachable');
};

/**
 * Shapes with numbers for open sizes.
 * @param {readonly OpenShape[]} shapes
 * @param {number} turn
 * @param {boolean} apart Whether each open axis has a number of its own, at
 *   other distances each turn.
 */
const fill = (shapes, turn, apart) => {
  let count = 0;
  return shapes.map((shape) =>
    shape.map((size, axis) => {
      if (size !== null) return size;
      if (axis === 0) return Number(BATCHES[turn]);
      return Number(STAND_INS[turn]) + (apart ? count++ * (turn + 2) : 0);
    }),
  );
};

/**
 * @param {Layer} layer
 * @param {OpenShape | OpenShape[]} inputShape
 * @param {Record<string, any>} options
 * @returns {OpenShape | OpenShape[]}
 */
export const recordShapes = (layer, inputShape, options) => {
  const isList = Array.isArray(inputShape[0]);
  const shapes = /** @type {OpenShape[]} */ (isList ? inputShape : [inputShape]);
  const isOpen = shapes.some((shape) => shape.slice(1).includes(null));
  /** @type {ReturnType<typeof record>[]} */
  const found = [];
  /** @type {unknown} */
  let problem;
  /** Axes that must agree cannot be told apart. */
  let apart = isOpen;
  for (const [turn, size] of STAND_INS.entries()) {
    for (const isApart of [true, false]) {
      if (isApart && !apart) continue;
      try {
        const inputs = fill(shapes, turn, isApart);
        const { result, takeBack } = layer.nn.begin(() => record(layer, inputs, isList, options));
        takeBack(); // what was drawn
        found.push(result);
        if (!isApart) apart = false;
        break;
      } catch (error) {
        // With sizes that are open, a window may have been too large for what stood in.
        if (!(error instanceof GradlockError)) throw error;
        problem = error;
      }
    }
    if (found.length >= NEEDED && (!isOpen || size >= LARGE)) break;
  }
  const [first] = found;
  if (!first || found.length < NEEDED) throw problem;
  if (found.some(({ shapes: other }) => other.some((y, i) => y.length !== first.shapes[i]?.length)))
    throw new ShapeError('the number of axes depends on sizes: state it by computeOutputShape');
  const known = first.shapes.map((shape, i) =>
    shape.map((size, axis) =>
      found.every(({ shapes: other }) => other[i]?.[axis] === size) ? size : null,
    ),
  );
  return first.isList ? known : /** @type {OpenShape} */ (known[0]);
};
