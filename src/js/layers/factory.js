// What `layers(g)` gives: a method for each layer, by TensorFlow.js's names, and for models.
import { readOptions } from '../base/check.js';
import { Activation, Dense, Flatten } from './core.js';
import { Layer } from './layer.js';
import { InputLayer, Model } from './model.js';
import { Sequential } from './sequential.js';
import { Toolkit } from './toolkit.js';

/** @typedef {import('../gradlock.js').Gradlock} Gradlock */
/** @typedef {import('./symbolic.js').SymbolicTensor} SymbolicTensor */

const CLASSES = [Activation, Dense, Flatten, InputLayer];

/** Makes layers and models. Methods may be taken off. */
export class Layers {
  #nn;

  /**
   * @internal
   * @param {Gradlock} g
   * @param {object} options
   */
  constructor(g, options) {
    const { seed } = readOptions(options, ['seed'], 'layers options');
    this.#nn = new Toolkit(g, /** @type {any} */ (seed));
    for (const Class of [...CLASSES, Model, Sequential]) {
      this.#nn.classes.set(Class.className, /** @type {any} */ (Class));
    }
  }

  /** @param {any} config */
  dense(config) {
    return new Dense(this.#nn, config);
  }

  /** @param {any} [config] */
  flatten(config) {
    return new Flatten(this.#nn, config);
  }

  /** @param {any} config */
  activation(config) {
    return new Activation(this.#nn, config);
  }

  /**
   * Where data comes in.
   * @param {any} config `{ shape: [28, 28, 1] }`, without the batch, or `{ batchShape }`; and `name`.
   * @returns {SymbolicTensor}
   */
  input(config) {
    return new InputLayer(this.#nn, config).start();
  }

  /**
   * A model between inputs and outputs.
   * @param {any} options
   */
  model(options) {
    return new Model(this.#nn, options);
  }

  /**
   * A model of layers one after the other.
   * @param {any} [layers] A list, or `{ layers, name }`.
   */
  sequential(layers) {
    return new Sequential(this.#nn, layers);
  }

  /** The class to derive layers of one's own from. */
  get Layer() {
    const nn = this.#nn;
    return class extends Layer {
      /** @param {any} [config] */
      constructor(config) {
        super(nn, config);
      }
    };
  }
}
