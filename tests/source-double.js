/* What 'gradlock/double' is under the condition "source" of the repository's package.json, as
 * tests/source.js is for 'gradlock'. */
import { readFileSync } from 'node:fs';
import { create } from '../src/js/create.js';
import { version } from '../src/js/base/version.js';

export * from '../src/js/external.js';

const bytes = readFileSync(new URL('../build/wasm/gradlock.double.wasm', import.meta.url));

/**
 * As that of the package.
 * @param {import('../src/js/create.js').InitOptions} [options]
 */
export const init = (options = {}) =>
  create(
    options,
    async (isShared) => /** @type {any} */ ((await import('../src/js/wasm/loader.js')).compileWasm(bytes, isShared)),
    8,
  );

export default { init, version };
