// Entry point for hosts that serve files: gradlock.wasm lies beside this one and is compiled while
// it arrives.
import { compileOnce, create } from './create.js';
import { compileWasm } from './wasm/loader.js';

export * from './base/errors.js';
export * from './types.js';
export { version } from './base/version.js';

const compileFetched = compileOnce(() => compileWasm(new URL('./gradlock.wasm', import.meta.url)));

/**
 * Make an instance of the library.
 * @param {import('./create.js').InitOptions} [options]
 * @returns {Promise<import('./gradlock.js').Gradlock>}
 */
export const init = (options = {}) => create(options, compileFetched);
