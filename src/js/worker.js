// Entry point gradlock/worker: training in a worker. The page calls start(), the worker train(). It
// needs no instance of the library in the page, and no shared memory.
import { refuseRest } from './base/arity.js';
import { suggest } from './base/suggest.js';
import { transfer } from './worker/calls.js';
import { WorkerError } from './worker/error.js';
import { Host } from './worker/host.js';
import { openJob, readPace } from './worker/job.js';
import { findPage, listen } from './worker/endpoint.js';
import { Runner } from './worker/runner.js';

export * from './base/errors.js';
export { transfer, WorkerError };

/** @import { AnyGenerator, AnyGradlock, AnyOptimizer, AnyProgram } from './either.js' */
/** @import { AnySolver, AnyTensor, AnyVariable } from './either.js' */
/**
 * @template {Float32Array | Float64Array} [Data=Float32Array]
 * @typedef {import('./worker/job.js').Job<Data>} Job
 */
/** @typedef {import('./worker/job.js').JobKept} JobKept */
/** @typedef {import('./worker/job.js').JobVariable} JobVariable */
/** @typedef {import('./worker/job.js').VariableName} VariableName */
/** @typedef {import('./worker/error.js').WorkerReason} WorkerReason */
/** @typedef {import('./gradlock.js').Gradlock} Gradlock */
/** @typedef {import('./graph/program.js').Program<any>} Program */
/** @typedef {import('./locks/variable.js').Variable} Variable */
/** @typedef {import('./optim/optimizer.js').Optimizer} Optimizer */
/** @typedef {import('./optim/solver.js').Solver} Solver */
/** @typedef {import('./tensors/random.js').Generator} Generator */
/** @typedef {import('./tensors/tensor.js').Tensor} Tensor */
/**
 * Functions that the page may call by `job.call`.
 * @typedef {Record<string, (...given: any[]) => unknown>} TaskCalls
 */
/**
 * What a worker's function gets with the data: the kept state, if there is one.
 * @typedef {{ found: import('./keep.js').KeptState | null }} TaskContext
 */
/**
 * A loss to train.
 * @typedef {object} LossTask
 * @property {AnyProgram | (() => AnyTensor)} loss As for `minimize`; best compiled.
 * @property {AnyOptimizer | AnySolver} optimizer
 * @property {readonly AnyVariable[]} [variables] What to train. Default: all that a compiled loss
 *   depends on.
 * @property {number} [steps] Steps in all. Default: as many as come until `job.stop()`.
 * @property {(step: number) => void | Promise<void>} [batch] Called and awaited before each step,
 *   counted from 0, to write its data. It should depend on `step` alone: then a kept job
 *   goes on to the same bits.
 * @property {readonly (AnyProgram | AnyGenerator)[]} [also] What else a kept state needs, as for
 *   `toBytes`; the loss is in it.
 * @property {AnyGradlock} [g] The instance, for `job.pressure`.
 * @property {TaskCalls} [calls]
 */
/**
 * A model to train.
 * @typedef {object} ModelTask
 * @property {any} model Of gradlock/layers, compiled.
 * @property {any} x As for `fit`.
 * @property {any} [y]
 * @property {any} [fit] Options of `fit`.
 * @property {() => Uint8Array} [save] `() => saveModel(model)` of gradlock/formats: what is kept,
 *   and the result's `state`.
 * @property {TaskCalls} [calls]
 */
/**
 * Nothing to train: calls alone.
 * @typedef {object} CallsTask
 * @property {TaskCalls} calls
 * @property {readonly AnyVariable[]} [variables] For `job.read`, `job.lock` and `job.source`.
 */
/** @typedef {LossTask | ModelTask | CallsTask} Task */
/**
 * @typedef {object} TrainOptions
 * @property {(name: string, options?: import('./keep.js').KeepOptions) =>
 *   Promise<import('./keep.js').KeptRun>} [keep] That of gradlock/keep, if jobs may be kept.
 */
/**
 * How far training is. A model's reports have the members of `onProgress`, too.
 * @typedef {object} JobProgress
 * @property {number} step Steps done, of a model batches of this job.
 * @property {number} [steps] Steps in all; Infinity if there is no end.
 * @property {number} loss Of a loss, as it was before the last step; of a model, of the epoch.
 * @property {number} elapsed Milliseconds since training began.
 * @property {number | null} timeLeft Milliseconds, estimated; null if that is not known.
 * @property {number} [epoch]
 * @property {Record<string, number>} [logs]
 */
