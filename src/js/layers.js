// The entry of layers: models, compile and fit, on an instance that `init()` of `gradlock` or
// `gradlock/external` gave.
import { Factory } from './layers/factory.js';

/** @typedef {import('./layers/layer.js').Layer} Layer */
/** @typedef {import('./layers/factory.js').Layers} Layers */
/** @typedef {import('./layers/model.js').Model} Model */
/** @typedef {import('./layers/sequential.js').Sequential} Sequential */
/** @typedef {import('./layers/symbolic.js').SymbolicTensor} SymbolicTensor */

/**
 * Layers and models on an instance.
 * @param {import('./gradlock.js').Gradlock} g
 * @param {{ seed?: import('./tensors/random.js').Seed }} [options] `seed`: what weights, dropout
 *   and shuffling draw from.
 * @returns {Layers}
 */
export const layers = (g, options = {}) => /** @type {Layers} */ (new Factory(g, options));
