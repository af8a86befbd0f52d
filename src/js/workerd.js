// Entry point of gradlock, and of gradlock/external, for workerd, the runtime of Cloudflare: it
// compiles no bytes while it runs, but modules of WebAssembly that are imported.
import library, { init as load } from './external.js';
// @ts-expect-error: a WebAssembly.Module
import wasm from './gradlock.wasm';

export * from './external.js';

/**
 * As that of the others.
 * @param {import('./create.js').InitOptions} [options]
 */
export const init = (options = {}) =>
  load(options?.wasm === undefined && Object(options) === options ? { ...options, wasm } : options);

export default Object.create(library, { init: { value: init } });
