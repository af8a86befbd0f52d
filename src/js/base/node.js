// Modules that Node.js has inside, where this is Node.js. Bundlers see no name of any.

/** @typedef {'fs' | 'os' | 'url' | 'worker_threads' | 'zlib'} NodeModule */

/**
 * A module that can be had without waiting. Node.js up to 20.15 lacks getBuiltinModule. UMD files
 * have `require` in the place of what is nothing elsewhere.
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
 * @param {NodeModule} name
 * @returns {Promise<any>} Undefined elsewhere.
 */
export const importNode = async (name) => {
  if (!(/** @type {any} */ (globalThis).process?.versions?.node)) return undefined;
  const path = `node:${name}`;
  // CommonJS in Jest has no import().
  return builtinNode(name) ?? import(/* @vite-ignore */ /* webpackIgnore: true */ path);
};
