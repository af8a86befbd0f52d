// Threads of an instance: workers with the same module on the same memory, which take parts of its
// jobs (src/c/core/thread_pool.c). If that fails, the caller's thread alone computes the same bits.
import { describe, optionError, readNumber, typeError } from '../base/check.js';
import { importNode } from '../base/node.js';
import { makeMemory } from './shared.js';
import { threadText } from './thread-text.js';

/** GLK_MAX_THREADS. */
const MOST_THREADS = 64;

/** The size of each thread's stack, the same as that of the module's own (Makefile). */
const STACK_BYTES = 262144;

/** How long no worker may say that it has started, in ms. A busy machine takes seconds. */
const PATIENCE = 20_000;

/**
 * @typedef {object} WorkerLike A Worker of the web or of Node.js.
 * @property {(message: any) => void} postMessage
 * @property {() => unknown} terminate
 */
/**
 * @typedef {object} Wanted
 * @property {number} count The threads that can be had, with the caller's.
 * @property {WebAssembly.Memory} [memory] Shared, if there are several.
 * @property {string | null} reason Why there are fewer than asked for.
 * @property {boolean} warns True if that is worth a warning.
 * @property {() => WorkerLike} [make]
 * @property {number} shareNs
 */

/**
 * One thread is left for others where there are four or more.
 * @param {{ availableParallelism(): number } | undefined} os
 */
const chooseCount = (os) => {
  const cores =
    os?.availableParallelism() ?? Math.min(globalThis.navigator?.hardwareConcurrency || 1, 8);
  return Math.min(cores < 4 ? cores : cores - 1, MOST_THREADS);
};

/** @param {unknown} threads */
const readCount = (threads) => {
  const expected = `'auto' or an integer from 1 to ${MOST_THREADS}`;
  if (threads === 'auto') return undefined;
  if (typeof threads !== 'number' && typeof threads !== 'string') {
    throw typeError('threads', expected, threads);
  }
  const count = Number.isInteger(threads) ? Number(threads) : 0;
  if (count < 1 || count > MOST_THREADS) throw optionError('threads', expected, threads);
  return count;
};

/**
 * Checks the options of init() that are about threads, and whether this platform has any.
 * @param {Record<string, unknown>} options
 * @param {() => Promise<boolean>} isCompiled True if the module was compiled before.
 * @returns {Promise<Wanted>}
 */
export const prepareThreads = async ({ threads = 1, worker, shareNs = 8000 }, isCompiled) => {
  const given = readCount(threads);
  if (worker !== undefined && typeof worker !== 'function') {
    throw typeError('worker', 'a function that makes a Worker', worker);
  }
  if (!(readNumber(shareNs, 'shareNs') >= 0)) {
    throw optionError('shareNs', 'a number from 0 up', shareNs);
  }
  /** @type {Wanted} */
  const wanted = { count: 1, reason: null, warns: given !== undefined, shareNs: Number(shareNs) };
  if (given === 1) return wanted;
  const node = await importNode('worker_threads').catch(() => undefined);
  const count = given ?? chooseCount(node && (await importNode('os')));
  if (count === 1) return wanted;
  wanted.make = /** @type {Wanted['make']} */ (worker) ?? ownWorker(node);
  const { reason, memory } = (await isCompiled())
    ? { reason: 'a WebAssembly.Module was given: its memory cannot be shared; give the bytes' }
    : findMemory(node, wanted.make);
  return memory ? { ...wanted, count, memory } : { ...wanted, reason: String(reason) };
};

/**
 * @param {unknown} node
 * @param {unknown} make
 * @returns {{ reason?: string, memory?: WebAssembly.Memory }}
 */
const findMemory = (node, make) => {
  if (!make) return { reason: 'this platform has no workers' };
  // Without isolation there is shared memory, and only postMessage refuses it.
  if (!node && !globalThis.crossOriginIsolated) {
    return {
      reason:
        'the page is not cross-origin isolated (send Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp)',
    };
  }
  try {
    return { memory: makeMemory(true) };
  } catch (error) {
    return { reason: `no room for shared memory (${error})` };
  }
};

/** The address of the worker's text. @type {string | undefined} */
let address;

/** @param {any} node @returns {(() => WorkerLike) | undefined} */
const ownWorker = (node) => {
  if (node) return () => new node.Worker(threadText, { eval: true, execArgv: [] });
  const { Worker } = globalThis;
  return (
    Worker &&
    (() => {
      address ??= URL.createObjectURL(new Blob([threadText], { type: 'text/javascript' }));
      return new Worker(address, { name: 'gradlock' });
    })
  );
};

/** Resolves when it is ready. @param {any} worker @param {object} start @returns {Promise<void>} */
const begin = (worker, start) =>
  new Promise((resolve, reject) => {
    const listen = (worker.on ?? worker.addEventListener).bind(worker);
    listen('message', () => resolve());
    for (const kind of ['error', 'messageerror', 'exit']) {
      listen(kind, (/** @type {any} */ event) =>
        reject(
          new Error(
            event?.message ||
              'if a Content-Security-Policy forbids blob: workers, pass `worker` (gradlock/thread)',
          ),
        ),
      );
    }
    worker.postMessage(start);
  });

/**
 * @param {import('./bridge.js').Bridge} bridge
 * @param {WebAssembly.Module} module
 * @param {Wanted} wanted
 */
export const startThreads = async (bridge, module, { count, memory, reason, warns, ...wanted }) => {
  if (count > 1) {
    try {
      await startWorkers(bridge, module, memory, count, wanted);
    } catch (error) {
      bridge.endThreads();
      reason = `a worker did not start: ${error instanceof Error ? error.message : describe(error)}`;
    }
  }
  bridge.threadsReason = reason;
  if (reason && warns) console.warn(`gradlock runs on one thread: ${reason}`);
};

/**
 * @param {import('./bridge.js').Bridge} bridge
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Memory | undefined} memory
 * @param {number} count
 * @param {Pick<Wanted, 'make' | 'shareNs'>} wanted
 */
const startWorkers = async (bridge, module, memory, count, { make, shareNs }) => {
  const { x, context, workers } = bridge;
  bridge.check(x.glk_context_threads(context, count, shareNs));
  const pool = x.glk_bind_thread_pool(context);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** Waits anew after each answer: a slow machine may take long for all of them. */
  let wait = () => {};
  const tooLate = new Promise((_, reject) => {
    wait = () => {
      clearTimeout(timer);
      timer = setTimeout(reject, PATIENCE, new Error(`no answer within ${PATIENCE / 1000} s`));
    };
  });
  wait();
  const answers = Array.from({ length: count - 1 }, async (_, i) => {
    const worker = /** @type {() => WorkerLike} */ (make)();
    workers.push(worker);
    const stack = bridge.reserve(STACK_BYTES) + STACK_BYTES;
    await begin(worker, { module, memory, pool, stack, lane: i + 1 });
    wait();
  });
  try {
    await Promise.race([Promise.all(answers), tooLate]);
  } finally {
    clearTimeout(timer);
    wait = () => {}; // for answers that come after a failure
  }
  // So that Node.js ends when nothing else is left to do.
  for (const worker of workers) /** @type {{ unref?(): void }} */ (worker).unref?.();
  bridge.threads = count;
};
