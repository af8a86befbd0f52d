/* What 'gradlock/double' is under the condition "source" of the repository's package.json, as
 * tests/source.js is for 'gradlock'. */
import { readFileSync } from 'node:fs';
import { version } from '../src/js/base/version.js';
import { compileOnce, create } from '../src/js/create.js';
import { compileWasm } from '../src/js/wasm/loader.js';

export * from '../src/js/external.js';

const bytes = readFileSync(new URL('../build/wasm/gradlock.double.wasm', import.meta.url));
const compile = compileOnce((isShared) => compileWasm(bytes, isShared));

/**
 * As that of the package.
 * @param {import('../src/js/create.js').InitOptions} [options]
 */
export const init = (options = {}) => create(options, compile, 8);

export default { init, version };
