// Finds the output shapes of a function of tensors that has no formula for them. It records the
// function several times with zeros, which computes nothing, and uses different numbers for
// unknown sizes. Output sizes that differ are unknown, too. This is the default for
// lambdas and for users' own layers (docs/decisions/0049). A size counts as known only if it was
// the same for small and for large sizes. Models compare it with the real outputs.
import { GradlockError, ShapeError } from '../../base/errors.js';
import { newRun } from './forward-pass.js';
import { toList } from './symbolic.js';

/** @import { Layer } from './layer.js' */
/** @import { OpenShape } from '../config/open-shapes.js' */

/** Numbers for unknown sizes: primes, so that no stride or fold treats two of them alike. */
const STAND_INS = [3, 37, 331, 1009, 8191, 65537, 131071];

/** Batch sizes for the same recordings; small, because no window slides along a batch. */
const BATCHES = [2, 5, 7, 11, 13, 17, 19];

/** The number of recordings that must succeed. */
const NEEDED = 3;

/** The size that one recording must reach if other axes than the batch are unknown. */
const LARGE = 1009;

/** Thrown to end a recording that is not meant to run. */
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
 * Returns shapes with numbers for unknown sizes.
 * @param {readonly OpenShape[]} shapes
 * @param {number} turn
 * @param {boolean} apart True to give each unknown axis its own number, with other gaps each turn.
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
  /** False if axes must have equal sizes, so that they cannot get different numbers. */
  let apart = isOpen;
  for (const [turn, size] of STAND_INS.entries()) {
    for (const isApart of [true, false]) {
      if (isApart && !apart) continue;
      try {
        const inputs = fill(shapes, turn, isApart);
        const { result, takeBack } = layer.nn.begin(() => record(layer, inputs, isList, options));
        takeBack(); // undoes the random draws
        found.push(result);
        if (!isApart) apart = false;
        break;
      } catch (error) {
        // If sizes are unknown, a window may have been too large for the number used.
        if (!(error instanceof GradlockError)) throw error;
        problem = error;
      }
    }
    if (found.length >= NEEDED && (!isOpen || size >= LARGE)) break;
  }
  const [first] = found;
  if (!first || found.length < NEEDED) throw problem;
  if (found.some(({ shapes: other }) => other.some((y, i) => y.length !== first.shapes[i]?.length)))
    throw new ShapeError(
      'the rank of the output depends on sizes of the input: define computeOutputShape',
    );
  const known = first.shapes.map((shape, i) =>
    shape.map((size, axis) =>
      found.every(({ shapes: other }) => other[i]?.[axis] === size) ? size : null,
    ),
  );
  return first.isList ? known : /** @type {OpenShape} */ (known[0]);
};
