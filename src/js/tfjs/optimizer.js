// Optimizers that TensorFlow.js takes for its own: gradients come from it, the update runs in
// gradlock, and the new values go back. Slots belong to variables, never to positions.
import { formatShape } from '../base/check.js';
import { HandleError, ShapeError } from '../base/errors.js';
import { pack, unpack } from './saved.js';

/** @typedef {import('./twins.js').Twin} Twin */
/** @typedef {import('./twins.js').Twins} Twins */
/** @typedef {import('../optim/optimizer.js').Optimizer} Optimizer */
/** @typedef {{ name: string, tensor: any }} Named */

const RULES = 'sgd adam adamW adagrad adadelta rmsprop adamax nadam lion ftrl'.split(' ');

/**
 * Options of an optimizer, which can be set on it or on its class.
 * @param {object} optimizer
 */
const optionsOf = (optimizer) => {
  const levels = [optimizer, Object.getPrototypeOf(optimizer)];
  const found = levels.flatMap((level) => Object.entries(Object.getOwnPropertyDescriptors(level)));
  return found.filter(([, { set }]) => set).map(([name]) => name);
};

/**
 * @param {import('../gradlock.js').Gradlock} g
 * @param {any} tf
 * @param {Twins} twins
 * @returns {{ optimizers: Record<string, (options?: object) => object>, disposeAll: () => void }}
 */
export const makeOptimizers = (g, tf, twins) => {
  /** @type {Set<{ dispose(): void }>} */
  const alive = new Set();

  class TwinOptimizer extends tf.Optimizer {
    /** @type {Optimizer} */
    #own;
    /** @type {string[]} */
    #options;
    /** What was trained, and with which locks last. @type {Map<Twin, number>} */
    #trained = new Map();
    /** What getWeights gave last. @type {Named[]} */
    #given = [];

    /** @param {string} rule @param {object} options */
    constructor(rule, options) {
      super();
      const own = /** @type {any} */ (g.optimizers)[rule](options);
      this.#own = own;
      this.#options = optionsOf(own);
      for (const name of this.#options) {
        Object.defineProperty(this, name, {
          get: () => own[name],
          set: (value) => {
            own[name] = value;
          },
          enumerable: true,
          configurable: true,
        });
      }
      alive.add(this);
    }

    get gradlock() {
      return this.#own;
    }

    get iterations() {
      return this.#own.iterations;
    }

    /**
     * @param {() => any} f
     * @param {boolean} [returnCost]
     * @param {any[]} [variables]
     */
    minimize(f, returnCost = false, variables) {
      twins.refresh(); // what was written here is seen by the loss
      /** @type {any[]} */
      const trained = (variables ?? Object.values(twins.registered)).filter((v) => v?.trainable);
      const held = trained.filter((variable) => twins.isHeld(variable));
      const free = trained.filter((variable) => !held.includes(variable));
      const isLoss = held.length > 0 && free.length === 0;
      const { value, grads } = isLoss
        ? { value: tf.tidy(f), grads: {} }
        : this.computeGradients(f, held.length > 0 ? free : variables);
      let isTaken = false;
      try {
        const found = free.map(({ name }) => ({ name, tensor: grads[name] }));
        this.#step(
          found,
          held.map(({ name }) => name),
        );
        isTaken = true;
      } finally {
        tf.dispose(grads);
        if (!returnCost || !isTaken) value.dispose();
      }
      return returnCost ? value : null;
    }

    /** @param {Record<string, any> | readonly Named[]} gradients */
    applyGradients(gradients) {
      const list = Array.isArray(gradients)
        ? gradients
        : Object.entries(gradients).map(([name, tensor]) => ({ name, tensor }));
      this.#step(list, []);
    }

    /**
     * One step: everything is read and checked before anything changes.
     * @param {readonly Named[]} gradients
     * @param {readonly string[]} held Names of variables without a gradient, since nothing of them
     *   is free.
     */
    #step(gradients, held) {
      const own = this.#own;
      // Averages and accumulated gradients know whether a variable was in a call.
      const isCounted = own.useEma || own.gradientAccumulationSteps > 1;
      /** @type {[any, Twin][]} */
      const given = gradients
        .filter(({ tensor }) => tensor !== null && tensor !== undefined)
        .map(({ name, tensor }) => [tensor, this.#named(name, tensor)]);
      for (const name of held) given.push([null, this.#named(name, null)]);
      /** @type {[ArrayLike<number>, Twin['own']][]} */
      const pairs = [];
      for (const [tensor, twin] of given) {
        const { theirs, own } = twin;
        const isHeld = twins.isHeld(theirs);
        // Locks are seen once, since unlocking may mean to start anew.
        const isSeen = this.#trained.get(twin) === own.locks.version;
        if (isHeld && isSeen && !isCounted) continue;
        pairs.push([isHeld ? new Float32Array(own.size) : tensor.dataSync(), own]);
      }
      own.applyGradients(/** @type {any} */ (pairs));
      this.#finish(given.map(([, twin]) => twin));
    }

    /**
     * @param {string} name
     * @param {any} tensor Its gradient.
     */
    #named(name, tensor) {
      const variable = twins.registered[name];
      if (!variable) {
        throw new HandleError(
          `there is no variable '${name}': it was disposed, or is another copy's`,
        );
      }
      const twin = twins.of(variable, 'applyGradients');
      const { shape } = twin.own;
      if (tensor && formatShape(tensor.shape) !== formatShape(shape)) {
        throw new ShapeError(
          `'${name}' has shape ${formatShape(shape)}, its gradient ${formatShape(tensor.shape)}`,
        );
      }
      return twin;
    }

    getConfig() {
      const own = /** @type {any} */ (this.#own);
      return Object.fromEntries(this.#options.map((name) => [name, own[name]]));
    }

    async getWeights() {
      this.#forgetGiven();
      twins.refresh();
      const trained = [...this.#trained.keys()].filter(({ own }) => !own.disposed);
      this.#given = pack(tf, this.#own, trained);
      return this.#given;
    }

    /** @param {readonly Named[]} weights */
    async setWeights(weights) {
      this.#finish(await unpack(weights, this.#own, twins));
    }

    /** @param {readonly Twin[]} found What was trained. */
    #finish(found) {
      for (const twin of found) {
        this.#trained.set(twin, twin.own.locks.version);
        twins.push(twin);
      }
    }

    #forgetGiven() {
      for (const { tensor } of this.#given) tensor.dispose();
      this.#given = [];
    }

    dispose() {
      this.#forgetGiven();
      this.#own.dispose();
      this.#trained.clear();
      alive.delete(this);
      twins.sweep();
    }
  }

  /** @type {Record<string, (options?: object) => object>} */
  const optimizers = {};
  for (const rule of RULES) {
    const Own = class extends TwinOptimizer {
      // What files call it.
      static className = `Gradlock${rule[0].toUpperCase()}${rule.slice(1)}`;

      /** @param {object} [options] */
      constructor(options = {}) {
        super(rule, options);
      }

      /** @param {new (config: object) => object} cls @param {object} config */
      static fromConfig(cls, config) {
        return new cls({ ...config, customObjects: undefined }); // which TensorFlow.js adds
      }
    };
    tf.serialization.registerClass(Own);
    optimizers[rule] = (options = {}) => new Own(options);
  }
  const disposeAll = () => {
    for (const optimizer of alive) optimizer.dispose();
  };
  return { optimizers, disposeAll };
};
