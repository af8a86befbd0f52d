// Variables of TensorFlow.js and the gradlock variable of each. They are found by identity, since
// names are reused and positions change. Either side may have been written; TensorFlow.js shows it
// by another dataId, gradlock by another version.
import { describe, formatShape } from '../base/check.js';
import { DisposedError, GradlockError, HandleError, ShapeError } from '../base/errors.js';

/** @import { Variable } from '../locks/variable.js' */
/**
 * @typedef {object} Mirror
 * @property {any} theirs A tf.Variable.
 * @property {Variable} own
 * @property {object} dataId Of theirs, when both were equal.
 * @property {number} version Of our own, when both were equal.
 * @property {number} forced How many locked elements were changed from outside so far.
 */

/** Bytes of a variable's name at most. */
const MOST_NAME = 63;

/** All variables of one engine that are known here. */
export class Mirrors {
  #g;
  #tf;
  /** @type {Map<object, Mirror>} By tf.Variable. */
  #all = new Map();
  /** Optimizers that are alive. @type {Set<{ dispose(): void }>} */
  users = new Set();

  /** @param {import('../gradlock.js').Gradlock} g @param {any} tf */
  constructor(g, tf) {
    this.#g = g;
    this.#tf = tf;
  }

  /** All variables that TensorFlow.js has now, by name. @returns {Record<string, any>} */
  get registered() {
    return this.#tf.engine().registeredVariables;
  }

  /**
   * The mirror of a variable or of a layer's, equal to it.
   * @param {any} given
   * @param {string} what Who asks.
   * @returns {Mirror}
   */
  of(given, what) {
    this.sweep();
    const variable = given?.val ?? given; // a layer's has a variable inside
    if (!(variable instanceof this.#tf.Variable)) {
      const hint = given?.weights ? `: name one, such as ${what}(layer.kernel)` : '';
      throw new TypeError(
        `${what} takes a variable of TensorFlow.js or of a layer, got ${describe(given)}${hint}`,
      );
    }
    const known = this.#all.get(variable);
    if (known) return this.#equal(known);
    const { name, dtype } = variable;
    if (this.registered[name] !== variable) {
      if (variable.isDisposed) throw new DisposedError(`${what}: '${name}' was disposed`);
      throw new HandleError(`${what}: '${name}' belongs to another copy of TensorFlow.js`);
    }
    if (dtype !== 'float32') {
      throw new GradlockError(`${what}: '${name}' is ${dtype}, only float32 is trained and locked`);
    }
    const { dataId, shape } = variable;
    const label = encodeURI(name).slice(-MOST_NAME); // bytes, so that no character is cut
    const own = this.#g.variable(variable.dataSync(), { shape, name: label });
    const mirror = { theirs: variable, own, dataId, version: own.version, forced: 0 };
    this.#all.set(variable, mirror);
    return mirror;
  }

  /** The mirror of a variable, if any, not updated. @param {object} variable A tf.Variable. */
  known(variable) {
    return this.#all.get(variable)?.own;
  }

  /** Bring all up to date. */
  refresh() {
    this.sweep();
    for (const mirror of this.#all.values()) this.#equal(mirror);
  }

  /** Dispose the mirrors of disposed variables. */
  sweep() {
    for (const [variable, { theirs, own }] of this.#all) {
      if (!theirs.isDisposed && !own.disposed) continue;
      own.dispose();
      this.#all.delete(variable);
    }
  }

  /**
   * True if no element of a variable can train in the next step, so its gradient is not needed.
   * With holders this is false: a policy may use gradients, counts steps, and may unlock elements.
   * @param {object} variable A tf.Variable.
   */
  isHeld(variable) {
    const own = this.#all.get(variable)?.own;
    return !!own && own.locks.count === own.size && own.locks.holders.length === 0;
  }

  /** Write values that TensorFlow.js does not have yet. @param {Mirror} mirror */
  push(mirror) {
    const { theirs, own } = mirror;
    if (own.version === mirror.version) return;
    const tensor = this.#tf.tensor(own.data(), [...own.shape], 'float32');
    try {
      theirs.assign(tensor);
    } finally {
      tensor.dispose();
    }
    mirror.dataId = theirs.dataId;
    mirror.version = own.version;
  }

  dispose() {
    for (const user of this.users) user.dispose();
    for (const { own } of this.#all.values()) own.dispose();
    this.#all.clear();
  }

  /** @param {Mirror} mirror */
  #equal(mirror) {
    const { theirs, own } = mirror;
    if (theirs.dataId === mirror.dataId) {
      this.push(mirror);
      return mirror;
    }
    expectShape(`'${theirs.name}'`, theirs, own);
    const values = theirs.dataSync();
    const forced = countForced(own, values);
    own.assign(values, { force: true });
    Object.assign(mirror, { dataId: theirs.dataId, version: own.version });
    mirror.forced += forced;
    return mirror;
  }
}

/** @param {string} what @param {{ shape: readonly number[] }} given @param {Variable} own */
export const expectShape = (what, given, own) => {
  const [found, needed] = [formatShape(given.shape), formatShape(own.shape)];
  if (found !== needed) throw new ShapeError(`${what} has shape ${found}, it must be ${needed}`);
};

/** How many locked elements have other bits. @param {Variable} own @param {Float32Array} values */
const countForced = (own, values) => {
  if (own.locks.count === 0) return 0;
  const [before, after] = [own.data(), values].map(
    ({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length),
  );
  let count = 0;
  for (const i of own.locks.toIndices()) if (before[i] !== after[i]) count++;
  return count;
};
