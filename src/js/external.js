// The entry point for hosts that serve files: gradlock.wasm lies beside this one and is compiled while it arrives.
import { create } from './create.js';
import { compileWasm } from './loader.js';

export * from './errors.js';
export * from './types.js';
export { version } from './version.js';

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

// A failed download must not be remembered.
const compileFetched = async () => {
  compiled ??= compileWasm(new URL('./gradlock.wasm', import.meta.url));
  try {
    return await compiled;
  } catch (error) {
    compiled = undefined;
    throw error;
  }
};

/**
 * Make an instance of the library.
 * @param {import('./create.js').InitOptions} [options]
 * @returns {Promise<import('./gradlock.js').Gradlock>}
 */
export const init = (options = {}) => create(options, compileFetched);
