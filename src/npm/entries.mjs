/* The entries of the package, one row each: exports, files, side effects and size limits are made
 * from it. A new entry whose sources stand at src/js/<name>.js needs a row here alone. */

/**
 * @typedef {object} Entry
 * @property {string} name The name of its file, in the package and in src/js.
 * @property {string} [umd] The name of its UMD file. Default: `name`.
 * @property {'single' | 'double'} [wasm] The WebAssembly module that it contains.
 * @property {string} [global] The global of a classic script. Default: `gradlock`.
 * @property {boolean} [isWhole] True if no part is useful without the rest. Bundlers then take all
 *   of it, or nothing if only `version` is read.
 * @property {boolean} [hasEffects] True if importing it does something by itself, such as define
 *   an element: bundlers must keep it.
 * @property {boolean} [onInstance] True if it gets its errors and readers from an instance
 *   (decision 28).
 * @property {boolean} [workerd] True if Cloudflare gets workerd.js instead.
 * @property {string} [limit] The most that it may have after gzip.
 */

/** @type {readonly Entry[]} */
export const entries = [
  {
    ...{ name: 'index', umd: 'gradlock', wasm: 'single', workerd: true, isWhole: true },
    limit: '131.5 kB',
  },
  { name: 'external', workerd: true, isWhole: true },
  { name: 'double', wasm: 'double', global: 'gradlockDouble', isWhole: true, limit: '140 kB' },
  { name: 'layers', onInstance: true, limit: '49 kB' },
  { name: 'formats', limit: '25.2 kB' },
  { name: 'tfjs', onInstance: true, limit: '3.7 kB' },
  { name: 'fit', onInstance: true, limit: '12.2 kB' },
  { name: 'grid', hasEffects: true, limit: '13.2 kB' },
  { name: 'keep', limit: '5.9 kB' },
  { name: 'worker', limit: '8.2 kB' },
  { name: 'thread', hasEffects: true },
];

/** The command `gradlock`: no entry, since nobody imports it. @type {Entry} */
export const command = { name: 'cli' };
