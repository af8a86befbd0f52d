// One init() is one instance: a context in C, and on this side who owns which handle. Tensors belong to the innermost
// scope (a tidy, a recording) and go with it; whatever has no scope goes when JavaScript forgets it.
import { DisposedError } from './errors.js';

/** @typedef {import('./resource.js').Resource} Resource */
/** @typedef {import('./variable.js').Variable} Variable */
/** @typedef {import('./bridge.js').Bridge} Bridge */

/** So many resources at most wait to be watched. */
const MOST_YOUNG = 1024;

export class Instance {
  /**
   * Variables by handle, to answer which variables a program reads.
   * @type {Map<number, WeakRef<Variable>>}
   */
  variables = new Map();

  /** Whether something is being recorded. */
  recording = false;
  /** Whether it is recorded to be replayed, when variables may have other values. */
  tracing = false;

  /** @type {Resource[] | null} */
  #scope = null;
  /** @type {FinalizationRegistry<number>} */
  #registry;
  /**
   * Made since the last turn of the event loop, in which nothing is collected anyway. Watching costs more than a small
   * op, so only what lives longer is watched.
   * @type {Map<Resource, number>}
   */
  #young = new Map();
  /** Whether the end of the turn is waited for. */
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
   * @param {number} handle
   * @param {boolean} scoped Whether scopes apply to its kind.
   * @returns {boolean} Whether the garbage collector watches it.
   */
  own(resource, handle, scoped) {
    if (scoped && this.#scope) {
      this.#scope.push(resource);
      return false;
    }
    if (!this.#waits) {
      this.#waits = true;
      queueMicrotask(() => {
        this.#waits = false;
        this.#watch();
      });
    }
    if (this.#young.size === MOST_YOUNG) this.#watch();
    this.#young.set(resource, handle);
    return true;
  }

  #watch() {
    for (const [resource, handle] of this.#young) {
      this.#registry.register(resource, handle, resource);
    }
    this.#young.clear();
  }

  /**
   * Give a handle back to C. Handles carry a generation, so giving one back twice is harmless.
   * @param {number} handle
   * @param {Resource} [watched] The resource, if the garbage collector watches it.
   */
  release(handle, watched) {
    if (watched && !this.#young.delete(watched)) this.#registry.unregister(watched);
    this.variables.delete(handle);
    if (this.isAlive) this.bridge.x.glk_dispose(this.bridge.context, handle);
  }

  /**
   * Run a function in a scope of its own and dispose what it leaves behind.
   * @template T
   * @param {() => T} body
   * @param {string} reason What a later use of a disposed resource is told.
   * @param {(result: T) => Set<unknown>} [kept] What outlives the scope, moving to the one around it.
   * @returns {T}
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
