// Base classes of layers that compute each row of a batch only from that row and their weights.
import { axesFrom0, expectSize } from '../config/shapes.js';
import { Layer } from './layer.js';

/**
 * Base class of layers whose result for a row is always the same, whatever else is in the batch.
 * `fit` may compute it once while their weights are locked. Classes that draw random numbers, keep
 * a state or make masks override `isPure`; those that may mix rows override `mixesRows`.
 */
export class RowWise extends Layer {
  /** @override @param {boolean} training */
  isPure(training) {
    if (this.config.activityRegularizer || this.makesMasks || this.mixesRows(training))
      return false;
    return this.sublayers.every((layer) => layer.isPure(training));
  }

  /** @override @param {boolean} training */
  mixesRows(training) {
    // A function used as an activation has no name, and may do anything.
    if (Object.values(this.config).some((value) => value?.name === '')) return true;
    return this.sublayers.some((layer) => layer.mixesRows(training));
  }
}

/**
 * The public type of a class that a function makes.
 * @template Fields
 * @typedef {(new (...args: never) => Layer) & { className: string, fields: Fields, aliases: {} }}
 *   Kind
 */

/** Base class of layers whose output has the shape of the input. */
export class SameShape extends RowWise {
  /** @override */ supportsMasking = true;

  /** @override @param {any} shape */
  inferShape(shape) {
    return shape;
  }
}

/** Base class of layers that work along an axis, which may be the batch axis. */
export class AlongAxis extends SameShape {
  /** The weight that has the sizes of the axes, if there is one. @internal @returns {any} */
  get sized() {
    return undefined;
  }

  /** @override @param {any} shape */
  inferShape(shape) {
    const sizes = this.built ? this.sized?.shape : undefined;
    axesFrom0(shape, this.config.axis).forEach((at, i) => void expectSize(shape, at, sizes?.[i]));
    return super.inferShape(shape);
  }

  /** @override @param {boolean} training */
  mixesRows(training) {
    // For an axis counted from the end, any but the last may be the batch axis.
    const isOpen = (/** @type {number} */ axis) => axis === 0 || axis < -1;
    return [this.config.axis].flat().some(isOpen) || super.mixesRows(training);
  }
}
