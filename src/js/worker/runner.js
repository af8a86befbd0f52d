// The worker's end of a job: it trains what the worker's function returned, and does between two
// slices what the page asks for. Values that the page shows travel to and fro in the same buffers.
import { suggest } from '../base/suggest.js';
import { nextTask } from '../base/task.js';
import { Calls, transfer } from './calls.js';
import { toData, WorkerError } from './error.js';
import { trainLoss } from './loss.js';
import { trainModel } from './model.js';

/** @import { Task } from '../worker.js' */
/**
 * What is trained.
 * @typedef {object} Trainer
 * @property {readonly any[]} variables
 * @property {any} [optimizer]
 * @property {(found: any) => void} [resume] Go on from a kept state.
 * @property {(given: any) => unknown} [pressure] Of a variable, or by options.
 * @property {(run: Runner) => Promise<object>} train
 */
/** @typedef {{ promise: Promise<any>, resolve: (value?: unknown) => void }} Deferred */

/** The milliseconds between two reports, and between two saves unless steps are given. */
const FRAME = 16;
const SAVE_EVERY = 1000;

/** The milliseconds by which training may be behind its pace. */
const LATE = 100;

/** @returns {Deferred} */
const defer = () => {
  /** @type {Deferred['resolve']} */
  let resolve = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

/** The options of each kind of task. */
const OPTIONS = {
  model: ['x', 'y', 'fit', 'save'],
  loss: ['optimizer', 'variables', 'steps', 'batch', 'also', 'g'],
  calls: ['variables'],
};

/** @param {any} task @returns {Trainer} */
const trainerOf = (task) => {
  for (const [kind, options] of Object.entries(OPTIONS)) {
    if (!task?.[kind]) continue;
    const known = [kind, ...options, 'calls'];
    const unknown = Object.keys(task).find((key) => !known.includes(key));
    if (unknown === undefined) break;
    const what = `a task with a ${kind} has no '${unknown}': ${suggest(unknown, known)}`;
    throw new WorkerError(what, 'task');
  }
  if (task?.model) return trainModel(task);
  if (task?.loss) return trainLoss(task);
  if (task?.calls) return { variables: task.variables ?? [], train: async () => ({}) };
  const kinds = '{ loss, optimizer }, { model, x, y } or { calls }';
  throw new WorkerError(`the function given to train() must return ${kinds}`, 'task');
};

/** The worker's end of one job. */
export class Runner {
  #calls;
  #make;
  #keep;
  /** @type {Trainer} */
  #trainer = { variables: [], train: async () => ({}) };
  /** @type {import('../worker.js').TaskCalls} */
  #own = {};
  /** @type {import('../keep.js').KeptRun | null} */
  #kept = null;
  /** The steps from save to save; 0 for about a second. */
  #every = 0;
  /** The last save, and whether the page has changed anything since. */
  #saved = { step: 0, time: 0, isEdited: false };
  /** Of a pause: when training has come to it, and when it ends. @type {Deferred[] | null} */
  #pause = null;
  #end = defer();
  /** The most steps a second. */
  #pace = Number.POSITIVE_INFINITY;
  /** The step and the time from which the pace counts. */
  #paced = { step: 0, time: 0 };
  /** Ends a wait for the next step. */
  #wake = () => {};
  /**
   * Of each variable that the page shows: a buffer to fill, and the locks that the page has.
   * @type {Map<number, { spare?: Float32Array, locks?: unknown }>}
   */
  #shown = new Map();
  /** True if the page has taken the last report. */
  #isTaken = true;
  #reported = 0;
  /** True if the page has not heard of the last progress. */
  #isNews = false;
  /** @type {any} */
  #progress = { step: 0 };
  isStopped = false;

  /**
   * @param {MessagePort} port
   * @param {(data: any, more: { found: any }) => Task | Promise<Task>} make
   * @param {typeof import('../keep.js').keep} [keep]
   */
  constructor(port, make, keep) {
    this.#make = make;
    this.#keep = keep;
    const of = (/** @type {number} */ at) => this.#trainer.variables[at];
    this.#calls = new Calls(port, {
      open: (data, options) => this.#open(data, options),
      edit: (at, method, ...given) => {
        of(at)[method](...given);
        return this.#edited();
      },
      // One element, as a person sets it.
      write: (at, index, value) => {
        const values = of(at).data();
        values[index] = value;
        of(at).assign(values);
        return this.#edited();
      },
      set: (options) => {
        this.#able('optimizer').setOptions(options);
        this.#edited();
      },
      read(at) {
        const { name, shape, locks } = of(at);
        const [values, mask] = [of(at).data(), locks.toMask()];
        return transfer({ name, shape, values, locks: mask }, [values.buffer, mask.buffer]);
      },
      pressure: (given) => this.#able('pressure')(of(given) ?? given),
      pace: (stepsPerSecond) => this.#setPace(stepsPerSecond),
      pause: () => this.#halt(),
      resume: () => this.#goOn(),
      stop: () => {
        this.isStopped = true;
        this.#goOn();
        return this.#end.promise;
      },
      show: (at) => {
        this.#shown.set(at, {});
        this.#tell();
      },
      taken: (spares) => {
        this.#isTaken = true;
        for (const [at, spare] of spares) Object.assign(this.#shown.get(at) ?? {}, { spare });
      },
      call: (name, ...given) => {
        const calls = this.#own;
        if (Object.hasOwn(calls, name)) return calls[name]?.(...given);
        const known = Object.keys(calls).join() || 'none';
        throw new WorkerError(`the worker has no call '${name}', its calls: ${known}`, 'name');
      },
    });
  }

  /** True if states are to be kept. */
  get isKept() {
    return this.#kept !== null;
  }

  /** @param {'optimizer' | 'pressure'} part */
  #able(part) {
    const found = this.#trainer[part];
    if (!found) throw new WorkerError(`what the worker trains has no ${part}`, 'task');
    return found;
  }

  /** Says before which step something was changed. @returns {number} */
  #edited() {
    this.#saved.isEdited = true;
    this.#tell();
    return this.#progress.step;
  }

  /** @param {any} data @param {any} options Those of `start`. */
  async #open(data, { keep: name, every, pace, paused }) {
    const run = name === null ? null : await this.#openKept(name);
    try {
      const task = await this.#make(data, { found: run?.found ?? null });
      this.#trainer = trainerOf(task);
      this.#own = task.calls ?? {};
      if (run?.found) this.#trainer.resume?.(run.found);
    } catch (error) {
      run?.close();
      throw error;
    }
    this.#every = every;
    this.#pace = pace;
    this.#kept = run;
    if (paused) this.#halt();
    const { step = 0, epoch = 0 } = run?.found?.note ?? {};
    this.#progress.step = step;
    this.#saved = { step: step || epoch, time: performance.now(), isEdited: false };
    this.#train();
    return {
      variables: this.#trainer.variables.map(({ name, shape, size, trainable }) => {
        return { name, shape, size, trainable };
      }),
      kept: run && { found: run.found?.note ?? null, isWriter: run.isWriter },
    };
  }

  /** @param {string | { name: string }} given */
  async #openKept(given) {
    if (!this.#keep) {
      const hint = "call train(make, { keep }) with the keep of 'gradlock/keep'";
      throw new WorkerError(`the worker cannot keep states: ${hint}`, 'task');
    }
    const { name, ...options } = typeof given === 'string' ? { name: given } : given;
    const onError = (/** @type {unknown} */ error) =>
      this.#calls.tell('notKept', toData(error), this.#kept?.isWriter ?? false);
    return this.#keep(name, { ...options, onError });
  }

  async #train() {
    await nextTask(); // The page has its job first.
    try {
      const result = await this.#trainer.train(this);
      if (this.#isNews) this.#tell();
      this.#calls.tell('end', result);
    } catch (error) {
      this.#calls.tell('fail', toData(error));
    }
    this.#end.resolve();
    await this.#kept?.close();
  }

  /** Steps until a state is to be kept; 0 or less if that is now. @param {number} step */
  stepsToSave(step) {
    if (!this.#kept) return Infinity;
    const { step: last, time } = this.#saved;
    if (this.#every) return last + this.#every - step;
    return performance.now() - time < SAVE_EVERY ? Infinity : 0;
  }

  /**
   * Keep a state, if states are kept.
   * @param {{ step?: number, epoch?: number }} note
   * @param {() => Uint8Array} state
   */
  async save(note, state) {
    const step = note.step ?? note.epoch ?? 0;
    const { step: last, isEdited } = this.#saved;
    if (!this.#kept || (step === last && !isEdited)) return;
    // Also if it fails: the next save is as far away.
    this.#saved = { step, time: performance.now(), isEdited: false };
    if (await this.#kept.save(state(), note)) this.#calls.tell('keep', note);
  }

  /** Between two slices: messages, and pauses. @param {() => Promise<void>} [save] */
  async breathe(save) {
    await nextTask();
    while (this.#pause) {
      const [reached, end] = this.#pause;
      await save?.();
      this.#tell();
      reached?.resolve();
      await end?.promise;
    }
  }

  /** @param {number} stepsPerSecond */
  #setPace(stepsPerSecond) {
    this.#pace = stepsPerSecond;
    this.#paced.time = 0;
    this.#wake();
    return this.#progress.step;
  }

  /**
   * How many steps the pace allows; waits until it is one. Also resolves on a pause or stop.
   * @param {number} step The steps done.
   */
  async stepsDue(step) {
    while (this.#pace < Infinity && !this.#pause && !this.isStopped) {
      const now = performance.now();
      // After a pause, or where the machine is too slow, time that is lost is not made up for.
      const isLate =
        now - this.#paced.time > LATE + (1000 * (step - this.#paced.step)) / this.#pace;
      if (isLate) this.#paced = { step, time: now - 1000 / this.#pace };
      const { step: first, time } = this.#paced;
      const due = Math.floor(((now - time) * this.#pace) / 1000) - (step - first);
      if (due > 0) return due;
      const left = time + (1000 * (step - first + 1)) / this.#pace - now;
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve(null);
        };
      });
    }
    return this.#pace < Infinity ? 1 : Infinity;
  }

  #halt() {
    this.#pause ??= [defer(), defer()];
    this.#wake();
    return Promise.race([this.#pause[0]?.promise, this.#end.promise]);
  }

  #goOn() {
    for (const one of this.#pause ?? []) one.resolve();
    this.#pause = null;
    this.#wake();
  }

  /** @param {import('../worker.js').JobProgress} progress */
  report(progress) {
    this.#progress = progress;
    this.#isNews = true;
    if (this.#isTaken && performance.now() - this.#reported > FRAME) this.#tell();
  }

  /** Sends the progress, and what the page shows. */
  #tell() {
    this.#isTaken = this.#isNews = false;
    this.#reported = performance.now();
    /** @type {ArrayBufferLike[]} */
    const buffers = [];
    const shown = [...this.#shown].map(([at, { spare, locks: known }]) => {
      const variable = this.#trainer.variables[at];
      const { locks } = variable;
      const view = variable.view(); // Float64Array if the job computes with gradlock/double
      const values = spare ?? view.slice();
      values.set(view);
      const mask = locks.version === known ? null : locks.toMask();
      this.#shown.set(at, { locks: locks.version });
      buffers.push(values.buffer);
      return { at, values, locks: mask };
    });
    this.#calls.tell('progress', transfer(this.#progress, /** @type {any} */ (buffers)), shown);
  }
}
