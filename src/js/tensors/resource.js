/// <reference lib="esnext.disposable" preserve="true" />
// Objects with a handle: each belongs to one instance and can be disposed. Using it afterwards, or
// in another instance, is an error that names it.
import { ANY_COPY, describe, THIS_COPY } from '../base/check.js';
import { DisposedError, HandleError } from '../base/errors.js';

/** @import { Instance } from './instance.js' */

/** Engines without `using` get a key of that description. @type {typeof Symbol.dispose} */
export const disposeKey =
  Symbol.dispose ?? /** @type {typeof Symbol.dispose} */ (Symbol.for('Symbol.dispose'));

/** Refuse objects that only look like ours. @param {unknown} resource @param {boolean} isReal */
const expectReal = (resource, isReal) => {
  if (isReal) return;
  // Not described by itself: that asks for its tag, which asks for its shape, and so for this.
  const given = Object(resource) === resource ? 'another object' : describe(resource);
  throw new TypeError(
    `expected a gradlock object itself, not a Proxy of it or an object made by Object.create: got ${given}`,
  );
};

/** A kind, with content if readable. @param {string} kind One word. @param {() => string} read */
export const comparable = (kind, read) => {
  try {
    return `${kind} ${read()}`;
  } catch {
    return kind; // disposed, or recorded and not computed
  }
};

/** A value that cannot be cloned; its text explains why. */
const NOT_CLONEABLE = Symbol(
  'a gradlock object, which lives in the memory of its instance: send its data(), toJSON() or toBytes()',
);

/** Something that lives in WebAssembly memory until it is disposed. */
export class Resource {
  /** Makes `structuredClone` and `postMessage` throw, not make an empty object. @internal */
  cloneable = NOT_CLONEABLE;

  /** @type {Instance} */
  #instance;
  #handle;
  /** @type {Resource | null} */
  #via;
  /** Why it is gone; empty while it is not. */
  #gone = '';
  /** Its index in the instance's list for the garbage collector; -1 if a scope owns it. */
  #youngIndex = -1;

  /**
   * @internal
   * @param {Instance} instance
   * @param {number} handle
   * @param {boolean} scoped True if scopes may own it.
   * @param {Resource | null} [via] The resource whose handle and lifetime it shares.
   */
  constructor(instance, handle, scoped, via = null) {
    this.#instance = instance;
    this.#handle = handle;
    this.#via = via;
    if (!via) this.#youngIndex = instance.own(this, scoped);
  }

  /**
   * The handle of a resource, if an instance may use it now.
   * @internal
   * @param {Instance} instance
   * @param {Resource} resource
   * @returns {number}
   */
  static handleOf(instance, resource) {
    const owner = Resource.ownerOf(resource);
    if (owner.#handle === 0 || !owner.#instance.isAlive) throw resource.#goneError();
    if (owner.#instance !== instance) {
      throw new HandleError(
        `${resource.label} belongs to another gradlock instance: every init() makes its own objects`,
      );
    }
    return owner.#handle;
  }

  /** Whose handle it uses. @internal @template {Resource} T @param {T} resource @returns {T} */
  static ownerOf(resource) {
    expectReal(resource, #handle in resource);
    /** @type {Resource} */
    let owner = resource;
    while (owner.#via) owner = owner.#via;
    return /** @type {T} */ (owner);
  }

  /**
   * Give up a resource's handle, and let it be another name of one of the same kind.
   * @internal
   * @template {Resource} T
   * @param {T} resource
   * @param {T} other
   */
  static join(resource, other) {
    resource.retire('');
    resource.#via = other;
  }

  /** Its handle for its own methods. @internal @param {Resource} resource */
  static ownHandle(resource) {
    expectReal(resource, #handle in resource);
    return Resource.handleOf(resource.#instance, resource);
  }

  /** @internal @param {Resource} resource */
  static instanceOf(resource) {
    expectReal(resource, #handle in resource);
    return resource.#instance;
  }

  /**
   * Call a function of C that takes a resource, and writes its answer to `bridge.out`.
   * @internal
   * @param {Resource} resource
   * @param {`glk_${string}`} name
   * @param {...number} more What it takes between the two.
   */
  static ask(resource, name, ...more) {
    const handle = Resource.ownHandle(resource);
    const { bridge } = resource.#instance;
    bridge.check(bridge.x[name](bridge.context, handle, ...more, bridge.out));
    return bridge;
  }

  /** The name of its kind, in one word, for consoles and messages. @returns {string} */
  get [Symbol.toStringTag]() {
    return 'Resource';
  }

  /** @internal */
  get [ANY_COPY]() {
    return true;
  }

  /** @internal */
  get [THIS_COPY]() {
    return true;
  }

  /**
   * The form for JSON.stringify; throws TypeError for kinds without such a form.
   * @returns {unknown}
   * @example
   * JSON.stringify({ x: g.tensor([1, 2]) }); // '{"x":{"shape":[2],"values":[1,2]}}'
   */
  toJSON() {
    throw new TypeError(
      `${this.label} cannot be written as JSON: only variables, tensors and lock sets can; optimizers have state()`,
    );
  }

  /** How messages name it. @internal @returns {string} */
  get label() {
    return this[Symbol.toStringTag];
  }

  #goneError() {
    const owner = Resource.ownerOf(this);
    const reason = owner.#gone || 'its gradlock instance was disposed';
    return new DisposedError(`${this.label} is gone: ${reason}`);
  }

  /** True if it was disposed, alone or with its instance. @returns {boolean} */
  get disposed() {
    const owner = Resource.ownerOf(this);
    return owner.#handle === 0 || !owner.#instance.isAlive;
  }

  /**
   * Give its memory back. Twice is fine. What a program or an optimizer needs stays alive inside.
   * @example
   * const x = g.tensor([1, 2]);
   * x.dispose();
   * x.disposed; // true
   */
  dispose() {
    this.retire('it was disposed');
  }

  /**
   * For `using`.
   * @example
   * const x = g.tensor([1, 2]);
   * x[Symbol.dispose]();
   * x.disposed; // true
   */
  [disposeKey]() {
    this.dispose();
  }

  /** Dispose for a reason. @internal @param {string} reason */
  retire(reason) {
    expectReal(this, #handle in this);
    if (this.#via || this.#handle === 0) return;
    const handle = this.#handle;
    this.#handle = 0;
    this.#gone = reason;
    if (this.#youngIndex >= 0) this.#instance.forget(this, this.#youngIndex);
    this.#instance.release(handle);
  }

  /**
   * Give its handle back once JavaScript forgets it.
   * @internal
   * @param {FinalizationRegistry<number>} registry The registry of its instance.
   */
  enlist(registry) {
    registry.register(this, this.#handle, this);
  }

  /** Outlive the scope it was made in. @internal */
  adopt() {
    if (this.#handle !== 0) this.#youngIndex = this.#instance.own(this, true);
  }
}
