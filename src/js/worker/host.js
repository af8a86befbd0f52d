// A worker as its page has it: whether it has called train(), and the jobs that end with it.
import { WorkerError } from './error.js';
import { listen } from './endpoint.js';

/** After so many milliseconds without an answer of the worker a warning helps. */
const PATIENCE = 30_000;

/** @type {WeakMap<object, Host>} */
const hosts = new WeakMap();

/** A worker and its jobs. */
export class Host {
  /** What tells its jobs of its end. @type {((error: WorkerError) => void)[]} */
  #losses = [];
  /** @type {WorkerError | null} */
  #end = null;

  /** The only one of a worker. @param {any} worker */
  static of(worker) {
    const host = hosts.get(worker) ?? new Host(worker);
    hosts.set(worker, host);
    return host;
  }

  /** @param {any} worker */
  constructor(worker) {
    this.worker = worker;
    const timer = setTimeout(() => {
      const hint = 'does its script call train() of gradlock/worker?';
      globalThis.console?.warn(`gradlock/worker: no answer from the worker yet; ${hint}`);
    }, PATIENCE);
    /** @type {any} */ (timer).unref?.();
    /** Resolves when the worker has called train(). Either side may be there first. */
    this.ready = new Promise((resolve, reject) => {
      listen(worker, 'message', (data) => data?.gradlock === 'ready' && resolve(null));
      /** @param {string} why @param {unknown} [cause] */
      const fail = (why, cause) =>
        reject(new WorkerError(`the worker could not be loaded: ${why}`, 'load', cause));
      listen(worker, 'error', (error) => {
        fail(error.message || 'its address may be wrong, or a policy forbids it', error);
        // In browsers a worker outlives its errors.
        if (!worker.addEventListener) this.end(error);
      });
      if (worker.addEventListener) return;
      worker.on('exit', () => {
        fail('its script ended without train()');
        this.end();
      });
    });
    this.ready.catch(() => {}).then(() => clearTimeout(timer));
    worker.postMessage({ gradlock: 'hello' });
  }

  /** Throws if the worker was ended. @param {(error: WorkerError) => void} lose Called then. */
  add(lose) {
    if (this.#end) throw this.#end;
    this.#losses.push(lose);
  }

  /** Ends the worker at once. */
  terminate() {
    this.worker.terminate();
    this.end();
  }

  /**
   * Ends the worker when its page is left. In a browser's cache of pages it would sleep, holding
   * its runs and, if it was in the middle of a save, the storage of the whole site.
   */
  endWithPage() {
    globalThis.addEventListener?.('pagehide', this.#leave);
  }
  #leave = () => this.terminate();

  /** The worker is gone, its jobs with it. @param {unknown} [cause] What nothing caught there. */
  end(cause) {
    this.#end ??= new WorkerError('the worker was ended, and its jobs with it', 'ended', cause);
    globalThis.removeEventListener?.('pagehide', this.#leave);
    for (const lose of this.#losses.splice(0)) lose(this.#end);
  }
}
