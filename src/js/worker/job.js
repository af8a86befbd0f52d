// The page's end of a job: what it asks of the worker, and what it was told of the training.
import { limitArguments } from '../base/arity.js';
import { Calls, transfer } from './calls.js';
import { toError, WorkerError } from './error.js';
import { listen } from './endpoint.js';

/** @import { GridSource } from '../grid/source.js' */
/** @import { Selection } from '../locks/locks.js' */
/** @import { Values } from '../base/nested.js' */
/** @import { JobProgress, JobResult, StartOptions } from '../worker.js' */
/**
 * A variable by its name, or by its number in `job.variables`.
 * @typedef {string | number} VariableName
 */
/** What a job's events are. @typedef {{ type: string, detail: any }} JobEvent */
/**
 * A variable of the worker's.
 * @typedef {object} JobVariable
 * @property {string} name
 * @property {number[]} shape
 * @property {number} size The number of elements.
 * @property {boolean} trainable
 */
/**
 * What is kept of a job.
 * @typedef {object} JobKept
 * @property {{ step?: number, epoch?: number } | null} found Where the job went on from; null if it
 *   began anew.
 * @property {{ step?: number, epoch?: number } | null} last The last save of this job.
 * @property {boolean} isWriter False if no save can succeed, as for a second tab.
 * @property {Error | null} error Why a save failed, or what was wrong at opening; a KeepError.
 */

/** Steps a second. @param {unknown} given */
export const readPace = (given) => {
  if (typeof given === 'number' && given > 0) return given;
  throw new TypeError(`pace must be a number of steps a second above 0, got ${String(given)}`);
};

/**
 * A training in a worker. Each method resolves when the worker has done it, between two steps.
 * Errors are those of the worker. Events: `progress`, `keep`, `end` and `refused`, an error of what
 * a grid asked for.
 * @template {Float32Array | Float64Array} [Data=Float32Array] The type of its variables' values.
 */
export class Job {
  #target = new EventTarget();
  #host;
  #calls;
  /** @type {JobProgress | null} */
  #progress = null;
  #reports = 0;
  /** Those who wait for the next report. @type {(() => void)[]} */
  #waiting = [];
  #isEnded = false;
  /** What is shown, by the number of the variable. @type {Map<number, any>} */
  #shown = new Map();
  /** @type {(read: () => JobResult) => void} */
  #settle = () => {};

