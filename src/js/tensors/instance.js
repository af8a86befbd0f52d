// Instances: a context in C, and the owners of its handles. Tensors belong to the innermost scope
// (a tidy, a recording) and go with it; those without a scope go when JavaScript forgets them.
import { DisposedError } from '../base/errors.js';

/** @import { Resource } from './resource.js' */
/** @import { Variable } from '../locks/variable.js' */
/** @import { Bridge } from '../wasm/bridge.js' */

/** So many resources at most wait to be watched. */
const MOST_YOUNG = 1024;

export class Instance {
  /** Variables by handle, to find those of a program. @type {Map<number, WeakRef<Variable>>} */
  variables = new Map();

  /** True if something is being recorded. */
  recording = false;
  /** True if the recording will be replayed, when variables may have other values. */
  tracing = false;

  /** @type {Resource[] | null} */
  #scope = null;
  /** @type {FinalizationRegistry<number>} */
  #registry;
  /**
   * Resources made since the last turn of the event loop, during which nothing is collected; null
   * where disposed. Registering costs more than a small op, so only longer-lived ones are.
   * @type {(Resource | null)[]}
   */
  #young = [];
  /** True while the end of the turn is awaited. */
  #waits = false;

  /** @param {Bridge} bridge */
  constructor(bridge) {
    this.bridge = bridge;
    this.#registry = new FinalizationRegistry((handle) => this.release(handle));
  }

  get isAlive() {
    return this.bridge.context !== 0;
  }

  /** Address of the context, for calls that name no object. */
  get context() {
    if (!this.isAlive) {
      throw new DisposedError('this gradlock instance was disposed; init() makes a new one');
    }
    return this.bridge.context;
  }

  /**
   * Let the innermost scope own a resource, or else the garbage collector.
   * @param {Resource} resource
   * @param {boolean} scoped True if scopes own this kind of resource.
   * @returns {number} The argument for `forget`; -1 if a scope owns it.
   */
  own(resource, scoped) {
    if (scoped && this.#scope) {
      this.#scope.push(resource);
      return -1;
    }
    if (!this.#waits) {
      this.#waits = true;
      queueMicrotask(() => {
        this.#waits = false;
        this.#watch();
      });
    }
    if (this.#young.length === MOST_YOUNG) this.#watch();
    return this.#young.push(resource) - 1;
  }

  #watch() {
    for (const resource of this.#young) {
      resource?.enlist(this.#registry);
    }
    this.#young.length = 0;
  }

  /**
   * Unregister a disposed resource.
   * @param {Resource} resource
   * @param {number} index The result of `own`: its index among new resources, unless it is older.
   */
  forget(resource, index) {
    const young = this.#young;
    if (young[index] !== resource) return void this.#registry.unregister(resource);
    young[index] = null;
    while (young.length > 0 && young[young.length - 1] === null) young.pop();
  }

  /** Give a handle back to C; twice is harmless, by its generation. @param {number} handle */
  release(handle) {
    this.variables.delete(handle);
    if (this.isAlive) this.bridge.x.glk_dispose(this.bridge.context, handle);
  }

  /**
   * Run a function in its own scope, and then dispose the resources that it made.
   * @template T
   * @param {() => T} body
   * @param {string} reason The reason in the error of a later use.
   * @param {(result: T) => Set<unknown> | undefined} [kept] Returns what moves to the outer scope.
   */
  scope(body, reason, kept) {
    const outer = this.#scope;
    /** @type {Resource[]} */
    const inner = [];
    this.#scope = inner;
    /** @type {Set<unknown> | undefined} */
    let keep;
    try {
      const result = body();
      keep = kept?.(result);
      return result;
    } finally {
      this.#scope = outer;
      for (const resource of inner) {
        if (keep?.has(resource)) resource.adopt();
        else resource.retire(reason);
      }
    }
  }

  /** Dispose everything. */
  dispose() {
    this.variables.clear();
    this.bridge.close();
  }
}
