// Default entry point, with the WebAssembly module inside, so that it works in every bundler,
// offline and from file://. `gradlock/external` is the same library with the module apart.
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
 * Make an instance of the library.
 * @param {import('./create.js').InitOptions} [options]
 * @param {[]} more
 * @returns {Promise<import('./gradlock.js').Gradlock>}
 */
export const init = async (options = {}, ...more) => {
  refuseRest('init', 1, more);
  return create(options, compileInlined);
};

/** @internal */
export default { init, version };