/**
 * How training ended.
 * @typedef {object} JobEnd
 * @property {number} step
 * @property {number} loss
 * @property {string | null} stopped Why it ended early: `'stop'`, the `stopReason` of a solver, or
 *   of a model what `fit` says; else null.
 * @property {Uint8Array} [state] `optimizer.toBytes({ variables, also: [loss] })`, or what the
 *   task's `save` returned.
 */
/**
 * How training ended. A model's result has the members of FitResult, such as `history`, too.
 * @typedef {JobEnd & Partial<Omit<import('./layers.js').FitResult, 'stopped'>>} JobResult
 */
/**
 * @typedef {object} StartOptions
 * @property {object[]} [transfer] Buffers in `data` that are moved, not copied.
 * @property {string | ({ name: string } & import('./keep.js').PlaceOptions & { wait?: boolean })}
 *   [keep] The name under which states are kept, as `keep` of gradlock/keep takes it. If there is
 *   one, training goes on from it.
 * @property {number} [every] Steps, of a model epochs, from save to save. Default: about a second
 *   apart, of a model at the end of an epoch.
 * @property {number} [pace] The most steps a second, of a model batches; `job.pace` changes it.
 *   Default: Infinity.
 * @property {boolean} [paused] True to wait for `job.resume()` at first. Default: false.
 */

/** @param {object} options @param {readonly string[]} known */
const refuseUnknown = (options, known) => {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new TypeError(`options have no '${unknown}': ${suggest(unknown, known)}`);
};

/**
 * Starts a training in a worker whose script calls `train`. Rejects with an error of its function.
 * @template {Float32Array | Float64Array} [Data=Float32Array]
 * @param {any} worker A Worker of the platform, or of Node.js's worker_threads.
 * @param {unknown} [data] Given to the worker's function: anything that can be sent.
 * @param {StartOptions} [options]
 * @param {[]} more
 * @returns {Promise<Job<Data>>}
 * @example
 * const worker = new Worker(new URL('train.js', import.meta.url), { type: 'module' });
 * const job = await start(worker, { xs, ys });
 * for await (const { step, loss } of job.progress) show(step, loss);
 * const { state } = await job.result;
 */
export const start = async (worker, data, options = {}, ...more) => {
  refuseRest('start', 3, more);
  if (typeof worker?.postMessage !== 'function') {
    throw new TypeError('start takes a Worker: new Worker(new URL(...), { type: "module" })');
  }
  const { transfer: list = [], keep = null, every = 0, pace = Infinity, paused = false } = options;
  refuseUnknown(options, ['transfer', 'keep', 'every', 'pace', 'paused']);
  if (!Number.isInteger(every) || every < 0) {
    throw new RangeError(`every must be a number of steps, got ${every}`);
  }
  const host = Host.of(worker);
  await host.ready;
  const { port1, port2 } = new MessageChannel();
  const job = openJob(host, port1);
  worker.postMessage({ gradlock: 'start', port: port2 }, [port2]);
  return job.open(data, { transfer: list, keep, every, pace: readPace(pace), paused });
};

/**
 * In a worker: hands over what to train, whenever a page asks. Rejects with WorkerError elsewhere.
 * @param {(data: any, context: TaskContext) => Task | Promise<Task>} make Called for each `start`.
 *   A loss goes on from what was found by itself; a model is to be made from it by `loadModel`.
 * @param {TrainOptions} [options]
 * @param {[]} more
 * @returns {Promise<void>}
 * @example
 * train(async ({ target }) => {
 *   const g = await init();
 *   const w = g.variable(g.zeros([2, 2]), { name: 'w' });
 *   const loss = g.compile(() => g.mean(g.square(g.sub(w, target))));
 *   return { g, loss, optimizer: g.optimizers.adam(), steps: 1000 };
 * });
 */
export const train = async (make, options = {}, ...more) => {
  refuseRest('train', 2, more);
  refuseUnknown(options, ['keep']);
  const { keep } = options;
  if (typeof make !== 'function') throw new TypeError('train takes a function');
  const page = await findPage();
  if (!page) throw new WorkerError('train() is for workers: call it in the script of one', 'task');
  listen(page, 'message', (message) => {
    // Other messages are the user's own.
    if (message?.gradlock === 'hello') page.postMessage({ gradlock: 'ready' });
    if (message?.gradlock === 'start') new Runner(message.port, make, keep);
  });
  page.postMessage({ gradlock: 'ready' });
};
