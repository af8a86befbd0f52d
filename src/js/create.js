// Creation of an instance from a compiled module, for all entry points.
import { readOptions } from './base/check.js';
import { LoadError } from './base/errors.js';
import { Gradlock } from './gradlock.js';
import { Instance } from './tensors/instance.js';
import { Bridge } from './wasm/bridge.js';
import { compileWasm, instantiateWasm, isCompiled } from './wasm/loader.js';
import { prepareThreads, startThreads } from './wasm/threads.js';

/** @typedef {import('./wasm/loader.js').WasmSource} WasmSource */
/**
 * @typedef {object} InitOptions
 * @property {WasmSource} [wasm] Where gradlock.wasm comes from, if not from the package: its bytes,
 *   a Response (or the promise of one), a WebAssembly.Module or a URL. LoadError if that cannot be
 *   had, or is something else.
 * @property {number | 'auto'} [threads] How many threads compute, the caller's included: 1 to 64,
 *   or `'auto'`, what suits the machine. Default: 1. Results have the same bits for any number.
 *   Other threads are workers on shared memory, which pages have where they are cross-origin
 *   isolated. Where they cannot be had, one thread computes: `g.threads` and `g.threadsReason` say
 *   so, and so does a warning if a number was asked for. TypeError or OptionError if it is
 *   something else.
 * @property {() => import('./wasm/threads.js').WorkerLike} [worker] Makes a worker that runs
 *   `gradlock/thread`. Needed where a Content-Security-Policy forbids workers from blob: addresses.
 * @property {number} [shareNs] The shortest computation that threads share, by an estimate in
 *   nanoseconds; 0 shares all. Default: 8000.
 */

/**
 * Compiles a module once for all instances, and once for those with a shared memory; a failure is
 * forgotten, so that the next init() tries again.
 * @param {(isShared: boolean) => Promise<WebAssembly.Module>} compile
 */
export const compileOnce = (compile) => {
  /** @type {(Promise<WebAssembly.Module> | undefined)[]} */
  const compiled = [];
  return async (/** @type {boolean} */ isShared) => {
    compiled[+isShared] ??= compile(isShared);
    try {
      return await /** @type {Promise<WebAssembly.Module>} */ (compiled[+isShared]);
    } catch (error) {
      compiled[+isShared] = undefined;
      throw error;
    }
  };
};

/**
 * @param {unknown} options
 * @param {(isShared: boolean) => Promise<WebAssembly.Module>} compileOwn The module of the package.
 * @param {number} [realBytes] The size of a value in it.
 */
export const create = async (options, compileOwn, realBytes = 4) => {
  const known = ['wasm', 'threads', 'worker', 'shareNs'];
  const { wasm, ...others } = readOptions(options, known, 'init options');
  const wanted = await prepareThreads(others, () => isCompiled(wasm));
  const isShared = wanted.count > 1;
  const module = await (wasm === undefined ? compileOwn(isShared) : compileWasm(wasm, isShared));
  const bridge = new Bridge(await instantiateWasm(module, wanted.memory));
  if (bridge.realBytes !== realBytes) {
    throw new LoadError(`this module computes in f${8 * bridge.realBytes}, not f${8 * realBytes}`, {
      hint: 'gradlock/double takes gradlock.double.wasm, the other entries gradlock.wasm',
    });
  }
  await startThreads(bridge, module, wanted);
  return new Gradlock(new Instance(bridge));
};
