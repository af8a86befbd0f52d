// Creation of an instance from a compiled module, for all entry points.
import { readOptions } from './base/check.js';
import { Gradlock } from './gradlock.js';
import { Instance } from './tensors/instance.js';
import { Bridge } from './wasm/bridge.js';
import { compileWasm, instantiateWasm } from './wasm/loader.js';

/** @typedef {import('./wasm/loader.js').WasmSource} WasmSource */
/**
 * @typedef {object} InitOptions
 * @property {WasmSource} [wasm] Where gradlock.wasm comes from, if not from the package: its bytes,
 *   a Response (or the promise of one), a WebAssembly.Module or a URL. LoadError if that cannot be
 *   had, or is something else.
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
 * @returns {Promise<Gradlock>}
 */
export const create = async (options, compileOwn) => {
  const { wasm } = readOptions(options, ['wasm'], 'init options');
  const module = await (wasm === undefined ? compileOwn(false) : compileWasm(wasm));
  return new Gradlock(new Instance(new Bridge(await instantiateWasm(module))));
};
