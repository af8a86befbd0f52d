// Optimizers that TensorFlow.js takes for its own: gradients come from it, the update runs in
// gradlock, and the new values go back. Slots belong to variables, never to positions.
import { HandleError } from '../base/errors.js';
import { pack, unpack } from './saved.js';
import { expectShape } from './mirror.js';

/** @import { Mirror, Mirrors } from './mirror.js' */
/** @import { Optimizer } from '../optim/optimizer.js' */
/** @typedef {{ name: string, tensor: any }} Named */

/** Options of an optimizer, which can be set on it or on its class. @param {object} optimizer */
const optionsOf = (optimizer) => {
  const found = [Object.getPrototypeOf(optimizer), optimizer].map(Object.getOwnPropertyDescriptors);
  return Object.entries(Object.assign({}, ...found)).flatMap(([name, { set }]) =>
    set && !set.isRefusal ? name : [],
  );
};

/**
 * @param {import('../gradlock.js').Gradlock} g
 * @param {any} tf
 * @param {Mirrors} mirrors
 * @param {readonly string[]} rules Names of the update rules of C.
 */
export const makeOptimizers = (g, tf, mirrors, rules) => {
  class MirrorOptimizer extends tf.Optimizer {
    /** @type {Optimizer} */
    #own;
    /** @type {string[]} */
    #options;
    /** Trained variables, and their locks' version at that time. @type {Map<Mirror, number>} */
    #trained = new Map();
    /** The last result of getWeights. @type {Named[]} */
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
        });
      }
      mirrors.users.add(this);
    }

    get gradlock() {
      return this.#own;
    }

    get iterations() {
      return this.#own.iterations;
    }

    /** @param {() => any} f @param {boolean} [returnCost] @param {any[]} [variables] */
    minimize(f, returnCost = false, variables) {
      mirrors.refresh(); // what was written here is seen by the loss
      /** @type {any[]} */
      const trained = (variables ?? Object.values(mirrors.registered)).filter((v) => v?.trainable);
      const held = trained.filter((variable) => mirrors.isHeld(variable));
      const free = trained.filter((variable) => !held.includes(variable));
      const { value, grads } =
        held.length > 0 && free.length === 0
          ? { value: tf.tidy(f), grads: {} }
          : this.computeGradients(f, held.length > 0 ? free : variables);
      let cost = null;
      try {
        this.#step([
          ...free.map(({ name }) => ({ name, tensor: grads[name] })),
          ...held.map(({ name }) => ({ name, tensor: null })),
        ]);
        if (returnCost) cost = value;
      } finally {
        tf.dispose(grads);
        if (!cost) value.dispose();
      }
      return cost;
    }

    /** @param {Record<string, any> | readonly Named[]} gradients */
    applyGradients(gradients) {
      const list = Array.isArray(gradients)
        ? gradients
        : Object.entries(gradients).map(([name, tensor]) => ({ name, tensor }));
      this.#step(list.filter(({ tensor }) => tensor));
    }

    /**
     * One step: everything is read and checked before anything changes.
     * @param {readonly Named[]} gradients Without one where TensorFlow.js has none; null where
     *   nothing of the variable is free.
     */
    #step(gradients) {
      const own = this.#own;
      // Averages and accumulated gradients know whether a variable was in a call.
      const isCounted = own.useEma || own.gradientAccumulationSteps > 1;
      /** @type {[any, Mirror][]} */
      const given = gradients
        .filter(({ tensor }) => tensor !== undefined)
        .map(({ name, tensor }) => [tensor, this.#named(name, tensor)]);
      /** @type {[ArrayLike<number>, Mirror['own']][]} */
      const pairs = [];
      for (const [tensor, mirror] of given) {
        const { theirs, own } = mirror;
        const isHeld = mirrors.isHeld(theirs);
        // Locks are read once, since unlocking may restart slots.
        const isSeen = this.#trained.get(mirror) === own.locks.version;
        if (isHeld && isSeen && !isCounted) continue;
        pairs.push([isHeld ? new Float32Array(own.size) : tensor.dataSync(), own]);
      }
      own.applyGradients(/** @type {any} */ (pairs));
      this.#finish(given.map(([, mirror]) => mirror));
    }

    /** @param {string} name @param {any} tensor Its gradient. */
    #named(name, tensor) {
      const variable = mirrors.registered[name];
      if (!variable) {
        throw new HandleError(
          `there is no variable '${name}': it was disposed, or belongs to another copy of TensorFlow.js`,
        );
      }
      const mirror = mirrors.of(variable, 'applyGradients');
      if (tensor) expectShape(`the gradient of '${name}'`, tensor, mirror.own);
      return mirror;
    }

    getConfig() {
      const own = /** @type {any} */ (this.#own);
      return Object.fromEntries(this.#options.map((name) => [name, own[name]]));
    }

    async getWeights() {
      tf.dispose(this.#given);
      mirrors.refresh();
      const trained = [...this.#trained.keys()].filter(({ own }) => !own.disposed);
      this.#given = pack(tf, this.#own, trained);
      return this.#given;
    }

    /** @param {readonly Named[]} weights */
    async setWeights(weights) {
      this.#finish(await unpack(weights, this.#own, mirrors));
    }

    /** @param {readonly Mirror[]} found The trained variables. */
    #finish(found) {
      for (const mirror of found) {
        this.#trained.set(mirror, mirror.own.locks.version);
        mirrors.push(mirror);
      }
    }

    dispose() {
      tf.dispose(this.#given);
      this.#own.dispose();
      this.#trained.clear();
      mirrors.users.delete(this);
      mirrors.sweep();
    }
  }

  /** @type {Record<string, (options?: object) => object>} */
  const optimizers = {};
  for (const rule of rules) {
    const Own = class extends MirrorOptimizer {
      // The class name in files.
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
  return optimizers;
};
