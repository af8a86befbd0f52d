// The shapes of what a layer gives: found by recording it with zeros, which computes nothing. So a
// layer's function is all there is to say about its shapes.
import { GradlockError, ShapeError } from '../base/errors.js';
import { newRun } from './run.js';
import { toList } from './symbolic.js';

/** @typedef {import('./layer.js').Layer} Layer */
/** @typedef {import('./symbolic.js').OpenShape} OpenShape */

/**
 * Sizes that stand for open ones, pairs of different ones: what differs between two recordings is
 * open as well.
 */
const STAND_INS = [
  [3, 5],
  [37, 41],
  [331, 337],
];

/** What ends a recording that is not meant to be run. */
class Done {
  /** @param {{ shapes: readonly (readonly number[])[], isList: boolean }} found */
  constructor(found) {
    this.found = found;
  }
}

/**
 * @param {Layer} layer
 * @param {readonly OpenShape[]} shapes Of the inputs; the first size of each is the batch.
 * @param {boolean} isList
 * @param {Record<string, any>} options
 * @param {number} size For open sizes.
 */
const record = (layer, shapes, isList, options, size) => {
  const { g } = layer;
  try {
    g.compile(() => {
      const inputs = shapes.map((shape) =>
        g.broadcastTo(
          0,
          shape.map((dim) => dim ?? size),
        ),
      );
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
 * @param {Layer} layer
 * @param {readonly OpenShape[]} shapes
 * @param {boolean} isList
 * @param {Record<string, any>} options
 * @returns {{ shapes: OpenShape[], isList: boolean }}
 */
export const inferShapes = (layer, shapes, isList, options) => {
  let problem;
  for (const [first, second] of STAND_INS) {
    try {
      const one = record(layer, shapes, isList, options, first);
      const other = record(layer, shapes, isList, options, second);
      const found = one.shapes.map((shape, i) =>
        shape.map((dim, axis) => (dim === other.shapes[i]?.[axis] ? dim : null)),
      );
      return { shapes: found, isList: one.isList };
    } catch (error) {
      // With sizes that are open, a window may have been too large for what stood in.
      if (!(error instanceof ShapeError)) throw error;
      problem = error;
    }
  }
  throw problem;
};
