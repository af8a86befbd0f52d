// Modules that Node.js has inside, where this is Node.js. Bundlers see no name of any.

/**
 * @param {'fs' | 'os' | 'url' | 'worker_threads' | 'zlib'} name
 * @returns {Promise<any>} Undefined elsewhere.
 */
export const importNode = async (name) => {
  // Node.js up to 20.15 lacks getBuiltinModule, CommonJS in Jest import(). UMD files have `require`
  // in the place of what is nothing elsewhere.
  const { process } = /** @type {any} */ (globalThis);
  if (!process?.versions?.node) return undefined;
  const path = `node:${name}`;
  const { getBuiltinModule } = process;
  const found = getBuiltinModule?.(path) ?? /** @type {any} */ (globalThis).GLK_REQUIRE?.(path);
  return found ?? import(/* @vite-ignore */ /* webpackIgnore: true */ path);
};
