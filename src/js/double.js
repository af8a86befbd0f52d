// Entry point gradlock/double: the library of gradlock in double precision. Values are f64 and
// typed arrays Float64Array. It has its own WebAssembly module inside, so both may be in one page.
import { refuseRest } from './base/arity.js';
import { version } from './base/version.js';
import { compileOnce, create } from './create.js';
import { compileUnpacked } from './wasm/loader.js';
import { unpack } from './wasm/unpack.js';
import { joinBytes, packed } from './wasm/wasm-inline.js';

export * from './base/errors.js';
export * from './types.js';
export { version };

const compileInlined = compileOnce((isShared) =>
  compileUnpacked(() => unpack(packed(), joinBytes), isShared),
);

/**
 * Make an instance of the library in double precision.
 * @param {import('./create.js').InitOptions} [options]
 * @param {[]} more
 * @returns {Promise<import('./gradlock.js').Gradlock>}
 */
export const init = async (options = {}, ...more) => {
  refuseRest('init', 1, more);
  return create(options, compileInlined, 8);
};

/** @internal */
export default { init, version };
