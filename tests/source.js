/* What 'gradlock' is under the condition "source" of the repository's package.json: the sources, on
 * the WebAssembly module in build/wasm. `make quick` tests them so, without making the package. */
import { readFileSync } from 'node:fs';
import { init as load } from '../src/js/external.js';

export * from '../src/js/external.js';
export { default } from '../src/js/external.js';

const bytes = readFileSync(new URL('../build/wasm/gradlock.wasm', import.meta.url));
/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/**
 * As that of the package.
 * @param {import('../src/js/create.js').InitOptions} [options]
 * @param {[]} more
 */
export const init = async (options = {}, ...more) => {
  if (options?.wasm !== undefined || Object(options) !== options) return load(options, ...more);
  if ((options.threads ?? 1) !== 1) return load({ ...options, wasm: bytes }, ...more);
  compiled ??= WebAssembly.compile(bytes);
  return load({ ...options, wasm: await compiled }, ...more);
};