  /** @internal @param {import('./host.js').Host} host @param {MessagePort} port */
  constructor(host, port) {
    host.add((error) => this.#lose(error));
    this.#host = host;
    this.#calls = new Calls(port, {
      progress: (progress, shown) => this.#report(progress, shown),
      keep: (last) => this.#keep({ last, error: null }),
      notKept: (data, isWriter) => this.#keep({ error: toError(data), isWriter }),
      end: (value) => this.#finish(() => value),
      fail: (data) =>
        this.#finish(() => {
          throw toError(data);
        }),
    });
    // In Node.js a worker's own error follows the end of its ports.
    if (host.worker.addEventListener) listen(port, 'close', () => host.end());
    /** The variables, in the order of the task's. @type {readonly JobVariable[]} */
    this.variables = [];
    /** What is kept; null if nothing is. @type {JobKept | null} */
    this.kept = null;
    /** How training ended. Rejects if it or the worker failed. @type {Promise<JobResult>} */
    this.result = new Promise((resolve) => {
      this.#settle = (read) => resolve(Promise.resolve().then(read));
    });
    /**
     * The newest report, again and again, until training ends. Reports that come while one is
     * handled are passed over, but for the last.
     * @type {AsyncIterable<JobProgress>}
     */
    this.progress = { [Symbol.asyncIterator]: () => this.#iterate() };
  }

  /**
   * @internal
   * @param {unknown} data
   * @param {Omit<Required<StartOptions>, 'keep'> & { keep: unknown }} options
   */
  async open(data, { transfer: list, ...options }) {
    if (options.keep) this.#host.endWithPage();
    const { variables, kept } = await this.#calls.call('open', transfer(data, list), options);
    this.variables = variables;
    if (kept) this.kept = { last: null, error: null, ...this.kept, ...kept };
    return this;
  }

  /**
   * Listens to `progress`, `keep`, `end` or `refused`.
   * @param {string} type
   * @param {(event: JobEvent) => unknown} listener
   * @param {{ once?: boolean }} [options]
   * @example
   * job.addEventListener('progress', ({ detail }) => show(detail.step, detail.loss));
   */
  addEventListener(type, listener, options) {
    this.#target.addEventListener(type, /** @type {any} */ (listener), options);
  }

  /**
   * Ends listening.
   * @param {string} type
   * @param {(event: JobEvent) => unknown} listener
   * @example
   * job.removeEventListener('progress', listener);
   */
  removeEventListener(type, listener) {
    this.#target.removeEventListener(type, /** @type {any} */ (listener));
  }

  /** @param {string} type @param {unknown} detail */
  #say(type, detail) {
    this.#target.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** @param {Partial<JobKept>} news */
  #keep(news) {
    this.kept = { found: null, last: null, isWriter: false, error: null, ...this.kept, ...news };
    this.#say('keep', this.kept);
  }

  /**
   * @param {JobProgress} progress
   * @param {{ at: number, values: Float32Array, locks: Uint8Array | null }[]} news
   */
  #report(progress, news) {
    this.#progress = progress;
    this.#reports++;
    /** The buffers that the worker may fill again. @type {[number, Float32Array][]} */
    const spares = [];
    for (const { at, values, locks } of news) {
      const shown = this.#shown.get(at);
      if (shown.values) spares.push([at, shown.values]);
      Object.assign(shown, { values, locks: locks ?? shown.locks });
      shown.version++;
      if (locks) shown.locksVersion++;
    }
    const buffers = spares.map(([, { buffer }]) => buffer);
    this.#calls.tell('taken', transfer(spares, buffers));
    if (progress.loss !== undefined) this.#say('progress', progress);
    this.#wake();
  }

  #wake() {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** @param {() => JobResult} read Throws if training failed. */
  #finish(read) {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#settle(read);
    this.#say('end', null);
    this.#wake();
  }

  /** The worker is gone. @param {WorkerError} error */
  #lose(error) {
    this.#calls.end(error);
    this.result.catch(() => {}); // Whoever ends a worker need not be told.
    this.#finish(() => {
      throw error;
    });
  }

  async *#iterate() {
    this.result.catch(() => {}); // It is thrown here.
    for (let seen = 0; ; ) {
      if (this.#reports > seen && this.#progress?.loss !== undefined) {
        seen = this.#reports;
        yield this.#progress;
      } else if (this.#isEnded) {
        await this.result;
        return;
      } else {
        seen = this.#reports;
        await new Promise((wake) => this.#waiting.push(() => wake(null)));
      }
    }
  }

  /** @param {VariableName} name */
  #find(name) {
    const { variables } = this;
    if (typeof name === 'number' && variables[name]) return name;
    const found = variables.flatMap((one, i) => (one.name === name ? i : []));
    if (found.length === 1) return found[0] ?? 0;
    const known = variables.map((one, i) => `${i}: '${one.name}'`).join(', ') || 'none';
    const count = found.length || 'no';
    throw new WorkerError(`the job has ${count} variables '${name}', it has ${known}`, 'name');
  }

  /**
   * Locks elements, like `variable.lock`.
   * @param {VariableName} name
   * @param {Selection} selection In a mask, 1 or true means locked.
   * @returns {Promise<number>} The step before which it was done.
   * @example
   * await job.lock('w', { rows: [0] });
   */
  async lock(name, selection) {
    return this.#calls.call('edit', this.#find(name), 'lock', selection);
  }

  /**
   * Frees elements, like `variable.unlock`.
   * @param {VariableName} name
   * @param {Selection} selection In a mask, 1 or true means freed.
   * @returns {Promise<number>} The step before which it was done.
   * @example
   * await job.unlock('w', 'all');
   */
  async unlock(name, selection) {
    return this.#calls.call('edit', this.#find(name), 'unlock', selection);
  }

  /**
   * Trains the selected elements and locks all others, like `variable.trainOnly`.
   * @param {VariableName} name
   * @param {Selection} selection In a mask, 1 or true means trained.
   * @returns {Promise<number>} The step before which it was done.
   * @example
   * await job.trainOnly('w', [[0, 1]]);
   */
  async trainOnly(name, selection) {
    return this.#calls.call('edit', this.#find(name), 'trainOnly', selection);
  }

  /**
   * Sets a variable's values. Rejects with LockedElementError if a locked element would change.
   * @param {VariableName} name
   * @param {Values} values Of its shape, or flat.
   * @returns {Promise<number>} The step before which it was done.
   * @example
   * await job.assign('w', [[1, 2], [3, 4]]);
   */
  async assign(name, values) {
    return this.#calls.call('edit', this.#find(name), 'assign', values);
  }

  /**
   * A copy of a variable as it is now: `values`, row by row, and `locks`, 1 where it is locked.
   * @param {VariableName} name
   * @returns {Promise<{ name: string, shape: number[], values: Data, locks: Uint8Array }>}
   * @example
   * const { values, locks } = await job.read('w');
   */
  async read(name) {
    return this.#calls.call('read', this.#find(name));
  }

  /**
   * What the locks cost, to first order: of a loss the gradient at the locked elements of a
   * variable, and 0 at free ones; of a model the table of `model.pressure`.
   * @param {VariableName | object} [given] A loss's variable, or the options of `model.pressure`.
   * @returns {Promise<any>} A Float32Array, or `{ rows, text, loss, learningRate }`.
   * @example
   * await job.pressure('w');
   */
  async pressure(given) {
    const isName = given !== undefined && typeof given !== 'object';
    return this.#calls.call('pressure', isName ? this.#find(given) : (given ?? {}));
  }

  /**
   * Sets options of the optimizer: all of them, or none if one is refused.
   * @param {Record<string, unknown>} options Such as `{ learningRate: 0.01 }`; functions and
   *   schedules cannot be sent.
   * @returns {Promise<void>}
   * @example
   * await job.set({ learningRate: 0.01 });
   */
  async set(options) {
    return this.#calls.call('set', options);
  }

  /**
   * Trains at most so many steps (or batches) a second, to be watched. Results stay the same.
   * @param {number} stepsPerSecond Above 0. Infinity: as fast as possible.
   * @returns {Promise<number>} The step before which it was done.
   * @example
   * await job.pace(30);
   */
  async pace(stepsPerSecond) {
    return this.#calls.call('pace', readPace(stepsPerSecond));
  }

  /**
   * Halts training between two steps, and saves its state if states are kept.
   * @returns {Promise<void>}
   * @example
   * await job.pause();
   */
  async pause() {
    return this.#calls.call('pause');
  }

  /**
   * Goes on after a pause.
   * @returns {Promise<void>}
   * @example
   * await job.resume();
   */
  async resume() {
    return this.#calls.call('resume');
  }

  /**
   * Ends training between two steps; `result` has what it came to.
   * @returns {Promise<void>}
   * @example
   * await job.stop();
   * (await job.result).stopped; // 'stop'
   */
  async stop() {
    return this.#calls.call('stop');
  }

  /**
   * Calls a function that the task has in its `calls`.
   * @param {string} name
   * @param {...unknown} given Anything that can be sent; `transfer` moves buffers.
   * @returns {Promise<any>}
   * @example
   * await job.call('accuracy');
   */
  async call(name, ...given) {
    return this.#calls.call('call', name, ...given);
  }

  /**
   * Ends the worker at once, with all its jobs; what was not saved is lost.
   * @example
   * job.terminate();
   */
  terminate() {
    this.#host.terminate();
  }

  /**
   * A variable as the source of a `<gradlock-grid>`, which shows it live, and locks and sets its
   * elements: `grid.source = job.source('w')`. One of rank 0 or 1 is a row; of a higher rank, rows
   * are all axes but the last.
   * @param {VariableName} name
   * @returns {GridSource}
   * @example
   * document.querySelector('gradlock-grid').source = job.source('w');
   */
  source(name) {
    const at = this.#find(name);
    const { shape, size, name: label } = /** @type {JobVariable} */ (this.variables[at]);
    const cols = shape.at(-1) ?? 1;
    let shown = this.#shown.get(at);
    if (!shown) {
      shown = { values: null, locks: new Uint8Array(size), version: 0, locksVersion: 0 };
      this.#shown.set(at, shown);
      this.#calls.tell('show', at);
    }
    const empty = new Float32Array(size);
    const ask = (/** @type {string} */ what, /** @type {unknown[]} */ ...given) => {
      this.#calls.call(what, at, ...given).catch((error) => {
        shown.version++;
        shown.locksVersion++;
        this.#say('refused', error);
      });
    };
    return {
      rows: cols > 0 ? size / cols : 0,
      cols,
      name: label,
      values: () => shown.values ?? empty,
      locks: () => shown.locks,
      version: () => shown.version,
      locksVersion: () => shown.locksVersion,
      setLocks(indices, isLocked) {
        // Shown at once; the worker's own locks follow.
        for (const index of indices) shown.locks[index] = Number(isLocked);
        shown.locksVersion++;
        ask('edit', isLocked ? 'lock' : 'unlock', { indices });
      },
      setValue: (index, value) => ask('write', index, value),
    };
  }
}

/**
 * As the constructor: users get jobs from `start`.
 * @param {import('./host.js').Host} host
 * @param {MessagePort} port
 * @returns {Job<any>}
 */
export const openJob = (host, port) => {
  limitArguments(Job.prototype, ['call']);
  return new Job(host, port);
};
