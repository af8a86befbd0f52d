// Layers that compute each row of a batch from that row and their weights alone.
import { Layer } from './layer.js';

/**
 * Base of layers whose result for a row is the same each time, whatever else is in the batch: `fit`
 * may compute it once while their weights are locked. A class that draws random numbers, keeps a
 * state or makes masks overrides `isPure`; one that may look along the batch overrides `mixesRows`.
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
    // A function given as an activation has no name, and may do anything.
    if (Object.values(this.config).some((value) => value?.name === '')) return true;
    return this.sublayers.some((layer) => layer.mixesRows(training));
  }
}

/**
 * A class that a function makes, by what users are told of it.
 * @template Fields
 * @typedef {(new (...args: never) => Layer) & { className: string, fields: Fields, aliases: {} }}
 *   Kind
 */

/** Base of layers that work along an axis, which may be the batch's. */
export class AlongAxis extends RowWise {
  /** @override @param {boolean} training */
  mixesRows(training) {
    // Counted from the end, any axis but the last may be the batch's.
    const isOpen = (/** @type {number} */ axis) => axis === 0 || axis < -1;
    return [this.config.axis].flat().some(isOpen) || super.mixesRows(training);
  }
}
