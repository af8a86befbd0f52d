// Entry point for hosts that serve files: gradlock.wasm is next to it, compiled as it loads.
import { refuseRest } from './base/arity.js';
import { version } from './base/version.js';
import { compileOnce, create } from './create.js';
import { compileFetched } from './wasm/fetched.js';

export * from './base/errors.js';
export * from './types.js';
export { version };

const compile = compileOnce((isShared) =>
  // Async, since who traces files for a server sees no URL that is all of an arrow function.
  compileFetched(async () => new URL('./gradlock.wasm', import.meta.url), isShared),
);

/**
 * Make an instance of the library.
 * @param {import('./create.js').InitOptions} [options]
 * @param {[]} more
 * @returns {Promise<import('./gradlock.js').Gradlock>}
 */
export const init = async (options = {}, ...more) => {
  refuseRest('init', 1, more);
  return create(options, compile);
};

/** @internal */
export default { init, version };
