// Entry point of gradlock, and of gradlock/external, for workerd, Cloudflare's runtime. It does not
// compile bytes at run time; it compiles imported modules of WebAssembly.
import library, { init as load } from './external.js';
// @ts-expect-error: a WebAssembly.Module
import wasm from './gradlock.wasm';

export * from './external.js';

/** As in other entries. @param {import('./create.js').InitOptions} [options] @param {[]} more */
export const init = async (options = {}, ...more) => {
  const own = options?.wasm === undefined && Object(options) === options;
  return load(own ? { ...options, wasm } : options, ...more);
};

export default Object.create(library, { init: { value: init } });
