// Modules that Node.js has inside, where this is Node.js. Bundlers see no name of any.

/** @typedef {'fs' | 'os' | 'url' | 'worker_threads' | 'zlib'} NodeModule */

/**
 * A module that can be had without waiting. Node.js up to 20.15 lacks getBuiltinModule. UMD files
 * have `require` instead of what is nothing elsewhere.
 * @param {NodeModule} name
 * @returns {any} Undefined elsewhere.
 */
export const builtinNode = (name) => {
  const { process } = /** @type {any} */ (globalThis);
  if (!process?.versions?.node) return undefined;
  const path = `node:${name}`;
  const { getBuiltinModule } = process;
  return getBuiltinModule?.(path) ?? /** @type {any} */ (globalThis).GLK_REQUIRE?.(path);
};

/**
 * The same, where it may be waited for. It is apart, since the text of threads has this one inside.
 * @param {NodeModule} name
 * @returns {Promise<any>} Undefined elsewhere.
 */
export const importNode = async (name) => {
  // CommonJS in Jest lacks import().
  const { process } = /** @type {any} */ (globalThis);
  if (!process?.versions?.node) return undefined;
  const path = `node:${name}`;
  const { getBuiltinModule } = process;
  const found = getBuiltinModule?.(path) ?? /** @type {any} */ (globalThis).GLK_REQUIRE?.(path);
  return found ?? import(/* @vite-ignore */ /* webpackIgnore: true */ path);
};
