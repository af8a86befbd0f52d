// Instances: a context in C, and the owners of its handles. Tensors belong to the innermost scope
// (a tidy, a recording) and go with it; those without a scope go when JavaScript forgets them.
import { DisposedError } from '../base/errors.js';

/** @typedef {import('./resource.js').Resource} Resource */
/** @typedef {import('../locks/variable.js').Variable} Variable */
/** @typedef {import('../wasm/bridge.js').Bridge} Bridge */

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
   * Made since the last turn of the event loop, in which nothing is collected anyway; null where it
   * is gone. Watching costs more than a small op, so only what lives longer is watched.
   * @type {(Resource | null)[]}
   */
  #young = [];
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
   * @param {boolean} scoped Whether scopes apply to its kind.
   * @returns {number} What `forget` needs to know; -1 where a scope owns it.
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
   * The garbage collector need not care any more.
   * @param {Resource} resource
   * @param {number} place What `own` gave: where it stands among the young, unless it has grown
   *   older.
   */
  forget(resource, place) {
    const young = this.#young;
    if (young[place] !== resource) return void this.#registry.unregister(resource);
    young[place] = null;
    while (young.length > 0 && young[young.length - 1] === null) young.pop();
  }

  /**
   * Give a handle back to C. Handles carry a generation, so giving one back twice is harmless.
   * @param {number} handle
   */
  release(handle) {
    this.variables.delete(handle);
    if (this.isAlive) this.bridge.x.glk_dispose(this.bridge.context, handle);
  }

  /**
   * Run a function in a scope of its own and dispose what it leaves behind.
   * @template T
   * @param {() => T} body
   * @param {string} reason What a later use of a disposed resource is told.
   * @param {(result: T) => Set<unknown> | undefined} [kept] What outlives the scope, moving to the
   *   one around it.
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
